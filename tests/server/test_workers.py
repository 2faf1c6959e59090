"""Thinking happens in processes of its own: whatever goes wrong there, the tables go on."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from tests.server.harness import Server, play_on

import hansa
from hansa.server import drawing, players
from hansa.server import workers as module
from hansa.server.errors import TableError
from hansa.server.study import Studied, Study
from hansa.server.workers import WorkerFailed, WorkerRefused, Workers

GAME = hansa.Game.new(players=3, seed=5)
LEGAL = [str(action) for action in GAME.legal_actions()]
CHOICE: dict[str, Any] = {"view": GAME.view("p1"), "legal": LEGAL, "clock": None}


@pytest.fixture(autouse=True)
def interpreted(monkeypatch):
    """Fetching compiled code takes longer than these few simulations."""
    monkeypatch.setenv("HANSA_JIT", "0")


def with_workers(work: Callable[[Workers], Awaitable[None]], count: int = 1) -> None:
    async def run() -> None:
        workers = Workers(count, "test")
        try:
            await work(workers)
        finally:
            workers.close()
        assert not workers._all

    asyncio.run(run())


def pids(workers: Workers) -> list[int]:
    return [worker.process.pid for worker in workers._all]


def test_bots_decide_and_bad_ones_are_refused():
    async def work(workers):
        for spec in ("random", "greedy", "search:simulations=2"):
            assert await workers.ask("choose", 60, spec=spec, **CHOICE) in LEGAL
        with pytest.raises(WorkerRefused, match="no bot 'deep'"):
            await workers.ask("choose", 60, spec="deep", **CHOICE)
        with pytest.raises(WorkerRefused, match="programs can play"):
            await workers.ask("choose", 60, spec="external:command=sh", **CHOICE)
        with pytest.raises(WorkerFailed, match="KeyError"):
            await workers.ask("dance", 60)
        shown = await workers.ask(
            "analyse", 60, spec="search:simulations=3", view=CHOICE["view"], legal=LEGAL
        )
        assert shown["decision"] == shown["options"][0]["decision"]
        assert len(pids(workers)) == 1, "one process did all of it"

    with_workers(work)


def test_a_bot_that_hangs_is_ended_and_the_next_one_thinks():
    async def work(workers):
        await workers.ask("warm", 60, spec="random")
        (first,) = pids(workers)
        with pytest.raises(WorkerFailed, match="ended"):
            await workers.ask("choose", 0.2, spec="search:simulations=20000", **CHOICE)
        assert await workers.ask("choose", 60, spec="random", **CHOICE) in LEGAL
        assert pids(workers) != [first]
        assert workers.busy == 0

    with_workers(work)


def test_a_worker_that_dies_or_went_to_rest_is_replaced():
    async def work(workers):
        await workers.ask("warm", 60, spec="random")
        (first,) = pids(workers)
        os.kill(first, signal.SIGKILL)
        assert await workers.ask("choose", 60, spec="random", **CHOICE) in LEGAL
        (worker,) = workers._all
        assert worker.process.pid != first
        # Nothing to read any more: it ends well, as it does after a long rest.
        worker.process.stdin.close()
        worker.process.wait(10)
        assert await workers.ask("choose", 60, spec="random", **CHOICE) in LEGAL

    with_workers(work)


def test_a_bot_that_ends_every_process_is_given_up(monkeypatch):
    begun = []
    make = module._Worker

    def short_lived():
        worker = make()
        begun.append(worker)
        worker.process.kill()
        return worker

    monkeypatch.setattr(module, "_Worker", short_lived)

    async def work(workers):
        with pytest.raises(WorkerFailed, match="ended with -9"):
            await workers.ask("choose", 60, spec="random", **CHOICE)
        assert len(begun) == module._TRIES

    with_workers(work)


def _environment(pid: int) -> bytes:
    return Path(f"/proc/{pid}/environ").read_bytes()


def test_workers_are_bounded_and_know_no_secret(monkeypatch):
    monkeypatch.setenv("HANSA_DATABASE", "postgresql://hansa:Sesam-Oeffne-Dich@127.0.0.1/hansa")

    async def work(workers):
        asked = [workers.ask("choose", 60, spec="greedy", **CHOICE) for _ in range(12)]
        await asyncio.gather(*asked)
        assert len(pids(workers)) <= 2
        for pid in pids(workers):
            assert b"Sesam" not in _environment(pid)

    with_workers(work, count=2)


def test_settings_that_cost_too_much():
    assert players.checked("search:time=5,threads=2") == "search:time=5,threads=2"
    for spec in ("search:time=11", "search:simulations=20001", "search:threads=3"):
        with pytest.raises(TableError, match="at most"):
            players.checked(spec)
    for spec in ("external:command=id", "search:time=nan", "search:time=1e3", "../greedy", ""):
        with pytest.raises(TableError):
            players.checked(spec)


def test_too_much_study_is_refused(monkeypatch):
    monkeypatch.setattr("hansa.server.study._QUEUE", 2)

    async def run() -> None:
        study, paid = Study(1), list[float]()
        asked = [study.analyse("random", GAME, paid.append) for _ in range(5)]
        answers = await asyncio.gather(*asked, return_exceptions=True)
        study.close()
        assert [a.code for a in answers if isinstance(a, TableError)] == ["busy"] * 3
        assert sum(isinstance(a, Studied) for a in answers) == 2
        assert len(paid) == 2

    asyncio.run(run())


def test_boards_are_drawn_once_for_a_version(tmp_path, monkeypatch):
    monkeypatch.setenv("HANSA_CACHE", str(tmp_path))
    drawing._place.cache_clear()
    try:
        assert drawing.kept("east") is None
        drawn = drawing.board("east")
        assert drawn.id == "east"
        kept = drawing.kept("east")
        assert kept is not None
        assert kept.startswith(b'{"id":"east","data":')
        assert drawing.kept("hansa-45") is None
    finally:
        drawing._place.cache_clear()


def _workers_of(server: Server) -> set[int]:
    assert server.process is not None
    found = set()
    for status in Path("/proc").glob("[0-9]*/status"):
        try:
            text = status.read_text()
            line = (status.parent / "cmdline").read_bytes()
        except OSError:
            continue
        if f"\nPPid:\t{server.process.pid}\n" in text and b"hansa.server.worker" in line:
            found.add(int(status.parent.name))
    return found


def _ignores_stop(pid: int) -> bool:
    """Whether it has begun: from its first line on, only its server ends it."""
    status = Path(f"/proc/{pid}/status").read_text()
    ignored = int(status.split("SigIgn:")[1].split()[0], 16)
    return bool(ignored >> (signal.SIGTERM - 1) & 1)


def _until(met: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not met():
        assert time.monotonic() < deadline, "it never happened"
        time.sleep(0.05)


def _gone(pid: int) -> bool:
    try:
        return "\nState:\tZ" in Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return True


@pytest.mark.parametrize("how", ["stop", "kill"])
def test_workers_end_with_their_server(tmp_path, how):
    server = Server(tmp_path).start()
    with server.client("Alheyd") as client:
        table = client.table("me", "random", "greedy")
        socket = client.socket(table["id"])
        socket.receive()
        play_on(socket, random.Random(1), until=lambda s: s.position["turn"] >= 4)
        workers = _workers_of(server)
        assert workers
        _until(lambda: all(map(_ignores_stop, workers)))
        # Asked to stop as a whole service is: the server has not ended, so they go on.
        for pid in workers:
            os.kill(pid, signal.SIGTERM)
        play_on(socket, random.Random(1), until=lambda s: s.position["turn"] >= 6)
        assert _workers_of(server) == workers
        # A bot whose process is killed in the middle of a game: the game goes on.
        for pid in workers:
            os.kill(pid, signal.SIGKILL)
        play_on(socket, random.Random(1), until=lambda s: s.position["turn"] >= 10)
        workers = _workers_of(server)
        assert workers
        assert not [line for line in server.errors if "at random" in line]
    getattr(server, how)()
    _until(lambda: all(map(_gone, workers)))
