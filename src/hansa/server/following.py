"""What other processes changed: heard as (game, revision), read from the store, applied here.

Where a table only went on, its new entries are played on top of what is in memory; it is read anew
only where something was taken back, or too much happened (`Hall.catch_up`). A table at which nobody is
here is let go: whoever plays it has its clocks and bots, and to play every game in every process is what
made two carry hardly more than one. If that process is gone, its games are looked after here.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from typing import TYPE_CHECKING

import structlog

from hansa.server.errors import TableError
from hansa.server.fanout import Notice
from hansa.server.peers import Peers

if TYPE_CHECKING:
    from hansa.server.hub import Hub
    from hansa.server.table import Table

__all__ = ["Following"]

_log = structlog.get_logger()
#: Seconds between two tries where the store does not answer.
_AGAIN = 1.0
#: Seconds without a note of its own after which nobody's silence says anything: as many make a pause.
_UNSURE = 8.0
#: Seconds for which a table is kept for whoever asked for it: he may be about to act.
_ASKED = 2.0


class Following:
    """Needed only where several processes share a store; alone it hears nothing."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self.peers = Peers()
        #: Tables that will be looked at soon, and why: what is heard of them until then is seen with it.
        self._due: dict[str, Notice] = {}
        #: Those that are being looked at.
        self._looking: set[str] = set()
        #: When it last heard of something it had stored itself.
        self._stored = time.monotonic()
        self._waiting: asyncio.Future[None] | None = None

    def heard(self, notice: Notice) -> None:
        """Another process changed a table, or somebody's standing."""
        hall = self._hub.hall
        if notice.sender == hall.process:
            self._heard_itself()
            return
        if notice.person:
            self._hub.spawn(self._look_up(notice.person))
            return
        if not notice.game:
            (self.peers.left if notice.people else self.peers.heard)(notice.sender)
            return
        hall.stir(notice.game)
        table = hall.live.get(notice.game)
        if table is None:
            return
        if self._lets_go(table, notice):
            return
        before = self._due.get(table.id)
        notice.people |= before is not None and before.people
        self._due[table.id] = notice
        if before is None and table.id not in self._looking:
            self._hub.spawn(self._follow(table.id))

    def _heard_itself(self) -> None:
        if not self._is_sure:
            # Perhaps no others could store anything either, and so did not say that they are here.
            self.peers.deaf()
        self._stored = time.monotonic()

    def _lets_go(self, table: Table, notice: Notice) -> bool:
        # It went on here meanwhile, and the sender may have let it go for that. Not all that is stored
        # has a line in the log: where both stand at the same one, names decide who keeps it. Whoever
        # spoke last by this order keeps it in any case, so never do all of them let it go.
        late = (notice.revision, notice.sender) < (table.told, self._hub.hall.process)
        if late or not (self._plays_on(notice) and _is_left(table)):
            return False
        self._hub.hall.forget(table)
        return True

    def _plays_on(self, notice: Notice) -> bool:
        """Whether the sender stays and has the table: a command line, say, is gone at once."""
        return notice.sender in self.peers and not notice.people

    async def _look_up(self, person: str) -> None:
        # The store does not answer: the housekeeping's next round asks again.
        with contextlib.suppress(TableError):
            await self._hub.standing.look(person)

    async def _follow(self, game: str) -> None:
        """Until nothing more is heard: what comes while a table is being looked at is seen next."""
        if game in self._looking:
            return
        self._looking.add(game)
        try:
            while (table := self._hub.hall.live.get(game)) and (
                notice := self._due.pop(game, None)
            ):
                await self._see(table, notice)
        finally:
            self._looking.discard(game)
            if game not in self._hub.hall.live:
                self._due.pop(game, None)

    async def _see(self, table: Table, notice: Notice) -> None:
        try:
            await self._look(table, people=notice.people)
        except TableError as error:
            if error.code == "busy":
                # Nobody tells it again: it is asked for until the store answers.
                self._due[table.id] = _all_of(table.id)
                await asyncio.sleep(_AGAIN)
            else:
                # Of other rules, say: whoever wants to play it is told, and others are not kept waiting.
                table.doubtful = True
        except Exception:  # noqa: BLE001 - one table must not keep this process from hearing of others
            table.doubtful = True
            _log.exception("cannot follow another process", game=table.id)
        else:
            # Where it goes on without a break it is always being looked at, and never seems left.
            self._lets_go(table, notice)

    async def _look(self, table: Table, *, people: bool) -> None:
        if people:
            before = table.elsewhere
            await self._hub.presence.look(table)
            if table.elsewhere != before:
                table.changed(face=True)
        await self._hub.hall.take_news(table)

    @property
    def _is_sure(self) -> bool:
        return time.monotonic() - self._stored <= _UNSURE

    @property
    def hears(self) -> bool:
        """Whether others can be heard, and can store what they say: else nobody's silence says anything."""
        fanout = self._hub.fanout
        return fanout is not None and fanout.ready.is_set() and self._is_sure

    def missing(self) -> list[str]:
        """Processes that may hang just now."""
        return self.peers.missing() if self.hears else []

    async def note_silence(self) -> None:
        """Whoever is led to one that hangs can do nothing: what of it is known is a pause already."""
        late = self.peers.late() if self.hears else []
        for silence in [self.peers.silence(process) for process in late]:
            await self._hub.hall.pauses.silence(*silence)

    async def hear_all(self) -> None:
        """Wait until each of the others is heard again, or is known to be gone, and that is noted as a
        pause: however many ask, it is waited once.
        """
        if self._waiting is None or self._waiting.done():
            # Also of one that was started anew before anybody noted how long it hung.
            await self.note_silence()
            if not self.missing():
                return
            self._waiting = self._hub.spawn(self._hear_all())
        await asyncio.shield(self._waiting)

    async def _hear_all(self) -> None:
        began = time.monotonic()
        since = max((self.peers.silence(process)[0] for process in self.missing()), default=0.0)
        while self.missing():  # noqa: ASYNC110 - that time passes has no event
            await asyncio.sleep(_AGAIN)
        await self._hub.hall.pauses.silence(since + time.monotonic() - began)

    async def deaf(self) -> None:
        """After a time without news: whatever is here or on its way may be old."""
        self.peers.deaf()
        self._hub.hall.stir_all()
        for game in list(self._hub.hall.live):
            self._due[game] = _all_of(game)
            await self._follow(game)
        await self._hub.standing.look_at_all()


def _all_of(game: str) -> Notice:
    """As if somebody had said that anything may have changed there."""
    return Notice(game, 0, "", people=True)


def _is_left(table: Table) -> bool:
    if table.listeners or table.waited_for or table.lock.wanted:
        return False
    return time.monotonic() - table.asked_at > _ASKED
