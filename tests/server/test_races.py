"""What may happen between two awaits: another process commits, a log runs on, a host begins."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, Self
from unittest.mock import AsyncMock

import psycopg
import pytest
import sqlalchemy as sa
from tests.server.test_hub import PATIENCE, in_hub, until, wish

import hansa
from hansa.server import archive, logbook, referee, views
from hansa.server.border import Caller
from hansa.server.config import load
from hansa.server.errors import TableError
from hansa.server.fanout import Notice
from hansa.server.hub import Hub
from hansa.server.model import Person, now_ms
from hansa.server.realtime import Connection
from hansa.server.schema import games
from hansa.server.table import Table
from hansa.server.table_routes import state_of
from hansa.server.wire.table import Clock
from hansa.server.writing import Conflict


def in_two_hubs(
    tmp_path: Path,
    database: str,
    work: Callable[[Hub, Hub, Person], Awaitable[None]],
    *,
    keep: bool = True,
) -> None:
    """Two processes' worth of server at one PostgreSQL.

    They `keep` tables that a test holds without listening at them, however long it takes.
    """

    async def run() -> None:
        hubs = [
            Hub(load(environ={}, data=str(tmp_path), bot_delay=0.0, database=database))
            for _ in range(2)
        ]
        for hub in hubs:
            # The house is swept when a test says so: the sweep at the start may come at any moment.
            hub.housekeeping.go_round = asyncio.Event().wait  # type: ignore[method-assign, assignment]
            if keep:
                hub.following._plays_on = lambda _notice: False  # type: ignore[method-assign, assignment]
            await hub.start()
        try:
            person, _ = await hubs[0].accounts.guest("Alheyd")
            await work(hubs[0], hubs[1], person)
        finally:
            for hub in hubs:
                await hub.stop()

    asyncio.run(run())


class Held:
    """Lets reads of a store through, but keeps their answers back until told."""

    def __init__(self, hub: Hub) -> None:
        self._hub, self._read = hub, hub.store.read
        self.begun, self.go_on = asyncio.Event(), asyncio.Event()

    async def read(self, work: Any) -> Any:
        answer = await self._read(work)
        self.begun.set()
        await self.go_on.wait()
        return answer

    def __enter__(self) -> Self:
        self._hub.store.read = self.read  # type: ignore[method-assign, assignment]
        return self

    def __exit__(self, *_: object) -> None:
        self.go_on.set()
        self._hub.store.read = self._read  # type: ignore[method-assign]


def test_what_is_committed_while_a_table_is_read_is_not_missed(tmp_path, postgres):
    async def work(one, two, person):
        table = await one.lobby.create(person, wish("me", "me", "me", start=True))
        heard = []
        inner = two.fanout._heard

        def hear(notice):
            heard.append(notice)
            inner(notice)

        two.fanout._heard = hear
        with Held(two) as held:
            opening = asyncio.ensure_future(two.hall.open(table.id))
            await held.begun.wait()
            await one.decisions.act(table, person, "end", 0)
            await until(lambda: any(notice.revision == 1 for notice in heard))
        other = await opening
        await until(lambda: other.number == 1)
        assert other.decider == table.decider

    in_two_hubs(tmp_path, postgres.new_database(), work)


def test_who_joins_a_read_under_way_sees_what_was_acknowledged_before(tmp_path, postgres):
    async def work(one, two, person):
        table = await one.lobby.create(person, wish("me", "me", "me", start=True))
        # Deaf: nothing but its own look at the store tells it.
        await two.fanout.stop()
        with Held(two) as held:
            first = asyncio.ensure_future(two.opened(table.id))
            await held.begun.wait()
            await one.decisions.act(table, person, "end", 0)
            second = asyncio.ensure_future(two.opened(table.id))
            await asyncio.sleep(0)
        await first
        assert (await second).number == 1

    in_two_hubs(tmp_path, postgres.new_database(), work)


def test_a_read_of_several_statements_sees_one_moment(tmp_path, postgres):
    async def work(one, two, person):
        table = await one.lobby.create(person, wish("me", "me", "me", start=True))
        loop = asyncio.get_running_loop()

        def count(connection: sa.Connection) -> tuple[int, int]:
            before = archive.state_of(connection, table.id)
            asyncio.run_coroutine_threadsafe(
                one.decisions.act(table, person, "end", 0), loop
            ).result(PATIENCE)
            after = archive.state_of(connection, table.id)
            assert before is not None
            assert after is not None
            return before[1], after[1]

        assert await two.store.read(count) == (0, 0)
        assert table.revision == 1

    in_two_hubs(tmp_path, postgres.new_database(), work)


def test_other_processes_decisions_are_played_not_read_anew(tmp_path, postgres):
    async def work(one, two, person):
        table = await one.lobby.create(person, wish("me", "me", "me", start=True))
        other = await two.opened(table.id)
        reloads = []
        inner = two.hall._reload

        async def reload(known):
            reloads.append(known.number)
            await inner(known)

        two.hall._reload = reload
        for number in range(7):
            await one.decisions.act(table, person, "end", number)
        await one.manners.say(table, person, "your turn")
        await until(lambda: other.number == 7 and len(other.chat) == 1)
        assert reloads == []
        assert views.position(other, "p2") == views.position(table, "p2")
        assert [e.face() for e in other.recent] == [e.face() for e in table.recent]
        assert other.tail == table.tail
        # What was taken back cannot be played on top.
        await one.decisions.act(table, person, "place t groningen-emden/1", 7)
        await one.decisions.undo(table, person, 8, None)
        await until(lambda: other.revision == table.revision)
        assert views.position(other, "p2") == views.position(table, "p2")
        # Nor can the start.
        waiting = await one.lobby.create(person, wish("me", "me", "me"))
        there = await two.opened(waiting.id)
        await one.lobby.start(waiting)
        await until(lambda: there.game is not None)
        assert views.position(there, "p1") == views.position(waiting, "p1")

    in_two_hubs(tmp_path, postgres.new_database(), work)


def test_news_that_could_not_be_read_are_asked_for_again(tmp_path, postgres):
    async def work(one, two, person):
        table = await one.lobby.create(person, wish("me", "me", "me", start=True))
        other = await two.opened(table.id)
        inner = two.store.read
        failures: list[Any] = []

        async def fails_at_first(work):
            if len(failures) < 3:
                failures.append(work)
                raise TableError("busy", "The store does not answer just now.")
            return await inner(work)

        two.store.read = fails_at_first
        await one.decisions.act(table, person, "end", 0)
        await until(lambda: other.number == 1)
        assert len(failures) == 3

    in_two_hubs(tmp_path, postgres.new_database(), work)


def test_a_log_that_runs_on_while_it_is_read_has_no_hole(tmp_path):
    """More entries than memory keeps come between the read of what was missed and its telling."""

    async def work(hub, person):
        table = await hub.lobby.create(person, wish("me", "me", "me", start=True))
        for number in range(20):
            await hub.decisions.act(table, person, "end", number)
        wire = AsyncMock(cookies={}, scope={})
        caller = Caller(hub, wire)
        caller.person = person
        connection = Connection(hub, wire, table, caller)
        connection.cursor.begin(2, None)
        with Held(hub) as held:
            sending = asyncio.ensure_future(connection._send_due())
            await held.begun.wait()
            for number in range(20, 40):
                await hub.decisions.act(table, person, "end", number)
        await sending
        update = json.loads(wire.send_text.await_args.args[0])
        assert [entry["revision"] for entry in update["entries"]] == list(range(3, 41))

    in_hub(tmp_path, work)


def test_a_table_that_begins_while_it_is_swept_away_stays(tmp_path, postgres):
    """Another process starts the game after the sweep has looked for tables nobody started."""

    async def work(one, two, person):
        waiting = await one.lobby.create(person, wish("me", "me", "me"))
        forgotten = await one.lobby.create(person, wish("me", "me", "me"))
        await one.store.write(
            lambda connection: connection.execute(games.update().values(created=now_ms() - 10**11))
        )
        there = await two.hall.open(waiting.id)
        with Held(one) as held:
            sweeping = asyncio.ensure_future(one.housekeeping.sweep())
            await held.begun.wait()
            await two.fanout.stop()
            await one.fanout.stop()
            await two.lobby.start(there)
        await sweeping
        found = await two.store.read(lambda connection: archive.load_meta(connection, waiting.id))
        assert found is not None
        assert found.status == "running"
        assert await two.decisions.act(there, person, "end", 0)
        with pytest.raises(TableError, match="no such table"):
            await two.hall.open(forgotten.id)

    in_two_hubs(tmp_path, postgres.new_database(), work)


def test_the_host_cannot_remove_what_another_process_started(tmp_path, postgres):
    async def work(one, two, person):
        waiting = await one.lobby.create(person, wish("me", "me", "me"))
        there = await two.hall.open(waiting.id)
        await one.fanout.stop()
        await two.lobby.start(there)
        assert waiting.meta.status == "open", "it has not heard"
        with pytest.raises(TableError) as refused:
            await one.lobby.remove(waiting, person)
        assert refused.value.code == "already_started"
        assert await two.decisions.act(there, person, "end", 0)

    in_two_hubs(tmp_path, postgres.new_database(), work)


@pytest.mark.parametrize(
    "error",
    [
        sa.exc.InterfaceError("SELECT", {}, Exception("connection already closed")),
        sa.exc.TimeoutError("QueuePool limit reached"),
        OSError("disk"),
    ],
    ids=["interface", "pool", "system"],
)
def test_a_bot_outlives_an_error_of_the_store(tmp_path, error):
    async def work(hub, person):
        inner = hub.hall.commit
        failures: list[Any] = []

        async def fails_at_first(*given, **more):
            if len(failures) < 2:
                failures.append(given)
                raise error
            await inner(*given, **more)

        table = await hub.lobby.create(
            person, wish("me", "random", "random", start=True, order="fixed")
        )
        await hub.decisions.act(table, person, "end", 0)
        hub.hall.commit = fails_at_first
        await until(lambda: len(failures) == 2)
        await until(lambda: table.decider == "p1")

    in_hub(tmp_path, work)


def test_a_long_poll_keeps_its_table(tmp_path):
    async def work(hub, person):
        table = await hub.lobby.create(person, wish("me", "me", "me", start=True))
        polling = asyncio.ensure_future(table.wait(PATIENCE))
        await asyncio.sleep(0)
        hub.housekeeping.drop_idle()
        assert hub.hall.live.get(table.id) is table
        await hub.decisions.act(await hub.hall.open(table.id), person, "end", 0)
        await polling
        hub.housekeeping.drop_idle()
        assert not hub.hall.live

    in_hub(tmp_path, work, idle_seconds=0.0)


def test_a_poll_tells_one_moment(tmp_path):
    """Log and position of one answer belong together, whatever is decided while it is made."""

    async def work(hub, person):
        table = await hub.lobby.create(person, wish("me", "me", "me", start=True))
        await hub.decisions.act(table, person, "end", 0)
        with Held(hub) as held:
            asking = asyncio.ensure_future(state_of(hub, table, person, "auto"))
            await held.begun.wait()
            await hub.decisions.act(table, person, "end", 1)
        told = await asking
        assert told.position is not None
        assert told.position.number == told.log[-1].number == told.table.number == 1

    in_hub(tmp_path, work)


def test_pages_of_tables_made_in_one_millisecond(tmp_path):
    async def work(hub, person):
        made = {(await hub.lobby.create(person, wish("me", "me", "me"))).id for _ in range(7)}
        await hub.store.write(
            lambda connection: connection.execute(games.update().values(created=1_700_000_000_000))
        )
        seen: list[str] = []
        before = None
        for _ in range(10):

            def page(connection, before=before):
                return archive.list_games(
                    connection, status=None, person=person.id, before=before, limit=2
                )

            found = await hub.store.read(page)
            if not found:
                break
            seen += [meta.id for meta in found]
            before = archive.place_of(found[-1])
        assert sorted(seen) == sorted(made)

    in_hub(tmp_path, work)


def test_a_game_to_try_things_on_is_made_once_a_position(tmp_path, monkeypatch):
    """A pointer that wanders over the board asks for dozens of previews a second."""
    made = []
    inner = hansa.Game.from_view

    def counting(view, seed):
        made.append(seed)
        return inner(view, seed)

    monkeypatch.setattr(hansa.Game, "from_view", counting)

    async def work(hub, person):
        table = await hub.lobby.create(person, wish("me", "me", "me", start=True))
        for decision in referee.legal(table.game)[:20]:
            shown = referee.preview(
                views.guessed(table, table.decider), table.decider, decision, (1, 1)
            )
            assert shown.events
        assert len(made) == 1
        await hub.decisions.act(table, person, "end", 0)
        assert views.guessed(table, table.decider).player == table.decider
        assert len(made) == 2

    in_hub(tmp_path, work)


def test_a_table_that_goes_on_without_a_break_elsewhere_is_let_go(tmp_path):
    """It was being read whenever something was heard of it, and so was read again for every decision."""

    async def work(hub, person):
        table = await hub.lobby.create(person, wish("me", "me", "me", start=True))
        table.asked_at -= PATIENCE
        hub.following.peers.heard("other")
        async with table.lock:
            hub.following.heard(Notice(table.id, 1, "other"))
            assert table.id in hub.hall.live, "something is done with it just now"
        await until(lambda: table.id not in hub.hall.live)

    in_hub(tmp_path, work)


def test_what_is_heard_while_a_table_is_read_is_seen_with_one_more_look(tmp_path):
    async def work(hub, person):
        table = await hub.lobby.create(person, wish("me", "me", "me", start=True))
        inner, looks, gate = hub.hall.take_news, list[str](), asyncio.Event()

        async def take_news(table: Any) -> None:
            looks.append(table.id)
            await gate.wait()
            await inner(table)

        hub.hall.take_news = take_news
        hub.following.heard(Notice(table.id, 1, "other"))
        await until(lambda: bool(looks))
        for revision in range(2, 12):
            hub.following.heard(Notice(table.id, revision, "other"))
        gate.set()
        await until(lambda: not hub.following._looking)
        assert len(looks) == 2
        # Nobody stays for ever in what is due.
        assert not hub.following._due

    in_hub(tmp_path, work)


def test_who_talks_at_the_same_moment_elsewhere_is_heard_here_too(tmp_path, postgres):
    async def work(one, two, person):
        table = await one.lobby.create(person, wish("me", "me", "me", start=True))
        other = await two.opened(table.id)
        # What the first says has not been heard there yet when the second one speaks.
        inner, kept = two.fanout._heard, list[Notice]()
        two.fanout._heard = kept.append
        await one.manners.say(table, person, "here")
        await two.manners.say(other, person, "there")
        await until(lambda: any(notice.game for notice in kept))
        two.fanout._heard = inner
        for notice in kept:
            inner(notice)
        await until(lambda: len(table.chat) == 2)
        await until(lambda: not two.following._looking)
        assert [line.text for line in other.chat] == ["here", "there"]

    in_two_hubs(tmp_path, postgres.new_database(), work)


def test_a_table_whose_first_news_could_not_be_read_has_its_clock(tmp_path, postgres):
    """It was in memory without anybody having looked at it: no clock, no bot."""

    async def work(one, two, person):
        clock = Clock(bank=600, increment=0, consequence="lose")
        table = await one.lobby.create(person, wish("me", "me", "me", start=True, clock=clock))
        catch_up = two.hall.catch_up
        two.hall.catch_up = AsyncMock(side_effect=TableError("busy", "It does not answer."))
        with Held(two) as held:
            opening = asyncio.ensure_future(two.hall.open(table.id))
            await held.begun.wait()
            two.hall.stir(table.id)
        with pytest.raises(TableError, match="answer"):
            await opening
        two.hall.catch_up = catch_up
        assert (await two.opened(table.id)).clock_timer is not None

    in_two_hubs(tmp_path, postgres.new_database(), work)


def test_a_table_is_heard_of_again_after_a_fault(tmp_path):
    """What was said while it was looked at stayed due for ever, and nothing was looked at any more."""

    async def work(hub, person):
        table = await hub.lobby.create(person, wish("me", "me", "me", start=True))
        inner, gate, looks = hub.hall.take_news, asyncio.Event(), list[str]()

        async def breaks(_table: Any) -> None:
            looks.append("broken")
            await gate.wait()
            raise ValueError("a fault of ours")

        async def take_news(table: Any) -> None:
            await inner(table)
            looks.append("seen")

        hub.hall.take_news = breaks
        hub.following.heard(Notice(table.id, 1, "other"))
        await until(lambda: bool(looks))
        hub.following.heard(Notice(table.id, 2, "other"))
        hub.hall.take_news = take_news
        gate.set()
        await until(lambda: not hub.following._looking)
        hub.following.heard(Notice(table.id, 3, "other"))
        await until(lambda: "seen" in looks)

    in_hub(tmp_path, work)


def test_who_signs_in_waits_for_no_change_of_his_tables(tmp_path, postgres):
    """Every change of a table names those who sit there, and all of a process's writes waited with him."""

    async def work(one: Hub, two: Hub, person: Any) -> None:
        me = await one.accounts.register(person, "alheyd", "long enough")
        table = await one.lobby.create(me, wish("me", "me"))
        held, gate = threading.Event(), threading.Event()

        def slowly(connection: Any) -> None:
            archive.save_meta(connection, table.meta)
            held.set()
            gate.wait(PATIENCE)

        changing = asyncio.ensure_future(one.store.write(slowly))
        await until(held.is_set)
        try:
            await two.accounts.sign_in(str(me.account), "long enough")
        finally:
            gate.set()
        await changing

    in_two_hubs(tmp_path, postgres.new_database(), work)


def test_who_comes_second_where_the_position_is_kept_is_told_so(tmp_path, postgres):
    """The same decision at two processes at once was a fault of ours at every 32nd number."""
    database = postgres.new_database()

    async def work(hub, person):
        table = await hub.lobby.create(person, wish("me", "me", start=True))
        with psycopg.connect(database) as other:
            columns = "(game, number, data) VALUES (%s, 32, '')"
            other.execute(f"INSERT INTO snapshots {columns}", [table.id])
            kept = asyncio.ensure_future(
                hub.store.write(lambda c: logbook.save_snapshot(c, table.id, 32, {}))
            )
            waits = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND "
            waits += "wait_event_type = 'Lock'"
            with psycopg.connect(database, autocommit=True) as looker:
                await until(lambda: looker.execute(waits).fetchone() is not None)
            other.commit()
        with pytest.raises(Conflict):
            await kept

    in_hub(tmp_path, work, rounds=False, database=database)


def test_a_rematch_that_another_process_starts_meanwhile_is_led_to(tmp_path):
    async def work(hub, person):
        old = await hub.lobby.create(person, wish("me", "me", start=True))
        await hub.manners.close(old, "closed")
        start = hub.lobby.start

        async def second(table: Table) -> None:
            await start(table)
            await start(table)

        hub.lobby.start = second
        made = await hub.again.rematch(old, "p1")
        assert (made.meta.status, made.id) == ("running", old.meta.rematch)

    in_hub(tmp_path, work, rounds=False)
