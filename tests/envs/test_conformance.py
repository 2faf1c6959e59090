"""A share of the conformance suites, another one for each; `make conformance` runs all of it."""

from __future__ import annotations

import pytest
from tests.envs import conformance

EVERY = 7


@pytest.mark.usefixtures("advice_ignored")
@pytest.mark.parametrize("setup", conformance.SETUPS[::EVERY], ids=repr)
def test_pettingzoo_api(setup):
    conformance.test_pettingzoo_api(setup)


@pytest.mark.parametrize("setup", conformance.SETUPS[1::EVERY], ids=repr)
def test_pettingzoo_seeds(setup):
    conformance.test_pettingzoo_seeds(setup)


@pytest.mark.parametrize(("board", "players"), conformance.TABLES[::5])
def test_gymnasium(board, players):
    conformance.test_gymnasium(board, players)


@pytest.mark.parametrize(("board", "players"), conformance.TABLES[1::5])
def test_openspiel_simulation(board, players):
    conformance.test_openspiel_simulation(board, players)
