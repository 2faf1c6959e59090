"""What a build needs beside the files of the package: the page, and links that lead somewhere.

Hatchling calls it for every wheel and source distribution.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

PAGE = Path("src/hansa/server/static/index.html")
LINK = re.compile(r"(!?)\[([^\]]*)\]\((?!\w+://|#)([^)]+)\)")
REMOTE = re.compile(r"(?:https://|ssh://git@|git@)([\w.-]+)[/:]([\w./-]+?)(?:\.git)?/?")


class PageHook(BuildHookInterface[Any]):
    """No wheel and no source distribution without the page of today."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002  # as called
        """Build the page; a source distribution brings it along."""
        if version == "editable":
            return  # the folder itself is installed, and `make play` builds the page
        root = Path(self.root)
        make = shutil.which("make")
        if make is not None and (root / "Makefile").is_file():
            # What is current is not built again. Where pip builds, make may call pip too: that one
            # must not hear of the first one's work, or it says that this folder is being built already.
            environ = {k: v for k, v in os.environ.items() if k != "PIP_BUILD_TRACKER"}
            subprocess.run([make, "page"], cwd=root, check=True, env=environ)  # noqa: S603  # our own Makefile
        if not (root / PAGE).is_file():
            raise RuntimeError(f"{PAGE} is missing: build the page first, with `make page`")


class AddressHook(MetadataHookInterface):
    """The README and the addresses of the project, as a package index shows them."""

    PLUGIN_NAME = "custom"

    def update(self, metadata: dict[str, Any]) -> None:
        """Links within the project lead to the repository that the package is built from."""
        root = Path(self.root)
        text = (root / "README.md").read_text("utf-8")
        address = repository(root)
        if address is not None:
            text = absolute(text, address)
            metadata["urls"] = {
                "Source": address,
                "Documentation": f"{address}/blob/HEAD/docs/index.md",
                "Changelog": f"{address}/blob/HEAD/CHANGELOG.md",
                "Issues": f"{address}/issues",
            }
        metadata["readme"] = {"content-type": "text/markdown", "text": text}


def repository(root: Path) -> str | None:
    """The address of the repository: HANSA_REPOSITORY, or where the checkout came from."""
    given = os.environ.get("HANSA_REPOSITORY") or _origin(root)
    found = REMOTE.fullmatch(given)
    return f"https://{found[1]}/{found[2]}" if found else None


def _origin(root: Path) -> str:
    git = shutil.which("git")
    if git is None or not (root / ".git").exists():
        return ""
    command = [git, "-C", str(root), "remote", "get-url", "origin"]
    return subprocess.run(command, capture_output=True, check=False, text=True).stdout.strip()  # noqa: S603  # git


def absolute(text: str, address: str) -> str:
    """Pictures and links of a page with whole addresses, since an index has only this one file."""

    def whole(link: re.Match[str]) -> str:
        picture, words, place = link.groups()
        return f"{picture}[{words}]({address}/{'raw' if picture else 'blob'}/HEAD/{place})"

    return LINK.sub(whole, text)
