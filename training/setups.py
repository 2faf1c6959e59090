"""Which set-ups are played, and how often."""

from __future__ import annotations

from typing import Any

import numpy as np

from hansa.setup import Setup

MIX: tuple[tuple[int, dict[str, Any]], ...] = (
    (24, {"board": "hansa", "players": 4}),
    (7, {"board": "hansa", "players": 3}),
    (7, {"board": "hansa", "players": 5}),
    (14, {"board": "east", "players": 4}),
    (4, {"board": "east", "players": 3}),
    (4, {"board": "east", "players": 5}),
    (14, {"board": "britannia", "players": 4}),
    (4, {"board": "britannia", "players": 3}),
    (4, {"board": "britannia", "players": 5}),
    (8, {"board": "hansa", "players": 2, "duel": "pawn"}),
    (6, {"board": "hansa", "players": 2, "duel": "neutral"}),
    (6, {"board": "east", "players": 2}),
    (6, {"board": "britannia", "players": 2}),
)
"""How often of a hundred; modules and the other edition come to some of them."""
CLASSIC = 0.15
MODULE = 0.1


def draw(seed: int) -> Setup:
    """The set-up of the game of this seed."""
    chance = np.random.default_rng([seed, 7])
    often = np.array([one for one, _ in MIX], float)
    options = dict(MIX[chance.choice(len(MIX), p=often / often.sum())][1])
    if chance.random() < CLASSIC:
        options["edition"] = "classic"
    elif chance.random() < MODULE:
        options["promos"] = ("exchange", "tribute", "block")
    modules = Setup(**options).board_data.modules
    for name in sorted(modules):
        if chance.random() < MODULE:
            options[name] = True
    return Setup(seed=seed, **options)
