"""Compiling: claimed by one process, never begun twice, and the same play as interpreted."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Iterator
from typing import Any

import pytest

import hansa
from hansa import compiled
from hansa.bots import compiling, create
from hansa.bots.thinking import Tree
from hansa.bots.tree import kernel
from hansa.bots.tree.layout import Lookahead, Node
from hansa.setup import PROMOS, Setup


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
    compiling.forget_stale()
    assert kept.exists()
    assert not stale.exists()
    assert not (mark.parent / "bots-old.ready").exists()
    assert not (mark.parent / "simulate-0.ready").exists()
    stale.touch()
    compiling.forget_stale()
    assert stale.exists()


class TestProgress:
    @pytest.fixture(autouse=True)
    def available(self, monkeypatch):
        monkeypatch.setattr(compiled, "is_available", lambda: True)

    def test_nothing_is_told_before_and_after(self, mark):
        assert compiling.progress() is None
        compiling._claim(mark)
        assert compiling.progress() == 0.0
        mark.touch()
        assert compiling.progress() is None

    def test_each_function_counts_and_the_end_is_not_told_early(self, mark):
        compiling._claim(mark)
        mark.with_suffix(".count").write_text("4\n")
        for expected in (0.25, 0.5, 0.75, 0.99, 0.99):
            compiling._count()
            assert compiling.progress() == expected

    def test_nobody_compiles_what_cannot_be(self, mark, monkeypatch):
        compiling._claim(mark)
        monkeypatch.setattr(compiled, "is_available", lambda: False)
        assert compiling.progress() is None

    def test_the_parts_are_what_the_search_stands_on(self):
        """Each is a function that the search calls, directly or not; compiled side by side."""
        called = kernel_names()
        assert all(name in called for part in compiling.PARTS.values() for _, name in part)

    def test_as_many_parts_at_a_time_as_processors(self, mark, monkeypatch):
        started = []
        monkeypatch.setattr(subprocess, "run", lambda command, **_: started.append(command[-1]))
        monkeypatch.setattr(os, "cpu_count", lambda: 1)
        compiling._compile_parts()
        assert started == []
        monkeypatch.setattr(os, "cpu_count", lambda: 2)
        compiling._compile_parts()
        assert sorted(started) == sorted(map(compiling.PART.format, compiling.PARTS))


def kernel_names() -> set[str]:
    """The names of all that the text of the search calls, in judgement and rules too."""
    found: set[str] = set()
    todo = [kernel.simulate]
    while todo:
        function: Any = todo.pop()
        if function.__name__ in found:
            continue
        found.add(function.__name__)
        known = function.__globals__
        names = [known.get(name) for name in function.__code__.co_names]
        todo += [one for one in names if hasattr(one, "__code__")]
    return found


def fields(one: Any, cls: Any) -> Iterator[tuple[str, Any]]:
    """All values of a record by name, whichever way it is kept."""
    for name, kind, length in cls.FIELDS:
        value = getattr(one, name)
        if isinstance(kind, type):
            yield from ((f"{name}.{inner}", found) for inner, found in fields(value, kind))
        else:
            yield name, list(value) if length else value


@pytest.mark.parametrize(
    "setup",
    [
        Setup(players=4, seed=3),
        Setup(board="east", players=3, seed=3),
        Setup(board="britannia", players=2, seed=3),
        Setup(players=2, duel="pawn", seed=3),
        Setup(players=3, missions=True, favours=True, promos=PROMOS, seed=3),
    ],
    ids=repr,
)
def test_compiled_and_interpreted_simulations_agree(setup):
    if not compiled.is_available():
        assert not compiling.is_ready()
        return
    if not compiling.is_ready():
        compiling.compile_all()  # `python -m hansa.bots` does it ahead of the tests
    game, greedy = hansa.Game(setup, setup.new_state()), create("greedy")
    for _ in range(2):
        slow = Tree([game], seed=9, fast=False)
        fast = Tree([game], seed=9, fast=True)
        slow.run(12)
        fast.run(12)
        assert dict(fields(fast._look, Lookahead)) == {
            name: pytest.approx(value) for name, value in fields(slow._look, Lookahead)
        }
        for one, other in zip(slow._nodes[: slow._look.nodes], fast._nodes, strict=False):
            for (name, expected), (_, found) in zip(
                fields(one, Node), fields(other, Node), strict=True
            ):
                assert found == pytest.approx(expected), name
        for one, other in zip(slow.options(), fast.options(), strict=True):
            assert one[:2] == other[:2]
            assert one[2] == pytest.approx(other[2])
        for _ in range(30):
            game.play(greedy.choose(game.view(game.player), game.legal_actions()))
