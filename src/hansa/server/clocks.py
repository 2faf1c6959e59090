"""Time to think: a bank for each seat, and an increment whenever the decision passes on."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hansa.server.wire.table import Clock

__all__ = [
    "MOST_BANK",
    "MOST_INCREMENT",
    "breath",
    "full",
    "given_back",
    "run_down",
    "spent",
    "taken_back",
]

#: Seconds: thirty days for those who play by post, a day each time.
MOST_BANK = 2_592_000
MOST_INCREMENT = 86_400
_BREATH = 60.0


def full(clock: Clock, seats: list[str]) -> dict[str, int]:
    """Milliseconds of every seat at the start."""
    return dict.fromkeys(seats, round(clock.bank * 1000))


def breath(clock: Clock) -> int:
    """Milliseconds without which nobody can decide: a minute, or the increment if that is more."""
    return round(1000 * min(clock.bank, max(clock.increment, _BREATH)))


def run_down(left: dict[str, int], seat: str, elapsed: int) -> dict[str, int]:
    """The banks after `seat` thought for `elapsed` ms; never below 0."""
    return {**left, seat: max(0, left[seat] - max(0, elapsed))}


def spent(
    clock: Clock, left: dict[str, int], elapsed: int, before: str, after: str
) -> dict[str, int]:
    """The banks after a decision of `before` that makes it `after`'s turn to decide."""
    left = run_down(left, before, elapsed)
    if after != before:
        left[before] += round(clock.increment * 1000)
    return left


def taken_back(
    clock: Clock,
    left: dict[str, int],
    elapsed: int,
    decider: str,
    passed_on: Iterable[str],
    *,
    least: int = 0,
) -> dict[str, int]:
    """The banks after an undo: each increment that came with what is undone goes too.

    Otherwise a decision that passes on, taken back again and again, would fill the bank. What of
    it has been used up meanwhile would be missing: `least` (ms) stays, of those who have it.
    """
    rest = run_down(left, decider, elapsed)
    left = dict(rest)
    for seat in passed_on:
        left[seat] = max(min(rest[seat], least), left[seat] - round(clock.increment * 1000))
    return left


def given_back(
    left: dict[str, int], before: dict[str, int], by: str, *, least: int
) -> dict[str, int]:
    """The banks after `by` took back what others had to answer: that time was his, not theirs.

    Otherwise whoever displaces and takes it back, again and again, empties another's bank, or thinks
    while it runs. `before` are the banks when the answer was asked for; `least` (ms) stays, if he has it.
    """
    lost = {seat: before[seat] - rest for seat, rest in left.items() if seat != by}
    lost = {seat: ms for seat, ms in lost.items() if ms > 0}
    his = max(min(left[by], least), left[by] - sum(lost.values()))
    return {**left, **{seat: before[seat] for seat in lost}, by: his}
