"""The page about strong play is written from records: its figures are theirs."""

from __future__ import annotations

import argparse
import re

import pytest

pytest.importorskip("numpy")

from hansa import arena
from hansa.game import Game
from training import strong, trials


@pytest.fixture(scope="module")
def records(tmp_path_factory):
    folder = tmp_path_factory.mktemp("records") / "pawn"
    arena.run(["greedy", "greedy:seed=4"], players=2, duel="pawn", games=2, seed=70, workers=1,
              directory=folder)  # fmt: skip
    return folder


def test_the_page_tells_what_the_records_hold(tmp_path, records):
    given = argparse.Namespace(out=tmp_path, records=[f"pawn duel={records}"], bots="greedy")
    trials.write_strong(given)
    page = (tmp_path / strong.PAGE).read_text("utf-8")
    assert "## Pawn duel: 2 games" in page
    games = [Game.from_record(path.read_text("utf-8")) for path in records.glob("*.txt")]
    won = [(game, player) for game in games for player in game.winners]
    cities = sum(game.scores()[player]["cities"] for game, player in won) / len(won)
    assert f"cities {cities:.1f} (" in page
    assert "--board hansa --players 2 --duel pawn --seed 70 --games 2" in page
    shown = re.findall(r"\]\((_static/[^)]*)\)", page)
    assert len(shown) == 4
    assert all((tmp_path / name).read_text("utf-8").startswith("<svg") for name in shown)
    assert str(tmp_path) not in page


def test_a_folder_without_games_is_told(tmp_path):
    given = argparse.Namespace(out=tmp_path, records=[f"empty={tmp_path}"], bots="greedy")
    with pytest.raises(SystemExit, match="no record of a finished game"):
        trials.write_strong(given)


def test_seats_are_looked_at_together_since_of_many_one_stands_out():
    def seats(*wins: int) -> list[dict[str, float]]:
        games = sum(wins)
        fair = 1 / len(wins)
        return [{"number": games, "win_share": won / games, "fair": fair} for won in wins]

    assert strong.fairness(seats(15, 18, 7, 8)) == (
        "together they differ from fair no more than chance may (χ² 7.2, 3 degrees of freedom)"
    )
    assert "by more than chance (χ² 13.5, 3 deg" in strong.fairness(seats(15, 21, 6, 6))
    assert "by more than chance (χ² 5.4, 1 degree of" in strong.fairness(seats(39, 21))
