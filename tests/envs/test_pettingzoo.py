"""hansa_v1 behaves as PettingZoo's own games do; the whole grid is `make conformance`."""

from __future__ import annotations

import pickle
import random
from typing import Any

import numpy as np
import pettingzoo
import pytest
from tests.envs.checkers import api_test, seed_test

import hansa
from hansa.envs.pettingzoo import hansa_v1
from hansa.envs.rewards import REWARDS
from hansa.rules.policy import weight

SAMPLE = [("hansa", 2), ("hansa", 5), ("east", 3), ("britannia", 4)]


def play(env: Any, chance: random.Random, most: int = 3000) -> dict[str, float]:
    """Play sensibly; the rewards of every agent as `last` shows them."""
    earned = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter(most):
        seen, reward, terminated, truncated, _ = env.last()
        earned[agent] += reward
        if terminated or truncated:
            env.step(None)
            continue
        single = env.unwrapped._single
        game, legal = single.game(), np.flatnonzero(seen["action_mask"]).tolist()
        weights = [weight(game.setup.tables, game.state, action) for action in legal]
        env.step(chance.choices(legal, weights)[0])
    return earned


@pytest.mark.usefixtures("advice_ignored")
@pytest.mark.parametrize(("board", "players"), SAMPLE)
def test_api(board, players):
    api_test(hansa_v1.env(board=board, players=players, max_decisions=60), num_cycles=40)


@pytest.mark.parametrize(("board", "players"), SAMPLE)
def test_seeds(board, players):
    seed_test(lambda: hansa_v1.env(board=board, players=players), num_cycles=15)


def test_a_seed_is_the_seed_of_the_game(jit):
    env = hansa_v1.raw_env(players=3, jit=jit)
    env.reset(seed=12)
    for action in (1, 1, 1):
        env.step(action)
    game = hansa.Game.new(players=3, seed=12)
    for _ in range(3):
        game.play("end")
    assert env.game() == game
    assert env.agent_selection == game.player
    assert np.flatnonzero(env.observe(game.player)["action_mask"]).tolist() == game.legal_ids()


def test_resets_without_a_seed_follow_from_the_last_one():
    games = []
    for _ in range(2):
        env = hansa_v1.raw_env(players=3, jit=False)
        env.reset(seed=5)
        seeds = []
        for _ in range(3):
            env.reset()
            seeds.append(env.game().setup.seed)
        games.append(seeds)
    assert games[0] == games[1]
    assert len(set(games[0])) == 3


def test_only_who_decides_has_a_mask(jit):
    env = hansa_v1.raw_env(players=3, jit=jit)
    env.reset(seed=1)
    assert env.agent_selection == "p1"
    assert env.observe("p1")["action_mask"].sum() > 0
    assert env.observe("p2")["action_mask"].sum() == 0
    assert env.observation_space("p1").contains(env.observe("p1"))
    assert env.observation_space("p2").contains(env.observe("p2"))


@pytest.mark.parametrize("reward", REWARDS)
def test_rewards_of_a_whole_game(jit, reward):
    env = hansa_v1.env(players=3, reward=reward, jit=jit)
    env.reset(seed=4)
    earned = play(env, random.Random(9))
    game = env.unwrapped.game()
    assert game.over
    totals = {player: points["total"] for player, points in game.scores().items()}
    for player in game.players:
        share = 1 / len(game.winners) if player in game.winners else 0
        others = [totals[other] for other in game.players if other != player]
        expected = {
            "win": (3 * share - 1) / 2,
            "share": share,
            "score": totals[player] - sum(others) / 2,
            "points": totals[player],
            "gain": totals[player],  # all begin with none
        }
        assert earned[player] == pytest.approx(expected[reward])


def test_a_long_game_is_truncated_and_pays_nothing():
    env = hansa_v1.env(players=4, max_decisions=7, jit=False)
    env.reset(seed=0)
    for _ in range(7):
        assert not any(env.truncations.values())
        env.step(int(np.flatnonzero(env.last()[0]["action_mask"])[0]))
    assert all(env.truncations.values())
    assert not any(env.terminations.values())
    assert set(env.rewards.values()) == {0.0}


def test_an_illegal_decision_ends_the_game_by_the_wrapper():
    env = hansa_v1.env(players=3, jit=False)
    env.reset(seed=0)
    illegal = int(np.flatnonzero(env.last()[0]["action_mask"] == 0)[0])
    env.step(illegal)
    assert env.rewards["p1"] == -1
    assert all(env.terminations.values())


def test_an_illegal_decision_is_refused_without_it(jit):
    env = hansa_v1.raw_env(players=3, jit=jit)
    env.reset(seed=0)
    before = env.game()
    for wrong in (0, -1, hansa.ACTIONS, 10**9):
        with pytest.raises(hansa.IllegalAction, match="is not legal now"):
            env.step(wrong)
    with pytest.raises(ValueError, match="must decide"):
        env.step(None)
    assert env.game() == before


@pytest.mark.parametrize(
    ("options", "what"),
    [
        ({"board": "atlantis"}, "unknown board"),
        ({"players": 6}, "players must be"),
        ({"reward": "gold"}, "unknown reward 'gold': one of win"),
        ({"render_mode": "rgb_array"}, "unknown render_mode"),
        ({"max_decisions": 0}, "max_decisions"),
        ({"board": "east", "missions": True}, "CFG-6"),
    ],
)
def test_bad_options_are_named(options, what):
    with pytest.raises(hansa.InvalidSetup, match=what):
        hansa_v1.env(**options)


@pytest.mark.parametrize("seed", [-1, 2**63, "x", 1.5, True])
def test_bad_seeds_are_named(seed):
    env = hansa_v1.raw_env(jit=False)
    with pytest.raises(ValueError, match="a seed is a whole number"):
        env.reset(seed=seed)


def test_rendering(capsys):
    env = hansa_v1.env(players=3, render_mode="ansi", missions=True)
    env.reset(seed=0)
    assert "Turn 1 of" in env.render()
    env = hansa_v1.env(players=3, render_mode="svg")
    env.reset(seed=0)
    assert env.render().startswith("<svg")
    env = hansa_v1.env(players=3, render_mode="human")
    env.reset(seed=0)
    assert env.render() is None
    assert capsys.readouterr().out.count("Turn 1 of") == 2


def test_environments_can_be_pickled():
    env = pickle.loads(pickle.dumps(hansa_v1.raw_env(board="east", players=3)))  # our own
    env.reset(seed=3)
    single = env._single
    single.play(1)
    again = pickle.loads(pickle.dumps(single))  # our own
    assert (again.game(), again.history) == (single.game(), [1])
    assert (again.observe(1) == single.observe(1)).all()


def test_it_is_registered():
    env = pettingzoo.make("aec", "hansa_v1", players=3)
    env.reset(seed=1)
    assert str(env.unwrapped) == "hansa_v1"
    assert env.possible_agents == ["p1", "p2", "p3"]
