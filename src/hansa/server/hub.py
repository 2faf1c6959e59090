"""Everything one server process is made of, started and stopped together."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import Counter
from functools import partial
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa
import structlog

from hansa.server import archive
from hansa.server.accounts import Accounts
from hansa.server.again import Again
from hansa.server.decisions import Decisions
from hansa.server.errors import TableError
from hansa.server.fanout import Fanout, Notice
from hansa.server.limits import Limiter
from hansa.server.lobby import Lobby
from hansa.server.manners import Manners
from hansa.server.metrics import LOOP_LAG, TABLES
from hansa.server.model import Entry, Person, now_ms
from hansa.server.notify import Notifier
from hansa.server.players import BotPlayers
from hansa.server.schema import entries, games, presence
from hansa.server.store import Store
from hansa.server.study import Study
from hansa.server.table import Table, clocks_now
from hansa.server.tables import Tables

if TYPE_CHECKING:
    from hansa.server.config import Config
    from hansa.server.realtime import Connection

__all__ = ["Hub"]

_log = structlog.get_logger()
_HEARTBEAT = 20.0
_PULSE = 0.1
_GONE = 65_000
_DAY = 86_400_000


class Hub:
    """The parts and what connects them."""

    def __init__(self, config: Config) -> None:
        self.config = config
        self.store = Store(config.url(), fsync=config.fsync)
        self.accounts = Accounts(self.store)
        self.tables = Tables(self.store, config)
        self.lobby = Lobby(self.tables)
        self.study = Study()
        self.again = Again(self.lobby, self.study)
        self.decisions = Decisions(self.tables)
        self.manners = Manners(self.decisions)
        self.bots = BotPlayers(self.decisions)
        self.notifier = Notifier(self.tables)
        self.tables.watchers.append(self._set_timer)
        self.connections: set[Connection] = set()
        self.addresses: Counter[str] = Counter()
        self.fanout = (
            Fanout(self.store, self._heard, self._refresh_all) if self.store.shared else None
        )
        self.ready = False
        self._tasks: set[asyncio.Task[Any]] = set()
        self._refreshing: set[str] = set()
        self.requests = Limiter("requests", config.requests_per_second, config.requests_burst)
        self.guests = Limiter("new guests", config.guests_per_hour / 3600, config.guests_per_hour)
        self.new_tables = Limiter("tables", config.tables_per_hour / 3600, config.tables_per_hour)
        self.analyses = Limiter(
            "analyses", config.analyses_per_minute / 60, config.analyses_per_minute
        )
        self.logins = Limiter("attempts", config.logins_per_minute / 60, config.logins_per_minute)

    async def start(self) -> None:
        """Open the store and begin."""
        await asyncio.to_thread(self.store.migrate)
        self.store.start()
        await self.accounts.start()
        if self.fanout is not None:
            self.fanout.start()
            await asyncio.wait_for(self.fanout.ready.wait(), 10)
        self.spawn(self._housekeeping())
        self.spawn(self._watch_loop())
        self.spawn(self.study.draw_all())
        self.ready = True
        _log.info("ready", store=self.store.kind, process=self.tables.process)

    async def say_goodbye(self) -> None:
        """Finish what is under way and send everybody home."""
        self.ready = False
        await self.tables.finish()
        for connection in list(self.connections):
            connection.leave(1012, "restart")
        for _ in range(40):
            if not self.connections:
                break
            await asyncio.sleep(0.05)

    async def stop(self) -> None:
        """Close everything."""
        await self.say_goodbye()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self.fanout is not None:
            await self.fanout.stop()
        await asyncio.to_thread(self.bots.close)
        await asyncio.to_thread(self.study.close)
        self.notifier.close()
        if self.store.shared:
            with contextlib.suppress(TableError):
                await self.store.write(self._forget_presence)
        await asyncio.to_thread(self.store.close)
        _log.info("stopped")

    def spawn(self, work: Any) -> None:
        """Run beside everything else until the end."""
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # Coming and going

    def arrived(self, connection: Connection) -> None:
        """A client is at its table."""
        self.connections.add(connection)
        self._presence_changed(connection.table, connection.person)
        # A game among bots goes on when somebody watches.
        self.bots.consider(connection.table, mine=True)

    def left(self, connection: Connection) -> None:
        """A client is gone."""
        self.connections.discard(connection)
        if connection.table.id in self.tables.live:
            self._presence_changed(connection.table, connection.person)

    def _presence_changed(self, table: Table, person: Person | None) -> None:
        if not self.tables.closing:
            table.changed(face=True)
        if self.store.shared and person is not None and self.ready:
            here = any(c.person is not None and c.person.id == person.id for c in table.listeners)
            self.spawn(self._tell_presence(table, person.id, here))

    async def _tell_presence(self, table: Table, person: str, here: bool) -> None:
        key = {"process": self.tables.process, "game": table.id, "person": person}

        def work(connection: sa.Connection) -> None:
            matches = [presence.c[name] == value for name, value in key.items()]
            connection.execute(presence.delete().where(*matches))
            if here:
                connection.execute(presence.insert(), {**key, "seen": now_ms()})
            self.tables.tell(connection, table.id, table.revision)

        with contextlib.suppress(TableError, sa.exc.SQLAlchemyError):
            await self.store.write(work)

    def _forget_presence(self, connection: sa.Connection) -> None:
        connection.execute(presence.delete().where(presence.c.process == self.tables.process))

    # Other processes

    def _heard(self, notice: Notice) -> None:
        table = self.tables.live.get(notice.game)
        mine = notice.sender == self.tables.process
        if table is not None and not mine and table.id not in self._refreshing:
            self._refreshing.add(table.id)
            self.spawn(self._refresh(table))

    async def _refresh(self, table: Table) -> None:
        self._refreshing.discard(table.id)
        with contextlib.suppress(TableError):
            table.elsewhere = await self.store.read(lambda c: self._elsewhere(c, table.id))
            await self.tables.refresh(table)

    def _elsewhere(self, connection: sa.Connection, game: str) -> set[str]:
        query = sa.select(presence.c.person).where(
            presence.c.game == game,
            presence.c.process != self.tables.process,
            presence.c.seen > now_ms() - _GONE,
        )
        return set(connection.execute(query).scalars())

    async def _refresh_all(self) -> None:
        for table in list(self.tables.live.values()):
            await self._refresh(table)

    async def opened(self, game: str) -> Table:
        """A table, with who is at it through other processes."""
        fresh = game not in self.tables.live
        table = await self.tables.open(game)
        if fresh and self.store.shared:
            table.elsewhere = await self.store.read(lambda c: self._elsewhere(c, game))
        elif self.store.shared:
            await self.tables.catch_up(table)
        return table

    # Answers that several callers need

    async def store_answers(self) -> bool:
        """Whether the database can be asked."""
        try:
            await self.store.read(lambda connection: connection.execute(sa.select(1)).scalar())
        except (TableError, sa.exc.SQLAlchemyError):
            return False
        return True

    async def standing(self, table: Table, first: int, last: int) -> list[Entry]:
        """Decisions of the log that stand."""
        last = min(last, table.number)
        if last < first:
            return []
        return await self.store.read(
            lambda connection: archive.standing(connection, table.id, first, last)
        )

    async def undo(
        self, table: Table, person: Person | None, number: int, to: int | None, *, ask: bool
    ) -> list[Entry]:
        """Take back, or ask the others where that is needed and wanted."""
        try:
            return await self.decisions.undo(table, person, number, to)
        except TableError as error:
            if not ask or error.code not in {"undo_needs_consent", "undo_off"}:
                raise
        await self.manners.propose(table, person, "undo", to=to)
        return []

    # Time

    def _set_timer(self, table: Table, _mine: bool) -> None:
        """Wake up when the decider's bank is empty."""
        if table.clock_timer is not None:
            table.clock_timer.cancel()
            table.clock_timer = None
        clock, seat, left = table.meta.options.clock, table.decider, clocks_now(table)
        if clock is None or seat is None or left is None or clock.consequence == "none":
            return
        place = table.meta.seat(seat)
        if place is None or place.player_bot() is not None:
            return
        loop = asyncio.get_running_loop()
        table.clock_timer = loop.call_later(
            left[seat] / 1000 + 0.02, lambda: self.spawn(self._time_is_up(table, seat))
        )

    async def _time_is_up(self, table: Table, seat: str) -> None:
        with contextlib.suppress(TableError):
            await self.manners.time_is_up(table, seat)

    async def _watch_loop(self) -> None:
        """Whether everything gets its turn soon: what stalls one client stalls all."""
        while True:
            began = time.monotonic()
            await asyncio.sleep(_PULSE)
            LOOP_LAG.observe(max(0.0, time.monotonic() - began - _PULSE))

    async def _housekeeping(self) -> None:
        last_sweep = 0.0
        while True:
            TABLES.set(len(self.tables.live))
            self._drop_idle()
            with contextlib.suppress(TableError):
                if self.store.shared:
                    await self.store.write(self._heartbeat)
                if time.monotonic() - last_sweep > 3600:
                    last_sweep = time.monotonic()
                    await self.sweep()
            await asyncio.sleep(_HEARTBEAT)

    def _drop_idle(self) -> None:
        """Free the memory of tables nobody is at, the longest unused first if there are too many."""
        now = time.monotonic()
        idle = sorted(
            (t for t in self.tables.live.values() if self._is_idle(t)), key=lambda t: t.touched
        )
        surplus = len(self.tables.live) - self.config.live_tables
        for count, table in enumerate(idle):
            if count < surplus or now - table.touched > self.config.idle_seconds:
                self.tables.forget(table)

    @staticmethod
    def _is_idle(table: Table) -> bool:
        thinking = table.bot_task is not None and not table.bot_task.done()
        ticking = table.clock_timer is not None
        return not (table.listeners or thinking or ticking or table.lock.locked())

    def _heartbeat(self, connection: sa.Connection) -> None:
        mine = presence.c.process == self.tables.process
        connection.execute(presence.update().where(mine).values(seen=now_ms()))
        connection.execute(presence.delete().where(presence.c.seen < now_ms() - 10 * _GONE))

    async def sweep(self) -> None:
        """End abandoned games and remove tables that nobody started."""
        idle_since = now_ms() - round(self.config.abandon_days * _DAY)
        never_since = now_ms() - round(self.config.stale_open_days * _DAY)

        def find(connection: sa.Connection) -> tuple[list[str], list[str]]:
            last = (
                sa.select(sa.func.max(entries.c.at))
                .where(entries.c.game == games.c.id)
                .scalar_subquery()
            )
            abandoned = sa.select(games.c.id).where(
                games.c.status == "running",
                sa.func.coalesce(last, games.c.started) < idle_since,
            )
            never = sa.select(games.c.id).where(
                games.c.status == "open", games.c.created < never_since
            )
            return (
                list(connection.execute(abandoned).scalars()),
                list(connection.execute(never).scalars()),
            )

        abandoned, never = await self.store.read(find)
        for game in abandoned:
            await self.manners.abandon(await self.tables.open(game))
        for game in never:
            await self.store.write(partial(archive.delete_game, game=game))
            self.tables.live.pop(game, None)
        if abandoned or never:
            _log.info("swept", abandoned=len(abandoned), removed=len(never))
