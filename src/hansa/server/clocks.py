"""Time to think: a bank for each seat, and an increment whenever the decision passes on."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hansa.server.model import Clock

__all__ = ["full", "run_down", "spent"]


def full(clock: Clock, seats: list[str]) -> dict[str, int]:
    """Milliseconds of every seat at the start."""
    return dict.fromkeys(seats, round(clock.bank * 1000))


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
