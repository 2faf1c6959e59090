"""The command: every part has help with an example, and bad input ends with one clear line."""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
from xml.etree import ElementTree as ET

import httpx
import pytest

import hansa
from hansa import cli, pictures
from hansa.replay import Replay

GOOD = "id: fresh\nrules: [TURN-1]\ngame: {board: hansa, players: 3}\nexpect: {turn: 1}\n"
BAD = "id: wrong\nrules: [TURN-1]\ngame: {board: hansa, players: 3}\nexpect: {turn: 9}\n"


def run(capsys, *arguments: object) -> tuple[int, str, str]:
    status = cli.run([str(argument) for argument in arguments])
    output = capsys.readouterr()
    return status, output.out, output.err


def command_names() -> list[str]:
    return sorted(
        entry.name or entry.callback.__name__
        for entry in cli.app.registered_commands
        if entry.callback is not None
    )


def test_the_commands_of_the_contract_are_there():
    assert set(command_names()) >= {"play", "serve", "check", "arena", "replay", "svg", "bench"}


@pytest.mark.parametrize("name", [*[n for n in command_names() if n != "admin"], "admin list"])
def test_every_command_has_help_with_an_example(capsys, name):
    status, out, _ = run(capsys, *name.split(), "--help")
    assert status == 0
    assert f"Example: hansa {name}" in out


def test_admin_looks_after_a_store(capsys, tmp_path):
    status, out, _ = run(capsys, "admin", "--help")
    assert status == 0
    assert "hansa admin" in out
    status, _, said = run(capsys, "admin", "list", "--data", tmp_path)
    assert status == 2
    assert "there is no store" in said
    assert run(capsys, "admin", "dance")[0] == 2


def test_version(capsys):
    status, out, _ = run(capsys, "--version")
    assert status == 0
    assert re.fullmatch(r"hansa \d+\.\d+\.\d+\n", out)


def test_the_installed_command_and_its_exit_status(tmp_path):
    file = tmp_path / "bad.yaml"
    file.write_text(BAD)
    code = "import sys; from hansa.cli import main; sys.argv[0] = 'hansa'; main()"
    done = subprocess.run(
        [sys.executable, "-c", code, "check", str(file)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stdout == "FAIL wrong: turn: expected 9, got 1\n0 passed, 1 failed\n"
    assert done.stderr == ""


def test_check_prints_one_line_each_and_a_sum(capsys, tmp_path):
    good, bad = tmp_path / "good.yaml", tmp_path / "bad.yaml"
    good.write_text(GOOD)
    bad.write_text(f"{GOOD.replace('fresh', 'second')}---\n{BAD}")
    assert run(capsys, "check", good) == (0, "ok fresh\n1 passed, 0 failed\n", "")
    status, out, _ = run(capsys, "check", good, bad)
    assert status == 1
    assert out.splitlines() == [
        "ok fresh",
        "ok second",
        "FAIL wrong: turn: expected 9, got 1",
        "2 passed, 1 failed",
    ]
    status, out, _ = run(capsys, "check", tmp_path)
    assert out.splitlines()[-1] == "2 passed, 1 failed"


def test_check_of_a_missing_file_fails(capsys, tmp_path):
    status, out, _ = run(capsys, "check", tmp_path / "none.yaml")
    assert status == 1
    assert "none.yaml: cannot be read: No such file or directory" in out
    assert out.endswith("0 passed, 1 failed\n")


@pytest.mark.parametrize(
    "arguments",
    [
        ["dance"],
        ["check"],
        ["check", "--loud", "x"],
        ["play", "--port", "many"],
        ["play", "--port", "99999"],
        ["play", "--terminal", "--players", "9"],
        ["play", "--terminal", "--board", "atlantis"],
        ["play", "--terminal", "--seat", "p4"],
        ["play", "--terminal", "--bot", "nobody"],
        ["serve", "--config", "no-such-file.toml"],
        ["bench", "--seconds", "0"],
        ["arena"],
        ["arena", "nobody"],
        ["arena", "greedy", "--games", "0"],
        ["arena", "greedy", "--players", "7"],
        ["arena", "greedy", "--json", "no/such/folder.json"],
        ["arena", "greedy", "--chart", "no/such/folder.svg"],
        ["arena", "greedy", "--chart", "x.svg", "--theme", "neon"],
        ["arena", "greedy", "--board", "east", "--missions"],
        ["arena", "greedy", "--players", "3", "--duel", "pawn"],
        ["arena", "greedy:care=200"],
        ["arena", "greedy", "--ray-address", "127.0.0.1:1"],
        ["analyse", "no-such-file"],
        ["review", "no-such-file"],
        ["review", "examples/games/duel.txt", "--bot", "greedy"],
        ["analyse", "examples/games/duel.txt"],
        ["analyse", "examples/games/duel.txt", "--after", "99999"],
        ["bot-check", "'"],
        ["stats", "no-such-folder"],
        ["stats", "src"],
        ["replay", "no-such-file"],
        ["replay"],
        ["svg"],
        ["svg", "no-such-file"],
        ["svg", "east", "--theme", "neon"],
        ["svg", "east", "--size", "-1"],
        ["svg", "east", "--chart", "pie"],
    ],
    ids=" ".join,
)
def test_bad_input_ends_with_one_clear_line(capsys, arguments):
    status, out, err = run(capsys, *arguments)
    assert status == 2
    assert out == ""
    assert err.startswith("hansa: ")
    assert err.count("\n") == 1


@pytest.mark.timeout(900)  # may have to compile the rules first, on a busy machine
def test_bench_as_json_names_every_board_both_ways(capsys):
    status, out, _ = run(capsys, "bench", "--json", "--seconds", "0.02")
    assert status == 0
    speeds = json.loads(out)
    boards = {"hansa-23", "hansa-45", "east", "britannia-23", "britannia-45"}
    assert set(speeds) == {"compiled", "interpreted"}
    assert set(speeds["interpreted"]) == boards
    assert set(speeds["compiled"]) == boards
    assert all(speed > 0 for part in speeds.values() for speed in part.values())


@pytest.mark.timeout(900)  # as above
def test_bench_prints_a_table(capsys):
    status, out, _ = run(capsys, "bench", "--seconds", "0.02")
    assert status == 0
    boards = {line.split()[0] for line in out.splitlines()[1:]}
    assert boards == {"hansa-23", "hansa-45", "east", "britannia-23", "britannia-45"}


def test_arena_tells_and_writes_the_results(capsys, tmp_path):
    results, table = tmp_path / "results.json", tmp_path / "results.csv"
    status, out, err = run(
        capsys,
        *("arena", "greedy", "greedy:care=25", "--players", 2, "--games", 2, "--workers", 1),
        *("--json", results, "--csv", table, "--records", tmp_path / "games"),
        *("--chart", tmp_path / "results.svg"),
    )
    assert (status, err) == (0, "")
    assert {line.split()[0] for line in out.splitlines()[1:3]} == {"greedy", "greedy:care=25"}
    assert "wins by seat" in out
    assert "Arena: 2 games" in (tmp_path / "results.svg").read_text()
    bots = json.loads(results.read_text())["bots"]
    assert {bot["name"] for bot in bots} == {"greedy", "greedy:care=25"}
    assert {"games", "wins", "win_share", "mean_score"} <= set(bots[0])
    assert bots[0]["games"] == 2
    assert table.read_text().startswith("name,games,")
    status, out, _ = run(capsys, "stats", tmp_path / "games", "--json")
    assert status == 0
    assert json.loads(out)["games"] == 2
    assert run(capsys, "stats", tmp_path / "games", "--charts", tmp_path / "charts")[0] == 0
    drawn = {file.stem for file in (tmp_path / "charts").iterdir()}
    assert drawn == {"first-skills", "routes", "ends", "seats", "length"}


def short_record() -> str:
    game = hansa.Game.new(board="hansa", players=3, seed=1)
    for action in ("place t groningen-emden/1", "place t groningen-emden/2", "end"):
        game.play(action)
    return game.record()


def test_replay_prints_each_decision_and_the_position(capsys, tmp_path):
    file = tmp_path / "game.txt"
    file.write_text(short_record())
    status, out, _ = run(capsys, "replay", file)
    assert status == 0
    assert re.search(r"1 +p1 +place t groningen-emden/1", out)
    assert re.search(r"3 +p1 +end", out)
    assert "groningen-emden p1:t p1:t" in out


def test_replay_to_a_place(capsys, tmp_path):
    file = tmp_path / "game.txt"
    file.write_text(short_record())
    status, out, _ = run(capsys, "replay", file, "--after", "1")
    assert status == 0
    assert "groningen-emden p1:t · " in out
    status, _, err = run(capsys, "replay", file, "--after", "4")
    assert (status, err) == (2, "hansa: the game has only 3 decisions, not 4\n")


def test_replay_step_by_step(capsys, tmp_path, monkeypatch):
    file = tmp_path / "game.txt"
    file.write_text(short_record())
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n\nb\n3\nwhat\nq\n"))
    status, out, _ = run(capsys, "replay", file, "--walk")
    assert status == 0
    titles = re.findall(r"^(\d+): ", out, re.MULTILINE)
    assert titles == ["1", "2", "1", "3", "3"]


def test_replay_draws_every_position(capsys, tmp_path):
    file, folder = tmp_path / "game.txt", tmp_path / "pictures"
    file.write_text(short_record())
    status, out, _ = run(capsys, "replay", file, "--pictures", folder)
    assert (status, out) == (0, f"4 pictures in {folder}\n")
    names = [f"{k:04}.svg" for k in range(4)]
    assert sorted(path.name for path in folder.iterdir()) == names
    for path in folder.iterdir():
        ET.parse(path)


@pytest.mark.parametrize(
    "options",
    [[], ["--after", "1", "--desks"], ["--chart", "prestige"], ["--chart", "score", "--letters"]],
    ids=" ".join,
)
def test_svg_of_a_record(capsys, tmp_path, options):
    file, picture = tmp_path / "game.txt", tmp_path / "picture.svg"
    file.write_text(short_record())
    status, out, _ = run(capsys, "svg", file, "--output", picture, *options)
    assert status == 0
    assert out.startswith(f"{picture}: ")
    assert ET.parse(picture).getroot().tag.endswith("svg")


def test_svg_of_a_position_and_of_a_board(capsys, monkeypatch):
    patch = '{"game": {"board": "east", "players": 3}}'
    monkeypatch.setattr(sys, "stdin", io.StringIO(patch))
    for source in ("-", "britannia-45"):
        status, out, _ = run(capsys, "svg", source, "--theme", "dark", "--size", 600)
        assert status == 0
        assert ET.fromstring(out).get("width") == "600"


@pytest.mark.parametrize("text", ["{", "[]", '{"game": {"board": "atlantis"}}', '{"turn": -1}'])
def test_svg_of_what_is_no_position(capsys, monkeypatch, text):
    monkeypatch.setattr(sys, "stdin", io.StringIO(text))
    status, out, err = run(capsys, "svg", "-")
    assert (status, out) == (2, "")
    assert err.count("\n") == 1


def test_prestige_by_turn_follows_the_track():
    game = hansa.Game.from_dict(
        {
            "game": {"board": "hansa", "players": 3},
            "routes": {"groningen-emden": {"posts": ["p1:t", "p1:t", "p1:t"]}},
            "cities": {"emden": {"offices": ["p2:t", None]}},
        }
    )
    for action in ("establish groningen-emden none", "end", "end"):
        game.play(action)
    series = pictures.prestige_by_turn(Replay(game))
    assert series == {"p1": [0, 0, 0], "p2": [0, 1, 1], "p3": [0, 0, 0]}


@pytest.mark.parametrize("content", [b"", b"nonsense", b"\xff\xfe"])
def test_replay_of_what_is_no_record(capsys, tmp_path, content):
    file = tmp_path / "game.txt"
    file.write_bytes(content)
    status, out, err = run(capsys, "replay", file)
    assert (status, out) == (2, "")
    assert err.startswith("hansa: ")
    assert err.count("\n") == 1


@pytest.mark.parametrize("command", ["play", "serve"])
def test_the_table_tells_its_address_and_stops_when_told(tmp_path, command):
    code = "from hansa.cli import main; main()"
    options = ["--port", "0", "--data", str(tmp_path)]
    options += ["--no-browser"] if command == "play" else []
    with subprocess.Popen(
        [sys.executable, "-c", code, command, *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        assert process.stdout is not None
        address = re.search(r"http://127\.0\.0\.1:\d+", process.stdout.readline())
        try:
            assert address is not None
            assert httpx.get(f"{address[0]}/health").json()["status"] == "ok"
        finally:
            process.terminate()
    assert process.returncode == 0


def test_play_in_the_terminal_with_lines_piped_in(capsys, tmp_path, monkeypatch):
    record = tmp_path / "game.txt"
    monkeypatch.setattr(sys, "stdin", io.StringIO("place t groningen-emden/1\nend\n"))
    status, out, _ = run(
        capsys, "play", "--terminal", "--seed", 3, "--bot", "random", "--save", record
    )
    assert status == 0
    assert "You left the game after" in out
    played = [str(action) for action in hansa.Game.from_record(record.read_text()).history]
    assert played[:2] == ["place t groningen-emden/1", "end"]


def test_the_library_needs_the_standard_library_alone():
    code = """if True:
        import sys
        before = set(sys.modules)
        import hansa
        hansa.Game.new().play("end")
        new = {name.partition(".")[0] for name in set(sys.modules) - before}
        print(*sorted(new - set(sys.stdlib_module_names)))
    """
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "hansa\n"


def test_a_missing_extra_is_told_in_one_line(capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "hansa.server.run", None)
    status, out, err = run(capsys, "serve")
    assert (status, out) == (2, "")
    assert "pip install 'hansa[server,fast]'" in err
    assert err.count("\n") == 1
