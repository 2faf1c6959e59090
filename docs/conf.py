"""Sphinx settings: `make docs` builds with warnings as errors."""

from __future__ import annotations

from importlib import metadata

project = "Hansa"
author = "The Hansa project"
copyright = "2026, The Hansa project"  # noqa: A001 - the name Sphinx reads
release = metadata.version("hansa")

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["_build"]
myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3
# The rules open sections by numbered headings and tables of many depths; their order is ours.
# Examples of messages shorten with "…", which is no JSON.
suppress_warnings = ["myst.header", "misc.highlighting_failure"]

html_theme = "furo"
html_title = "Hansa"
autodoc_typehints = "description"
