"""What one process does now and then: free memory, end what nobody plays, wake what sleeps."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa
import structlog

from hansa.server.calls import forget_old
from hansa.server.errors import TableError
from hansa.server.metrics import LOOP_LAG, TABLES
from hansa.server.model import now_ms
from hansa.server.pauses import BEAT
from hansa.server.peers import keeper
from hansa.server.queues import ASKED_FROM
from hansa.server.schema import (
    archived,
    entries,
    games,
    invitations,
    people,
    pushes,
    reports,
    seats,
    seekers,
    sessions,
    studies,
    ties,
    tokens,
)
from hansa.server.store import changed_rows
from hansa.server.wire.socket import Close

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable

    from hansa.server.hub import Hub
    from hansa.server.table import Table

__all__ = ["Housekeeping"]

_log = structlog.get_logger()
_ROUND = 20.0
_SWEEP = 3600.0
_PULSE = 0.1
#: Seconds without a store after which one of several servers is of no use to anybody.
_CUT_OFF = 8.0
#: Seconds for which a table keeps what it wrote for those who look at it.
_WARM = 2.0
_HOUR = 3_600_000
_DAY = 24 * _HOUR
_GUEST_DAYS = 60
_SESSION_DAYS = 400


class Housekeeping:
    """Looks after all tables and connections of a hub."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        hub.hall.pauses.found = self._stand_still

    async def watch_loop(self) -> None:
        """Whether everything gets its turn soon: what stalls one client stalls all."""
        while True:
            began = time.monotonic()
            await asyncio.sleep(_PULSE)
            LOOP_LAG.observe(max(0.0, time.monotonic() - began - _PULSE))

    async def cool(self) -> None:
        """For ever: what was written for everybody at a table has been sent a moment later."""
        while True:
            await asyncio.sleep(_WARM)
            before = time.monotonic() - _WARM
            for table in self._hub.hall.live.values():
                if table.used_at < before:
                    table.cool()

    async def tidy(self) -> None:
        """For ever: see that nobody has to wait long for Python's garbage collector."""
        while True:
            await asyncio.sleep(self._hub.keeper.pause)
            self._hub.keeper.tidy(len(self._hub.connections))

    async def keep_time(self) -> None:
        """For ever: note that a server is here."""
        # In a line of its own: behind all else that the server writes by itself it would come too late.
        ASKED_FROM.set("time")
        noted = time.monotonic()
        while True:
            await asyncio.sleep(BEAT)
            try:
                async with asyncio.timeout(_CUT_OFF):
                    await self._hub.hall.pauses.beat()
                    await self._hub.following.note_silence()
            except (TableError, TimeoutError) as error:
                # The store is away: that is a pause, and seen as one when it is back.
                if isinstance(error, TimeoutError):
                    # Given up before the store itself says so; perhaps nobody else asks it anything.
                    self._hub.store.note_failure("write", error)
                if time.monotonic() - noted > _CUT_OFF:
                    self._send_away(noted)
            except Exception:  # noqa: BLE001 - whatever it was, clocks depend on the next one
                _log.exception("cannot note that a server is here")
            else:
                noted, self._hub.cut_off = time.monotonic(), False

    async def make_sure(self) -> None:
        """For ever: whoever waits at a table whose last change is in doubt shall see what is true."""
        while True:
            await asyncio.sleep(BEAT)
            try:
                await self._hub.hall.make_sure()
            except TableError:
                pass  # the store does not answer: it is asked again
            except Exception:  # noqa: BLE001 - one table must not end it for all others
                _log.exception("cannot tell what is stored of a table")

    def _send_away(self, noted: float) -> None:
        """Nobody can play here; perhaps with the others, who look after all games by now.

        Where they are heard and have noted nothing since either, the store itself takes no writes.
        """
        fanout, peers = self._hub.fanout, self._hub.following.peers
        if self._hub.cut_off or fanout is None or not peers:
            return
        if fanout.ready.is_set() and not peers.heard_since(noted + _CUT_OFF):
            return
        _log.warning("cut off from the store: people are sent to the other processes")
        self._hub.cut_off = True
        for connection in list(self._hub.connections):
            connection.leave(Close.RESTART, "restart")

    def _stand_still(self, new: list[tuple[int, int]]) -> None:
        """There was a pause: clocks and deadlines are later than everybody thinks."""
        if new:
            _log.warning("nobody could play for a while", seconds=[(b - a) // 1000 for a, b in new])
        for table in list(self._hub.hall.live.values()):
            if table.is_timed or table.meta.proposals:
                table.changed(face=True)
                self._hub.timers.set(table, False)

    async def go_round(self) -> None:
        """For ever, every few seconds; the big sweep once an hour."""
        swept = None
        while True:
            try:
                await self._one_round()
                if swept is None or time.monotonic() - swept > _SWEEP:
                    await self.sweep()
                    # Who begins may stand in for one that is gone and has not heard the others yet.
                    await self.wake(everything=swept is None)
                    # Not before: what a store that was away for a moment kept from being done is due.
                    swept = time.monotonic()
                    self._hub.keeper.reconsider()
            except TableError:
                pass  # the store does not answer: the next round asks again
            except Exception:  # noqa: BLE001 - one bad row must not end all housekeeping
                _log.exception("housekeeping failed")
            await asyncio.sleep(_ROUND)

    async def _one_round(self) -> None:
        TABLES.set(len(self._hub.hall.live))
        self.drop_idle()
        await self._hub.presence.heartbeat()
        await self._hub.presence.recount()
        await self._hub.raters.settle()
        await self._hub.standing.look_at_all()
        await self.inherit()

    async def inherit(self) -> None:
        """Look after the games of processes that are no more."""
        peers = self._hub.following.peers
        if not self._hub.following.hears:
            return
        for process in peers.silent():
            # Before any clock is looked at: whoever was led there could not decide, also where it was
            # ended for that and has been started anew since.
            if not peers.has_left(process):
                await self._hub.hall.pauses.silence(*peers.silence(process))
            if not peers.replaced(process):
                _log.warning("another process is gone: its games are looked after", gone=process)
                await self.wake()
            peers.drop(process)

    def drop_idle(self) -> None:
        """Free the memory of tables nobody is at, the longest unused first if there are too many."""
        now = time.monotonic()
        hall, config = self._hub.hall, self._hub.config
        idle = sorted((t for t in hall.live.values() if _is_idle(t)), key=lambda t: t.used_at)
        surplus = len(hall.live) - config.live_tables
        for count, table in enumerate(idle):
            if count < surplus or now - table.used_at > config.idle_seconds:
                hall.forget(table)

    async def sweep(self) -> None:
        """End abandoned games and remove tables that nobody started."""
        hub, pauses = self._hub, self._hub.hall.pauses
        # After a long time without a server, or with a clock that was set, nothing has grown old.
        await pauses.beat()
        idle_since = pauses.ago(round(hub.config.abandon_days * _DAY))
        never_since = pauses.ago(round(hub.config.stale_open_days * _DAY))
        guests_since, sessions_since = (pauses.ago(n * _DAY) for n in (_GUEST_DAYS, _SESSION_DAYS))
        abandoned, never = await hub.store.read(
            lambda connection: (
                _abandoned(connection, idle_since),
                _never_started(connection, never_since),
            )
        )

        async def end(game: str) -> None:
            await hub.manners.close(await hub.hall.open(game), "abandoned")

        async def remove(game: str) -> None:
            await hub.lobby.discard(await hub.hall.open(game))

        await _each(abandoned, end)
        await _each(never, remove)
        forgotten = await hub.store.write(
            lambda connection: _forget_guests(connection, guests_since, sessions_since)
        )
        await hub.store.write(forget_old)
        if abandoned or never or forgotten:
            _log.info("swept", abandoned=len(abandoned), removed=len(never), guests=forgotten)

    async def wake(self, *, everything: bool = False) -> None:
        """Open games in which something happens by itself: a bot decides, a clock runs out.

        After a restart nobody may look at them for days, waiting to be told. Of several processes each
        has its share: all of them in each would be as many times the memory.
        """
        own = self._hub.hall.process
        among = [own] if everything else [own, *self._hub.following.peers.present()]

        def share(connection: sa.Connection) -> list[str]:
            return [game for game in _moves_by_itself(connection) if keeper(among, game) == own]

        mine = await self._hub.store.read(share)
        await _each([game for game in mine if game not in self._hub.hall.live], self._hub.opened)


async def _each(chosen: Iterable[str], do: Callable[[str], Awaitable[object]]) -> None:
    """One after the other: a game that cannot be opened under these rules keeps no other waiting.

    Somebody may begin or remove one at this very moment; that is no fault either.

    Raises:
        TableError: `busy`, the store does not answer.
    """
    for game in chosen:
        try:
            await do(game)
        except TableError as error:
            if error.code == "busy":
                raise
        except Exception:  # noqa: BLE001 - one bad row must not end all housekeeping
            _log.exception("a game cannot be looked after", game=game)
        await asyncio.sleep(0)


def _is_idle(table: Table) -> bool:
    thinking = table.bot_task is not None and not table.bot_task.done()
    ticking = table.clock_timer is not None
    waited = table.listeners or table.waited_for
    return not (waited or thinking or ticking or table.lock.wanted)


def _abandoned(connection: sa.Connection, since: int) -> list[str]:
    last = (
        sa.select(sa.func.max(entries.c.at)).where(entries.c.game == games.c.id).scalar_subquery()
    )
    query = sa.select(games.c.id).where(
        games.c.status == "running", sa.func.coalesce(last, games.c.started) < since
    )
    return list(connection.execute(query).scalars())


def _never_started(connection: sa.Connection, since: int) -> list[str]:
    """Tables that waited too long, and what is left of a record that was not stored to its end:
    nothing has been decided at a table that waits.
    """
    cut_off = sa.and_(
        games.c.created < now_ms() - _HOUR, sa.exists().where(entries.c.game == games.c.id)
    )
    query = sa.select(games.c.id).where(
        games.c.status == "open", sa.or_(games.c.created < since, cut_off)
    )
    return list(connection.execute(query).scalars())


def _forget_guests(connection: sa.Connection, since: int, sessions_since: int) -> int:
    """Guests who came once, long ago, and never sat anywhere; and sessions too old to be good."""
    connection.execute(sessions.delete().where(sessions.c.created < sessions_since))
    gone = sa.select(people.c.id).where(
        people.c.account.is_(None),
        people.c.created < since,
        ~sa.exists().where(seats.c.person == people.c.id),
        ~sa.exists().where(games.c.host == people.c.id),
        ~sa.exists().where(tokens.c.person == people.c.id),
        ~sa.exists().where(studies.c.person == people.c.id),
        ~sa.exists().where(reports.c.by == people.c.id),
        people.c.banned_until.is_(None),
        ~sa.exists().where(seekers.c.person == people.c.id),
        ~sa.exists().where(sa.or_(ties.c.person == people.c.id, ties.c.other == people.c.id)),
        ~sa.exists().where(
            sa.or_(invitations.c.person == people.c.id, invitations.c.sender == people.c.id)
        ),
    )
    for table in (sessions, pushes, archived):
        connection.execute(table.delete().where(table.c.person.in_(gone)))
    return changed_rows(connection.execute(people.delete().where(people.c.id.in_(gone))))


def _moves_by_itself(connection: sa.Connection) -> list[str]:
    running = games.c.status == "running"
    bots = sa.or_(seats.c.bot.is_not(None), seats.c.standin.is_not(None))
    with_bots = sa.select(seats.c.game).where(bots).distinct()
    query = sa.select(games.c.id, games.c.options, games.c.id.in_(with_bots).label("bots"))
    rows = connection.execute(query.where(running))
    return [row.id for row in rows if row.bots or _may_run_out(row.options)]


def _may_run_out(options: dict[str, Any]) -> bool:
    clock = options.get("clock")
    return clock is not None and clock["consequence"] != "none"
