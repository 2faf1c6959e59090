"""The decisions of a game and the way back: the latest states are kept, older ones packed."""

from __future__ import annotations

from collections import deque
from typing import NamedTuple

from hansa.rules import engine
from hansa.rules.state import State, pack, unpack
from hansa.rules.tables import Tables

__all__ = ["Kept", "Past"]

EVERY = 32
"""Decisions between two packed states."""
RECENT = 16
"""States kept as they were: 11 kB each, so that a game stays small."""


class Kept(NamedTuple):
    """A position as it was, with what had been found out about it."""

    state: State
    legal: list[int] | None = None
    hash: int | None = None


class Past:
    """The ids of all decisions; nothing ever needs to know how to take a rule back."""

    __slots__ = ("_packed", "_recent", "ids")

    def __init__(self, start: State) -> None:
        self.ids: list[int] = []
        self._packed = [pack(start)]
        self._recent: deque[Kept] = deque(maxlen=RECENT)

    @property
    def start(self) -> State:
        """The state before the first decision."""
        return unpack(self._packed[0])

    def add(self, number: int, before: Kept | None, after: State) -> None:
        """A decision has been carried out; `before` is ours from now on, None: play it again."""
        self.ids.append(number)
        if before is None:
            self._recent.clear()
        else:
            self._recent.append(before)
        if len(self.ids) % EVERY == 0:
            self._packed.append(pack(after))

    def back(self, b: Tables) -> Kept:
        """Forget the last decision; the position before it is the caller's."""
        if not self._recent:
            self._play_again(b)
        self.ids.pop()
        del self._packed[len(self.ids) // EVERY + 1 :]
        return self._recent.pop()

    def _play_again(self, b: Tables) -> None:
        """From the last packed state to the last decision, keeping the states on the way."""
        first = (len(self.ids) - 1) // EVERY
        state = unpack(self._packed[first])
        for number in self.ids[first * EVERY :]:
            self._recent.append(Kept(state.copy()))
            engine.apply(b, state, number)

    def copy(self) -> Past:
        """The same decisions; kept states stay with the one whose they are."""
        return _of(self.ids[:], self._packed[:])

    def __reduce__(self) -> tuple[object, ...]:
        return (_of, (self.ids, self._packed))


def _of(ids: list[int], packed: list[bytes]) -> Past:
    past = Past.__new__(Past)
    past.ids, past._packed = ids, packed  # noqa: SLF001  # made here
    past._recent = deque(maxlen=RECENT)  # noqa: SLF001  # as above
    return past
