"""The values of the weights, found by play against itself; data, never compiled in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from statistics import median_low
from typing import Any

from hansa.bots.judge.weights import Weights
from hansa.bots.record import fill
from hansa.grammar import MARKER_NAMES as MARKERS
from hansa.names import SKILLS
from hansa.rules.codes import SKILL_STEPS

USUAL = "hansa"
"""The kind whose evaluation serves where none has been fitted."""

WEIGHTS: dict[str, Any] = {
    "steps": {
        "keys": (90, 55, 95, 100),
        "actions": (1000, 550, 900, 450, 850),
        "privilege": (330, 260, 200),
        "book": (134, 150, 120),
        "bank": (380, 200, 110),
    },
    "full_near": 45, "full_far": 20,
    "marker_scale": 165,
    "use": {
        "extra-office": 320, "swap": 140, "skill": 430, "plus3": 210, "plus4": 280, "remove3": 110,
        "replace3": 90, "move3": 110, "exchange": 150, "tribute": 130, "block": 40,
    },
    "network_growth": 4, "keys_later": 182, "seed_share": 40, "flow": 14, "guard": 30,
    "link_scale": 100,
    "gift": 90, "risk": 88, "move_cost": 31, "piece_cost": 50, "short_cost": 60, "short_fixed": 40,
    "for_others": 100,
    "income_rich": 33, "income_poor": 80, "prestige_scale": 100, "in_way": 8, "lay_length": 12,
    "extra_kept": 200, "winning_end": 1000, "losing_end": 1500,
    "mission": 230, "region": 140, "permission": 230,
    "action": 210, "completes": 0, "move_from": 80,
    "calm": 180,
}  # fmt: skip

# Thousandths of each feature, by kind of game.
EVALUATIONS: dict[str, dict[str, Any]] = {
    "hansa": {
        "constant": 0, "total": 889,
        "steps": {
            "keys": (1986, 1314, 1336, 8491),
            "actions": (8041, 1879, 7505, 5090, 2154),
            "privilege": (2356, 3562, 1613),
            "book": (403, 960, 5497),
            "bank": (1507, 4440, 681),
        },
        "supply": 285, "merchants": 514, "posts": 518, "nearest": 468, "near": 43, "link": 200,
        "unused": {
            "extra-office": 443, "swap": 472, "skill": 3000, "plus3": 3772, "plus4": 4815,
            "remove3": 1000, "replace3": 800, "move3": 1149, "exchange": 1000, "tribute": 1000,
            "block": 300,
        },
        "offices": 2352, "network": -690, "wait": -747, "ahead": 0, "cities": -529, "tile": 700,
        "later": 0, "stock": 149,
    },
    "east": {
        "constant": 0, "total": 859,
        "steps": {
            "keys": (1189, 2509, 1662, 8807),
            "actions": (7188, 2433, 7367, 4858, 1921),
            "privilege": (3008, 2228, 1959),
            "book": (-71, 534, 5448),
            "bank": (1698, 3297, -196),
        },
        "supply": 311, "merchants": 417, "posts": 424, "nearest": 420, "near": 84, "link": 440,
        "unused": {
            "extra-office": 584, "swap": 245, "skill": 3000, "plus3": 3712, "plus4": 4585,
            "remove3": 1000, "replace3": 800, "move3": 730, "exchange": 1000, "tribute": 1000,
            "block": 300,
        },
        "offices": 1554, "network": -1025, "wait": -750, "ahead": 0, "cities": 490, "tile": 700,
        "later": 0, "stock": 144,
    },
    "britannia": {
        "constant": 0, "total": 656,
        "steps": {
            "keys": (1313, 1042, 2179, 8608),
            "actions": (11637, 2517, 8522, 6963, 1846),
            "privilege": (4599, 2172, 2058),
            "book": (257, 740, 5519),
            "bank": (1366, 3459, 129),
        },
        "supply": 258, "merchants": -195, "posts": 242, "nearest": 580, "near": 231, "link": -271,
        "unused": {
            "extra-office": 874, "swap": 490, "skill": 3000, "plus3": 4346, "plus4": 5140,
            "remove3": 1000, "replace3": 800, "move3": 904, "exchange": 1000, "tribute": 1000,
            "block": 300,
        },
        "offices": 3495, "network": 205, "wait": -714, "ahead": 0, "cities": -554, "tile": 700,
        "later": 0, "stock": 47,
    },
    "duel": {
        "constant": 0, "total": 543,
        "steps": {
            "keys": (2563, 4039, 3095, 7241),
            "actions": (7362, 4492, 5969, 5686, 1775),
            "privilege": (2431, 2157, 1990),
            "book": (2169, 1243, 6003),
            "bank": (2660, 2419, 125),
        },
        "supply": 354, "merchants": 229, "posts": 193, "nearest": 492, "near": 81, "link": -152,
        "unused": {
            "extra-office": 956, "swap": 564, "skill": 3000, "plus3": 2941, "plus4": 3627,
            "remove3": 1000, "replace3": 800, "move3": 814, "exchange": 1000, "tribute": 1000,
            "block": 300,
        },
        "offices": 2083, "network": -61, "wait": -1041, "ahead": 0, "cities": -528, "tile": 700,
        "later": 0, "stock": 162,
    },
}  # fmt: skip

UNCERTAIN: dict[str, int] = {"hansa": 213, "east": 201, "britannia": 362, "duel": 205}


def kind_of(board: str, players: int) -> str:
    """Which of the evaluations suits a game."""
    if players == 2:
        return "duel"
    return board if board in EVALUATIONS else USUAL


@cache
def weights_of(kind: str = USUAL) -> Weights:
    """All weights for a kind of game, shared and never changed.

    Raises ValueError where a name is missing or unknown, or has not as many values as it needs.
    """
    evaluation = EVALUATIONS[kind]
    weights = Weights()
    fill(
        weights,
        {
            **WEIGHTS,
            "steps": _by_skill(WEIGHTS["steps"]),
            "use": _by_marker(WEIGHTS["use"]),
            "evaluation": {
                **evaluation,
                "steps": _by_skill(evaluation["steps"]),
                "unused": _by_marker(evaluation["unused"]),
            },
            "uncertain": UNCERTAIN[kind],
        },
    )
    return weights


def _by_skill(values: Mapping[str, Sequence[int]]) -> list[int]:
    if [(name, len(steps)) for name, steps in values.items()] != list(
        zip(SKILLS, SKILL_STEPS, strict=True)
    ):
        raise ValueError(f"steps of skills: not those of {', '.join(SKILLS)}: {dict(values)}")
    return [value for steps in values.values() for value in steps]


def _by_marker(values: Mapping[str, int]) -> list[int]:
    """A marker that nobody has fitted yet counts as the middle one of the others."""
    if unknown := values.keys() - set(MARKERS):
        raise ValueError(f"no such marker: {', '.join(sorted(unknown))}")
    usual = median_low(values.values())
    return [values.get(name, usual) for name in MARKERS]
