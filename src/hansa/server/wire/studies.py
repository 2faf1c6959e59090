"""Studies: variations from a position, as a tree with comments."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from hansa.server.wire.words import Count, Decision, Millis

__all__ = ["MOST_NODES", "Studies", "StudyFace", "StudyNode", "StudyRow", "StudyWish"]

Comment = Annotated[str, Meta(max_length=2000)]
#: Decisions of one study.
MOST_NODES = 3000


class StudyNode(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """A decision of the tree."""

    parent: Annotated[int, Meta(ge=-1, description="its place in the list; -1: the beginning")]
    text: Decision
    comment: Comment = ""


class StudyWish(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """A study as its owner wants it kept."""

    name: Annotated[str, Meta(max_length=120)]
    game: Annotated[str, Meta(max_length=24, description="the finished game it came from")]
    number: Annotated[Count, Meta(description="decisions of that game before it begins")]
    comment: Comment = ""
    nodes: Annotated[
        list[StudyNode], Meta(max_length=MOST_NODES, description="each after its parent")
    ] = []


class StudyRow(msgspec.Struct, kw_only=True):
    """A study in a list."""

    id: str
    name: str
    game: str
    number: int
    changed: Millis


class StudyFace(StudyRow, kw_only=True):
    """A study."""

    yours: bool
    comment: str
    nodes: list[StudyNode]


class Studies(msgspec.Struct, kw_only=True):
    """One's own studies, the last changed first."""

    studies: list[StudyRow]
