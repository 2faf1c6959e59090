"""Every parser against bytes that nobody meant: a value that goes round, or an error that says why.

Three kinds of input: anything at all; real texts with a few bytes changed, doubled or left out;
and what breaks readers of JSON and YAML (depth, numbers without end, loops, bytes that are no text).
"""

from __future__ import annotations

import contextlib
import copy
import functools
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hansa
from hansa import bots, cli, pictures, scenarios
from hansa.reasons import why_not
from hansa.setup import Setup

ROOT = Path(__file__).parent
RECORDS = sorted((ROOT / "games").glob("*.hansa"))
SCENARIOS = sorted((ROOT / "scenarios").glob("*.yaml"))
BINARY = st.binary(max_size=80).map(lambda data: data.decode("latin-1"))
ANYTHING = st.text(max_size=80) | BINARY

NASTY = [
    "",
    "\x00",
    "\ud800",
    "\ufeff{}",
    "[" * 100_000,
    '{"a":' * 50_000,
    '{"game": {"seed": ' + "1" * 5_000 + "}}",
    '{"game": {"seed": Infinity}}',
    '{"turn": NaN}',
    "Hansa record 1",
    "Hansa record " + "9" * 5_000,
    "Hansa record 1\nSetup: " + "[" * 100_000,
    'Hansa record 1\nSetup: {"seed": ' + "1" * 5_000 + "}",
    "Hansa record 1\nSetup: {}\n\n# turn 1\np1> \n",
    "id: a\ngame: &loop {board: *loop}",
    "id: a\ngame: {seed: !!float x}",
    "id: a\ngame: {seed: !!timestamp 2001-99-99}",
    "id: a\nplay: !!binary '?'",
    "id: a\nplay: [" + "9" * 5_000 + "]",
    "{" * 2_000,
]


def read_scenarios(text: str) -> None:
    """Parsed and run: what a scenario asks for may be nonsense too."""
    for scenario in scenarios.parse(text, "fuzz"):
        scenarios.run(scenario)


PARSERS: dict[str, Any] = {
    "decision": hansa.Action.parse,
    "play": lambda text: hansa.Game.new(players=3).play(text),
    "reason": lambda text: why_not(hansa.Game.new(players=3), text),
    "record": hansa.Game.from_record,
    "position or record": pictures.read_game,
    "picture": lambda text: pictures.draw(text, pictures.Style()),
    "scenario": read_scenarios,
    "bot": bots.create,
}


def survives(parse: Any, text: str) -> None:
    with contextlib.suppress(hansa.HansaError, scenarios.ScenarioError):
        parse(text)


@pytest.mark.parametrize("parser", PARSERS)
def test_nasty_texts(parser: str) -> None:
    for text in NASTY:
        survives(PARSERS[parser], text)


@pytest.mark.parametrize("parser", PARSERS)
@settings(max_examples=60, deadline=None)
@given(text=ANYTHING)
def test_any_text(parser: str, text: str) -> None:
    survives(PARSERS[parser], text)


@st.composite
def damaged(draw: st.DrawFn, texts: list[str]) -> str:
    """A real text with some of its parts changed, left out or doubled."""
    text = draw(st.sampled_from(texts))
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, max(len(text) - 1, 0)))
        length = draw(st.integers(0, 12))
        piece = draw(st.sampled_from(["", text[at : at + length] * 2]) | st.text(max_size=6))
        text = text[:at] + piece + text[at + length :]
    return text


@functools.cache
def short_records() -> list[str]:
    return ["\n".join(path.read_text("utf-8").splitlines()[:40]) + "\n" for path in RECORDS]


@functools.cache
def short_scenarios() -> list[str]:
    return [path.read_text("utf-8").split("\n---\n")[0] for path in SCENARIOS]


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_damaged_records_are_refused_or_go_round(data: st.DataObject) -> None:
    text = data.draw(damaged(short_records()))
    try:
        game = hansa.Game.from_record(text)
    except hansa.InvalidRecord:
        return
    assert hansa.Game.from_record(game.record()).record() == game.record()


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_damaged_scenarios_are_refused_or_run(data: st.DataObject) -> None:
    survives(read_scenarios, data.draw(damaged(short_scenarios())))


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_damaged_positions_as_text_are_refused_or_go_round(data: st.DataObject) -> None:
    text = data.draw(damaged([json.dumps(position()), json.dumps(view())]))
    try:
        game = pictures.read_game(text)
    except hansa.HansaError:
        return
    assert hansa.Game.from_dict(game.to_dict()) == game


@functools.cache
def game() -> hansa.Game:
    out = hansa.Game.new(players=3, missions=True, favours=True, promos=["block"], seed=3)
    for text in ("place t groningen-emden/1", "place t groningen-emden/2", "end"):
        out.play(text)
    return out


def position() -> dict[str, Any]:
    return {**game().to_dict()}


def view() -> dict[str, Any]:
    return {**game().view("p2")}


VALUES: st.SearchStrategy[Any] = st.sampled_from(
    [None, True, -1, 0, 2**70, 1.5, "", "?", "p1", "p9", "p1:t", "swap", "emden", [], ["?"], {}]
)


def places(data: Any) -> list[tuple[Any, ...]]:
    """Paths to everything in it."""
    items = data.items() if isinstance(data, dict) else enumerate(data)
    out: list[tuple[Any, ...]] = []
    for key, value in items:
        out.append((key,))
        if isinstance(value, dict | list):
            out += [(key, *rest) for rest in places(value)]
    return out


def changed(data: Any, path: tuple[Any, ...], value: Any) -> Any:
    data = copy.deepcopy(data)
    spot = data
    for key in path[:-1]:
        spot = spot[key]
    spot[path[-1]] = value
    return data


@settings(max_examples=200, deadline=None)
@given(st.data(), VALUES)
def test_damaged_views_are_refused_or_filled_in(data: st.DataObject, value: Any) -> None:
    forged = changed(view(), data.draw(st.sampled_from(places(view()))), value)
    with contextlib.suppress(hansa.HansaError):
        hansa.Game.from_view(forged, 5)


@settings(max_examples=200, deadline=None)
@given(st.data(), VALUES)
def test_damaged_positions_are_refused_or_go_round(data: st.DataObject, value: Any) -> None:
    forged = changed(position(), data.draw(st.sampled_from(places(position()))), value)
    with contextlib.suppress(hansa.HansaError):
        found = hansa.Game.from_dict(forged)
        assert hansa.Game.from_dict(found.to_dict()) == found


SETTINGS = st.sampled_from(list(Setup.__dataclass_fields__))


@settings(max_examples=150, deadline=None)
@given(st.dictionaries(SETTINGS, VALUES | st.sampled_from(["east", "classic", 2, 3, ["block"]])))
def test_settings_are_refused_or_begin(given_settings: dict[str, Any]) -> None:
    with contextlib.suppress(hansa.HansaError):
        assert hansa.Game.new(**given_settings).legal_actions()
    with contextlib.suppress(hansa.HansaError):
        Setup.from_dict(given_settings)


@settings(max_examples=80, deadline=None)
@given(st.text(alphabet="searchgredyandom:=,.0123456789-time ", max_size=30))
def test_names_of_bots_are_refused_or_found(text: str) -> None:
    with contextlib.suppress(hansa.HansaError):
        bots.create(text)


@pytest.mark.parametrize("command", ["show", "svg", "replay", "check"])
@pytest.mark.parametrize(
    "content",
    [b"\xff\xfe\x00", b"\x89PNG\r\n", *(t.encode("utf-8", "surrogatepass") for t in NASTY)],
)
def test_commands_say_in_a_line_what_is_wrong_with_a_file(
    capsys: pytest.CaptureFixture[str], command: str, content: bytes, tmp_path: Path
) -> None:
    file = tmp_path / "file.txt"
    file.write_bytes(content)
    status = cli.run([command, str(file)])
    output = capsys.readouterr()
    assert status in {0, 1, 2}
    if status == 2:
        assert output.err.startswith("hansa: ")
        assert output.err.count("\n") == 1
        assert len(output.err) < 500
    elif status == 1:
        assert "FAIL" in output.out
