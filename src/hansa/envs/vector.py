"""The batch as Gymnasium has it: `gymnasium.make_vec("Hansa-v2", num_envs=…)`.

>>> import gymnasium
>>> import hansa.envs.gymnasium
>>> envs = gymnasium.make_vec("Hansa-v2", num_envs=2, players=3, opponents="random", jit=False)
>>> seen, info = envs.reset(seed=7)
>>> seen["observation"].shape, info["seed"].tolist()
((2, 3478), [7, 8])
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Unpack

import numpy as np
import numpy.typing as npt

from hansa.errors import InvalidSetup
from hansa.setup import Options

try:
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
except ImportError as error:
    raise ImportError("hansa.envs.vector needs Gymnasium: pip install 'hansa[rl]'") from error

from .batch import BatchEnv
from .deals import SEEDS, checked_seed
from .opponents import Opponent
from .spaces import action_space, observation_space

__all__ = ["HansaVectorEnv"]

ILLEGAL_REWARD = -1.0
Observations = dict[str, npt.NDArray[np.int8]]
Stepped = tuple[
    Observations,
    npt.NDArray[np.float64],
    npt.NDArray[np.bool_],
    npt.NDArray[np.bool_],
    dict[str, Any],
]


class HansaVectorEnv(VectorEnv[Observations, npt.NDArray[np.int64], np.ndarray[Any, Any]]):
    """A learner at many tables, the opponents inside the batch; options as for `BatchEnv`.

    A game that has ended is followed by the next at the step after, whose action is not looked at
    (`AutoresetMode.NEXT_STEP`). An illegal decision ends a game with a reward of -1. `batch` is the
    `BatchEnv` itself. Raises InvalidSetup.
    """

    metadata = {"render_modes": [], "autoreset_mode": AutoresetMode.NEXT_STEP}  # noqa: RUF012  # as the interface has it

    def __init__(
        self,
        num_envs: int = 1,
        *,
        opponents: Opponent | Sequence[Opponent] = "greedy",
        seat: str | None = "p1",
        reward: str = "win",
        max_decisions: int | None = 10_000,
        version: int = 2,
        skip_forced: bool = False,
        threads: int | None = None,
        jit: bool | None = None,
        render_mode: str | None = None,
        **options: Unpack[Options],
    ) -> None:
        if render_mode is not None:
            raise InvalidSetup("many games at once are not drawn: render_mode must be None")
        self.batch = BatchEnv(
            num_envs, opponents=opponents, seat=seat, reward=reward, max_decisions=max_decisions,
            version=version, skip_forced=skip_forced, threads=threads, jit=jit, auto_reset=False,
            illegal_reward=ILLEGAL_REWARD, **options,
        )  # fmt: skip
        self.num_envs = num_envs
        self.render_mode = render_mode
        self.single_action_space = action_space()
        self.single_observation_space: Any = observation_space(self.batch.layout)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, dict[str, Any]]:
        """Begin games from this seed on; without one, from a seed drawn after the last one given."""
        if isinstance(seed, list):
            raise TypeError("games of a batch have one seed after the other: give the first one")
        super().reset(seed=None if seed is None else checked_seed(seed), options=options)
        self.batch.reset(seed=int(self.np_random.integers(SEEDS)) if seed is None else seed)
        return self._seen(), self._info()

    def step(self, actions: npt.NDArray[np.int64]) -> Stepped:
        """The learner's decision in every game, then those of the others until it is his again."""
        batch = self.batch
        ended = np.flatnonzero(batch.terminated | batch.truncated)
        batch.step(actions)
        rewards = batch.rewards[np.arange(self.num_envs), batch.learners].astype(np.float64)
        if len(ended):
            batch.reset(ended)
            rewards[ended] = 0.0
        return (
            self._seen(),
            rewards,
            batch.terminated.copy(),
            batch.truncated.copy(),
            self._info(),
        )

    def _seen(self) -> Observations:
        return {
            "observation": self.batch.observations.copy(),
            "action_mask": self.batch.legal.astype(np.int8),
        }

    def _info(self) -> dict[str, Any]:
        everywhere = np.ones(self.num_envs, np.bool_)
        return {"seed": self.batch.seeds.copy(), "_seed": everywhere}

    def close_extras(self, **_: Any) -> None:
        """Let the threads go."""
        self.batch.close()
