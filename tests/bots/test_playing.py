"""Bots decide legally in every set-up, finish their games, and repeat themselves."""

from __future__ import annotations

import pytest

import hansa
from hansa.bots import Bot, create
from hansa.bots.match import play_match
from hansa.setup import Setup, all_setups

SETUPS = [setup.with_seed(k) for k, setup in enumerate(all_setups())]


def decide(bot: Bot, game: hansa.Game) -> hansa.Action:
    return bot.choose(game.view(game.player), game.legal_actions())


def test_bots_decide_legally_in_every_set_up():
    greedy, search = create("greedy"), create("search:simulations=1")
    for setup in SETUPS:
        game = hansa.Game(setup, setup.new_state())
        for bot in (search, greedy, greedy, greedy, greedy):
            action = decide(bot, game)
            assert action in game.legal_actions(), setup
            game.play(action)


@pytest.mark.parametrize("setup", SETUPS[::11], ids=str)
def test_greedy_finishes_games_of_every_kind(setup):
    result = play_match(["greedy"] * setup.players, setup)
    assert result.end_reason is not None
    assert result.faults == []
    assert result.turns < 60 * setup.players


@pytest.mark.parametrize("setup", SETUPS[3::17], ids=str)
def test_every_bot_decides_legally(setup):
    bots = [create(spec) for spec in ("search:simulations=2", "greedy:care=40", "random")]
    game = hansa.Game.new(**{**setup.to_dict(), "promos": setup.promos})
    greedy = create("greedy")
    for step in range(40):
        if game.over:
            break
        if step % 13 == 0:
            assert decide(bots[0], game) in game.legal_actions()
        for bot in bots[1:]:
            assert decide(bot, game) in game.legal_actions()
        game.play(decide(greedy, game))


def test_greedy_is_far_better_than_chance():
    for seed in range(2):
        result = play_match(["random", "greedy", "random"], Setup(players=3, seed=seed))
        assert result.winners == [1]


@pytest.mark.parametrize(
    "spec",
    [
        "random:seed=4",
        "greedy:seed=4",
        "greedy:seed=4,care=30",
        "search:simulations=3,seed=4",
        "search:simulations=8,threads=2,seed=4",
        "champion:simulations=3,seed=4",
    ],
)
def test_the_same_seed_decides_the_same(spec):
    game = hansa.Game.new(players=4, seed=11)
    greedy = create("greedy")
    for _ in range(30):
        game.play(decide(greedy, game))
    for _ in range(4):
        assert decide(create(spec), game) == decide(create(spec), game)
        game.play(decide(greedy, game))


def test_a_game_of_bots_is_the_same_again():
    one = play_match(["greedy", "greedy:care=50"], Setup(players=2, seed=3))
    two = play_match(["greedy", "greedy:care=50"], Setup(players=2, seed=3))
    assert one.record == two.record
    assert hansa.Game.from_record(one.record).record() == one.record


def test_greedy_goes_on_with_its_last_pieces():
    # Neutral traders stand everywhere; a piece was moved to and fro without end.
    setup = Setup(board="britannia", players=2, duel="neutral", seed=74)
    assert play_match(["random", "greedy"], setup).end_reason is not None
