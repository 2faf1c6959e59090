"""Whoever asks for much waits behind himself: in each queue every address has its turn."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import statistics
import threading
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any
from unittest.mock import AsyncMock

import pytest
from tests.server.harness import Server
from tests.server.test_hub import in_hub, until, wish
from websockets.exceptions import ConnectionClosed

from hansa.bots.search import CLOCK_SHARE
from hansa.server import players, socket
from hansa.server.border import Border, Caller
from hansa.server.errors import TableError
from hansa.server.limits import PEOPLE
from hansa.server.queues import ASKED_FROM, Queue
from hansa.server.realtime import Connection

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

MANY = 20


async def order_of(
    ask: Callable[[str], Awaitable[Any]], *others: str, gate: threading.Event | None = None
) -> list[str]:
    """In which order those are served who come after one address has asked for much.

    Nobody is done before all have asked: then `gate` is opened.
    """
    served: list[str] = []

    async def one(whose: str) -> None:
        ASKED_FROM.set(whose)
        await ask(whose)
        served.append(whose)

    tasks = [asyncio.ensure_future(one("greedy")) for _ in range(MANY)]
    await asyncio.sleep(0)
    tasks += [asyncio.ensure_future(one(whose)) for whose in others]
    await asyncio.sleep(0)
    if gate is not None:
        gate.set()
    await asyncio.gather(*tasks)
    return served


def test_each_address_has_its_turn():
    queue = Queue(2)

    async def ask(whose: str) -> None:
        async with queue.turn(whose):
            await asyncio.sleep(0)

    served = asyncio.run(order_of(ask, "one", "other"))
    assert {"one", "other"} <= set(served[:10])
    assert len(served) == MANY + 2
    assert queue._free == 2
    assert not queue._here


@pytest.mark.parametrize("gone", [1, 3, MANY])
def test_who_goes_at_the_same_moment_takes_nobody_with_him(gone):
    """Of several who went at once the first called the next, who was gone too: all of their address
    then waited for ever.
    """

    async def work() -> list[str]:
        queue, served = Queue(1), []

        async def ask(whose: str) -> None:
            async with queue.turn(whose):
                await asyncio.sleep(0.01)
            served.append(whose)

        leaving = [asyncio.ensure_future(ask("club")) for _ in range(gone)]
        staying = [asyncio.ensure_future(ask(whose)) for whose in ("club", "other", "club")]
        await asyncio.sleep(0)
        for task in leaving:
            task.cancel()
        await asyncio.wait_for(asyncio.gather(*staying), 30)
        ended = await asyncio.gather(*leaving, return_exceptions=True)
        assert all(isinstance(end, asyncio.CancelledError) for end in ended)
        assert (queue._free, queue._lines._lines, +queue._doing, +queue._here) == (1, {}, {}, {})
        return served

    assert sorted(asyncio.run(work())) == ["club", "club", "other"]


def test_one_address_leaves_room_for_others():
    """A hint waited for ten seconds behind somebody's analysis, review or record."""

    async def work() -> None:
        queue, done = Queue(2, each=1), asyncio.Event()

        async def ask(whose: str) -> str:
            async with queue.turn(whose):
                if whose == "greedy":
                    await done.wait()
            return whose

        greedy = [asyncio.ensure_future(ask("greedy")) for _ in range(3)]
        await asyncio.sleep(0)
        assert await ask("one") == "one"
        assert await ask("other") == "other"
        assert not any(task.done() for task in greedy)
        done.set()
        await asyncio.gather(*greedy)
        assert queue._free == 2
        assert not queue._doing

    asyncio.run(work())


def test_who_goes_away_passes_his_turn_on():
    async def work() -> None:
        queue, doing = Queue(1), asyncio.Event()

        async def ask() -> None:
            async with queue.turn(""):
                await doing.wait()

        first, second, third = (asyncio.ensure_future(ask()) for _ in range(3))
        await asyncio.sleep(0)
        second.cancel()
        await asyncio.sleep(0)
        doing.set()
        await asyncio.gather(first, third)
        assert queue._free == 1
        # In the very moment in which his turn has come.
        doing.clear()
        first, second = asyncio.ensure_future(ask()), asyncio.ensure_future(ask())
        await asyncio.sleep(0)
        first.cancel()
        await asyncio.sleep(0)
        second.cancel()
        await asyncio.gather(first, second, return_exceptions=True)
        assert queue._free == 1

    asyncio.run(work())


def test_the_address_travels_with_whatever_a_request_sets_going(tmp_path):
    async def work(hub, _person):
        seen: list[str] = []

        async def later() -> None:
            seen.append(ASKED_FROM.get())

        async def app(*_: Any) -> None:
            await asyncio.ensure_future(later())

        for kind in ("http", "websocket"):
            scope: Any = {"type": kind, "path": "/", "method": "GET"}
            scope["headers"] = [(b"host", b"localhost")]
            scope["client"] = ("2001:db8::1", 1)
            await Border(hub, (), app)(scope, AsyncMock(), AsyncMock())
        assert seen == ["2001:db8::/56"] * 2

    in_hub(tmp_path, work, rounds=False)


def test_many_reads_of_one_address_hold_up_nobody_else(tmp_path):
    """Whoever had tables opened as fast as he might held up the question who somebody else is."""

    async def work(hub, _person):
        gate = threading.Event()
        served = await order_of(
            lambda _: hub.store.read(lambda _connection: gate.wait(60)), "bystander", gate=gate
        )
        assert "bystander" in served[:10]

    in_hub(tmp_path, work, rounds=False)


def test_guests_of_one_address_do_not_stop_expensive_reads(tmp_path):
    """Each of them had his turn, and all of them had been let in before the first had paid."""

    async def work(hub, _person):
        gate, guests = threading.Event(), iter(range(1000))

        async def ask(whose: str) -> None:
            await hub.heavy.read(whose, f"guest {next(guests)}", lambda _: gate.wait(60))

        served = await order_of(ask, "bystander", gate=gate)
        assert "bystander" in served[:8]

    in_hub(tmp_path, work, rounds=False)


def test_what_others_of_an_address_cost_counts_when_ones_turn_has_come(tmp_path):
    async def work(hub, _person):
        done: list[str] = []

        async def ask(guest: str) -> None:
            await hub.heavy.read("10.0.0.1", guest, lambda _: done.append(guest))
            hub.heavy.pay("10.0.0.1", None, PEOPLE * 1.0)

        asked = [ask(f"guest {n}") for n in range(MANY)]
        found = await asyncio.gather(*asked, return_exceptions=True)
        refused = [error for error in found if isinstance(error, TableError)]
        assert {error.code for error in refused} == {"too_many"}
        assert len(done) + len(refused) == MANY
        assert len(done) <= 4, "as many as were under way when the first had paid"
        # What was begun is not broken off.
        await hub.heavy.read("10.0.0.1", "guest 0", lambda _: done.append("begun"), begun=True)
        assert done[-1] == "begun"

    in_hub(tmp_path, work, rounds=False, work_burst=0.5)


def test_machines_of_one_address_hold_up_no_others(tmp_path, monkeypatch):
    async def work(hub, _person):
        gate, now = threading.Event(), itertools.count()
        clock = SimpleNamespace(monotonic=lambda: float(next(now)))
        monkeypatch.setattr("hansa.server.workers.time", clock)
        hub.bots._workers._ask = lambda *_: {"result": gate.wait(60)}
        paid: list[float] = []
        served = await order_of(
            lambda whose: hub.bots._workers.ask("choose", 60, whose=whose, pay=paid.append),
            "bystander",
            gate=gate,
        )
        assert "bystander" in served[:8]
        assert len(paid) == MANY + 1
        # A thread may be held up while the other does all the work; most are done at once.
        assert statistics.median(paid) < MANY / 4, "nobody pays for having waited"

    in_hub(tmp_path, work, rounds=False)


def test_a_machine_is_hurried_by_the_crowd_of_its_own_address(tmp_path):
    async def work(hub, person):
        queue, bots = hub.bots._workers.queue, hub.bots
        queue._here.update({"greedy": 40})
        assert bots._hurry(None, "bystander", person.id) == CLOCK_SHARE * players._LAST
        shown = CLOCK_SHARE * players._CROWDED * bots._workers.count
        assert bots._hurry(None, "greedy", person.id) == pytest.approx(shown / 41)
        queue._here["bystander"] = 3
        assert bots._hurry(None, "bystander", person.id) == pytest.approx(shown / 8)
        queue._here.clear()

    in_hub(tmp_path, work, rounds=False)


def test_the_last_process_is_not_thought_in_for_long(tmp_path):
    """Two machines of ten seconds each held up everybody else's for as long, also of two addresses."""

    async def work(hub, person):
        queue, bots = hub.bots._workers.queue, hub.bots
        assert bots._workers.count == 2
        assert bots._hurry(None, "greedy", person.id) is None
        queue._here["greedy"] = 1
        last = CLOCK_SHARE * players._LAST
        assert bots._hurry(None, "greedy", person.id) == last
        assert bots._hurry(100 * last, "greedy", person.id) == last
        assert bots._hurry(last / 2, "greedy", person.id) == last / 2
        assert bots._hurry(None, "another", person.id) == last
        queue._here.clear()

    in_hub(tmp_path, work, rounds=False)


def test_machines_are_paid_for_by_who_sets_them_going(tmp_path):
    """Hosts that are guests cost nothing: those of one address had the processors, and the disk."""

    async def work(hub, person):
        ASKED_FROM.set("10.0.0.9")
        table = await hub.lobby.create(
            person, wish("me", "greedy", "greedy", start=True, order="fixed")
        )
        await hub.decisions.act(table, person, "end", 0)
        await until(lambda: table.decider == "p1" and table.number > 1)
        for purse in (hub.bots._writing, hub.bots._thinking):
            spent = purse._address._left["10.0.0.9"][0]
            assert spent < purse._address._burst
            assert person.id in purse._person._left
            purse.charge("10.0.0.9", None, 1e12)
        assert hub.bots._hurry(None, "10.0.0.9", "a new guest") == CLOCK_SHARE * players._HURRIED
        assert hub.bots._hurry(None, "10.0.0.8", "a new guest") is None

    in_hub(tmp_path, work, rounds=False)


def test_reviews_of_one_address_are_worked_out_one_after_the_other(tmp_path):
    """Whoever asked for a hundred at once filled the queue of all analyses, for hours."""

    async def work(hub, person):
        asked, gate = list[str](), asyncio.Event()

        async def weighed(meta: Any, *_: Any) -> Any:
            asked.append(meta.id)
            await gate.wait()
            raise TableError("busy", "Enough seen.")

        hub.reviews._weighed = weighed

        async def begin(game: str, address: str) -> str:
            table: Any = SimpleNamespace(id=game, meta=SimpleNamespace(id=game, status="over"))
            table.number = 1
            return str((await hub.reviews.begin(table, address, person.id)).state)

        states = []
        for n in range(11):
            states.append(await begin(f"game{n}", "10.0.0.1"))
            await until(lambda: hub.reviews._turns.length == len(states))
        assert states == ["working"] * 11
        with pytest.raises(TableError, match="Too many reviews") as refused:
            await begin("game11", "10.0.0.1")
        assert refused.value.code == "too_many"
        assert await begin("game12", "10.0.0.2") == "working"
        await until(lambda: len(asked) == 2)
        assert asked == ["game0", "game12"]
        # Those that wait find that the ones before them have cost all there was.
        hub.heavy.pay_thought("10.0.0.1", None, 1e9)
        gate.set()
        await until(lambda: not hub.reviews._turns.length)
        assert asked == ["game0", "game12"]

    in_hub(tmp_path, work, rounds=False)


# Many sockets of one who plays


def _at_table(hub: Any, table: Any, who: Any, **given: Any) -> Any:
    caller = Caller(hub, AsyncMock(cookies={}))
    caller.person = who
    connection = Connection(hub, AsyncMock(scope={}), table, caller, **given)
    connection._task, connection._greeted = asyncio.current_task(), True
    table.listeners.add(connection)
    return connection


def test_who_is_there_already_is_not_announced_again(tmp_path):
    """Each of hundreds of sockets of one player was told to all of them."""

    async def work(hub, person):
        table = await hub.lobby.create(person, wish("me", "me", "me", start=True))
        first = _at_table(hub, table, person)
        hub.presence.changed(table, person, came=True)
        stamp = table.stamp
        second = _at_table(hub, table, person)
        hub.presence.changed(table, person, came=True)
        table.listeners.discard(second)
        hub.presence.changed(table, person, came=False)
        assert table.stamp == stamp
        assert table.present() == {person.id}
        table.listeners.discard(first)
        hub.presence.changed(table, person, came=False)
        assert table.stamp == stamp + 1
        assert not table.present()

    in_hub(tmp_path, work, rounds=False)


def test_further_sockets_of_a_player_are_told_when_those_who_watch_are(tmp_path):
    async def work(hub, person):
        table = await hub.lobby.create(person, wish("me", "me", "me", start=True))
        entered = list[Any]()
        hub.gallery = SimpleNamespace(enter=lambda begin, _: entered.append(begin))
        first = _at_table(hub, table, person)
        more = [_at_table(hub, table, person, extra=True) for _ in range(5)]
        table.changed(face=True)
        assert first._sender is not None
        assert set(entered) == {each._begin for each in more}
        await first._sender
        table.listeners.clear()

    in_hub(tmp_path, work, rounds=False)


def test_a_player_with_many_sockets_is_one_of_those_who_watch(tmp_path):
    server = Server(tmp_path, watchers_per_table=6).start()
    try:
        with server.client("Alheyd") as client, server.client("Bertram") as other:
            table = client.table("me", "me", "me")
            for _ in range(6):
                assert client.socket(table["id"]).receive()["type"] == "snapshot"
            assert client.socket(table["id"]).closed() == 4429
            assert other.socket(table["id"]).receive()["type"] == "snapshot"
    finally:
        assert server.stop() == 0


def test_a_player_comes_in_however_many_watch(tmp_path):
    server = Server(tmp_path, watchers_per_table=2).start()
    try:
        with server.client("Alheyd") as client, server.client("Bertram") as other:
            table = client.table("me", "me", "me")
            for _ in range(2):
                assert other.socket(table["id"]).receive()["type"] == "snapshot"
            for _ in range(socket._OWN):
                assert client.socket(table["id"]).receive()["type"] == "snapshot"
            assert client.socket(table["id"]).closed() == 4429
    finally:
        assert server.stop() == 0


def test_who_watches_with_a_crowd_makes_room_for_others(tmp_path):
    """One guest took all the places at a table, and nobody else could look on."""
    server = Server(tmp_path, watchers_per_table=4, proxies="127.0.0.1").start()
    try:
        with (
            server.client("Alheyd") as client,
            server.client("Bertram") as crowd,
            server.client("Cillie") as other,
            server.client("Dietmar") as third,
        ):
            crowd.http.headers["X-Forwarded-For"] = "198.51.100.7"
            other.http.headers["X-Forwarded-For"] = "198.51.100.8"
            third.http.headers["X-Forwarded-For"] = "198.51.100.9"
            game = client.table("me", "me", "me")["id"]
            many = [crowd.socket(game) for _ in range(4)]
            for each in many:
                assert each.receive()["type"] == "snapshot"
            # His own newcomers get nothing by it.
            assert crowd.socket(game).closed() == 4429
            assert other.socket(game).receive()["type"] == "snapshot"
            assert third.socket(game).receive()["type"] == "snapshot"
            host = client.socket(game)
            host.receive()
            host.wait_for(lambda s: s.table["watching"] == 4)
            # Two of the crowd are left, and one of each of the others: nobody gives way any more.
            assert other.socket(game).closed() == 4429
            host.act("end")
            told = 0
            for each in many:
                with contextlib.suppress(ConnectionClosed):
                    each.until("update")
                    told += 1
            assert told == 2
            assert {each.connection.close_code for each in many} == {None, 4429}
    finally:
        assert server.stop() == 0
