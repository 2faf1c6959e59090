"""Who is away since when, and votes whose time is up.

The moment is stored, so that neither a restart nor a table that left the memory gives anybody's seat
away too early; it is noticed late rather than early.
"""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from hansa.server.errors import TableError
from hansa.server.model import now_ms

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hansa.server.hub import Hub
    from hansa.server.model import Meta, Person, Seat
    from hansa.server.table import Table

__all__ = ["Absence", "Poller"]

#: Seconds before something due is looked at: where the store fails it is tried again as often.
_SOON = 0.2
#: Seconds after which what all have agreed to is made by another try: the first one failed, or died.
_UNMADE = 5.0


class Poller:
    """Somebody at a table without a socket: there while he asks, and a little longer."""

    def __init__(self, person: Person) -> None:
        self.person: Person | None = person
        self.asking = 0
        self.leaves: asyncio.TimerHandle | None = None

    def wake(self) -> bool:
        """What he waits for he sees himself."""
        return False


class Absence:
    """Looks at every table that changes, and again when something is due there."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        #: Since when a seat's person has not been there, until that is written down.
        self._gone: WeakKeyDictionary[Table, dict[str, float]] = WeakKeyDictionary()
        self._pollers: dict[tuple[str, str], Poller] = {}
        hub.hall.watchers.append(self.consider)

    def consider(self, table: Table, _mine: bool = False) -> None:
        """Set the alarm for what is due next at this table.

        One that is due earlier stays: whoever comes and goes all the time puts nothing off.
        """
        over = self._hub.hall.closing or self._hub.hall.live.get(table.id) is not table
        seconds = None if over else self._next(table)
        loop, waiting = asyncio.get_running_loop(), table.absence_timer
        if waiting is not None and seconds is not None and waiting.when() <= loop.time() + seconds:
            return
        if waiting is not None:
            waiting.cancel()
            table.absence_timer = None
        if seconds is not None:
            table.absence_timer = loop.call_later(
                seconds, lambda: self._hub.spawn(self._look(table))
            )

    def _next(self, table: Table) -> float | None:
        moments = [(p.until - now_ms()) / 1000 for p in table.proposals() if p.waiting]
        if any(not p.waiting for p in table.meta.proposals):
            moments.append(_UNMADE)
        if self._returned(table):
            moments.append(0.0)
        now = asyncio.get_running_loop().time()
        moments += [
            since + self._hub.config.away_after - now for since in self._missing(table).values()
        ]
        return max(_SOON, min(moments)) if moments else None

    def _missing(self, table: Table) -> dict[str, float]:
        """Seats whose people are not there, of which nothing is written down yet, and since when."""
        now, known = asyncio.get_running_loop().time(), self._gone.pop(table, {})
        missing = {
            s.seat: known.get(s.seat, now)
            for s in _matters(table.meta)
            if s.away is None and s.person not in table.present()
        }
        if missing:
            self._gone[table] = missing
        return missing

    def _long_missing(self, table: Table) -> set[str]:
        """Of those whoever has gone for longer than a page takes to load again.

        Where that cannot be written down, the time begins anew: a store that is away is not asked
        for every table all the time.
        """
        now, missing = asyncio.get_running_loop().time(), self._missing(table)
        long = {
            seat for seat, since in missing.items() if since + self._hub.config.away_after <= now
        }
        missing.update(dict.fromkeys(long, now))
        return long

    def _returned(self, table: Table) -> list[Seat]:
        """Seats written down as left whose people are here; only who sees them here may tell."""
        here = {listener.person.id for listener in table.listeners if listener.person}
        return [s for s in _matters(table.meta) if s.away is not None and s.person in here]

    async def _look(self, table: Table) -> None:
        table.absence_timer = None
        if self._hub.hall.live.get(table.id) is not table:
            return
        with contextlib.suppress(TableError):
            missing = self._long_missing(table)
            returned = {s.seat for s in self._returned(table)}
            if missing or returned:
                await self._hub.hall.guard(self._note(table, missing, returned))
            await self._hub.voting.look(table)
        if self._hub.hall.live.get(table.id) is table:
            self.consider(table)

    async def _note(self, table: Table, missing: set[str], returned: set[str]) -> None:
        def edit(meta: Meta) -> None:
            for seat in meta.seats:
                if seat.seat in missing:
                    seat.away = now_ms()
                elif seat.seat in returned:
                    seat.away = None

        await self._hub.hall.change(table, edit)

    # Long polling

    @contextlib.contextmanager
    def asking(self, table: Table, person: Person | None, address: str) -> Iterator[None]:
        """While somebody waits for an answer over HTTP he is at the table, unless he may only look."""
        if person is None or person.is_banned() or not table.meta.seats_of(person):
            yield
            return
        table.neighbours.came(table.meta, person, address)
        poller = self._pollers.get((table.id, person.id))
        if poller is None:
            poller = self._pollers[table.id, person.id] = Poller(person)
            table.listeners.add(poller)
            self._hub.presence.changed(table, person, came=True)
            self.consider(table)
        if poller.leaves is not None:
            poller.leaves.cancel()
        poller.asking += 1
        try:
            yield
        finally:
            poller.asking -= 1
            if not poller.asking:
                poller.leaves = asyncio.get_running_loop().call_later(
                    self._hub.config.away_after, self._leave, table, poller
                )

    def _leave(self, table: Table, poller: Poller) -> None:
        assert poller.person is not None  # noqa: S101 - only people poll
        self._pollers.pop((table.id, poller.person.id), None)
        table.listeners.discard(poller)
        self._hub.presence.changed(table, poller.person, came=False)
        self.consider(table)


def _matters(meta: Meta) -> list[Seat]:
    """People who play with other people: nobody waits for him who plays alone."""
    if meta.status != "running":
        return []
    people = [s for s in meta.seats if s.kind == "human" and not s.conceded]
    return people if len({s.person for s in people}) > 1 else []
