"""Which set-ups are played, and how often."""

from __future__ import annotations

from typing import Any

import numpy as np

from hansa.setup import Setup

MIX: tuple[tuple[int, dict[str, Any]], ...] = (
    (18, {"board": "hansa", "players": 4}),
    (5, {"board": "hansa", "players": 3}),
    (5, {"board": "hansa", "players": 5}),
    (20, {"board": "east", "players": 4}),
    (4, {"board": "east", "players": 3}),
    (4, {"board": "east", "players": 5}),
    (10, {"board": "britannia", "players": 4}),
    (3, {"board": "britannia", "players": 3}),
    (3, {"board": "britannia", "players": 5}),
    (11, {"board": "hansa", "players": 2, "duel": "pawn"}),
    (9, {"board": "hansa", "players": 2, "duel": "neutral"}),
    (4, {"board": "east", "players": 2}),
    (4, {"board": "britannia", "players": 2}),
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
