"""Quick games: people who want the same are seated together, or with machines after a while.

Everything is in the store, so that it does not matter which process somebody asks. Nobody waits for
anything here: a search is asked again every few seconds, and each time whoever asks looks whether a table
can be filled around himself. So whoever can be seated is, and whoever cannot holds up nobody else.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, NamedTuple

import msgspec
import sqlalchemy as sa

from hansa.server import archive, rating, ties
from hansa.server.errors import TableError
from hansa.server.keys import load_person
from hansa.server.model import now_ms
from hansa.server.schema import people, seekers
from hansa.server.wire.asking import NewTable, SeatWish
from hansa.server.wire.quick import Quick, QuickKind, QuickWish, Seeking
from hansa.server.wire.setups import SetupWish

if TYPE_CHECKING:
    from hansa.server.lobby import Lobby
    from hansa.server.model import Meta, Person

__all__ = ["SILENT", "QuickGames", "is_seeking", "stop", "waiting"]

#: Milliseconds after which somebody who does not ask again has gone away.
SILENT = 12_000
#: Milliseconds for which it is remembered where somebody was seated, or that he was here.
_KEPT = 60_000
#: Of those who might play with whoever asks so many who have waited longest are looked at: all decisions
#: wait meanwhile.
_LOOKED_AT = 20


class _Search(NamedTuple):
    created: int
    person: str
    name: str
    until: int | None


def _key(kind: QuickKind) -> str:
    """What is equal for those who play together, as text."""
    return msgspec.json.encode(kind, order="sorted").decode()


def _here(now: int) -> sa.ColumnElement[bool]:
    return sa.and_(seekers.c.game.is_(None), seekers.c.seen > now - SILENT)


def stop(connection: sa.Connection, person: str) -> None:
    """Search no longer."""
    connection.execute(seekers.delete().where(seekers.c.person == person))


def is_seeking(connection: sa.Connection, person: str) -> bool:
    """Whether somebody has asked a moment ago."""
    query = sa.select(seekers.c.person).where(
        seekers.c.person == person, seekers.c.seen > now_ms() - _KEPT
    )
    return connection.execute(query).first() is not None


def waiting(connection: sa.Connection) -> list[Seeking]:
    """How many wait for what."""
    query = (
        sa.select(seekers.c.kind, sa.func.count().label("number"))
        .where(_here(now_ms()))
        .group_by(seekers.c.kind)
        .order_by(seekers.c.kind)
    )
    found = [
        (msgspec.json.decode(row.kind, type=QuickKind), row.number)
        for row in connection.execute(query)
    ]
    return [
        Seeking(players=kind.players, clock=kind.clock, rated=kind.rated, waiting=number)
        for kind, number in found
    ]


def _others(connection: sa.Connection, person: str, key: str, now: int) -> list[_Search]:
    """Those who have waited longest for the same and have nothing against this person, nor he them."""
    query = (
        sa.select(seekers.c.created, seekers.c.person, people.c.name, seekers.c.until)
        .join(people, people.c.id == seekers.c.person)
        .where(seekers.c.kind == key, _here(now), seekers.c.person != person)
        .where(~ties.is_apart(person, seekers.c.person))
        .order_by(seekers.c.created, seekers.c.person)
        .limit(_LOOKED_AT)
    )
    return [_Search(*row) for row in connection.execute(query)]


def _together(
    connection: sa.Connection, first: _Search, others: list[_Search], most: int
) -> list[_Search]:
    """Who sits down with the first, who has nothing against any of the others."""
    # A second one has nothing against the first: only a third may have something against the second.
    among = {one.person for one in others} if most > 2 else set[str]()
    return sorted(_largest([first], others, ties.apart(connection, among), most))


def _largest(
    chosen: list[_Search], others: list[_Search], apart: dict[str, set[str]], most: int
) -> list[_Search]:
    """The chosen, and as many of the others as can sit down: those who have waited longest."""
    best = chosen
    for n, one in enumerate(others):
        if len(best) == most or len(chosen) + len(others) - n <= len(best):
            break
        against = apart.get(one.person, set())
        left = [other for other in others[n + 1 :] if other.person not in against]
        best = max(best, _largest([*chosen, one], left, apart, most), key=len)
    return best


class QuickGames:
    """Fills tables with those who wait."""

    def __init__(self, lobby: Lobby) -> None:
        self._lobby, self._hall = lobby, lobby.hall

    async def seek(self, person: Person, wish: QuickWish) -> Quick:
        """Wait for a table, or say again that one does; gives it as soon as there is one."""
        if wish.bot is None:
            wish.bot = self._hall.config.default_bot
        # Whatever is wrong with the wish is said now, not to those who would play together.
        self._table(wish.kind, person, [_Search(0, person.id, person.name, None)], wish.bot)
        found = await self._hall.guard(
            self._hall.store.write(lambda connection: self._seek(connection, person, wish))
        )
        if found.game is not None:
            await self._begin(found.game)
        return found

    async def _begin(self, game: str) -> None:
        """Start it, unless somebody else who sits there already has."""
        table = await self._hall.open(game)
        if table.meta.status == "open":
            with contextlib.suppress(TableError):
                await self._lobby.start(table)

    def _seek(self, connection: sa.Connection, person: Person, wish: QuickWish) -> Quick:
        now, key = now_ms(), _key(wish.kind)
        connection.execute(seekers.delete().where(seekers.c.seen < now - _KEPT))
        mine = seekers.c.person == person.id
        row = connection.execute(sa.select(seekers).where(mine)).first()
        if row is not None and row.game is not None:
            return Quick(game=row.game, waiting=0, until=None)
        if row is None or row.kind != key:
            stop(connection, person.id)
            connection.execute(
                seekers.insert(),
                {"person": person.id, "kind": key, "created": now, "seen": now},
            )
            row = connection.execute(sa.select(seekers).where(mine)).one()
        patience = wish.machines_after
        until = None if patience is None else row.created + round(1000 * patience)
        connection.execute(seekers.update().where(mine).values(seen=now, until=until))
        me = _Search(row.created, person.id, person.name, until)
        self._fill(connection, me, wish, now)
        count = sa.select(sa.func.count()).select_from(seekers)
        still = connection.execute(count.where(seekers.c.kind == key, _here(now))).scalar_one()
        placed = connection.execute(sa.select(seekers.c.game).where(mine)).scalar_one()
        return Quick(game=placed, waiting=still, until=until)

    def _fill(self, connection: sa.Connection, me: _Search, wish: QuickWish, now: int) -> None:
        """Make a table for whoever asks, if enough play with him or he has waited long enough."""
        kind = wish.kind
        others = _others(connection, me.person, _key(kind), now)
        together = _together(connection, me, others, kind.players)
        if len(together) < kind.players:
            if me.until is None or me.until > now:
                return
            # Those who play with machines at all sit down with him.
            others = [one for one in others if one.until is not None]
            together = _together(connection, me, others, kind.players)
        here = sa.and_(seekers.c.person.in_([one.person for one in together]), _here(now))
        # Whom another process has seated meanwhile, or is just seating, sits there: also whoever asks.
        free = sa.select(seekers.c.person).where(here).with_for_update(skip_locked=True)
        if len(connection.execute(free).all()) < len(together):
            return
        host = load_person(connection, together[0].person)
        assert host is not None  # noqa: S101 - seekers are people
        meta = self._table(kind, host, together, wish.bot or self._hall.config.default_bot)
        archive.add_game(connection, meta)
        connection.execute(seekers.update().where(here).values(game=meta.id))

    def _table(self, kind: QuickKind, host: Person, together: list[_Search], bot: str) -> Meta:
        wish = NewTable(
            setup=SetupWish(players=kind.players),
            seats=[SeatWish(kind="bot", bot=bot) for _ in range(kind.players)],
            clock=kind.clock,
            visibility="open",
            auto_start=True,
        )
        meta = self._lobby.planned(host, wish)
        for seat, one in zip(meta.seats, together, strict=False):
            seat.kind, seat.person, seat.name, seat.bot = "human", one.person, one.name, None
        meta.options.rated = kind.rated
        rating.check(meta, host)
        return meta
