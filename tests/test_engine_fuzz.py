"""A quick share of the fuzzer, and properties of play found by hypothesis."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.fuzz import check_views, fuzz_game, setups
from tests.playing import mixed, play_out

import hansa
from hansa import invariants
from hansa.setup import Setup, all_setups

SHARE = setups()[::64]


@pytest.mark.parametrize("setup", SHARE, ids=repr)
def test_set_ups_play_without_breaking_a_promise(setup):
    decisions, _ = fuzz_game(setup.with_seed(11), seed=5, most=120, every=6)
    assert decisions > 0


def test_there_are_hundreds_of_set_ups_and_all_begin():
    every = setups()
    assert len(every) == 896
    for setup in every:
        game = hansa.Game(setup, setup.new_state())
        assert game.legal_ids()
        invariants.check(game)


@pytest.mark.rule("INV-1", "INV-2", "INV-3", "INV-4", "INV-5", "INV-6", "INV-7", "INV-8", "INV-9")
@settings(max_examples=12, deadline=None)
@given(st.sampled_from(list(all_setups())), st.integers(0, 2**31), st.integers(0, 2**31))
def test_invariants_hold_after_every_decision(setup, seed, choices):
    chance = random.Random(choices)
    game = hansa.Game(setup.with_seed(seed), setup.with_seed(seed).new_state())
    before = invariants.check(game)
    for _ in range(60):
        if game.over:
            break
        events = game.play(mixed(game, chance))
        after = invariants.check(game)
        invariants.check_step(before, after, events)
        before = after


@pytest.mark.parametrize(
    "invariant", ["INV-1", "INV-2", "INV-3", "INV-4", "INV-6", "INV-7", "INV-8"]
)
def test_invariants_can_fail(invariant):
    game = hansa.Game.new(seed=3)
    state = game._state
    if invariant == "INV-1":
        state.supply[0] += 1
    elif invariant == "INV-2":
        state.house[1] = 1
        state.supply[0] -= 1
    elif invariant == "INV-3":
        state.completed = 1
    elif invariant == "INV-4":
        state.route_marker[0] = 1
    elif invariant == "INV-6":
        state.skills[0] = 5
        state.supply[0] -= 1
        state.stock[0] += 6
    elif invariant == "INV-7":
        state.linked[:2] = [1, 1]
        state.n_linked = 2
    else:
        first = game.setup.tables.city_first[[c.id for c in game.board.cities].index("groningen")]
        state.house[first] = 2
        state.supply[1] -= 1
    with pytest.raises(invariants.Broken, match=invariant):
        invariants.check(game)


def test_a_step_back_in_prestige_is_noticed():
    game = hansa.Game.new(seed=3)
    later = game.to_dict()
    earlier = hansa.Game.from_dict({"game": later["game"], "players": {"p1": {"points": 3}}})
    with pytest.raises(invariants.Broken, match="INV-5"):
        invariants.check_step(earlier.to_dict(), later, [])


def test_debug_mode_checks_every_decision(monkeypatch):
    monkeypatch.setenv("HANSA_DEBUG", "1")
    game = hansa.Game.new(seed=3)
    game.play("place t groningen-emden/1")
    game._state.supply[0] += 1
    with pytest.raises(invariants.Broken):
        game.play("end")


@pytest.mark.parametrize(
    "setup",
    [
        Setup("hansa", 4),
        Setup("east", 3, "classic"),
        Setup("britannia", 5),
        Setup("britannia", 2),
        Setup("hansa", 2, duel="neutral"),
        Setup("hansa", 3, missions=True, favours=True, promos=("exchange", "tribute", "block")),
    ],
    ids=repr,
)
def test_sensible_play_ends_every_kind_of_game(setup):
    game = play_out(hansa.Game(setup, setup.new_state()), seed=2)
    assert game.over
    assert game.winners
    check_views(game)
    assert hansa.Game.from_record(game.record()) == game
