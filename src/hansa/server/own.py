"""One's own data: all of it in one answer, and its end."""

from __future__ import annotations

import contextlib
from functools import partial
from typing import TYPE_CHECKING, Any

import msgspec
import sqlalchemy as sa

from hansa.server import archive, votes
from hansa.server.errors import TableError
from hansa.server.keys import check_same
from hansa.server.model import NOBODY
from hansa.server.schema import (
    archived,
    calls,
    chat,
    games,
    invitations,
    people,
    pushes,
    ratings,
    reports,
    seats,
    seekers,
    sessions,
    studies,
    ties,
    tokens,
)

if TYPE_CHECKING:
    from hansa.server.accounts import Accounts
    from hansa.server.hall import Hall
    from hansa.server.lobby import Lobby
    from hansa.server.manners import Manners
    from hansa.server.model import Meta, Person

__all__ = ["Farewell", "my_data"]

_MANY = 10_000
#: Rows that are read at a time, and bytes from which on a piece is whole.
_AT_ONCE, _PIECE = 20, 100_000
_encode = msgspec.json.Encoder().encode


def my_data(connection: sa.Connection, person: str) -> list[bytes]:
    """Everything stored about a person, but for hashes of secrets: `MyData` as JSON, in pieces.

    Each row is written down as soon as it is read: all of them as objects, and their text once more, took
    eight times as much memory, and nobody decided while they were being written.
    """
    columns = [c for c in people.c if c.name not in {"password", "reset_code", "reset_until"}]
    himself = connection.execute(sa.select(*columns).where(people.c.id == person)).mappings().one()
    written, piece = list[bytes](), bytearray(b'{"person":' + _encode(dict(himself)))
    for name, query in _queries(person).items():
        # Some at a time: a study has up to a megabyte.
        rows = connection.execute(query.execution_options(yield_per=_AT_ONCE)).mappings()
        piece += b"," + _encode(name) + b":["
        for count, row in enumerate(rows):
            piece += (b"," if count else b"") + _encode(dict(row))
            if len(piece) > _PIECE:
                written.append(bytes(piece))
                piece.clear()
        piece += b"]"
    return [*written, bytes(piece) + b"}"]


def _queries(person: str) -> dict[str, sa.Select[Any]]:
    """What each list of one's own data has."""
    mine = sa.select(seats.c.game).where(seats.c.person == person)
    sits = sa.or_(games.c.host == person, games.c.id.in_(mine))
    of_tables = ("id", "name", "status", "created", "started", "ended", "result")
    tables = sa.select(*games.c[of_tables]).where(sits).order_by(games.c.created)
    asked = sa.or_(invitations.c.person == person, invitations.c.sender == person)
    return {
        "tables": tables,
        "reports": sa.select(*reports.c["at", "game", "reason"]).where(reports.c.by == person),
        "invitations": sa.select(invitations).where(asked),
        "devices": _mine(pushes, person, "endpoint", "created"),
        "tokens": _mine(tokens, person, "name", "created"),
        "sessions": _mine(sessions, person, "created", "agent"),
        "chat": _mine(chat, person, "game", "at", "text").order_by(chat.c.at),
        "told": _mine(calls, person, "game", "what", "at"),
        "archived": _mine(archived, person, "game"),
        "searches": _mine(seekers, person, "kind", "created"),
        "circle": _mine(ties, person, "other", "kind", "created"),
        "ratings": _mine(ratings, person, "game", "pool", "ended", "rank", "mu", "sigma"),
        "studies": _mine(studies, person, "name", "game", "number", "comment", "nodes", "changed"),
    }


def _mine(table: sa.Table, person: str, *columns: str) -> sa.Select[Any]:
    return sa.select(*(table.c[name] for name in columns)).where(table.c.person == person)


class Farewell:
    """Lets somebody go: first from the tables, then from the store."""

    def __init__(self, accounts: Accounts, hall: Hall, lobby: Lobby, manners: Manners) -> None:
        self._accounts, self._hall = accounts, hall
        self._lobby, self._manners = lobby, manners

    async def leave(self, person: Person, password: str) -> None:
        """Delete everything that names a person; what was decided in games stays.

        Raises:
            TableError: `wrong_password`, before anything is changed; `busy`, to be tried again;
                `who_are_you` where the guest who asked has an account by now.
        """
        if person.account is not None:
            await self._accounts.check_password(person, password)
        found = await self._hall.store.read(
            lambda connection: archive.list_games(
                connection, status=None, person=person.id, before=None, limit=_MANY
            )
        )
        for meta in found:
            # There may be many, and each takes its time.
            await self._hall.store.read(partial(check_same, person=person, hold=False))
            try:
                await self._leave_table(meta, person)
            except TableError as error:
                # Removed by somebody else in the meantime: nothing is left to do there. Where the
                # store does not answer the name would stay: whoever leaves tries again.
                if error.code == "busy":
                    raise
        await self._hall.store.write(lambda connection: _forget(connection, person))

    async def _leave_table(self, meta: Meta, person: Person) -> None:
        table = await self._hall.open(meta.id)
        if table.meta.status == "open" and table.meta.host == person.id:
            await self._lobby.discard(table)
            return
        if table.meta.status == "open":
            await self._lobby.leave(table, person, None)
            return
        if table.meta.status == "running":
            # Also for whom a machine plays: he will not come back to it.
            for seat in table.meta.seats_of(person):
                with contextlib.suppress(TableError):
                    await self._manners.concede(table, person, seat)

        def edit(changed: Meta) -> None:
            changed.proposals = votes.untouched(changed, person.id)
            for seat in changed.seats:
                if seat.person == person.id:
                    seat.name = NOBODY
            if changed.host == person.id:
                changed.options.host_name = NOBODY
                changed.options.hook = None
                if changed.name == f"{person.name}'s table":
                    changed.name = NOBODY

        await self._hall.guard(self._hall.change(table, edit))


def _forget(connection: sa.Connection, leaver: Person) -> None:
    check_same(connection, leaver)
    person = leaver.id
    for table in (
        sessions, tokens, pushes, calls, archived, seekers, invitations, ties, studies,
    ):  # fmt: skip
        connection.execute(table.delete().where(table.c.person == person))
    connection.execute(ties.delete().where(ties.c.other == person))
    connection.execute(invitations.delete().where(invitations.c.sender == person))
    connection.execute(reports.delete().where(reports.c.by == person))
    connection.execute(chat.update().where(chat.c.person == person).values(name=NOBODY, text="…"))
    nothing: dict[str, Any] = dict.fromkeys(
        ("account", "password", "mail", "lang", "reset_code", "reset_until", "admin")
    )
    connection.execute(people.update().where(people.c.id == person).values(name=NOBODY, **nothing))
