"""Games of searches against each other, and what is kept of them."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np

from training.setups import draw
from training.tables import MOST, Searcher, Table

PER_SHARD = 10
"""Games in one file."""
FULL_SHARE = 0.3
"""Decisions searched in full; only these are learned from, the others only go on."""
CHEAP = 6
"""The others have so many times fewer simulations."""
CURIOUS_TURNS = (2, 7)
"""Rounds in which every second decision is drawn by its visits."""
LATER_LOTS = 0.05
"""How many decisions after that are drawn."""


@dataclass
class Shard:
    """Positions of some games, what a search found in them, and how the games ended."""

    states: list[Any] = field(default_factory=list)
    actions: list[Any] = field(default_factory=list)
    visits: list[Any] = field(default_factory=list)
    values: list[Any] = field(default_factory=list)
    """Everybody's share of the win as the search saw it."""
    game: list[int] = field(default_factory=list)
    results: list[Any] = field(default_factory=list)
    totals: list[Any] = field(default_factory=list)
    setups: list[str] = field(default_factory=list)

    def packed(self) -> bytes:
        """As a file has it."""
        offsets = np.cumsum([0, *(len(one) for one in self.actions)])
        file = BytesIO()
        np.savez_compressed(
            file,
            states=np.array(self.states, np.uint8),
            actions=np.concatenate(self.actions).astype(np.uint16),
            visits=np.concatenate(self.visits).astype(np.uint16),
            values=np.array(self.values, np.float16),
            game=np.array(self.game, np.uint16),
            results=np.array(self.results, np.float32),
            totals=np.array(self.totals, np.int16),
            setups=np.array(self.setups),
            offsets=offsets.astype(np.int32),
        )
        return file.getvalue()


def save(path: Path, packed: bytes) -> None:
    """Write games whole or not at all."""
    unfinished = path.with_suffix(".part.npz")
    unfinished.write_bytes(packed)
    unfinished.rename(path)


def play_game(seed: int, how: Searcher, shard: Shard) -> None:
    """Play the game of a seed and add what is learned from it."""
    setup = draw(seed)
    chance = np.random.default_rng([seed, 11])
    table = Table(setup, chance)
    curious = int(chance.integers(*CURIOUS_TURNS)) * setup.players
    number = len(shard.results)
    for _ in range(MOST):
        legal = table.legal()
        if table.over or len(legal) == 0:
            break
        if len(legal) == 1:
            table.play(int(legal[0]))
            continue
        full = chance.random() < FULL_SHARE
        simulations = how.simulations if full else max(how.simulations // CHEAP, 8)
        actions, visits, values = table.search(how, simulations, noise=full, legal=legal)
        if full:
            shard.states.append(np.frombuffer(table.states[0].tobytes(), np.uint8))
            shard.actions.append(actions)
            shard.visits.append(visits)
            shard.values.append(values)
            shard.game.append(number)
        table.play(int(actions[_pick(chance, visits, early=table.states["turn"][0] < curious)]))
    wins, totals = table.results()
    shard.results.append(wins)
    shard.totals.append(totals)
    shard.setups.append(json.dumps(setup.to_dict()))


def _pick(chance: np.random.Generator, visits: Any, *, early: bool) -> int:
    lot = chance.random()
    if early and lot < 0.5:
        return int(chance.choice(len(visits), p=visits / visits.sum()))
    if lot > 1 - LATER_LOTS:
        roots = np.sqrt(visits)
        return int(chance.choice(len(visits), p=roots / roots.sum()))
    return int(visits.argmax())


@dataclass(frozen=True)
class Task:
    """Fill a folder with shards of games until a time; what is there already is kept."""

    worker: int
    workers: int
    folder: Path
    how: Searcher
    first: int
    """The seed of the first game of all workers."""
    until: float


def work(task: Task) -> int:
    """How many games this worker has played."""
    played = 0
    number = task.worker
    while time.time() < task.until:
        path = path_of(task.folder, task.first, number)
        number += task.workers
        if path.exists():
            continue
        shard = play_shard(int(path.stem), task.how, task.until)
        save(path, shard.packed())
        played += len(shard.results)
    return played


def play_shard(first: int, how: Searcher, until: float) -> Shard:
    """The games of one file, fewer if the time is up."""
    shard = Shard()
    for seed in range(first, first + PER_SHARD):
        play_game(seed, how, shard)
        if time.time() > until:
            break
    return shard


def path_of(folder: Path, first: int, number: int) -> Path:
    """The file of so many files after the first game."""
    return folder / f"{first + number * PER_SHARD:010d}.npz"


def tasks(
    folder: Path, ways: Sequence[Searcher], workers: int, first: int, seconds: float
) -> list[Task]:
    """A task for each worker; the ways to search take turns."""
    folder.mkdir(parents=True, exist_ok=True)
    until = time.time() + seconds
    return [
        Task(worker, workers, folder, ways[worker % len(ways)], first, until)
        for worker in range(workers)
    ]


def shards(folders: Sequence[Path]) -> list[Path]:
    """All finished shards of some folders."""
    return sorted(
        path for folder in folders for path in folder.glob("*.npz") if ".part" not in path.name
    )
