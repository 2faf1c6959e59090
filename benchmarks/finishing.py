"""All bots finish games of all set-ups. Run: python benchmarks/finishing.py

Every set-up the rules allow is played once by searches and greedy bots in turns, and once with a
random bot at the table. Tells how many games came to their end, and the longest. (Random bots
alone may play on for ever, and are then stopped.)
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys

from hansa.bots import compiling
from hansa.bots.match import Result, play_match
from hansa.setup import Setup, all_setups

MIXES = {
    "search and greedy": ("search:simulations=8", "greedy"),
    "random among greedy": ("random", "greedy", "greedy", "greedy", "greedy"),
}


def played(job: tuple[str, Setup]) -> Result:
    """One game of a mix."""
    mix, setup = job
    seats = [MIXES[mix][k % len(MIXES[mix])] for k in range(setup.players)]
    return play_match(seats, setup)


def main() -> None:
    """Play and count; the exit status is 1 if one did not end, or a bot failed."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--workers", type=int, default=os.cpu_count(), help="games at a time")
    options = parser.parse_args()
    compiling.prepare(print)
    setups = [setup.with_seed(k) for k, setup in enumerate(all_setups())]
    unfinished = 0
    print(f"{'bots':22}{'games':>7}{'ended':>7}{'faults':>8}   longest")
    context = multiprocessing.get_context("spawn")
    with context.Pool(options.workers) as pool:
        for mix in MIXES:
            results = pool.map(played, [(mix, setup) for setup in setups], chunksize=1)
            ended = sum(result.end_reason is not None for result in results)
            faults = sum(len(result.faults) for result in results)
            longest = max(result.decisions for result in results)
            print(
                f"{mix:22}{len(results):7}{ended:7}{faults:8}   {longest:,} decisions", flush=True
            )
            unfinished += len(results) - ended + faults
    sys.exit(1 if unfinished else 0)


if __name__ == "__main__":
    main()
