"""The steps of expert iteration, one command each."""

from __future__ import annotations

import argparse
import tarfile
from collections.abc import Mapping
from multiprocessing.pool import Pool
from pathlib import Path

from hansa.arena.cluster import LOCAL
from hansa.bots.judge.styles import STYLES
from hansa.bots.learned.files import write
from training import far, gate, proving, seeing, selfplay
from training.report import Log, workers_of
from training.tables import Searcher
from training.trials import (
    calibrate,
    doublings,
    draw_curve,
    find_tactics,
    gallery,
    prove,
    write_strong,
)

ARCHIVE = 12_000_000
"""Bytes of games in one archive, about."""


def generate(given: argparse.Namespace) -> None:
    """Let searches play against each other, and keep what networks can learn from."""
    log = Log(given.out)
    if given.ray:
        log(f"played {_far(given, given.out)} games")
        return
    with workers_of(given.workers, log) as pool:
        log(f"played {_here(pool, given, given.out)} games")


def _here(pool: Pool, given: argparse.Namespace, folder: Path) -> int:
    work = selfplay.tasks(folder, _ways(given), given.workers, given.first, given.seconds)
    return sum(pool.map(selfplay.work, work, 1))


def _far(given: argparse.Namespace, folder: Path) -> int:
    return far.generate(folder, _ways(given), given.first, given.seconds, given.ray, given.workers)


def _ways(given: argparse.Namespace) -> list[Searcher]:
    ways = [] if given.only_networks else [Searcher(None, None, given.simulations)]
    if given.weights is not None:
        many = 2 * given.simulations
        ways.extend(Searcher(given.weights, turns or None, many) for turns in given.horizons)
    if not ways:
        raise SystemExit("--only-networks needs networks: name their file with --weights")
    return ways


def learn(given: argparse.Namespace) -> None:
    """Learn chances and promise from games that were played."""
    log = Log(given.out)
    with workers_of(given.workers, log) as pool:
        seen = _judged(pool, given, log)
        _learn(pool, given, given.games, seen, log)


def _judged(pool: Pool, given: argparse.Namespace, log: Log) -> seeing.Seen | None:
    """Many cheap games of the judgement to begin with, if asked for."""
    if not given.judged:
        return None
    tasks = seeing.judged_tasks(given.judged, 3_000_000 + given.first, given.judged_seconds)
    found = pool.map(seeing.see_judged, tasks, 1)
    seen = seeing.join([one for one in found if one is not None])
    log(f"judged: {len(seen.game)} positions of {int(seen.game.max()) + 1} games")
    return seen


def _learn(
    pool: Pool,
    given: argparse.Namespace,
    folders: list[Path],
    judged: seeing.Seen | None,
    log: Log,
) -> Path:
    """The file of the networks that came of it."""
    from training.course import Course  # noqa: PLC0415  # torch only after the workers are forked

    shards = selfplay.shards(folders)
    if not shards:
        raise SystemExit(f"no games in {', '.join(map(str, folders)) or '--games'}: generate some")
    course = Course(given.device, log)
    if given.resume is not None:
        course.load(given.resume)
    if judged is not None:
        course.begin(judged)
    lesson = seeing.join(pool.map(seeing.see_shard, shards, 1))
    log(f"seen: {len(lesson.game)} positions of {int(lesson.game.max()) + 1} games")
    networks = course.go_on(lesson)
    course.save(given.out / "course.pt")
    made = {"command": "python -m training", "first": given.first}
    new: Path = given.out / "weights.json"
    new.write_text(write(networks, made), "utf-8")
    log(f"wrote {new.name}")
    return new


def pass_gate(given: argparse.Namespace) -> None:
    """Let new networks meet old ones; they must win more than a fair share."""
    log = Log(given.out)
    with workers_of(given.workers, log) as pool:
        rivals = {given.old.name if given.old else gate.JUDGEMENT: given.old}
        found = gate.meet(pool, given.new, rivals, given.total - log.seconds, given.think)
    if not gate.passed(found, log):
        raise SystemExit(1)


def iterate(given: argparse.Namespace) -> None:
    """All three: play, learn, and let the new networks meet the old ones and the judgement."""
    log = Log(given.out)
    played: Path = given.played or given.out / "games"
    with workers_of(given.workers, log) as pool:
        judged = _judged(pool, given, log)
        games = _far(given, played) if given.ray else _here(pool, given, played)
        log(f"played {games} games")
        _archive(played, given.out)
        new = _learn(pool, given, [*given.games, played], judged, log)
        rivals = {gate.JUDGEMENT: None, **({"old": given.weights} if given.weights else {})}
        found = gate.meet(pool, new, rivals, given.total - log.seconds, given.think)
    for rival in rivals:
        gate.passed([match for match in found if match.rival == rival], log)


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


def _options() -> list[argparse.ArgumentParser]:
    """What several steps can be told: about all work, playing, learning, gate, and the seed."""
    every, playing, learning, meeting, seed = (
        argparse.ArgumentParser(add_help=False) for _ in range(5)
    )
    every.add_argument("--out", type=Path, required=True, help="where results and report go")
    every.add_argument("--workers", type=int, default=2)
    every.add_argument("--total", type=float, default=560, help="seconds for everything")
    playing.add_argument("--weights", type=Path, help="networks that play")
    playing.add_argument(
        "--only-networks", action="store_true", help="no search without networks plays"
    )
    playing.add_argument("--seconds", type=float, default=240, help="for playing")
    playing.add_argument("--simulations", type=int, default=200, help="networks get twice as many")
    playing.add_argument(
        "--horizons",
        type=int,
        nargs="*",
        default=[0],
        help="turns until networks judge; 0: a round",
    )
    playing.add_argument(
        "--ray",
        metavar="ADDRESS",
        nargs="?",
        const=LOCAL,
        help="play on a Ray cluster; without an address, one of this machine",
    )
    learning.add_argument("--games", type=Path, nargs="*", default=[], help="folders of games")
    learning.add_argument("--resume", type=Path, help="a course.pt to go on from")
    learning.add_argument(
        "--judged", type=int, default=0, help="games of the judgement to begin with"
    )
    learning.add_argument("--judged-seconds", type=float, default=80, help="for these, at most")
    learning.add_argument("--device", default="cpu", help="where to learn: cpu or cuda")
    meeting.add_argument("--think", type=float, default=0.02, help="seconds a decision in matches")
    seed.add_argument("--first", type=int, default=1_000_000, help="seed of the first game")
    return [every, playing, learning, meeting, seed]


def _trial_options(steps: Mapping[str, argparse.ArgumentParser]) -> None:
    """What each of the trials can be told besides."""
    for name, bot, places in (
        ("prove", "champion:time=0.28", [*proving.PLACES]),
        ("gallery", "champion:time=0.15", [*proving.PLACES]),
        ("doublings", "champion", ["pawn duel"]),
    ):
        steps[name].add_argument("--bot", default=bot, help="who is proven")
        steps[name].add_argument(
            "--places", nargs="+", choices=proving.PLACES, default=places, metavar="PLACE"
        )
    step = steps["prove"]
    step.add_argument("--against", nargs="+", default=["search:time=0.05*100"], help="BOT*GAMES")
    step = steps["gallery"]
    step.add_argument("--styles", nargs="+", choices=STYLES, default=[*STYLES])
    step.add_argument("--games", type=int, default=40, help="of every pairing at a place")
    step = steps["doublings"]
    step.add_argument("--least", type=int, default=256, help="simulations of the first loser")
    step.add_argument("--times", type=int, default=4, help="how often they are doubled")
    step.add_argument("--games", type=int, default=100, help="of every doubling at a place")
    step = steps["calibrate"]
    step.add_argument("--weights", type=Path, help="networks; without them the judgement tells")
    step.add_argument("--judged", type=int, default=2400, help="games")
    step.add_argument("--positions", type=int, default=2, help="of a game, about")
    step.add_argument("--simulations", type=int, default=100)
    step.add_argument("--first", type=int, default=50_000_000, help="seed of the first game")
    step = steps["tactics"]
    step.add_argument("--games", type=int, default=12, help="of every kind")
    step.add_argument("--first", type=int, default=400, help="seed of the first game")
    step = steps["curve"]
    step.add_argument("--reports", type=Path, nargs="+", required=True, help="report.txt of runs")
    step = steps["strong"]
    step.add_argument("--records", nargs="+", required=True, help="NAME=FOLDER, one for each table")
    step.add_argument(
        "--bots", default="champion:simulations=200,seed=1 champion:simulations=200,seed=2"
    )


def main() -> None:
    """One step, as the command line says."""
    parser = argparse.ArgumentParser(prog="python -m training", description=__doc__)
    steps = parser.add_subparsers(required=True)
    every, playing, learning, meeting, seed = _options()
    for run, name, parts in (
        (generate, "generate", [every, playing, seed]),
        (learn, "learn", [every, learning, seed]),
        (pass_gate, "gate", [every, meeting]),
        (iterate, "iterate", [every, playing, learning, meeting, seed]),
        (prove, "prove", [every]),
        (gallery, "gallery", [every]),
        (doublings, "doublings", [every]),
        (calibrate, "calibrate", [every]),
        (find_tactics, "tactics", [every]),
        (draw_curve, "curve", [every]),
        (write_strong, "strong", [every]),
    ):
        steps.add_parser(name, help=run.__doc__, parents=parts).set_defaults(run=run)
    steps.choices["gate"].add_argument("--new", type=Path, required=True, help="networks to try")
    steps.choices["gate"].add_argument(
        "--old", type=Path, help="without: a search without networks"
    )
    steps.choices["iterate"].add_argument(
        "--played", type=Path, help="where games go, by default beside the weights"
    )
    _trial_options(steps.choices)
    given = parser.parse_args()
    given.run(given)


if __name__ == "__main__":
    main()
