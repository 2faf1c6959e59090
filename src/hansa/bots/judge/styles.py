"""Styles: the judgement with other weights, to play against; data, never compiled in."""

from __future__ import annotations

import copy
from functools import cache

from hansa.bots.judge.fitted import weights_of
from hansa.bots.judge.weights import STEP_FIRST, Weights
from hansa.names import SKILLS
from hansa.rules.codes import SKILL_STEPS

__all__ = ["STYLES", "style_of"]

STYLES: dict[str, dict[str, int]] = {
    "network": {
        "network_growth": 300, "keys_later": 200, "flow": 400, "guard": 200, "seed_share": 150,
        "use": 30, "marker_scale": 30,
    },
    "prestige": {"prestige_scale": 300, "privilege": 300},
    "keys": {"keys": 500, "keys_later": 200, "actions": 40},
    "displacer": {"in_way": 1500, "gift": -400, "short_cost": 50},
    "markers": {"marker_scale": 800},
    "ender": {"winning_end": 400, "losing_end": 0, "marker_scale": 200},
}  # fmt: skip
"""Percent of the usual weights, by name; a skill's name stands for all its steps."""


@cache
def style_of(name: str) -> Weights:
    """The weights of a style, shared and never changed."""
    weights = copy.deepcopy(weights_of())
    for field, percent in STYLES[name].items():
        if field in SKILLS:
            first = STEP_FIRST[SKILLS.index(field)]
            for step in range(first, first + SKILL_STEPS[SKILLS.index(field)]):
                weights.steps[step] = weights.steps[step] * percent // 100
        elif field == "use":
            weights.use = [value * percent // 100 for value in weights.use]
        else:
            setattr(weights, field, getattr(weights, field) * percent // 100)
    return weights
