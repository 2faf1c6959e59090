"""Queries over games, their log, snapshots and chat. Each takes an open connection."""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import msgspec
import sqlalchemy as sa

from hansa.information import shows_hidden
from hansa.server import referee
from hansa.server.codes import new_code
from hansa.server.model import Entry, Meta, Seat
from hansa.server.schema import (
    archived,
    calls,
    chat,
    entries,
    games,
    invitations,
    reviews,
    seats,
    snapshots,
    studies,
)
from hansa.server.store import Conflict, changed_rows
from hansa.server.wire.answers import ChartPoint
from hansa.server.wire.events import GameEvent
from hansa.server.wire.log import ChatLine

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = [
    "add_chat",
    "add_entries",
    "add_game",
    "add_whole",
    "archive_for",
    "chart",
    "chat_after",
    "count_hosted",
    "delete_game",
    "delete_unstarted",
    "drop_snapshots",
    "entries_after",
    "find_code",
    "find_invite",
    "last_numbers",
    "list_games",
    "load_meta",
    "metas_of",
    "nearest_snapshot",
    "newest",
    "place_of",
    "save_meta",
    "save_snapshot",
    "standing",
    "state_of",
    "told",
]

_META = (
    "id",
    "name",
    "status",
    "visibility",
    "host",
    "setup",
    "origin",
    "rules",
    "created",
    "started",
    "ended",
    "result",
    "rematch",
    "code",
    "version",
)


#: Undos, votes, stand-ins that a part of the log tells of; the oldest are left out.
_MOST_HAPPENINGS = 300


def _to_row(meta: Meta) -> dict[str, Any]:
    row = {name: getattr(meta, name) for name in _META}
    row["options"] = msgspec.to_builtins(meta.options)
    row["proposals"] = msgspec.to_builtins(meta.proposals)
    return row


def _seat_rows(meta: Meta) -> list[dict[str, Any]]:
    return [{"game": meta.id, **msgspec.to_builtins(seat)} for seat in meta.seats]


def add_game(connection: sa.Connection, meta: Meta) -> None:
    """Store a new table; it gets a code that no other has."""
    while meta.code is None or find_code(connection, meta.code) is not None:
        meta.code = new_code()
    connection.execute(games.insert(), _to_row(meta))
    connection.execute(seats.insert(), _seat_rows(meta))


def save_meta(connection: sa.Connection, meta: Meta) -> None:
    """Store the changed table as version + 1; Conflict if somebody else changed it meanwhile."""
    row = _to_row(meta) | {"version": meta.version + 1}
    statement = games.update().where(games.c.id == meta.id, games.c.version == meta.version)
    if changed_rows(connection.execute(statement, row)) != 1:
        raise Conflict
    connection.execute(seats.delete().where(seats.c.game == meta.id))
    connection.execute(seats.insert(), _seat_rows(meta))


def metas_of(connection: sa.Connection, rows: Sequence[sa.Row[Any]]) -> list[Meta]:
    """One query for the seats of all of them."""
    by_game: dict[str, list[Seat]] = {row.id: [] for row in rows}
    found = connection.execute(
        sa.select(seats).where(seats.c.game.in_(list(by_game))).order_by(seats.c.seat)
    )
    for row in found:
        by_game[row.game].append(
            msgspec.convert({name: getattr(row, name) for name in Seat.__struct_fields__}, Seat)
        )
    names = (*_META, "options", "proposals")
    return [
        msgspec.convert(
            {**{name: getattr(row, name) for name in names}, "seats": by_game[row.id]}, Meta
        )
        for row in rows
    ]


def load_meta(connection: sa.Connection, game: str) -> Meta | None:
    """The table of that id."""
    rows = connection.execute(sa.select(games).where(games.c.id == game)).all()
    return metas_of(connection, rows)[0] if rows else None


def state_of(connection: sa.Connection, game: str) -> tuple[int, int, int] | None:
    """Version, revision and last line of chat: cheap to ask, enough to see if a copy is old."""
    row = connection.execute(_STATE, {"wanted": game}).first()
    return (row.version, row.revision, row.chat) if row else None


def _top(column: sa.Column[int], game: sa.Column[str]) -> sa.ScalarSelect[int]:
    highest = sa.select(sa.func.coalesce(sa.func.max(column), 0))
    return highest.where(game == sa.bindparam("wanted")).scalar_subquery()


_STATE = sa.select(
    games.c.version,
    _top(entries.c.revision, entries.c.game).label("revision"),
    _top(chat.c.id, chat.c.game).label("chat"),
).where(games.c.id == sa.bindparam("wanted"))


def find_invite(connection: sa.Connection, token: str) -> tuple[str, str] | None:
    """Game and seat of an invite link."""
    query = sa.select(seats.c.game, seats.c.seat).where(seats.c.invite == token)
    row = connection.execute(query).first()
    return (row.game, row.seat) if row else None


def place_of(meta: Meta) -> str:
    """Where a table stands in a list: those of one millisecond are told apart by their ids."""
    return f"{meta.created}-{meta.id}"


def find_code(connection: sa.Connection, code: str) -> str | None:
    """The table of a code that was said aloud."""
    query = sa.select(games.c.id).where(games.c.code == code)
    return connection.execute(query).scalar()


def newest(query: sa.Select[Any], before: str | None) -> sa.Select[Any]:
    """Games from the newest on, behind the place (`place_of`) of the last one already seen."""
    query = query.order_by(games.c.created.desc(), games.c.id)
    if before is None:
        return query
    created, _, last = before.partition("-")
    same = sa.and_(games.c.created == int(created), games.c.id > last)
    return query.where(sa.or_(games.c.created < int(created), same))


def list_games(
    connection: sa.Connection,
    *,
    status: str | None,
    person: str | None,
    before: str | None,
    limit: int,
    shelved: bool | None = None,
) -> list[Meta]:
    """Newest first: those where `person` sits or hosts, or, without one, the listed ones.

    `before` is the place (`place_of`) of the last one already seen; `shelved`: only those that
    `person` archived, or has not; None: all.
    """
    query = newest(sa.select(games), before).limit(limit)
    if status is not None:
        query = query.where(games.c.status == status)
    if person is None:
        query = query.where(games.c.visibility == "open")
    else:
        sits = sa.select(seats.c.game).where(seats.c.person == person)
        query = query.where(sa.or_(games.c.host == person, games.c.id.in_(sits)))
    if shelved is not None:
        away = games.c.id.in_(sa.select(archived.c.game).where(archived.c.person == person))
        query = query.where(away if shelved else ~away)
    return metas_of(connection, connection.execute(query).all())


def count_hosted(connection: sa.Connection, person: str) -> int:
    """How many tables of a host wait or run."""
    query = sa.select(sa.func.count()).select_from(games)
    mine = query.where(games.c.host == person, games.c.status != "over")
    return int(connection.execute(mine).scalar_one())


def archive_for(connection: sa.Connection, game: str, person: str, *, on: bool) -> None:
    """Take a table out of somebody's list, or put it back."""
    here = sa.and_(archived.c.game == game, archived.c.person == person)
    connection.execute(archived.delete().where(here))
    if on:
        connection.execute(archived.insert(), {"game": game, "person": person})


def delete_unstarted(connection: sa.Connection, game: str) -> bool:
    """Remove a table that still waits; False where it has begun meanwhile."""
    waiting = sa.select(games.c.id).where(games.c.id == game, games.c.status == "open")
    if connection.execute(waiting.with_for_update()).first() is None:
        return False
    return delete_game(connection, game)


def delete_game(connection: sa.Connection, game: str) -> bool:
    """Remove a table with everything that belongs to it."""
    for table in (
        entries, snapshots, reviews, studies, chat, calls, archived, invitations, seats,
    ):  # fmt: skip
        connection.execute(table.delete().where(table.c.game == game))
    return changed_rows(connection.execute(games.delete().where(games.c.id == game))) == 1


_ADD_ENTRIES = entries.insert()


def add_entries(connection: sa.Connection, game: str, lines: Sequence[Entry]) -> None:
    """Append to the log; Conflict if one of these revisions is taken."""
    rows = [_entry_row(game, entry) for entry in lines]
    if not rows:
        return
    try:
        # One alone is a plain statement, which costs less than a list of one.
        connection.execute(_ADD_ENTRIES, rows if len(rows) > 1 else rows[0])
    except sa.exc.IntegrityError as error:
        raise Conflict from error


def add_whole(
    connection: sa.Connection, log: Sequence[dict[str, Any]], kept: Sequence[dict[str, Any]]
) -> None:
    """The log of a new table and its snapshots, by the thousand.

    Past SQLAlchemy, which takes longer over each row than the database: all decisions wait for it.
    """
    for statement, rows in ((_ADD_ENTRIES, log), (snapshots.insert(), kept)):
        if not rows:
            continue
        compiled = statement.compile(dialect=connection.dialect, column_keys=list(rows[0]))
        names = compiled.positiontup if compiled.positional else None
        values = [tuple(row[name] for name in names) for row in rows] if names else list(rows)
        connection.exec_driver_sql(str(compiled), values)


def _entry_row(game: str, entry: Entry) -> dict[str, Any]:
    return {
        "game": game,
        "revision": entry.revision,
        "number": entry.number,
        "kind": entry.kind,
        "player": entry.player,
        "text": entry.text,
        "turn": entry.turn,
        "at": entry.at,
        "by": entry.by,
        "events": msgspec.json.encode(entry.events).decode(),
        "clocks": _numbers(entry.clocks),
        "points": _numbers(entry.points),
        "next_player": entry.next_player,
        "next_turn": entry.next_turn,
        "shown": entry.shown,
    }


def _numbers(values: dict[str, int] | None) -> str | None:
    return None if values is None else msgspec.json.encode(values).decode()


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


def standing(
    connection: sa.Connection, game: str, first: int, last: int, revision: int | None = None
) -> list[Entry]:
    """Decisions `first` … `last` (numbers from 1) that no undo took back, as of `revision`.

    Of several entries with one number the youngest stands: an undo below it was followed by it.
    `last` must not exceed the table's number at that revision, which is the present one if None.
    """
    query = (
        sa.select(entries)
        .where(
            entries.c.game == game,
            entries.c.kind == "decision",
            entries.c.number.between(first, last),
        )
        .order_by(entries.c.revision)
    )
    if revision is not None:
        query = query.where(entries.c.revision <= revision)
    found = {row.number: row for row in connection.execute(query)}
    return [_entry(found[number]) for number in sorted(found)]


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
    query = (
        sa.select(entries.c.number, entries.c.turn, entries.c.points)
        .where(
            entries.c.game == game,
            entries.c.kind == "decision",
            entries.c.number <= last,
        )
        .order_by(entries.c.revision)
    )
    # As in `standing`: a number that was decided again counts as it stands now.
    found = {row.number: row for row in connection.execute(query)}
    return [
        ChartPoint(number=row.number, turn=row.turn, scores=json.loads(row.points))
        for _, row in sorted(found.items())
        if row.points
    ]


def save_snapshot(
    connection: sa.Connection, game: str, number: int, position: Mapping[str, Any]
) -> None:
    """Keep a position, so that nothing replays a whole game."""
    where = (snapshots.c.game == game, snapshots.c.number == number)
    connection.execute(snapshots.delete().where(*where))
    data = referee.squeezed(position)
    connection.execute(snapshots.insert(), {"game": game, "number": number, "data": data})


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
    return (row.number, json.loads(zlib.decompress(row.data))) if row else None


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
