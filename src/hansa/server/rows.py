"""Lists of tables: how far each of them is, from the last line of its log."""

from __future__ import annotations

import json
from collections import OrderedDict
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from hansa.server import clocks, referee, replay
from hansa.server.faces import Live
from hansa.server.schema import entries

if TYPE_CHECKING:
    from hansa.server.model import Meta

__all__ = ["live_rows"]

#: Who begins at tables at which nothing has been decided: that never changes, and a lobby of a hundred
#: such tables set up a hundred games each time somebody looked.
_begun: OrderedDict[tuple[str, int], tuple[str | None, int]] = OrderedDict()
_BEGUN = 5000


def live_rows(connection: sa.Connection, metas: list[Meta]) -> dict[str, Live]:
    """How far these tables are: one query, and no replay where the log tells who is next."""
    heads = _heads(connection, [meta.id for meta in metas if meta.status != "open"])
    return {meta.id: _live(connection, meta, heads.get(meta.id)) for meta in metas}


def _heads(connection: sa.Connection, games: list[str]) -> dict[str, Any]:
    last = (
        sa.select(entries.c.game, sa.func.max(entries.c.revision).label("revision"))
        .where(entries.c.game.in_(games))
        .group_by(entries.c.game)
        .subquery()
    )
    columns = entries.c
    query = sa.select(
        columns.game,
        columns.revision,
        columns.number,
        columns.next_player,
        columns.next_turn,
        columns.clocks,
        columns.at,
    ).join(last, sa.and_(columns.game == last.c.game, columns.revision == last.c.revision))
    return {row.game: row for row in connection.execute(query)}


def _live(connection: sa.Connection, meta: Meta, head: Any) -> Live:
    live = Live()
    if head is not None:
        live.revision, live.number = head.revision, head.number
        live.player, live.turn = head.next_player, head.next_turn
    if meta.status == "running" and live.player is None:
        # Nothing decided yet, or by a server that did not note who is next.
        live.player, live.turn = _next(connection, meta, live)
    if meta.options.clock is not None and meta.started is not None:
        live.clocks, live.clock_at = _clocks(meta, head)
    return live


def _next(connection: sa.Connection, meta: Meta, live: Live) -> tuple[str | None, int]:
    key = (meta.id, live.revision)
    found = _begun.get(key)
    if found is None:
        game = replay.at_number(connection, meta, live.number)
        found = _begun[key] = game.player, referee.turn(game)
        while len(_begun) > _BEGUN:
            _begun.popitem(last=False)
    return found


def _clocks(meta: Meta, head: Any) -> tuple[dict[str, int], int]:
    if head is not None and head.clocks:
        return json.loads(head.clocks), head.at
    assert meta.options.clock is not None  # noqa: S101 - the caller looked
    assert meta.started is not None  # noqa: S101 - as above
    return clocks.full(meta.options.clock, [seat.seat for seat in meta.seats]), meta.started
