"""Lines that are tried from a position: carried out on a copy, shown, and stored nowhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

import hansa
from hansa.server import referee
from hansa.server.errors import TableError
from hansa.server.wire.log import LogEntry
from hansa.server.wire.positions import UndoFace
from hansa.server.wire.reviews import Line

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["explored", "shown"]


def explored(game: hansa.Game, first: int, decisions: Iterable[str]) -> Line:
    """What comes of decisions after `first` others; everybody's are the one's who tries.

    Raises:
        TableError: `malformed_decision` or `illegal_decision`.
    """
    after = game.copy()
    for text in decisions:
        try:
            after.play(text)
        except hansa.MalformedAction as error:
            raise TableError("malformed_decision", str(error)) from error
        except hansa.IllegalAction as error:
            raise TableError("illegal_decision", str(error)) from error
    return shown(game, after, first, after.player)


def shown(start: hansa.Game, after: hansa.Game, first: int, seat: str) -> Line:
    """All that was decided between two positions of one game, and the later one as a seat sees it."""
    at, entries = start.copy(), list[LogEntry]()
    for action in after.history[len(start.history) :]:
        number = first + len(entries) + 1
        player, turn = at.player, referee.turn(at)
        entries.append(
            LogEntry(
                revision=number,
                number=number,
                kind="decision",
                player=player,
                text=str(action),
                turn=turn,
                at=0,
                by="person",
                events=referee.told(at.play(action)),
            )
        )
    number = first + len(entries)
    undo = UndoFace(free=bool(entries), to=number - 1 if entries else None, reason=None)
    position = referee.position(after, seat, at=(number, number), undo=undo, show_seed=False)
    return Line(position=position, entries=entries)
