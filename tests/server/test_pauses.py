"""Clocks stand still while nobody could play: the server off, the store away, the clock set."""

from __future__ import annotations

import sqlalchemy as sa
from tests.server.test_hub import in_hub, wish

from hansa.server import housekeeping, model, pauses
from hansa.server.model import now_ms
from hansa.server.schema import entries, games, settings
from hansa.server.table import Table, clocks_now
from hansa.server.wire.table import Clock

HOUR = 3_600_000
CLOCK = Clock(bank=600, increment=0, consequence="lose")


def left(table: Table, seat: str | None) -> int:
    banks = clocks_now(table)
    assert banks is not None
    return banks[str(seat)]


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
        await hub.housekeeping.note()
        jump = now_ms() + HOUR

        def later():
            return jump

        for module in (model, pauses, housekeeping):
            monkeypatch.setattr(module, "now_ms", later)
        monkeypatch.setattr("hansa.server.table.now_ms", later)
        monkeypatch.setattr("hansa.server.manners.now_ms", later)
        assert left(table, "p2") == 0, "so it looks at first"
        # Before anybody loses it is asked whether somebody could have played at all.
        await hub.timers._ring(table, "p2")
        assert table.meta.status == "running"
        assert left(table, "p2") > 540_000
        assert table.clock_timer is not None
        # Time that was there counts.
        monkeypatch.setattr("hansa.server.table.now_ms", lambda: jump + 601_000)
        for second in range(5, 602, 5):
            monkeypatch.setattr(pauses, "now_ms", lambda s=second: jump + 1000 * s)
            await hub.housekeeping.note()
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
