"""Adding a board is one file, adding a marker one module, its words and an icon: a toy proves it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
TOY = HERE / "toy"


def run(*command: str, extensions: str = str(TOY)) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *command],
        env={**os.environ, "HANSA_EXTENSIONS": extensions},
        cwd=HERE.parent,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.timeout(1800)
def test_a_toy_board_and_a_toy_marker_live_in_every_room():
    done = run("-m", "pytest", "-q", "-p", "no:cacheprovider", str(TOY / "checks.py"))
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]


def test_the_toy_has_as_many_files_as_promised():
    """Besides what is generated: a board, an effect, a word list for each language, an icon."""
    files = {path.relative_to(TOY).as_posix() for path in TOY.rglob("*") if path.is_file()}
    files = {name for name in files if "__pycache__" not in name}
    words = {f"words/{language}.json" for language in ("en", "de", "ja")}
    assert files == {
        "boards/isle.json", "rules/gift.py", "rules/dispatch.py", "icons/marker-gift.svg",
        "checks.py", *words,
    }  # fmt: skip


def test_a_folder_that_is_not_there_is_named():
    done = run("-c", "import hansa", extensions="/nowhere/at/all")
    assert done.returncode != 0
    assert "HANSA_EXTENSIONS: /nowhere/at/all is no folder" in done.stderr


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "MARKERS = (Marker(13, 'late', 'MARKER-USE-1', promo=True),)",
            "marker number 12 is missing",
        ),
        (
            "MARKERS = (Marker(12, 'swap', 'MARKER-USE-1', promo=True),)",
            "two markers are called 'swap'",
        ),
        (
            "MARKERS = (Marker(12, 'idle', 'MARKER-USE-1', promo=True),)",
            "idle: no decision uses it",
        ),
        ("DECISIONS = (Decision(1, 'dance'),)", "'dance': id 1 is taken; 2749 is free"),
        ("DECISIONS = (Decision(9000, 'end'),)", "two decisions are called 'end'"),
        ("FRAMES = (Frame(17, 'trance', {'depth': 'count'}, None),)", "trance: unknown depth"),
    ],
)
def test_what_does_not_fit_the_house_is_refused_with_a_reason(tmp_path, text, message):
    (tmp_path / "rules").mkdir()
    head = "from .declare import Decision, Frame, Marker\n"
    (tmp_path / "rules" / "wrong.py").write_text(head + text, "utf-8")
    done = run("-c", "import hansa.rules.numbering", extensions=str(tmp_path))
    assert done.returncode != 0
    assert message in done.stderr
