"""Speed of the engine: decisions, copies, threads, start. Run: python benchmarks/engine.py

Figures are ratios against the interpreted engine, or against one thread, of the same run.
"""

from __future__ import annotations

import subprocess
import sys
import time

import numpy as np

from hansa import compiled
from hansa.batch import Batch
from hansa.bench import BENCH_SETUPS, rate
from hansa.rules.state import STATE_SIZE
from hansa.setup import Setup

SECONDS = 3.0
GAMES = 400


def decisions() -> None:
    """Uniformly random decisions on one core."""
    print("decisions per second, one core          compiled   interpreted      ratio")
    for board_id, setup in BENCH_SETUPS.items():
        fast, slow = rate(setup, True, SECONDS), rate(setup, False, SECONDS)
        print(f"  {board_id:36} {fast:10,.0f} {slow:13,.0f} {fast / slow:9.1f}x")


def copies() -> None:
    """Copying states: one row among many."""
    states = compiled.state_records([Setup().new_state()] * 1000)
    rows = states.view(np.uint8).reshape(1000, STATE_SIZE)
    target = rows.copy()
    begin = time.perf_counter()
    for _ in range(200):
        target[:] = rows
    spent = (time.perf_counter() - begin) / 200_000
    print(f"a state: {STATE_SIZE} bytes; copied in an array: {spent * 1e9:.0f} ns")


def playouts(threads: int) -> float:
    """Decisions per second of whole playouts by the policy."""
    batch = Batch.new(Setup("hansa", 4), range(GAMES), jit=True, threads=threads)
    begin = time.perf_counter()
    played = batch.playout(range(GAMES), 100_000)
    return float(played.sum()) / (time.perf_counter() - begin)


def threads() -> None:
    """Two threads on two cores, the best of three runs each."""
    playouts(1)
    one = max(playouts(1) for _ in range(3))
    two = max(playouts(2) for _ in range(3))
    print(f"playouts by the policy: {one:,.0f} decisions/s, two threads {two / one:.2f}x")


def starts() -> None:
    """`import hansa` and a new game, in a process of its own."""
    command = [sys.executable, "-c", "import hansa; hansa.Game.new().legal_actions()"]
    nothing = [sys.executable, "-c", "pass"]
    took = []
    for what in (nothing, command):
        begin = time.perf_counter()
        subprocess.run(what, check=True)  # noqa: S603  # our own command
        took.append(time.perf_counter() - begin)
    print(f"import hansa and a new game: {took[1]:.2f} s (Python alone: {took[0]:.2f} s)")


def main() -> None:
    """Everything."""
    begin = time.perf_counter()
    if not compiled.warm_up(print):
        raise SystemExit("the compiled engine is not available: install hansa[fast]")
    print(f"compiled engine ready after {time.perf_counter() - begin:.1f} s")
    decisions()
    copies()
    threads()
    starts()


if __name__ == "__main__":
    main()
