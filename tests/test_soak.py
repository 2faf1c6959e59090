"""The long run: what it kept is read and drawn as it was."""

from __future__ import annotations

import asyncio
import importlib.util
import sys
import time
from pathlib import Path
from unittest.mock import Mock
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
    told = soak.summary(samples)
    for said in (
        "610 decisions",
        "100.5 at first",
        "201.0 at last",
        "40 and 41",
        "40.0 in the worst",
    ):
        assert said in told
    lines = ET.fromstring(soak.draw(samples)).findall("{*}polyline")
    memory, p50, p99 = (
        [tuple(map(float, point.split(","))) for point in str(line.get("points")).split()]
        for line in lines
    )
    assert memory[1][1] < memory[0][1], "more memory is drawn higher"
    assert memory[1][0] > memory[0][0], "later is further right"
    assert p99[0][1] < p50[0][1], "both latencies share a scale"


@pytest.mark.parametrize("wrong", [
    "--hours 0", "--hours -1", "--hours nan", "--hours long", "--games 0", "--bots 0", "--every 0",
    "--watchers -1", "--pause -1",
])  # fmt: skip
def test_what_cannot_be_meant_is_refused_before_anything_starts(soak, wrong, capsys):
    with pytest.raises(SystemExit) as refused:
        soak.asked_for(wrong.split())
    assert refused.value.code == 2
    assert wrong.split()[0] in capsys.readouterr().err


def test_a_run_that_ended_early_is_drawn(soak, tmp_path, monkeypatch):
    """A server that did not last the night."""

    async def breaks(_server: object, _given: object) -> None:
        (tmp_path / "soak.csv").write_text(
            "seconds,memory_mb,decisions,p50_ms,p99_ms,open_files\n60.0,1.0,3,5.0,20.0,40\n",
            "utf-8",
        )
        raise ConnectionError("it is gone")

    monkeypatch.setattr(soak, "soak", breaks)
    monkeypatch.setattr(soak, "Server", Mock())
    monkeypatch.setattr(sys, "argv", ["soak.py", "--out", str(tmp_path)])
    with pytest.raises(ConnectionError):
        soak.main()
    assert (tmp_path / "soak.svg").is_file()


def test_those_who_look_on_go_from_table_to_table_and_ask_for_no_list(soak, monkeypatch):
    """Twenty of one address who asked for lists were refused, and the night ended with them."""
    tables = [Mock(url=f"http://table/{number}") for number in range(4)]
    seen: list[str] = []

    class Deaf:
        @classmethod
        async def open(cls, url: str, *, deaf: bool) -> Deaf:
            assert deaf
            seen.append(url)
            return cls()

        async def gone(self) -> None: ...

        async def close(self) -> None: ...

    async def at_once(_seconds: float, sleep=asyncio.sleep) -> None:
        await sleep(0)

    monkeypatch.setattr(soak, "Light", Deaf)
    monkeypatch.setattr(soak.asyncio, "sleep", at_once)

    async def look_until_all_are_seen() -> None:
        looking = asyncio.ensure_future(soak._look_on(tables, time.monotonic() + 600, 1))
        while len(set(seen)) < len(tables) and not looking.done():
            await at_once(0)
        looking.cancel()

    asyncio.run(look_until_all_are_seen())
    assert set(seen) == {table.url for table in tables}
