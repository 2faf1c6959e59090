"""`hansa_v2`: as `hansa_v1`, with observations that tell all that a view tells.

Promo markers of the set-up, who stands furthest right beside a city, what waits below the decision
under way; and no number that stops counting.
"""

from __future__ import annotations

from typing import Any, ClassVar

from pettingzoo import AECEnv

from . import hansa_v1
from .hansa_v1 import Observation, wrapped

__all__ = ["env", "raw_env"]


def env(**options: Any) -> AECEnv[str, Observation, int]:
    """The environment with PettingZoo's usual wrappers; takes the options of `hansa_v1.raw_env`."""
    return wrapped(raw_env(**options))


class raw_env(hansa_v1.raw_env):  # noqa: N801  # PettingZoo names it so
    """One game between the agents `p1` … `p5`, as in `hansa_v1`."""

    metadata: ClassVar[dict[str, Any]] = {**hansa_v1.raw_env.metadata, "name": "hansa_v2"}
    version: ClassVar[int] = 2
