"""What all tests share: hypothesis profiles, and which tests are measured for coverage.

`HYPOTHESIS_PROFILE=long` looks longer; the default is the quick share that `make test` runs.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# Two busy cores make single examples slow now and then: that is no failure.
settings.register_profile(
    "quick", max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile(
    "long", max_examples=2000, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))

# They play the same rules over and over: tracing each line of them costs minutes and shows nothing new.
UNMEASURED = (
    "bots/",
    "envs/",
    "oracle/",
    "games/",
    "test_engine_fuzz",
    "test_engine_golden",
    "test_svg",
)
HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave tests out of the coverage where they would only be slow."""
    for item in items:
        if item.path.relative_to(HERE).as_posix().startswith(UNMEASURED):
            item.add_marker("no_cover")
