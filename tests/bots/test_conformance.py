"""`hansa bot-check`: what conforms passes, and what does not is told why."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from hansa.bots import conformance
from hansa.bots.conformance import Check, check
from hansa.cli import run

REFERENCE = Path(__file__).parents[2] / "examples" / "line_bot.py"
SKELETON = """
import json, sys, time
for line in sys.stdin:
    word, _, rest = line.strip().partition(" ")
    if word == "hansa":
        print("{greeting}", flush=True)
    elif word == "decide":
        legal = json.loads(rest)["legal"]
        {decide}
    elif word == "quit":
        {leave}
    {more}
"""
DECIDE = "print('decision', legal[0], flush=True)"


@pytest.fixture(autouse=True)
def a_busy_machine(monkeypatch, request):
    """Where nothing has to time out there is time enough, and where something has to, little."""
    monkeypatch.setattr(conformance, "PROMPT", 0.5 if "stays" in request.node.name else 20.0)
    monkeypatch.setattr(
        conformance, "PATIENCE", 0.5 if "no greeting" in request.node.name else 30.0
    )


def outcomes(
    tmp_path: Path, *, greeting: str = "ready x", decide: str = DECIDE, leave: str = "break",
    more: str = "",
) -> list[Check]:  # fmt: skip
    path = tmp_path / "bot.py"
    text = SKELETON.format(greeting=greeting, decide=decide, leave=leave, more=more)
    path.write_text(text, encoding="utf-8")
    return list(check([sys.executable, str(path)], seconds=2.0))


def test_the_reference_program_conforms():
    found = list(check([sys.executable, str(REFERENCE)], seconds=10.0))
    assert [str(one) for one in found if not one.ok] == []
    assert len(found) == 7
    assert "line-bot" in found[0].message


def test_a_simple_program_conforms(tmp_path):
    assert all(one.ok for one in outcomes(tmp_path))


@pytest.mark.parametrize(
    ("change", "failing", "message"),
    [
        ({"greeting": "hello"}, "answers `hansa 1`", "no answer"),
        ({"greeting": "ready"}, "answers `hansa 1`", "a name"),
        ({"decide": "print('decision end', flush=True)"}, "decides legally", "not legal"),
        ({"decide": "print('decision', legal[-1], flush=True); sys.exit(4)"}, "decides legally", "status 4"),
        ({"more": "else:\n        sys.exit('what?')"}, "ignores lines", "what?"),
        ({"leave": "pass"}, "ends after `quit`", "still runs"),
    ],
    ids=["no greeting", "no name", "illegal", "crash", "strict", "stays"],
)  # fmt: skip
def test_a_fault_is_found_and_named(tmp_path, change, failing, message):
    failed = [one for one in outcomes(tmp_path, **change) if not one.ok]
    assert failed
    assert failed[0].what.startswith(failing)
    assert message in failed[0].message


def test_different_answers_to_one_question_are_allowed_but_told(tmp_path):
    import_and_draw = "import random; print('decision', random.choice(legal), flush=True)"
    found = outcomes(tmp_path, decide=import_and_draw)
    assert all(one.ok for one in found)
    assert "differently" in found[5].message


def test_the_command_tells_and_its_status_too(capsys):
    assert run(["bot-check", f"{sys.executable} {REFERENCE}", "--seconds", "10"]) == 0
    assert "all checks passed" in capsys.readouterr().out
    assert run(["bot-check", "/no/such/program"]) == 1
    assert "cannot be started" in capsys.readouterr().out
