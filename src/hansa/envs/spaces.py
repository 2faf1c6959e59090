"""The spaces of observations and actions that all environments share."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces

from hansa.action import ACTIONS

from .layout import Layout

__all__ = ["action_space", "observation_space"]


def action_space() -> spaces.Discrete:
    """The ids of decisions, in one fixed space for all boards."""
    return spaces.Discrete(ACTIONS)


def observation_space(layout: Layout) -> spaces.Dict:
    """`observation`, each number with its own bound, and `action_mask`."""
    lowest: Any = np.zeros(layout.size, np.int8)
    return spaces.Dict(
        {
            "observation": spaces.Box(lowest, layout.maxima, dtype=np.int8),
            "action_mask": spaces.Box(0, 1, (ACTIONS,), np.int8),
        }
    )
