"""What the first people at a server that has just started do not wait for."""

from __future__ import annotations

import resource
import socket
from types import SimpleNamespace
from typing import Any
from unittest.mock import AsyncMock, Mock

import pytest
import uvicorn
from structlog.testing import capture_logs
from tests.server.test_hub import in_hub, wish
from tests.server.test_races import until

from hansa.boards import BOARD_IDS
from hansa.server import referee, run
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
