"""Writes that wait are committed together, each for itself where one fails, and told at once."""

from __future__ import annotations

import asyncio
import contextlib
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any
from unittest.mock import AsyncMock, Mock

import msgspec
import psycopg
import pytest
import sqlalchemy as sa
from tests.server.test_hub import in_hub, until, wish

from hansa.server import housekeeping, logbook, pauses, writing
from hansa.server.border import Caller
from hansa.server.errors import TableError
from hansa.server.lean import Lean
from hansa.server.model import Entry, now_ms
from hansa.server.queues import ASKED_FROM
from hansa.server.realtime import Connection
from hansa.server.schema import settings
from hansa.server.store import Store
from hansa.server.wire.socket import Pong
from hansa.server.writing import Conflict, at_commit


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request, tmp_path, postgres) -> str:
    """Where a hub keeps its tables."""
    return postgres.new_database() if request.param == "postgresql" else ""


class Closed:
    """The thread that writes stands still until this is opened."""

    def __init__(self, store: Store) -> None:
        self._gate, self.begun = threading.Event(), asyncio.Event()
        loop = asyncio.get_running_loop()

        def wait(_connection: sa.Connection) -> None:
            loop.call_soon_threadsafe(self.begun.set)
            self._gate.wait()

        self._held = asyncio.ensure_future(store.write(wait))

    async def open(self) -> None:
        self._gate.set()
        await self._held


async def _together(
    store: Store, *works: Callable[[sa.Connection], Any]
) -> list[Any | BaseException]:
    """All of them in one commit."""
    closed = Closed(store)
    await closed.begun.wait()
    asked = [asyncio.ensure_future(store.write(work)) for work in works]
    await until(lambda: store.waiting == len(works))
    await closed.open()
    return await asyncio.gather(*asked, return_exceptions=True)


def _line(revision: int, text: str = "end") -> Entry:
    return Entry(
        revision=revision,
        number=revision,
        kind="decision",
        player="p1",
        text=text,
        turn=1,
        at=now_ms(),
        by="person",
    )


def test_what_is_left_to_the_end_of_a_transaction_is_done_once_for_all(tmp_path, place):
    async def work(hub, _person):
        done: list[list[int]] = []

        def write(_connection: sa.Connection, items: list[int]) -> None:
            done.append(items)

        leaving = [lambda c, n=n: at_commit(c, write, n) for n in range(3)]
        await _together(hub.store, *leaving)
        assert done == [[0, 1, 2]]
        await hub.store.write(lambda _connection: None)
        assert done == [[0, 1, 2]], "nothing of it is left over"

        def breaks(connection: sa.Connection) -> None:
            at_commit(connection, write, 3)
            raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError):
            await hub.store.write(breaks)
        await hub.store.write(lambda _connection: None)
        assert done == [[0, 1, 2]], "nor of what was not committed"

    in_hub(tmp_path, work, rounds=False, database=place)


def test_what_cannot_be_done_costs_the_others_no_commit_each(tmp_path, place):
    """A guest who asked for one token too many again and again made everybody's decisions wait."""

    async def work(hub, _person):
        commits, done = list[int](), list[list[int]]()

        def write(_connection: sa.Connection, items: list[int]) -> None:
            done.append(items)

        def good(number: int) -> Callable[[sa.Connection], int]:
            def add(connection: sa.Connection) -> int:
                row = {"name": f"test {number}", "value": "x"}
                connection.execute(settings.insert(), row)
                at_commit(connection, write, number)
                return number

            return add

        def bad(connection: sa.Connection) -> None:
            good(7)(connection)
            raise TableError("too_many", "Enough of them.")

        def worse(connection: sa.Connection) -> None:
            good(1)(connection)  # which is there by then

        sa.event.listen(hub.store._engine, "commit", lambda _: commits.append(1))
        found = await _together(hub.store, good(1), bad, good(2), worse, good(3))
        assert [one for one in found if isinstance(one, int)] == [1, 2, 3]
        assert [type(one) for one in found[1::2]] == [TableError, sa.exc.IntegrityError]
        assert len(commits) == 2, "of whoever held the thread, and one for all of them"
        assert done == [[1, 2, 3]]
        names = sa.select(settings.c.name).where(settings.c.name.like("test %"))
        stored = await hub.store.read(lambda c: set(c.execute(names).scalars()))
        assert stored == {"test 1", "test 2", "test 3"}

    in_hub(tmp_path, work, rounds=False, database=place)


def test_a_crowd_of_one_address_holds_up_nobody_elses_writes(tmp_path, monkeypatch):
    """380 questions for a quick game at once were one commit, and who decided meanwhile waited for all."""

    async def work(hub, _person):
        done, commits = list[str](), list[list[str]]()

        async def ask(whose: str) -> None:
            ASKED_FROM.set(whose)
            await hub.store.write(lambda _connection: done.append(whose))

        def committed(_connection: sa.Connection) -> None:
            commits.append(done.copy())
            done.clear()

        closed = Closed(hub.store)
        await closed.begun.wait()
        sa.event.listen(hub.store._engine, "commit", committed)
        asked = [asyncio.ensure_future(ask(whose)) for whose in ["crowd"] * 20 + ["one", "other"]]
        await until(lambda: hub.store.waiting == len(asked))
        await closed.open()
        await asyncio.gather(*asked)
        # Nobody waits for the end of the last one but the crowd itself.
        assert commits == [[], ["crowd"], ["one"], ["other"], ["crowd"] * 19]

    monkeypatch.setattr(writing, "_LONG", -1.0)
    monkeypatch.setattr(housekeeping, "BEAT", 1000.0)
    in_hub(tmp_path, work, rounds=False)


def test_that_a_server_is_here_is_noted_before_all_else_it_writes_by_itself(tmp_path, monkeypatch):
    """A crowd of its own games held the note up until the others took it for gone."""
    done, note = list[str](), pauses._note

    def noting(*given: Any) -> Any:
        done.append("note")
        return note(*given)

    async def work(hub, _person):
        closed = Closed(hub.store)
        await closed.begun.wait()
        own = [
            hub.spawn(hub.store.write(lambda _connection: done.append("own"))) for _ in range(20)
        ]
        await until(lambda: hub.store.waiting == len(own))
        monkeypatch.setattr(housekeeping, "BEAT", 0.01)
        monkeypatch.setattr(pauses, "_note", noting)
        keeping = hub.spawn(hub.housekeeping.keep_time())
        await until(lambda: hub.store.waiting > len(own))
        await closed.open()
        await asyncio.gather(*own)
        keeping.cancel()
        assert done.index("note") <= 1

    monkeypatch.setattr(writing, "_LONG", -1.0)
    monkeypatch.setattr(housekeeping, "BEAT", 1000.0)
    in_hub(tmp_path, work, rounds=False)


def test_who_comes_second_is_told_and_nobody_loses_by_it(tmp_path, place, caplog):
    """Two want the same line of the log, a third another one: all in one commit."""

    async def work(hub, person):
        table = await hub.lobby.create(person, wish("me", "me", "me", start=True))
        other = await hub.lobby.create(person, wish("me", "me", "me", start=True))

        def adding(game: str, text: str) -> Callable[[sa.Connection], str]:
            def add(connection: sa.Connection) -> str:
                logbook.add_entries(connection, game, [_line(1, text)])
                return text

            return add

        first, second, third = await _together(
            hub.store, adding(table.id, "a"), adding(table.id, "b"), adding(other.id, "c")
        )
        assert (first, third) == ("a", "c")
        assert isinstance(second, Conflict)
        assert not caplog.records, "it is nobody's fault"
        logs = await hub.store.read(
            lambda c: [logbook.entries_after(c, game, 0) for game in (table.id, other.id)]
        )
        assert [[entry.text for entry in log] for log in logs] == [["a"], ["c"]]

    in_hub(tmp_path, work, rounds=False, database=place)


def test_a_line_cut_at_the_end_of_a_transaction_is_told_and_the_next_is_written(tmp_path, postgres):
    """There all statements travel together: what breaks is told on the way back."""

    def cut(connection: sa.Connection, _items: list[None]) -> None:
        connection.exec_driver_sql("SELECT pg_terminate_backend(pg_backend_pid())")

    async def work(hub, person):
        table = await hub.lobby.create(person, wish("me", "me", "me", start=True))
        with pytest.raises(TableError) as told:
            await hub.store.write(lambda connection: at_commit(connection, cut, None))
        assert told.value.code == "busy"
        assert await hub.decisions.act(table, person, "end", 0)

    in_hub(tmp_path, work, rounds=False, database=postgres.new_database())


@pytest.mark.parametrize("heard", [False, True])
def test_what_may_have_been_stored_is_not_stored_once_more(tmp_path, postgres, monkeypatch, heard):
    """The answer to a commit of several gets lost: each was then tried alone, and a line said twice.

    Or the server's last word is `heard` before the end of the line: a fault of ours in the log.
    """
    inner, lost = psycopg.Connection.pipeline, list[bool]()
    cut = psycopg.OperationalError("server closed the connection unexpectedly")

    @contextlib.contextmanager
    def pipeline(connection: psycopg.Connection[Any]) -> Iterator[psycopg.Pipeline]:
        with inner(connection) as sent:
            yield sent
        if lost.pop() if lost else False:
            if heard:
                monkeypatch.setattr(connection, "rollback", Mock(side_effect=cut))
            else:
                connection.close()
            raise cut

    async def work(hub, person):
        table, other = [await hub.lobby.create(person, wish("me", "me")) for _ in range(2)]
        closed = Closed(hub.store)
        await closed.begun.wait()
        said = [asyncio.ensure_future(hub.manners.say(t, person, "ay")) for t in (table, other)]
        await until(lambda: hub.store.waiting == 2)
        # The answer to the one that waits comes, the next one's does not.
        lost.extend([True, False])
        await closed.open()
        for answer in await asyncio.gather(*said, return_exceptions=True):
            assert isinstance(answer, TableError)
            assert answer.code == "busy"
        for game in (table.id, other.id):
            assert len(await hub.store.read(lambda c, g=game: logbook.chat_after(c, g, 0))) == 1
        assert (await hub.manners.say(table, person, "again")).id == 2

    monkeypatch.setattr(psycopg.Connection, "pipeline", pipeline)
    monkeypatch.setattr(housekeeping, "BEAT", 1000.0)
    in_hub(tmp_path, work, rounds=False, database=postgres.new_database())


def test_only_who_has_company_waits_for_more(tmp_path, monkeypatch):
    """A commit of several costs little more than one of one; who decides alone is not held up."""
    slept: list[float] = []

    async def work(hub, _person):
        store, joined, batches = hub.store, list[Any](), list[int]()

        def sleep(seconds: float) -> None:
            slept.append(seconds)
            # Meanwhile one more comes in; with the one that waits it makes a commit of two.
            asyncio.run_coroutine_threadsafe(store.write(joined.append), loop)
            while store.waiting < 2:
                pass

        loop = asyncio.get_running_loop()
        monkeypatch.setattr(time, "sleep", sleep)
        for _ in range(3):
            await store.write(lambda _connection: None)
        assert slept == [], "one after the other: nobody waits"
        await _together(store, lambda _c: None, lambda _c: None)
        monkeypatch.setattr(store._writer, "_commit", _counted(store._writer._commit, batches))
        await store.write(lambda _connection: None)
        assert len(slept) == 1
        assert 0 <= slept[0] <= writing._PACE
        assert batches == [2]
        monkeypatch.undo()
        await until(lambda: len(joined) == 1)

    in_hub(tmp_path, work, rounds=False)


def _counted(
    commit: Callable[[list[Any]], list[Any]], sizes: list[int]
) -> Callable[[list[Any]], list[Any]]:
    def counting(batch: list[Any]) -> list[Any]:
        sizes.append(len(batch))
        return commit(batch)

    return counting


class _Reader:
    """Somebody who reads some messages at once, then is behind for a while."""

    def __init__(self, at_once: int) -> None:
        self.left, self.sent = at_once, list[bytes]()

    def write(self, text: bytes) -> bool:
        if not self.left:
            return False
        self.left -= 1
        self.sent.append(text)
        return True

    async def send_text(self, text: str) -> None:
        await asyncio.sleep(0)
        self.sent.append(text.encode())


@contextlib.contextmanager
def _at_table(hub: Any, table: Any, person: Any, reader: _Reader) -> Iterator[Connection]:
    scope = {"extensions": {"hansa.write": {"write": reader.write}}}
    caller = Caller(hub, AsyncMock(cookies={}))
    caller.person = person
    wire = AsyncMock(scope=scope, send_text=reader.send_text)
    connection = Connection(hub, wire, table, caller)
    connection._task, connection._greeted = asyncio.current_task(), True
    cursor = connection.cursor
    cursor._revision, cursor._stamp, cursor._started = 0, table.stamp, True
    table.listeners.add(connection)
    yield connection
    table.listeners.discard(connection)


@pytest.mark.parametrize("at_once", [0, 1, 2, 3, 100])
def test_whoever_falls_behind_hears_everything_once_and_in_order(tmp_path, at_once):
    async def work(hub, person):
        table = await hub.lobby.create(person, wish("me", "me", "me", start=True))
        reader = _Reader(at_once)
        with _at_table(hub, table, person, reader) as connection:
            for number in range(4):
                await hub.decisions.act(table, person, "end", number)
                connection._answer(Pong, str(number))
            await until(lambda: connection._sender is None)
        told = [msgspec.json.decode(text) for text in reader.sent]
        heard = [e["revision"] for one in told if one["type"] == "update" for e in one["entries"]]
        assert heard == [1, 2, 3, 4]
        assert [one["re"] for one in told if one["type"] == "pong"] == ["0", "1", "2", "3"]
        if at_once == 100:
            assert [one["type"] for one in told] == ["update", "pong"] * 4

    in_hub(tmp_path, work, rounds=False)


def test_whoever_breaks_while_he_is_told_ends_alone(tmp_path):
    """The decision was stored, and everybody else hears of it."""

    async def work(hub, person):
        table = await hub.lobby.create(person, wish("me", "me", "me", start=True))
        broken, sound = _Reader(100), _Reader(100)

        def fails(_text: bytes) -> bool:
            raise RuntimeError("something unheard of")

        broken.write = fails  # type: ignore[method-assign, assignment]
        with _at_table(hub, table, person, broken) as one, _at_table(hub, table, person, sound):
            one._task = asyncio.ensure_future(asyncio.sleep(3600))
            await hub.decisions.act(table, person, "end", 0)
            assert isinstance(one._failed, RuntimeError)
            assert one._task.cancelling()
            assert len(sound.sent) == 1

    in_hub(tmp_path, work, rounds=False)


class _Line:
    """A transport that notes what is written."""

    def __init__(self) -> None:
        self.closing, self.written = False, list[bytes]()

    def is_closing(self) -> bool:
        return self.closing

    def write(self, data: bytes) -> None:
        self.written.append(data)


def test_nothing_is_written_to_who_is_behind_leaves_or_is_gone():
    async def work() -> None:
        lean: Any = Lean.__new__(Lean)
        lean.transport, lean.writable, lean.close_sent = _Line(), asyncio.Event(), False
        lean.conn = AsyncMock(send_text=lambda _text: None, data_to_send=lambda: [b"a", b"b"])
        assert not lean.write(b"x"), "he is behind"
        lean.writable.set()
        assert lean.write(b"x")
        lean.close_sent = True
        assert not lean.write(b"x"), "goodbye was said"
        lean.close_sent, lean.transport.closing = False, True
        assert not lean.write(b"x"), "he is gone"
        assert lean.transport.written == [b"ab"]

    asyncio.run(work())
