"""The steps of expert iteration, one command each."""

from __future__ import annotations

import argparse
import json
import tarfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from multiprocessing import get_context
from multiprocessing.pool import Pool
from pathlib import Path

import numpy as np

from hansa.bots import compiling
from hansa.bots.learned.files import write
from hansa.setup import Setup
from training import calibration, matches, proving, seeing, selfplay, tables
from training.proving import Pairing
from training.tables import Searcher

ARCHIVE = 12_000_000
"""Bytes of games in one archive, about."""
TABLES = {
    "hansa": Setup(seed=70_000),
    "britannia": Setup(board="britannia", seed=72_000),
    "pawn duel": Setup(players=2, duel="pawn", seed=73_000),
}
"""Where new networks are tried at once."""
GATE = "hansa"
"""Where they meet the old ones too."""


class Log:
    """What happens, on the terminal and in a file."""

    def __init__(self, out: Path) -> None:
        out.mkdir(parents=True, exist_ok=True)
        self._path = out / "report.txt"
        self._begun = time.time()

    @property
    def seconds(self) -> float:
        """Since the beginning."""
        return time.time() - self._begun

    def __call__(self, text: str) -> None:
        """Tell something."""
        line = f"{self.seconds:6.1f} s  {text}"
        print(line, flush=True)
        with self._path.open("a", encoding="utf-8") as file:
            file.write(line + "\n")


@contextmanager
def workers_of(number: int, log: Log) -> Iterator[Pool]:
    """Workers, forked after everything is compiled: it is compiled for them too."""
    compiling.prepare(log)
    compiling.simulate()
    compiling.keep_below()
    tables.kernels()
    seeing.warm()
    log("compiled")
    with get_context("fork").Pool(number) as pool:
        yield pool


def iterate(given: argparse.Namespace) -> None:
    """Play, learn, and let the new networks meet the judgement and the old networks."""
    out: Path = given.out
    log = Log(out)
    played: Path = given.played or out / "games"
    ways = [] if given.only_networks else [Searcher(None, None, given.simulations)]
    if given.weights is not None:
        many = 2 * given.simulations
        ways.extend(Searcher(given.weights, turns, many) for turns in given.horizons)
    with workers_of(given.workers, log) as pool:
        seen = None
        if given.judged:
            tasks = seeing.judged_tasks(given.judged, 3_000_000 + given.first, given.judged_seconds)
            found = pool.map(seeing.see_judged, tasks, 1)
            seen = seeing.join([one for one in found if one is not None])
            log(f"judged: {len(seen.game)} positions of {int(seen.game.max()) + 1} games")
        work = selfplay.tasks(played, ways, given.workers, given.first, given.seconds)
        playing = pool.map_async(selfplay.work, work, 1)
        from training.course import Course  # noqa: PLC0415  # torch only after the workers are forked

        course = Course(given.device, log)
        if given.resume is not None:
            course.load(given.resume)
        if seen is not None:
            course.begin(seen)
        log(f"played {sum(playing.get())} games")
        _archive(played, out)
        paths = selfplay.shards([*given.games, played])
        lesson = seeing.join(pool.map(seeing.see_shard, paths, 1))
        log(f"seen: {len(lesson.game)} positions of {int(lesson.game.max()) + 1} games")
        networks = course.go_on(lesson)
        course.save(out / "course.pt")
        made = {"command": "python -m training iterate", "first": given.first}
        new = out / "weights.json"
        new.write_text(write(networks, made), "utf-8")
        log(f"wrote {new.name}")
        _meet(pool, new, given.weights, given.total - log.seconds, given.think, log)


def _archive(played: Path, out: Path) -> None:
    """All games in archives that are not too large to be carried about."""
    parts: list[list[Path]] = []
    size = ARCHIVE
    for path in selfplay.shards([played]):
        if size >= ARCHIVE:
            parts.append([])
            size = 0
        parts[-1].append(path)
        size += path.stat().st_size
    for number, paths in enumerate(parts):
        with tarfile.open(out / f"games-{number}.tar", "w") as archive:
            for path in paths:
                archive.add(path, path.name)


def _meet(pool: Pool, new: Path, old: Path | None, seconds: float, think: float, log: Log) -> None:
    """One of the new against others, with equal time for a decision."""
    ways = {
        "1 turn": Searcher(new, 1, seconds=think),
        "2 turns": Searcher(new, 2, seconds=think),
        "a round": Searcher(new, None, seconds=think),
    }
    pairs = [(name, how, "judgement", Searcher(seconds=think)) for name, how in ways.items()]
    gate = (
        [] if old is None else [("1 turn", ways["1 turn"], "old", Searcher(old, 1, seconds=think))]
    )
    until = time.time() + seconds
    running = []
    for place, setup in TABLES.items():
        for name, challenger, rival, defender in [*pairs, *(gate if place == GATE else [])]:
            work = matches.tasks(setup, 400, challenger, defender, until)
            running.append((place, name, rival, work))
    # One game of each in turn, so that all have as many when the time is up.
    rounds = zip(*(work for *_, work in running), strict=True)
    every = [one for together in rounds for one in together]
    results = pool.map(matches.play, every, 1)
    for number, (place, name, rival, _) in enumerate(running):
        log(f"{place}: {name} against {rival}: {matches.score(results[number :: len(running)])}")


def prove(given: argparse.Namespace) -> None:
    """Let one bot meet others at every table, as bots are, and tell the results with intervals."""
    log = Log(given.out)
    pairings = [
        Pairing(place, given.bot, others, int(games))
        for spec in given.against
        for others, _, games in [spec.rpartition("*")]
        for place in given.places
    ]
    with workers_of(given.workers, log) as pool:
        tasks = proving.tasks(pairings, time.time() + given.total - log.seconds)
        found: dict[Pairing, list[proving.Outcome]] = {pairing: [] for pairing in pairings}
        with (given.out / "outcomes.jsonl").open("w", encoding="utf-8") as file:
            for task, outcome in pool.imap_unordered(proving.play, tasks):
                if outcome is not None:
                    found[task.pairing].append(outcome)
                    print(json.dumps([asdict(task), asdict(outcome)]), file=file, flush=True)
    for pairing, outcomes in found.items():
        if outcomes:
            log(_row(pairing, outcomes))


def _row(pairing: Pairing, found: list[proving.Outcome]) -> str:
    """A row of a table: score, points and seconds of both sides."""
    score = matches.score([one.win for one in found])
    points, theirs, mine, seconds = (
        sum(values) / len(found)
        for values in zip(
            *((one.points, one.their_points, one.seconds, one.their_seconds) for one in found),
            strict=True,
        )
    )
    faults = sum(one.faults for one in found)
    return (
        f"{pairing.place}: {pairing.bot} against {pairing.others}: {score}; points {points:.1f} and "
        f"{theirs:.1f}; seconds a game {mine:.2f} and {seconds:.2f}; faults {faults}"
    )


def calibrate(given: argparse.Namespace) -> None:
    """Hold chances of a search against who won, in games of mixed players never learned from."""
    log = Log(given.out)
    how = Searcher(given.weights, None, given.simulations)
    with workers_of(given.workers, log) as pool:
        work = calibration.tasks(given.judged, given.first, how, given.positions)
        looked = pool.map(calibration.expect, work, 1)
    for players in sorted({players for players, _, _ in looked}):
        told = [told.reshape(-1) for number, told, _ in looked if number == players]
        won = [won.reshape(-1) for number, _, won in looked if number == players]
        found = calibration.reliability(np.concatenate(told), np.concatenate(won))
        bins = "  ".join(
            f"{a:.2f} {b:.2f} ({n})"
            for a, b, n in zip(found.told, found.true, found.counts, strict=True)
        )
        log(f"{players} players: error {found.error:.2%}; told, came true (how many): {bins}")


def main() -> None:
    """One step, as the command line says."""
    parser = argparse.ArgumentParser(prog="python -m training", description=__doc__)
    steps = parser.add_subparsers(required=True)
    step = steps.add_parser("iterate", help=iterate.__doc__)
    step.set_defaults(run=iterate)
    step.add_argument("--out", type=Path, required=True, help="where weights and report go")
    step.add_argument("--played", type=Path, help="where games go, by default beside the weights")
    step.add_argument("--weights", type=Path, help="networks that play")
    step.add_argument(
        "--only-networks", action="store_true", help="no search without networks plays"
    )
    step.add_argument("--games", type=Path, nargs="*", default=[], help="folders of earlier games")
    step.add_argument("--resume", type=Path, help="a course.pt to go on from")
    step.add_argument("--judged", type=int, default=0, help="games of the judgement to begin with")
    step.add_argument("--judged-seconds", type=float, default=80, help="for these, at most")
    step.add_argument("--workers", type=int, default=2)
    step.add_argument("--seconds", type=float, default=240, help="for playing")
    step.add_argument(
        "--total", type=float, default=560, help="for everything; matches get the rest"
    )
    step.add_argument("--simulations", type=int, default=200, help="networks get twice as many")
    step.add_argument(
        "--horizons", type=int, nargs="*", default=[1], help="turns until networks judge"
    )
    step.add_argument("--first", type=int, default=1_000_000, help="seed of the first game")
    step.add_argument("--think", type=float, default=0.02, help="seconds a decision in matches")
    step.add_argument("--device", default="cpu", help="where to learn: cpu or cuda")
    step = steps.add_parser("prove", help=prove.__doc__)
    step.set_defaults(run=prove)
    step.add_argument("--out", type=Path, required=True, help="where the report goes")
    step.add_argument("--bot", default="champion:time=0.28")
    step.add_argument("--against", nargs="+", default=["search:time=0.05*100"], help="BOT*GAMES")
    step.add_argument("--places", nargs="+", default=list(proving.PLACES))
    step.add_argument("--workers", type=int, default=2)
    step.add_argument("--total", type=float, default=560, help="seconds for everything")
    step = steps.add_parser("calibrate", help=calibrate.__doc__)
    step.set_defaults(run=calibrate)
    step.add_argument("--out", type=Path, required=True, help="where the report goes")
    step.add_argument("--weights", type=Path, help="networks; without them the judgement tells")
    step.add_argument("--judged", type=int, default=2400, help="games")
    step.add_argument("--positions", type=int, default=2, help="of a game, about")
    step.add_argument("--simulations", type=int, default=100)
    step.add_argument("--first", type=int, default=50_000_000, help="seed of the first game")
    step.add_argument("--workers", type=int, default=2)
    given = parser.parse_args()
    given.run(given)


if __name__ == "__main__":
    main()
