"""Compiling: claimed by one process, never begun twice, and the same play as interpreted."""

from __future__ import annotations

import os
import time

import pytest

import hansa
from hansa import compiled
from hansa.bots import compiling
from hansa.bots.thinking import Tree


@pytest.fixture
def mark(tmp_path, monkeypatch):
    mark = tmp_path / "bots-x.ready"
    monkeypatch.setattr(compiling, "_mark", lambda: mark)
    return mark


def test_of_several_processes_one_compiles(mark):
    assert compiling._claim(mark)
    assert not compiling._claim(mark)


def test_a_claim_does_not_hold_for_ever(mark):
    assert compiling._claim(mark)
    old = time.time() - 2 * compiling.PATIENCE
    os.utime(mark.with_suffix(".claim"), (old, old))
    assert compiling._claim(mark)


def test_what_was_compiled_from_other_sources_is_forgotten(mark):
    kept = mark.parent / "rules_0" / "engine.nbc"
    stale = mark.parent / "judge_0" / "plans.nbc"
    for path in (kept, stale, mark.parent / "bots-old.ready", mark.parent / "simulate-0.ready"):
        path.parent.mkdir(exist_ok=True)
        path.touch()
    compiling._forget_stale()
    assert kept.exists()
    assert not stale.exists()
    assert not (mark.parent / "bots-old.ready").exists()
    assert not (mark.parent / "simulate-0.ready").exists()
    stale.touch()
    compiling._forget_stale()
    assert stale.exists()


def test_compiled_and_interpreted_simulations_agree():
    if not compiled.is_available():
        assert not compiling.is_ready()
        return
    if not compiling.is_ready():
        compiling.compile_all()  # `python -m hansa.bots` does it ahead of the tests
    for board, players in (("hansa", 4), ("east", 3), ("britannia", 2)):
        game = hansa.Game.new(board=board, players=players, seed=3)
        slow = Tree([game], seed=9, fast=False)
        fast = Tree([game], seed=9, fast=True)
        slow.run(12)
        fast.run(12)
        for one, other in zip(slow.options(), fast.options(), strict=True):
            assert one[:2] == other[:2]
            assert one[2] == pytest.approx(other[2])
