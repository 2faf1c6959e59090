"""Analysis of positions and reviews of games."""

from __future__ import annotations

import json

import pytest

import hansa
from hansa.bots import UnknownBot, create
from hansa.bots.analysis import analyse, review
from hansa.cli import run


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


def carried_out(game: hansa.Game, line: tuple[str, ...]) -> hansa.Game:
    """A guess of the deciding player after a line; each decision is of whoever decides there."""
    after = hansa.Game.from_view(game.view(game.player), 0)
    for step in line:
        player, _, text = step.partition("> ")
        assert player == after.player
        after.play(text)
    return after


@pytest.mark.parametrize("board", ["hansa", "britannia"])
def test_lines_can_be_played_and_the_turn_is_whole(board):
    game = hansa.Game.new(board=board, players=3, seed=4)
    longest = 0
    for _ in range(3):
        found = analyse(game, "search:simulations=40")
        for option in found.options:
            assert option.line[0] == f"{game.player}> {option.decision}"
            carried_out(game, option.line)
        longest = max(longest, *(len(option.line) for option in found.options))
        assert found.turn[0] == found.options[0].line[0]
        after = carried_out(game, found.turn)
        assert after.turn == game.turn + 1
        assert found.turn[-1].endswith("> end")
        for step in found.turn:
            game.play(step.partition("> ")[2])
    assert longest > 1, "forty simulations agree on more than one decision"


def test_a_turn_ends_with_the_game():
    game = hansa.Game.from_dict(
        {
            "game": {"players": 3},
            "players": {"p1": {"points": 19}},
            "routes": {"hamburg-luebeck": {"posts": ["p1:t"] * 3}},
        }
    )
    found = analyse(game, "search:simulations=20")
    assert found.turn == found.options[0].line
    assert carried_out(game, found.turn).over


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
        assert moment.line[0] == f"{moment.player}> {moment.better}"


def test_a_review_finds_where_a_won_game_was_thrown_away():
    posts = {"hamburg-luebeck": {"posts": ["p1:t"] * 3}, "groningen-emden": {"posts": ["p2:t"] * 3}}
    points = {"p1": {"points": 19}, "p2": {"points": 19}}
    game = hansa.Game.from_dict({"game": {"players": 3}, "players": points, "routes": posts})
    game.play("end")
    game.play("establish groningen-emden office groningen")
    assert game.winners == ["p2"]
    (moment,) = review(game, "search:simulations=30")
    assert (moment.number, moment.player, moment.played) == (0, "p1", "end")
    assert moment.better.startswith("establish hamburg-luebeck")
    assert moment.lost == 1.0


def test_the_command_analyses_and_reviews(tmp_path, capsys, game):
    file = tmp_path / "game.txt"
    file.write_text(game.record())
    fast = "search:simulations=4"
    assert run(["analyse", str(file), "--after", "5", "--bot", fast, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["simulations"] == 4
    assert run(["analyse", str(file), "--bot", fast]) == 0
    assert "decides; 4 simulations" in capsys.readouterr().out
    forced = hansa.Game.from_dict({"actions_left": 0})
    forced.play("end")
    file.write_text(forced.record())
    assert run(["review", str(file), "--bot", fast]) == 0
    assert "no decision gave away much" in capsys.readouterr().out


def test_the_package_offers_it_without_loading_it():
    assert hansa.analyse is analyse
    with pytest.raises(AttributeError):
        hansa.no_such_thing  # noqa: B018  # the point of the test


def test_an_only_decision_is_analysed_like_any_other():
    game = hansa.Game.new(players=2, seed=4)
    greedy = create("greedy")
    while len(game.legal_actions()) > 1:
        game.play(greedy.choose(game.view(game.player), game.legal_actions()))
    assert not game.over
    found = analyse(game, "search:simulations=5")
    assert [option.decision for option in found.options] == [str(game.legal_actions()[0])]
    assert sum(found.options[0].shares.values()) == pytest.approx(1, abs=0.01)
