"""Folders with boards and markers of one's own: `HANSA_EXTENSIONS` names them, they join the house.

An extension is a folder with any of `boards/*.json`, `rules/*.py` (a marker's effect, and the
`dispatch.py` that `python -m hansa.generate FOLDER` writes for it), `words/en.json` …, and
`icons/*.svg`; docs/extending.md walks through one. All that is derived from boards and markers (ids, sizes of the
state, observations, pictures, the form of a new game) is derived from these too. They are read
once, when the rules are first loaded: the same for every process of a program.
"""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

from hansa.errors import InvalidExtension

__all__ = ["files", "folders"]

VARIABLE = "HANSA_EXTENSIONS"


@cache
def folders() -> tuple[Path, ...]:
    """The folders of all extensions; raises InvalidExtension for one that is not there."""
    named = [Path(name) for name in os.environ.get(VARIABLE, "").split(os.pathsep) if name]
    for folder in named:
        if not folder.is_dir():
            raise InvalidExtension(f"{VARIABLE}: {folder} is no folder")
    return tuple(folder.resolve() for folder in named)


def files(kind: str, pattern: str) -> list[Path]:
    """The files of one kind (`boards`, `rules`, `words`, `icons`) in all extensions."""
    return [path for folder in folders() for path in sorted((folder / kind).glob(pattern))]
