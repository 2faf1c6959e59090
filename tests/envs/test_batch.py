"""Thousands of games in place: the same games as one by one, compiled or not."""

from __future__ import annotations

from itertools import islice

import numpy as np
import pytest
from tests.envs.playing import SETUPS, seen

import hansa
from hansa import compiled
from hansa.envs import preparing
from hansa.envs.batch import BatchEnv
from hansa.envs.deals import Dealer
from hansa.rules.state import pack
from hansa.setup import all_setups

ARRAYS = (
    "observations",
    "legal",
    "players",
    "rewards",
    "terminated",
    "truncated",
    "decisions",
    "seeds",
)


@pytest.mark.parametrize("setup", list(islice(all_setups(), 0, None, 5)), ids=repr)
def test_dealt_games_are_those_of_their_seeds(setup):
    dealer = Dealer(setup)
    for seed in (0, 77, 2**32, 2**63 - 1):
        assert pack(dealer.state(seed)) == pack(setup.with_seed(seed).new_state())


def test_compiled_deals_are_those_of_their_seeds():
    if not compiled.is_available():
        return
    assert preparing.prepare()
    seeds = np.array([5, 2**40 + 1, 2**63 - 1])
    for setup in islice(all_setups(), 0, None, 9):
        states = np.zeros(4, compiled.state_dtype())
        rows = np.array([3, 0, 1])
        Dealer(setup).deal(preparing.kernels(jit=True), states, rows, seeds)
        for row, seed in zip(rows, seeds, strict=True):
            fresh = setup.with_seed(int(seed)).new_state()
            assert states[row : row + 1].tobytes() == pack(fresh)
        assert not states[2:3].tobytes().strip(b"\0")


@pytest.mark.parametrize("setup", SETUPS, ids=str)
def test_every_row_is_a_game_of_its_own(jit, setup):
    env = BatchEnv(3, **setup, seed=20, jit=jit, threads=2)
    games = [hansa.Game.new(**setup, seed=20 + k) for k in range(3)]
    for _ in range(60):
        actions = env.sample("sensible")
        for game, action in zip(games, actions, strict=True):
            game.play(int(action))
        env.step(actions)
        for row, game in enumerate(games):
            viewer = game.players.index(game.player)
            assert env.players[row] == viewer
            assert np.flatnonzero(env.legal[row]).tolist() == game.legal_ids()
            assert (env.observations[row] == seen(game, viewer)).all()
    for row, game in enumerate(games):
        assert env.game(row) == game
    env.close()


@pytest.mark.parametrize("setup", SETUPS[:4], ids=str)
def test_compiled_and_interpreted_are_the_same(setup):
    if not compiled.is_available():
        return
    assert preparing.prepare()
    envs = [
        BatchEnv(5, **setup, reward="points", max_decisions=150, jit=jit, threads=2, seed=1)
        for jit in (False, True)
    ]
    arrays = [{name: getattr(env, name) for name in ARRAYS} for env in envs]
    for step in range(170):
        policy = "uniform" if step % 5 == 0 else "sensible"
        actions = [env.sample(policy) for env in envs]
        assert (actions[0] == actions[1]).all()
        for env, given in zip(envs, actions, strict=True):
            env.step(given)
        for name in ARRAYS:
            assert (arrays[0][name] == arrays[1][name]).all(), name
    for env, kept in zip(envs, arrays, strict=True):
        assert all(getattr(env, name) is kept[name] for name in ARRAYS), "in place"
        env.close()


def test_ends_pay_and_the_next_game_begins(jit):
    with BatchEnv(4, players=3, seed=2, jit=jit) as env:
        ended = 0
        for _ in range(1200):
            env.step(env.sample("sensible"))
            for row in np.flatnonzero(env.terminated):
                ended += 1
                assert sorted(env.rewards[row].tolist()) in ([-0.5, -0.5, 1.0], [-1.0, 0.5, 0.5])
                assert env.decisions[row] == 0
                assert env.seeds[row] % 4 == (2 + row) % 4
                fresh = hansa.Game.new(players=3, seed=int(env.seeds[row]))
                assert env.game(row) == fresh
                assert np.flatnonzero(env.legal[row]).tolist() == fresh.legal_ids()
            alive = ~(env.terminated | env.truncated)
            assert (env.rewards[alive] == 0).all()
            if ended >= 2:
                break
        assert ended >= 2


def test_without_auto_reset_ended_games_stand_still(jit):
    with BatchEnv(3, players=3, max_decisions=5, auto_reset=False, jit=jit) as env:
        for _ in range(5):
            env.step(env.sample())
        assert env.truncated.all()
        before = env.game(1)
        env.step(np.full(3, -7))
        assert env.game(1) == before
        assert (env.decisions == 5).all()
        env.reset([1])
        assert env.truncated.tolist() == [True, False, True]
        assert env.seeds.tolist() == [0, 4, 2]
        assert env.game(1) == hansa.Game.new(players=3, seed=4)
        env.reset(np.array([True, False, False]))
        assert env.seeds.tolist() == [3, 4, 2]
        env.reset(seed=9)
        assert env.seeds.tolist() == [9, 10, 11]
        assert not env.truncated.any()


def test_what_can_be_seen_can_be_written_anew(jit):
    with BatchEnv(3, players=3, jit=jit) as env:
        env.step(env.sample())
        before = env.observations.copy(), env.legal.copy()
        env.observations[:] = env.legal[:] = 1
        env.look()
        assert (env.observations == before[0]).all()
        assert (env.legal == before[1]).all()


def is_as_from_scratch(env: BatchEnv) -> bool:
    """Whether rows and masks, changed where games changed, are those written from nothing."""
    whole = env.observe(np.where(env.learners < 0, env.players, env.learners))
    mask = np.zeros_like(env.legal)
    for row in range(len(env)):
        mask[row, env.legal_ids[row, : env.legal_counts[row]]] = True
    return bool((env.observations == whole).all() and (env.legal == mask).all())


def test_rows_changed_in_place_are_those_from_scratch_in_all_set_ups():
    if not compiled.is_available():
        return
    assert preparing.prepare()
    for number, setup in enumerate(all_setups()):
        version = 1 + number % 2
        with BatchEnv(4, setups=[setup], seed=number, version=version, threads=1, jit=True) as env:
            for step in range(120):
                env.step(env.sample("uniform" if step % 4 == 0 else "sensible"))
                assert is_as_from_scratch(env), (setup, step)


@pytest.mark.parametrize(
    "options",
    [
        {"opponents": "random", "seat": None},
        {"opponents": lambda _, legal: legal.argmax(axis=1), "seat": "p2"},
        {"skip_forced": True},
    ],
    ids=("opponents inside", "opponents outside", "forced decisions skipped"),
)
def test_rows_changed_by_several_decisions_are_those_from_scratch(jit, options):
    with BatchEnv(3, board="east", players=3, max_decisions=90, jit=jit, **options) as env:
        for step in range(60):
            env.step(env.sample("sensible"))
            assert is_as_from_scratch(env), step


def test_a_restored_batch_goes_on_from_what_was_saved(jit):
    """Whatever its rows show at that moment."""
    with BatchEnv(3, players=3, jit=jit) as env:
        env.step(env.sample())
        kept = env.save()
        for _ in range(5):
            env.step(env.sample("sensible"))
        env.observations[:] = env.legal[:] = 1
        env.restore(kept)
        env.step(env.sample())
        assert is_as_from_scratch(env)


def test_the_same_seed_gives_the_same_games():
    traces = []
    for _ in range(2):
        env = BatchEnv(2, board="east", players=3, seed=6, jit=False)
        trace = []
        for _ in range(30):
            actions = env.sample()
            trace.append(actions.tolist())
            env.step(actions)
        traces.append(trace)
    assert traces[0] == traces[1]


def test_illegal_decisions_change_nothing(jit):
    with BatchEnv(3, players=3, jit=jit) as env:
        before = [env.game(row) for row in range(3)]
        good = env.sample()
        for row, wrong in ((0, 0), (1, -1), (2, hansa.ACTIONS)):
            actions = good.copy()
            actions[row] = wrong
            with pytest.raises(hansa.IllegalAction, match=f"game {row} of the batch: id {wrong} "):
                env.step(actions)
        assert [env.game(row) for row in range(3)] == before


def test_bad_input_is_named():
    with pytest.raises(hansa.InvalidSetup, match="games must be a whole number"):
        BatchEnv(0, jit=False)
    env = BatchEnv(2, players=3, jit=False)
    with pytest.raises(ValueError, match="actions: 2 whole numbers"):
        env.step([1, 1, 1])
    with pytest.raises(ValueError, match="actions: 2 whole numbers"):
        env.step([1.0, 1.0])
    with pytest.raises(ValueError, match="unknown policy 'clever'"):
        env.sample("clever")
    with pytest.raises(ValueError, match="numbers from 0 to 1"):
        env.reset([2])
    with pytest.raises(ValueError, match="2 truth values"):
        env.reset([True])
    with pytest.raises(ValueError, match="leave the rows out"):
        env.reset([0], seed=1)
    with pytest.raises(ValueError, match="room for 2 games"):
        env.reset(seed=2**63 - 1)
    with pytest.raises(ValueError, match="numbers 0 to 1, not 2"):
        env.game(2)
