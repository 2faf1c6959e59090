"""Who plays whom, and who sits where."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations

from hansa.setup import Setup

__all__ = ["Pairing", "pairings"]


@dataclass(frozen=True)
class Pairing:
    """One game to be played: who sits where, and its set-up."""

    number: int
    bots: tuple[str, ...]
    setup: Setup

    @property
    def key(self) -> str:
        """What makes it the same game in another run."""
        return f"{self.number}|{'|'.join(self.bots)}|{self.setup}"


def pairings(bots: Sequence[str], setup: Setup, games: int) -> list[Pairing]:
    """All games of a tournament, every bot equally often in every seat.

    With fewer bots than seats the list is repeated until the table is full; with more, those
    who have played and met least come next. Each seed is played once with every different
    seating of one order round the table, so that all bots get the same luck and no game is
    played twice; the next seed seats them in the next order.
    """
    line = list(bots)
    while len(line) < setup.players:
        line += bots
    listed: list[Pairing] = []
    for deal, seatings in enumerate(_deals(line, setup.players)):
        for seating in seatings[: games - len(listed)]:
            listed.append(Pairing(len(listed), seating, setup.with_seed(setup.seed + deal)))
        if len(listed) >= games:
            break
    return listed


def _deals(line: Sequence[str], seats: int) -> Iterator[list[tuple[str, ...]]]:
    """For seed after seed, the seatings it is played with."""
    played: Counter[int] = Counter()
    met: Counter[tuple[int, int]] = Counter()
    dealt: Counter[tuple[int, ...]] = Counter()
    while True:
        group = _next_group(len(line), seats, played, met)
        orders = _orders([line[k] for k in group])
        yield _rotations(orders[dealt[group] % len(orders)])
        dealt[group] += 1
        played.update(group)
        met.update((one, other) for one in group for other in group)


def _next_group(
    number: int, seats: int, played: Counter[int], met: Counter[tuple[int, int]]
) -> tuple[int, ...]:
    group: list[int] = []
    while len(group) < seats:
        left = [k for k in range(number) if k not in group]
        group.append(min(left, key=lambda k: (played[k], sum(met[k, other] for other in group))))
    return tuple(sorted(group))


def _orders(group: Sequence[str]) -> list[tuple[str, ...]]:
    """All orders round the table that no turning of it makes alike."""
    first, *others = group
    found: dict[tuple[str, ...], tuple[str, ...]] = {}
    for rest in permutations(others):
        order = (first, *rest)
        found.setdefault(min(_rotations(order)), order)
    return list(found.values())


def _rotations(order: tuple[str, ...]) -> list[tuple[str, ...]]:
    return list(dict.fromkeys(order[k:] + order[:k] for k in range(len(order))))
