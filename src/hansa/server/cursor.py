"""How far one client has been told of one table, and what comes next.

A cursor (revision, chat, table stamp) stands for a queue: what lies between it and now is due. A slow
reader so gets fewer, bigger updates, a reconnecting one exactly what it missed, and none costs more
memory than its cursor.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import msgspec

from hansa.server import PROTOCOL, logbook, views
from hansa.server.errors import TableError
from hansa.server.model import now_ms
from hansa.server.wire import socket as wire

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hansa.server.hub import Hub
    from hansa.server.model import Entry, Person
    from hansa.server.table import Table

__all__ = ["Cursor"]

#: Whoever missed more is shown the table as if he had never been here.
_MOST_ENTRIES = 200


class Cursor:
    """Made with the connection; goes on with everything it hands out."""

    __slots__ = (
        "_chat", "_look", "_missed", "_person", "_resend", "_revision", "_stamp", "_started", "_table",
        "unheard",
    )  # fmt: skip

    def __init__(self, table: Table, person: Person | None) -> None:
        self._table, self._person = table, person
        #: People whom this one has blocked: what they say is not sent here.
        self.unheard: set[str] = set()
        self._look: str | None = "auto"
        self._revision: int | None = None
        self._chat = 0
        self._stamp = -1
        #: Send the position although the revision is the same: another view.
        self._resend = False
        self._started = False
        #: The log above the cursor as far as memory does not hold it.
        self._missed: list[Entry] = []

    def begin(self, after: int | None, chat: int | None) -> None:
        """Where somebody who was here before left off."""
        self._revision, self._chat = after, chat or 0

    def look(self, seat: str | None) -> None:
        """From which seat: one of one's own, `auto`, or none.

        Raises:
            TableError: `not_your_seat`.
        """
        if seat not in {None, "auto"} and seat not in self._table.meta.seats_of(self._person):
            raise TableError("not_your_seat", "You may look from your own seats only.")
        self._look, self._resend = seat, True

    def recalls(self) -> bool:
        """Whether all of the log above the cursor is here."""
        return self._table.recalls(self._known())

    def _known(self) -> int:
        return self._missed[-1].revision if self._missed else self._revision or 0

    async def recall(self, hub: Hub) -> None:
        """Read what memory does not hold; while it is read the table goes on, until both meet."""
        table = self._table
        while not self.recalls():
            read = partial(logbook.entries_after, game=table.id, revision=self._known())
            more = await hub.store.read(read)
            if not more:
                break  # the table has just been removed
            self._missed += more

    async def greeting(self, hub: Hub) -> wire.Snapshot | wire.Update:
        """What comes first: what was missed, or everything."""
        table = self._table
        resumes = self._revision is not None and self._revision <= table.revision
        if resumes and table.revision - (self._revision or 0) <= _MOST_ENTRIES:
            await self.recall(hub)
            return self._update()
        seat = table.view_seat(self._person, self._look)
        revision, number, stamp = table.revision, table.number, table.stamp
        chat, position = list(table.chat), views.position(table, seat)
        face = table.face(self._person)
        log = await hub.told(table, max(1, number - 99), number)
        self._revision, self._stamp = revision, stamp
        self._started = position is not None
        self._chat = chat[-1].id if chat else 0
        return wire.Snapshot(
            protocol=PROTOCOL,
            now=now_ms(),
            table=face,
            position=position,
            log=[entry.face() for entry in log],
            log_from=max(0, number - 100),
            chat=[line for line in chat if line.person not in self.unheard],
            look=self._look,
        )

    def due(self) -> Iterator[wire.TableChanged | wire.Update | wire.Chat]:
        """What is to be sent, in order."""
        table = self._table
        if self._stamp != table.stamp:
            self._stamp = table.stamp
            yield wire.TableChanged(now=now_ms(), table=table.face(self._person))
        begins = table.game is not None and not self._started
        news = self._revision != table.revision or begins or self._resend
        # The table may have gone on so far while others were waited for: then in the next round.
        if news and self.recalls():
            yield self._update()
        if table.chat and table.chat[-1].id > self._chat:
            yield from self._lines()

    def _lines(self) -> Iterator[wire.Chat]:
        chat = [line for line in self._table.chat if line.id > self._chat]
        self._chat = chat[-1].id
        heard = [line for line in chat if line.person not in self.unheard]
        if heard:
            yield wire.Chat(messages=heard)

    def _update(self) -> wire.Update:
        """Everything between the cursor and now, then the present position."""
        table = self._table
        seat = table.view_seat(self._person, self._look)
        news = views.news(table, self._revision or 0, seat, self._missed)
        self._revision, self._started = table.revision, table.game is not None
        self._resend, self._missed = False, []
        return msgspec.structs.replace(news, now=now_ms())
