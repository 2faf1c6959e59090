"""The batch as Gymnasium's vector environment: the same games as its own way to step many."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import data_equivalence
from gymnasium.vector import SyncVectorEnv
from gymnasium.wrappers.vector import DictInfoToList, RecordEpisodeStatistics

import hansa
import hansa.envs.gymnasium  # registers the game
from hansa.envs.vector import HansaVectorEnv


class Last:
    """Decides always alike, so that both ways can be compared."""

    name = "last"

    def choose(self, view: Any, legal: Any, clock: float | None = None) -> Any:
        return legal[-1]


def chosen(seen: Any, chance: np.random.Generator) -> Any:
    return np.array([chance.choice(np.flatnonzero(mask)) for mask in seen["action_mask"]])


def test_the_same_as_gymnasiums_own(jit):
    options: dict[str, Any] = {"players": 3, "opponents": Last(), "reward": "points"}
    options["max_decisions"] = 40
    ours = gymnasium.make_vec("Hansa-v2", num_envs=3, jit=jit, **options)
    theirs = SyncVectorEnv([lambda: gymnasium.make("Hansa-v2", **options)] * 3)
    assert isinstance(ours.unwrapped, HansaVectorEnv)
    assert ours.metadata["autoreset_mode"] == theirs.metadata["autoreset_mode"]
    assert ours.observation_space == theirs.observation_space
    assert ours.single_observation_space == theirs.single_observation_space
    assert ours.action_space == theirs.action_space
    seen, _ = ours.reset(seed=5)
    assert data_equivalence(seen, theirs.reset(seed=5)[0])
    chance = np.random.default_rng(1)
    paid: list[Any] = []
    for _ in range(40):
        actions = chosen(seen, chance)
        seen, *paid = ours.step(actions)
        other, *theirs_paid = theirs.step(actions)
        assert seen in ours.observation_space
        assert data_equivalence(seen, other)
        assert data_equivalence(tuple(paid[:3]), tuple(theirs_paid[:3]))
        if paid[2].any():
            break
    assert paid[2].any(), "the limit must have been met"
    after, rewards, terminated, truncated, info = ours.step(np.zeros(3, np.int64))
    began = np.flatnonzero(paid[2])
    assert not truncated[began].any()
    assert not terminated[began].any()
    assert (rewards[began] == 0).all()
    assert (info["seed"][began] == 5 + began + 3).all()
    assert after in ours.observation_space
    ours.close()


def test_illegal_decisions_end_the_game_and_wrappers_count():
    envs = RecordEpisodeStatistics(
        gymnasium.make_vec("Hansa-v2", num_envs=2, players=3, opponents="random", jit=False)
    )
    seen, _ = envs.reset(seed=1)
    actions = chosen(seen, np.random.default_rng(2))
    actions[1] = 0
    _, rewards, terminated, _, info = envs.step(actions)
    assert terminated.tolist() == [False, True]
    assert rewards.tolist() == [0.0, -1.0]
    assert info["episode"]["r"][1] == -1.0
    assert DictInfoToList(envs).reset(seed=4)[1][1]["seed"] == 5


def test_what_is_wrong_is_named():
    with pytest.raises(hansa.InvalidSetup, match="render_mode must be None"):
        HansaVectorEnv(2, render_mode="ansi", jit=False)
    with pytest.raises(TypeError, match="give the first one"):
        HansaVectorEnv(2, players=3, opponents="random", jit=False).reset(seed=[1, 2])
