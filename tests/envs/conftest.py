"""What tests of environments share: both ways to run, and quiet where a checker only advises."""

from __future__ import annotations

import warnings
from collections.abc import Iterator

import pytest

from hansa import compiled
from hansa.envs import preparing


@pytest.fixture(scope="session", params=[False, True] if compiled.is_available() else [False])
def jit(request: pytest.FixtureRequest) -> bool:
    """Interpreted, then compiled where numba is."""
    run_compiled = bool(request.param)
    if run_compiled:
        assert preparing.prepare()
    return run_compiled


@pytest.fixture
def advice_ignored() -> Iterator[None]:
    """PettingZoo's checker advises against what its own classics do too, if their name is not on
    its list: dictionaries as observations, other names for agents.
    """
    with warnings.catch_warnings():
        for advice in (
            "Observation is not a NumPy array",
            "Observation space for each agent probably should be",
            "We recommend agents to be named",
        ):
            warnings.filterwarnings("ignore", message=advice, category=UserWarning)
        yield
