"""Hansa-v2 and Hansa-v1: one learner against bots."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import hansa
import hansa.envs.gymnasium
from hansa.bots import UnknownBot, create


def make(**options: Any) -> Any:
    return gymnasium.make("Hansa-v2", **options).unwrapped


@pytest.mark.parametrize(("board", "players"), [("hansa", 2), ("east", 4), ("britannia", 3)])
def test_gymnasium_checks_it(board, players, capsys):
    check_env(make(board=board, players=players, opponents="random"))


def test_version_1_is_there_and_gymnasium_says_that_there_is_a_newer_one():
    with pytest.warns(DeprecationWarning, match="upgrading to version `v2`"):
        old = gymnasium.make("Hansa-v1", players=3, opponents="random").unwrapped
    new = make(players=3, opponents="random")
    first, second = (env.reset(seed=3)[0]["observation"] for env in (old, new))
    assert len(first) == 2884
    assert (first == second[:2884]).all()


def test_a_whole_game_against_greedy_bots():
    env = make(players=3, opponents=["greedy", "random"], max_decisions=400)
    learner = create("greedy")
    seen, info = env.reset(seed=3)
    assert info == {"seat": "p1", "seed": 3}
    earned, done = 0.0, False
    while not done:
        game = env.game()
        assert game.player == "p1"
        assert np.flatnonzero(seen["action_mask"]).tolist() == game.legal_ids()
        action = learner.choose(game.view("p1"), game.legal_actions()).id
        seen, reward, terminated, truncated, _ = env.step(action)
        earned += reward
        done = terminated or truncated
    assert env.game().over
    assert earned == pytest.approx(1.0 if env.game().winners == ["p1"] else -0.5)
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(0)


def test_the_seat_may_be_drawn():
    env = make(players=4, opponents="random", seat=None)
    seats = {env.reset(seed=seed)[1]["seat"] for seed in range(12)}
    assert len(seats) > 2
    assert env.game().player in seats
    again = make(players=4, opponents="random", seat=None)
    assert again.reset(seed=3)[1] == env.reset(seed=3)[1]
    assert env.reset()[1] == again.reset()[1]


def test_the_bots_play_before_the_learner():
    env = make(players=3, opponents="random", seat="p3")
    seen, _ = env.reset(seed=1)
    game = env.game()
    assert game.player == "p3"
    assert len(game.history) >= 2
    assert env.observation_space.contains(seen)
    assert (env.action_masks() == (seen["action_mask"] == 1)).all()


def test_an_illegal_decision_ends_the_game():
    env = make(players=3, opponents="random")
    seen, _ = env.reset(seed=1)
    wrong = int(np.flatnonzero(seen["action_mask"] == 0)[0])
    _, reward, terminated, truncated, info = env.step(wrong)
    assert (reward, terminated, truncated, info["illegal"]) == (-1.0, True, False, True)


def test_truncation():
    env = make(players=3, opponents="random", max_decisions=5)
    seen, _ = env.reset(seed=1)
    truncated = False
    while not truncated:
        action = int(np.flatnonzero(seen["action_mask"])[0])
        seen, reward, terminated, truncated, _ = env.step(action)
        assert (reward, terminated) == (0.0, False)
    assert len(env.game().history) == 5


def test_bad_options_are_named():
    with pytest.raises(UnknownBot, match="no bot 'nobody'"):
        make(opponents="nobody")
    with pytest.raises(hansa.InvalidSetup, match="one bot for all, or 3 of them, not 2"):
        make(players=4, opponents=["random", "random"])
    with pytest.raises(hansa.InvalidSetup, match="seat must be one of p1, p2, p3"):
        make(players=3, seat="p4")
