"""Build what is published, install it into an empty environment, and play there.

    python -m tests.release          (or: make release)

Wheel and source distribution come to lie in dist/. With HANSA_REPOSITORY set, as the workflow for a
release does, addresses in the metadata are asked for too. What went wrong is told; the exit status
says whether anything did.
"""

from __future__ import annotations

import email
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import urllib.request
import venv
import zipfile
from pathlib import Path

import hansa

ROOT = Path(__file__).parents[1]
DIST = ROOT / "dist"
PAGE = "hansa/server/static/index.html"
USER = ROOT / "tests" / "users_program.py"
"""Needs nothing but the package."""
LEARNER = ROOT / "tests" / "users_learner.py"
"""Needs numpy besides."""
GAME = """
import hansa
from hansa import bots

game, bot = hansa.Game.new(players=3, seed=4), bots.create("greedy")
while not game.over:
    game.play(bot.choose(game.view(game.player), game.legal_actions()))
assert hansa.Game.from_record(game.record()) == game
print(game.scores())
"""


def say(text: str) -> None:
    """One step."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def build(source: Path, target: Path, *kinds: str) -> None:
    """Wheel, source distribution, or both."""
    command = [sys.executable, "-m", "hatchling", "build", "-d", str(target), *kinds]
    subprocess.run(command, cwd=source, check=True, stdout=subprocess.DEVNULL)


def only(folder: Path, pattern: str) -> Path:
    """The one file of that name."""
    (found,) = folder.glob(pattern)
    return found


def names(wheel: Path) -> set[str]:
    """The files of a wheel."""
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


def metadata(wheel: Path) -> email.message.Message:
    """What an index shows of it."""
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (n for n in archive.namelist() if n.endswith(".dist-info/METADATA"))
        return email.message_from_bytes(archive.read(name))


def check_files(folder: Path) -> Path:
    """The page is in both; a wheel from the source distribution is the same wheel."""
    wheel = only(DIST, "hansa-*.whl")
    with tarfile.open(only(DIST, "hansa-*.tar.gz")) as archive:
        archive.extractall(folder, filter="data")
    unpacked = only(folder, "hansa-*")
    build(unpacked, folder / "again", "-t", "wheel")
    again = only(folder / "again", "*.whl")
    assert names(again) == names(wheel), names(again) ^ names(wheel)
    assert {PAGE, "hansa/py.typed", "hansa/boards/east.json"} <= names(wheel)
    about = metadata(wheel)
    assert about["Version"] == hansa.__version__
    if os.environ.get("HANSA_REPOSITORY"):
        assert "Source, " in "".join(about.get_all("Project-URL", []))
        assert not re.search(r"\]\((?!\w+://|#)", str(about.get_payload()))
        assert metadata(again).get_all("Project-URL") == about.get_all("Project-URL")
    say(
        f"{wheel.name}: {len(names(wheel))} files, {wheel.stat().st_size // 1000} kB, page included"
    )
    return wheel


def install(wheel: Path, folder: Path) -> Path:
    """An empty environment with the pinned requirements and the wheel; gives its Python."""
    venv.create(folder, with_pip=True)
    python = folder / "bin" / "python"
    pip = [str(python), "-m", "pip", "--disable-pip-version-check", "--quiet"]
    subprocess.run([*pip, "install", "-r", str(ROOT / "requirements" / "play.txt")], check=True)
    subprocess.run([*pip, "install", "--no-deps", str(wheel)], check=True)
    subprocess.run([*pip, "check"], check=True)
    return python


def told(folder: Path, *command: object, given: str = "") -> str:
    """What a command says, started where nothing of the project lies."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("HANSA_", "PYTHON"))}
    done = subprocess.run(
        [str(word) for word in command],
        cwd=folder,
        env=environment | {"HANSA_CACHE": str(folder / "cache")},
        input=given,
        capture_output=True,
        check=True,
        text=True,
    )
    return done.stdout


def check_command(python: Path, folder: Path) -> None:
    """Help, versions, a position through a pipe, a game to its end."""
    command = python.parent / "hansa"
    for words in ([command], [python, "-m", "hansa"]):
        assert told(folder, *words).startswith("Usage: hansa")
        assert told(folder, *words, "--version") == f"hansa {hansa.__version__}\n"
    line = told(folder, command, "new", "--board", "east", "--players", 3, "--line")
    assert "Turn 1 of p1" in told(folder, command, "show", "-", given=line)
    assert "total" in told(folder, python, "-c", GAME)
    say("the command answers, greedy bots played a game to its end")


def check_types(python: Path, folder: Path, program: Path) -> None:
    """A user's program passes the strictest check."""
    mypy = [sys.executable, "-m", "mypy", "--strict", "--python-executable", str(python)]
    told(folder, *mypy, "--config-file=", "--cache-dir", folder / "mypy", program)
    told(folder, python, program)
    say(f"{program.name} passes mypy --strict, and runs")


def check_table(python: Path, folder: Path) -> None:
    """The table starts, and the page with its script comes."""
    command = [python.parent / "hansa", "play", "--no-browser", "--port", "0", "--data", folder]
    process = subprocess.Popen(
        [str(word) for word in command], cwd=folder, stdout=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        found = re.search(r"http://[\w.:\[\]]+", process.stdout.readline())
        assert found is not None, "the table did not say where it is"
        page = urllib.request.urlopen(found[0], timeout=60).read().decode()  # noqa: S310  # as said
        script = re.search(r'src="([^"]+\.js)"', page)
        assert script is not None, "the page has no script"
        urllib.request.urlopen(found[0].rstrip("/") + script[1], timeout=60).read()  # noqa: S310  # as said
    finally:
        process.terminate()
        process.wait()
    say("the table shows the page")


def main() -> None:
    """All of it."""
    shutil.rmtree(DIST, ignore_errors=True)
    build(ROOT, DIST)
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        wheel = check_files(folder / "source")
        python = install(wheel, folder / "environment")
        away = folder / "away"
        away.mkdir()
        check_command(python, away)
        check_types(python, away, USER)
        check_types(python, away, LEARNER)
        check_table(python, away)
    say(f"ready to be published: {DIST}")


if __name__ == "__main__":
    main()
