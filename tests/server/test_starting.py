"""What the first people at a server that has just started do not wait for."""

from __future__ import annotations

import asyncio
import contextlib
import os
import resource
import signal
import socket
from types import SimpleNamespace
from typing import Any
from unittest.mock import AsyncMock, Mock

import pytest
import uvicorn
from structlog.testing import capture_logs
from tests.server.harness import Server
from tests.server.test_hub import in_hub, until, wish

from hansa.boards import BOARD_IDS
from hansa.server import referee, run, supervised
from hansa.server.config import load

CROWD = 40


def test_the_engine_is_ready_before_the_first_decision(tmp_path, monkeypatch):
    """What it makes once for a board is made in a thread, for all boards, at the start."""
    made: set[str] = set()
    played = referee.played

    def noted(game: Any, action: Any) -> Any:
        made.add(game.setup.board_id)
        return played(game, action)

    monkeypatch.setattr(referee, "played", noted)
    referee.prepare.cache_clear()

    async def work(_hub: Any, _person: Any) -> None:
        await until(lambda: referee.prepare.cache_info().currsize == 1)

    in_hub(tmp_path, work)
    assert made == set(BOARD_IDS)


@pytest.mark.parametrize(("url", "secure", "told"), [
    ("https://play.example.org", "false", 1), ("https://play.example.org", "true", 0),
    ("http://play.example.org", "false", 0), ("", "false", 0),
])  # fmt: skip
def test_a_host_is_told_of_cookies_that_may_travel_without_https(url, secure, told):
    settings = load(environ={"HANSA_PUBLIC_URL": url, "HANSA_SECURE_COOKIES": secure})
    with capture_logs() as lines:
        run._doubt(settings)
    assert len([line for line in lines if "secure_cookies" in line["event"]]) == told


@pytest.mark.parametrize(("now", "most", "then", "told"), [
    (1024, 4096, 4096, 1), (1024, 99_999, 6000, 0), (65_536, 65_536, None, 0), (256, -1, 6000, 0),
])  # fmt: skip
def test_there_are_files_for_as_many_as_may_connect(monkeypatch, now, most, then, told):
    kept: list[tuple[int, int]] = []
    monkeypatch.setattr(resource, "getrlimit", lambda _what: (now, most))
    monkeypatch.setattr(resource, "setrlimit", lambda _what, limits: kept.append(limits))
    with capture_logs() as lines:
        run._allow_files(5000)
    assert kept == ([] if then is None else [(then, most)])
    assert len(lines) == told


def test_a_crowd_waits_in_the_system_and_is_taken_a_few_at_a_time(tmp_path, monkeypatch):
    """asyncio takes as many new ones in a row as it is told may wait; that many are few."""

    async def started(_self: Any, sockets: list[socket.socket] | None = None) -> None:
        for each in sockets or ():
            each.listen(configs[0].backlog)  # as asyncio does

    configs: list[uvicorn.Config] = []

    async def served(self: Any, sockets: list[socket.socket]) -> None:
        configs.append(self.config)
        await self.startup(sockets)
        address = sockets[0].getsockname()
        crowd = [socket.create_connection(address, timeout=20) for _ in range(CROWD)]
        for each in (*crowd, *sockets):
            each.close()

    monkeypatch.setattr(uvicorn.Server, "startup", started)
    monkeypatch.setattr(uvicorn.Server, "serve", served)
    store = SimpleNamespace(claim=lambda: None, migrate=lambda: None)
    hub = SimpleNamespace(store=store, start=AsyncMock())
    app: Any = SimpleNamespace(state=SimpleNamespace(hub=hub))
    run.serve(app, load(environ={}, data=str(tmp_path), port=0))
    assert configs[0].backlog < CROWD / 4


def test_strangers_are_told_of_a_table_with_one_description(tmp_path):
    async def work(hub: Any, person: Any) -> None:
        table = await hub.lobby.create(person, wish("me", "me", "me", start=True))
        first = table.face(None)
        assert table.face(None) is first
        assert first.you.seats == []
        assert table.face(person).you.seats == ["p1", "p2", "p3"], "whoever is known sees his own"
        await hub.decisions.act(table, person, "end", 0)
        assert table.face(None).revision == first.revision + 1
        table.listeners.add(Mock(person=None))
        assert table.face(None).watching == 1
        table.listeners.clear()
        await hub.manners.concede(table, person, "p1")
        assert [seat.conceded for seat in table.face(None).seats] == [True, False, False]

    in_hub(tmp_path, work)


@pytest.mark.parametrize("named", ["file", "memory"])
def test_systemd_is_told_that_it_is_ready_turns_and_stops(tmp_path, monkeypatch, named):
    """A process that hangs cannot end itself: whoever hears nothing for a while does."""
    where = f"{tmp_path}/told" if named == "file" else f"@hansa-told-{os.getpid()}"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as told:
        told.bind(where if named == "file" else f"\0{where[1:]}")
        told.settimeout(60)
        monkeypatch.setenv("NOTIFY_SOCKET", where)
        monkeypatch.setenv("WATCHDOG_USEC", "200000")
        server = Server(tmp_path / "data").start()
        heard = [told.recv(100).decode() for _ in range(5)]
        assert heard == ["READY=1", *["WATCHDOG=1"] * 4]
        assert server.process is not None
        server.process.send_signal(signal.SIGSTOP)
        told.settimeout(0.0)
        with contextlib.suppress(BlockingIOError):
            while told.recv(100):
                pass
        told.settimeout(0.5)
        with pytest.raises(TimeoutError):
            told.recv(100)
        told.settimeout(60)
        server.process.send_signal(signal.SIGCONT)
        assert told.recv(100) == b"WATCHDOG=1"
        assert server.stop() == 0
        told.setblocking(False)
        last = b""
        with contextlib.suppress(BlockingIOError):
            while found := told.recv(100):
                last = found if found != b"WATCHDOG=1" else last
        assert last == b"STOPPING=1"


@pytest.mark.parametrize(("usec", "pid"), [("", None), ("0", None), ("soon", None), ("1000", "1")])
def test_who_is_not_watched_tells_nothing(monkeypatch, usec, pid):
    monkeypatch.setenv("WATCHDOG_USEC", usec)
    if pid is not None:
        monkeypatch.setenv("WATCHDOG_PID", pid)
    monkeypatch.delenv("NOTIFY_SOCKET", raising=False)
    asyncio.run(asyncio.wait_for(supervised.keep_telling(), 60))
    # Nobody there, or nobody any more: nothing is to be done about it.
    supervised.tell(supervised.READY)
    monkeypatch.setenv("NOTIFY_SOCKET", "/nowhere/at/all")
    supervised.tell(supervised.READY)
