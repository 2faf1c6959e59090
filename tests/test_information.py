"""What a player may know, and what chance decides: INFO and RANDOM."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest
from tests.playing import mixed

import hansa
from hansa import information
from hansa.rules import codes
from hansa.rules import information as inside

VIEWERS = ("p1", "p2", "p3", None)
FAVOURS = {"anywhere", "action", "income", "double", "city", "skill"}
START_MARKERS = {"classic": "remove3", "bigbox": "move3"}


def from_patch(patch: dict[str, Any], **setup: Any) -> hansa.Game:
    return hansa.Game.from_dict({"game": {"board": "hansa", "players": 3, **setup}, **patch})


def markers_on_routes(game: hansa.Game) -> dict[str, str]:
    routes = game.to_dict()["routes"]
    return {name: route["marker"] for name, route in routes.items() if route["marker"]}


@pytest.mark.rule("INFO-1")
@pytest.mark.parametrize("viewer", VIEWERS)
def test_the_supply_is_hidden_but_its_number_is_open(viewer):
    game = from_patch({"supply": ["swap", "plus3", "skill"]})
    view = game.view(viewer)
    assert view["supply"] == ["?", "?", "?"]
    assert view["game"]["seed"] == "?", "the seed decides the supply"


@pytest.mark.rule("INFO-2")
@pytest.mark.parametrize("viewer", VIEWERS)
def test_nobody_sees_a_plate_during_the_turn(viewer):
    game = from_patch({"players": {"p1": {"plate": ["swap", "plus4"]}}})
    assert game.view(viewer)["players"]["p1"]["plate"] == ["?", "?"]


@pytest.mark.rule("INFO-3")
def test_the_active_player_looks_at_his_plate_at_the_end_of_the_turn():
    game = from_patch({"players": {"p1": {"plate": ["swap", "plus4"]}}})
    game.play("end")
    assert game.phase == "plate"
    seen = {viewer: game.view(viewer)["players"]["p1"]["plate"] for viewer in VIEWERS}
    assert seen == {"p1": ["swap", "plus4"], "p2": ["?", "?"], "p3": ["?", "?"], None: ["?", "?"]}
    lay = next(a for a in game.legal_actions() if str(a).startswith("lay plus4"))
    route = str(lay).rpartition(" ")[2]
    game.play(lay)
    for viewer in VIEWERS:
        assert game.view(viewer)["routes"][route]["marker"] == "plus4"


@pytest.mark.rule("INFO-4", "INFO-5", "INFO-11", "RULING-61")
@pytest.mark.parametrize("viewer", VIEWERS)
def test_markers_desks_and_offices_are_open(viewer):
    game = from_patch(
        {
            "actions_left": 3,
            "players": {"p2": {"markers": ["swap"], "used": ["plus3"], "points": 4}},
            "cities": {"emden": {"offices": ["p2:t", None]}},
            "east_west": ["p3"],
        }
    )
    position: Any = game.to_dict()
    view: Any = game.view(viewer)
    for part in ("actions_left", "routes", "cities", "prestige", "east_west", "discarded"):
        assert view[part] == position[part]
    for player, desk in position["players"].items():
        for part in ("points", "supply", "skills", "markers", "used"):
            assert view["players"][player][part] == desk[part]


@pytest.mark.rule("INFO-6", "MISSION-3")
def test_a_mission_is_its_owners_secret_until_the_end():
    patch = {
        "players": {"p1": {"points": 19}},
        "routes": {"groningen-emden": {"posts": ["p1:t", "p1:t", "p1:t"]}},
        "cities": {"emden": {"offices": ["p1:t", None]}},
    }
    game = from_patch(patch, missions=True)
    cards = {player: desk["mission"] for player, desk in game.to_dict()["players"].items()}
    for viewer in VIEWERS:
        for player, desk in game.view(viewer)["players"].items():
            assert desk["mission"] == (cards[player] if player == viewer else ["?"] * 3)
    game.play("establish groningen-emden none")
    assert game.over
    for viewer in VIEWERS:
        shown = {player: desk["mission"] for player, desk in game.view(viewer)["players"].items()}
        assert shown == cards


@pytest.mark.rule("INFO-7")
def test_undealt_missions_are_written_nowhere():
    game = hansa.Game.new(board="hansa", players=3, missions=True, seed=4)
    view: Any = game.view("p2")
    guesses: list[Any] = [
        hansa.Game.from_view(view, seed).to_dict()["players"] for seed in range(40)
    ]
    assert {tuple(guess["p2"]["mission"]) for guess in guesses} == {
        tuple(view["players"]["p2"]["mission"])
    }
    others = {tuple(guess["p1"]["mission"]) for guess in guesses}
    assert len(others) == 8, "any card but one's own may be another's"


@pytest.mark.rule("INFO-8", "INFO-9")
@pytest.mark.parametrize("viewer", VIEWERS)
def test_favours_on_display_or_bought_are_open_and_the_rest_follows(viewer):
    game = from_patch(
        {"players": {"p1": {"markers": ["swap", "swap"]}}}, favours=True, players=3, seed=2
    )
    tile = game.to_dict()["favours"][0]
    shown = game.view(viewer)["favours"]
    assert shown == game.to_dict()["favours"]
    assert set(shown) < FAVOURS
    assert len(set(shown)) == len(shown)
    game.play(f"favour {tile}")
    view = game.view(viewer)
    assert view["players"]["p1"]["favours"] == [tile]
    assert tile not in view["favours"]


@pytest.mark.rule("INFO-10")
@pytest.mark.parametrize("viewer", ["p1", "p2", None])
def test_pawn_neutral_pieces_laid_markers_and_permissions_are_open(viewer):
    duel = hansa.Game.new(board="hansa", players=2, duel="pawn")
    duel.play("pawn 7")
    neutral = hansa.Game.new(board="east", players=2, duel="neutral")
    promo = from_patch({"routes": {"groningen-emden": {"laid": ["p2:block"]}}}, promos=["block"])
    britannia = from_patch({"permissions_used": ["cardiff"]}, board="britannia")
    for game in (duel, neutral, promo, britannia):
        position, view = game.to_dict(), game.view(viewer)
        for part in ("pawn", "neutral", "routes", "permissions_used", "flags"):
            assert view[part] == position[part]
    assert duel.view(viewer)["pawn"] is not None
    assert neutral.view(viewer)["neutral"] == {"points": 0}


@pytest.mark.rule("INFO-1", "INFO-2", "INFO-6")
def test_games_that_differ_only_in_secrets_look_alike():
    one = from_patch(
        {"supply": ["swap", "plus3"], "players": {"p3": {"plate": ["skill"]}}},
        missions=True,
        seed=1,
    )
    other = from_patch(
        {
            "supply": ["plus3", "skill"],
            "players": {
                "p1": {"mission": one.to_dict()["players"]["p1"]["mission"]},
                "p3": {"plate": ["swap"]},
            },
            "routes": {
                name: {"marker": route["marker"]} for name, route in one.to_dict()["routes"].items()
            },
        },
        missions=True,
        seed=99,
    )
    assert one != other
    assert one.view("p1") == other.view("p1")


@pytest.mark.rule("RANDOM-1")
def test_p1_starts_whatever_the_seed():
    """Who sits at p1 is drawn by whoever sets the table up; the engine's seats are turn order."""
    for seed in range(20):
        game = hansa.Game.new(board="hansa", players=4, seed=seed)
        assert (game.active, game.player) == ("p1", "p1")
        game.play("end")
        assert game.active == "p2"


@pytest.mark.rule("RANDOM-2")
@pytest.mark.parametrize("edition", ["classic", "bigbox"])
def test_all_six_arrangements_of_the_start_markers_occur(edition):
    seen: Counter[tuple[tuple[str, str], ...]] = Counter()
    for seed in range(120):
        game = hansa.Game.new(board="hansa", players=4, edition=edition, seed=seed)
        lying = markers_on_routes(game)
        assert sorted(lying.values()) == sorted(["extra-office", "swap", START_MARKERS[edition]])
        seen[tuple(lying.items())] += 1
    assert len(seen) == 6
    assert min(seen.values()) >= 5


@pytest.mark.rule("RANDOM-3")
def test_the_seed_shuffles_the_supply_and_nothing_else_of_it():
    supplies = [
        hansa.Game.new(board="hansa", players=4, seed=seed).to_dict()["supply"]
        for seed in range(60)
    ]
    assert len({tuple(supply) for supply in supplies}) > 50
    assert len({tuple(sorted(supply)) for supply in supplies}) == 1
    assert {supply[0] for supply in supplies} == set(supplies[0])


@pytest.mark.rule("RANDOM-4")
def test_missions_are_dealt_at_random_each_at_most_once():
    cards: Counter[tuple[str, ...]] = Counter()
    for seed in range(60):
        game = hansa.Game.new(board="hansa", players=5, missions=True, seed=seed)
        dealt = [tuple(desk["mission"] or ()) for desk in game.to_dict()["players"].values()]
        assert len(set(dealt)) == 5
        cards[dealt[0]] += 1
    assert len(cards) == 9


@pytest.mark.rule("RANDOM-5")
def test_favour_tiles_are_drawn_at_random():
    shown = {
        frozenset(
            hansa.Game.new(board="hansa", players=3, favours=True, seed=seed).to_dict()["favours"]
        )
        for seed in range(60)
    }
    assert frozenset().union(*shown) == FAVOURS
    assert len(shown) > 1


@pytest.mark.rule("RANDOM-6")
def test_after_set_up_a_game_is_a_function_of_seed_and_decisions():
    chooser = random.Random(5)
    game = hansa.Game.new(board="hansa", players=3, seed=11, missions=True, favours=True)
    played = []
    for _ in range(300):
        action = chooser.choice(game.legal_actions())
        played.append(str(action))
        game.play(action)
    random.seed(123)
    again = hansa.Game.new(board="hansa", players=3, seed=11, missions=True, favours=True)
    for text in played:
        again.play(text)
    assert again == game
    assert again.to_dict() == game.to_dict()
    assert again.record() == game.record()


# Everything about hiding is asked of one home.


@pytest.mark.rule("INFO-1", "INFO-2", "INFO-3", "INFO-6")
def test_states_and_positions_hide_the_same():
    """The rules' half, for sampling and observations, agrees with the half for data."""
    chance = random.Random(5)
    game = hansa.Game.new(board="hansa", players=3, missions=True, seed=8)
    for _ in range(400):
        if game.over:
            break
        position, s = game.to_dict(), game.state
        for p, seat in enumerate(game.players):
            view = information.view_of(position, seat)
            for q, other in enumerate(game.players):
                hidden = "?" in view["players"][other]["plate"]
                if position["players"][other]["plate"]:
                    assert hidden == inside.is_hidden(s, p, codes.AT_PLATE + 3 * q)
                    assert hidden != inside.sees_plate(s, p, q)
                assert ("?" in view["players"][other]["mission"]) != inside.sees_mission(s, p, q)
                assert not inside.is_hidden(s, p, codes.AT_MARKERS + 3 * q)
            assert inside.is_hidden(s, p, codes.AT_SUPPLY)
        game.play(mixed(game, chance))


@pytest.mark.rule("INFO-3")
def test_what_shows_something_hidden_is_known():
    game = from_patch({"players": {"p1": {"plate": ["swap", "plus4"]}}})
    assert information.shows_hidden("end")
    assert information.shows_hidden("end", game.state)
    assert not information.shows_hidden("place t groningen-emden/1", game.state)
    game.play("end")
    assert information.shows_hidden(game.legal_actions()[0], game.state)
    empty = from_patch({})
    assert not information.shows_hidden("end", empty.state), "nothing lies on the plate"


@pytest.mark.rule("INFO-2", "INFO-6")
def test_a_preview_shows_nothing_that_only_carrying_it_out_would_show():
    game = from_patch({"players": {"p1": {"plate": ["swap", "plus4"]}}}, missions=True)
    game.play("end")
    seen = information.foreseen(game.view("p1"), "p1")
    assert seen["players"]["p1"]["plate"] == ["?", "?"]
    assert "?" not in seen["players"]["p1"]["mission"]
    assert seen["players"]["p2"]["mission"] == ["?"] * 3


@pytest.mark.rule("INFO-6")
def test_points_of_missions_are_secret_until_the_end():
    scores = {"p1": {"missions": 3, "total": 20}, "p2": {"missions": 2, "total": 12}}
    seen = information.scores_seen(scores, "p1", missions=True, over=False)
    assert seen == {"p1": {"missions": 3, "total": 20}, "p2": {"missions": None, "total": 10}}
    assert information.scores_seen(scores, "p1", missions=True, over=True) == scores


def test_a_new_deal_keeps_what_is_open_and_nothing_that_is_hidden():
    game = from_patch(
        {
            "supply": ["swap", "plus3", "skill", "skill", "plus4", "extra-office"],
            "players": {"p1": {"plate": ["plus3"], "markers": ["move3"]}},
        },
        missions=True,
        seed=3,
    )
    old = game.to_dict()
    deals = [information.dealt_anew(old, seed) for seed in range(30)]
    for deal in deals:
        again = hansa.Game.from_dict(deal).to_dict()
        assert information.view_of(again, None) == information.view_of(old, None)
    assert len({tuple(deal["supply"]) for deal in deals}) > 5
    assert len({tuple(deal["players"]["p1"]["plate"]) for deal in deals}) > 1
    assert len({tuple(deal["players"]["p2"]["mission"]) for deal in deals}) > 3
