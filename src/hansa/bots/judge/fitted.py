"""The values of the weights, found by play against itself; data, never compiled in."""

from __future__ import annotations

from hansa.bots.judge.weights import EVAL, KNOBS, WORK_SIZE

# What weights.py names, in its order.
WEIGHTS: tuple[int, ...] = (
    90, 55, 95, 100,  # keys
    1000, 550, 900, 450, 850,  # actions
    330, 260, 200,  # privilege
    134, 150, 120,  # book
    380, 200, 110,  # bank
    45, 20,  # full tracks
    165,  # markers
    0, 320, 140, 430, 210, 280, 110, 90, 110, 150, 130, 40,  # use of markers
    4, 182, 40, 14, 30, 100,  # offices
    90, 88, 31, 50, 60, 40, 100,  # plans
    33, 80, 100, 8, 12, 200,  # income, spaces, posts, markers
    1000, 1500, 230, 140, 230, 210, 0, 80,  # the end, modules, the rest
)  # fmt: skip

# Thousandths of each feature of evaluation.py, in its order.
EVALUATION: tuple[int, ...] = (
    0, 1054,  # constant, total
    600, 600, 1249, 8741,  # keys
    5586, 2213, 5479, 5930, 1206,  # actions
    1959, 2496, 2137,  # privilege
    600, 600, 5535,  # book
    1431, 3393, 600,  # bank
    300, 1159, 429, 169, 0, 666,  # pieces, plans, link
    645, 363, 3000, 3291, 3909, 1000, 800, 677, 1000, 1000, 300,  # unused markers
    881, 0, -725, 0, 0, 700, 0, 121,  # offices, network, wait, time, cities, tiles, time, stock
)  # fmt: skip


def new_work() -> list[int]:
    """A work list with the weights in their place."""
    w = [0] * WORK_SIZE
    w[KNOBS : KNOBS + len(WEIGHTS)] = WEIGHTS
    w[EVAL : EVAL + len(EVALUATION)] = EVALUATION
    return w
