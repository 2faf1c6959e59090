"""Games of searches on many machines: a Ray cluster plays, the files come here."""

from __future__ import annotations

import hashlib
import itertools
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from hansa.arena import ArenaError
from hansa.arena.cluster import spread
from hansa.bots import compiling
from training import selfplay, tables
from training.tables import Searcher


@dataclass(frozen=True)
class Task:
    """The games of one file, for a machine that has none of our files."""

    first: int
    """The seed of the first game."""
    how: Searcher
    networks: str | None
    """The text of their file."""
    until: float
    """Clocks of the machines must agree, to a few seconds."""


def generate(
    folder: Path, ways: Sequence[Searcher], first: int, seconds: float, address: str, workers: int
) -> int:
    """How many games were played; a file that is there is not played again."""
    folder.mkdir(parents=True, exist_ok=True)
    jobs = _jobs(folder, ways, first, time.time() + seconds)
    total = 0
    try:
        here = str(Path(__file__).parent)
        for path, found in spread(play, jobs, address, workers, [here]):
            if found is not None:
                games, packed = found
                selfplay.save(path, packed)
                total += games
    except ArenaError as error:
        raise SystemExit(str(error)) from None
    return total


def _jobs(
    folder: Path, ways: Sequence[Searcher], first: int, until: float
) -> Iterator[tuple[Path, tuple[Task]]]:
    """File after file while there is time; the ways to search take turns."""
    texts = [None if how.weights is None else how.weights.read_text("utf-8") for how in ways]
    for number in itertools.count():
        if time.time() > until:
            return
        path = selfplay.path_of(folder, first, number)
        if not path.exists():
            k = number % len(ways)
            task = Task(int(path.stem), replace(ways[k], weights=None), texts[k], until)
            yield path, (task,)


def play(task: Task) -> tuple[int, bytes] | None:
    """On some machine of the cluster: how many games, and their file; None if there was no time."""
    compiling.prepare()
    tables.kernels()
    if time.time() > task.until:
        return None
    how = replace(task.how, weights=_file(task.networks))
    shard: Any = selfplay.play_shard(task.first, how, task.until)
    return len(shard.results), shard.packed()


def _file(networks: str | None) -> Path | None:
    """The networks in a file of this machine, the same for the same ones."""
    if networks is None:
        return None
    name = hashlib.sha256(networks.encode()).hexdigest()[:20]
    path = Path(tempfile.gettempdir(), f"hansa-networks-{name}.json")
    if not path.exists():
        with tempfile.NamedTemporaryFile("w", dir=path.parent, delete=False) as file:
            file.write(networks)
        Path(file.name).replace(path)
    return path
