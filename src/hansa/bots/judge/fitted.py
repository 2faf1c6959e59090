"""The values of the weights, found by play against itself; data, never compiled in."""

from __future__ import annotations

from hansa.bots.judge.weights import EVAL, KNOBS, WORK_SIZE

WEIGHTS: tuple[int, ...] = (
    90, 55, 95, 100,
    1000, 550, 900, 450, 850,
    330, 260, 200,
    220, 150, 120,
    380, 200, 110,
    45, 20,
    100,
    0, 320, 140, 430, 210, 280, 110, 90, 110, 150, 130, 40,
    5, 150, 40, 14, 30, 100, 90, 88, 45, 50, 60, 40, 100, 33, 80, 100, 8, 12, 200, 1000, 1500,
    230, 140, 230, 70, 0, 80,
)  # fmt: skip

EVALUATION: tuple[int, ...] = (0, 1000)


def new_work() -> list[int]:
    """A work list with the weights in their place."""
    w = [0] * WORK_SIZE
    w[KNOBS : KNOBS + len(WEIGHTS)] = WEIGHTS
    w[EVAL : EVAL + len(EVALUATION)] = EVALUATION
    return w
