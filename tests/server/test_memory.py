"""What a server keeps in memory: collected when much has gone, and little for whoever waits."""

from __future__ import annotations

import asyncio
import gc
import weakref

import msgspec
from tests.server.test_hub import in_hub, wish
from tests.server.test_races import until

from hansa.server import housekeeping, views
from hansa.server.lean import Inbox
from hansa.server.memory import _GONE, Keeper


class Knot:
    """Refers to itself: only the collector frees it."""

    def __init__(self) -> None:
        self.me = self


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
