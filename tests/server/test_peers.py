"""Several processes at one store: each game is played in one of them, and inherited from one that is gone."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any
from unittest.mock import AsyncMock, Mock

import msgspec
import pytest
from tests.server.test_hub import PATIENCE, in_hub, until, wish
from tests.server.test_races import in_two_hubs
from tests.server.test_writing import Closed

from hansa.server import fanout, following, housekeeping, pauses, peers, presence
from hansa.server.border import Border
from hansa.server.errors import TableError
from hansa.server.fanout import Notice
from hansa.server.hub import Hub
from hansa.server.locks import Lock
from hansa.server.model import Meta, now_ms
from hansa.server.peers import Peers, keeper
from hansa.server.queues import ASKED_FROM
from hansa.server.table import Table
from hansa.server.wire.socket import Close
from hansa.server.wire.table import Clock


@pytest.fixture(autouse=True)
def at_once(monkeypatch):
    """Nobody's asking keeps a table, and processes hear often whether they hear anything."""
    monkeypatch.setattr(following, "_ASKED", -1.0)
    monkeypatch.setattr(fanout, "BEAT", 0.1)
    # Notes that a server is here are written when a test says so.
    monkeypatch.setattr(housekeeping, "BEAT", 1000.0)


async def says_it_is_here(hub: Hub) -> None:
    """Often, and while it can store that: as with each note, but without one."""
    assert hub.fanout is not None
    assert hub.fanout._task is not None
    while not hub.fanout._task.done():
        with contextlib.suppress(TableError):
            await hub.store.write(lambda connection: hub.hall.tell(connection, "", 0))
        await asyncio.sleep(0.1)


async def know_each_other(one: Hub, two: Hub) -> None:
    for hub in (one, two):
        hub.spawn(says_it_is_here(hub))
    for hub, other in ((one, two), (two, one)):
        await until(lambda hub=hub, other=other: other.hall.process in hub.following.peers)  # type: ignore[misc]


async def dies(hub: Hub, other: Hub) -> None:
    """Nothing is heard of it any more, nor is anything on its way."""
    assert hub.fanout is not None
    await hub.fanout.stop()
    await asyncio.gather(*(task for task in hub._tasks if "says_it_is_here" in repr(task)))
    await hears_all(other, lambda: hub.store.write(lambda c: hub.hall.tell(c, "no game", 0)))


async def hears_all(hub: Hub, work: Callable[[], Any]) -> None:
    """Do something, and wait until this process has heard of it."""
    assert hub.fanout is not None
    heard, inner = asyncio.Event(), hub.fanout._heard

    def hear(notice: Notice) -> None:
        inner(notice)
        if notice.game:
            heard.set()

    hub.fanout._heard = hear
    await work()
    await heard.wait()
    hub.fanout._heard = inner


def test_who_begins_is_heard_at_once_and_then_with_each_note(tmp_path, postgres):
    async def work(one: Hub, two: Hub, _person: Any) -> None:
        await until(lambda: two.hall.process in one.following.peers)
        # The other did not listen yet when this one began; that it listens is no news.
        assert one.hall.process not in two.following.peers
        await one.hall.pauses.beat()
        await until(lambda: one.hall.process in two.following.peers)

    in_two_hubs(tmp_path, postgres.new_database(), work)


def played_elsewhere(tmp_path: Any, database: str, before: Any, after: Any) -> None:
    """A table made in one process and played on in the other."""

    async def work(one: Hub, two: Hub, person: Any) -> None:
        await know_each_other(one, two)
        table = await one.lobby.create(person, wish("me", "me", "me", start=True))
        other = await two.opened(table.id)
        before(one, table)
        await hears_all(one, lambda: two.decisions.act(other, person, "end", 0))
        await after(one, two, table)

    in_two_hubs(tmp_path, database, work, keep=False)


def test_a_table_nobody_is_at_is_let_go_when_another_process_plays_it(tmp_path, postgres):
    async def after(one: Hub, _two: Hub, table: Table) -> None:
        assert table.id not in one.hall.live
        again = await one.opened(table.id)
        assert again is not table
        assert again.number == 1

    played_elsewhere(tmp_path, postgres.new_database(), lambda *_: None, after)


def someone_listens(_hub: Hub, table: Table) -> None:
    table.listeners.add(Mock(person=None))


def sender_is_no_peer(hub: Hub, _table: Table) -> None:
    """As `hansa admin` is none: it changes something and is gone."""
    hub.following.peers = Deaf()


class Deaf(Peers):
    """Knows nobody."""

    def heard(self, process: str) -> None:
        """Forgotten at once."""


def just_asked_for(_hub: Hub, table: Table) -> None:
    table.asked_at += 1000


@pytest.mark.parametrize("why", [someone_listens, sender_is_no_peer, just_asked_for])
def test_a_table_somebody_needs_is_followed(tmp_path, postgres, why):
    async def after(one: Hub, _two: Hub, table: Table) -> None:
        await until(lambda: table.number == 1)
        assert one.hall.live[table.id] is table

    played_elsewhere(tmp_path, postgres.new_database(), why, after)


def test_who_waits_without_a_socket_hears_what_another_process_did(tmp_path, postgres):
    async def work(one: Hub, two: Hub, person: Any) -> None:
        await know_each_other(one, two)
        table = await one.lobby.create(person, wish("me", "me", "me", start=True))
        waiting = asyncio.ensure_future(table.wait(100))
        await until(lambda: table.waited_for)
        await two.decisions.act(await two.opened(table.id), person, "end", 0)
        await waiting
        assert table.number == 1

    in_two_hubs(tmp_path, postgres.new_database(), work, keep=False)


def test_a_table_let_go_while_it_is_opened_is_opened_again(tmp_path, postgres):
    """Else a connection would listen to a table that hears nothing any more."""

    async def work(one: Hub, two: Hub, person: Any) -> None:
        await know_each_other(one, two)
        table = await one.lobby.create(person, wish("me", "me", "me", start=True))
        other = await two.opened(table.id)
        caught: list[Table] = []
        catch_up = one.hall.catch_up

        async def slow(opening: Table) -> None:
            await catch_up(opening)
            if not caught:
                caught.append(opening)
                await hears_all(one, lambda: two.decisions.act(other, person, "end", 0))

        one.hall.catch_up = slow  # type: ignore[method-assign, assignment]
        opened = await one.opened(table.id)
        assert caught == [table]
        assert opened is one.hall.live[table.id]
        assert opened.number == 1

    in_two_hubs(tmp_path, postgres.new_database(), work, keep=False)


def test_the_games_of_a_process_that_is_gone_are_looked_after(tmp_path, postgres, monkeypatch):
    """A machine's turn, and nobody there: whoever comes back finds it played."""

    async def work(one: Hub, two: Hub, person: Any) -> None:
        await know_each_other(one, two)
        # Of the other, which is about to go, nothing is seen but a person's decision.
        two.hall.watchers.clear()
        table = await one.lobby.create(person, wish("me", "random", "random", start=True))
        mine = table.meta.seats_of(person)[0]
        await until(lambda: table.decider == mine)
        other = await two.opened(table.id)
        number = other.number
        await hears_all(one, lambda: two.decisions.act(other, person, "end", number))
        assert table.id not in one.hall.live
        await one.housekeeping.inherit()
        assert table.id not in one.hall.live, "the other is still there"
        await dies(two, one)
        monkeypatch.setattr(peers, "BEAT", 0.0)
        await until(lambda: bool(one.following.peers.silent()))
        silent, _ = one.following.peers.silence(two.hall.process)
        monkeypatch.setattr(pauses, "_PAUSE", 0)
        await one.housekeeping.inherit()
        assert two.hall.process not in one.following.peers
        # Should it only hang, whoever was led there could not play.
        (stood_still,) = one.hall.pauses.spans
        assert stood_still[1] - stood_still[0] >= 1000 * silent - 1
        inherited = one.hall.live[table.id]
        await until(lambda: inherited.number > number + 2 and inherited.decider == mine)

    in_two_hubs(tmp_path, postgres.new_database(), work, keep=False)


def test_who_was_there_through_a_process_that_died_is_away(tmp_path, postgres, monkeypatch):
    """Else he would seem present for ever, and nobody could ask for a stand-in."""

    async def work(one: Hub, two: Hub, person: Any) -> None:
        one.config = msgspec.structs.replace(one.config, away_after=0.1)
        other, _ = await one.accounts.guest("Bertram")
        table = await one.lobby.create(person, wish("me", "me", "open", order="fixed"))
        await one.lobby.join(table, other, None, None)
        await one.lobby.start(table, person)
        table.listeners.add(Mock(person=person))
        await two.presence._tell(await two.opened(table.id), other.id, True)
        await until(lambda: other.id in table.present())
        await one.housekeeping._one_round()
        assert other.id in table.present()
        # It does not say any more that it is here.
        monkeypatch.setattr(presence, "_GONE", -1000)
        await one.housekeeping._one_round()
        assert other.id not in table.present()
        await until(lambda: table.meta.seats[2].away is not None)

    in_two_hubs(tmp_path, postgres.new_database(), work)


class Time:
    """A time that passes when told."""

    def __init__(self) -> None:
        self.now = 100.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch):
    made = Time()
    monkeypatch.setattr(peers, "time", made)
    monkeypatch.setattr(peers, "BEAT", 3.0)
    return made


def test_who_comes_while_the_heartbeat_waits_is_noted_as_here(tmp_path, postgres):
    """It had looked before he came, and took him away after he had been noted."""

    class Present:
        def __init__(self, person: Any) -> None:
            self.person = person

        def wake(self) -> bool:
            return False

    async def work(one: Hub, two: Hub, person: Any) -> None:
        table = await one.lobby.create(person, wish("me", "me", "me", start=True))
        closed = Closed(one.store)
        await closed.begun.wait()
        waiting = [one.spawn(one.hall.pauses.beat())]
        await until(lambda: one.store.waiting >= 1)
        waiting.append(one.spawn(one.presence.heartbeat()))
        await until(lambda: one.store.waiting >= 2)
        ASKED_FROM.set("198.51.100.1")
        table.listeners.add(Present(person))
        one.presence.changed(table, person, came=True)
        await until(lambda: one.store.waiting >= 3)
        await closed.open()
        await asyncio.gather(*waiting)
        await until(lambda: one.store.waiting == 0)
        await one.store.write(lambda _connection: None)
        assert (await two.opened(table.id)).elsewhere == {person.id}
        table.listeners.clear()

    in_two_hubs(tmp_path, postgres.new_database(), work)


def test_who_says_nothing_for_five_beats_is_silent(clock):
    known = Peers()
    known.heard("a")
    clock.now += 10
    known.heard("b")
    clock.now += 6
    assert known.silent() == ["a"]
    assert known.replaced("a"), "b began later, and looked after all games then"
    clock.now += 10
    assert known.silent() == ["a", "b"]
    assert not known.replaced("b")
    assert (known.silence("a"), known.silence("b")) == ((26, 16), (16, 0))
    known.drop("a")
    assert "a" not in known


def test_who_was_heard_since_is_none_of_those_who_ended(clock):
    known = Peers()
    known.heard("ends")
    known.heard("stays")
    assert not known.heard_since(clock.now)
    clock.now += 3
    known.heard("ends")
    known.left("ends")
    assert not known.heard_since(clock.now - 1)
    known.heard("stays")
    assert known.heard_since(clock.now - 1)


def test_who_was_deaf_counts_nobodys_silence(clock):
    known = Peers()
    known.heard("a")
    clock.now += 60
    known.deaf()
    assert known.silent() == []
    assert "a" in known


def test_who_was_deaf_takes_nobody_for_alive_in_whose_place_another_is(clock):
    """Else all clocks wait for the dead once more, and that is noted as a pause."""
    known = Peers()
    known.heard("killed")
    clock.now += 5
    known.heard("its successor")
    clock.now += 5
    known.deaf()
    clock.now += 7
    known.heard("its successor")
    assert known.missing() == []
    assert known.silence("killed") == (17, 12)


def test_one_that_hung_and_was_started_anew_costs_nobody_his_time(tmp_path, postgres):
    """systemd may be faster than the others' next look: the new one hid how long the old one hung."""

    async def work(one: Hub, two: Hub, _person: Any) -> None:
        await know_each_other(one, two)
        known = one.following.peers
        known.heard("hangs")
        known.heard("its successor")
        known._first["hangs"] -= 60
        known._last["hangs"] -= 40
        known._first["its successor"] -= 8
        await one.housekeeping.inherit()
        assert "hangs" not in known
        (stood_still,) = one.hall.pauses.spans
        assert abs(stood_still[1] - stood_still[0] - 32_000) < 2

    in_two_hubs(tmp_path, postgres.new_database(), work)


def test_who_misses_two_beats_may_hang(clock):
    known = Peers()
    for process in ("hangs", "ends", "begins anew", "stays"):
        known.heard(process)
    known.left("ends")
    clock.now += 5
    known.heard("stays")
    assert known.missing() == []
    clock.now += 2
    assert known.missing() == ["hangs", "begins anew"]
    assert "ends" not in known.present()
    known.drop("begins anew")
    clock.now += 52
    known.heard("stays")
    assert known.missing() == ["hangs"]
    clock.now += 2
    assert known.missing() == [], "nobody waits for ever"
    clock.now -= 30
    known.heard("its successor")
    assert known.missing() == []


def says_nothing(known: Peers, process: str, seconds: float) -> None:
    """All have been there for long, and this one was last heard so many seconds ago."""
    known.heard(process)
    known._first = {each: first - 1000 for each, first in known._first.items()}
    known._last[process] -= seconds


Rings = Callable[[Hub, "asyncio.Task[None]"], Awaitable[None]]


def rings_while_one_hangs(tmp_path: Path, database: str, silent: float, meanwhile: Rings) -> None:
    """A bank runs out in one process while another has said nothing for so many seconds."""

    async def work(one: Hub, two: Hub, person: Any) -> None:
        await know_each_other(one, two)
        says_nothing(one.following.peers, "hangs", silent)
        clock = Clock(bank=600, increment=0, consequence="lose")
        table = await one.lobby.create(person, wish("me", "me", start=True, clock=clock))
        table._clock_at -= 601_000
        ringing = one.spawn(one.timers._ring(table, str(table.decider)))
        await until(lambda: ringing.done() or one.following._waiting is not None)
        assert table.meta.status == "running"
        await meanwhile(one, ringing)
        await ringing
        assert table.meta.status == "running"
        assert table.clock_timer is not None
        (stood_still,) = one.hall.pauses.spans
        assert stood_still[1] - stood_still[0] >= 1000 * silent

    in_two_hubs(tmp_path, database, work)


def test_no_clock_runs_out_while_another_process_may_hang(tmp_path, postgres, monkeypatch):
    """It was asked for pauses that nobody had noticed yet, and somebody lost his game."""

    async def is_gone(one: Hub, ringing: asyncio.Task[None]) -> None:
        known = one.following.peers
        await one.housekeeping.inherit()
        assert not ringing.done()
        assert "hangs" in known
        known._last["hangs"] -= 10
        monkeypatch.setattr(peers, "_MISSED", 5)
        await one.housekeeping.inherit()
        assert "hangs" not in known

    monkeypatch.setattr(following, "_AGAIN", 0.01)
    monkeypatch.setattr(peers, "_MISSED", 1000)
    rings_while_one_hangs(tmp_path, postgres.new_database(), 7, is_gone)


def test_no_clock_counts_a_silence_that_ended_before_it_was_noticed(
    tmp_path, postgres, monkeypatch
):
    async def is_back(one: Hub, ringing: asyncio.Task[None]) -> None:
        assert not ringing.done()
        one.following.peers.heard("hangs")

    monkeypatch.setattr(following, "_AGAIN", 0.01)
    rings_while_one_hangs(tmp_path, postgres.new_database(), 9, is_back)


def test_no_clock_runs_out_while_another_process_can_store_nothing(tmp_path, postgres, monkeypatch):
    """It went on saying that it is here, and whoever was led there was told `busy` until he had lost."""

    async def work(one: Hub, two: Hub, person: Any) -> None:
        known, process = one.following.peers, two.hall.process
        await until(lambda: process in known)
        end = loses_the_store(two)
        await until(lambda: known.missing() == [process])
        assert two.fanout is not None
        assert two.fanout.ready.is_set(), "it hears all the time"
        says_nothing(known, process, 20)
        clock = Clock(bank=600, increment=0, consequence="lose")
        table = await one.lobby.create(person, wish("me", "me", start=True, clock=clock))
        table._clock_at -= 601_000
        ringing = one.spawn(one.timers._ring(table, str(table.decider)))
        await until(lambda: ringing.done() or one.following._waiting is not None)
        assert not ringing.done()
        end()
        await ringing
        assert table.meta.status == "running"
        # Nor is it counted twice when that one notes itself again.
        (stood_still,) = one.hall.pauses.spans
        assert 20_000 <= stood_still[1] - stood_still[0] < 20_000 + 1000 * PATIENCE

    monkeypatch.setattr(following, "_AGAIN", 0.01)
    monkeypatch.setattr(peers, "BEAT", 0.5)
    monkeypatch.setattr(housekeeping, "BEAT", 0.05)
    in_two_hubs(tmp_path, postgres.new_database(), work)


def test_while_nobody_can_store_anything_nobody_is_taken_for_gone(tmp_path, postgres):
    """All fall silent then: when it was over, each would look after the games of all."""

    async def work(one: Hub, two: Hub, _person: Any) -> None:
        await know_each_other(one, two)
        known, process = one.following.peers, two.hall.process
        end, _ = loses_the_store(one), loses_the_store(two)
        await until(lambda: one.store.waiting == two.store.waiting == 0)
        says_nothing(known, process, 30)
        one.following._stored -= 30
        await one.housekeeping.inherit()
        assert one.following.missing() == []
        end()
        await until(lambda: one.following.hears)
        assert known.silent() == []
        await one.housekeeping.inherit()
        assert process in known
        assert not one.hall.pauses.spans

    in_two_hubs(tmp_path, postgres.new_database(), work)


def test_no_clock_counts_how_long_one_hung_that_was_started_anew(tmp_path, postgres):
    """Its successor hid it until the next round: a bank that ran out in between was lost."""

    async def work(one: Hub, two: Hub, person: Any) -> None:
        await know_each_other(one, two)
        says_nothing(one.following.peers, "hung", 20)
        one.following.peers.heard("its successor")
        clock = Clock(bank=600, increment=0, consequence="lose")
        table = await one.lobby.create(person, wish("me", "me", start=True, clock=clock))
        table._clock_at -= 601_000
        await one.timers._ring(table, str(table.decider))
        assert table.meta.status == "running"
        (stood_still,) = one.hall.pauses.spans
        assert stood_still[1] - stood_still[0] >= 19_000

    in_two_hubs(tmp_path, postgres.new_database(), work)


def test_who_was_let_go_while_its_clock_rang_is_not_changed(tmp_path):
    async def work(hub, person):
        clock = Clock(bank=600, increment=0, consequence="lose")
        table = await hub.lobby.create(person, wish("me", "me", start=True, clock=clock))
        table._clock_at -= 601_000
        hub.hall.forget(table)
        await hub.timers._ring(table, str(table.decider))
        assert table.meta.status == "running"

    in_hub(tmp_path, work, rounds=False)


def test_who_decides_while_another_process_hangs_has_not_thought_for_so_long(
    tmp_path, postgres, monkeypatch
):
    """He may have been led from there to here; what a bank has lost nobody gives back later."""

    async def work(one: Hub, two: Hub, person: Any) -> None:
        await know_each_other(one, two)
        says_nothing(one.following.peers, "hangs", 20)
        clock = Clock(bank=600, increment=0, consequence="lose")
        table = await one.lobby.create(person, wish("me", "me", "me", start=True, clock=clock))
        table._clock_at -= 20_000
        await until(lambda: bool(one.hall.pauses.spans))
        decider = str(table.decider)
        # It goes on, and so does the pause.
        noted = one.hall.pauses.spans[-1][1]
        await until(lambda: one.hall.pauses.spans[-1][1] > noted)
        assert len(one.hall.pauses.spans) == 1
        await one.decisions.act(table, person, "end", 0)
        assert table.clocks is not None
        assert table.clocks[decider] > 590_000

    monkeypatch.setattr(housekeeping, "BEAT", 0.05)
    in_two_hubs(tmp_path, postgres.new_database(), work)


def test_no_clock_waits_for_one_that_said_goodbye(tmp_path, postgres):
    async def work(one: Hub, two: Hub, person: Any) -> None:
        await know_each_other(one, two)
        known, process = one.following.peers, two.hall.process
        await dies(two, one)
        await two.presence.forget()
        await until(lambda: known.has_left(process))
        says_nothing(known, process, 20)
        clock = Clock(bank=600, increment=0, consequence="lose")
        table = await one.lobby.create(person, wish("me", "me", start=True, clock=clock))
        table._clock_at -= 601_000
        await one.timers._ring(table, str(table.decider))
        assert table.meta.status == "over"
        # What it had is looked after all the same.
        one.hall.forget(table)
        waits = await two.lobby.create(person, wish("me", "me", start=True, clock=clock))
        await one.housekeeping.inherit()
        assert waits.id in one.hall.live
        assert process not in known
        assert not one.hall.pauses.spans

    in_two_hubs(tmp_path, postgres.new_database(), work)


def loses_the_store(hub: Hub) -> Callable[[], None]:
    """It can write nothing, and goes on hearing the others; gives what ends that."""
    inner = hub.store.write
    hub.store.write = AsyncMock(side_effect=TableError("busy", "It does not answer."))  # type: ignore[method-assign]

    def end() -> None:
        hub.store.write = inner  # type: ignore[method-assign]

    return end


@pytest.mark.parametrize("deaf", [True, False], ids=["hears nobody", "hears the others"])
def test_one_that_is_cut_off_from_the_store_sends_people_to_the_others(
    tmp_path, postgres, monkeypatch, deaf
):
    """They have its games by now, and their clocks; who stayed could not decide and lost on time."""

    async def work(one: Hub, two: Hub, _person: Any) -> None:
        await know_each_other(one, two)
        end_of_two = loses_the_store(two)
        await until(lambda: two.store.waiting == 0)
        # What is still on its way of the other has been heard when its own next note is.
        before = one.following._stored
        await until(lambda: one.following._stored > before)
        end_of_one = loses_the_store(one)
        here, inner = Mock(), one.housekeeping._send_away
        one.connections.add(here)
        one.housekeeping._send_away = wanted = Mock(side_effect=inner)  # type: ignore[method-assign]
        await until(lambda: wanted.call_count > 5)
        assert not one.cut_off, "the others can write nothing either: nobody is sent in circles"
        if deaf:
            assert one.fanout is not None
            one.fanout.ready.clear()
        else:
            end_of_two()
        await until(lambda: one.cut_off)
        one.connections.discard(here)
        here.leave.assert_called_once_with(Close.RESTART, "restart")
        opening: Any = {"type": "websocket", "path": "/", "client": None}
        opening["headers"] = [(b"host", b"localhost")]
        answered: list[Any] = []

        async def send(message: Any) -> None:
            answered.append(message)

        # Refused as a request is: an accepted socket that is closed leads to no other worker.
        await Border(one, (), AsyncMock())(opening, AsyncMock(), send)
        assert answered[0]["status"] == 503
        end_of_two()
        end_of_one()
        await until(lambda: not one.cut_off)
        # Who is alone has nobody to send people to.
        assert one.fanout is not None
        one.fanout.ready.clear()
        one.following.peers = Deaf()
        inner(0.0)
        assert not one.cut_off

    monkeypatch.setattr(housekeeping, "BEAT", 0.05)
    monkeypatch.setattr(housekeeping, "_CUT_OFF", 0.5)
    in_two_hubs(tmp_path, postgres.new_database(), work)


def test_each_of_several_looks_after_its_share(tmp_path, postgres):
    """Every hour each of them had opened all games with a clock, and kept those that wait for days."""

    async def work(one: Hub, two: Hub, person: Any) -> None:
        await know_each_other(one, two)
        clock = Clock(bank=86_400, increment=0, consequence="lose")
        made = set()
        for _ in range(12):
            table = await one.lobby.create(person, wish("me", "me", start=True, clock=clock))
            one.hall.forget(table)
            made.add(table.id)
        for hub in (one, two):
            await hub.housekeeping.wake()
        assert one.hall.live.keys() | two.hall.live.keys() == made
        assert not one.hall.live.keys() & two.hall.live.keys()
        await two.housekeeping.wake(everything=True)
        assert two.hall.live.keys() == made

    in_two_hubs(tmp_path, postgres.new_database(), work)


def test_who_comes_or_goes_takes_only_a_share(clock):
    known, games = Peers(), [f"game {number}" for number in range(600)]

    def shares() -> dict[str, str]:
        return {game: keeper(["a", *known.present()], game) for game in games}

    assert set(shares().values()) == {"a"}
    for process in ("b", "c"):
        known.heard(process)
    before = shares()
    assert all(150 < list(before.values()).count(process) < 250 for process in "abc")
    clock.now += 16
    known.heard("b")
    # Of one that fell silent nothing is expected; what the others have they keep.
    after = shares()
    assert set(after.values()) == {"a", "b"}
    assert all(after[game] == mine for game, mine in before.items() if mine != "c")


@pytest.mark.parametrize("came", [True, False])
def test_who_came_or_went_while_nothing_could_be_written_is_told_later(tmp_path, postgres, came):
    """Else he is away for the others although he is there, or there for ever although he went."""

    async def work(one: Hub, two: Hub, person: Any) -> None:
        table = await one.lobby.create(person, wish("me", "me", "me", start=True))
        table.listeners.add(Mock(person=None))
        other = await two.opened(table.id)
        somebody = Mock(person=person)

        async def comes_or_goes(came: bool) -> None:
            (other.listeners.add if came else other.listeners.discard)(somebody)
            two.presence.changed(other, person, came=came)
            await asyncio.gather(*(task for task in two._tasks if "_tell" in repr(task)))

        if not came:
            await comes_or_goes(True)
            await until(lambda: person.id in table.present())
        inner = two.store.write
        two.store.write = AsyncMock(side_effect=TableError("busy", "A full disk."))  # type: ignore[method-assign]
        await comes_or_goes(came)
        two.store.write = inner  # type: ignore[method-assign]
        await two.presence.heartbeat()
        await until(lambda: (person.id in table.present()) == came)

    in_two_hubs(tmp_path, postgres.new_database(), work)


def test_who_is_at_a_table_elsewhere_is_known_whoever_opens_it(tmp_path, postgres):
    """Somebody who leaves for good has his tables opened, say: the others there are not away."""

    async def work(one: Hub, two: Hub, person: Any) -> None:
        table = await two.lobby.create(person, wish("me", "me", "me", start=True))
        table.listeners.add(Mock(person=person))
        await two.presence.heartbeat()
        assert person.id in (await one.hall.open(table.id)).present()

    in_two_hubs(tmp_path, postgres.new_database(), work)


def test_who_is_here_stays_so_when_the_clock_jumps(tmp_path, postgres, monkeypatch):
    """The first process that notes the new time took all others for long dead."""

    async def work(one: Hub, two: Hub, person: Any) -> None:
        table = await one.lobby.create(person, wish("me", "me", "me", start=True))
        table.listeners.add(Mock(person=None))
        other = await two.opened(table.id)
        other.listeners.add(Mock(person=person))
        two.presence.changed(other, person, came=True)
        await until(lambda: person.id in table.present())
        monkeypatch.setattr(presence, "now_ms", lambda: now_ms() + 3_600_000)
        for _ in range(2):
            await one.presence.heartbeat()
            await two.presence.heartbeat()
        await one.presence.look(table)
        assert person.id in table.present()

    in_two_hubs(tmp_path, postgres.new_database(), work)


def test_what_is_heard_late_takes_no_table_from_who_plays_it(tmp_path, postgres):
    """Each would take the other for the one who has it, and nobody its clock."""

    async def work(one: Hub, two: Hub, person: Any) -> None:
        await know_each_other(one, two)
        assert two.fanout is not None
        timed = wish(
            "me", "me", "me", start=True, clock=Clock(bank=600, increment=0, consequence="lose")
        )
        table = await one.lobby.create(person, timed)
        inner, late = two.fanout._heard, list[Notice]()
        # It compares all its tables with the store: what is said meanwhile waits.
        two.fanout._heard = lambda notice: late.append(notice) if notice.game else inner(notice)
        other = await two.opened(table.id)
        await one.decisions.act(table, person, "end", 0)
        other = await two.opened(table.id)
        await hears_all(one, lambda: two.decisions.act(other, person, "end", 1))
        await until(lambda: any(notice.sender == one.hall.process for notice in late))
        for notice in late:
            inner(notice)
        await until(lambda: not two.following._looking)
        kept = [hub.hall.live[table.id] for hub in (one, two) if table.id in hub.hall.live]
        assert any(each.clock_timer is not None for each in kept)

    in_two_hubs(tmp_path, postgres.new_database(), work, keep=False)


@pytest.mark.parametrize("first", [0, 1])
def test_of_two_who_change_a_table_without_a_line_of_its_log_one_keeps_it(
    tmp_path, postgres, first
):
    """Both stood at the same revision: each took the other for the one who has it, and let it go."""

    async def work(one: Hub, two: Hub, person: Any) -> None:
        await know_each_other(one, two)
        # Whoever's name comes later keeps it, whichever of the two was the last to write.
        hubs = sorted((one, two), key=lambda hub: hub.hall.process)
        clock = Clock(bank=600, increment=0, consequence="lose")
        table = await one.lobby.create(person, wish("me", "me", "me", start=True, clock=clock))
        tables = {hub: await hub.opened(table.id) for hub in hubs}
        inner, told = {}, list[Notice]()
        for hub in hubs:
            assert hub.fanout is not None
            inner[hub] = hub.fanout._heard
            hub.fanout._heard = told.append if hub is hubs[0] else lambda _notice: None

        def goes_away(meta: Meta) -> None:
            meta.seats[0].away = now_ms()

        for hub in (hubs[first], hubs[1 - first]):
            await hub.hall.change(tables[hub], goes_away)
        await until(lambda: {n.sender for n in told if n.game} == {h.hall.process for h in hubs})
        for hub in hubs:
            for notice in told:
                inner[hub](notice)
            await until(lambda hub=hub: not hub.following._looking)  # type: ignore[misc]
        assert [table.id in hub.hall.live for hub in hubs] == [False, True]
        assert hubs[1].hall.live[table.id].clock_timer is not None

    in_two_hubs(tmp_path, postgres.new_database(), work, keep=False)


@pytest.mark.parametrize("sender", ["a", "z"])
def test_a_table_that_was_read_meanwhile_is_let_go_whatever_the_others_name(
    tmp_path, postgres, sender
):
    """What was read of the other is nothing that was done here: no tie."""

    async def work(one: Hub, two: Hub, person: Any) -> None:
        one.hall.process, two.hall.process = "m", sender
        one.following.peers.heard(two.hall.process)
        table = await one.lobby.create(person, wish("me", "me", "me", start=True))
        other = await two.opened(table.id)
        table.asked_at += PATIENCE
        await hears_all(one, lambda: two.decisions.act(other, person, "end", 0))
        await until(lambda: table.number == 1 and not one.following._looking)
        table.asked_at -= 2 * PATIENCE
        one.following.heard(Notice(table.id, 1, two.hall.process))
        assert table.id not in one.hall.live

    in_two_hubs(tmp_path, postgres.new_database(), work, keep=False)


def test_a_table_is_not_let_go_while_a_change_waits_for_its_lock(tmp_path, postgres):
    """Between two who want it the lock is free for a moment: the second changed a table that was gone."""

    async def work(one: Hub, two: Hub, person: Any) -> None:
        await know_each_other(one, two)
        clock = Clock(bank=600, increment=0, consequence="lose")
        table = await one.lobby.create(person, wish("me", "me", "me", start=True, clock=clock))
        other = await two.opened(table.id)
        gate, reading, follow = asyncio.Event(), asyncio.Event(), one.hall.follow

        async def slowly(followed: Table) -> None:
            reading.set()
            await gate.wait()
            await follow(followed)

        one.hall.follow = slowly  # type: ignore[method-assign, assignment]
        async with table.lock:
            await hears_all(one, lambda: two.decisions.act(other, person, "end", 0))
        await reading.wait()
        noting = asyncio.ensure_future(one.absence._note(table, {"p1"}, set()))
        await until(lambda: table.lock.wanted == 2)
        gate.set()
        await noting
        assert one.hall.live.get(table.id) is table
        assert table.lock.wanted == 0

    in_two_hubs(tmp_path, postgres.new_database(), work, keep=False)


def test_who_no_longer_waits_for_a_lock_does_not_want_it():
    async def run() -> None:
        lock = Lock()
        async with lock:
            waits = asyncio.ensure_future(lock.acquire())
            await asyncio.sleep(0)
            assert lock.wanted == 2
            waits.cancel()
            await asyncio.wait([waits])
            assert lock.wanted == 1
        assert lock.wanted == 0

    asyncio.run(run())


def test_a_game_that_cannot_be_replayed_keeps_no_process_deaf(tmp_path):
    """After a line was cut everything is compared: it was tried for ever, and nothing else was heard."""

    async def work(hub, person):
        table = await hub.lobby.create(person, wish("me", "me", "me", start=True))
        hub.hall.take_news = AsyncMock(side_effect=TableError("rules_changed", "Other rules."))
        await asyncio.wait_for(hub.following.deaf(), PATIENCE)
        assert table.doubtful

    in_hub(tmp_path, work, rounds=False)
