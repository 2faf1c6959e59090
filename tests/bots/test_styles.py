"""Styles differ from the usual play in what they are named after."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import hansa
from hansa.bots import create
from hansa.bots.judge.fitted import weights_of
from hansa.bots.judge.styles import STYLES, style_of
from hansa.setup import Setup

GAMES = 6


def displaced(game: hansa.Game) -> int:
    """How often the first player displaced somebody."""
    again, found = game.copy(), 0
    for _ in game.history:
        again.undo()
    for action in game.history:
        found += again.player == "p1" and action.text.startswith("displace")
        again.play(action)
    return found


def markers(game: hansa.Game) -> int:
    """Markers of the first player, used or not."""
    first = game.to_dict()["players"]["p1"]
    return len(first["markers"]) + len(first["used"])


FIGURES: dict[str, Callable[[hansa.Game], float]] = {
    "keys": lambda game: game.to_dict()["players"]["p1"]["skills"]["keys"],
    "network": lambda game: game.scores()["p1"]["network"],
    "markers": markers,
    "prestige": lambda game: game.scores()["p1"]["prestige"],
    "displacer": displaced,
    "ender": lambda game: -game.turn,
}
"""What tells a style of the first player, by its name."""


def play(style: str | None, seed: int) -> hansa.Game:
    """A game of three in which the first player has the style."""
    setup = Setup(players=3, seed=seed)
    game = hansa.Game(setup, setup.new_state())
    bots = [create("greedy" if style is None else f"greedy:style={style}"), *[create("greedy")] * 2]
    while not game.over:
        bot = bots[game.players.index(game.player)]
        game.play(bot.choose(game.view(game.player), game.legal_actions()))
    return game


@pytest.fixture(scope="module")
def usual() -> list[hansa.Game]:
    return [play(None, seed) for seed in range(GAMES)]


@pytest.mark.parametrize("style", STYLES)
def test_a_style_has_more_of_what_it_is_named_after(usual, style):
    figure = FIGURES[style]
    games = [play(style, seed) for seed in range(GAMES)]
    assert sum(map(figure, games)) > sum(map(figure, usual))


@pytest.mark.parametrize("style", STYLES)
def test_a_style_changes_its_own_weights_and_no_others(style):
    usual, own = weights_of(), style_of(style)
    changed = {name for name, *_ in usual.FIELDS if getattr(usual, name) != getattr(own, name)}  # type: ignore[attr-defined]
    named = {"steps" if name in hansa.names.SKILLS else name for name in STYLES[style]}
    assert changed == named
