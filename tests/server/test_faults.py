"""Faults one does not see: lines that are cut without a word, stores that do not answer."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import re
import socket
import threading
import time
from collections import Counter
from typing import Any
from unittest.mock import AsyncMock, Mock

import psycopg
import pytest
import sqlalchemy as sa
import structlog
from alembic import command
from prometheus_client import REGISTRY
from structlog.testing import capture_logs
from tests.server.harness import Server
from tests.server.test_hub import in_hub, until, wish
from tests.server.test_races import in_two_hubs

from hansa.server import fanout, housekeeping, lines, logbook, pauses, store
from hansa.server import socket as door
from hansa.server.config import load
from hansa.server.errors import TableError
from hansa.server.hub import Hub
from hansa.server.logs import Sparing, set_up_logging
from hansa.server.schema import entries
from hansa.server.wire.socket import Close

#: Milliseconds that anybody waits for a lock.
LOCK = int(re.findall(r"lock_timeout=(\d+)", lines.LIMITS)[0])


class Line:
    """A way to PostgreSQL that can be cut so that neither end hears of it."""

    def __init__(self, url: str) -> None:
        self._target = sa.make_url(url)
        self._open: list[asyncio.Event] = []
        self._carrying: list[asyncio.Task[Any]] = []
        self._server: asyncio.Server | None = None

    async def start(self) -> str:
        """Listen; gives the address to use instead."""
        self._server = await asyncio.start_server(self._carry, "127.0.0.1", 0)
        port = self._server.sockets[0].getsockname()[1]
        return self._target.set(port=port).render_as_string(hide_password=False)

    async def stop(self) -> None:
        assert self._server is not None
        self._server.close()
        for task in self._carrying:
            task.cancel()
        await asyncio.gather(*self._carrying, return_exceptions=True)

    def cut(self) -> None:
        """What is connected stays connected, and nothing comes through any more."""
        for going in self._open:
            going.clear()

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        going = asyncio.Event()
        going.set()
        self._open.append(going)
        this = asyncio.current_task()
        assert this is not None
        self._carrying.append(this)
        there, back = await asyncio.open_connection("127.0.0.1", self._target.port)
        await asyncio.gather(_pump(reader, back, going), _pump(there, writer, going))


async def _pump(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, going: asyncio.Event
) -> None:
    try:
        with contextlib.suppress(ConnectionError):
            while data := await reader.read(65536):
                if going.is_set():
                    writer.write(data)
                    await writer.drain()
    finally:
        writer.close()


def heard_of(kind: str) -> float:
    """How often the host was told that the store does not do this."""
    return REGISTRY.get_sample_value("hansa_store_errors_total", {"kind": kind}) or 0.0


@pytest.fixture
def impatient(monkeypatch):
    monkeypatch.setattr(fanout, "BEAT", 0.2)
    monkeypatch.setattr(fanout, "_SILENCE", 0.6)
    monkeypatch.setattr(store, "_PATIENCE", 0.5)


@pytest.mark.usefixtures("impatient")
def test_a_process_whose_line_was_cut_notices_and_hears_again(tmp_path, postgres):
    database = postgres.new_database()

    async def work(one, two, person):
        line = Line(database)
        await two.fanout.stop()
        two.fanout._dsn = await line.start()
        await two.fanout.start()
        await asyncio.wait_for(two.fanout.ready.wait(), 30)
        table = await one.lobby.create(person, wish("me", "me", "me", start=True))
        other = await two.opened(table.id)
        line.cut()
        lost = heard_of("listen")
        # Nothing tells it; and it is not asked.
        await one.decisions.act(table, person, "end", 0)
        await until(lambda: other.number == 1)
        assert heard_of("listen") > lost
        await one.decisions.act(table, person, "end", 1)
        await until(lambda: other.number == 2)
        await two.fanout.stop()
        await line.stop()

    in_two_hubs(tmp_path, database, work)


@pytest.mark.usefixtures("impatient")
def test_a_line_that_takes_everything_and_gives_nothing_is_cut_here_too(
    tmp_path, postgres, monkeypatch
):
    """A balancer that lost its other side: what is sent is acknowledged, and no answer ever comes."""
    monkeypatch.setattr(lines, "_FORGOTTEN", 1.0)
    monkeypatch.setattr(lines, "_LOOK", 0.1)

    async def run() -> None:
        line = Line(postgres.new_database())
        hub = Hub(load(environ={}, data=str(tmp_path), database=await line.start()))
        hub.housekeeping.go_round = asyncio.Event().wait  # type: ignore[method-assign, assignment]
        await hub.start()
        person, _ = await hub.accounts.guest("Alheyd")
        table = await hub.lobby.create(person, wish("me", "me", "me", start=True))
        line.cut()
        with pytest.raises(TableError):
            await hub.decisions.act(table, person, "end", 0)

        async def decides() -> bool:
            with contextlib.suppress(TableError):
                return bool(await hub.decisions.act(table, person, "end", table.number))
            return False

        async with asyncio.timeout(60):
            while not await decides():
                pass
        await hub.stop()
        await line.stop()

    asyncio.run(run())


@pytest.mark.usefixtures("impatient")
def test_who_asks_a_store_that_does_not_answer_is_told_so(tmp_path):
    async def work(hub, person):
        table = await hub.lobby.create(person, wish("me", "me", "me", start=True))
        stuck = asyncio.Event()
        loop = asyncio.get_running_loop()

        def hang(_connection: sa.Connection) -> None:
            asyncio.run_coroutine_threadsafe(stuck.wait(), loop).result()

        with pytest.raises(TableError) as unread:
            await hub.store.read(hang)
        assert unread.value.code == "busy"
        with pytest.raises(TableError) as unwritten:
            await hub.store.write(hang)
        assert unwritten.value.code == "busy"
        # The decision waits behind it: whether it was stored is in doubt, so the store is asked.
        with pytest.raises(TableError):
            await hub.decisions.act(table, person, "end", 0)
        assert table.doubtful
        stuck.set()
        await until(lambda: hub.store.waiting == 0)
        await hub.store.write(lambda _connection: None)
        await hub.hall.settle(table)
        assert table.number == 0, "he was told to try again, and can"
        assert await hub.decisions.act(table, person, "end", 0)

    in_hub(tmp_path, work)


@pytest.mark.parametrize("tries_again", [True, False])
def test_what_was_stored_although_nobody_was_told_is_seen_and_played_on(
    tmp_path, monkeypatch, tries_again
):
    """Else everybody looks at the position before, while the clock of the next one runs."""
    monkeypatch.setattr(housekeeping, "BEAT", 1000.0 if tries_again else 0.1)

    async def work(hub, person):
        wanted = wish("me", "random", "random", order="fixed", start=True)
        table = await hub.lobby.create(person, wanted)
        inner = hub.store.write

        async def lose_answer(work: Any) -> None:
            await inner(work)
            hub.store.write = inner
            raise TableError("busy", "No answer in time.")

        hub.store.write = lose_answer
        with pytest.raises(TableError):
            await hub.decisions.act(table, person, "end", 0)
        if tries_again:
            with pytest.raises(TableError) as refused:
                await hub.decisions.act(table, person, "end", 0)
            assert refused.value.code == "stale_number"
        await until(lambda: table.number > 1)

    in_hub(tmp_path, work)


def test_a_read_whose_line_was_cut_is_done_again(tmp_path, postgres):
    async def work(one, _two, person):
        table = await one.lobby.create(person, wish("me", "me", "me", start=True))

        def end_all(connection: sa.Connection) -> None:
            activity = sa.table("pg_stat_activity", sa.column("pid"), sa.column("datname"))
            others = sa.select(sa.func.pg_terminate_backend(activity.c.pid)).where(
                activity.c.pid != sa.func.pg_backend_pid(),
                activity.c.datname == sa.func.current_database(),
            )
            connection.execute(others).all()

        await one.store.write(end_all)
        await one.hall.catch_up(table)
        assert await one.decisions.act(table, person, "end", 0)

    in_two_hubs(tmp_path, postgres.new_database(), work)


@pytest.fixture
def brief(monkeypatch):
    """Nobody waits long for a lock."""
    monkeypatch.setattr(store, "LIMITS", "-c lock_timeout=200")


@pytest.mark.usefixtures("brief")
def test_a_stranger_who_locks_what_decisions_need_is_seen(tmp_path, postgres):
    """Somebody alters a table by hand, or forgot to end what he began: clocks stand still."""
    database = postgres.new_database()

    async def work(one, _two, person):
        table = await one.lobby.create(person, wish("me", "me", "me", start=True))
        for locked in ("entries", "games"):
            stranger = await psycopg.AsyncConnection.connect(database)
            await stranger.execute(f"LOCK TABLE {locked}")
            with pytest.raises(TableError) as refused:
                await one.decisions.act(table, person, "end", table.number)
            assert refused.value.code == "busy"
            with pytest.raises(TableError):
                await one.hall.pauses.beat()
            await stranger.close()
            assert await one.troubles() == []
            await one.hall.settle(table)
            assert await one.decisions.act(table, person, "end", table.number)

    in_two_hubs(tmp_path, database, work)


@pytest.mark.usefixtures("brief")
def test_a_stranger_who_locks_one_table_does_not_stop_the_others(tmp_path, postgres):
    database = postgres.new_database()

    async def work(one, _two, person):
        locked = await one.lobby.create(person, wish("me", "me", "me", start=True))
        other = await one.lobby.create(person, wish("me", "me", "me", start=True))
        async with await psycopg.AsyncConnection.connect(database) as stranger:
            await stranger.execute("SELECT 1 FROM games WHERE id = %s FOR UPDATE", [locked.id])
            giving_up = asyncio.ensure_future(one.manners.concede(locked, person, "p1"))
            assert await one.decisions.act(other, person, "end", 0)
            with pytest.raises(TableError) as refused:
                await giving_up
            assert refused.value.code == "busy"
            # Nor is it a pause: there is room for a decision at any other table.
            assert one.hall.pauses.refused
            await one.hall.pauses.beat()
            assert not one.hall.pauses.refused

    in_two_hubs(tmp_path, database, work)


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_a_store_that_lacks_the_last_decisions_gets_no_log_with_a_hole(tmp_path, postgres, kind):
    """A machine that followed another, and took its place before it had heard everything."""

    async def work(hub, person):
        table = await hub.lobby.create(person, wish("me", "me", "me", start=True, order="fixed"))
        for number in range(3):
            await hub.decisions.act(table, person, "end", number)
        await hub.store.write(lambda c: c.execute(entries.delete().where(entries.c.revision > 1)))
        with pytest.raises(TableError) as refused:
            await hub.decisions.act(table, person, "end", 3)
        assert refused.value.code == "stale_number"
        # It goes on from what is there.
        assert (table.number, table.decider) == (1, "p2")
        await hub.decisions.act(table, person, "end", 1)
        log = await hub.store.read(lambda c: logbook.entries_after(c, table.id, 0))
        assert [entry.revision for entry in log] == [1, 2]

    database = postgres.new_database() if kind == "postgresql" else ""
    in_hub(tmp_path, work, rounds=False, database=database)


def test_one_that_hangs_in_the_middle_of_a_commit_stops_nobody_else(
    tmp_path, postgres, monkeypatch
):
    """What it holds there everybody needs: for a minute nobody at any server could decide."""

    async def work(one, two, person):
        table = await two.lobby.create(person, wish("me", "me", "me", start=True))
        hangs, go_on = threading.Event(), threading.Event()

        def hang(connection: sa.Connection) -> None:
            pauses._note(connection, pauses._PAUSE)
            hangs.set()
            go_on.wait(60)

        hanging = asyncio.ensure_future(one.store.write(hang))
        await asyncio.to_thread(hangs.wait, 60)

        async def notes() -> bool:
            with contextlib.suppress(TableError):
                await two.hall.pauses.beat()
                return True
            return False

        async with asyncio.timeout(40):
            while not await notes():
                pass
        assert await two.decisions.act(table, person, "end", 0)
        assert not go_on.is_set()
        go_on.set()
        with pytest.raises(TableError):
            await hanging

    # One that waits in vain for the lock, and the next: still before it would be a pause.
    assert lines._HUNG < 2 * LOCK < pauses._PAUSE
    monkeypatch.setattr(housekeeping, "BEAT", 1000.0)
    in_two_hubs(tmp_path, postgres.new_database(), work)


async def take_writes(database: str, yes: bool) -> None:
    """Whether it does, from now on; whoever is connected has to connect anew."""
    own = "-c default_transaction_read_only=off"
    async with await psycopg.AsyncConnection.connect(
        database, autocommit=True, options=own
    ) as host:
        setting = f"default_transaction_read_only = {'off' if yes else 'on'}"
        await host.execute(f"ALTER DATABASE {host.info.dbname} SET {setting}")
        await host.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )


def test_a_database_that_takes_no_writes_is_away_until_it_does(tmp_path, postgres):
    """A machine that follows another, and has not taken its place yet."""
    database = postgres.new_database()

    async def work(one, _two, person):
        table = await one.lobby.create(person, wish("me", "me", "me", start=True))
        await take_writes(database, False)
        with pytest.raises(TableError) as refused:
            await one.decisions.act(table, person, "end", 0)
        assert refused.value.code == "busy"
        assert "writing" in await one.troubles()
        await take_writes(database, True)
        await one.hall.settle(table)
        assert await one.decisions.act(table, person, "end", 0)
        await asyncio.wait_for(one.fanout.ready.wait(), 60)
        assert await one.troubles() == []

    in_two_hubs(tmp_path, database, work)


def test_the_host_is_told_once_what_is_wrong_with_the_store(tmp_path):
    async def work(hub, _person):
        def full(_connection: sa.Connection) -> None:
            raise sa.exc.OperationalError("INSERT INTO a SECRET", None, Exception("disk is full"))

        def torn(_connection: sa.Connection) -> None:
            raise sa.exc.DatabaseError("SELECT", None, Exception("disk image is malformed"))

        with capture_logs() as lines:
            for _ in range(5):
                for asked in (hub.store.write(full), hub.store.read(torn)):
                    with pytest.raises(TableError) as refused:
                        await asked
                    assert refused.value.code == "busy"
            await hub.store.write(lambda _connection: None)
            await hub.store.read(lambda _connection: None)
        told = [(line["event"], line["kind"]) for line in lines if "kind" in line]
        assert told == [
            ("the store does not answer", "write"),
            ("the store does not answer", "read"),
            ("the store answers again", "write"),
            ("the store answers again", "read"),
        ]
        assert "disk is full" in lines[0]["error"]
        assert "SECRET" not in str(lines)

    in_hub(tmp_path, work, rounds=False)


def test_the_host_hears_of_a_store_that_hangs_while_nobody_asks_it(tmp_path, monkeypatch):
    """The note that a server is here is given up before the store itself says that it is away."""
    monkeypatch.setattr(housekeeping, "BEAT", 0.01)
    monkeypatch.setattr(housekeeping, "_CUT_OFF", 0.1)

    async def work(hub, _person):
        loop, go_on = asyncio.get_running_loop(), asyncio.Event()

        def hang(_connection: sa.Connection) -> None:
            asyncio.run_coroutine_threadsafe(go_on.wait(), loop).result()

        before = heard_of("write")
        with capture_logs() as lines:
            hanging = asyncio.ensure_future(hub.store.write(hang))
            await until(lambda: heard_of("write") >= before + 3)
            go_on.set()
            await hanging
            told = [line["event"] for line in lines if line.get("kind") == "write"]
            assert told[0] == "the store does not answer"
            assert told.count(told[0]) == 1

    in_hub(tmp_path, work, rounds=False)


def test_time_is_kept_whatever_the_store_says(tmp_path, monkeypatch):
    monkeypatch.setattr(housekeeping, "BEAT", 0.01)

    async def work(hub, _person):
        inner, asked = hub.hall.pauses.beat, []

        async def broken() -> None:
            asked.append("beat")
            if len(asked) < 3:
                raise RuntimeError("something unheard of")
            await inner()

        hub.hall.pauses.beat = broken
        await until(lambda: len(asked) > 5)
        hub.hall.pauses.beat = inner

    in_hub(tmp_path, work, rounds=False)


def test_changing_the_layout_may_take_long_and_nothing_else(tmp_path, postgres, monkeypatch):
    found = []

    def look(connection: sa.Connection) -> None:
        for name in ("statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout"):
            found.append(connection.exec_driver_sql(f"SHOW {name}").scalar())

    upgrade = command.upgrade

    def upgrading(config, revision):
        look(config.attributes["connection"])
        upgrade(config, revision)

    monkeypatch.setattr(command, "upgrade", upgrading)
    opened = store.Store(postgres.new_database())
    opened.migrate()
    opened.now(look)
    opened.see(look)
    opened.close()
    assert found == ["0", "0", "0", *2 * ["30s", "3s", "1min"]]


def test_health_asks_for_everything_at_the_same_time(tmp_path):
    """A store that does not answer at all is said to be so within two seconds, not four."""

    async def work(hub, _person):
        reading, writing = asyncio.Event(), asyncio.Event()

        async def read(_work):
            reading.set()
            await writing.wait()

        async def write(_work):
            writing.set()
            await reading.wait()
            return []

        inner = hub.store.read, hub.store.write
        hub.store.read, hub.store.write = read, write
        assert await hub.troubles() == []
        hub.store.read, hub.store.write = inner

    in_hub(tmp_path, work, rounds=False)


def test_health_says_what_is_wrong_and_liveness_is_another_question(tmp_path):
    async def work(hub, _person):
        assert await hub.troubles() == []
        inner = hub.store.write

        async def full(_work):
            raise TableError("busy", "database or disk is full")

        hub.store.write = full
        assert await hub.troubles() == ["writing"]
        hub.store.write = inner
        assert await hub.troubles() == []
        hub.ready = False
        assert await hub.troubles() == ["starting"]
        hub.ready = True

    in_hub(tmp_path, work)


def test_health_and_liveness_over_http(sqlite_server):
    with sqlite_server.client() as client:
        assert client.get("/health")["troubles"] == []
        assert client.get("/health/live") == {"status": "ok"}


def test_who_comes_while_the_store_is_away_is_told_to_come_back(monkeypatch):
    """As if he had sent something that nobody can read: a program would give up."""
    away = AsyncMock(side_effect=TableError("busy", "The store does not answer just now."))
    monkeypatch.setattr(door, "_enter", away)
    coming, hub = AsyncMock(client=None), Mock(addresses=Counter())

    async def come() -> None:
        await door.table_socket.fn(coming, hub, "abc")

    asyncio.run(come())
    coming.close.assert_awaited_once_with(Close.RESTART, "The store does not answer just now.")
    assert not hub.addresses


def test_a_listener_that_hears_nothing_is_not_ready(tmp_path, postgres):
    async def work(one, _two, _person):
        assert await one.troubles() == []
        one.fanout.ready.clear()
        assert await one.troubles() == ["listening"]
        one.fanout.ready.set()

    in_two_hubs(tmp_path, postgres.new_database(), work)


def test_a_request_that_never_ends_loses_its_connection(tmp_path):
    server = Server(tmp_path, request_seconds=0.5).start()
    host, port = server.url.removeprefix("http://").split(":")
    try:
        for begun in (
            b"GET / HTTP/1.1\r\nHo",
            b"POST /api/me HTTP/1.1\r\nHost: localhost\r\nConte",
            b"",
        ):
            with socket.create_connection((host, int(port)), timeout=60) as slow:
                slow.sendall(begun)
                assert slow.recv(100) == b"", begun
        with socket.create_connection((host, int(port)), timeout=60) as slow:
            slow.sendall(b"POST /api/me HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{")
            with contextlib.suppress(ConnectionResetError):
                assert slow.recv(100) == b""
        # Whoever has said all he wants may wait for the answer as long as it takes.
        with server.client("Alheyd") as client:
            table = client.table("me", "me", "me")
            client.get(f"/api/games/{table['id']}/state", after=0, wait=2)
            # And a WebSocket is no request any more.
            watching = client.socket(table["id"])
            until_then = time.monotonic() + 1.5
            while time.monotonic() < until_then:
                assert watching.ask("ping")["type"] == "pong"
                time.sleep(0.1)
    finally:
        assert server.stop() == 0


def test_a_trouble_that_repeats_itself_is_told_a_few_times_only():
    now = [0.0]
    sparing = Sparing(lambda: now[0])
    let_through = []
    for second in range(300):
        now[0] = float(second)
        for _ in range(100):
            with contextlib.suppress(structlog.DropEvent):
                let_through.append(sparing(None, "warning", {"event": "disk full"}))
    assert len(let_through) == 50
    assert sum("left_out" in line for line in let_through) == 4
    assert sparing(None, "info", {"event": "another"}) == {"event": "another"}


def test_libraries_log_in_the_same_form(tmp_path, capsys):
    set_up_logging(load(environ={}, data=str(tmp_path), log_json=True))
    try:
        logging.getLogger("some.library").warning("a word of %s", "warning")
        structlog.get_logger().warning("ours")
        lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
        assert [(line["event"], line["level"]) for line in lines] == [
            ("a word of warning", "warning"),
            ("ours", "warning"),
        ]
    finally:
        structlog.reset_defaults()
        logging.basicConfig(force=True)
