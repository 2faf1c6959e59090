"""What a game is worth to its players.

| name | worth at the end | sum over the players |
|---|---|---|
| `win` | 1 to the winner, -1/(players - 1) to each loser; winners who share it share the sum | 0 |
| `share` | the win as the arena counts it: 1 divided among the winners, 0 to the others | 1 |
| `score` | own total minus the mean total of the others, in points | 0 |
| `points` | at every decision what it adds to the own score track, at the end the rest of the total | the totals |
| `gain` | at every decision what it adds to the own total, as if the game ended now | the totals, less those at the start |

A game cut off by the limit of decisions pays nothing at its end.
"""

from __future__ import annotations

from typing import Any

from hansa.errors import InvalidSetup

from .kernels import GAIN, POINTS, SCORE, SHARE, WIN

__all__ = ["REWARDS", "checked_limit", "reward_code"]

REWARDS = {"win": WIN, "share": SHARE, "score": SCORE, "points": POINTS, "gain": GAIN}
NO_LIMIT = 2**62


def reward_code(name: str) -> int:
    """The number of a kind of reward; raises InvalidSetup."""
    if name not in REWARDS:
        raise InvalidSetup(f"unknown reward {name!r}: one of {', '.join(REWARDS)}")
    return REWARDS[name]


def checked_limit(most: Any) -> int:
    """The largest number of decisions in a game, None for as many as it takes."""
    if most is None:
        return NO_LIMIT
    if isinstance(most, bool) or not isinstance(most, int) or most < 1:
        raise InvalidSetup(f"max_decisions must be a whole number from 1 on or None, not {most!r}")
    return most
