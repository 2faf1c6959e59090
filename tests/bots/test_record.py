"""Records of the judgement: declared once, by name, and filled with nothing missing."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest

import hansa
from hansa.bots import create
from hansa.bots.judge import fitted
from hansa.bots.judge.survey import Survey
from hansa.bots.judge.weights import STEP_FIRST, Weights
from hansa.bots.learned.network import Layers, Network
from hansa.bots.record import fill, part, real, record, whole
from hansa.bots.tree.layout import Lookahead, Node
from hansa.grammar import MARKER_NAMES as MARKERS
from hansa.names import SKILLS
from hansa.rules.capacity import MAX_CITIES, MAX_LEGAL, MAX_ROUTES
from hansa.rules.codes import SKILL_STEPS


@record
class Inner:
    share: float = real()


@record
class Outer:
    number: int = whole(kind="i4")
    several: list[int] = whole(3)
    inner: Inner = part(Inner)


def names(cls: Any) -> list[str]:
    """Of all fields of a record, those of its parts too."""
    inner = [names(kind) for _, kind, _ in cls.FIELDS if isinstance(kind, type)]
    return [name for name, _, _ in cls.FIELDS] + [name for part in inner for name in part]


def test_no_field_has_the_name_of_something_numpys_records_have():
    """`record.base` would be numpy's own, not the field."""
    for cls in (Weights, Survey, Node, Lookahead, Layers, Network):
        assert not [name for name in names(cls) if hasattr(np.record, name)]


def test_a_record_is_declared_once_and_starts_at_nought():
    assert Outer() == Outer(number=0, several=[0, 0, 0], inner=Inner(share=0.0))
    made: Any = Outer()
    assert list(made.FIELDS) == [("number", "i4", 0), ("several", "i8", 3), ("inner", Inner, 0)]
    with pytest.raises(AttributeError):
        made.misspelt = 1


def test_two_records_share_no_list():
    one, other = Outer(), Outer()
    one.several[0], one.inner.share = 7, 0.5
    assert other == Outer()


def test_the_same_fields_in_numpy():
    pytest.importorskip("numpy")
    from hansa import compiled

    made = Outer(number=4, several=[1, 2, 3], inner=Inner(share=0.25))
    (array,) = compiled.records([made])
    assert array["number"] == 4
    assert array["several"].tolist() == [1, 2, 3]
    assert array["inner"]["share"] == 0.25
    assert compiled.record_dtype(Node).itemsize == 64


def test_filling_takes_just_the_fields_there_are():
    made = Outer()
    fill(made, {"number": 1, "several": (1, 2, 3), "inner": {"share": 2.0}})
    assert made == Outer(number=1, several=[1, 2, 3], inner=Inner(share=2.0))
    for wrong, told in (
        ({"number": 1, "several": (1, 2, 3)}, "Outer: missing or unknown: inner"),
        ({"number": 1, "several": (1, 2, 3), "inner": {}}, "Inner: missing or unknown: share"),
        ({"number": 1, "several": (1, 2), "inner": {"share": 0.0}}, "several: 3 values, not 2"),
    ):
        with pytest.raises(ValueError, match=told):
            fill(Outer(), wrong)


def test_sizes_come_from_the_rules():
    v = Survey()
    assert len(v.control) == len(v.office) == MAX_CITIES
    assert len(v.rank) == len(v.by_move) == MAX_ROUTES
    assert len(v.scores) == MAX_LEGAL
    assert len(Weights().steps) == len(v.features.steps) == sum(SKILL_STEPS)
    assert len(Weights().use) == len(v.features.unused) == len(MARKERS)


@pytest.mark.parametrize("kind", fitted.EVALUATIONS)
def test_fitted_values_are_found_by_name(kind):
    w = fitted.weights_of(kind)
    for skill, (name, first) in enumerate(zip(SKILLS, STEP_FIRST, strict=True)):
        steps = slice(first, first + SKILL_STEPS[skill])
        assert tuple(w.steps[steps]) == fitted.WEIGHTS["steps"][name]
        assert tuple(w.evaluation.steps[steps]) == fitted.EVALUATIONS[kind]["steps"][name]
    for number, name in enumerate(MARKERS):
        assert w.use[number] == fitted.WEIGHTS["use"][name]
        assert w.evaluation.unused[number] == fitted.EVALUATIONS[kind]["unused"][name]
    assert (w.risk, w.calm) == (fitted.WEIGHTS["risk"], fitted.WEIGHTS["calm"])
    assert w.evaluation.total == fitted.EVALUATIONS[kind]["total"]
    assert w.uncertain == fitted.UNCERTAIN[kind]


@pytest.fixture
def other_values(monkeypatch):
    """Values to spoil; what has been loaded is forgotten before and after."""
    monkeypatch.setattr(fitted, "WEIGHTS", copy.deepcopy(fitted.WEIGHTS))
    fitted.weights_of.cache_clear()
    yield fitted.WEIGHTS
    fitted.weights_of.cache_clear()


def test_a_forgotten_or_misspelt_weight_is_named(other_values):
    other_values["rsik"] = other_values.pop("risk")
    with pytest.raises(ValueError, match="Weights: missing or unknown: risk, rsik"):
        fitted.weights_of()


def test_a_missing_step_and_an_unknown_marker_are_named(other_values):
    other_values["steps"]["keys"] = (90, 55, 95)
    with pytest.raises(ValueError, match="steps of skills"):
        fitted.weights_of()
    other_values["steps"]["keys"] = (90, 55, 95, 100)
    other_values["use"]["catapult"] = 1
    with pytest.raises(ValueError, match="no such marker: catapult"):
        fitted.weights_of()


def test_a_marker_that_nobody_has_fitted_counts_like_the_middle_one(other_values):
    del other_values["use"]["block"]
    assert fitted.weights_of().use[MARKERS.index("block")] == 140
    assert min(other_values["use"].values()) < 140 < max(other_values["use"].values())


def test_a_board_that_nobody_has_fitted_is_judged_like_the_usual_one():
    assert fitted.kind_of("east", 4) == "east"
    assert fitted.kind_of("atlantis", 4) == "hansa"
    assert fitted.kind_of("atlantis", 2) == "duel"


def test_deciding_leaves_the_shared_weights_alone():
    before = copy.deepcopy(fitted.weights_of())
    game = hansa.Game.new(players=3, seed=1)
    for bot in (create("greedy"), create("search:simulations=2")):
        game.play(bot.choose(game.view(game.player), game.legal_actions()))
    assert fitted.weights_of() == before
