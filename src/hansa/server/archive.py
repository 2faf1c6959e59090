"""Queries over tables: who sits there, lists of them, codes and invitations. Each takes an open connection."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
import sqlalchemy as sa

from hansa.server.codes import new_code
from hansa.server.model import Meta, Seat
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
from hansa.server.store import changed_rows
from hansa.server.writing import Conflict

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = [
    "add_game",
    "archive_for",
    "count_hosted",
    "delete_game",
    "delete_unstarted",
    "find_code",
    "find_invite",
    "hold",
    "list_games",
    "load_meta",
    "metas_of",
    "newest",
    "place_of",
    "save_meta",
    "state_of",
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


def hold(connection: sa.Connection, game: str) -> None:
    """Let nobody else write about that table until this transaction ends."""
    connection.execute(sa.select(games.c.id).where(games.c.id == game).with_for_update())


def delete_game(connection: sa.Connection, game: str) -> bool:
    """Remove a table with everything that belongs to it."""
    hold(connection, game)
    for table in (
        entries, snapshots, reviews, studies, chat, calls, archived, invitations, seats,
    ):  # fmt: skip
        connection.execute(table.delete().where(table.c.game == game))
    return changed_rows(connection.execute(games.delete().where(games.c.id == game))) == 1
