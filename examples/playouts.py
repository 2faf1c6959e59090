"""Thousands of games at once: who wins, by seat, when everybody plays by the playout policy.

Run: python examples/playouts.py --board east --players 3 --games 2000

Needs numpy; compiled with numba where that is installed (`pip install 'hansa[fast]'`).
"""

from __future__ import annotations

import argparse
import time

import hansa
from hansa.batch import Batch


def main() -> None:
    """Play a batch to its end and print what came of it."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--board", default="hansa", help="hansa, east or britannia")
    parser.add_argument("--players", type=int, default=3)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--most", type=int, default=20_000, help="decisions in one game")
    parser.add_argument("--interpreted", action="store_true", help="do not compile")
    options = parser.parse_args()

    setup = hansa.Setup(board=options.board, players=options.players)
    seeds = range(options.games)
    batch = Batch.new(setup, seeds, jit=False if options.interpreted else None)
    begun = time.perf_counter()
    lengths = batch.playout(seeds=list(seeds), most=options.most)
    seconds = time.perf_counter() - begun
    totals, wins = batch.results()

    print(f"{len(batch)} games, {lengths.mean():,.0f} decisions each, {seconds:.1f} s")
    print(f"{batch.over.mean():.0%} came to their end")
    shares = wins / wins.sum(axis=1, keepdims=True)
    for seat, player in enumerate(batch.names()):
        print(f"{player}: {totals[:, seat].mean():5.1f} points, {shares[:, seat].mean():4.0%} wins")


if __name__ == "__main__":
    main()
