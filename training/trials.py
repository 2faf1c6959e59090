"""The steps that hold what was learned against something: other bots, styles, half the search, truth."""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np

from hansa.errors import HansaError
from training import calibration, matches, pictures, proving, strong, tactics
from training.proving import Outcome, Pairing
from training.report import Log, workers_of
from training.tables import Searcher


def prove(given: argparse.Namespace) -> None:
    """Let one bot meet others at every table, as bots are, and tell the results with intervals."""
    _meet(
        given,
        [
            Pairing(place, given.bot, others, int(games))
            for spec in given.against
            for others, _, games in [spec.rpartition("*")]
            for place in given.places
        ],
    )


def gallery(given: argparse.Namespace) -> None:
    """Let a bot meet every style: alone among them, and each of them alone among its like."""
    _meet(given, proving.gallery(given.bot, given.styles, given.places, given.games))


def doublings(given: argparse.Namespace) -> None:
    """Let a bot meet itself with half the simulations, again and again."""
    _meet(given, proving.doublings(given.bot, given.least, given.times, given.places, given.games))


def _meet(given: argparse.Namespace, pairings: Sequence[Pairing]) -> None:
    """Play what is not played yet, writing game by game; the same command goes on after a stop."""
    log = Log(given.out)
    path: Path = given.out / "outcomes.jsonl"
    known = proving.read(path)
    with (
        workers_of(given.workers, log, bots=True) as pool,
        path.open("a", encoding="utf-8") as file,
    ):
        until = time.time() + given.total - log.seconds
        for task, outcome in pool.imap_unordered(
            proving.play, [one for one in proving.tasks(pairings, until) if one.key not in known]
        ):
            if outcome is not None:
                known[task.key] = outcome
                print(proving.line(task, outcome), file=file, flush=True)
    for pairing in pairings:
        found = [known[key] for k in range(pairing.games) if (key := (pairing, k)) in known]
        if found:
            log(_row(pairing, found))


def _row(pairing: Pairing, found: Sequence[Outcome]) -> str:
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
    found = {
        players: calibration.reliability(
            np.concatenate([told.reshape(-1) for number, told, _ in looked if number == players]),
            np.concatenate([won.reshape(-1) for number, _, won in looked if number == players]),
        )
        for players in sorted({players for players, _, _ in looked})
    }
    for players, one in found.items():
        log(f"{players} players: error {one.error:.2%}; told, came true (how many): {_bins(one)}")
    picture: Path = given.out / "calibration.svg"
    picture.write_text(pictures.reliability(found), "utf-8")
    log(f"drew {picture.name}")


def _bins(found: calibration.Reliability) -> str:
    rows: Iterable[tuple[float, float, int]] = zip(
        found.told, found.true, found.counts, strict=True
    )
    return "  ".join(f"{a:.2f} {b:.2f} ({n})" for a, b, n in rows)


def find_tactics(given: argparse.Namespace) -> None:
    """Look for positions in which one decision is clearly best and judgement does not see it."""
    log = Log(given.out)
    path: Path = given.out / "tactics.jsonl"
    with (
        workers_of(given.workers, log, bots=True) as pool,
        path.open("w", encoding="utf-8") as file,
    ):
        for found in pool.imap(tactics.look_through, tactics.tasks(given.games, given.first)):
            for one in found:
                print(json.dumps(one), file=file, flush=True)
                log(f"{one['kind']}: {', '.join(one['right'])}")


def draw_curve(given: argparse.Namespace) -> None:
    """Draw the learning curves that reports tell of."""
    given.out.mkdir(parents=True, exist_ok=True)
    picture: Path = given.out / "learning.svg"
    try:
        picture.write_text(pictures.curves(given.reports), "utf-8")
    except (OSError, ValueError) as error:
        raise SystemExit(str(error)) from None
    print(f"drew {picture}")


def write_strong(given: argparse.Namespace) -> None:
    """Write the page about how strong players play, and its pictures, from records."""
    records = {
        name: Path(folder) for name, _, folder in (one.partition("=") for one in given.records)
    }
    try:
        tables = [strong.gather(name, folder) for name, folder in records.items()]
    except HansaError as error:
        raise SystemExit(str(error)) from None
    still: Path = given.out / "_static"
    still.mkdir(parents=True, exist_ok=True)
    for table in tables:
        for name, drawn in strong.pictures(table):
            (still / name).write_text(drawn, "utf-8")
    (given.out / strong.PAGE).write_text(strong.page(tables, given.bots), "utf-8")
    print(f"wrote {given.out / strong.PAGE}")
