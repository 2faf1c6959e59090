"""Whole turns: weighed beside the best one, told apart by what comes of them."""

from __future__ import annotations

import pytest

import hansa
from hansa.bots import UnknownBot, create
from hansa.bots.turns import SLIP, chances, essence, judge, play_turn, turns_of

BOT = "search:simulations=30"
NEARLY_WON = {
    "game": {"players": 3},
    "players": {
        "p1": {"points": 19},
        "p2": {"points": 19},
    },
    "cities": {"luebeck": {"extra": ["p1:t"]}, "groningen": {"extra": ["p2:t"]}},
    "routes": {
        "hamburg-luebeck": {"posts": ["p1:t"] * 3},
        "groningen-emden": {"posts": ["p2:t"] * 3},
    },
}


@pytest.fixture(scope="module")
def game():
    game = hansa.Game.new(players=3, seed=4)
    bots = {"p1": create("greedy"), "p2": create("random"), "p3": create("greedy")}
    while game.turn < 9:
        game.play(bots[game.player].choose(game.view(game.player), game.legal_actions()))
    return game


def after(*decisions: str) -> hansa.Game:
    game = hansa.Game.new(players=3, seed=1)
    for decision in decisions:
        game.play(decision)
    return game


def test_positions_are_alike_whichever_way_led_there():
    one = after("place t groningen-emden/1", "place t bremen-hamburg/2", "end")
    assert essence(one) == essence(
        after("place t bremen-hamburg/3", "place t groningen-emden/3", "end")
    )
    assert essence(one) != essence(
        after("place t groningen-emden/1", "place m bremen-hamburg/2", "end")
    )
    assert essence(one) != essence(after("place t groningen-emden/1", "place t bremen-hamburg/2"))


def test_posts_for_ships_are_not_like_others():
    found = []
    for post in (1, 2, 3):  # the second is a ship's
        game = hansa.Game.new(board="britannia", players=3, seed=1)
        game.play(f"place m canterbury-calais/{post}")
        found.append(essence(game))
    assert found[0] == found[2] != found[1]


def test_the_turns_of_a_game_are_all_of_it(game):
    turns = list(turns_of(game))
    assert [start.turn for start, _, _ in turns] == list(range(1, len(turns) + 1))
    assert [text for _, _, played in turns for text in played] == game.history
    for start, number, played in turns:
        assert start.history == game.history[:number]
        assert start.is_legal(played[0])


def test_a_turn_is_played_to_its_end_by_what_each_may_know(game):
    start = next(start for start, _, _ in turns_of(game))
    led = play_turn(start, create(BOT))
    assert led.turn == start.turn + 1
    assert led.player != start.player


def test_chances_add_up_and_the_end_is_certain(game):
    shares = chances(game, BOT)
    assert sum(shares.values()) == pytest.approx(1, abs=0.01)
    assert chances(game, BOT) == shares
    over = hansa.Game.from_dict(NEARLY_WON)
    over.play("establish hamburg-luebeck none")
    assert over.over
    assert chances(over, BOT) == {p: float(p in over.winners) for p in over.players}
    with pytest.raises(UnknownBot, match="only a search"):
        chances(game, "greedy")


def test_a_turn_that_throws_a_won_game_away_is_a_mistake():
    """p1 can end the game at once, far ahead; he passes instead, and p2 will end it."""
    game = hansa.Game.from_dict(NEARLY_WON)
    judged = judge(game, ["end"], BOT, 7)
    assert judged.number == 7
    assert judged.player == "p1"
    assert judged.mark in {"slip", "mistake"}
    assert judged.lost >= SLIP
    led = game.copy()
    for step in judged.better:
        player, _, text = step.partition("> ")
        assert player == led.player
        led.play(text)
    assert led.over
    # The same turn, played, gives nothing away.
    best = judge(game, [step.partition("> ")[2] for step in judged.better], BOT)
    assert (best.lost, best.mark, best.better) == (0.0, "", ())
