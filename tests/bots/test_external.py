"""External programs: the reference one conforms, and no fault of one stops a game."""

from __future__ import annotations

import os
import shlex
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import hansa
from hansa.bots import BotError, UnknownBot, create
from hansa.bots.match import decide

REFERENCE = Path(__file__).parents[2] / "examples" / "line_bot.py"

HELLO = "import sys, time\nfor line in sys.stdin:\n    word = line.split()[0]\n    if word == 'hansa':\n        print('ready x', flush=True)\n    elif word == 'decide':\n        "


def program(tmp_path: Path, body: str, seconds: float = 5) -> Any:
    path = tmp_path / "bot.py"
    path.write_text(HELLO + body + "\n", encoding="utf-8")
    return external(path, seconds)


def external(path: Path, seconds: float = 5) -> Any:
    command = shlex.join([sys.executable, str(path)])
    return create(f"external:command={command},time={seconds}", trusted=True)


@pytest.fixture
def game():
    return hansa.Game.new(players=3, seed=1)


def test_the_reference_program_plays_legally_in_all_kinds_of_phases(game):
    bot = external(REFERENCE)
    phases = set()
    greedy = create("greedy")
    for _ in range(120):
        mine = game.player == "p2"
        action, fault = decide(bot if mine else greedy, game)
        assert fault is None
        if mine:
            phases.add(game.phase)
        game.play(action)
    bot.close()
    assert {"turn", "displaced"} <= phases


def test_only_the_trusted_may_name_a_program():
    with pytest.raises(UnknownBot, match="arena only"):
        create(f"external:command={sys.executable}")
    with pytest.raises(BotError, match="needs its command"):
        create("external", trusted=True)
    with pytest.raises(UnknownBot, match="command line"):
        create("external:command='", trusted=True)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("sys.exit('out of ideas')", "ended with status 1: out of ideas"),
        ("print('decision fly to rome', flush=True)", "'fly to rome', which is not legal"),
        ("print('decision', flush=True)", "not legal"),
        ("print('x' * 100000, flush=True)", "flooded"),
        ("[print('info', k, flush=True) for k in range(100000)]", "flooded|without an answer"),
        ("print(b'\\xff', flush=True); print('decision no', flush=True)", "not legal"),
    ],
)
def test_a_fault_is_told_and_the_game_goes_on(tmp_path, game, body, message):
    bot = program(tmp_path, body)
    action, fault = decide(bot, game)
    assert action in game.legal_actions()
    with pytest.raises(BotError, match=message):
        raise BotError(fault)
    bot.close()


def test_a_program_that_hangs_is_given_up_in_time(tmp_path, game):
    bot = program(tmp_path, "time.sleep(60)", seconds=0.2)
    begun = time.perf_counter()
    action, fault = decide(bot, game)
    assert time.perf_counter() - begun < 8
    assert action in game.legal_actions()
    assert fault is not None
    assert "gave no answer within 0.2 seconds" in fault


def test_a_program_that_goes_on_talking_is_given_up_in_time(tmp_path, game):
    body = "[(print('info still thinking', flush=True), time.sleep(0.02)) for _ in range(1500)]"
    bot = program(tmp_path, body, seconds=0.2)
    begun = time.perf_counter()
    _, fault = decide(bot, game)
    assert time.perf_counter() - begun < 15  # it would talk for 30
    assert fault is not None
    assert "gave no answer" in fault


def test_a_program_that_ends_between_questions_is_told_at_once(tmp_path, game):
    bot = program(tmp_path, "print('decision end', flush=True); sys.exit(7)", seconds=60)
    assert decide(bot, game)[1] is None
    bot._program._process.wait()
    begun = time.perf_counter()
    assert "ended with status 7" in str(decide(bot, game)[1])
    assert time.perf_counter() - begun < 30


def test_a_program_that_floods_between_questions_is_told(tmp_path, game):
    body = "print('decision end', flush=True); [print('x' * 500, flush=True) for _ in range(9000)]"
    bot = program(tmp_path, body)
    assert decide(bot, game)[1] is None
    deadline = time.monotonic() + 20
    while not bot._program._flooded and time.monotonic() < deadline:
        time.sleep(0.01)
    _, fault = decide(bot, game)
    assert fault is not None
    assert "flooded" in fault
    bot.close()


def test_what_a_program_started_ends_with_it(tmp_path, game):
    child = tmp_path / "child"
    body = (
        "import subprocess; "
        f"p = subprocess.Popen([{sys.executable!r}, '-c', 'import time; time.sleep(600)']); "
        f"open({str(child)!r}, 'w').write(str(p.pid)); time.sleep(600)"
    )
    bot = program(tmp_path, body, seconds=1)
    begun = time.perf_counter()
    assert decide(bot, game)[1] is not None
    assert time.perf_counter() - begun < 60  # and not until the child lets go of the output
    with pytest.raises(ProcessLookupError):
        wait_for_the_end(int(child.read_text()))


def wait_for_the_end(pid: int) -> None:
    for _ in range(500):
        os.kill(pid, 0)
        if Path(f"/proc/{pid}/stat").exists() and " Z " in Path(f"/proc/{pid}/stat").read_text():
            raise ProcessLookupError  # it has ended; nobody has asked for its status yet
        time.sleep(0.02)


def test_a_program_that_cannot_start_is_told(game):
    bot = create("external:command=/no/such/program", trusted=True)
    _, fault = decide(bot, game)
    assert fault is not None
    assert "cannot be started" in fault


def test_a_program_that_keeps_crashing_is_not_started_for_ever(tmp_path, game):
    bot = program(tmp_path, "sys.exit(3)")
    faults = [str(decide(bot, game)[1]) for _ in range(5)]
    assert "status 3" in faults[0]
    assert "not started again" in faults[-1]


def test_stop_reaches_a_program(tmp_path, game):
    body = "answer = sys.stdin.readline(); print('info', answer, flush=True); print('decision end', flush=True)"
    bot = program(tmp_path, body, seconds=0.3)
    assert decide(bot, game) == (hansa.Action.parse("end"), None)
    bot.close()
