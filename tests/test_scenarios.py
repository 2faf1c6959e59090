"""Every scenario of tests/scenarios holds; one test each."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

import hansa
from hansa import scenarios

FOLDER = Path(__file__).parent / "scenarios"
FILES = sorted(FOLDER.glob("*.yaml"))
ALL = [(path.name, scenario) for path in FILES for scenario in scenarios.load(path)]


def test_there_are_scenarios():
    assert ALL


@pytest.mark.parametrize(
    "scenario",
    [
        pytest.param(scenario, id=scenario.id, marks=pytest.mark.rule(*scenario.rules))
        for _, scenario in ALL
    ],
)
def test_scenario(scenario):
    differences = scenarios.run(scenario)
    assert not differences, "\n".join(differences)


def test_ids_are_unique():
    counts = Counter(scenario.id for _, scenario in ALL)
    assert [name for name, count in counts.items() if count > 1] == []


def test_every_scenario_cites_a_rule_and_checks_something():
    idle = [
        f"{file}: {s.id}"
        for file, s in ALL
        if not s.rules or not (s.legal or s.illegal or s.only is not None or s.error or s.expect)
    ]
    assert idle == []


def test_what_is_illegal_is_at_least_a_decision():
    """A misspelt name is never legal: such an `illegal` would show nothing."""
    misspelt = []
    for file, scenario in ALL:
        for text in (*scenario.illegal, *scenario.legal):
            if "*" in text:
                continue
            try:
                hansa.Action.parse(text)
            except hansa.MalformedAction as error:
                misspelt.append(f"{file}: {scenario.id}: {error}")
    assert misspelt == []
