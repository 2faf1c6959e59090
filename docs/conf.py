"""Sphinx settings: `make docs` builds with warnings as errors."""

from __future__ import annotations

import re
import sys
from importlib import metadata
from pathlib import Path

from sphinx.application import Sphinx

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE / "_ext"))

project = "Hansa"
author = "The Hansa project"
copyright = "2026, The Hansa project"  # noqa: A001 - the name Sphinx reads
release = version = metadata.version("hansa")

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.viewcode",
    "command_help",
    "hansa_board",
    "hansa_book",
    "rule_links",
]
source_suffix = {".md": "markdown"}
exclude_patterns = ["_build"]
myst_enable_extensions = ["attrs_block", "attrs_inline", "colon_fence", "deflist"]
myst_heading_anchors = 3
suppress_warnings = [
    "myst.header",  # the rules open sections by numbered headings and tables of many depths
    "misc.highlighting_failure",  # examples of messages shorten with "…", which is no JSON
]

# Docstrings write names and texts in single backticks, as Markdown does.
default_role = "code"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
autodoc_member_order = "bysource"
autodoc_default_options = {"members": True}
autodoc_preserve_defaults = True
python_use_unqualified_type_names = True
maximum_signature_line_length = 76
add_module_names = False

MAY_BE_MISSING = {"bots", "environments", "page", "protocol", "server"}

html_theme = "furo"
html_title = "Hansa"
html_favicon = "_static/icon.svg"
html_static_path = ["_static"]
html_css_files = ["hansa.css"]
html_copy_source = False
html_show_sourcelink = False
html_theme_options = {
    "light_logo": "icon.svg",
    "dark_logo": "icon.svg",
    "top_of_page_buttons": [],
}
# The page's typefaces, where its packages are installed; the style sheet names others for elsewhere.
FONTS = HERE.parent / "web" / "node_modules" / "@fontsource"
html_static_path += [
    str(file)
    for family, weights in (("alegreya", (500, 700, 800)), ("alegreya-sans", (400, 500, 700)))
    for weight in weights
    if (file := FONTS / family / "files" / f"{family}-latin-{weight}-normal.woff2").exists()
]


def list_pages(app: Sphinx, docname: str, source: list[str]) -> None:
    """Leave out listed pages that are not there, and list those that nobody has listed yet.

    So a part may bring or take away its page without touching the list.
    """
    if docname != "index":
        return
    there = {path.stem for path in Path(app.srcdir).glob("*.md")}
    lists = source[0].split("```{toctree}")
    listed = set(re.findall(r"^(?:.* <)?([\w./-]+)>?$", "\n".join(lists[1:]), re.MULTILINE))
    others = "\n".join(sorted(there - listed - {"index"}))
    text = source[0].replace("(other pages)", others)
    for page in MAY_BE_MISSING - there:
        text = text.replace(f"\n{page}\n", "\n")
    source[0] = text


def hide_constructor(
    _app: Sphinx, _what: str, name: str, _object: object, _options: object, *_signature: object
) -> tuple[str, None] | None:
    """A game is made by `new` and `from_…`: what its constructor takes concerns nobody else."""
    return ("", None) if name in {"hansa.Game", "hansa.boards.Board"} else None


def setup(app: Sphinx) -> None:
    """Hooks of these pages alone."""
    app.connect("autodoc-process-signature", hide_constructor)
    app.connect("source-read", list_pages)
