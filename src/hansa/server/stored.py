"""How much of the store is somebody's, and how fast he may fill it.

What lies there is counted for the host of a table and the owner of a study; nobody whose share is used
up begins anything new, and whatever runs can be finished. How fast something is written is paid for by
person and address, decisions and undos among it: a log grows with each of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import sqlalchemy as sa

from hansa.server.errors import TableError
from hansa.server.limits import Purse
from hansa.server.schema import chat, entries, games, people, reviews, studies

if TYPE_CHECKING:
    from hansa.server.config import Config
    from hansa.server.model import Person
    from hansa.server.store import Store

__all__ = ["ENTRY", "Stored", "largest"]

_MB = 1_000_000
#: Bytes of a line of the log with its share of the stored positions, of a line of chat, of a table.
ENTRY = 400
_LINE = 300
_TABLE = 2_000


def _last(column: sa.Column[int], game: sa.Column[str]) -> sa.ScalarSelect[int]:
    """The highest number of a game: found by the key, however long the log is."""
    highest = sa.select(sa.func.coalesce(sa.func.max(column), 0))
    return highest.where(game == games.c.id).correlate(games).scalar_subquery()


_TABLES = sa.select(
    games.c.host.label("person"),
    (
        _TABLE
        + ENTRY * _last(entries.c.revision, entries.c.game)
        + _LINE * _last(chat.c.id, chat.c.game)
    ).label("bytes"),
)
_REVIEWS = sa.select(games.c.host, sa.func.length(reviews.c.data)).join_from(
    reviews, games, games.c.id == reviews.c.game
)
_STUDIES = sa.select(
    studies.c.person, sa.func.length(studies.c.nodes) + sa.func.length(studies.c.comment)
)


def _of(connection: sa.Connection, person: str) -> int:
    """Bytes that somebody's tables and studies take."""
    parts = sa.union_all(
        _TABLES.where(games.c.host == person),
        _REVIEWS.where(games.c.host == person),
        _STUDIES.where(studies.c.person == person),
    ).subquery()
    query = sa.select(sa.func.coalesce(sa.func.sum(parts.c.bytes), 0))
    return int(connection.execute(query).scalar_one())


def largest(connection: sa.Connection, limit: int = 20) -> list[tuple[str, str, str | None, int]]:
    """Id, name, account and bytes of those who take most."""
    parts = sa.union_all(_TABLES, _REVIEWS, _STUDIES).subquery()
    total = sa.func.sum(parts.c.bytes)
    query = (
        sa.select(people.c.id, people.c.name, people.c.account, total)
        .join(parts, parts.c.person == people.c.id)
        .group_by(people.c.id, people.c.name, people.c.account)
        .order_by(total.desc(), people.c.id)
        .limit(limit)
    )
    return [(row[0], row[1], row[2], int(row[3])) for row in connection.execute(query)]


class Stored:
    """Whether somebody may have more kept."""

    def __init__(self, store: Store, config: Config) -> None:
        self._store, self._most = store, config.storage_mb
        self._writing = Purse("things to keep", config.bytes_share, config.bytes_burst)

    async def check_room(self, person: Person) -> None:
        """Raise `too_much_stored` where somebody's share of the store is full."""
        taken = await self._store.read(lambda connection: _of(connection, person.id))
        if taken >= self._most * _MB:
            raise TableError(
                "too_much_stored",
                f"Your tables and studies take {taken / _MB:.1f} MB, and this server keeps "
                f"{self._most:g} MB for one person. Delete studies, or ask the host.",
                bytes=taken,
            )

    def check(self, address: str, person: Person | None) -> None:
        """Raise `too_many` where somebody writes faster than he may."""
        self._writing.check(address, person.id if person else None)

    def pay(self, address: str, person: Person | None, count: int) -> None:
        """Note how many bytes somebody had kept."""
        self._writing.charge(address, person.id if person else None, count)
