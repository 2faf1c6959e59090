"""Analysis of positions and reviews of games."""

from __future__ import annotations

import pytest

import hansa
from hansa.bots import UnknownBot, create
from hansa.bots.analysis import analyse, review


@pytest.fixture(scope="module")
def game():
    game = hansa.Game.new(players=2, seed=4)
    bots = {"p1": create("greedy"), "p2": create("random")}
    for _ in range(24):
        game.play(bots[game.player].choose(game.view(game.player), game.legal_actions()))
    return game


def test_an_analysis_names_legal_decisions_and_shares_of_the_win(game):
    found = analyse(game, "search:simulations=12")
    legal = [str(action) for action in game.legal_actions()]
    assert found.player == game.player
    assert found.simulations == 12
    assert sum(option.visits for option in found.options) <= 12
    for option in found.options:
        assert option.decision in legal
        assert sum(option.shares.values()) == pytest.approx(1, abs=0.01)
        assert option.value == option.shares[game.player]
    visits = [option.visits for option in found.options]
    assert visits == sorted(visits, reverse=True)
    assert found.to_dict()["options"][0]["decision"] == found.options[0].decision


def test_only_a_search_can_analyse(game):
    with pytest.raises(UnknownBot, match="only search"):
        analyse(game, "greedy")


def test_a_review_leaves_the_game_alone_and_names_moments_in_order(game):
    before = game.record()
    seen = []
    moments = review(game, "search:simulations=3", progress=lambda *done: seen.append(done))
    assert game.record() == before
    assert seen[-1] == (24, 24)
    assert [moment.number for moment in moments] == sorted(moment.number for moment in moments)
    for moment in moments:
        assert moment.played == str(game.history[moment.number])
        assert moment.lost > 0
        assert moment.better != moment.played


def test_the_package_offers_it_without_loading_it():
    assert hansa.analyse is analyse
    with pytest.raises(AttributeError):
        hansa.no_such_thing  # noqa: B018  # the point of the test
