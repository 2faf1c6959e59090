"""The puzzles that come with the program: each can be solved, and only its best turn is right."""

from __future__ import annotations

import itertools

import pytest

import hansa
from hansa.bots import create
from hansa.bots.puzzles import THEMES, load, puzzle, themes_of, tried
from hansa.bots.turns import chances, play_turn
from hansa.names import PLAYERS

PUZZLES = list(load().values())


def decisions(one) -> list[str]:
    """What whoever solves it decides himself."""
    steps = [step.partition("> ") for step in one.turn]
    return [text for player, _, text in steps if player == one.game().player]


def test_there_are_enough_on_every_board():
    boards = {one.id.rpartition("-")[0] for one in PUZZLES}
    assert boards == {"hansa-23", "hansa-45", "east", "britannia-23", "britannia-45"}
    assert len(PUZZLES) >= 14
    assert len({one.position for one in PUZZLES}) == len(PUZZLES)
    assert {theme for one in PUZZLES for theme in one.themes} >= {"office", "skill", "displace"}
    with pytest.raises(hansa.HansaError, match="no puzzle"):
        puzzle("hansa-45-0")


def test_every_one_is_whole_and_its_solution_right():
    for one in PUZZLES:
        game = one.game()
        assert one.id.startswith(f"{game.board.id}-")
        assert game.phase == "turn"
        assert game.player in PLAYERS
        assert game.to_line() == one.position
        assert 0 <= one.next < one.chance <= 1
        assert one.chance - one.next >= 0.03, one.id
        solved = one.solved()
        assert solved.over or solved.turn == game.turn + 1
        assert one.themes
        assert set(one.themes) <= set(THEMES)
        assert themes_of(*_with_history(one)) == one.themes
        found = tried(game, solved, decisions(one))
        assert (found.whole, found.right) == (True, True), one.id


def _with_history(one) -> tuple[hansa.Game, hansa.Game]:
    start = one.game()
    best = start.copy()
    for step in one.turn:
        best.play(step.partition("> ")[2])
    return start, best


def test_another_turn_is_wrong_and_half_a_turn_is_neither():
    one = PUZZLES[0]
    start, best = one.game(), one.solved()
    assert not tried(start, best, []).whole
    passed = tried(start, best, ["end"])
    assert (passed.whole, passed.right) == (True, False)
    with pytest.raises(hansa.IllegalAction, match="over"):
        tried(start, best, ["end", "end"])
    with pytest.raises(hansa.MalformedAction):
        tried(start, best, ["fly"])


def test_any_order_is_right_where_it_leads_to_the_same():
    """Of all puzzles with several decisions of equal rank some can be solved the other way round."""
    swapped = 0
    for one in PUZZLES:
        *own, end = decisions(one)
        for order in itertools.islice(itertools.permutations(own), 1, 3):
            try:
                found = tried(one.game(), one.solved(), [*order, end])
            except hansa.IllegalAction:
                continue
            swapped += found.right
    assert swapped > 3


@pytest.mark.parametrize("one", PUZZLES[:: max(1, len(PUZZLES) // 4)], ids=lambda one: one.id)
def test_a_search_finds_that_passing_is_worse(one):
    """Cheaply, of a sample: what was found by deep searches is not refuted by a short one."""
    game = one.game()
    best = chances(one.solved(), "search:simulations=40")[game.player]
    passed = play_turn(game, create("random:seed=3"))
    assert best > chances(passed, "search:simulations=40")[game.player] - 0.02
