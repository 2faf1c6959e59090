"""A board's data and how to draw it (`GET /api/boards/{id}`), drawn once for a version."""

from __future__ import annotations

import hashlib
import os
from functools import cache
from pathlib import Path
from typing import cast

import msgspec

import hansa
from hansa import extensions
from hansa.cache import open_directory
from hansa.server.wire.boards import BoardAnswer, BoardFile, Geometry

__all__ = ["board", "kept"]

#: Packages whose sources and data decide what is drawn.
_PARTS = ("art", "boards", "svg")


@cache
def _place() -> Path | None:
    """Where drawings of these very sources are kept; None: nowhere."""
    digest = hashlib.sha256(Path(__file__).read_bytes())
    root = Path(hansa.__file__).parent
    for part in _PARTS:
        for file in sorted((root / part).rglob("*")):
            if file.is_file() and file.suffix != ".pyc":
                digest.update(file.relative_to(root).as_posix().encode() + file.read_bytes())
    for file in (*extensions.files("boards", "*.json"), *extensions.files("icons", "*.svg")):
        digest.update(file.name.encode() + file.read_bytes())
    return open_directory(digest.hexdigest()[:20])


def kept(board_id: str) -> bytes | None:
    """The drawing as JSON, if it was drawn before."""
    place = _place()
    try:
        return None if place is None else (place / f"{board_id}.json").read_bytes()
    except OSError:
        return None


def board(board_id: str) -> BoardAnswer:
    """The board's file, geometry, ground and symbols; takes seconds, and is kept."""
    from hansa import svg  # noqa: PLC0415 - takes half a second, and bots never draw
    from hansa.svg.data import board_data  # noqa: PLC0415 - as above

    drawn = BoardAnswer(
        id=board_id,
        data=cast("BoardFile", board_data(board_id)),
        geometry=cast("Geometry", svg.geometry(board_id)),
        ground=svg.ground(board_id, "auto"),
        defs=svg.defs(),
    )
    place = _place()
    if place is not None:
        # Under another name first: nobody ever reads half a drawing.
        unfinished = place / f"{board_id}.{os.getpid()}"
        unfinished.write_bytes(msgspec.json.encode(drawn))
        unfinished.replace(place / f"{board_id}.json")
    return drawn
