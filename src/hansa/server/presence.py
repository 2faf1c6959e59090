"""Who is at which table through which process."""

from __future__ import annotations

import asyncio
import contextlib
from collections import defaultdict
from typing import TYPE_CHECKING

import sqlalchemy as sa

from hansa.server.errors import TableError
from hansa.server.model import now_ms
from hansa.server.queues import ASKED_FROM
from hansa.server.schema import presence

if TYPE_CHECKING:
    from hansa.server.hub import Hub
    from hansa.server.model import Person
    from hansa.server.table import Table

__all__ = ["Presence"]

_GONE = 65_000
#: Seconds between two tellings of how many watch.
_CROWD = 1.0


class Presence:
    """Needed only where several processes share a store; alone it does nothing."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        #: Tables whose watchers will be counted soon.
        self._soon: set[str] = set()
        if hub.store.shared:
            hub.hall.meet = self.look

    def changed(self, table: Table, person: Person | None, *, came: bool) -> None:
        """Somebody came or went: tell those at the table, and the other processes."""
        hub, here = self._hub, table.count_of(person)
        seated = bool(table.meta.seats_of(person))
        if person is not None and here > came and seated:
            # Is there by another socket: who opened hundreds of them told all of them of each.
            return
        if not hub.hall.closing:
            if seated:
                table.changed(face=True)
            else:
                self._watchers(table)
        if hub.store.shared and person is not None and hub.ready and here == came:
            hub.spawn(self._tell(table, person.id, came))

    def _watchers(self, table: Table) -> None:
        """Of watchers only the number is told, and of a crowd that comes or goes not each one."""
        if table.id in self._soon:
            return
        self._soon.add(table.id)

        def say() -> None:
            self._soon.discard(table.id)
            table.changed(face=True)

        asyncio.get_running_loop().call_later(_CROWD, say)

    async def _tell(self, table: Table, person: str, here: bool) -> None:
        # In the server's own line, as the heartbeat: one after the other as it happened.
        ASKED_FROM.set("")
        hall = self._hub.hall
        key = {"process": hall.process, "game": table.id, "person": person}

        def work(connection: sa.Connection) -> None:
            matches = [presence.c[name] == value for name, value in key.items()]
            connection.execute(presence.delete().where(*matches))
            if here:
                connection.execute(presence.insert(), {**key, "seen": now_ms()})
            hall.tell(connection, table.id, table.revision, people=True)

        with contextlib.suppress(TableError, sa.exc.SQLAlchemyError):
            await self._hub.store.write(work)

    async def look(self, *tables: Table) -> None:
        """Who is at these tables through other processes."""
        query = sa.select(presence.c.game, presence.c.person).where(
            presence.c.game.in_([table.id for table in tables]),
            presence.c.process != self._hub.hall.process,
            presence.c.seen > now_ms() - _GONE,
        )
        rows = await self._hub.store.read(lambda connection: connection.execute(query).all())
        people = defaultdict[str, set[str]](set)
        for row in rows:
            people[row.game].add(row.person)
        for table in tables:
            table.elsewhere = people[table.id]

    async def recount(self) -> None:
        """Nobody says goodbye for those who were at a process that died: they are away, too."""
        before = {t: t.elsewhere for t in self._hub.hall.live.values() if t.elsewhere}
        if before:
            await self.look(*before)
        for table, people in before.items():
            if table.elsewhere != people:
                table.changed(face=True)
                self._hub.absence.consider(table)

    async def heartbeat(self) -> None:
        """Say that this process still lives, and who is here; forget those that died long ago.

        What could not be written when somebody came or went, or was taken for that of a process long
        dead where the clock jumped, is made good here.
        """
        if not self._hub.store.shared:
            return
        mine = presence.c.process == self._hub.hall.process
        here = self._here()

        def work(connection: sa.Connection) -> None:
            self._make_good(connection, here)
            connection.execute(presence.update().where(mine).values(seen=now_ms()))
            connection.execute(presence.delete().where(presence.c.seen < now_ms() - 10 * _GONE))

        await self._hub.store.write(work)

    def _here(self) -> set[tuple[str, str]]:
        """Table and person of everybody who is here."""
        return {
            (table.id, listener.person.id)
            for table in self._hub.hall.live.values()
            for listener in table.listeners
            if listener.person
        }

    def _make_good(self, connection: sa.Connection, here: set[tuple[str, str]]) -> None:
        hall = self._hub.hall
        mine = presence.c.process == hall.process
        rows = connection.execute(sa.select(presence.c.game, presence.c.person).where(mine))
        noted = {(row.game, row.person) for row in rows}
        for game, person in noted - here:
            theirs = (presence.c.game == game, presence.c.person == person)
            connection.execute(presence.delete().where(mine, *theirs))
        for game, person in here - noted:
            row = {"process": hall.process, "game": game, "person": person, "seen": now_ms()}
            connection.execute(presence.insert(), row)
        for game in {game for game, _ in noted ^ here}:
            hall.tell(connection, game, 0, people=True)

    async def forget(self) -> None:
        """Say goodbye for everybody who is here, and for this process: no clock waits for it."""
        if not self._hub.store.shared:
            return
        hall = self._hub.hall

        def work(connection: sa.Connection) -> None:
            connection.execute(presence.delete().where(presence.c.process == hall.process))
            hall.tell(connection, "", 0, people=True)

        with contextlib.suppress(TableError):
            await self._hub.store.write(work)
