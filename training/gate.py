"""The gate: new networks must beat the old ones, with equal time for a decision."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from multiprocessing.pool import Pool
from pathlib import Path

from hansa.setup import Setup
from training import matches
from training.report import Log
from training.tables import Searcher

PLACES = {
    "hansa": Setup(seed=70_000),
    "east": Setup(board="east", seed=71_000),
    "britannia": Setup(board="britannia", seed=72_000),
    "pawn duel": Setup(players=2, duel="pawn", seed=73_000),
    "neutral duel": Setup(players=2, duel="neutral", seed=74_000),
}
GAMES = 400
"""At each place, if there is time for so many."""
JUDGEMENT = "judgement"
"""A search without networks."""


@dataclass(frozen=True)
class Match:
    """One of the new against others at a place, and what it came to."""

    place: str
    rival: str
    results: Sequence[float | None]

    @property
    def above(self) -> float:
        """Wins more than a fair share of the games."""
        played = [one for one in self.results if one is not None]
        return sum(played) - len(played) / PLACES[self.place].players


def meet(
    pool: Pool, new: Path, rivals: Mapping[str, Path | None], seconds: float, think: float
) -> list[Match]:
    """One of the new against each rival at every place, until the time is up."""
    until = time.time() + seconds
    running = [
        (place, rival, matches.tasks(setup, GAMES, *_searchers(new, weights, think), until))
        for place, setup in PLACES.items()
        for rival, weights in rivals.items()
    ]
    # One game of each in turn, so that all have as many when the time is up.
    rounds = zip(*(work for *_, work in running), strict=True)
    every = [one for together in rounds for one in together]
    results = pool.map(matches.play, every, 1)
    return [
        Match(place, rival, results[number :: len(running)])
        for number, (place, rival, _) in enumerate(running)
    ]


def _searchers(new: Path, old: Path | None, think: float) -> tuple[Searcher, Searcher]:
    return Searcher(new, seconds=think), Searcher(old, seconds=think)


def passed(found: Sequence[Match], log: Log) -> bool:
    """Tell all results; whether the rivals, all places together, were beaten."""
    for match in found:
        log(f"{match.place}: new against {match.rival}: {matches.score(match.results)}")
    above = sum(match.above for match in found)
    log(f"gate: {above:+.1f} wins beside a fair share: {'passed' if above > 0 else 'refused'}")
    return above > 0
