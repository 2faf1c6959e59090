"""How fast the engine is on this machine: uniformly random decisions, one core.

One decision is: list what is legal, choose one at random, carry it out.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from hansa import compiled
from hansa.boards import BOARD_IDS, load
from hansa.rules import kernels as interpreted
from hansa.rules.capacity import MAX_LEGAL
from hansa.rules.state import State
from hansa.setup import Setup

__all__ = ["BENCH_SETUPS", "measure", "rate"]

BENCH_SETUPS = {
    board_id: Setup(load(board_id).family, min(4, max(load(board_id).players)))
    for board_id in BOARD_IDS
}
CHUNK = 2000
"""Decisions between two looks at the clock."""


def measure(
    seconds: float = 1.0, progress: Callable[[str], None] | None = None
) -> dict[str, dict[str, float]]:
    """Decisions per second, interpreted and (where available) compiled, for each board file."""
    tell = progress or (lambda _: None)
    result: dict[str, dict[str, float]] = {"compiled": {}, "interpreted": {}}
    ways = ["interpreted"]
    if compiled.is_available() and compiled.warm_up(tell):
        ways.insert(0, "compiled")
    for way in ways:
        for board_id, setup in BENCH_SETUPS.items():
            tell(f"{way}: {board_id}")
            result[way][board_id] = rate(setup, way == "compiled", seconds)
    return result


def rate(setup: Setup, jit: bool, seconds: float) -> float:
    """Decisions per second of random games of a set-up, the best of three stretches."""
    stretches = [_stretch(setup, jit, seconds / 3, seed) for seed in (1, 2, 3)]
    return max(stretches)


def _stretch(setup: Setup, jit: bool, seconds: float, seed: int) -> float:
    kernel: Any = interpreted
    boards: Any = [setup.tables]
    buf: Any = [0] * MAX_LEGAL
    if jit:
        import numpy as np

        kernel, boards = compiled.kernels(), compiled.board_record(setup.board_id)
        buf = np.zeros(MAX_LEGAL, np.int64)
    chunk = CHUNK * 50 if jit else CHUNK
    played, spent = 0, 0.0
    while spent < seconds:
        states = _fresh(setup, seed, jit)
        begin = time.perf_counter()
        played += kernel.play_random(boards, states, 0, buf, seed, chunk)
        spent += time.perf_counter() - begin
        seed += 7
    return played / spent


def _fresh(setup: Setup, seed: int, jit: bool) -> Any:
    states: list[State] = [setup.with_seed(seed).new_state()]
    return compiled.state_records(states) if jit else states
