"""The long run: what it kept is read and drawn as it was."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

SOURCE = Path(__file__).parents[1] / "benchmarks" / "soak.py"


@pytest.fixture
def soak():
    spec = importlib.util.spec_from_file_location("soak", SOURCE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["soak"] = module
    spec.loader.exec_module(module)
    yield module
    del sys.modules["soak"]


def test_samples_come_back_and_are_drawn(soak, tmp_path):
    path = tmp_path / "soak.csv"
    path.write_text(
        "seconds,memory_mb,decisions,p50_ms,p99_ms,open_files\n"
        "60.0,100.5,300,5.0,20.0,40\n"
        "120.0,201.0,310,6.0,40.0,41\n",
        "utf-8",
    )
    samples = soak.read(path)
    assert samples[1] == soak.Sample(120.0, 201.0, 310, 6.0, 40.0, 41)
    lines = ET.fromstring(soak.draw(samples)).findall("{*}polyline")
    memory, p50, p99 = (
        [tuple(map(float, point.split(","))) for point in str(line.get("points")).split()]
        for line in lines
    )
    assert memory[1][1] < memory[0][1], "more memory is drawn higher"
    assert memory[1][0] > memory[0][0], "later is further right"
    assert p99[0][1] < p50[0][1], "both latencies share a scale"
