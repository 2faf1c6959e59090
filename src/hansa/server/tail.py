"""The last decisions of a table that stand: how far back one may go, and since when one waits."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Self

import msgspec

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from hansa.server.model import Entry
    from hansa.server.wire.positions import UndoReason

__all__ = ["TAIL", "Decided", "Tail"]

#: How many of the last decisions can be taken back by asking.
TAIL = 64


class Decided(msgspec.Struct, frozen=True, gc=False):
    """What taking back must know of a decision that stands; sixty-four of them for each table."""

    number: int
    player: str | None
    turn: int
    shown: bool
    at: int

    @classmethod
    def of(cls, entry: Entry) -> Self:
        """The same, without the rest."""
        return cls(entry.number, entry.player, entry.turn, entry.shown, entry.at)


class Tail(deque[Decided]):
    """The last decisions, the youngest at the end."""

    __slots__ = ()

    def __init__(self, entries: Iterable[Entry]) -> None:
        super().__init__(map(Decided.of, entries), TAIL)

    def follow(self, entries: Iterable[Entry]) -> None:
        """Go on, and back, as the log does."""
        for entry in entries:
            if entry.kind == "decision":
                self.append(Decided.of(entry))
            while entry.kind == "undo" and self and self[-1].number > entry.number:
                self.pop()

    def begin_of(self, seats: Collection[str], turn: int, number: int) -> tuple[int, UndoReason]:
        """The number before all that these seats have just decided, of this turn alone and nothing
        that showed what was hidden; and what stops them there. `number` is where the table is.
        """
        first = number
        for decided in reversed(self):
            if decided.turn != turn or decided.player not in seats:
                return first, "other_player"
            if decided.shown:
                return first, "hidden"
            first = decided.number - 1
        return first, "nothing" if number == 0 else "other_player"

    def shown_up_to(self, number: int) -> int:
        """The last decision that showed somebody what was hidden: nobody goes back behind it.

        Never more than the tail: what lies further back cannot be asked for.
        """
        first = self[0].number - 1 if self else number
        return next((decided.number for decided in reversed(self) if decided.shown), first)

    def last_of(self, seats: Collection[str]) -> int:
        """The last decision of these seats; 0: none of these."""
        return next((decided.number for decided in reversed(self) if decided.player in seats), 0)

    def last_of_others(self, seats: Collection[str]) -> int | None:
        """When somebody else than these seats decided last."""
        return next((decided.at for decided in reversed(self) if decided.player not in seats), None)
