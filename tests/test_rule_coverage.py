"""Every rule of docs/rules.md is cited by a scenario or a test, and every worked example is played.

Read statically: `rules:` of the scenario files and `pytest.mark.rule(...)` in the test modules.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

TESTS = Path(__file__).parent
RULES = TESTS.parent / "docs" / "rules.md"

#: `- **TURN-8** —` a rule, `| RULING-1 |` a row of a table, `**EX-1 Setup.**` a worked example.
DEFINITION = re.compile(
    r"^(?:- \*\*([A-Z][A-Z0-9-]*-\d+)\*\*|\| ([A-Z][A-Z0-9-]*-\d+) \||\*\*(EX-\d+)\b)", re.MULTILINE
)
#: These explain other rules: misprints, differences of the editions, examples.
EXPLAINING = ("FIX", "OPT", "EX")


def family(rule: str) -> str:
    return rule.rpartition("-")[0]


def in_order(rules: set[str]) -> list[str]:
    return sorted(rules, key=lambda rule: (family(rule), int(rule.rpartition("-")[2])))


def defined() -> set[str]:
    text = RULES.read_text(encoding="utf-8")
    return {next(filter(None, found)) for found in DEFINITION.findall(text)}


def cited_by_scenarios() -> set[str]:
    cited: set[str] = set()
    for path in (TESTS / "scenarios").glob("*.yaml"):
        for document in yaml.safe_load_all(path.read_text(encoding="utf-8")):
            cited.update((document or {}).get("rules") or ())
    return cited


def marked_rules(source: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Call(
                func=ast.Attribute(value=ast.Attribute(attr="mark"), attr="rule"), args=arguments
            ):
                for argument in arguments:
                    if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                        yield argument.value


def cited_by_tests() -> set[str]:
    cited: set[str] = set()
    for path in TESTS.rglob("test_*.py"):
        cited.update(marked_rules(path.read_text(encoding="utf-8")))
    return cited


def test_the_rules_are_all_found():
    rules = defined()
    assert len(rules) > 350
    for rule in ("CFG-1", "TURN-8", "DUEL-PAWN-10", "SCORE-F-3", "RULING-65", "INFO-11", "INV-9"):
        assert rule in rules
    assert {f"EX-{k}" for k in range(1, 41)} <= rules
    assert {f"RANDOM-{k}" for k in range(1, 7)} <= rules


def test_every_rule_is_cited():
    wanted = {rule for rule in defined() if family(rule) not in EXPLAINING}
    missing = in_order(wanted - cited_by_scenarios() - cited_by_tests())
    assert not missing, f"{len(missing)} rules without a test: {', '.join(missing)}"


def test_every_worked_example_is_a_scenario():
    examples = {rule for rule in defined() if family(rule) == "EX"}
    missing = in_order(examples - cited_by_scenarios())
    assert not missing, f"{len(missing)} examples without a scenario: {', '.join(missing)}"


def test_nothing_is_cited_that_is_no_rule():
    unknown = sorted((cited_by_scenarios() | cited_by_tests()) - defined())
    assert not unknown, f"cited, but not in docs/rules.md: {', '.join(unknown)}"


@pytest.mark.parametrize(
    ("source", "rules"),
    [
        ("@pytest.mark.rule('INV-1', 'INV-2')\ndef test_x(): ...", ["INV-1", "INV-2"]),
        ("pytestmark = pytest.mark.rule('TURN-1')", ["TURN-1"]),
        ("p = pytest.param(1, marks=pytest.mark.rule('TURN-2'))", ["TURN-2"]),
        ("# pytest.mark.rule('TURN-3') in words only\nx = 'TURN-4'", []),
    ],
)
def test_marks_are_found_in_code_only(source, rules):
    assert list(marked_rules(source)) == rules
