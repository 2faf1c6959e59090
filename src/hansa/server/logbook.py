"""What happened at a table: its log, snapshots of it and its chat. Each query takes an open connection."""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING, Any

import msgspec
import sqlalchemy as sa

from hansa.information import shows_hidden
from hansa.server.model import MOVES, Entry
from hansa.server.schema import chat, entries, snapshots
from hansa.server.wire.answers import ChartPoint
from hansa.server.wire.events import GameEvent
from hansa.server.wire.log import ChatLine
from hansa.server.writing import Conflict, at_commit
from hansa.server.written import squeezed, to_row, unsqueezed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = [
    "add_chat",
    "add_entries",
    "add_whole",
    "chart",
    "chat_after",
    "decisions",
    "drop_snapshots",
    "entries_after",
    "last_numbers",
    "nearest_snapshot",
    "reached",
    "save_snapshot",
    "spoken_for",
    "standing",
    "told",
]

#: Undos, votes, stand-ins that a part of the log tells of; the oldest are left out.
_MOST_HAPPENINGS = 300
#: Lines that only the person of a seat brings about: a stand-in is asked for by others.
_OWN_WORD = ("decision", "concede", "return")


def add_entries(connection: sa.Connection, game: str, lines: Sequence[Entry]) -> None:
    """Append to the log, at the end of the transaction.

    Conflict if one of these revisions is taken, or the one before it is not there.
    """
    for entry in lines:
        row = {"of": game, "after": entry.revision - 1, **to_row(entry)}
        at_commit(connection, _write_lines, row)


def _write_lines(connection: sa.Connection, rows: list[dict[str, Any]]) -> None:
    _insert(connection, _NEXT, rows)


def _next() -> sa.Insert:
    """A line that belongs to no game, which no store takes, unless it follows on the one before.

    A database that took the place of another may lack what is known here, and a log with a hole in it
    cannot be played.
    """
    before, game = entries.alias(), sa.bindparam("of", type_=entries.c.game.type)
    after = sa.bindparam("after", type_=sa.Integer)
    there = sa.exists().where(before.c.game == game, before.c.revision == after)
    is_first = after == sa.literal_column("0")
    # Inline: nobody asks for the key back.
    return entries.insert().inline().values(game=sa.case((sa.or_(is_first, there), game)))


_NEXT = _next()


def add_whole(
    connection: sa.Connection, log: Sequence[dict[str, Any]], kept: Sequence[dict[str, Any]]
) -> None:
    """The log of a new table and its snapshots, by the thousand."""
    _insert(connection, entries.insert(), log)
    _insert(connection, snapshots.insert(), kept)


def _insert(connection: sa.Connection, into: sa.Insert, rows: Sequence[dict[str, Any]]) -> None:
    """Past SQLAlchemy, which takes longer over each row than the database: all decisions wait for it."""
    if not rows:
        return
    statement, names = _inserting(connection.dialect, into, tuple(rows[0]))
    values = [tuple(row[name] for name in names) for row in rows] if names else list(rows)
    connection.exec_driver_sql(statement, values)


@cache
def _inserting(
    dialect: sa.Dialect, into: sa.Insert, given: tuple[str, ...]
) -> tuple[str, list[str] | None]:
    """The statement in the driver's own words, and in which order it asks, if not by name."""
    columns = [name for name in given if name in into.table.columns]
    compiled = into.compile(dialect=dialect, column_keys=columns)
    return str(compiled), compiled.positiontup if compiled.positional else None


def _entry(row: sa.Row[Any]) -> Entry:
    return Entry(
        revision=row.revision,
        number=row.number,
        kind=row.kind,
        player=row.player,
        text=row.text,
        turn=row.turn,
        at=row.at,
        by=row.by,
        events=_events(row.events),
        clocks=json.loads(row.clocks) if row.clocks else None,
        points=json.loads(row.points) if row.points else None,
        next_player=row.next_player,
        next_turn=row.next_turn,
        # Older servers did not note it: then whatever may have shown something did.
        shown=row.shown if row.shown is not None else _may_show(row),
    )


def _may_show(row: sa.Row[Any]) -> bool:
    return row.kind == "decision" and shows_hidden(row.text)


def _events(stored: str) -> list[GameEvent]:
    """Older servers wrote each event as a pair, after whom it was meant for: always everybody."""
    return [event if isinstance(event, dict) else event[1] for event in json.loads(stored)]


def entries_after(
    connection: sa.Connection, game: str, revision: int, limit: int | None = None
) -> list[Entry]:
    """The log above that revision, in order."""
    query = (
        sa.select(entries)
        .where(entries.c.game == game, entries.c.revision > revision)
        .order_by(entries.c.revision)
    )
    if limit is not None:
        query = query.limit(limit)
    return [_entry(row) for row in connection.execute(query)]


def last_numbers(connection: sa.Connection, game: str) -> Entry | None:
    """The last line of the log."""
    query = (
        sa.select(entries)
        .where(entries.c.game == game)
        .order_by(entries.c.revision.desc())
        .limit(1)
    )
    row = connection.execute(query).first()
    return _entry(row) if row else None


def reached(connection: sa.Connection, game: str) -> tuple[int | None, str | None]:
    """When the game came to where it is (None: nothing has been decided yet), and who decided before
    where it went back.
    """
    columns = entries.c["at", "kind", "next_player"]
    moves = sa.select(*columns).where(entries.c.game == game, entries.c.kind.in_(MOVES))
    last = connection.execute(moves.order_by(entries.c.revision.desc()).limit(2)).all()
    back_from = last[1].next_player if len(last) > 1 and last[0].kind == "undo" else None
    return last[0].at if last else None, back_from


def standing(
    connection: sa.Connection, game: str, first: int, last: int, revision: int | None = None
) -> list[Entry]:
    """Decisions `first` … `last` (numbers from 1) that no undo took back, as of `revision`.

    Of several entries with one number the youngest stands: an undo below it was followed by it.
    `last` must not exceed the table's number at that revision, which is the present one if None.
    """
    return [_entry(row) for row in _stand(connection, game, (first, last), revision, entries)]


def _stand(
    connection: sa.Connection,
    game: str,
    between: tuple[int, int],
    revision: int | None,
    *columns: Any,
) -> list[sa.Row[Any]]:
    """Those rows in the order of their numbers.

    The database looks for the youngest: of a decision that was taken back again and again there may be
    tens of thousands.
    """
    youngest = sa.select(sa.func.max(entries.c.revision).label("revision")).where(
        entries.c.game == game,
        entries.c.kind == "decision",
        entries.c.number.between(*between),
    )
    if revision is not None:
        youngest = youngest.where(entries.c.revision <= revision)
    stand = youngest.group_by(entries.c.number).subquery()
    query = (
        sa.select(*columns)
        .join(stand, stand.c.revision == entries.c.revision)
        .where(entries.c.game == game)
        .order_by(entries.c.number)
    )
    return list(connection.execute(query))


def decisions(connection: sa.Connection, game: str, last: int) -> list[tuple[str, str, int]]:
    """Who decided what in which turn, up to decision `last`: all that a record tells of them."""
    columns = entries.c["number", "player", "text", "turn"]
    rows = _stand(connection, game, (1, last), None, *columns)
    return [(row.player, row.text, row.turn) for row in rows]


def spoken_for(connection: sa.Connection, game: str, last: Sequence[Entry] = ()) -> set[str]:
    """The seats whose people have decided something, came back to them, or gave them up themselves.

    `last` are lines that are stored in the same transaction.
    """
    query = sa.select(entries.c.player).distinct()
    own = query.where(
        entries.c.game == game, entries.c.by == "person", entries.c.kind.in_(_OWN_WORD)
    )
    stored = {str(player) for player in connection.execute(own).scalars()}
    return stored | {str(e.player) for e in last if e.by == "person" and e.kind in _OWN_WORD}


def told(
    connection: sa.Connection, game: str, first: int, last: int, number: int, *, revision: int
) -> list[Entry]:
    """What stands of decisions `first` … `last` of `number`, and what else happened among them.

    As of `revision`, when there were `number` decisions.
    """
    stood = standing(connection, game, first - 1, min(last + 1, number), revision)
    found = {entry.number: entry for entry in stood}
    before, after = found.pop(first - 1, None), found.pop(last + 1, None)
    query = sa.select(entries).where(
        entries.c.game == game,
        entries.c.kind != "decision",
        entries.c.revision > (before.revision if before else 0),
        entries.c.revision <= revision,
    )
    if after is not None:
        query = query.where(entries.c.revision < after.revision)
    rows = connection.execute(query.order_by(entries.c.revision.desc()).limit(_MOST_HAPPENINGS))
    return sorted([*found.values(), *map(_entry, rows)], key=lambda entry: entry.revision)


def chart(connection: sa.Connection, game: str, last: int) -> list[ChartPoint]:
    """Everybody's total at the end of each turn, up to decision `last`."""
    columns = entries.c["number", "turn", "points"]
    return [
        ChartPoint(number=row.number, turn=row.turn, scores=json.loads(row.points))
        for row in _stand(connection, game, (1, last), None, *columns)
        if row.points
    ]


def save_snapshot(
    connection: sa.Connection, game: str, number: int, position: Mapping[str, Any]
) -> None:
    """Keep a position, so that nothing replays a whole game; Conflict if another process just does."""
    where = (snapshots.c.game == game, snapshots.c.number == number)
    connection.execute(snapshots.delete().where(*where))
    data = squeezed(position)
    try:
        connection.execute(snapshots.insert(), {"game": game, "number": number, "data": data})
    except sa.exc.IntegrityError as error:
        raise Conflict from error


def nearest_snapshot(
    connection: sa.Connection, game: str, number: int
) -> tuple[int, dict[str, Any]] | None:
    """The last snapshot at or before that number."""
    query = (
        sa.select(snapshots.c.number, snapshots.c.data)
        .where(snapshots.c.game == game, snapshots.c.number <= number)
        .order_by(snapshots.c.number.desc())
        .limit(1)
    )
    row = connection.execute(query).first()
    return (row.number, json.loads(unsqueezed(row.data))) if row else None


def drop_snapshots(connection: sa.Connection, game: str, above: int) -> None:
    """Forget the positions that an undo made untrue."""
    connection.execute(
        snapshots.delete().where(snapshots.c.game == game, snapshots.c.number > above)
    )


def add_chat(connection: sa.Connection, game: str, line: ChatLine) -> ChatLine:
    """Append a line with the next free number."""
    top = connection.execute(
        sa.select(sa.func.coalesce(sa.func.max(chat.c.id), 0)).where(chat.c.game == game)
    ).scalar_one()
    numbered = msgspec.structs.replace(line, id=top + 1)
    row = {"game": game, **msgspec.structs.asdict(numbered)}
    try:
        connection.execute(chat.insert(), row)
    except sa.exc.IntegrityError as error:
        raise Conflict from error
    return numbered


def chat_after(
    connection: sa.Connection, game: str, after: int, limit: int = 100
) -> list[ChatLine]:
    """The last `limit` lines above that number."""
    query = (
        sa.select(chat.c.id, chat.c.at, chat.c.person, chat.c.seat, chat.c.name, chat.c.text)
        .where(chat.c.game == game, chat.c.id > after)
        .order_by(chat.c.id.desc())
        .limit(limit)
    )
    rows = connection.execute(query).all()[::-1]
    return [
        ChatLine(id=r.id, at=r.at, person=r.person, seat=r.seat, name=r.name, text=r.text)
        for r in rows
    ]
