"""So many things at a time, and of those who wait each address in its turn.

A queue in the order of coming is stopped by whoever comes with a hundred: here he waits behind himself,
and whoever comes alone is the next.
"""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from contextlib import asynccontextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

__all__ = ["ASKED_FROM", "Queue"]

#: The address for which something is done; empty: the server does it by itself. Whatever a request
#: sets going, be it a machine that thinks after a decision, has the request's.
ASKED_FROM: ContextVar[str] = ContextVar("asked_from", default="")


class Queue:
    """Lets so many do something at the same time."""

    def __init__(self, at_once: int) -> None:
        self._free = at_once
        #: A line for each address, the next one first.
        self._lines: dict[str, deque[asyncio.Future[None]]] = {}
        #: Who does something or waits, and how often.
        self._here: Counter[str] = Counter()

    def count(self, whose: str) -> int:
        """How many things of `whose` are done or wait."""
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
                self._next()
        finally:
            self._here[whose] -= 1
            if not self._here[whose]:
                del self._here[whose]

    async def _wait(self, whose: str) -> None:
        if self._free:
            self._free -= 1
            return
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._lines.setdefault(whose, deque()).append(future)
        try:
            await future
        except asyncio.CancelledError:
            if not future.cancelled():
                self._next()  # it was his turn already
            raise

    def _next(self) -> None:
        while self._lines:
            whose = next(iter(self._lines))
            line = self._lines.pop(whose)
            future = line.popleft()
            if line:
                self._lines[whose] = line
            if not future.done():
                future.set_result(None)
                return
        self._free += 1
