"""The programs in examples/ run and say what they promise."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from tests.server.harness import Server

import hansa
from hansa import bots

EXAMPLES = Path(__file__).parent.parent / "examples"
PROGRAMS = sorted(path.stem for path in EXAMPLES.glob("*.py"))
RECORDS = sorted((EXAMPLES / "games").glob("*.txt"))


def run(name: str, *arguments: object, say: str = "") -> str:
    done = subprocess.run(
        [sys.executable, str(EXAMPLES / f"{name}.py"), *map(str, arguments)],
        input=say,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        env={**os.environ, "PYTHONWARNINGS": "error"},
    )
    assert done.returncode == 0, done.stderr
    assert not done.stderr
    return done.stdout


def is_picture(file: Path) -> bool:
    return ET.fromstring(file.read_text(encoding="utf-8")).tag == "{http://www.w3.org/2000/svg}svg"


def test_random_game_tells_a_whole_game():
    log = run("random_game", "--board", "east", "--players", "4", "--seed", "2")
    assert "turn   1  p1: " in log
    assert "founds an office in" in log
    assert "(winner)" in log


def test_replay_chart_draws_two_charts(tmp_path):
    out = run("replay_chart", EXAMPLES / "games" / "duel.txt", "--out", tmp_path)
    assert "Ada: track 6" in out
    charts = sorted(tmp_path.iterdir())
    assert [chart.name for chart in charts] == ["duel-prestige.svg", "duel-score.svg"]
    assert all(map(is_picture, charts))


def test_control_tells_every_change_and_the_end():
    out = run("control", EXAMPLES / "games" / "three-traders.txt").splitlines()
    game = hansa.Game.from_record((EXAMPLES / "games" / "three-traders.txt").read_text("utf-8"))
    held = [game.control(city.id) for city in game.board.cities]
    assert len(out) > sum(player is not None for player in held)
    names = game.seats.items()
    assert sorted(out[-1].split(", ")) == sorted(f"{name} {held.count(p)}" for p, name in names)


def test_openings_count_each_seat():
    out = run("openings", "--games", 2)
    assert re.findall(r"^(p\d) opens with", out, re.MULTILINE) == ["p1", "p2", "p3"]
    assert "place t " in out


def test_own_bot_plays_to_the_end():
    out = run("own_bot", "--games", 1, "--against", "random")
    assert out.startswith("game 1: steady ")
    assert "steady won " in out


def test_line_bot_answers_with_a_legal_decision():
    game = hansa.Game.new(players=3)
    legal = [str(action) for action in game.legal_actions()]
    question = json.dumps({"view": game.view(game.player), "legal": legal, "clock": None})
    lines = run("line_bot", say=f"hansa 1\ndecide {question}\nquit\n").splitlines()
    assert lines[0].startswith("ready")
    assert lines[-1].removeprefix("decision ") in legal


def test_external_bot_takes_its_seat_and_plays_to_the_end(tmp_path):
    server = Server(tmp_path).start()
    try:
        with server.client("Host") as host, ThreadPoolExecutor(1) as pool:
            table = host.table("greedy", "open", start=False)
            playing = pool.submit(run, "external_bot", server.url, table["seats"][1]["invite"])
            wait_for(lambda: host.get(f"/api/games/{table['id']}")["seats"][1]["name"])
            host.post(f"/api/games/{table['id']}/start")
            assert "'winners': ['p1']" in playing.result(120)
    finally:
        assert server.stop() == 0


def wait_for(happened: Callable[[], object], seconds: float = 30) -> None:
    end = time.monotonic() + seconds
    while not happened():
        assert time.monotonic() < end, "nothing happened"
        time.sleep(0.05)


def test_what_if_ranks_decisions():
    gains = [int(gain) for gain in re.findall(r"^ *([+-]\d+)  \S", run("what_if"), re.MULTILINE)]
    assert len(gains) == 8
    assert gains[0] > 0
    assert gains == sorted(gains, reverse=True)


def test_playouts_tell_wins_by_seat():
    out = run("playouts", "--games", 2, "--interpreted")
    assert "2 games" in out
    assert re.search(r"^p3: +[\d.]+ points, +\d+% wins$", out, re.MULTILINE)


def test_board_pictures_are_svg(tmp_path):
    run("board_pictures", tmp_path, "--theme", "dark")
    files = list(tmp_path.iterdir())
    assert len(files) == 8
    assert all(map(is_picture, files))


def test_scenario_as_test_holds_and_its_wrong_twin_does_not():
    assert run("scenario_as_test").splitlines() == [
        "ok displacing-a-trader-costs-two",
        "FAIL displacing-a-trader-costs-two: actions_left: expected 2, got 1",
    ]


def test_every_program_is_listed_and_tested():
    listed = re.findall(r"\[(\w+)\.py\]", (EXAMPLES / "README.md").read_text(encoding="utf-8"))
    assert sorted(listed) == PROGRAMS
    tested = re.findall(r'run(?:\(|, )"(\w+)"', Path(__file__).read_text(encoding="utf-8"))
    assert sorted(set(tested)) == PROGRAMS


@pytest.mark.parametrize("record", RECORDS, ids=lambda path: path.stem)
def test_records_replay_to_their_result(record):
    text = record.read_text(encoding="utf-8")
    game = hansa.Game.from_record(text)
    assert game.over
    assert game.record() == text


def test_learn_writes_a_network_that_plays(tmp_path):
    out, few = tmp_path / "net.npz", ["--games", "8", "--steps", "4", "--hidden", "8"]
    short = ["--seconds", "1", "--improve", "1", "--match", "2", "--most", "40"]
    told = run("learn", "--out", out, *few, *short)
    assert "imitation: mean surprise" in told
    assert "against two of its imitation of greedy: " in told
    game, bot = hansa.Game.new(players=3), bots.create(f"policy:weights={out}", trusted=True)
    assert bot.choose(game.view("p1"), game.legal_actions()) in game.legal_actions()
