"""`hansa new` and `hansa show`: fresh games as text, positions in the terminal."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

import hansa
from hansa import cli, pictures

RECORD = Path(__file__).parent.parent / "examples" / "games" / "duel.txt"


def run(capsys, *arguments: object) -> tuple[int, str, str]:
    status = cli.run([str(argument) for argument in arguments])
    output = capsys.readouterr()
    return status, output.out, output.err


def test_new_prints_the_position(capsys):
    status, out, _ = run(capsys, "new", "--board", "east", "--players", 3, "--seed", 4)
    assert status == 0
    assert json.loads(out) == hansa.Game.new(board="east", players=3, seed=4).to_dict()


def test_new_prints_a_record_to_be_continued(capsys):
    status, out, _ = run(capsys, "new", "--promo", "block", "--promo", "exchange", "--record")
    assert status == 0
    game = hansa.Game.from_record(out + "p1> income 1 0\n")
    assert game.setup.promos == ("block", "exchange")
    assert len(game.history) == 1


def test_new_says_what_is_wrong(capsys):
    status, out, err = run(capsys, "new", "--board", "east", "--missions")
    assert (status, out) == (2, "")
    assert err == "hansa: option missions needs board hansa, not east (CFG-6)\n"


def test_show_a_piped_position_with_its_decisions(capsys, monkeypatch):
    game = hansa.Game.new(players=3, seed=1)
    monkeypatch.setattr(sys, "stdin", io.StringIO(json.dumps(game.to_dict())))
    status, out, _ = run(capsys, "show", "-", "--legal")
    assert status == 0
    assert "2 actions left" in out
    assert f"{len(game.legal_actions())} place m stendal-magdeburg/3" in out


def test_show_a_step_of_a_record(capsys):
    status, out, _ = run(capsys, "show", RECORD, "--after", 3)
    assert status == 0
    assert "Turn 1 of p1" in out
    assert "The pawn stands in province 15" in out


def test_show_the_end_with_its_scores(capsys):
    status, out, _ = run(capsys, "show", RECORD)
    assert status == 0
    assert "the game is over (markers)" in out
    assert "winner" in out


def test_show_hides_what_a_seat_may_not_know(capsys, monkeypatch):
    game = hansa.Game.new(players=3, missions=True)
    text = json.dumps(game.to_dict())
    for seat, known in ((None, ["p1", "p2", "p3"]), ("p2", ["p2"])):
        monkeypatch.setattr(sys, "stdin", io.StringIO(text))
        options = [] if seat is None else ["--seat", seat]
        _, out, _ = run(capsys, "show", "-", *options)
        assert [p for p in game.players if f"Mission of {p}:" in out] == known


@pytest.mark.parametrize("options", [["--after", 999], ["--seat", "p7"]])
def test_show_ends_with_one_line_on_bad_input(capsys, options):
    status, _, err = run(capsys, "show", RECORD, *options)
    assert status == 2
    assert err.startswith("hansa: ")
    assert err.count("\n") == 1


@pytest.mark.parametrize("chart", pictures.CHARTS)
def test_charts_of_a_record_name_its_players(capsys, chart):
    status, out, _ = run(capsys, "svg", RECORD, "--chart", chart)
    assert status == 0
    assert "Ada" in out
    assert "Bela" in out


LINE = hansa.Game.new(board="britannia", players=4, seed=6, border_fee=True).to_line()


def test_new_prints_a_line(capsys):
    status, out, _ = run(
        capsys, "new", "--line", "--board", "britannia", "--seed", 6, "--border-fee"
    )
    assert (status, out) == (0, LINE + "\n")


@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("way", ["itself", "file", "pipe"])
@pytest.mark.parametrize("command", ["show", "replay", "svg"])
def test_a_line_is_a_position(capsys, monkeypatch, tmp_path, command, way, mark):
    file = tmp_path / "position.txt"
    file.write_text(mark + LINE + "\n", encoding="utf-8")
    monkeypatch.setattr(sys, "stdin", io.StringIO(mark + LINE))
    status, out, err = run(capsys, command, {"itself": LINE, "file": file, "pipe": "-"}[way])
    assert (status, err) == (0, "")
    assert "conway" in out


def test_a_line_is_analysed(capsys):
    status, out, _ = run(capsys, "analyse", LINE, "--bot", "search:simulations=3", "--json")
    assert status == 0
    assert json.loads(out)["player"] == "p1"


def test_a_position_has_nothing_to_review(capsys):
    status, _, err = run(capsys, "review", LINE)
    assert status == 2
    assert "nothing was decided there" in err


def test_a_damaged_line_is_told_in_one_line(capsys):
    status, _, err = run(capsys, "show", LINE + " more")
    assert status == 2
    assert err.startswith("hansa: a position in one line begins with 'hansa1' and has 11 fields")
