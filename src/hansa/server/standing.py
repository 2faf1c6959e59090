"""What a person may do and wants to hear, where connections of his are open, in every process.

A session ended, a ban, a block, an account that is gone: whoever changed it says so, and each process
looks the person up again. What nobody said, because a process died before it could, is found on the
next round of the housekeeping.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hansa.server import ties
from hansa.server.keys import load_person, still_good
from hansa.server.model import NOBODY
from hansa.server.store import tell_at_commit
from hansa.server.wire.socket import Close

if TYPE_CHECKING:
    import sqlalchemy as sa

    from hansa.server.hub import Hub
    from hansa.server.realtime import Connection

__all__ = ["Standing", "tell_person"]


def tell_person(connection: sa.Connection, person: str, process: str) -> None:
    """Say to the other processes that somebody's standing changed; it is heard after the commit."""
    data = {"game": "", "revision": 0, "from": process, "person": person}
    tell_at_commit(connection, data)


class Standing:
    """Looks after the connections of people whose rights or wishes changed."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub

    async def changed(self, person: str) -> None:
        """Something about somebody was changed here: every process looks again."""
        hub = self._hub
        if hub.store.shared:
            await hub.store.write(
                lambda connection: tell_person(connection, person, hub.hall.process)
            )
        await self.look(person)

    async def look(self, person: str) -> None:
        """Look somebody up again, for what is open here."""
        await self._look([c for c in self._hub.connections if c.person and c.person.id == person])
        found = await self._hub.store.read(lambda connection: load_person(connection, person))
        if found is None or found.name == NOBODY:
            for table in list(self._hub.hall.live.values()):
                table.unsay({person})

    async def look_at_all(self) -> None:
        """Look everybody up who is connected here."""
        await self._look(list(self._hub.connections))

    async def _look(self, connections: list[Connection]) -> None:
        keys = {c.session for c in connections if c.session is not None}
        people = {c.person.id for c in connections if c.person is not None}
        if not keys and not people:
            return
        good, blocks = await self._hub.store.read(
            lambda store: (still_good(store, keys), ties.blocks_of(store, people))
        )
        for connection in connections:
            if connection.session is not None and connection.session not in good:
                connection.leave(Close.SIGNED_OUT, "signed out")
            if connection.person is not None:
                connection.cursor.unheard = blocks.get(connection.person.id, set())
