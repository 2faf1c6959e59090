"""What people make of a position that has been: reviews of games, lines tried."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from hansa.server.wire.log import LogEntry
from hansa.server.wire.positions import Position
from hansa.server.wire.words import BY_SEAT, Count, Decision, Seat

__all__ = ["JudgedTurn", "Line", "LineWish", "Review", "ReviewState"]


class JudgedTurn(msgspec.Struct, kw_only=True):
    """One turn of a game, weighed as a whole."""

    number: Annotated[int, Meta(description="how many decisions came before it")]
    turn: int
    player: Seat
    shares: Annotated[
        dict[str, float],
        BY_SEAT,
        Meta(description="the share of the win that everybody may expect before it"),
    ]
    lost: Annotated[float, Meta(description="what it gave away of that, beside the better turn")]
    mark: Literal["", "slip", "mistake"]
    better: Annotated[list[str], Meta(description="a better turn as a record writes it: `p1> end`")]


class Review(msgspec.Struct, kw_only=True):
    """A whole game, turn by turn."""

    bot: Annotated[str, Meta(description="the search that judged")]
    turns: list[JudgedTurn]


class ReviewState(msgspec.Struct, kw_only=True):
    """How far a review is."""

    state: Literal["none", "working", "done", "failed"]
    done: Annotated[int, Meta(description="turns judged")] = 0
    total: int = 0
    review: Review | None = None


class LineWish(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """Decisions to be tried one after the other from a position."""

    number: Annotated[Count, Meta(description="of the position they begin from")]
    decisions: Annotated[list[Decision], Meta(max_length=600)]


class Line(msgspec.Struct, kw_only=True):
    """Where a line leads, as whoever decides there sees it; nothing is stored."""

    position: Position
    entries: list[LogEntry]
