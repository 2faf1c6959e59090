"""Matches of bots as they are, for the proof of strength: equal time, every seat in turn."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from hansa.bots.match import play_match
from hansa.setup import Setup

PLACES = {
    "hansa": Setup(seed=90_000),
    "east": Setup(board="east", seed=91_000),
    "britannia": Setup(board="britannia", seed=92_000),
    "pawn duel": Setup(players=2, duel="pawn", seed=93_000),
    "neutral duel": Setup(players=2, duel="neutral", seed=94_000),
}


@dataclass(frozen=True)
class Pairing:
    """One bot against others at the table."""

    place: str
    bot: str
    others: str
    games: int


@dataclass(frozen=True)
class Task:
    """One game of a pairing."""

    pairing: Pairing
    number: int
    until: float


@dataclass(frozen=True)
class Outcome:
    """What a game came to for the bot, and for the mean of the others."""

    win: float
    points: int
    their_points: float
    seconds: float
    their_seconds: float
    faults: int


def play(task: Task) -> tuple[Task, Outcome | None]:
    """Play it; None if there was no time."""
    if time.time() > task.until:
        return task, None
    setup = PLACES[task.pairing.place]
    seat = task.number % setup.players
    bots = [task.pairing.others] * setup.players
    bots[seat] = task.pairing.bot
    result = play_match(bots, setup.with_seed(setup.seed + task.number // setup.players))
    rivals = setup.players - 1
    outcome = Outcome(
        (seat in result.winners) / len(result.winners),
        result.totals[seat],
        (sum(result.totals) - result.totals[seat]) / rivals,
        result.seconds[seat],
        (sum(result.seconds) - result.seconds[seat]) / rivals,
        len(result.faults),
    )
    return task, outcome


def tasks(pairings: Sequence[Pairing], until: float) -> list[Task]:
    """All games, mixed so that whenever time is up all pairings have come equally far."""
    every = [
        ((number + 0.5) / pairing.games, Task(pairing, number, until))
        for pairing in pairings
        for number in range(pairing.games)
    ]
    return [task for _, task in sorted(every, key=lambda one: one[0])]
