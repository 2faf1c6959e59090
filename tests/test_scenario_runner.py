"""The scenario runner itself: each kind of check can fail, and says what differed."""

from __future__ import annotations

import pytest

import hansa
from hansa import scenarios

BASE = "id: example\nrules: [PLACE-1]\ngame: {board: hansa, players: 3}\n"
DISPLACE = (
    BASE
    + """
position:
  players: {p1: {supply: {t: 3, m: 0}}}
  routes: {groningen-emden: {posts: ["p2:t", null, null]}}
play:
  - displace t groningen-emden/1
  - p2> put t emden-osnabrueck/1
  - p2> done
"""
)


def outcome(text: str) -> list[str]:
    [scenario] = scenarios.parse(text)
    return scenarios.run(scenario)


HOLDS = {
    "fresh game": BASE,
    "legal": DISPLACE + "legal: [place t emden-osnabrueck/2]",
    "legal wildcard": DISPLACE + "legal: [place * emden-osnabrueck/2, income *, '*']",
    "illegal": DISPLACE
    + "illegal: [displace t groningen-emden/1, use *, place * groningen-emden/1]",
    "only": BASE + "play: [end]\nonly: null",
    "illegal step": BASE
    + "play: [place t groningen-emden/1, place t groningen-emden/1]\nerror: illegal",
    "checks after it": BASE
    + "play: [establish groningen-emden none]\nerror: illegal\nexpect: {actions_left: 2}\nlegal: [end]",
    "malformed step": BASE + "play: [dance]\nerror: malformed",
    "a number is no decision": BASE + "play: [7]\nerror: malformed",
    "invalid position": BASE + "position: {turn: -1}\nerror: invalid-position",
    "invalid set-up": "id: x\ngame: {board: hansa, players: 9}\nerror: invalid-setup",
    "position data": DISPLACE
    + "expect: {actions_left: 1, routes: {groningen-emden: {posts: ['p1:t', null, null]}}}",
    "stock": DISPLACE + "expect: {players: {p1: {supply: {t: 1, m: 0}, stock: {t: 9, m: 1}}}}",
    "winners": BASE + "expect: {winners: []}",
    "completed": BASE + "expect: {completed: 0}",
    "control": BASE
    + "position: {cities: {emden: {offices: ['p2:t', null]}}}\nexpect: {control: {emden: p2, stade: null}}",
    "scores": BASE + "expect: {scores: {p1: {track: 0, prestige: 0}}}",
    "count": BASE + "expect: {count: {discarded: 0, players: {p1: {markers: 0}}}}",
    "prestige keys are text": BASE
    + "position: {players: {p1: {supply: {m: 0}}}, prestige: {7: p1}}\nexpect: {prestige: {7: p1, 8: null}}",
}


@pytest.mark.parametrize("text", HOLDS.values(), ids=HOLDS)
def test_what_holds_passes(text):
    assert outcome(text) == []


FAILS = {
    "legal": (
        DISPLACE + "legal: [place t groningen-emden/1]",
        "legal: `place t groningen-emden/1`",
    ),
    "legal wildcard": (DISPLACE + "legal: [use *]", "legal: `use *` is not legal"),
    "illegal": (DISPLACE + "illegal: [end]", "illegal: `end` is legal for p1"),
    "illegal wildcard": (DISPLACE + "illegal: [income *]", "illegal: `income"),
    "only, too many": (BASE + "only: [end]", "only: legal too: "),
    "only, missing": (BASE + "only: [done]", "only: not legal: `done`"),
    "step that fails": (BASE + "play: [use plus3]", "step 1 `use plus3`: illegal"),
    "malformed step": (BASE + "play: [dance]", "step 1 `dance`: malformed"),
    "who decides": (BASE + "play: [p2> end]", "step 1 `p2> end`: p2 should decide, but p1 does"),
    "no error": (
        BASE + "play: [end]\nerror: illegal",
        "`end`: expected illegal, but it was played",
    ),
    "other error": (BASE + "play: [dance]\nerror: illegal", "expected illegal, got malformed"),
    "accepted": (BASE + "error: invalid-position", "expected invalid-position, but"),
    "other loading error": (
        BASE + "position: {turn: -1}\nerror: invalid-setup",
        "loading: expected invalid-setup, got invalid-position",
    ),
    "loading": (BASE + "position: {turn: -1}", "loading: got invalid-position"),
    "checks without a game": (
        BASE + "position: {turn: -1}\nerror: invalid-position\nexpect: {turn: 1}",
        "nothing else can be checked",
    ),
    "number": (BASE + "expect: {turn: 7}", "turn: expected 7, got 1"),
    "list is whole": (
        BASE + "expect: {routes: {groningen-emden: {posts: [null]}}}",
        "routes.groningen-emden.posts: expected [null], got [null, null, null]",
    ),
    "no such part": (BASE + "expect: {weather: fine}", "weather: expected fine, but there is no"),
    "true is not one": (BASE + "expect: {turn: true}", "turn: expected true, got 1"),
    "stock": (
        BASE + "expect: {players: {p1: {stock: {t: 99}}}}",
        "players.p1.stock.t: expected 99, got ",
    ),
    "winners": (BASE + "expect: {winners: [p1]}", "winners: expected [p1], got []"),
    "completed": (BASE + "expect: {completed: 3}", "completed: expected 3, got 0"),
    "control": (
        BASE + "expect: {control: {emden: p1}}",
        "control.emden: expected p1, got null",
    ),
    "scores": (BASE + "expect: {scores: {p1: {total: -1}}}", "scores.p1.total: expected -1, got "),
    "count": (BASE + "expect: {count: {discarded: 4}}", "count.discarded: expected 4, got 0"),
}


@pytest.mark.parametrize(("text", "message"), FAILS.values(), ids=FAILS)
def test_what_does_not_hold_fails_and_says_so(text, message):
    differences = outcome(text)
    assert any(message in line for line in differences), differences


def test_a_failing_step_that_changes_the_game_is_told(monkeypatch):
    real = hansa.Game.play

    def sloppy(game: hansa.Game, action: str) -> object:
        real(game, "place t groningen-emden/1")
        return real(game, action)

    monkeypatch.setattr(hansa.Game, "play", sloppy)
    differences = outcome(BASE + "play: [use plus3]\nerror: illegal")
    assert any("the failing step changed actions_left" in line for line in differences)
    assert any("the failing step changed history" in line for line in differences)


BROKEN = {
    "unknown key": (BASE + "exspect: {}", "unknown key 'exspect'"),
    "no id": ("game: {board: hansa}", "`id` is missing"),
    "id is no name": ("id: true", "`id` is missing"),
    "not a mapping": ("- a list", "a scenario is a mapping"),
    "twice": (BASE + "expect: {turn: 1, turn: 2}", "line 4: not YAML as expected: the key 'turn'"),
    "a key that is a list": (BASE + "expect: {[a]: 1}", "a key must be a plain word"),
    "not YAML": ("id: [", "not YAML as expected"),
    "empty": ("", "no scenario in it"),
    "play is text": (BASE + "play: end", "`play` must be a list"),
    "a step is a mapping": (BASE + "play: [{a: 1}]", "`play` must hold lines of text"),
    "expect is a list": (BASE + "expect: [1]", "`expect` must be a mapping"),
    "unknown error": (BASE + "error: sad", "error 'sad'; known are illegal"),
    "error is a list": (BASE + "error: [illegal]", "known are illegal"),
    "no step to fail": (BASE + "error: illegal", "needs a last step"),
    "game in position": (BASE + "position: {game: {}}", "`game` stands beside `position`"),
}


@pytest.mark.parametrize(("text", "message"), BROKEN.values(), ids=BROKEN)
def test_what_is_no_scenario_is_refused(text, message):
    with pytest.raises(scenarios.ScenarioError) as caught:
        scenarios.parse(text)
    assert message in str(caught.value)


def test_words_that_old_yaml_takes_for_truth_stay_words():
    [scenario] = scenarios.parse(
        "id: no\nexpect: {n: n, y: off, on: yes, 7: 07, a: 1:30, b: 2009-01-01, c: ~, d: -3, e: 1e3}"
    )
    assert scenario.id == "no"
    assert scenario.expect == {
        "n": "n",
        "y": "off",
        "on": "yes",
        "7": "07",
        "a": "1:30",
        "b": "2009-01-01",
        "c": None,
        "d": -3,
        "e": "1e3",
    }


@pytest.mark.parametrize(
    ("pattern", "action", "fits"),
    [
        ("end", "end", True),
        ("end", "end now", False),
        ("place * a-b/2", "place t a-b/2", True),
        ("place * a-b/2", "place t a-b/1", False),
        ("place *", "place t a-b/1", True),
        ("use *", "use skill keys", True),
        ("use *", "use", False),
        ("*", "end", True),
        ("establish * none", "establish a-b office c", False),
        ("lay * *", "lay swap a-b", True),
    ],
)
def test_wildcards(pattern, action, fits):
    assert scenarios.matches(pattern, action) is fits


def test_a_broken_document_does_not_hide_the_others(tmp_path):
    file = tmp_path / "mixed.yaml"
    file.write_text(f"{BASE}---\nid: odd\nwrong: 1\n---\n[1]\n---\nid: last\n")
    lines = [str(o) for o in scenarios.check(file)]
    assert lines[0] == "ok example"
    assert lines[1].startswith("FAIL odd: unknown key 'wrong'")
    assert lines[2].startswith("FAIL mixed.yaml, document 3: a scenario is a mapping")
    assert len(lines) == 4


def test_a_crash_is_told_as_such(tmp_path, monkeypatch):
    def crash(*_args: object, **_options: object) -> None:
        raise ZeroDivisionError("oh\nno")

    monkeypatch.setattr(hansa.Game, "new", crash)
    file = tmp_path / "one.yaml"
    file.write_text(BASE)
    assert [str(o) for o in scenarios.check(file)] == [
        "FAIL example: crashed: ZeroDivisionError: oh no"
    ]


def test_many_differences_are_cut():
    assert str(scenarios.Outcome("x", tuple("abcdefg"))) == "FAIL x: a; b; c; d; and 3 more"


def test_a_file_that_is_no_text_is_refused(tmp_path):
    file = tmp_path / "bytes.yaml"
    file.write_bytes(b"\xff\xfe\x00")
    [result] = scenarios.check(file)
    assert "not a text file" in str(result)
