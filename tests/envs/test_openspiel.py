"""The OpenSpiel game: its simulation test, a golden playthrough, what it tells whom."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

pyspiel = pytest.importorskip("pyspiel")

from absl import flags  # noqa: E402  # only with OpenSpiel
from open_spiel.python.algorithms import generate_playthrough  # noqa: E402  # as above
from tests.goldens import check_golden  # noqa: E402  # as above

import hansa  # noqa: E402  # as above
import hansa.envs.openspiel  # noqa: E402  # as above
from hansa.envs import layout  # noqa: E402  # as above

GOLDEN = Path(__file__).parent / "playthroughs"
PLAYTHROUGHS = {"duel": "hansa(players=2,deals=3,max_decisions=4)"}


def test_random_simulation():
    game = pyspiel.load_game("hansa(players=3,missions=true,max_decisions=25,deals=5)")
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize("name", PLAYTHROUGHS)
def test_playthrough(name):
    """The golden text is what OpenSpiel writes today, and what its own replay makes of it."""
    flags.FLAGS.mark_as_parsed()  # OpenSpiel reads a flag of its own command here
    path = GOLDEN / f"{name}.txt"
    lines = generate_playthrough.playthrough_lines(PLAYTHROUGHS[name], seed=4)
    check_golden(path, "\n".join(lines) + "\n")
    expected, actual = generate_playthrough.replay(str(path))
    assert expected == actual


def dealt(text: str, deal: int = 0) -> Any:
    state = pyspiel.load_game(text).new_initial_state()
    assert state.is_chance_node()
    state.apply_action(deal)
    return state


def test_a_deal_is_a_seed():
    state = dealt("hansa(board=east,players=3,seed=10,deals=7)", deal=4)
    game = hansa.Game.new(board="east", players=3, seed=14)
    assert state.legal_actions() == game.legal_ids()
    assert state.action_to_string(0, 1) == "end"
    assert state.current_player() == 0
    state.apply_action(1)
    assert state.current_player() == 1
    assert state.legal_actions(0) == []


def test_observations_hide_what_is_hidden():
    text = "hansa(players=3,missions=true,deals=50)"
    one, other = dealt(text, 1), dealt(text, 2)
    assert one.observation_string(1) != other.observation_string(1), "another mission"
    assert '"mission":["?","?","?"]' in one.observation_string(1)
    assert '"seed":"?"' in one.observation_string(0)
    tensor = np.array(one.observation_tensor(1), np.float32)
    assert tensor.shape == (layout("hansa").size,)
    assert 0 <= tensor.min() <= tensor.max() <= 1


def test_information_states_remember_decisions():
    state = dealt("hansa(players=3)")
    assert state.information_state_string(0).startswith("p1  {")
    state.apply_action(1)
    assert state.information_state_string(0).startswith("p1 1 {")


def test_a_clone_goes_its_own_way():
    state = dealt("hansa(players=3)")
    twin = state.clone()
    twin.apply_action(1)
    assert (state.current_player(), twin.current_player()) == (0, 1)
    assert len(state.history()) == 1


def test_a_game_that_is_too_long_is_a_draw():
    state = dealt("hansa(players=3,max_decisions=3)")
    for _ in range(3):
        state.apply_action(1)
    assert state.is_terminal()
    assert state.returns() == [0.0, 0.0, 0.0]


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("hansa(players=3,deals=0)", "deals must be"),
        ("hansa(board=atlantis)", "unknown board"),
        ("hansa(board=east,players=3,missions=true)", "CFG-6"),
        ("hansa(promos=block+gold)", "promo marker"),
    ],
)
def test_bad_parameters_are_named(text, what):
    with pytest.raises(hansa.InvalidSetup, match=what):
        pyspiel.load_game(text)
