"""Puzzles as the server gives them: those of the program, and people's own mistakes."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, cast

import msgspec
import sqlalchemy as sa

import hansa
from hansa.bots import puzzles as library
from hansa.server import archive, exploring, replay, reviews
from hansa.server.errors import TableError
from hansa.server.schema import games, seats
from hansa.server.schema import reviews as kept
from hansa.server.wire.puzzles import (
    PuzzleFace,
    PuzzleLine,
    Puzzles,
    PuzzleSheet,
    PuzzleSolution,
    PuzzleTry,
)

if TYPE_CHECKING:
    from hansa.server.model import Meta, Person
    from hansa.server.wire.reviews import JudgedTurn
    from hansa.server.wire.setups import GameSetup

__all__ = ["Posed", "of_game", "offered", "posed"]

#: Games whose mistakes are offered, the newest first, and mistakes of each of them.
_GAMES = 12
_MISTAKES = 4


class Posed(msgspec.Struct, kw_only=True):
    """A puzzle ready to be solved."""

    face: PuzzleFace
    start: hansa.Game
    best: hansa.Game
    turn: list[str]
    gain: float
    number: int = 0

    def sheet(self) -> PuzzleSheet:
        """What whoever solves it begins with."""
        setup = {**self.start.to_dict()["game"], "seed": None}
        return PuzzleSheet(
            **msgspec.structs.asdict(self.face),
            setup=cast("GameSetup", setup),
            player=self.start.player,
            number=self.number,
        )

    def tried(self, wish: PuzzleTry) -> PuzzleLine:
        """What comes of somebody's decisions.

        Raises:
            TableError: `malformed_decision` or `illegal_decision`.
        """
        try:
            found = library.tried(self.start, self.best, wish.decisions)
        except hansa.MalformedAction as error:
            raise TableError("malformed_decision", str(error)) from error
        except hansa.IllegalAction as error:
            raise TableError("illegal_decision", str(error)) from error
        line = exploring.shown(self.start, found.game, self.number, self.start.player)
        solution = PuzzleSolution(turn=self.turn, gain=self.gain)
        return PuzzleLine(
            position=line.position,
            entries=line.entries,
            whole=found.whole,
            right=found.right,
            solution=solution if found.right or wish.reveal else None,
        )


@cache
def _shipped() -> dict[str, PuzzleFace]:
    """The puzzles of the program; each position is taken apart for it, once."""
    return {
        name: PuzzleFace(
            id=name,
            board=name.rpartition("-")[0],
            players=len(one.game().players),
            themes=list(one.themes),
        )
        for name, one in library.load().items()
    }


def posed(name: str) -> Posed:
    """A puzzle of the program.

    Raises:
        TableError: `not_found`.
    """
    known = library.load().get(name)
    if known is None:
        raise TableError("not_found", "There is no such puzzle.")
    return Posed(
        face=_shipped()[name],
        start=known.game(),
        best=known.solved(),
        turn=list(known.turn),
        gain=round(known.chance - known.next, 4),
    )


def of_game(connection: sa.Connection, meta: Meta, number: int) -> Posed:
    """A mistake of a reviewed game, to be done better.

    Raises:
        TableError: `not_found`.
    """
    review = reviews.kept(connection, meta.id)
    turns = review.turns if review is not None else []
    judged = next((turn for turn in turns if turn.number == number and turn.mark), None)
    if judged is None:
        raise TableError("not_found", "There is no such puzzle: no mistake was found there.")
    start = replay.at_number(connection, meta, number)
    best = start.copy()
    for step in judged.better:
        best.play(step.partition("> ")[2])
    face = _face(meta, judged)
    face.themes = list(library.themes_of(start, best))
    return Posed(
        face=face, start=start, best=best, turn=judged.better, gain=judged.lost, number=number
    )


def _face(meta: Meta, judged: JudgedTurn) -> PuzzleFace:
    return PuzzleFace(
        id=f"{meta.id}.{judged.number}",
        board=meta.options.board,
        players=len(meta.seats),
        themes=[],
    )


def offered(connection: sa.Connection, person: Person | None) -> Puzzles:
    """All there are for somebody."""
    own = _own(connection, person.id) if person is not None else []
    return Puzzles(shipped=list(_shipped().values()), own=own)


def _own(connection: sa.Connection, person: str) -> list[PuzzleFace]:
    """Somebody's own mistakes, the worst of each game."""
    query = (
        sa.select(kept.c.game, seats.c.seat)
        .join(seats, seats.c.game == kept.c.game)
        .join(games, games.c.id == kept.c.game)
        .where(seats.c.person == person)
        .order_by(games.c.ended.desc(), kept.c.game)
    )
    mine: dict[str, set[str]] = {}
    for row in connection.execute(query):
        mine.setdefault(row.game, set()).add(row.seat)
    found = []
    for game in list(mine)[:_GAMES]:
        meta, review = archive.load_meta(connection, game), reviews.kept(connection, game)
        if meta is None or review is None:
            continue
        faults = [turn for turn in review.turns if turn.mark and turn.player in mine[game]]
        worst = sorted(faults, key=lambda turn: -turn.lost)[:_MISTAKES]
        found += [_face(meta, turn) for turn in sorted(worst, key=lambda turn: turn.number)]
    return found
