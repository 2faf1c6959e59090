"""Golden texts: the order of legal decisions, playthroughs, and the corpus of finished games."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from tests.corpus import load_games, required, shown
from tests.goldens import check_golden
from tests.playing import sensible

import hansa
from hansa.setup import Setup

HERE = Path(__file__).parent
PROMOS = ("exchange", "tribute", "block")

# One playthrough for each family of set-ups.
FAMILIES = {
    "hansa-45": Setup("hansa", 4, seed=1),
    "hansa-45-classic-5": Setup("hansa", 5, "classic", seed=2),
    "hansa-23": Setup("hansa", 3, seed=3),
    "hansa-modules": Setup("hansa", 4, seed=4, missions=True, favours=True, promos=PROMOS),
    "pawn": Setup("hansa", 2, "classic", seed=5),
    "neutral-hansa": Setup("hansa", 2, seed=6, duel="neutral"),
    "neutral-east": Setup("east", 2, seed=7),
    "neutral-britannia": Setup("britannia", 2, "classic", seed=8),
    "east": Setup("east", 4, seed=9),
    "east-classic": Setup("east", 3, "classic", seed=10),
    "britannia-45": Setup("britannia", 5, seed=11),
    "britannia-23-fee": Setup("britannia", 3, "classic", seed=12, border_fee=True),
}
DETAILED = 90
"""Decisions told with their events; the rest of the game only by its result."""


def playthrough(setup: Setup) -> str:
    """The beginning in detail and the end of a game by the playout policy."""
    game = hansa.Game(setup, setup.new_state())
    chance = random.Random(setup.seed)
    lines = [repr(setup)]
    while not game.over and len(game.history) < 6000:
        action = sensible(game, chance)
        if len(game.history) < DETAILED:
            lines.append(f"{game.player} {game.phase}: {action}  ({len(game.legal_ids())} legal)")
            lines += [f"    {event!r}" for event in game.play(action)]
        else:
            game.play(action)
    lines.append(f"{len(game.history)} decisions, {game.turn} turns, {game.end_reason}")
    lines += [f"{player}: {points}" for player, points in game.scores().items()]
    lines.append(f"winners: {', '.join(game.winners)}")
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("name", FAMILIES)
def test_playthrough(name):
    check_golden(HERE / "playthroughs" / f"{name}.txt", playthrough(FAMILIES[name]))


def test_every_family_of_set_ups_has_a_playthrough():
    told = {(setup.board_id, setup.duel) for setup in FAMILIES.values()}
    assert told >= {(setup.board_id, setup.duel) for setup in hansa.setup.all_setups()}


ORDERS: dict[str, dict[str, Any]] = {
    "fresh": {"game": {"board": "hansa", "players": 3}},
    "pawn": {"game": {"board": "hansa", "players": 2}, "pawn": 7},
    "markers": {
        "game": {"board": "hansa", "players": 4, "favours": True},
        "favours": ["city", "anywhere"],
        "players": {
            "p1": {"markers": ["block", "swap", "exchange", "plus4", "skill", "move3", "plus3"]},
            "p2": {"used": ["swap", "plus3", "exchange"]},
        },
        "cities": {"hamburg": {"offices": ["p2:t", "p1:t", None]}},
        "routes": {"groningen-emden": {"posts": ["p2:t", "p1:t", None]}},
    },
    "establish": {
        "game": {"board": "hansa", "players": 3},
        "players": {"p1": {"markers": ["extra-office"], "skills": {"book": 1, "privilege": 2}}},
        "cities": {"warburg": {"offices": ["p2:t", None]}},
        "routes": {"coellen-warburg": {"posts": ["p1:t", "p1:m", "p1:t", "p1:t"]}},
    },
    "britannia": {
        "game": {"board": "britannia", "players": 4, "border_fee": True},
        "players": {"p1": {"markers": ["swap", "plus3"]}},
        "cities": {"london": {"offices": ["p1:t", *[None] * 4]}},
    },
}


@pytest.mark.parametrize("name", ORDERS)
def test_the_order_of_legal_decisions_is_pinned(name):
    position = dict(ORDERS[name])
    if name == "britannia":
        houses = len(hansa.Board.load("britannia-45").city("london").houses)
        position["cities"] = {"london": {"offices": ["p1:t", *[None] * (houses - 1)]}}
    if name == "establish":
        size = len(hansa.Board.load("hansa-23").route("coellen-warburg").posts)
        position["routes"] = {"coellen-warburg": {"posts": ["p1:t", "p1:m", "p1:t", "p1:t"][:size]}}
    game = hansa.Game.from_dict(position)
    actions = game.legal_actions()
    assert [action.id for action in actions] == sorted(action.id for action in actions)
    check_golden(HERE / "golden" / f"order-{name}.txt", "".join(f"{a.id} {a}\n" for a in actions))


@pytest.fixture(scope="module")
def corpus() -> dict[str, hansa.Game]:
    return load_games()


def test_the_corpus_shows_everything(corpus):
    missing = required()
    for game in corpus.values():
        missing -= shown(game)
    assert not missing


def test_every_game_of_the_corpus_is_finished_and_its_record_is_stable(corpus):
    for name, game in corpus.items():
        assert game.over, name
        assert game.record() == (HERE / "games" / name).read_text("utf-8"), name
