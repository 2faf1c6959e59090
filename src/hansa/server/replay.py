"""Any position of a stored game, from the nearest snapshot and a few decisions; and its record."""

from __future__ import annotations

from typing import TYPE_CHECKING

import hansa
from hansa.records import parse_record
from hansa.server import logbook, referee

if TYPE_CHECKING:
    import sqlalchemy as sa

    from hansa.server.model import Entry, Meta

__all__ = ["at_number", "record", "step_to", "whole"]


def at_number(connection: sa.Connection, meta: Meta, number: int) -> hansa.Game:
    """The game after `number` of the decisions that stand."""
    found = logbook.nearest_snapshot(connection, meta.id, number)
    if found is None:
        start, game = 0, referee.first_position(meta)
    else:
        start, game = found[0], hansa.Game.from_dict(found[1])
    if start < number:
        referee.replayed(game, logbook.standing(connection, meta.id, start + 1, number))
    return game


def step_to(connection: sa.Connection, meta: Meta, number: int) -> tuple[hansa.Game, Entry | None]:
    """The same with the entry that led there."""
    game = at_number(connection, meta, number)
    entries = logbook.standing(connection, meta.id, number, number) if number else []
    return game, entries[0] if entries else None


def record(connection: sa.Connection, meta: Meta, number: int) -> str:
    """The record of a game, written from its log: only the last few decisions are played again."""
    written = parse_record(referee.first_position(meta).record())
    log = logbook.decisions(connection, meta.id, number)
    written.decisions = [(player, text) for player, text, _ in log]
    written.seats = {seat.seat: seat.name for seat in meta.seats}
    written.result = parse_record(at_number(connection, meta, number).record()).result
    return written.to_text([turn for _, _, turn in log])


def whole(connection: sa.Connection, meta: Meta, number: int) -> hansa.Game:
    """The game with its full history, for a study; for threads beside the event loop."""
    game = referee.first_position(meta)
    return referee.replayed(game, logbook.standing(connection, meta.id, 1, number))
