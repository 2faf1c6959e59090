"""Clocks stand still while nobody could play: the server off, the store away, the clock set."""

from __future__ import annotations

import asyncio
import threading
from typing import Any, ClassVar

import pytest
import sqlalchemy as sa
from tests.server.test_hub import in_hub, until, wish
from tests.server.test_races import in_two_hubs

from hansa.server import absence, decisions, housekeeping, manners, model, pauses, voting
from hansa.server import table as tables
from hansa.server.config import load
from hansa.server.errors import TableError
from hansa.server.hub import Hub
from hansa.server.manners import noted
from hansa.server.model import Person, now_ms
from hansa.server.schema import entries, games, settings
from hansa.server.table import News, Table, clocks_now
from hansa.server.wire.table import Clock

HOUR = 3_600_000
ABSENCE = 600
DAY = 24 * HOUR
CLOCK = Clock(bank=600, increment=0, consequence="lose")


def left(table: Table, seat: str | None) -> int:
    banks = clocks_now(table)
    assert banks is not None
    return banks[str(seat)]


def set_clock(monkeypatch: pytest.MonkeyPatch, at: int) -> None:
    """From now on it is that late."""
    for module in (absence, decisions, housekeeping, manners, model, pauses, tables, voting):
        monkeypatch.setattr(module, "now_ms", lambda: at)


def put_back(connection: sa.Connection, by: int) -> None:
    """As if everything stored had been stored so much earlier."""
    connection.execute(entries.update().values(at=entries.c.at - by))
    connection.execute(games.update().values(started=games.c.started - by))
    alive = sa.cast(sa.cast(settings.c.value, sa.BigInteger) - by, sa.String)
    connection.execute(settings.update().where(settings.c.name == "alive").values(value=alive))


def test_a_night_without_the_server_costs_nobody_a_game(tmp_path):
    made = []

    async def evening(hub, person):
        table = await hub.lobby.create(person, wish("me", "me", "me", start=True, clock=CLOCK))
        await hub.decisions.act(table, person, "end", 0)
        made.append((table.id, person))

    async def morning(hub, _person):
        game, person = made[0]
        table = await hub.hall.open(game)
        assert table.meta.status == "running"
        assert left(table, table.decider) > 540_000
        # What is stored with the next decision knows of it too.
        before = table.decider
        await hub.decisions.act(table, person, "end", 1)
        assert table.clocks[before] > 540_000
        # However often the table is read again.
        await hub.hall._reload(table)
        assert left(table, before) > 540_000

    in_hub(tmp_path, evening)
    store = sa.create_engine(f"sqlite:///{tmp_path / 'hansa.sqlite3'}")
    with store.begin() as connection:
        put_back(connection, 10 * HOUR)
    store.dispose()
    in_hub(tmp_path, morning)


def test_a_machine_that_slept_or_a_clock_that_jumped(tmp_path, monkeypatch):
    async def work(hub, person):
        table = await hub.lobby.create(
            person, wish("me", "me", "me", start=True, clock=CLOCK, order="fixed")
        )
        await hub.decisions.act(table, person, "end", 0)
        await hub.hall.pauses.beat()
        jump = now_ms() + HOUR
        set_clock(monkeypatch, jump)
        assert left(table, "p2") == 0, "so it looks at first"
        # Before anybody loses it is asked whether somebody could have played at all.
        await hub.timers._ring(table, "p2")
        assert table.meta.status == "running"
        assert left(table, "p2") > 540_000
        assert table.clock_timer is not None
        # Time that was there counts.
        for second in range(5, 606, 5):
            set_clock(monkeypatch, jump + 1000 * second)
            await hub.hall.pauses.beat()
        await hub.timers._ring(table, "p2")
        assert table.meta.seat("p2").conceded

    in_hub(tmp_path, work)


def test_pauses_are_counted_once():
    known = pauses.Pauses(None)  # type: ignore[arg-type]  # nothing is stored here
    known.spans = [(100, 200), (300, 450)]
    assert known.moved(50) == 300
    assert known.moved(150) == 150 + 50 + 150
    assert known.moved(250) == 400
    assert known.moved(460) == 460


class Counted(tuple[int, int]):
    """A pause that counts how often it is held against another one."""

    __slots__ = ()
    asked: ClassVar[list[None]] = []

    __hash__ = tuple.__hash__

    def __eq__(self, other: object) -> bool:
        self.asked.append(None)
        return super().__eq__(other)


def test_a_server_that_had_thousands_of_pauses_is_none_the_slower():
    """Each new one was held against all there were, and each look at a clock went through them."""
    spans: list[tuple[int, int]] = [Counted((10 * n, 10 * n + 5)) for n in range(3000)]
    known = pauses.Pauses(None)  # type: ignore[arg-type]  # nothing is stored here
    found: list[list[tuple[int, int]]] = []
    known.spans, known.found = list(spans), found.append
    known._take([Counted(span) for span in spans] + [(40_000, 50_000)])
    assert found == [[(40_000, 50_000)]]
    assert len(Counted.asked) < 10 * len(spans)
    for at in (-3, 0, 3, 5, 7, 12_343, 12_347, 29_995, 29_996, 45_000, 50_000, 60_000):
        since = sum(end - max(begin, at) for begin, end in known.spans if end > at)
        assert known.moved(at) == at + since


def test_where_each_note_comes_too_late_all_of_it_is_one_pause(tmp_path, monkeypatch):
    """A machine with far too much to do: there would be thousands of pauses a day."""

    async def work(hub, _person):
        began = now_ms()
        before = len(hub.hall.pauses.spans)
        for seconds in range(10, 110, 10):
            set_clock(monkeypatch, began + 1000 * seconds)
            await hub.hall.pauses.beat()
        (found,) = hub.hall.pauses.spans[before:]
        assert found[1] - found[0] > 95_000

    in_hub(tmp_path, work, rounds=False)


def test_who_could_not_come_back_keeps_his_seat_as_long(tmp_path):
    async def work(hub, person):
        table = await hub.lobby.create(person, wish("me", "me", "me", start=True))
        away = now_ms() - HOUR
        table.meta.started = away
        table.meta.seat(table.decider).away = away
        before = table.deadline(table.decider)
        assert before is not None
        hub.hall.pauses.spans = [(away + 600_000, away + 2_400_000)]
        assert table.deadline(table.decider) == before + 1_800_000

    in_hub(tmp_path, work)


def test_a_store_that_hung_is_a_pause_however_many_notes_waited_for_it(tmp_path, monkeypatch):
    """They are written when it is back, and say when that was."""

    async def work(hub, _person):
        began = now_ms()
        await hub.hall.pauses.beat()
        before = list(hub.hall.pauses.spans)
        hangs, go_on = threading.Event(), threading.Event()

        def hang(_connection: sa.Connection) -> None:
            hangs.set()
            go_on.wait(60)

        waiting = [asyncio.ensure_future(hub.store.write(hang))]
        await asyncio.to_thread(hangs.wait, 60)
        for second in range(5, 65, 5):
            monkeypatch.setattr(pauses, "now_ms", lambda s=second: began + 1000 * s)
            waiting.append(asyncio.ensure_future(hub.hall.pauses.beat()))
            await asyncio.sleep(0)
        go_on.set()
        await asyncio.gather(*waiting)
        (found,) = [span for span in hub.hall.pauses.spans if span not in before]
        assert found[1] - found[0] > 50_000

    in_hub(tmp_path, work, rounds=False)


def test_a_clock_that_was_far_ahead_for_a_moment_hides_no_later_pause(tmp_path, monkeypatch):
    async def work(hub, _person):
        began = now_ms()

        async def at(moment: int) -> list[tuple[int, int]]:
            monkeypatch.setattr(pauses, "now_ms", lambda: moment)
            await hub.hall.pauses.beat()
            return [span for span in hub.hall.pauses.spans if span[1] - span[0] > 10_000]

        assert await at(began) == []
        ahead = await at(began + 1000 * DAY)
        assert [end for _, end in ahead] == [began + 1000 * DAY]
        # It is right again: what lies ahead has not been, and clocks that begin now run.
        (first,) = await at(began + 30_000)
        assert first[1] == began + 30_000
        assert hub.hall.pauses.moved(began + 40_000) == began + 40_000
        assert len(await at(began + 35_000)) == 1
        assert (await at(began + 8 * HOUR))[-1] == (began + 35_000, began + 8 * HOUR)

    in_hub(tmp_path, work, rounds=False)


def test_the_clock_of_another_machine_is_no_reason_for_a_pause(tmp_path, postgres, monkeypatch):
    """One is a minute behind: each of its notes would be a pause to the other, and the other way."""

    async def work(one, two, _person):
        began = now_ms()
        # Each goes by its own clock from its very first note on.
        two.hall.pauses._noted = began - 60_000
        for second in range(3, 60, 3):
            for hub, behind in ((one, 0), (two, 60)):
                set_clock(monkeypatch, began + 1000 * (second - behind))
                await hub.hall.pauses.beat()
                assert hub.hall.pauses.spans == []

    monkeypatch.setattr(housekeeping, "BEAT", 1000.0)
    in_two_hubs(tmp_path, postgres.new_database(), work)


@pytest.mark.parametrize("started_since", [False, True], ids=["while it was on", "at its start"])
def test_a_stop_after_a_clock_was_set_back_a_little_is_a_pause(
    tmp_path, monkeypatch, started_since
):
    """Its last note lay ahead by as much: a stop that was shorter than that was seen by nobody."""

    async def work(hub, person):
        table = await hub.lobby.create(
            person, wish("me", "me", "me", start=True, clock=CLOCK, order="fixed")
        )
        await hub.decisions.act(table, person, "end", 0)
        known = hub.hall.pauses
        await known.beat()
        began = now_ms() - 300_000
        set_clock(monkeypatch, began)
        if started_since:
            known._noted = 0
            await known.begin()
        else:
            await known.beat()
        set_clock(monkeypatch, began + 240_000)
        await known.beat()
        assert known.spans[-1] == (began, began + 240_000)

    in_hub(tmp_path, work, rounds=False)


def test_what_nobody_could_play_is_not_abandoned(tmp_path):
    """A server that was off for a season, or whose clock was a year ahead for a moment."""
    made: list[str] = []

    async def before(hub, person):
        table = await hub.lobby.create(person, wish("me", "me", "me", start=True))
        await hub.decisions.act(table, person, "end", 0)
        waiting = await hub.lobby.create(person, wish("me", "open"))
        made.extend((table.id, waiting.id))

    async def after(hub, _person):
        await hub.housekeeping.sweep()
        running, waiting = [await hub.hall.open(game) for game in made]
        assert (running.meta.status, waiting.meta.status) == ("running", "open")
        hub.hall.pauses.spans = []
        await hub.housekeeping.sweep()
        assert running.meta.status == "running", "what is noted is noted"
        hub.hall.pauses.ago = lambda span: now_ms() - span
        await hub.housekeeping.sweep()
        assert running.meta.status == "over"
        assert waiting.id not in hub.hall.live

    in_hub(tmp_path, before, rounds=False)
    store = sa.create_engine(f"sqlite:///{tmp_path / 'hansa.sqlite3'}")
    with store.begin() as connection:
        put_back(connection, 100 * DAY)
        connection.execute(games.update().values(created=games.c.created - 100 * DAY))
    store.dispose()
    in_hub(tmp_path, after, rounds=False)


def test_the_moment_so_long_ago_passes_over_pauses(monkeypatch):
    known = pauses.Pauses(None)  # type: ignore[arg-type]  # nothing is stored here
    known.spans = [(100, 200), (300, 450)]
    monkeypatch.setattr(pauses, "now_ms", lambda: 500)
    assert [known.ago(span) for span in (40, 60, 150, 200, 350)] == [460, 290, 200, 50, -100]


def test_a_vote_lasts_as_long_as_people_can_answer(tmp_path, monkeypatch):
    async def work(hub, person):
        other, _ = await hub.accounts.guest("Bertram")
        table = await hub.lobby.create(person, wish("me", "me", "open", order="fixed"))
        await hub.lobby.join(table, other, None, None)
        await hub.lobby.start(table, person)
        await hub.decisions.act(table, person, "end", 0)
        await hub.voting.propose(table, person, "undo")
        (vote,) = table.meta.proposals
        asked = vote.until - round(table.meta.absence() * 1000)
        hub.hall.pauses.spans = [(asked + 1_000, asked + 1_000 + HOUR)]
        monkeypatch.setattr("hansa.server.voting.now_ms", lambda: vote.until + HOUR - 1)
        await hub.voting.look(table)
        assert [p.until for p in table.face(person).proposals] == [vote.until + HOUR]
        # Stored as it was asked: a pause is taken off once, however often it is looked at.
        assert [p.until for p in table.meta.proposals] == [vote.until]
        monkeypatch.setattr("hansa.server.voting.now_ms", lambda: vote.until + HOUR)
        await hub.voting.look(table)
        assert table.meta.proposals == []
        assert table.recent[-1].kind == "lapsed"

    in_hub(tmp_path, work, rounds=False)


def test_a_clock_that_was_set_back_rings_again(tmp_path, monkeypatch):
    async def work(hub, person):
        table = await hub.lobby.create(
            person, wish("me", "me", "me", start=True, clock=CLOCK, order="fixed")
        )
        rung = table.clock_timer
        monkeypatch.setattr("hansa.server.table.now_ms", lambda: now_ms() - HOUR)
        await hub.timers._ring(table, "p1")
        assert table.meta.status == "running"
        assert table.clock_timer is not rung

    in_hub(tmp_path, work, rounds=False)


def test_what_was_decided_before_a_pause_and_heard_of_after_it(tmp_path):
    """By another process: then the clock stood still as well."""

    async def work(hub, person):
        table = await hub.lobby.create(
            person, wish("me", "me", "me", start=True, clock=CLOCK, order="fixed")
        )
        before = now_ms() - HOUR
        hub.hall.pauses.spans = [(before + 1000, before + HOUR - 1000)]
        entry = noted(table, "return", "p1", "", "person")
        entry.at, entry.clocks = before, dict.fromkeys(("p1", "p2", "p3"), 600_000)
        table.follow(News(meta=None, entries=[entry], chat=[]))
        assert left(table, "p1") > 540_000

    in_hub(tmp_path, work)


def test_whoever_decides_right_after_a_pause_does_not_pay_for_it(tmp_path, monkeypatch):
    """A machine that wakes up finds his decision before anybody has noted that it slept."""

    async def work(hub, person):
        table = await hub.lobby.create(
            person, wish("me", "me", "me", start=True, clock=CLOCK, order="fixed")
        )
        await hub.decisions.act(table, person, "end", 0)
        await hub.hall.pauses.beat()
        set_clock(monkeypatch, now_ms() + HOUR)
        await hub.decisions.act(table, person, "end", 1)
        assert table.clocks["p2"] > 540_000
        await hub.hall._reload(table)
        assert table.clocks["p2"] > 540_000

    in_hub(tmp_path, work)


def test_a_bank_that_ends_when_the_store_has_just_begun_to_hang_costs_no_game(
    tmp_path, monkeypatch
):
    """What the next note finds out was known too late: the game was over inside a pause."""

    async def work(hub, person):
        began, hangs, go_on = now_ms(), threading.Event(), threading.Event()
        set_clock(monkeypatch, began)
        clock = Clock(bank=5, increment=0, consequence="lose")
        table = await hub.lobby.create(person, wish("me", "me", start=True, clock=clock))
        await hub.hall.pauses.beat()

        def hang(_connection: sa.Connection) -> None:
            hangs.set()
            go_on.wait(60)

        held = asyncio.ensure_future(hub.store.write(hang))
        await asyncio.to_thread(hangs.wait, 60)
        set_clock(monkeypatch, began + 6000)
        rung = asyncio.ensure_future(hub.timers._ring(table, table.decider))
        await until(lambda: table.lock.locked() and hub.store.waiting > 0)
        set_clock(monkeypatch, began + 60_000)
        go_on.set()
        await asyncio.gather(held, rung)
        assert table.meta.status == "running"
        assert left(table, table.decider) > 0

    monkeypatch.setattr(housekeeping, "BEAT", 1000.0)
    in_hub(tmp_path, work, rounds=False, clock_least=1.0)


def test_after_a_pause_it_is_looked_once_however_many_decide(tmp_path):
    async def work(hub, _person):
        looked, beat = [], hub.hall.pauses.beat

        async def counting():
            looked.append(True)
            await beat()

        hub.hall.pauses.beat, hub.hall.pauses._noted = counting, 0
        await asyncio.gather(*(hub.hall.pauses.look() for _ in range(5)))
        await hub.hall.pauses.look()
        assert looked == [True]

    in_hub(tmp_path, work, rounds=False)


async def _three(hub: Hub, person: Person) -> tuple[Table, Person]:
    """A running game of three people, of whom nobody is there; and the third of them."""
    table = await hub.lobby.create(
        person, wish("me", "open", "open", order="fixed", absence=ABSENCE)
    )
    second, _ = await hub.accounts.guest("Bertram")
    third, _ = await hub.accounts.guest("Katrijn")
    for other in (second, third):
        await hub.lobby.join(table, other, None, None)
    await hub.lobby.start(table, person)
    await hub.hall.pauses.beat()
    return table, third


def test_nobody_is_silent_while_nobody_could_answer(tmp_path, monkeypatch):
    async def work(hub, person):
        table, third = await _three(hub, person)
        table.meta.started = now_ms() - HOUR
        for seat in table.meta.seats:
            seat.away = table.meta.started
        await hub.voting.propose(table, third, "standin", seat="p1")
        (asked,) = table.face(person).proposals
        # The machine sleeps: by its clock the time of the vote is long up.
        set_clock(monkeypatch, now_ms() + HOUR)
        await hub.voting.look(table)
        (later,) = table.face(person).proposals
        assert later.id == asked.id
        assert table.meta.seats[0].standin is None
        assert HOUR <= later.until - asked.until < HOUR + 60_000
        # Then it is awake for as long, and all were silent.
        for second in range(0, ABSENCE + 6, 5):
            set_clock(monkeypatch, later.until + 1000 * (second - ABSENCE))
            await hub.hall.pauses.beat()
        await hub.voting.look(table)
        assert table.meta.seats[0].standin is not None

    in_hub(tmp_path, work, rounds=False)


def test_no_seat_is_given_away_right_after_a_pause(tmp_path, monkeypatch):
    async def work(hub, person):
        table, third = await _three(hub, person)
        table.meta.seats[0].away = now_ms()
        set_clock(monkeypatch, now_ms() + HOUR)
        with pytest.raises(TableError) as refused:
            await hub.voting.propose(table, third, "standin", seat="p1")
        assert refused.value.code == "keeps_seat"

    in_hub(tmp_path, work, rounds=False)


def test_a_restart_of_the_only_server_at_postgresql_costs_nobody_a_second(tmp_path, postgres):
    """Beside another one nothing stood still: people could play there."""
    database = postgres.new_database()
    found: list[list[tuple[int, int]]] = []

    async def work(hub, _person):
        found.append(hub.hall.pauses.spans)
        other = Hub(load(environ={}, data=str(tmp_path), database=database))
        await other.start()
        assert other.hall.pauses.spans == hub.hall.pauses.spans
        await other.stop()

    for _ in range(2):
        in_hub(tmp_path, work, rounds=False, database=database)
    assert [len(spans) for spans in found] == [0, 1]


def test_one_of_several_that_hung_costs_nobody_his_time(tmp_path, postgres, monkeypatch):
    """Others were there and said so; whoever was led to this one waited for it all the same."""

    async def work(one, two, person):
        table = await one.lobby.create(
            person, wish("me", "me", "me", start=True, clock=CLOCK, order="fixed")
        )
        await one.decisions.act(table, person, "end", 0)
        began = now_ms()
        for second in range(3, 31, 3):
            set_clock(monkeypatch, began + 1000 * second)
            await two.hall.pauses.beat()
        assert two.hall.pauses.spans == []
        # It is awake again: first of all it is looked whether the clock could have been stopped.
        await one.timers._ring(table, "p2")
        assert left(table, "p2") > 595_000
        assert len(one.hall.pauses.spans) == 1
        await two.hall.pauses.beat()
        assert two.hall.pauses.spans == one.hall.pauses.spans
        # Each further note finds nothing new, and a long sleep is not all of everybody's time.
        set_clock(monkeypatch, began + 600_000)
        two.hall.pauses._noted = began + 600_000
        await two.store.write(lambda c: pauses._set(c, "alive", str(began + 600_000)))
        await one.hall.pauses.beat()
        (stood_still,) = one.hall.pauses.spans
        assert stood_still[1] == began + 90_000

    # Its own notes would come in between.
    monkeypatch.setattr(housekeeping, "BEAT", 1000.0)
    in_two_hubs(tmp_path, postgres.new_database(), work)


def test_the_silence_of_another_server_is_a_pause_and_counted_once(tmp_path, monkeypatch):
    async def work(hub, person):
        table = await hub.lobby.create(
            person, wish("me", "me", "me", start=True, clock=CLOCK, order="fixed")
        )
        began = now_ms()
        set_clock(monkeypatch, began + 20_000)
        hub.hall.pauses._noted = began + 20_000
        for _ in range(2):
            await hub.hall.pauses.silence(18.0)
            # Long over, or cut short by another that took its place.
            await hub.hall.pauses.silence(18.0, 11.0)
        assert [end - begin for begin, end in hub.hall.pauses.spans] == [18_000]
        assert left(table, "p1") > 597_000

    in_hub(tmp_path, work, rounds=False)


def test_two_that_notice_the_same_silence_note_it_once(tmp_path, postgres, monkeypatch):
    """The first pause there ever was: the second of them failed, and looked after nothing."""

    async def work(one, two, _person):
        at, noted, go_on = now_ms(), threading.Event(), threading.Event()

        def note(connection: sa.Connection) -> None:
            pauses._lost(connection, at - 20_000, at)
            noted.set()
            go_on.wait(60)

        first = asyncio.ensure_future(one.store.write(note))
        await asyncio.to_thread(noted.wait, 60)
        second = asyncio.ensure_future(two.hall.pauses.silence(20.0))
        waiting = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
        while not await two.store.read(lambda c: c.exec_driver_sql(waiting).scalar()):
            pass
        go_on.set()
        await asyncio.gather(first, second)
        assert two.hall.pauses.spans == [(at - 20_000, at)]

    monkeypatch.setattr(housekeeping, "BEAT", 1000.0)
    in_two_hubs(tmp_path, postgres.new_database(), work)


def test_a_full_disk_is_a_pause_although_notes_need_no_room(tmp_path, monkeypatch):
    """Each takes the place of the one before: they went on, and so did the clocks."""

    async def work(hub, person):
        table = await hub.lobby.create(
            person, wish("me", "me", "me", start=True, clock=CLOCK, order="fixed")
        )
        full = [True]

        def limit(connection: Any, *_: Any) -> None:
            ((pages,),) = connection.execute("PRAGMA page_count").fetchall()
            most = pages if full[0] else 1_000_000
            connection.execute(f"PRAGMA max_page_count={most}").fetchall()

        sa.event.listen(hub.store._engine, "checkout", limit)

        async def fill() -> None:
            while True:
                await hub.decisions.act(table, person, "end", table.number)

        with pytest.raises(TableError) as refused:
            await fill()
        assert refused.value.code == "busy"
        assert await hub.troubles() == ["writing"]
        began, before, seat = now_ms(), len(hub.hall.pauses.spans), table.decider
        set_clock(monkeypatch, began + HOUR)
        for _ in range(2):
            with pytest.raises(TableError):
                await hub.hall.pauses.beat()
        full[0] = False
        await hub.timers._ring(table, seat)
        assert left(table, seat) > 540_000
        assert len(hub.hall.pauses.spans) == before + 1
        assert await hub.troubles() == []
        assert await hub.decisions.act(table, person, "end", table.number)
        log = await hub.store.read(lambda c: c.scalar(sa.select(sa.func.min(entries.c.revision))))
        assert log == 1

    monkeypatch.setattr(housekeeping, "BEAT", 1000.0)
    in_hub(tmp_path, work, rounds=False)
