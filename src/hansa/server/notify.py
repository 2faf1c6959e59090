"""Tells people who are away what happens at their tables: when, whom, and never twice.

What a table is like after a change says what there is to tell (`due`); a row in the store says
whether it has been told. So it does not matter how often, or in how many processes, it is noticed.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import OrderedDict
from typing import TYPE_CHECKING, Literal

import structlog

from hansa.server import calls
from hansa.server.errors import TableError
from hansa.server.limits import Limiter
from hansa.server.model import now_ms
from hansa.server.table import clocks_now
from hansa.server.tidings import Kind, Tiding

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Coroutine, Iterator

    from hansa.server.hall import Hall
    from hansa.server.model import Meta, Person
    from hansa.server.postman import Postman
    from hansa.server.table import Table

__all__ = ["Notifier", "due"]

_log = structlog.get_logger()
#: What this process knows to be told already, so that the store is not asked at every change.
_REMEMBERED = 20_000
#: Milliseconds after which the end of a game is no news.
_FRESH = 60_000
#: What one person is told of one table: so much at once, then one message in so many seconds. Whoever
#: sits there could go on asking him, or giving him the decision and taking it back.
_AT_ONCE, _EVERY = 10, 300
#: Invitations to tables of all kinds that one person is told of, likewise: tables cost nothing.
_INVITED, _INVITED_EVERY = 10, 900


def due(table: Table) -> Iterator[tuple[Tiding, set[str]]]:
    """What there is to tell of a table as it is now, and the people whom it concerns."""
    meta = table.meta
    everybody = {s.person for s in meta.seats if s.kind == "human" and s.person}
    if meta.status == "open":
        if all(seat.kind != "open" for seat in meta.seats) and len(everybody | {meta.host}) > 1:
            yield _tiding(meta, "full", "full"), {meta.host}
    elif meta.status == "running":
        yield from _running(table, everybody)
    elif meta.ended is not None:
        if now_ms() - meta.ended < _FRESH:
            winners = (meta.result or {}).get("winners", [])
            names = ", ".join(s.name for s in meta.seats if s.seat in winners)
            yield _tiding(meta, "over", "over", names), everybody
        yield from _questions(meta, "rematch")


def _running(table: Table, everybody: set[str]) -> Iterator[tuple[Tiding, set[str]]]:
    meta, seat = table.meta, table.meta.seat(table.decider or "")
    if seat is not None and table.number == 0 and len(everybody) > 1:
        yield _tiding(meta, "begins", "begins", seat.name), everybody - {seat.person or ""}
    if seat is not None and seat.person is not None and seat.player_bot() is None:
        left = (clocks_now(table) or {}).get(seat.seat)
        key = f"turn:{table.passed_on(seat.person)}"
        yield _tiding(meta, "turn", key, seat.name, left), {seat.person}
    for lent in meta.seats:
        # Named by the moment he left: however long it lasts, he is told once.
        if lent.standin and lent.person and lent.away is not None and not lent.conceded:
            yield _tiding(meta, "standin", f"standin:{lent.away}", lent.name), {lent.person}
    yield from _questions(meta, "undo")
    yield from _questions(meta, "end")


def _questions(
    meta: Meta, kind: Literal["undo", "end", "rematch"]
) -> Iterator[tuple[Tiding, set[str]]]:
    for proposal in meta.proposals:
        asks = meta.seat(proposal.by)
        if proposal.kind == kind and asks is not None:
            asked = {s.person for s in meta.seats if s.seat in proposal.waiting and s.person}
            yield _tiding(meta, kind, f"{kind}:{proposal.id}", asks.name), asked


def _tiding(meta: Meta, kind: Kind, key: str, who: str = "", left: int | None = None) -> Tiding:
    return Tiding(
        kind=kind,
        key=key,
        game=meta.id,
        table=meta.name,
        board=meta.options.board,
        who=who,
        left=left,
    )


class Notifier:
    """Looks at each change: did something come to somebody who is not there?"""

    def __init__(
        self, hall: Hall, postman: Postman, opened: Callable[[str], Awaitable[Table]]
    ) -> None:
        self._hall, self._postman, self._opened = hall, postman, opened
        self._config = hall.config
        self._told: OrderedDict[tuple[str, str, str], None] = OrderedDict()
        self._tasks: set[asyncio.Task[None]] = set()
        self._pace = Limiter("messages to somebody who is away", 1 / _EVERY, _AT_ONCE)
        self._invited = Limiter("invitations", 1 / _INVITED_EVERY, _INVITED)
        #: Tables and people of whom is looked later what there is to tell then.
        self._late: set[tuple[str, str]] = set()
        hall.watchers.append(self.consider)

    def close(self) -> None:
        """Send nothing more."""
        for task in self._tasks:
            task.cancel()

    def consider(self, table: Table, mine: bool) -> None:
        """Tell what this change brought: people who are away, and the table's webhook."""
        if not (mine and self._postman.enabled):
            return
        present, hook = table.present(), table.meta.options.hook
        for tiding, people in due(table):
            away = people - present
            for person in away:
                self._tell(table, tiding, person)
            # Whoever is there sees whose turn it is; the others at the table are told by the rest.
            waits = tiding.kind in {"turn", "undo", "end", "standin", "rematch"}
            if hook is not None and (away or not waits):
                self._tell(table, tiding, "")

    def left(self, table: Table, person: Person) -> None:
        """Somebody closed his last window: what waits for him then, he is told in a while."""
        if self._postman.enabled and person.id not in table.present():
            self._begin(self._tell_later(table, person.id, self._config.notify_after))

    def invited(self, table: Table, person: str) -> None:
        """Somebody whom this person follows asks him to a table: once for each table.

        What is too much he finds on the page alone.
        """
        if not self._postman.enabled or person in table.present():
            return
        with contextlib.suppress(TableError):
            self._invited.check(person)
            self._tell(table, _tiding(table.meta, "invited", "invited"), person)

    async def _tell_later(self, table: Table, person: str, seconds: float) -> None:
        await asyncio.sleep(seconds)
        self._late.discard((table.id, person))
        if self._hall.live.get(table.id) is not table:
            # It was let go meanwhile: what holds now is in the store.
            try:
                table = await self._opened(table.id)
            except TableError:
                return
        if person not in table.present() and any(person in people for _, people in due(table)):
            self.consider(table, mine=True)

    def _tell(self, table: Table, tiding: Tiding, person: str) -> None:
        told = (tiding.game, person, tiding.key)
        if told in self._told or not self._may_tell(table, person):
            return
        self._told[told] = None
        if len(self._told) > _REMEMBERED:
            self._told.popitem(last=False)
        self._begin(self._send(table, tiding, person))

    def _may_tell(self, table: Table, person: str) -> bool:
        """Whether that is not too much; else it is looked later what holds then."""
        try:
            # A webhook has a pace of its own, for all tables that have it.
            if person:
                self._pace.check(f"{table.id} {person}")
        except TableError as error:
            if (table.id, person) not in self._late:
                self._late.add((table.id, person))
                wait = error.detail["retry_after"]
                self._begin(self._tell_later(table, person, wait))
            return False
        return True

    def _begin(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _send(self, table: Table, tiding: Tiding, person: str) -> None:
        """Claimed first, sent then: a crash in between loses a message rather than repeat it."""
        store = self._hall.store
        try:
            ways = await store.read(lambda connection: calls.reached(connection, person))
            if person and not ways:
                return
            if not await store.write(lambda connection: calls.claim(connection, tiding, person)):
                return
        except TableError:
            _log.warning("the store does not answer: a message to somebody who is away is lost")
            return
        hook = table.meta.options.hook
        if person:
            await self._postman.call(ways, tiding)
        elif hook is not None:
            await self._postman.post(hook, tiding)
