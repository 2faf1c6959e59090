"""Every board and number of players through every suite: `make conformance` (some minutes).

`make test` runs a sample of it; this file is named so that only asking for it runs it.
"""

from __future__ import annotations

from typing import Any

import gymnasium
import pyspiel
import pytest
from gymnasium.utils.env_checker import check_env
from tests.envs.checkers import api_test, performance_benchmark, seed_test

import hansa.envs.gymnasium
import hansa.envs.openspiel  # noqa: F401  # these two register the game
from hansa.boards import FAMILIES
from hansa.envs.pettingzoo import hansa_v1, hansa_v2
from hansa.setup import Setup, all_setups

TABLES = [(board, players) for board in FAMILIES for players in range(2, 6)]
SETUPS = list(all_setups())


def versioned(setup: Setup) -> Any:
    """Every other set-up with each version of the environment."""
    return (hansa_v1, hansa_v2)[SETUPS.index(setup) % 2]


def options(setup: Setup) -> dict[str, Any]:
    return {key: value for key, value in setup.to_dict().items() if key != "seed"}


@pytest.mark.usefixtures("advice_ignored")
@pytest.mark.parametrize("setup", SETUPS, ids=repr)
def test_pettingzoo_api(setup):
    api_test(versioned(setup).env(**options(setup), max_decisions=200), num_cycles=100)


@pytest.mark.parametrize("setup", SETUPS, ids=repr)
def test_pettingzoo_seeds(setup):
    seed_test(lambda: versioned(setup).env(**options(setup)), num_cycles=50)


@pytest.mark.parametrize(("board", "players"), TABLES)
def test_pettingzoo_performance(board, players, capsys):
    performance_benchmark(hansa_v1.env(board=board, players=players))
    with capsys.disabled():
        rate = capsys.readouterr().out.split("\n")[1].split(".")[0]
        print(f"\n{board} {players}: {rate} turns a second", end=" ")  # noqa: T201  # the figure


@pytest.mark.parametrize(("board", "players"), TABLES)
def test_gymnasium(board, players):
    for version, opponents in ((1, "random"), (2, "greedy")):
        options: dict[str, Any] = {"board": board, "players": players, "opponents": opponents}
        check_env(gymnasium.make("Hansa-v2", version=version, **options).unwrapped)


@pytest.mark.parametrize(("board", "players"), TABLES)
def test_openspiel_simulation(board, players):
    name = "hansa_v2" if players % 2 else "hansa"
    game = pyspiel.load_game(f"{name}(board={board},players={players},max_decisions=60,deals=5)")
    pyspiel.random_sim_test(game, num_sims=2, serialize=True, verbose=False)
