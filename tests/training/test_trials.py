"""Trials of what was learned: matches go on where they stopped, pictures show what was measured."""

from __future__ import annotations

import argparse
import json
from xml.etree import ElementTree as ET

import pytest

from hansa import compiled
from hansa.bots import create
from hansa.bots.judge.styles import STYLES

pytest.importorskip("numba")

from training.calibration import reliability
from training.proving import Outcome, Pairing, Task

from training import pictures, proving, trials

SVG = "{http://www.w3.org/2000/svg}"


def words(drawn: str) -> list[str]:
    return ["".join(one.itertext()) for one in ET.fromstring(drawn).iter(f"{SVG}text")]


def test_every_style_is_met_from_both_sides():
    met = proving.gallery("champion:time=0.1", [*STYLES], ["hansa", "pawn duel"], 8)
    assert len(STYLES) >= 6
    assert len(met) == len(set(met)) == 3 * len(STYLES)
    alone = {one.bot for one in met if one.others == "champion:time=0.1"}
    assert alone == {f"greedy:style={style}" for style in STYLES}
    for one in met:
        create(one.bot)
        create(one.others)


def test_each_doubling_meets_the_one_before():
    met = proving.doublings("champion:seed=3", 256, 4, ["pawn duel"], 8)
    assert [(one.bot.rpartition("=")[2], one.others.rpartition("=")[2]) for one in met] == [
        ("512", "256"),
        ("1024", "512"),
        ("2048", "1024"),
        ("4096", "2048"),
    ]
    assert met[0].bot == "champion:seed=3,simulations=512"


def test_a_match_goes_on_after_an_interruption(tmp_path):
    if not compiled.is_available():
        assert proving.read(tmp_path / "outcomes.jsonl") == {}
        return
    pairing = Pairing("pawn duel", "greedy", "greedy:care=20", 2)
    played = Outcome(1.0, 77, 5.0, 0.1, 0.1, 0)
    path = tmp_path / "outcomes.jsonl"
    path.write_text(f"{proving.line(Task(pairing, 0, 0.0), played)}\n[{{", "utf-8")
    given = argparse.Namespace(
        out=tmp_path, workers=1, total=600, bot="greedy", against=["greedy:care=20*2"],
        places=["pawn duel"],
    )  # fmt: skip
    trials.prove(given)
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    assert [task["number"] for task, _ in rows] == [0, 1]
    assert rows[0][1]["points"] == 77
    before = path.read_text("utf-8")
    trials.prove(given)
    assert path.read_text("utf-8") == before
    assert "of 2" in (tmp_path / "report.txt").read_text("utf-8")


def test_a_picture_of_chances_tells_the_error_for_each_number_of_players():
    sure = reliability([0.05] * 50 + [0.95] * 50, [0] * 50 + [1] * 50)
    wrong = reliability([0.65] * 100, [1] * 50 + [0] * 50)
    drawn = pictures.reliability({2: sure, 4: wrong})
    assert "2 PLAYERS: ERROR 5.0 % OF 100 CHANCES" in words(drawn)
    assert "4 PLAYERS: ERROR 15.0 % OF 100 CHANCES" in words(drawn)
    assert len(list(ET.fromstring(drawn).iter(f"{SVG}circle"))) == 3


def test_the_curves_of_reports_are_drawn(tmp_path):
    report = tmp_path / "run1" / "report.txt"
    report.parent.mkdir()
    report.write_text(
        "  24.5 s  Chances from the judgement: 1.2309 0.7961 0.7937\n"
        "  99.7 s  Chances hansa: 1.1579 1.1591\n"
        "  99.9 s  wrote weights.json\n",
        "utf-8",
    )
    trials.draw_curve(argparse.Namespace(out=tmp_path, reports=[report]))
    drawn = (tmp_path / "learning.svg").read_text("utf-8")
    assert "Chances from the judgement: 0.794" in words(drawn)
    assert "Chances hansa: 1.158" in words(drawn)
    assert len(list(ET.fromstring(drawn).iter(f"{SVG}circle"))) == 5
    report.write_text("nothing learned\n", "utf-8")
    with pytest.raises(SystemExit, match="no learning in"):
        trials.draw_curve(argparse.Namespace(out=tmp_path, reports=[report]))
