"""PettingZoo's own checks. Importing them imports old names of its games, which warns."""

from __future__ import annotations

import warnings

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)
    from pettingzoo.test import api_test, performance_benchmark, seed_test

__all__ = ["api_test", "performance_benchmark", "seed_test"]
