"""What a decision was worth to whoever made it: the sum of his later rewards."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["returns"]


def returns(
    players: npt.ArrayLike,
    rewards: npt.ArrayLike,
    ended: npt.ArrayLike,
    *,
    discount: float = 1.0,
    after: npt.ArrayLike | None = None,
) -> npt.NDArray[np.float32]:
    """The return of every decision for the seat that made it, seats kept apart.

    `players` (steps, games) says who decided, `rewards` (steps, games, seats) what every seat got
    for it, `ended` (steps, games) whether the game ended with it. `after` (games, seats) is what
    seats may still expect where the steps stop in the middle of a game; nothing without it.

    >>> from hansa.envs import returns
    >>> returns([[0], [1], [0]], [[[0, 0]], [[0, 2]], [[1, -1]]], [[0], [0], [1]]).ravel().tolist()
    [1.0, 1.0, 1.0]
    """
    who, paid = np.asarray(players), np.asarray(rewards, np.float32)
    over = np.asarray(ended).astype(np.bool_)
    if paid.ndim != 3 or who.shape != paid.shape[:2] or over.shape != who.shape:
        raise ValueError(
            "players and ended have the shape (steps, games), rewards (steps, games, seats), not "
            f"{who.shape}, {over.shape}, {paid.shape}"
        )
    left: npt.NDArray[Any] = np.zeros(paid.shape[1:], np.float32)
    if after is not None:
        left[:] = after
    found = np.zeros(who.shape, np.float32)
    games = np.arange(who.shape[1])
    for step in reversed(range(len(who))):
        left = paid[step] + discount * np.where(over[step][:, None], 0, left)
        found[step] = left[games, who[step]]
    return found
