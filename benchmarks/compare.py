"""The engine before and after a change, in one run: python benchmarks/compare.py REF [--rounds N]

Both are measured in turns, by their own `hansa bench`, so that what else the machine does meets both
alike. The figure of a board is the best round of each; the ratio is after / before.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[1]
Rates = dict[str, dict[str, float]]


@contextmanager
def checked_out(ref: str) -> Iterator[Path]:
    """The project as it was at a commit, in a folder that goes away again."""
    with tempfile.TemporaryDirectory() as folder:
        old = Path(folder) / "before"
        git = ["git", "-C", str(ROOT), "worktree"]
        subprocess.run([*git, "add", "--detach", str(old), ref], check=True)  # noqa: S603  # as typed
        try:
            yield old
        finally:
            subprocess.run([*git, "remove", "--force", str(old)], check=True)  # noqa: S603  # our own folder


def told_by(checkout: Path, *arguments: str) -> str:
    """What Python says to these arguments with the package of a checkout."""
    return subprocess.run(  # noqa: S603  # our own command
        [sys.executable, *arguments],
        env={**os.environ, "PYTHONPATH": str(checkout / "src")},
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    ).stdout


def measure(checkout: Path, seconds: float) -> Rates:
    """What `hansa bench` of a checkout says."""
    start = "from hansa.cli import main; main()"
    told = told_by(checkout, "-c", start, "bench", "--json", "--seconds", str(seconds))
    rates: Rates = json.loads(told)
    return rates


def best(rounds: list[Rates], way: str, board: str) -> float:
    """The quickest of the rounds."""
    return max(one[way][board] for one in rounds)


def report(before: list[Rates], after: list[Rates]) -> None:
    """One line a board and way."""
    print(f"{'':14} {'board':14} {'before':>12} {'after':>12}   ratio")
    for way in ("compiled", "interpreted"):
        for board in before[0][way]:
            old, new = best(before, way, board), best(after, way, board)
            print(f"{way:14} {board:14} {old:12,.0f} {new:12,.0f} {new / old:7.3f}")


def main() -> None:
    """Measure the checkout of a commit and this one."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("ref", help="the commit to compare with")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=1.0, help="for each board and way")
    options = parser.parse_args()
    before: list[Rates] = []
    after: list[Rates] = []
    with checked_out(options.ref) as old:
        for number in range(options.rounds):
            print(f"round {number + 1} of {options.rounds}", file=sys.stderr)
            before.append(measure(old, options.seconds))
            after.append(measure(ROOT, options.seconds))
    report(before, after)


if __name__ == "__main__":
    main()
