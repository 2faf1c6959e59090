"""The scenarios of the test suite hold for the reference too, so that neither can err alone."""

from pathlib import Path

import pytest
import yaml
from tests.oracle.patches import failures

FOLDER = Path(__file__).resolve().parents[1] / "scenarios"
REFUSED = {"malformed", "invalid-position", "invalid-setup"}
"""Errors of reading, which is not the reference's business."""

SCENARIOS = [
    scenario
    for file in sorted(FOLDER.glob("*.yaml"))
    for scenario in yaml.safe_load_all(file.read_text(encoding="utf-8"))
    if scenario and scenario.get("error") not in REFUSED
]


@pytest.mark.parametrize("scenario", SCENARIOS, ids=[scenario["id"] for scenario in SCENARIOS])
def test_scenario(scenario):
    assert failures(scenario) == []
