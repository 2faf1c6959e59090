"""The other processes at the same store: who is there, and who fell silent."""

from __future__ import annotations

import time
from hashlib import blake2b

from hansa.server.pauses import BEAT

__all__ = ["Peers", "keeper"]

#: Notes in a row that a process may miss: more than one misses whose line is cut and made anew.
_MISSED = 5
#: Notes after which nobody can say whether it is still there.
_LATE = 2
#: Seconds of silence after which no clock waits for it: what lasts longer is no pause (`Pauses.silence`).
_WAITED_FOR = 60.0


def keeper(processes: list[str], game: str) -> str:
    """Who of all looks after a game that nobody plays just now: each comes to the same answer.

    Where one comes or goes, only its share of the games is another's.
    """
    return max(processes, key=lambda process: blake2b(f"{process} {game}".encode()).digest())


class Peers:
    """When each process was first and last heard to say that it is here."""

    def __init__(self) -> None:
        self._first: dict[str, float] = {}
        self._last: dict[str, float] = {}
        #: Those who said that they end.
        self._left: set[str] = set()

    def __bool__(self) -> bool:
        """Whether there are any."""
        return bool(self._last)

    def __contains__(self, process: str) -> bool:
        return process in self._last

    def heard(self, process: str) -> None:
        """It says that it is here, and could store that."""
        self._last[process] = time.monotonic()
        self._first.setdefault(process, self._last[process])

    def left(self, process: str) -> None:
        """It says that it ends: nobody waits for its answers, but its games are still without it."""
        if process in self:
            self._left.add(process)

    def has_left(self, process: str) -> bool:
        """Whether it said so."""
        return process in self._left

    def deaf(self) -> None:
        """Nobody could be heard until now: that is no silence of theirs, unless others took their place
        before.
        """
        there = [process for process in self._last if not self.replaced(process)]
        self._last |= dict.fromkeys(there, time.monotonic())

    def heard_since(self, moment: float) -> bool:
        """Whether any of those who stay was heard after that."""
        return any(last > moment for p, last in self._last.items() if not self.has_left(p))

    def silent(self) -> list[str]:
        """Those who have said nothing for too long."""
        before = time.monotonic() - _MISSED * BEAT
        return [process for process, last in self._last.items() if last < before]

    def late(self) -> list[str]:
        """Those who may hang just now, or did before another took their place."""
        now = time.monotonic()
        late = [p for p, last in self._last.items() if _LATE * BEAT < now - last < _WAITED_FOR]
        return [p for p in late if not self.has_left(p)]

    def missing(self) -> list[str]:
        """Those of them in whose place nobody is."""
        return [process for process in self.late() if not self.replaced(process)]

    def silence(self, process: str) -> tuple[float, float]:
        """How many seconds ago it was last heard, and how many ago another took its place."""
        now = time.monotonic()
        return now - self._last[process], now - min(self._successors(process), default=now)

    def replaced(self, process: str) -> bool:
        """Whether another began after it was last heard: who begins looks after all games."""
        return bool(self._successors(process))

    def _successors(self, process: str) -> list[float]:
        """When others began since."""
        last = self._last[process]
        return [first for first in self._first.values() if first > last]

    def present(self) -> list[str]:
        """Those who are there."""
        return list(self._last.keys() - self.silent() - self._left)

    def drop(self, process: str) -> None:
        """It is no more."""
        del self._first[process], self._last[process]
        self._left.discard(process)
