"""The values of the weights, found by play against itself; data, never compiled in."""

from __future__ import annotations

from hansa.bots.judge.weights import CALM, EVAL, KNOBS, UNCERTAIN, WORK_SIZE

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

# Thousandths of each feature of evaluation.py, in its order; a line each for constant and total;
# keys; actions; privilege; book; bank; pieces, plans and link; unused markers; the rest.
EVALUATIONS: dict[str, tuple[int, ...]] = {
    "hansa": (
        0, 889,
        1986, 1314, 1336, 8491,
        8041, 1879, 7505, 5090, 2154,
        2356, 3562, 1613,
        403, 960, 5497,
        1507, 4440, 681,
        285, 514, 518, 468, 43, 200,
        443, 472, 3000, 3772, 4815, 1000, 800, 1149, 1000, 1000, 300,
        2352, -690, -747, 0, -529, 700, 0, 149,
    ),
    "east": (
        0, 859,
        1189, 2509, 1662, 8807,
        7188, 2433, 7367, 4858, 1921,
        3008, 2228, 1959,
        -71, 534, 5448,
        1698, 3297, -196,
        311, 417, 424, 420, 84, 440,
        584, 245, 3000, 3712, 4585, 1000, 800, 730, 1000, 1000, 300,
        1554, -1025, -750, 0, 490, 700, 0, 144,
    ),
    "britannia": (
        0, 656,
        1313, 1042, 2179, 8608,
        11637, 2517, 8522, 6963, 1846,
        4599, 2172, 2058,
        257, 740, 5519,
        1366, 3459, 129,
        258, -195, 242, 580, 231, -271,
        874, 490, 3000, 4346, 5140, 1000, 800, 904, 1000, 1000, 300,
        3495, 205, -714, 0, -554, 700, 0, 47,
    ),
    "duel": (
        0, 543,
        2563, 4039, 3095, 7241,
        7362, 4492, 5969, 5686, 1775,
        2431, 2157, 1990,
        2169, 1243, 6003,
        2660, 2419, 125,
        354, 229, 193, 492, 81, -152,
        956, 564, 3000, 2941, 3627, 1000, 800, 814, 1000, 1000, 300,
        2083, -61, -1041, 0, -528, 700, 0, 162,
    ),
}  # fmt: skip

CALMNESS: tuple[int, dict[str, int]] = (
    180,
    {"hansa": 213, "east": 201, "britannia": 362, "duel": 205},
)
"""CALM, and UNCERTAIN for each kind of game."""


def kind_of(board: str, players: int) -> str:
    """Which of the evaluations suits a game."""
    return "duel" if players == 2 else board


def new_work(kind: str = "hansa") -> list[int]:
    """A work list with the weights in their place."""
    w = [0] * WORK_SIZE
    w[KNOBS : KNOBS + len(WEIGHTS)] = WEIGHTS
    w[EVAL : EVAL + len(EVALUATIONS[kind])] = EVALUATIONS[kind]
    w[CALM], w[UNCERTAIN] = CALMNESS[0], CALMNESS[1][kind]
    return w
