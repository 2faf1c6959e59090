"""Matches of bots as they are, for the proof of strength: equal time, every seat in turn."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path

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

    @property
    def key(self) -> tuple[Pairing, int]:
        """Which game it is, whenever it is played."""
        return self.pairing, self.number


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


def gallery(bot: str, styles: Sequence[str], places: Sequence[str], games: int) -> list[Pairing]:
    """One of the bot among others of a style and, where more than two play, the other way round.

    >>> [(one.bot, one.others) for one in gallery("champion", ["keys"], ["hansa"], 8)]
    [('champion', 'greedy:style=keys'), ('greedy:style=keys', 'champion')]
    """
    ways = [(place, f"greedy:style={style}") for style in styles for place in places]
    among = [Pairing(place, bot, other, games) for place, other in ways]
    return among + [
        Pairing(place, other, bot, games) for place, other in ways if PLACES[place].players > 2
    ]


def doublings(bot: str, least: int, times: int, places: Sequence[str], games: int) -> list[Pairing]:
    """The bot against itself with half the simulations.

    >>> [one.others for one in doublings("champion", 256, 2, ["pawn duel"], 8)]
    ['champion:simulations=256', 'champion:simulations=512']
    """
    steps = [f"{bot}{',' if ':' in bot else ':'}simulations={least << k}" for k in range(times + 1)]
    return [
        Pairing(place, more, fewer, games) for fewer, more in pairwise(steps) for place in places
    ]


def line(task: Task, outcome: Outcome) -> str:
    """A played game, as it is written."""
    return json.dumps([asdict(task), asdict(outcome)])


def read(path: Path) -> dict[tuple[Pairing, int], Outcome]:
    """The games that are written already; half a line of an interrupted run is taken away."""
    if not path.exists():
        return {}
    whole, _, rest = path.read_text("utf-8").rpartition("\n")
    if rest:
        path.write_text(f"{whole}\n" if whole else "", "utf-8")
    rows = map(json.loads, whole.splitlines())
    return {
        (Pairing(**task["pairing"]), task["number"]): Outcome(**outcome) for task, outcome in rows
    }
