"""The engine agrees with the slow reference at every decision; `run.py` does the same for hours."""

import random
from typing import Any

import pytest
from tests.oracle.lockstep import open_game, play_on
from tests.oracle.rich import tied
from tests.oracle.run import one_game
from tests.oracle.scoring import scores, winners
from tests.oracle.setups import fresh, name, spread

import hansa

SETUPS = list(spread())
NAMES = [name(game) for game in SETUPS]


@pytest.mark.parametrize("index", range(len(SETUPS)), ids=NAMES)
def test_from_rich_positions(index):
    for seed in range(2):
        _, difference = one_game(SETUPS[index], 100 * seed + index, from_rich=True)
        assert difference is None, str(difference)


@pytest.mark.parametrize("index", range(len(SETUPS)), ids=NAMES)
def test_from_the_opening(index):
    game = open_game(SETUPS[index], seed=index)
    _, difference = play_on(game, 40, random.Random(index), wild=False)
    assert difference is None, str(difference)


@pytest.mark.parametrize("index", range(0, len(SETUPS), 17), ids=NAMES[::17])
def test_whole_games(index):
    _, difference = one_game(SETUPS[index], index, from_rich=False)
    assert difference is None, str(difference)


@pytest.mark.rule("TIE-1", "TIE-2", "TIE-3", "TIE-4", "TIE-5", "SCORE-G-1")
@pytest.mark.parametrize("index", range(len(SETUPS)), ids=NAMES)
def test_scores_and_ties_at_the_end(index):
    for seed in range(4):
        pos = tied(SETUPS[index], random.Random(100 * seed + index))
        game = hansa.Game.from_dict(pos)
        assert game.scores() == scores(pos)
        assert game.winners == winners(pos)


@pytest.mark.parametrize("index", range(len(SETUPS)), ids=NAMES)
def test_openings_differ_only_by_the_draw(index):
    """Laid out by the reference and by the engine: the same but for what is shuffled."""
    mine = fresh(SETUPS[index], random.Random(index))
    theirs: dict[str, Any] = {**open_game(SETUPS[index], seed=0).to_dict()}
    for pos in (mine, theirs):
        pos["supply"] = sorted([*pos["supply"], *SETUPS[index]["promos"]])
        pos["favours"] = len(pos["favours"])
        for data in pos["players"].values():
            data["mission"] = data["mission"] and len(data["mission"])
        for route in pos["routes"].values():
            route["marker"] = route["marker"] is not None
    if SETUPS[index]["promos"]:
        assert len(mine.pop("supply")) == len(theirs.pop("supply"))
    assert mine == theirs
