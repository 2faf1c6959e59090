"""What a server keeps in memory: collected when much has gone, and little for whoever waits."""

from __future__ import annotations

import asyncio
import gc
import weakref
from typing import Any

import msgspec
import uvicorn
from litestar.testing import AsyncTestClient
from tests.server.test_hub import in_hub, until, wish
from uvicorn.server import ServerState

from hansa.server import housekeeping, memory, views
from hansa.server.app import create_app
from hansa.server.config import load
from hansa.server.lean import Inbox, Latch, lean
from hansa.server.memory import _GONE, _LATEST, _SOONEST, Keeper
from hansa.server.model import Person


class Knot:
    """Refers to itself: only the collector frees it."""

    def __init__(self) -> None:
        self.me = self


def test_a_connection_keeps_nothing_in_a_dictionary():
    """For as many things as it knows that takes 1.6 kB, of which half lies empty."""

    async def work() -> None:
        config = uvicorn.Config(lambda: None, ws_ping_interval=None)  # never called
        one = lean()(config=config, server_state=ServerState(), app_state={})
        assert one.__dict__ == {}
        one.frames.append(b"x")  # uvicorn's own name for a place of ours

    asyncio.run(work())


def test_what_lives_is_put_aside_and_looked_through_when_much_has_gone():
    before = gc.get_threshold()
    keeper = Keeper()
    keeper.tidy(0)
    assert gc.get_freeze_count() == 0, "nothing happens before it begins"
    keeper.begin()
    try:
        knot = Knot()
        gone = weakref.ref(knot)
        keeper.tidy(10)
        aside = gc.get_freeze_count()
        assert aside > 0
        del knot
        gc.collect()
        assert gone() is not None, "it was put aside: no collection looks at it"
        keeper.ended = _GONE + 10
        keeper.tidy(10)
        assert gone() is not None, "as many as are open, and more, must have gone"
        keeper.ended = _GONE + 11
        keeper.tidy(10)
        assert gone() is None
        assert keeper.ended == 0
        assert gc.get_freeze_count() > 0
    finally:
        keeper.end()
        gc.set_threshold(*before)
    assert gc.get_freeze_count() == 0


def test_all_is_looked_through_again_only_where_more_was_put_aside():
    """At the start, and hour after hour in a server that is as full as before, nobody waits for it."""
    before = gc.get_threshold()
    keeper = Keeper()
    keeper.begin()
    try:
        kept = keeper._kept
        assert kept == gc.get_freeze_count() > 0
        knot = Knot()
        gone = weakref.ref(knot)
        keeper.tidy(0)
        del knot
        keeper.reconsider()
        assert gone() is not None
        more = [[] for _ in range(kept // 4 + 10)]  # type: list[list[Any]]
        keeper.tidy(0)
        keeper.reconsider()
        assert gone() is None
        assert keeper._kept > 1.25 * kept
        del more
    finally:
        keeper.end()
        gc.set_threshold(*before)


def test_every_sweep_reconsiders(tmp_path, monkeypatch):
    done: list[str] = []

    async def sweep(_self: Any) -> None:
        done.append("sweep")

    monkeypatch.setattr(housekeeping, "_ROUND", 0)
    monkeypatch.setattr(housekeeping, "_SWEEP", -1.0)
    monkeypatch.setattr(housekeeping.Housekeeping, "sweep", sweep)
    monkeypatch.setattr(Keeper, "reconsider", lambda _self: done.append("reconsider"))

    async def work(_hub: Any, _person: Any) -> None:
        await until(lambda: len(done) > 3)

    in_hub(tmp_path, work)
    assert done[:4] == ["sweep", "reconsider"] * 2


def test_the_more_is_made_the_sooner_it_is_looked_through():
    """Python counts what was made less what was freed: in play that is nothing, and the young
    collection that came at last took a tenth of a second.
    """
    keeper, pauses = Keeper(), list[float]()
    assert keeper.pause == _LATEST
    for took in (0.008, 0.016, 0.0001, 0.004, 0.04):
        keeper._set_pause(took)
        pauses.append(round(keeper.pause, 3))
    assert pauses == [10, 2.5, 3.75, 3.75, 0.375]
    keeper._set_pause(10)
    assert keeper.pause == _SOONEST
    for _ in range(20):
        keeper._set_pause(0.0001)
    assert keeper.pause == _LATEST


def test_a_server_looks_as_often_as_it_should(tmp_path, monkeypatch):
    looked: list[int] = []

    def tidy(keeper: Keeper, connections: int) -> None:
        looked.append(connections)
        keeper.pause = 0.0 if len(looked) < 3 else 3600.0

    monkeypatch.setattr(Keeper, "tidy", tidy)
    monkeypatch.setattr(memory, "_LATEST", 0.0)

    async def work(hub, _person):
        await until(lambda: hub.keeper.pause == 3600)
        assert looked == [0, 0, 0]

    in_hub(tmp_path, work)


def test_what_was_written_for_everybody_is_forgotten_and_made_again(tmp_path, monkeypatch):
    monkeypatch.setattr(housekeeping, "_WARM", 0.01)

    async def work(hub, person):
        table = await hub.lobby.create(person, wish("me", "me", "me", start=True))
        await hub.decisions.act(table, person, "end", 0)
        shown = msgspec.json.encode(views.position(table, "p2"))
        assert table.seen.positions
        await until(lambda: not table.seen.positions)
        assert msgspec.json.encode(views.position(table, "p2")) == shown

    in_hub(tmp_path, work)


def test_a_body_that_is_refused_is_gone_with_its_answer(tmp_path):
    """Held by what had been wrong with it, it stayed until the collector came: a hundred of them, each
    fourteen times as large as it came in, took a gigabyte and a half.
    """

    large = b"[" + b'"a",' * 12_344 + b'"a"]'

    async def work() -> None:
        app = create_app(load(environ={}, data=str(tmp_path)))
        async with AsyncTestClient(app, base_url="http://127.0.0.1") as client:
            gc.collect()
            gc.disable()
            try:
                for body in (large, b'{"name":' + large + b"}"):
                    answer = await client.post("/api/me", content=body)
                    assert answer.status_code == 400
                    await until(lambda: not any(map(is_it, gc.get_objects())))
            finally:
                gc.enable()

    def is_it(one: object) -> bool:
        return type(one) is list and len(one) == 12_345

    asyncio.run(work())


def test_what_comes_in_is_read_in_its_order_and_nothing_is_lost():
    async def work() -> None:
        inbox: Inbox[int] = Inbox()
        for number in range(3):
            inbox.put_nowait(number)
        assert [await inbox.get() for _ in range(3)] == [0, 1, 2]
        assert inbox.empty()
        waiting = asyncio.ensure_future(inbox.get())
        await asyncio.sleep(0)
        assert not waiting.done()
        inbox.put_nowait(3)
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        inbox.put_nowait(4)
        assert [await inbox.get(), await inbox.get()] == [3, 4], "whoever gave up took nothing"

    asyncio.run(work())


def test_a_latch_lets_all_go_on_who_wait_and_nobody_before():
    async def work() -> None:
        latch = Latch()
        await latch.wait()
        latch.clear()
        waiting = [asyncio.ensure_future(latch.wait()) for _ in range(3)]
        await asyncio.sleep(0)
        assert not any(task.done() for task in waiting)
        waiting[0].cancel()
        latch.set()
        latch.clear()
        latch.set()
        await asyncio.gather(*waiting[1:])
        assert latch.is_set()

    asyncio.run(work())


def test_what_everybody_has_been_told_is_not_kept(tmp_path):
    """With a thousand tables it was a fifth of their memory."""

    class Listener:
        def __init__(self, person: Person | None, *, told: bool) -> None:
            self.person, self.told = person, told

        def wake(self) -> bool:
            assert views.position(tables[0], "p1") is not None
            return self.told

    async def work(hub, person):
        table = await hub.lobby.create(person, wish("me", "me", "me", start=True))
        tables.append(table)
        table.listeners |= {Listener(person, told=True), Listener(None, told=True)}
        await hub.decisions.act(table, person, "end", 0)
        assert not table.seen.positions
        table.listeners.add(Listener(None, told=False))
        await hub.decisions.act(table, person, "end", 1)
        assert table.seen.positions, "somebody has still to be told"
        table.listeners.clear()

    tables: list[Any] = []
    in_hub(tmp_path, work, rounds=False)
