"""Clocks stand still while nobody could play: the server off, the store away, the clock set."""

from __future__ import annotations

import pytest
import sqlalchemy as sa
from tests.server.test_hub import in_hub, wish

from hansa.server import absence, decisions, housekeeping, manners, model, pauses, voting
from hansa.server import table as tables
from hansa.server.errors import TableError
from hansa.server.hub import Hub
from hansa.server.manners import noted
from hansa.server.model import Person, now_ms
from hansa.server.schema import entries, games, settings
from hansa.server.table import News, Table, clocks_now
from hansa.server.wire.table import Clock

HOUR = 3_600_000
ABSENCE = 600
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
        await hub.hall.note()
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
            await hub.hall.note()
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
    assert known.moved(400, [(300, 450)]) == 450


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
        await hub.hall.note()
        set_clock(monkeypatch, now_ms() + HOUR)
        await hub.decisions.act(table, person, "end", 1)
        assert table.clocks["p2"] > 540_000
        await hub.hall._reload(table)
        assert table.clocks["p2"] > 540_000

    in_hub(tmp_path, work)


def test_a_clock_that_was_set_back_still_runs_out(tmp_path, monkeypatch):
    async def work(hub, person):
        table = await hub.lobby.create(
            person, wish("me", "me", "me", start=True, clock=CLOCK, order="fixed")
        )
        at = now_ms()
        set_clock(monkeypatch, at - 1000)
        hub.timers.set(table, False)
        first = table.clock_timer
        await hub.timers._ring(table, "p1")
        assert table.meta.status == "running"
        assert table.clock_timer is not None
        assert table.clock_timer is not first, "it rang too early: it is set again"

    in_hub(tmp_path, work)


def test_a_night_without_the_server_ends_no_game(tmp_path):
    made = []

    async def evening(hub, person):
        made.append((await hub.lobby.create(person, wish("me", "me", start=True))).id)

    async def morning(hub, _person):
        await hub.housekeeping.sweep()
        assert (await hub.hall.open(made[0])).meta.status == "running"

    in_hub(tmp_path, evening)
    store = sa.create_engine(f"sqlite:///{tmp_path / 'hansa.sqlite3'}")
    with store.begin() as connection:
        put_back(connection, 48 * HOUR)
    store.dispose()
    in_hub(tmp_path, morning, rounds=False, abandon_days=1.0)


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
    await hub.hall.note()
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
        set_clock(monkeypatch, later.until)
        await hub.hall.pauses.beat(most=HOUR)
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
