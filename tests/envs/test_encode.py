"""Observations: what is where, whose eyes see it, and that nothing hidden is in it."""

from __future__ import annotations

import copy
import hashlib
import random
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.envs.playing import SETUPS, positions, seen
from tests.goldens import check_golden

import hansa
from hansa.boards import FAMILIES
from hansa.envs import complete, decode, encode, encoder, layout
from hansa.envs.layout import where
from hansa.names import PLAYERS
from hansa.rules.state import State
from hansa.setup import all_setups


@pytest.mark.parametrize("family", FAMILIES)
def test_the_layout_is_what_the_encoder_writes(family):
    found = layout(family)
    widths = [block.shape[1] for block in found.blocks]
    assert widths == [
        encoder.GAME_SIZE,
        encoder.SEAT_SIZE,
        encoder.CITY_SIZE,
        encoder.HOUSE_SIZE,
        encoder.ROUTE_SIZE,
        encoder.POST_SIZE,
    ]
    for block in found.blocks:
        names = [feature.name for feature in block.features]
        assert len(set(names)) == len(names)
        assert len(set(block.rows)) == len(block.rows)
    assert len(found.maxima) == found.size


def test_both_sides_of_a_board_have_observations_of_one_size():
    for setup in all_setups(promos=((),)):
        assert encoder.size_of(where(setup)) == layout(setup.board).size
        assert complete.row_size(where(setup, 2)) == layout(setup.board, 2).size


def test_a_position_read_back_by_name():
    game = hansa.Game.from_dict(
        {
            "game": {"board": "hansa", "players": 3, "missions": True},
            "active": "p2",
            "actions_left": 3,
            "players": {
                "p1": {"points": 4, "markers": ["swap", "swap"], "skills": {"book": 2}},
                "p2": {
                    "mission": ["arnheim", "minden", "stendal"],
                    "used": ["plus3"],
                    "supply": {"m": 0},
                },
                "p3": {"plate": ["skill"], "supply": {"m": 0}, "skills": {"book": 1}},
            },
            "routes": {"groningen-emden": {"posts": ["p1:t", None, "p2:m"], "marker": "plus4"}},
            "cities": {"emden": {"offices": ["p3:m", None], "extra": ["p1:t"]}},
            "prestige": {"7": "p3"},
        }
    )
    found, numbers = layout("hansa"), seen(game, 1)

    def at(block: str, row: str, feature: str) -> int:
        return int(numbers[found.index(block, row, feature)])

    assert at("game", "game", "3 players") == at("game", "game", "missions") == 1
    assert at("game", "game", "actions left") == 3
    assert at("game", "game", "phase turn") == 1
    assert at("seats", "me", "seat") == 2
    assert at("seats", "me", "decides") == at("seats", "me", "active") == 1
    assert at("seats", "me", "used plus3") == 1
    assert at("seats", "next", "prestige 7") == at("seats", "next", "plate") == 1
    assert at("seats", "second", "points") == 4
    assert at("seats", "second", "unused swap") == at("seats", "second", "level book") == 2
    assert at("posts", "groningen-emden/1", "second") == 1
    assert at("posts", "groningen-emden/3", "me") == 1
    assert at("posts", "groningen-emden/3", "merchant") == 1
    assert at("routes", "groningen-emden", "marker plus4") == 1
    assert at("houses", "emden/1", "next") == at("houses", "emden/1", "merchant") == 1
    assert at("cities", "emden", "beside second") == 1
    assert at("cities", "emden", "control next") == 1
    assert at("cities", "stendal", "own mission") == 1
    assert found.split(numbers)["posts"].shape == (107, 9)
    assert found.split(np.stack([numbers, numbers]))["seats"].shape == (2, 5, 47)


@pytest.mark.parametrize("setup", SETUPS, ids=str)
def test_every_number_is_within_its_bound(setup):
    most = layout(setup["board"]).maxima
    for game in positions(setup, seed=3, most=200):
        numbers = seen(game, game.players.index(game.player))
        assert (numbers >= 0).all()
        assert (numbers <= most).all()
        scaled = layout(setup["board"]).normalised(numbers)
        assert scaled.dtype == np.float32
        assert scaled.max() <= 1


@pytest.mark.rule("INFO-1", "INFO-2", "INFO-3", "INFO-6")
@pytest.mark.parametrize("setup", SETUPS, ids=str)
def test_games_that_look_alike_are_encoded_alike(setup):
    """Other secrets that fit the same view change nothing of what is seen."""
    checked = 0
    for k, game in enumerate(positions(setup, seed=8, most=240)):
        if k % 20 and game.phase != "plate":
            continue
        for viewer, name in enumerate(game.players):
            other = hansa.Game.from_view(game.view(name), seed=1000 + k)
            assert (seen(game, viewer) == seen(other, viewer)).all()
            if name == game.player:  # nor does the mask of who decides
                assert other.legal_ids() == game.legal_ids()
            checked += game != other
    assert checked > 10, "the secrets must really have differed"


@pytest.mark.parametrize("setup", SETUPS, ids=str)
def test_positions_that_look_different_are_encoded_differently(setup):
    """Every decision but the turn's number beyond 127 leaves its trace."""
    before: dict[int, tuple[object, bytes]] = {}
    for game in positions(setup, seed=5, most=160):
        for viewer, name in enumerate(game.players):
            view, numbers = game.view(name), seen(game, viewer).tobytes()
            view["turn"] = min(view["turn"], 127)
            if viewer in before and before[viewer][0] != view:
                assert before[viewer][1] != numbers, game.history[-1]
            before[viewer] = view, numbers


def test_seats_are_rotated():
    """The same table seen by the next player is the same table, turned by one seat."""
    game = hansa.Game.new(board="east", players=4)
    found = layout("east")
    one, two = (found.split(seen(game, viewer))["seats"] for viewer in (0, 1))
    assert (one[[1, 2, 3, 0]] == two[:4]).all()
    assert (one[4] == 0).all()


def test_what_is_wrong_is_named():
    with pytest.raises(hansa.InvalidSetup, match="unknown board 'atlantis': one of hansa"):
        layout("atlantis")
    with pytest.raises(KeyError, match="no block 'harbours'"):
        layout("hansa").index("harbours", "x", "y")
    with pytest.raises(KeyError, match="rows"):
        layout("hansa").index("cities", "atlantis", "control me")
    with pytest.raises(ValueError, match="2884 numbers, not 7"):
        layout("hansa").split(np.zeros(7, np.int8))


def test_observations_do_not_depend_on_what_was_in_the_buffer():
    game = hansa.Game.new(players=5, seed=2)
    out = np.frombuffer(random.Random(1).randbytes(3 * layout("hansa").size), np.int8).copy()
    size = layout("hansa").size
    before = out.copy()
    encoder.encode(game.setup.tables, game.state, 3, where(game.setup), out, size)
    assert (out[size : 2 * size] == seen(game, 3)).all()
    assert (out[:size] == before[:size]).all()
    assert (out[2 * size :] == before[2 * size :]).all()
    assert PLAYERS[3] == "p4"


@pytest.mark.parametrize("setup", SETUPS, ids=str)
def test_a_row_brought_up_to_date_is_one_from_scratch(setup):
    """Whatever lies between the two states: one decision, or those of all others."""
    shown: dict[int, tuple[State, np.ndarray[Any, Any]]] = {}
    for number, game in enumerate(positions(setup, seed=4, most=250)):
        viewer = (number // 3) % setup["players"]
        version = 1 + viewer % 2
        scratch = seen(game, viewer, version)
        if viewer in shown:
            was, row = shown[viewer]
            places = where(game.setup, version)
            complete.observe_again(game.setup.tables, game.state, was, viewer, places, row, 0)
            assert (row == scratch).all(), (number, np.flatnonzero(row != scratch))
        shown[viewer] = game.state.copy(), scratch


def one_thing_else(game: hansa.Game, name: str) -> hansa.Game:
    """The same, but for what lies at a desk: as PROMO-EXCHANGE-1 does it other markers, as many."""
    state = game.state
    if name == "mark":
        for k in range(state.mark_start[-1]):
            state.mark[k] = 1 + state.mark[k] % game.setup.tables.n_markers
    elif name == "linked":
        state.linked[0], state.n_linked = (
            1 + state.linked[0] % state.players,
            max(1, state.n_linked),
        )
    elif state.favours:
        state.tiles[0] = 1 - state.tiles[0]
    return game


@pytest.mark.parametrize("setup", SETUPS, ids=str)
def test_a_row_is_brought_from_any_position_to_any_other(setup):
    """Nothing that a row shows changes unseen, whichever decision may change it."""
    games = [list(positions(setup, seed, 60 * seed))[-1].copy() for seed in range(4)]
    games += [one_thing_else(games[-1].copy(), name) for name in ("mark", "linked", "tiles")]
    places = where(games[0].setup, 2)
    for was, now in permutations(games, 2):
        row = seen(was, 1, 2)
        complete.observe_again(now.setup.tables, now.state, was.state, 1, places, row, 0)
        assert (row == seen(now, 1, 2)).all()


OBSERVED = Path(__file__).parent / "observed-v1.txt"


def test_version_1_stays_what_it_was():
    """A check sum of all that version 1 shows in games of all kinds: results stay comparable."""
    lines = []
    for setup in SETUPS:
        digest = hashlib.sha256()
        for number, game in enumerate(positions(setup, seed=11, most=150)):
            if number % 10 == 0:
                for viewer in range(setup["players"]):
                    digest.update(seen(game, viewer).tobytes())
        lines.append(f"{digest.hexdigest()[:32]} {setup}\n")
    check_golden(OBSERVED, "".join(lines))


@pytest.mark.parametrize("setup", SETUPS, ids=str)
def test_version_2_begins_with_version_1_and_is_the_whole_view(setup):
    """What `decode` makes of a row is the view, but for orders that mean nothing."""
    found = layout(setup["board"], 2)
    assert [block.name for block in found.blocks[:6]] == [
        block.name for block in layout(setup["board"]).blocks
    ]
    green = [c.id for c in hansa.Game.new(**setup).setup.board_data.cities if c.green]
    for number, game in enumerate(positions(setup, seed=6, most=300)):
        if number % (25 if game.phase == "turn" and not game.over else 4):
            continue
        for viewer in {number % setup["players"], game.players.index(game.player)}:
            name = game.players[viewer]
            row = seen(game, viewer, 2)
            assert (row >= 0).all()
            assert (row <= found.maxima).all()
            assert (row[: layout(setup["board"]).size] == seen(game, viewer)).all()
            read = decode(row, setup["board"])
            assert unordered(read, green) == unordered(game.view(name), green)


def first_and_all(row: list[str]) -> list[list[str]]:
    """Who stands furthest right, next, …; and all pieces."""
    owners = [piece.partition(":")[0] for piece in reversed(row)]
    return [list(dict.fromkeys(owners)), sorted(row)]


def unordered(view: Any, green: list[str]) -> Any:
    """The view without orders that mean nothing; of offices beside houses, who comes first."""
    plain = copy.deepcopy(dict(view))
    for key in ("favours", "discarded", "permissions_used"):
        plain[key] = sorted(plain[key])
    plain["game"]["promos"] = sorted(plain["game"]["promos"])
    for desk in plain["players"].values():
        for key in ("markers", "used", "plate", "favours"):
            desk[key] = sorted(desk[key])
    for route in plain["routes"].values():
        route["laid"] = sorted(route["laid"])
    for city in plain["cities"].values():
        city["extra"] = first_and_all(city["extra"])
    for city in green:
        plain["cities"][city]["offices"] = first_and_all(plain["cities"][city]["offices"])
    return plain


def test_version_2_tells_promo_markers_who_is_furthest_right_and_large_numbers():
    game = hansa.Game.from_dict(
        {
            "game": {"board": "hansa", "players": 3, "promos": ["block", "block", "tribute"]},
            "turn": 300,
            "actions_left": 60,
            "players": {"p1": {"points": 200}, "p2": {"points": 3}, "p3": {"supply": {"m": 0}}},
            "cities": {"emden": {"offices": ["p3:m", None], "extra": ["p2:t", "p1:t", "p2:t"]}},
        }
    )
    found, numbers = layout("hansa", 2), seen(game, 1, 2)

    def at(block: str, row: str, feature: str) -> int:
        return int(numbers[found.index(block, row, feature)])

    assert at("more game", "game", "promo block") == 2
    assert at("more game", "game", "promo tribute") == 1
    assert at("more game", "game", "promo exchange") == 0
    assert at("more game", "game", "actions left") == 60
    assert at("more game", "game", "turn / 128 % 128") == 2
    assert at("more game", "game", "turn % 128") == 300 - 256
    assert at("more seats", "second", "points / 128 % 128") == 1
    assert at("more seats", "second", "points % 128") == 200 - 128
    assert at("more cities", "emden", "rank beside me") == 1
    assert at("more cities", "emden", "rank beside second") == 2
    assert at("more cities", "emden", "rank beside next") == 0
    view = decode(numbers)
    assert (view["turn"], view["actions_left"]) == (300, 60)
    assert view["cities"]["emden"]["extra"] == ["p1:t", "p2:t", "p2:t"]
    assert hansa.Game.from_view(view, 1).control("emden") == game.control("emden") == "p2"


def test_what_is_no_observation_is_not_decoded():
    with pytest.raises(hansa.InvalidPosition, match="one row of numbers"):
        decode(encode(hansa.Game.new(players=3)))
    with pytest.raises(hansa.InvalidPosition, match="no board 'venice'"):
        decode(np.zeros(3, np.int8), "venice")
    with pytest.raises(hansa.InvalidPosition, match="no observation of board hansa: "):
        decode(np.zeros(layout("hansa", 2).size, np.int8))
    with pytest.raises(hansa.InvalidSetup, match="unknown version 3 of observations: 1 or 2"):
        encode(hansa.Game.new(players=3), version=3)


@pytest.mark.parametrize("setup", SETUPS)
def test_encode_sees_a_game_and_a_view_alike(setup):
    for number, game in enumerate(positions(setup, seed=5, most=120)):
        if number % 15 == 0:
            for k in range(setup["players"]):
                row = encode(game, PLAYERS[k])
                assert (row == seen(game, k)).all()
                assert (row == encode(game.view(PLAYERS[k]), PLAYERS[k])).all()
                whole = encode(game.view(PLAYERS[k]), PLAYERS[k], version=2)
                assert (whole == seen(game, k, 2)).all()
            assert (encode(game) == encode(game, game.player)).all()


def test_encode_refuses_a_seat_that_is_not_there():
    game = hansa.Game.new(players=3)
    with pytest.raises(hansa.InvalidSetup, match="no seat 'p4': one of p1, p2, p3"):
        encode(game, "p4")
