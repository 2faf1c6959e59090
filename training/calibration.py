"""Chances one can trust: what a search expects, held against who won."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from training.seeing import BATCH, judged_positions
from training.tables import Searcher, Table

BINS = 10


@dataclass(frozen=True)
class Task:
    """Look at so many positions of the judged games of a seed."""

    seed: int
    how: Searcher
    positions: int


def expect(task: Task) -> tuple[int, Any, Any]:
    """How many players, and everybody's expected and real share of the win by position."""
    setup, states, _, result = judged_positions(task.seed)
    chance = np.random.default_rng([task.seed, 19])
    table = Table(setup, chance)
    which = chance.permutation(len(states))[: task.positions]
    expected = []
    for k in which:
        table.states[0] = states[k]
        expected.append(table.search(task.how, task.how.simulations)[2][: setup.players])
    return setup.players, np.array(expected), result[which][:, : setup.players]


def tasks(games: int, first: int, how: Searcher, each: int) -> list[Task]:
    """Tasks for about so many games, a few positions of each."""
    return [Task(seed, how, each * BATCH) for seed in range(first, first + games, BATCH)]


@dataclass(frozen=True)
class Reliability:
    """Chances by tenths: how many were told, what was told, and what came true."""

    counts: list[int]
    told: list[float]
    true: list[float]

    @property
    def error(self) -> float:
        """The expected calibration error."""
        gaps = [abs(a - b) * n for a, b, n in zip(self.told, self.true, self.counts, strict=True)]
        return sum(gaps) / max(sum(self.counts), 1)


def reliability(expected: Any, won: Any) -> Reliability:
    """Chances in ten bins.

    >>> found = reliability([0.05, 0.05, 0.95, 0.95], [0, 0, 1, 0])
    >>> found.counts[0], found.counts[9], round(found.error, 3)
    (2, 2, 0.25)
    """
    told, real = np.asarray(expected), np.asarray(won)
    place = np.minimum((told * BINS).astype(int), BINS - 1)
    counts = np.bincount(place, minlength=BINS)
    least = np.maximum(counts, 1)
    return Reliability(
        counts.tolist(),
        (np.bincount(place, told, BINS) / least).tolist(),
        (np.bincount(place, real, BINS) / least).tolist(),
    )
