"""So many things at a time, and of those who wait each address in its turn.

A queue in the order of coming is stopped by whoever comes with a hundred: here he waits behind himself,
and whoever comes alone is the next.
"""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from contextlib import asynccontextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterable

__all__ = ["ASKED_FROM", "Lines", "Queue"]

T = TypeVar("T")

#: The address for which something is done; empty: the server does it by itself. Whatever a request
#: sets going, be it a machine that thinks after a decision, has the request's.
ASKED_FROM: ContextVar[str] = ContextVar("asked_from", default="")


class Lines(Generic[T]):
    """Who waits, in a line for each address."""

    def __init__(self) -> None:
        #: The next one first.
        self._lines: dict[str, deque[T]] = {}

    def __bool__(self) -> bool:
        return bool(self._lines)

    def add(self, whose: str, one: T) -> None:
        """The last of his line."""
        self._lines.setdefault(whose, deque()).append(one)

    def put_back(self, some: Iterable[tuple[str, T]]) -> None:
        """They are the next, as if it had not been their turn."""
        behind, self._lines = self._lines, {}
        for whose, one in some:
            self.add(whose, one)
        for whose, line in behind.items():
            self._lines.setdefault(whose, deque()).extend(line)

    def next(self, may: Callable[[str], bool] = lambda _whose: True) -> tuple[str, T] | None:
        """Whose turn it is among those who may; nobody's."""
        whose = next((one for one in self._lines if may(one)), None)
        if whose is None:
            return None
        line = self._lines.pop(whose)
        one = line.popleft()
        if line:
            self._lines[whose] = line
        return whose, one


class Queue:
    """Lets so many do something at the same time, and of one address no more than `each`."""

    def __init__(self, at_once: int, each: int | None = None) -> None:
        self._free, self._each = at_once, each or at_once
        self._lines = Lines[asyncio.Future[None]]()
        #: Who does something, and who does or waits for it; how often.
        self._doing: Counter[str] = Counter()
        self._here: Counter[str] = Counter()

    @property
    def length(self) -> int:
        """How many things are done or wait."""
        return self._here.total()

    def count(self, whose: str) -> int:
        """The same of `whose` alone."""
        return self._here[whose]

    def crowd(self, whose: str) -> int:
        """How many would share the time with one more of `whose`, who shares his with his own."""
        return len({whose, *self._here}) * (self._here[whose] + 1)

    @asynccontextmanager
    async def turn(self, whose: str) -> AsyncIterator[None]:
        """Wait for one's turn."""
        self._here[whose] += 1
        try:
            await self._wait(whose)
            try:
                yield
            finally:
                self._leave(whose)
        finally:
            _one_less(self._here, whose)

    async def _wait(self, whose: str) -> None:
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._lines.add(whose, future)
        self._call()
        try:
            await future
        except asyncio.CancelledError:
            if not future.cancelled():
                self._leave(whose)  # it was his turn already
            raise

    def _leave(self, whose: str) -> None:
        self._free += 1
        _one_less(self._doing, whose)
        self._call()

    def _call(self) -> None:
        """Whose turn it is."""
        while self._free:
            found = self._lines.next(lambda whose: self._doing[whose] < self._each)
            if found is None:
                return
            whose, future = found
            if future.cancelled():
                continue  # he is gone; who goes with a crowd has not even heard of it himself
            future.set_result(None)
            self._free -= 1
            self._doing[whose] += 1


def _one_less(counts: Counter[str], whose: str) -> None:
    counts[whose] -= 1
    if not counts[whose]:
        del counts[whose]
