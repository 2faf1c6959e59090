"""Why a decision is not legal: every refusal has a reason, and the reason is true."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from tests.truths import TRUTHS, is_true

import hansa
from hansa.action import actions_of
from hansa.reasons import READERS, Reason, why_not
from hansa.rules.catalogue import DECISIONS

RULES = set(
    re.findall(r"^- \*\*([A-Z0-9-]+)\*\*", Path("docs/rules.md").read_text(), flags=re.MULTILINE)
)
SETUPS: list[dict[str, Any]] = [
    {"board": "hansa", "players": 3},
    {"board": "hansa", "players": 4, "favours": True, "promos": ("exchange", "tribute", "block")},
    {"board": "hansa", "players": 2, "duel": "pawn"},
    {"board": "east", "players": 4},
    {"board": "britannia", "players": 4, "border_fee": True},
    {"board": "britannia", "players": 3, "edition": "classic"},
]
TELLING = {"place", "displace", "establish", "lift", "income", "walk", "favour"}


def positions(setup: dict[str, Any], every: int = 16, most: int = 240) -> list[hansa.Game]:
    """Positions of a game in which everybody does what comes to hand, but finishes routes."""
    game, found = hansa.Game.new(seed=11, **setup), []
    for step in range(most):
        if game.over:
            break
        legal = game.legal_actions()
        useful = [a for a in legal if a.text.startswith(("establish", "lay", "put", "neutral"))]
        game.play((useful or legal)[(step * 7 + 3) % len(useful or legal)])
        if step % every == 0:
            found.append(game.copy())
    return found


@pytest.mark.parametrize("setup", SETUPS, ids=lambda s: f"{s['board']}-{s['players']}")
def test_every_refusal_has_a_reason_and_nothing_legal_has_one(setup: dict[str, Any]) -> None:
    for game in positions(setup):
        if game.over:
            continue
        legal = {action.text for action in game.legal_actions()}
        everything = list(actions_of(game.setup.board).values())
        for action in everything[game.turn % 7 :: 7]:
            reason = why_not(game, action)
            if action.text in legal:
                assert reason is None
                continue
            assert isinstance(reason, Reason)
            assert reason.rule in RULES, reason
            if game.phase == "turn" and action.verb in TELLING:
                assert reason.code != "other", (action.text, game.to_dict())
            assert is_true(game, action, reason), (action.text, reason, game.to_dict())


def test_every_verb_has_somebody_who_knows_its_reasons() -> None:
    assert set(READERS) == {decision.text.split(" ")[0] for decision in DECISIONS}


def test_every_reason_can_be_checked() -> None:
    """A code that the package can say has a truth; one that it cannot say has none."""
    said = set()
    for module in Path(hansa.reasons.__file__).parent.glob("*.py"):
        said |= set(re.findall(r'Reason\(\s*"([a-z-]+)"', module.read_text("utf-8")))
    assert said == set(TRUTHS)


@pytest.mark.parametrize("language", ["en", "de", "ja"])
def test_every_reason_has_words_on_the_page(language: str) -> None:
    text = (Path(__file__).parents[1] / f"web/src/i18n/{language}.ts").read_text("utf-8")
    missing = [code for code in TRUTHS if f"'why.{code}':" not in text]
    assert not missing


def at(position: dict[str, Any], **setup: Any) -> hansa.Game:
    game = {"board": "hansa", "players": 3, **setup}
    return hansa.Game.from_dict({"game": game, **position})


def supply(t: int, m: int) -> dict[str, Any]:
    """What p1 has; p2 has spent his merchant."""
    return {"players": {"p1": {"supply": {"t": t, "m": m}}, "p2": {"supply": {"t": 5, "m": 0}}}}


def posts(route: str, *pieces: str | None) -> dict[str, Any]:
    return {"routes": {route: {"posts": list(pieces)}}}


GE = "groningen-emden"
CASES = [
    ("own", "PLACE-1", f"place t {GE}/1", at(posts(GE, "p1:t", None, None))),
    ("taken", "DISPLACE-1", f"place t {GE}/1", at(posts(GE, "p2:t", None, None))),
    ("free", "PLACE-1", f"displace t {GE}/1", at({})),
    ("fee", "DISPLACE-5", f"displace t {GE}/1", at(supply(2, 0) | posts(GE, "p2:m", None, None))),
    ("no-supply", "INCOME-4", f"place t {GE}/1", at(supply(0, 0))),
    ("no-shape", "INCOME-4", f"place m {GE}/1", at(supply(2, 0))),
    ("no-actions", "TURN-3", f"place t {GE}/1", at({"actions_left": 0})),
    ("not-own", "MOVE-4", f"lift {GE}/1", at(posts(GE, "p2:t", None, None))),
    ("empty", "MOVE-1", f"lift {GE}/1", at({})),
    ("route", "ROUTE-1", f"establish {GE} none", at(posts(GE, "p1:t", "p1:t", "p2:t"))),
    (
        "privilege",
        "OFFICE-3",
        "establish arnheim-muenster office muenster",
        at(
            posts("arnheim-muenster", "p1:t", "p1:t", "p1:t")
            | {"cities": {"muenster": {"offices": ["p2:m", None]}}}
            | supply(2, 0)
        ),
    ),
    (
        "house-shape",
        "OFFICE-2",
        "establish arnheim-muenster office muenster",
        at(posts("arnheim-muenster", "p1:t", "p1:t", "p1:t")),
    ),
    (
        "no-skill",
        "ROUTE-SKILL-1",
        "establish arnheim-muenster skill keys",
        at(posts("arnheim-muenster", "p1:t", "p1:t", "p1:t")),
    ),
    ("no-marker", "MARKER-USE-1", "use plus3", at({})),
    ("no-pawn", "DUEL-PAWN-1", "walk 3", at({})),
    ("elsewhere", "GEO-1", "place t conway-chester/1", at({})),
]


@pytest.mark.parametrize(("code", "rule", "text", "game"), CASES, ids=[c[0] for c in CASES])
def test_the_reason_names_what_is_in_the_way(
    code: str, rule: str, text: str, game: hansa.Game
) -> None:
    found = why_not(game, text)
    assert found is not None
    assert (found.code, found.rule) == (code, rule), found


def test_wales_needs_a_permission_and_says_whose() -> None:
    game = hansa.Game.new(board="britannia", players=3, seed=1)
    found = why_not(game, "place t conway-montgomery/1")
    assert found is not None
    assert found.code == "permission"
    assert found.message == "Wales needs a permission: the rightmost office of Cardiff or London."


def test_a_pawn_elsewhere_is_named() -> None:
    game = hansa.Game.new(board="hansa", players=2, seed=1)
    game.play(game.legal_actions()[0])
    away = next(r for r in game.board.routes if r.id not in game.board.provinces[0].routes)
    found = why_not(game, f"place t {away.id}/1")
    assert found is not None
    assert found.code == "pawn"


def test_inside_something_nothing_else_is_possible() -> None:
    game = at(posts(GE, "p2:t", None, None))
    game.play(f"displace t {GE}/1")
    found = why_not(game, "end")
    assert found is not None
    assert found.code == "inside"


def test_text_that_is_no_decision_is_refused() -> None:
    with pytest.raises(hansa.MalformedAction):
        why_not(at({}), "place x nowhere/1")
