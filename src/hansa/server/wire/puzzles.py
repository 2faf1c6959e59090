"""Puzzles: positions in which one turn is clearly best."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from hansa.server.wire.reviews import Line
from hansa.server.wire.setups import GameSetup
from hansa.server.wire.words import Decision, Seat

__all__ = ["PuzzleFace", "PuzzleLine", "PuzzleSheet", "PuzzleSolution", "PuzzleTry", "Puzzles"]


class PuzzleFace(msgspec.Struct, kw_only=True):
    """A puzzle in a list."""

    id: Annotated[str, Meta(description="of a turn of a finished game: its id, a dot, the number")]
    board: Annotated[str, Meta(description="the id of the board's side")]
    players: int
    themes: list[str]


class Puzzles(msgspec.Struct, kw_only=True):
    """All puzzles there are for somebody."""

    shipped: list[PuzzleFace]
    own: Annotated[
        list[PuzzleFace],
        Meta(description="one's own mistakes in games that were reviewed, the newest game first"),
    ]


class PuzzleSheet(PuzzleFace, kw_only=True):
    """What is needed to begin."""

    setup: GameSetup
    player: Annotated[Seat, Meta(description="whose turn is to be found")]
    number: Annotated[int, Meta(description="decisions before it")]


class PuzzleTry(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """The decisions of whoever solves; the others answer by themselves."""

    decisions: Annotated[list[Decision], Meta(max_length=200)]
    reveal: Annotated[bool, Meta(description="give up, and be told")] = False


class PuzzleSolution(msgspec.Struct, kw_only=True):
    """The best turn."""

    turn: Annotated[list[str], Meta(description="as a record writes it: `p1> end`")]
    gain: Annotated[
        float,
        Meta(
            description="the share of the win by which it is better than the next best turn; of "
            "one's own mistake: than what was played"
        ),
    ]


class PuzzleLine(Line, kw_only=True):
    """Where the decisions lead."""

    whole: Annotated[bool, Meta(description="the turn is over")]
    right: Annotated[bool, Meta(description="it leads where the best turn leads")]
    solution: Annotated[
        PuzzleSolution | None, Meta(description="when it was found, or given up")
    ] = None
