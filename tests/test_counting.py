"""The published numbers of ways hold, and an independent reading of the rules counts the same."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from tests.oracle import reference

import hansa
from hansa.lines import is_line, read_setup

PAGE = Path(__file__).parent.parent / "docs" / "engine.md"
ROW = re.compile(r"^\| `([^`]+)` \| ([\d,]+) \| ([\d,]+) \| ([\d,]+) \|$", re.MULTILINE)
PUBLISHED = [
    (row[0], [int(number.replace(",", "")) for number in row[1:]])
    for row in ROW.findall(PAGE.read_text("utf-8"))
]


def game_of(word: str) -> hansa.Game:
    return hansa.Game.from_line(word) if is_line(word) else hansa.Game.new(**read_setup(word))


def test_all_boards_are_published():
    assert {game_of(word).board.id for word, _ in PUBLISHED} == {
        *("hansa-23", "hansa-45", "east", "britannia-23", "britannia-45"),
    }


@pytest.mark.parametrize(("word", "counts"), PUBLISHED)
def test_published_numbers(word, counts):
    game = game_of(word)
    before = game.pack()
    assert [hansa.perft(game, depth) for depth in (1, 2, 3)] == counts
    assert game.pack() == before


def ways(position: dict[str, Any], depth: int) -> int:
    texts = reference.legal(position)
    if depth == 1:
        return len(texts)
    return sum(ways(reference.play(position, text), depth - 1) for text in texts)


@pytest.mark.parametrize(("word", "counts"), PUBLISHED[:-1:4])
def test_another_reading_counts_the_same(word, counts):
    assert [ways({**game_of(word).to_dict()}, depth) for depth in (1, 2)] == counts[:2]


def test_the_end_and_nonsense():
    over = hansa.Game.from_dict({"over": True, "end_reason": "cities"})
    assert [hansa.perft(over, depth) for depth in (0, 1, 2)] == [1, 0, 0]
    with pytest.raises(ValueError, match="0 or more"):
        hansa.perft(over, -1)
