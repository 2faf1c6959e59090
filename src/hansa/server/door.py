"""A few in each turn of the event loop, so that a crowd holds up nobody.

The loop does all that is due before it looks for what has come in meanwhile: five hundred new
connections at once, or a decision told to three hundred watchers, were a time in which no other
decision went on. Of those who stand in line each has his own: a crowd of one address, or at one table,
waits for itself, and whoever comes alone is the next.
"""

from __future__ import annotations

import asyncio
from collections import deque
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Door"]


class Door:
    """Lets so many in at a time; the rest stands in line."""

    def __init__(self, at_once: int) -> None:
        self._at_once = self._free = at_once
        #: A line for each who comes with many, the next one first.
        self._lines: dict[str, deque[Callable[[], None]]] = {}

    def enter(self, come_in: Callable[[], None], whose: str = "") -> bool:
        """Call `come_in`: now, where few came in during this turn of the loop, or in a later one.

        Returns:
            Whether it was called.
        """
        if not self._free:
            self._lines.setdefault(whose, deque()).append(come_in)
            return False
        if self._free == self._at_once:
            asyncio.get_running_loop().call_soon(self._next)
        self._free -= 1
        come_in()
        return True

    def _next(self) -> None:
        """Whatever is called soon comes after all that is due now."""
        soon = asyncio.get_running_loop().call_soon
        self._free = self._at_once
        while self._free and self._lines:
            whose = next(iter(self._lines))
            line = self._lines.pop(whose)
            soon(line.popleft())
            self._free -= 1
            if line:
                self._lines[whose] = line
        if self._free < self._at_once:
            soon(self._next)
