"""What somebody who trains would write: checked by mypy --strict against the installed package."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from hansa import envs
from hansa.envs.batch import BatchEnv


def learn() -> float:
    """A few steps against opponents in a batch, with a policy of one's own."""

    def first(observations: npt.NDArray[np.int8], legal: npt.NDArray[np.bool_]) -> list[int]:
        assert len(observations) == len(legal)
        return [int(row.argmax()) for row in legal]

    env = BatchEnv(2, players=3, opponents=["random", first], reward="gain", version=2, jit=False)
    for _ in range(3):
        env.step(env.sample())
    view = envs.decode(envs.encode(env.game(0), "p1", version=2))
    assert view["player"] == "p1"
    return float(env.rewards.sum())


if __name__ == "__main__":
    assert isinstance(learn(), float)
