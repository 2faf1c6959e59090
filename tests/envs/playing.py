"""Positions for tests of environments: games of many set-ups, played sensibly and stopped."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import numpy as np
from tests.playing import sensible

import hansa
from hansa.envs.complete import observe
from hansa.envs.layout import layout, where

SETUPS: list[dict[str, Any]] = [
    {"board": "hansa", "players": 2},
    {"board": "hansa", "players": 2, "duel": "neutral", "edition": "classic"},
    {"board": "hansa", "players": 3, "missions": True, "favours": True},
    {
        "board": "hansa",
        "players": 5,
        "missions": True,
        "promos": ("exchange", "tribute", "tribute", "block", "block"),
    },
    {"board": "east", "players": 2},
    {"board": "east", "players": 4, "edition": "classic"},
    {"board": "east", "players": 5, "promos": ("tribute", "block")},
    {"board": "britannia", "players": 3, "edition": "classic"},
    {"board": "britannia", "players": 4, "border_fee": True},
    {"board": "britannia", "players": 2},
]


def positions(setup: dict[str, Any], seed: int, most: int) -> Iterator[hansa.Game]:
    """The positions of one game, sensible and random decisions mixed; always the same object."""
    game = hansa.Game.new(**setup, seed=seed)
    chance = random.Random(seed)
    yield game
    for _ in range(most):
        if game.over:
            return
        legal = game.legal_actions()
        game.play(chance.choice(legal) if chance.random() < 0.2 else sensible(game, chance))
        yield game


def seen(game: hansa.Game, viewer: int, version: int = 1) -> np.ndarray[Any, Any]:
    """What the interpreted encoder writes for a viewer."""
    out = np.full(layout(game.setup.board, version).size, 99, np.int8)
    observe(game.setup.tables, game.state, viewer, where(game.setup, version), out, 0)
    return out
