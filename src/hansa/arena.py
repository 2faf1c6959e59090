"""The arena: bots against bots, fairly seated, and what the results tell.

>>> from hansa import arena
>>> results = arena.run(["greedy", "random"], players=2, games=2, workers=1)  # doctest: +SKIP
>>> [bot["name"] for bot in results["bots"]]  # doctest: +SKIP
['greedy', 'random']
"""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from hansa.bots import create
from hansa.bots.match import Result, play_match
from hansa.bots.standings import as_csv, standings, table
from hansa.errors import HansaError
from hansa.setup import Setup

__all__ = ["ArenaError", "Pairing", "as_csv", "pairings", "run", "table"]

Progress = Callable[[int, int], None]
"""Called with how many games are played and how many there will be."""


class ArenaError(HansaError):
    """A tournament that cannot be held; the message says what to change."""


@dataclass(frozen=True)
class Pairing:
    """One game to be played: who sits where, and its set-up."""

    number: int
    bots: tuple[str, ...]
    setup: Setup

    @property
    def key(self) -> str:
        """What makes it the same game in another run."""
        return f"{self.number}|{'|'.join(self.bots)}|{self.setup}"


def pairings(bots: Sequence[str], setup: Setup, games: int) -> list[Pairing]:
    """All games of a tournament, every bot equally often in every seat.

    With more bots than seats they are dealt round; with fewer, the list is repeated until the
    table is full. Each seed is played once with every different seating, so that all bots get the
    same luck and no game is played twice.
    """
    seats = setup.players
    line = list(bots)
    while len(line) < seats:
        line += bots
    listed: list[Pairing] = []
    deal = 0
    while len(listed) < games:
        order = [line[(deal * seats + k) % len(line)] for k in range(seats)]
        if deal % 2 == 1:
            order.reverse()  # or each bot would have one neighbour for good
        rotations = dict.fromkeys(tuple(order[k:] + order[:k]) for k in range(seats))
        for seating in list(rotations)[: games - len(listed)]:
            listed.append(Pairing(len(listed), seating, setup.with_seed(setup.seed + deal)))
        deal += 1
    return listed


def run(
    bots: Sequence[str],
    *,
    board: str = "hansa",
    players: int | None = None,
    edition: str = "bigbox",
    games: int = 100,
    seed: int = 0,
    workers: int | None = None,
    directory: Path | None = None,
    progress: Progress | None = None,
    tell: Callable[[str], None] | None = None,
    **options: Any,
) -> dict[str, Any]:
    """Hold a tournament and give its results, as the file of `hansa arena --json` has them.

    `players` is the number of seats (as many as bots, unless said otherwise; with fewer bots than
    seats the list is repeated). `directory` keeps a record of every game and lets a tournament
    that was interrupted go on. Raises ArenaError, UnknownBot or InvalidSetup.
    """
    seats = players if players is not None else min(max(len(bots), 2), 5)
    if not bots:
        raise ArenaError("an arena needs at least one bot, such as: greedy random")
    if games < 1:
        raise ArenaError(f"games must be at least 1, not {games}")
    for spec in dict.fromkeys(bots):
        create(spec, trusted=True)
    setup = Setup(board=board, players=seats, edition=edition, seed=seed, **options)
    planned = pairings(bots, setup, games)
    if any(spec.partition(":")[0] == "search" for spec in bots):
        _prepare_search(tell)
    results = _play_all(planned, workers, directory, progress)
    ordered = [results[pairing.number] for pairing in planned]
    return {
        "board": setup.board,
        "players": setup.players,
        "edition": setup.edition,
        "seed": seed,
        "games": len(ordered),
        "setup": setup.to_dict(),
        **standings(ordered),
    }


def _prepare_search(tell: Callable[[str], None] | None) -> None:
    """Compile before the clocks of the bots run."""
    from hansa.bots import compiling  # noqa: PLC0415  # pulls in what only the search needs

    compiling.prepare(tell)


def _play_all(
    planned: Sequence[Pairing],
    workers: int | None,
    directory: Path | None,
    progress: Progress | None,
) -> dict[int, Result]:
    done = dict(_kept(planned, directory)) if directory else {}
    left = [pairing for pairing in planned if pairing.number not in done]
    if progress is not None:
        progress(len(done), len(planned))
    for pairing, result in _results(left, workers or os.cpu_count() or 1):
        done[pairing.number] = result
        if directory is not None:
            _keep(directory, pairing, result)
        if progress is not None:
            progress(len(done), len(planned))
    return done


def _results(left: Sequence[Pairing], workers: int) -> Iterator[tuple[Pairing, Result]]:
    if workers == 1 or len(left) <= 1:
        for pairing in left:
            yield pairing, play_match(pairing.bots, pairing.setup)
        return
    # Never fork: compiled code keeps threads that a forked child would lose.
    context = multiprocessing.get_context("spawn")
    count = min(workers, len(left))
    with ProcessPoolExecutor(count, mp_context=context, initializer=_quiet) as pool:
        waiting: dict[Future[Result], Pairing] = {}
        queue = iter(left)
        try:
            for pairing in queue:
                waiting[pool.submit(play_match, pairing.bots, pairing.setup)] = pairing
                if len(waiting) < 2 * count:
                    continue
                yield from _collect(waiting)
            while waiting:
                yield from _collect(waiting)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _collect(waiting: dict[Future[Result], Pairing]) -> Iterator[tuple[Pairing, Result]]:
    finished, _ = wait(waiting, return_when=FIRST_COMPLETED)
    for future in finished:
        yield waiting.pop(future), future.result()


def _quiet() -> None:
    """Ctrl-C is for the process that holds the tournament."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


# Records and going on.


def _keep(directory: Path, pairing: Pairing, result: Result) -> None:
    """The record, and a line from which an interrupted tournament goes on."""
    directory.mkdir(parents=True, exist_ok=True)
    (directory / f"game-{pairing.number + 1:05d}.txt").write_text(result.record, encoding="utf-8")
    line = {**asdict(result), "record": "", "key": pairing.key}
    with open(directory / "results.jsonl", "a", encoding="utf-8") as file:
        file.write(json.dumps(line) + "\n")


def _kept(planned: Sequence[Pairing], directory: Path) -> Iterator[tuple[int, Result]]:
    """Results of an earlier run of the very same games."""
    path = directory / "results.jsonl"
    if not path.exists():
        return
    by_key = {pairing.key: pairing for pairing in planned}
    for number, text in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        try:
            line = json.loads(text)
            pairing = by_key.get(line.pop("key"))
            result = Result(**line)
        except (ValueError, TypeError, KeyError, AttributeError):
            # A run killed while writing leaves half a line: that game is played again.
            if number < len(path.read_text(encoding="utf-8").splitlines()):
                raise ArenaError(f"{path}, line {number}: no result of a game") from None
            return
        if pairing is not None:
            yield pairing.number, result
