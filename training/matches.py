"""Matches of one way to search against others at the table, every seat in turn."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hansa.setup import Setup
from training.tables import MOST, Searcher, Table

SURE = 1.96
"""Standard deviations of a 95 % interval."""


@dataclass(frozen=True)
class Task:
    """One game: a challenger on his seat, defenders on all others."""

    setup: Setup
    seat: int
    challenger: Searcher
    defender: Searcher
    until: float = math.inf
    """No game begins after this time."""


def play(task: Task) -> float | None:
    """The challenger's share of the win; None if there was no time."""
    if time.time() > task.until:
        return None
    chance = np.random.default_rng([task.setup.seed, task.seat, 17])
    table = Table(task.setup, chance)
    for _ in range(MOST):
        legal = table.legal()
        if table.over or len(legal) == 0:
            break
        if len(legal) == 1:
            table.play(int(legal[0]))
            continue
        how = task.challenger if table.player == task.seat else task.defender
        actions, visits, _ = table.search(how, how.simulations)
        table.play(int(actions[visits.argmax()]))
    wins, _ = table.results()
    return float(wins[task.seat])


def tasks(
    setup: Setup, games: int, challenger: Searcher, defender: Searcher, until: float = math.inf
) -> list[Task]:
    """Each seed with the challenger on every seat."""
    return [
        Task(
            setup.with_seed(setup.seed + number // setup.players),
            number % setup.players,
            challenger,
            defender,
            until,
        )
        for number in range(games)
    ]


@dataclass(frozen=True)
class Score:
    """What a match came to."""

    games: int
    wins: float
    low: float
    high: float

    def __str__(self) -> str:
        share = self.wins / max(self.games, 1)
        return f"{share:.1%} of {self.games} ({self.low:.1%}–{self.high:.1%})"


def score(results: Sequence[float | None]) -> Score:
    """The share of wins with its 95 % interval (Wilson)."""
    played: Any = [one for one in results if one is not None]
    n, wins = len(played), sum(played)
    if n == 0:
        return Score(0, 0.0, 0.0, 1.0)
    share = wins / n
    middle = (share + SURE**2 / (2 * n)) / (1 + SURE**2 / n)
    half = SURE * math.sqrt(share * (1 - share) / n + SURE**2 / (4 * n * n)) / (1 + SURE**2 / n)
    return Score(n, wins, middle - half, middle + half)
