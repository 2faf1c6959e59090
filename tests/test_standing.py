"""What can be asked of a game one thing at a time is what `to_dict` says."""

from __future__ import annotations

import pickle
import random
from typing import get_type_hints

import pytest
from tests.playing import mixed

import hansa
from hansa import past, typed
from hansa.names import PRESTIGE_SPACES
from hansa.server.wire import positions as wire
from hansa.server.wire.setups import GameSetup
from hansa.setup import Options, all_setups

SETUPS = [setup.with_seed(k) for k, setup in enumerate(all_setups())]


def same(game: hansa.Game) -> None:
    data = game.to_dict()
    for player, desk in data["players"].items():
        assert game.points(player) == desk["points"]
        assert game.supply(player) == desk["supply"]
        assert game.skills(player) == desk["skills"]
        assert game.markers(player) == desk["markers"]
        assert game.used(player) == desk["used"]
        assert game.plate(player) == desk["plate"]
    for route, what in data["routes"].items():
        posts = [game.post(f"{route}/{k}") for k in range(1, len(what["posts"]) + 1)]
        assert posts == what["posts"]
        assert game.marker(route) == what["marker"]
    for city, there in data["cities"].items():
        assert game.offices(city) == there["offices"]
        assert game.extra_offices(city) == there["extra"]
    assert {str(v): game.prestige(v) for v in PRESTIGE_SPACES} == data["prestige"]


@pytest.mark.parametrize("setup", SETUPS[::9], ids=repr)
def test_a_look_is_what_the_data_say(setup):
    game, chance = hansa.Game(setup, setup.new_state()), random.Random(setup.seed)
    for number in range(240):
        if number % 24 == 0:
            same(game)
        if game.over:
            break
        game.play(mixed(game, chance))
    same(game)


GREEN = next(city.id for city in hansa.Board.load("east").cities if city.green)


def test_offices_of_green_cities_and_extra_ones():
    game = hansa.Game.from_dict(
        {
            "game": {"board": "east", "players": 4},
            "cities": {
                "danzig": {"extra": ["p2:t", "p1:t"]},
                GREEN: {"offices": ["p1:t", "p3:t", "p1:t"]},
            },
            "players": {"p3": {"supply": {"t": 5, "m": 0}}},
            "prestige": {"8": "p3"},
        }
    )
    assert game.extra_offices("danzig") == ["p2:t", "p1:t"]
    assert (game.offices(GREEN), game.extra_offices(GREEN)) == (["p1:t", "p3:t", "p1:t"], [])
    assert game.prestige(8) == "p3"
    same(game)


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda game: game.points("p9"), "'p9' does not play here: one of p1, p2, p3"),
        (lambda game: game.post("groningen-emden/9"), "no post of board hansa-23"),
        (lambda game: game.offices("dresden"), "'dresden' is no city of board hansa-23"),
        (lambda game: game.marker("nowhere"), "'nowhere' is no route"),
        (lambda game: game.prestige(10), "10 is no prestige space: one of 7, 8, 9, 11"),
    ],
)
def test_what_is_not_there_is_named(ask, message):
    with pytest.raises(hansa.InvalidPosition, match=message):
        ask(hansa.Game.new(players=3))


def played(decisions: int) -> hansa.Game:
    game, chance = hansa.Game.new(board="east", players=4, seed=2), random.Random(3)
    for _ in range(decisions):
        game.play(mixed(game, chance))
    return game


@pytest.mark.parametrize("copied", [hansa.Game.copy, lambda g: pickle.loads(pickle.dumps(g))])
def test_copies_go_back_on_their_own(copied):
    game = played(3 * past.EVERY + 5)
    twin = copied(game)
    trail = []
    for _ in range(past.RECENT + 2 * past.EVERY):
        game.undo()
        trail.append((game.pack(), hash(game), game.legal_ids()))
        game.play(game.legal_ids()[-1])
        game.undo()
    for step in trail:
        twin.undo()
        assert (twin.pack(), hash(twin), twin.legal_ids()) == step


def test_few_states_are_kept_as_they_were():
    game = played(4 * past.RECENT)
    assert len(game._past._recent) == past.RECENT


def test_a_hash_is_of_the_position():
    game = hansa.Game.new(players=3)
    first = hash(game)
    game.play("place t groningen-emden/1")
    assert hash(game) != first
    other = hansa.Game.from_line(game.to_line())
    assert hash(other) == hash(game)
    game.undo()
    assert hash(game) == first


def test_the_types_are_those_of_the_data():
    data = hansa.Game.new(players=2, duel="neutral").to_dict()
    whole = {
        typed.PositionData: (data, wire.View),
        typed.SetupData: (data["game"], GameSetup),
        typed.PlayerData: (data["players"]["p1"], wire.PlayerView),
        typed.NeutralData: (data["neutral"], wire.NeutralView),
        typed.RouteData: (data["routes"]["groningen-emden"], wire.RouteView),
        typed.CityData: (data["cities"]["emden"], wire.CityView),
    }
    for declared, (found, travels) in whole.items():
        names = list(get_type_hints(declared))
        assert names == list(found or {})
        assert sorted(names) == sorted(get_type_hints(travels))
    assert set(get_type_hints(typed.PendingData)) == set(get_type_hints(wire.Pending))
    assert set(get_type_hints(typed.SetupData)) == {*get_type_hints(Options), "seed"}


def test_a_game_can_be_read():
    game = hansa.Game.from_dict(
        {
            "game": {"players": 3},
            "routes": {"groningen-emden": {"posts": ["p1:t", None, "p2:t"]}},
            "cities": {"emden": {"offices": ["p3:t", None]}},
        }
    )
    text = str(game)
    assert text.startswith("Turn 1 of p1, 2 actions left\n")
    assert "groningen-emden p1:t · p2:t" in text
    assert "emden p3:t ·" in text
    assert max(map(len, text.splitlines())) <= 100
    assert "\x1b" not in text
    assert text != repr(game)
