"""`hansa_v1`: the AEC environment, version 1 of its behaviour.

The version goes up with any change of observations, action ids, rewards or play that would make
results incomparable.
"""

from __future__ import annotations

import random
from typing import Any, ClassVar, Unpack

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.utils import EzPickle
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from hansa.action import ACTIONS
from hansa.envs.deals import checked_seed, next_seed
from hansa.envs.layout import layout
from hansa.envs.rendering import MODES, checked_mode, show
from hansa.envs.rewards import checked_limit, reward_code
from hansa.envs.single import SingleGame
from hansa.envs.spaces import action_space, observation_space
from hansa.game import Game
from hansa.names import PLAYERS
from hansa.setup import Options, Setup

__all__ = ["env", "raw_env"]

ILLEGAL_REWARD = -1.0
Observation = dict[str, npt.NDArray[np.int8]]


def env(**options: Any) -> AECEnv[str, Observation, int]:
    """The environment with PettingZoo's usual wrappers: an illegal decision ends the game.

    Takes the options of `raw_env`.
    """
    return wrapped(raw_env(**options))


def wrapped(raw: Any) -> AECEnv[str, Observation, int]:
    """PettingZoo's usual wrappers around an environment."""
    wrapped = wrappers.TerminateIllegalWrapper(raw, illegal_reward=ILLEGAL_REWARD)
    wrapped = wrappers.AssertOutOfBoundsWrapper(wrapped)
    return wrappers.OrderEnforcingWrapper(wrapped)


class raw_env(AECEnv[str, Observation, int], EzPickle):  # type: ignore[misc]  # noqa: N801  # PettingZoo ships no types, and names it so
    """One game between the agents `p1` … `p5`, in the order in which they decide.

    `options` are those of `hansa.Game.new` but the seed; `reward` is one of
    `hansa.envs.rewards`; a game is truncated after `max_decisions` (None: never); `jit` as
    explained in `hansa.envs.preparing` (None: compiled where that is ready). Raises InvalidSetup.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "hansa_v1",
        "render_modes": MODES,
        "is_parallelizable": False,
        "render_fps": 2,
    }
    version: ClassVar[int] = 1
    """Of the observations."""

    def __init__(
        self,
        *,
        reward: str = "win",
        max_decisions: int | None = 10_000,
        render_mode: str | None = None,
        jit: bool | None = None,
        **options: Unpack[Options],
    ) -> None:
        own: dict[str, Any] = {"reward": reward, "max_decisions": max_decisions, "jit": jit}
        EzPickle.__init__(self, **own, render_mode=render_mode, **options)
        super().__init__()
        setup = Setup(**options)
        self.render_mode = checked_mode(render_mode)
        self._most = checked_limit(max_decisions)
        self._single = SingleGame(setup, jit=jit, reward=reward_code(reward), version=self.version)
        self._chance = random.Random()
        self.possible_agents = list(PLAYERS[: setup.players])
        self.agents: list[str] = []
        self.layout = layout(setup.board, self.version)
        self.action_spaces = {agent: action_space() for agent in self.possible_agents}
        self.observation_spaces = {
            agent: observation_space(self.layout) for agent in self.possible_agents
        }

    def observation_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        """A mapping: `observation` and `action_mask`."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        """The ids of decisions, the same for all boards."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002  # the interface names it
        """Begin the game of this seed; without one, the next game of the last seed given."""
        if seed is None:
            seed = next_seed(self._chance)
        else:
            seed = checked_seed(seed)
            self._chance = random.Random(seed)
        self._single.deal(seed)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = PLAYERS[self._single.player]
        if self.render_mode == "human":
            self.render()

    def observe(self, agent: str) -> Observation:
        """What the agent sees; its mask is empty while another decides."""
        seat = PLAYERS.index(agent)
        decides = agent == self.agent_selection and not self._single.over
        mask = self._single.mask().copy() if decides else np.zeros(ACTIONS, np.int8)
        return {"observation": self._single.observe(seat), "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Make the decision of `agent_selection`; raises IllegalAction, nothing changed."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError(f"{agent} must decide: None is for agents whose game is over")
        paid = self._single.play(int(action))
        self._cumulative_rewards[agent] = 0.0
        self.rewards = dict(zip(self.agents, paid, strict=True))
        if self._single.over:
            self.terminations = dict.fromkeys(self.agents, True)
        elif self._single.decisions >= self._most:
            self.truncations = dict.fromkeys(self.agents, True)
        self.agent_selection = PLAYERS[self._single.player]
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | None:
        """The position as text (`ansi`), picture (`svg`) or on the terminal (`human`)."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() shows nothing without a render_mode: give one to env()")
            return None
        return show(self._single.game(), self.render_mode)

    def close(self) -> None:
        """Nothing is held open."""

    def game(self) -> Game:
        """The whole game so far, e.g. for `record()`."""
        return self._single.replay()
