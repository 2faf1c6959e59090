"""What the server derives from a position is what the engine says, at every step of whole games."""

from __future__ import annotations

from pathlib import Path

import pytest

import hansa
from hansa.information import shows_hidden
from hansa.server import referee

GAMES = sorted((Path(__file__).parents[1] / "games").glob("*.hansa"))


def _hidden(game: hansa.Game) -> int:
    """How many markers nobody has seen."""
    # INFO-3: only whoever decides may be looking at a plate.
    view = game.view(game.player)
    unseen = sum(player["plate"].count("?") for player in view["players"].values())
    return int(len(view["supply"]) + unseen)


@pytest.mark.parametrize("file", GAMES, ids=lambda file: file.stem)
def test_points_control_and_what_is_uncovered(file):
    """Points kept from the decision before are never old ones, and an undo shows nothing hidden.

    `shows_hidden` decides where taking back for nothing ends: all that uncovers a marker is in it.
    """
    finished = hansa.Game.from_record(file.read_text(encoding="utf-8"))
    game = finished.copy()
    for _ in finished.history:
        game.undo()
    reckoning = referee.Reckoning()
    worked_out, before = 0, _hidden(game)
    for action in finished.history:
        view = game.view(None)
        known = reckoning.scores
        reckoned = reckoning.of(game, view)
        worked_out += reckoned.scores is not known
        assert reckoned.scores == game.scores()
        assert reckoned.control == {city: game.control(city) for city in view["cities"]}
        game.play(action)
        hidden = _hidden(game)
        # What the end of the game uncovers cannot be taken back either.
        if not shows_hidden(action) and not game.over:
            assert hidden >= before, action
        before = hidden
    assert worked_out < len(finished.history) / 2, "most decisions score nothing"
