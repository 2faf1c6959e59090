"""Who is told what of a table, inside the server: once, whoever notices, and what holds then."""

from __future__ import annotations

import asyncio
from typing import Any
from unittest.mock import Mock

from tests.server.outside import CALLS, Browser, listening
from tests.server.test_hub import in_hub, wish

from hansa.server.calls import add_device
from hansa.server.config import load
from hansa.server.hub import Hub
from hansa.server.wire.calls import PushWish


def test_two_processes_notice_and_one_tells(tmp_path, postgres):
    """The key of the row decides, on either store."""

    async def both(one: Hub, two: Hub, browser: Browser) -> None:
        host, _ = await one.accounts.guest("Alheyd")
        away, _ = await one.accounts.guest("Bertram")
        await one.store.write(
            lambda c: add_device(c, away.id, PushWish(**browser.wish))  # type: ignore[arg-type]  # as read
        )
        table = await one.lobby.create(host, wish("open", "me", "me", order="fixed"))
        await one.lobby.join(table, away, "p1", None)
        await one.lobby.start(table, host)
        same = await two.hall.open(table.id)
        for _ in range(3):
            two.notifier.consider(same, mine=True)
            one.notifier.consider(table, mine=True)
        await asyncio.wait(one.notifier._tasks | two.notifier._tasks)
        assert [m["title"] for m in browser.messages()] == ["Du bist am Zug"]

    async def run(url: str, browser: Browser) -> None:
        given: dict[str, Any] = {
            **CALLS,
            "push_services": ("127.0.0.1",),
            "webhooks": ("json",),
            "hosts": (),
        }
        hubs = [Hub(load(environ={}, database=url, **given)) for _ in range(2)]
        for hub in hubs:
            await hub.start()
        try:
            await both(hubs[0], hubs[1], browser)
        finally:
            for hub in hubs:
                await hub.stop()

    for url in (f"sqlite:///{tmp_path / 'hansa.sqlite3'}", postgres.new_database()):
        with listening() as service:
            asyncio.run(run(url, Browser(service)))


def test_who_left_is_told_what_holds_then_although_his_table_was_let_go(tmp_path):
    async def work(hub: Hub, host: Any) -> None:
        away, _ = await hub.accounts.guest("Bertram")
        table = await hub.lobby.create(host, wish("open", "me", "me", order="fixed"))
        await hub.lobby.join(table, away, "p1", None)
        await hub.lobby.start(table, host)
        hub.hall.forget(table)
        again = await hub.opened(table.id)
        await hub.decisions.act(again, away, "end", 0)
        hub.hall.forget(again)
        assert table.decider == "p1", "it has not heard"
        told: list[str] = []
        hub.notifier._postman = Mock(enabled=True)
        hub.notifier._tell = lambda _table, _tiding, person: told.append(person)  # type: ignore[method-assign, assignment]
        hub.notifier.left(table, away)
        await asyncio.wait(hub.notifier._tasks)
        assert told == []
        hub.notifier.left(table, host)
        await asyncio.wait(hub.notifier._tasks)
        assert told == [host.id]

    in_hub(tmp_path, work, rounds=False, notify_after=0.0)
