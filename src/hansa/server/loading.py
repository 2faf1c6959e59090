"""A table as the store knows it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import structlog

from hansa.server import archive, clocks, logbook, replay
from hansa.server.errors import TableError
from hansa.server.model import Entry, Meta
from hansa.server.table import RECENT, Known, Loaded, News
from hansa.server.tail import TAIL
from hansa.server.wire.log import ChatLine

if TYPE_CHECKING:
    import sqlalchemy as sa

    import hansa

__all__ = ["is_behind", "read_at", "read_news", "read_table"]

_log = structlog.get_logger()
#: More entries than that are not played one by one: there is a snapshot nearer than that.
_FOLLOWED = 32


def read_at(connection: sa.Connection, meta: Meta, number: int) -> tuple[hansa.Game, list[Entry]]:
    """The position after `number` decisions, and the last of them."""
    try:
        game = replay.at_number(connection, meta, number)
    except ValueError as error:
        _log.exception("game cannot be replayed", game=meta.id, number=number)
        raise TableError(
            "rules_changed",
            "This game was played under other rules and cannot be shown; ask the host.",
            rules=meta.rules,
        ) from error
    first = max(1, number - TAIL + 1)
    return game, logbook.standing(connection, meta.id, first, number) if number else []


def read_table(connection: sa.Connection, game_id: str) -> Loaded | None:
    """Everything a table is in memory, from the store."""
    meta = archive.load_meta(connection, game_id)
    if meta is None:
        return None
    last = logbook.last_numbers(connection, game_id)
    revision, number = (last.revision, last.number) if last else (0, 0)
    game, tail = None, list[Entry]()
    if meta.status != "open":
        game, tail = read_at(connection, meta, number)
    recent = logbook.entries_after(connection, game_id, revision - RECENT)
    left, since = None, meta.started or 0
    if meta.options.clock is not None and meta.started is not None:
        left = clocks.full(meta.options.clock, [seat.seat for seat in meta.seats])
        timed = next((e for e in reversed(recent) if e.clocks is not None), None)
        if timed is not None:
            left, since = timed.clocks, timed.at
    reached_at, back_from = logbook.reached(connection, game_id)
    return Loaded(
        meta=meta,
        game=game,
        revision=revision,
        number=number,
        reached_at=reached_at,
        back_from=back_from,
        recent=recent,
        tail=tail,
        clocks=left,
        clock_at=since,
        chat=logbook.chat_after(connection, game_id, 0),
    )


def is_behind(connection: sa.Connection, known: Known) -> bool:
    """Whether the store has more, or other, than somebody who knows that much of a table."""
    return archive.state_of(connection, known.game) != (known.version, known.revision, known.chat)


def read_news(connection: sa.Connection, known: Known) -> News | None:
    """What came after `known`; None where only reading the whole table helps."""
    state = archive.state_of(connection, known.game)
    if state is None:
        return None
    version, revision, line = state
    meta = archive.load_meta(connection, known.game) if version != known.version else None
    if revision < known.revision or revision - known.revision > _FOLLOWED:
        return None
    if meta is not None and (meta.status != "open") != known.started:
        return None
    entries, chat = list[Entry](), list[ChatLine]()
    if revision > known.revision:
        entries = logbook.entries_after(connection, known.game, known.revision)
    if line > known.chat:
        chat = logbook.chat_after(connection, known.game, known.chat)
    if any(entry.kind == "undo" for entry in entries):
        return None
    return News(meta=meta, entries=entries, chat=chat)
