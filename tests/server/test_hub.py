"""Housekeeping of one process: abandoned games, tables nobody started, memory."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from hansa.server import housekeeping
from hansa.server.config import load
from hansa.server.errors import TableError
from hansa.server.hub import Hub
from hansa.server.model import Person, now_ms
from hansa.server.schema import entries
from hansa.server.wire.asking import NewTable, SeatWish
from hansa.server.wire.setups import SetupWish
from hansa.server.wire.table import Clock

PATIENCE = 60.0


async def until(met: Callable[[], bool]) -> None:
    """Wait for a state; whoever waits for one that never comes has found a defect."""
    async with asyncio.timeout(PATIENCE):
        while not met():  # noqa: ASYNC110 - states have no event of their own
            await asyncio.sleep(0.01)


def wish(*kinds: Any, **more: Any) -> NewTable:
    seats = [
        SeatWish(kind=kind) if kind in {"me", "open"} else SeatWish(kind="bot", bot=kind)
        for kind in kinds
    ]
    return NewTable(setup=SetupWish(players=len(kinds)), seats=seats, **more)


def in_hub(
    tmp_path: Path,
    work: Callable[[Hub, Person], Awaitable[None]],
    *,
    rounds: bool = True,
    **settings: Any,
) -> None:
    """Without `rounds` nobody keeps house meanwhile: the first round may come at any moment."""

    async def run() -> None:
        hub = Hub(load(environ={}, data=str(tmp_path), bot_delay=0.0, **settings))
        if not rounds:
            hub.housekeeping.go_round = asyncio.Event().wait  # type: ignore[method-assign, assignment]
        await hub.start()
        try:
            person, _ = await hub.accounts.guest("Alheyd")
            await work(hub, person)
        finally:
            await hub.stop()

    asyncio.run(run())


def test_abandoned_games_end_and_forgotten_tables_go(tmp_path):
    async def work(hub, person):
        running = await hub.lobby.create(person, wish("me", "me", start=True))
        waiting = await hub.lobby.create(person, wish("me", "open"))
        # A day of these two lasts less than a tenth of a millisecond.
        await until(lambda: now_ms() > max(running.meta.created, waiting.meta.created) + 1)
        await hub.housekeeping.sweep()
        assert running.meta.status == "over"
        assert running.meta.result["reason"] == "abandoned"
        assert running.meta.result["winners"] == []
        with pytest.raises(TableError, match="no such table"):
            await hub.hall.open(waiting.id)

    in_hub(tmp_path, work, rounds=False, abandon_days=1e-9, stale_open_days=1e-9)


@pytest.mark.parametrize("fault", [TableError("rules_changed", "Other rules."), KeyError("seats")])
def test_a_game_that_cannot_be_opened_keeps_no_other_from_its_end(tmp_path, fault):
    """Left over from other rules, it ended every sweep, and no clock was set after a start."""

    async def work(hub, person):
        broken, other = [
            await hub.lobby.create(person, wish("me", "me", start=True)) for _ in range(2)
        ]
        opens = hub.hall.open

        async def opening(game: str) -> Any:
            if game == broken.id:
                raise fault
            return await opens(game)

        hub.hall.open = opening
        await until(lambda: now_ms() > max(broken.meta.created, other.meta.created) + 1)
        await hub.housekeeping.sweep()
        assert broken.meta.status == "running"
        assert other.meta.status == "over"

    in_hub(tmp_path, work, rounds=False, abandon_days=1e-9)


@pytest.mark.parametrize(("owner", "name"), [("housekeeping", "sweep"), ("hub", "opened")])
def test_a_store_that_was_away_for_a_moment_lets_no_clock_stand(tmp_path, monkeypatch, owner, name):
    """Games that go on by themselves were opened an hour later, where the first round met it."""
    monkeypatch.setattr(housekeeping, "_ROUND", 0.05)

    async def before(hub, person):
        clock = Clock(bank=600, increment=0, consequence="lose")
        await hub.lobby.create(person, wish("me", "me", start=True, clock=clock))

    async def after(hub, _person):
        place = hub if owner == "hub" else hub.housekeeping
        does = getattr(place, name)

        async def fails_once(*given: Any, **more: Any) -> Any:
            setattr(place, name, does)
            raise TableError("busy", "Away.")

        setattr(place, name, fails_once)
        del hub.housekeeping.go_round
        hub.spawn(hub.housekeeping.go_round())
        await until(lambda: len(hub.hall.live) == 1)
        assert getattr(place, name) == does, "it was away"

    in_hub(tmp_path, before)
    in_hub(tmp_path, after, rounds=False)


def test_idle_tables_leave_the_memory_and_come_back(tmp_path):
    async def work(hub, person):
        table = await hub.lobby.create(person, wish("me", "me", "me", start=True))
        await hub.decisions.act(table, person, "end", 0)
        hub.housekeeping.drop_idle()
        assert not hub.hall.live
        again = await hub.hall.open(table.id)
        assert again is not table
        assert (again.number, again.decider) == (1, "p2")
        with pytest.raises(TableError) as stale:
            await hub.decisions.act(again, person, "end", 0)
        assert stale.value.code == "stale_number"

    in_hub(tmp_path, work, idle_seconds=0.0)


def test_a_game_among_bots_waits_for_somebody_to_watch(tmp_path):
    async def work(hub, person):
        table = await hub.lobby.create(person, wish("random", "random", "random", start=True))
        assert table.bot_task is None

        class Watcher:
            person = None

            def wake(self):
                return True

        table.listeners.add(Watcher())
        hub.hall.announce(table, mine=True)
        await until(lambda: table.number > 5)
        table.listeners.clear()

    in_hub(tmp_path, work)


def test_a_decision_under_way_is_finished_before_the_end(tmp_path):
    numbers = []

    async def work(hub, person):
        table = await hub.lobby.create(person, wish("me", "me", "me", start=True))
        numbers.append(table.id)
        asking = asyncio.ensure_future(hub.decisions.act(table, person, "end", 0))
        await asyncio.sleep(0)
        # The one who asked goes away; the decision does not.
        asking.cancel()
        await hub.hall.finish()
        with pytest.raises(TableError) as late:
            await hub.decisions.act(table, person, "end", 1)
        assert late.value.code == "shutting_down"

    in_hub(tmp_path, work)

    async def look(hub, _person):
        assert (await hub.hall.open(numbers[0])).number == 1

    in_hub(tmp_path, look)


def test_the_log_of_an_older_server_is_shown(tmp_path):
    """It wrote every event beside whom it was meant for, which was always everybody."""

    async def work(hub, person):
        table = await hub.lobby.create(person, wish("me", "me", "me", start=True))
        (entry,) = await hub.decisions.act(table, person, "end", 0)
        assert entry.events
        older = json.dumps([[None, event] for event in entry.events])
        await hub.store.write(
            lambda connection: connection.execute(entries.update().values(events=older))
        )
        hub.housekeeping.drop_idle()
        again = await hub.hall.open(table.id)
        assert again is not table
        assert again.recent[0].face().events == entry.events

    in_hub(tmp_path, work, idle_seconds=0.0)
