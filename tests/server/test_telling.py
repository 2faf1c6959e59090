"""Who is told what of a table, inside the server: once, whoever notices, and what holds then."""

from __future__ import annotations

import asyncio
from typing import Any
from unittest.mock import Mock

from tests.server.outside import CALLS, Browser, listening
from tests.server.test_hub import in_hub, wish

from hansa.server import notify, referee
from hansa.server.calls import add_device
from hansa.server.config import load
from hansa.server.hub import Hub
from hansa.server.limits import Limiter
from hansa.server.wire.calls import PushWish


def test_two_processes_notice_and_one_tells(tmp_path, postgres):
    """The key of the row decides, on either store."""

    async def both(one: Hub, two: Hub, browser: Browser) -> None:
        host, _ = await one.accounts.guest("Alheyd")
        away, _ = await one.accounts.guest("Bertram")
        await one.store.write(
            lambda c: add_device(c, away, PushWish(**browser.wish))  # type: ignore[arg-type]  # as read
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


def test_one_person_is_told_little_of_one_table_and_what_holds_in_the_end(tmp_path, monkeypatch):
    """Asked and taken back, for ever: each time it was a letter and a push of its own."""
    monkeypatch.setattr(notify, "_EVERY", 600)

    async def work(hub: Hub, host: Any) -> None:
        away, _ = await hub.accounts.guest("Bertram")
        table = await hub.lobby.create(host, wish("me", "open", "me", order="fixed"))
        await hub.lobby.join(table, away, "p2", None)
        await hub.lobby.start(table, host)
        other = await hub.lobby.create(host, wish("open", "me", "me", order="fixed"))
        await hub.lobby.join(other, away, "p1", None)
        told: list[tuple[str, str]] = []

        async def sent(table: Any, tiding: Any, person: str) -> None:
            if person == away.id:
                told.append((table.id, tiding.kind))

        later: list[float] = []

        async def wait(table: Any, person: str, seconds: float) -> None:
            if person == away.id:
                later.append(seconds)

        hub.notifier._postman = Mock(enabled=True)
        monkeypatch.setattr(hub.notifier, "_send", sent)
        tell_later = hub.notifier._tell_later
        monkeypatch.setattr(hub.notifier, "_tell_later", wait)
        assert table.game is not None
        place = next(text for text in referee.legal(table.game) if text.startswith("place"))
        await hub.decisions.act(table, host, place, 0)
        for _ in range(30):
            await hub.voting.propose(table, host, "undo", to=0)
            (asked,) = table.meta.proposals
            await hub.voting.answer(table, host, asked.id, yes=False)
        await asyncio.gather(*hub.notifier._tasks)
        assert told == [(table.id, "undo")] * notify._AT_ONCE
        assert len(later) == 1, "it is looked once, however often he was asked"
        assert 590 < later[0] <= 600
        # Of another table he is told as ever, and of this one what holds when it is looked again.
        await hub.lobby.start(other, host)
        await hub.decisions.act(table, host, "end", 1)
        hub.notifier._pace = Limiter("messages", 1, 1)
        await tell_later(table, away.id, 0.0)
        await asyncio.gather(*hub.notifier._tasks)
        assert told[notify._AT_ONCE :] == [(other.id, "turn"), (table.id, "turn")]

    in_hub(tmp_path, work, rounds=False)
