"""Policies for tests: which legal decision to take."""

from __future__ import annotations

import random

import hansa
from hansa.rules.policy import weight

RARE = ("use", "green", "favour", "fee", "neutral", "spend", "take", "lift", "displace")


def mixed(game: hansa.Game, chance: random.Random) -> hansa.Action:
    """Mostly sensible, sometimes anything, often something rare."""
    legal = game.legal_actions()
    roll = chance.random()
    if roll < 0.1:
        return chance.choice(legal)
    rare = [action for action in legal if action.verb in RARE]
    if rare and roll < 0.25:
        return chance.choice(rare)
    return sensible(game, chance)


def sensible(game: hansa.Game, chance: random.Random) -> hansa.Action:
    """Drawn by the weights of the playout policy."""
    legal = game.legal_actions()
    b, s = game.setup.tables, game.state
    weights = [weight(b, s, action.id) for action in legal]
    return chance.choices(legal, weights)[0]


def play_out(game: hansa.Game, seed: int, most: int = 5000) -> hansa.Game:
    """Play a game sensibly to its end."""
    chance = random.Random(seed)
    for _ in range(most):
        if game.over:
            return game
        game.play(sensible(game, chance))
    raise AssertionError(f"{game!r} did not end within {most} decisions")
