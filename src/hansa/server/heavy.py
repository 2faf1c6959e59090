"""Expensive reads: threads of their own, one at a time for each person and in turns for each address,
paid for by what they cost.

So whoever asks for long logs and records again and again waits for himself, and decisions never
wait for him.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter, OrderedDict
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, TypeVar

from hansa.server.limits import PEOPLE, Purse, too_many
from hansa.server.metrics import HEAVY_SECONDS
from hansa.server.queues import Queue

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

    import sqlalchemy as sa

    from hansa.server.config import Config
    from hansa.server.store import Store

__all__ = ["Heavy", "Kept", "Turns"]

T = TypeVar("T")
_THREADS = 2
#: Bytes that cost as much as a second of work.
_BYTES = 20_000_000
#: Reads of one person that may wait for the one before.
_WAITING = 8


class Turns:
    """So many things at a time for each person; a few more wait, the rest is sent away."""

    def __init__(self, what: str, at_once: int, waiting: int) -> None:
        self._what, self._at_once, self._waiting = what, at_once, waiting
        self._count: Counter[str] = Counter()
        self._gates: dict[str, asyncio.Semaphore] = {}

    @property
    def length(self) -> int:
        """How many things are done or wait, of all people."""
        return self._count.total()

    def check(self, key: str) -> None:
        """Raise `too_many` where enough of the same person wait already."""
        if self._count[key] >= self._at_once + self._waiting:
            message = f"Too many {self._what} of yours wait; one moment."
            raise too_many(f"{self._what} at once", message, 1.0)

    @asynccontextmanager
    async def of(self, key: str) -> AsyncIterator[None]:
        """One's turn.

        Raises:
            TableError: `too_many` where enough of the same person wait already.
        """
        self.check(key)
        self._count[key] += 1
        gate = self._gates.setdefault(key, asyncio.Semaphore(self._at_once))
        try:
            async with gate:
                yield
        finally:
            self._count[key] -= 1
            if not self._count[key]:
                del self._count[key], self._gates[key]


class Kept:
    """Answers that do not change any more, up to so many bytes; the longest unused go first."""

    def __init__(self, most: int) -> None:
        self._most, self._size = most, 0
        self._texts: OrderedDict[str, str] = OrderedDict()
        #: What is being made just now.
        self._making: dict[str, asyncio.Event] = {}

    def get(self, key: str) -> str | None:
        """What is kept under that key."""
        if key in self._texts:
            self._texts.move_to_end(key)
        return self._texts.get(key)

    def put(self, key: str, text: str) -> None:
        """Keep it."""
        self._size += len(text) - len(self._texts.pop(key, ""))
        self._texts[key] = text
        while self._size > self._most:
            _, gone = self._texts.popitem(last=False)
            self._size -= len(gone)

    async def made(self, key: str, make: Callable[[], Awaitable[str]]) -> str:
        """What is kept, or what `make` gives: once, however many ask for it at the same time."""
        while (text := self.get(key)) is None:
            if key in self._making:
                await self._making[key].wait()
                continue  # whoever made it may have been refused: then it is the next one's turn
            made = self._making[key] = asyncio.Event()
            try:
                text = await make()
                self.put(key, text)
            finally:
                del self._making[key]
                made.set()
            return text
        return text


class Heavy:
    """Reads that cost more than a few milliseconds."""

    def __init__(self, store: Store, config: Config) -> None:
        self._store = store
        self._threads = ThreadPoolExecutor(_THREADS, thread_name_prefix="store-heavy")
        self._queue = Queue(_THREADS)
        self._turns = Turns("requests", 1, _WAITING)
        # All who have not said who they are, of one address: a class that opens the page.
        self._strangers = Turns("requests", 1, PEOPLE * _WAITING)
        self._work = Purse("requests that cost much", config.work_share, config.work_burst)
        # Another one: whoever had a game reviewed must be able to look through it.
        self._thought = Purse("reviews", config.review_share, config.review_burst)

    @property
    def length(self) -> int:
        """How many are done or wait."""
        return self._turns.length + self._strangers.length

    def close(self) -> None:
        """Do nothing more."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    def check(self, address: str, person: str | None) -> None:
        """Raise `too_many` where somebody has had his share."""
        self._work.check(address, person)

    def pay(self, address: str, person: str | None, cost: float) -> None:
        """Note what somebody's request cost, in seconds of work."""
        self._work.charge(address, person, cost)

    def check_thought(self, address: str, person: str | None) -> None:
        """Raise `too_many` where somebody has had his share of thinking in the background."""
        self._thought.check(address, person)

    def pay_thought(self, address: str, person: str | None, cost: float) -> None:
        """Note how long was thought for somebody, in seconds."""
        self._thought.charge(address, person, cost)

    def pay_bytes(self, address: str, person: str | None, count: int) -> None:
        """The same for what was sent."""
        self.pay(address, person, count / _BYTES)

    async def read(
        self,
        address: str,
        person: str | None,
        work: Callable[[sa.Connection], T],
        *,
        begun: bool = False,
    ) -> T:
        """Do `work` for somebody, who pays for it; `begun`: it belongs to what he was let begin.

        It is paid for when it ends, also by a refusal, and after nobody waits for it any more.

        Raises:
            TableError: `too_many` where he has had his share, or enough of his wait already.
        """
        loop = asyncio.get_running_loop()

        def paid(took: float) -> None:
            HEAVY_SECONDS.observe(took)
            self.pay(address, person, took)

        def timed(connection: sa.Connection) -> T:
            began = time.thread_time()
            try:
                return work(connection)
            finally:
                # The loop may have ended before: the server stops.
                with suppress(RuntimeError):
                    loop.call_soon_threadsafe(paid, time.thread_time() - began)

        turn = self._strangers.of(address) if person is None else self._turns.of(person)
        async with turn, self._queue.turn(address):
            if not begun:
                # Once more: hundreds of new guests of one address came before any of them had paid.
                self.check(address, person)
            return await self._store.read(timed, self._threads)
