"""The one authority: every change of every table goes through here.

A change is prepared on copies, stored durably, and only then shown: nobody is ever told something
that a crash could take back. All of it happens under the table's lock; between processes the log's
primary key decides who was first.
"""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec
import sqlalchemy as sa
import structlog

from hansa.server import archive, ladder, logbook
from hansa.server.errors import TableError
from hansa.server.loading import is_behind, read_news, read_table
from hansa.server.model import Entry, Meta, Seat, new_id
from hansa.server.pauses import Pauses
from hansa.server.store import tell_at_commit
from hansa.server.table import Table
from hansa.server.wire.positions import Score
from hansa.server.wire.table import EndReason, Result
from hansa.server.writing import Conflict

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Coroutine

    import hansa
    from hansa.server.config import Config
    from hansa.server.store import Store

__all__ = ["Hall", "check_number", "check_running", "ended", "stale", "tell"]

T = TypeVar("T")
_log = structlog.get_logger()
#: Seconds for what is under way when the server is told to stop.
_FINISH = 5.0


class Hall:
    """All tables of this process; those in use are held in memory."""

    def __init__(self, store: Store, config: Config) -> None:
        self.store = store
        self.config = config
        self.process = new_id(8)
        self.pauses = Pauses(store)
        self.pauses.tell = lambda connection: self.tell(connection, "", 0)
        self.live: dict[str, Table] = {}
        #: Called after each change: bots, clocks and notifications look at the table.
        self.watchers: list[Callable[[Table, bool], None]] = []
        #: Asked of each table that is opened, whoever asked for it: who is at it through others.
        self.meet: Callable[[Table], Awaitable[None]] = _meet_nobody
        #: Tables whose last change may be stored or not, until the store has been asked.
        self.doubted: set[Table] = set()
        self.closing = False
        self._loading: dict[str, asyncio.Future[Table]] = {}
        #: Tables that another process changed while they were being read.
        self._stirred: set[str] = set()
        self._tasks: set[asyncio.Task[Any]] = set()

    # Opening

    async def open(self, game: str) -> Table:
        """The table of that id, from memory or from the store.

        Raises:
            TableError: `not_found`.
        """
        table = self.live.get(game)
        if table is not None:
            table.used_at = table.asked_at = time.monotonic()
            return table
        if game not in self._loading:
            self._loading[game] = asyncio.ensure_future(self._load(game))
        return await asyncio.shield(self._loading[game])

    async def _load(self, game: str) -> Table:
        try:
            loaded = await self.store.read(lambda connection: read_table(connection, game))
            if loaded is None:
                raise TableError("not_found", "There is no such table.")
            table = Table(loaded)
            table.moved = self.pauses.moved
            await self.meet(table)
            self.live[game] = table
        finally:
            self._loading.pop(game, None)
            stirred = game in self._stirred
            self._stirred.discard(game)
        try:
            if stirred:
                await self.meet(table)
                await self.catch_up(table)
        finally:
            # Also where the store does not answer: it is in memory, and nobody else sets its clock.
            if self.live.get(game) is table:
                self.announce(table, mine=False)
        return table

    def is_loading(self, game: str) -> bool:
        """Whether a table is being read just now."""
        return game in self._loading

    def stir(self, game: str) -> None:
        """Another process changed a table: if it is just being read, that was too early."""
        if game in self._loading:
            self._stirred.add(game)

    def stir_all(self) -> None:
        """Any table may have been changed."""
        self._stirred.update(self._loading)

    async def catch_up(self, table: Table) -> None:
        """Take over what another process stored: play on where it only went on, else read anew."""
        if await self.store.read(lambda connection: is_behind(connection, table.known())):
            await self.take_news(table)

    async def take_news(self, table: Table) -> None:
        """The same where it is known that there is something."""
        async with table.lock:
            await self.follow(table)
        self.announce(table, mine=False)

    async def follow(self, table: Table) -> None:
        """Take over what the store has more; the caller holds the lock."""
        news = await self.store.read(lambda connection: read_news(connection, table.known()))
        if news is None or table.doubtful:
            await self._reload(table)
        else:
            table.follow(news)

    async def _reload(self, table: Table) -> None:
        loaded = await self.store.read(lambda connection: read_table(connection, table.id))
        if loaded is None:
            self.forget(table)
            table.removed = True
            table.changed(face=True)
            raise TableError("not_found", "This table was removed.")
        table.take(loaded)
        table.changed(face=True)

    def forget(self, table: Table) -> None:
        """Drop a table from memory; it can be opened again."""
        self.live.pop(table.id, None)
        if table.bot_task is not None:
            table.bot_task.cancel()
        for timer in (table.clock_timer, table.absence_timer):
            if timer is not None:
                timer.cancel()

    # Changing

    async def guard(self, work: Coroutine[Any, Any, T]) -> T:
        """Let `work` finish even when the one who asked is gone: a commit has no way back."""
        if self.closing:
            work.close()
            raise TableError("shutting_down", "The server is restarting; come back in a moment.")
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            task.add_done_callback(_unheard)
            raise

    async def finish(self) -> None:
        """Wait for every change that is under way, unless the store hangs; none is begun any more."""
        self.closing = True
        for table in list(self.live.values()):
            self.forget(table)
            table.answer_all()
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=_FINISH)

    async def commit(
        self,
        table: Table,
        entries: list[Entry],
        meta: Meta | None = None,
        game: hansa.Game | None = None,
        extra: Callable[[sa.Connection], None] | None = None,
    ) -> None:
        """Store, then show. The caller holds the table's lock.

        Raises:
            TableError: `stale_number` if another process was faster.
        """
        number = entries[-1].number if entries else table.number
        every = self.config.snapshot_every
        position = None
        if game is not None and entries and number % every == 0:
            position = game.to_dict()
        # Before it is known whether the others will hear it: the answer may get lost.
        revision = table.told = entries[-1].revision if entries else table.revision

        def work(connection: sa.Connection) -> None:
            logbook.add_entries(connection, table.id, entries)
            for entry in entries:
                if entry.kind == "undo":
                    logbook.drop_snapshots(connection, table.id, entry.number)
            if meta is not None:
                archive.save_meta(connection, meta)
                if meta.status == "over" and table.meta.status != "over":
                    ladder.note(connection, meta, entries)
            if position is not None:
                logbook.save_snapshot(connection, table.id, number, position)
            if extra is not None:
                extra(connection)
            self.tell(connection, table.id, revision)

        try:
            await self.store.write(work)
        except Conflict as conflict:
            await self.follow(table)
            raise stale(table) from conflict
        except Exception as error:
            # Perhaps it was committed and only the answer got lost: the store knows.
            table.doubtful = True
            self.doubted.add(table)
            self.pauses.refused |= isinstance(error, TableError) and error.code == "busy"
            raise
        if meta is not None:
            meta.version += 1
        table.advance(entries, meta, game)
        self.announce(table, mine=True)

    def tell(
        self, connection: sa.Connection, game: str, revision: int, *, people: bool = False
    ) -> None:
        """Tell the other processes, in the same transaction: they hear it when it is true."""
        if self.store.shared:
            tell(connection, game, revision, self.process, people=people)

    def announce(self, table: Table, *, mine: bool) -> None:
        """Let bots, clocks and notifications look at the table."""
        for watcher in self.watchers:
            watcher(table, mine)

    async def change(
        self,
        table: Table,
        edit: Callable[[Meta], list[Entry] | None],
        game: Callable[[Meta], hansa.Game | None] | None = None,
    ) -> None:
        """Edit a copy of the table's description and store it; tried again if somebody else did.

        `edit` raises what forbids it; it may give log entries that belong to the change.
        """
        for _ in range(5):
            async with table.lock:
                await self.settle(table)
                meta = msgspec.convert(msgspec.to_builtins(table.meta), Meta)
                entries = edit(meta) or []
                made = game(meta) if game else None
                try:
                    await self.commit(table, entries, meta, made)
                except TableError as error:
                    if error.code != "stale_number":
                        raise
                    continue
                return
        raise TableError("busy", "Too many people change this table at once; try again.")

    async def settle(self, table: Table) -> None:
        """Before a change: after a write in doubt the store knows what is true, and after a pause
        how late it is. Whoever decides right after one shall not pay for it.
        """
        await self.pauses.look()
        if table.doubtful:
            await self._reload(table)
            # What was stored may have made it a bot's turn, or set another clock going.
            self.announce(table, mine=True)

    async def make_sure(self) -> None:
        """Ask the store about all changes in doubt: perhaps nobody tries again, and people wait."""
        if self.doubted:
            # What still hangs on its way to the store comes before this.
            await self.pauses.beat()
        for table in list(self.doubted):
            self.doubted.discard(table)
            try:
                async with table.lock:
                    if self.live.get(table.id) is table:
                        await self.settle(table)
            except TableError as error:
                if error.code == "busy":
                    self.doubted.add(table)


async def _meet_nobody(_table: Table) -> None:
    """Alone there are no others."""


def _unheard(task: asyncio.Task[Any]) -> None:
    """Whoever asked is gone: that he was refused is nobody's fault, and nothing to be logged."""
    error = None if task.cancelled() else task.exception()
    if error is not None and not isinstance(error, TableError):
        _log.error("a change failed", exc_info=error)


def tell(
    connection: sa.Connection, game: str, revision: int, process: str, *, people: bool = False
) -> None:
    """Say to the other processes that a table changed; it is heard after the commit."""
    data = {"game": game, "revision": revision, "from": process, "people": people}
    tell_at_commit(connection, data)


def stale(table: Table, number: int | None = None) -> TableError:
    """The table has gone on since whoever asked looked at it."""
    meant = f", this was meant for {number}" if number is not None else ""
    return TableError(
        "stale_number",
        f"The table is at decision {table.number}{meant}. "
        "Look at the present position and decide again.",
        number=table.number,
        revision=table.revision,
    )


def check_number(table: Table, number: int, revision: int | None) -> None:
    """A click on an old position is refused, never applied to a new one."""
    if number != table.number or (revision is not None and revision != table.revision):
        raise stale(table, number)


def check_running(table: Table) -> None:
    """Raise unless the game is being played."""
    if table.meta.status == "open":
        raise TableError("not_started", "The game has not started yet.")
    if table.meta.status == "over":
        raise TableError("game_over", "The game is over.")


def _left(seat: Seat, reason: EndReason, decider: str) -> bool:
    """Whether somebody did not play to the end."""
    lapsed = reason == "abandoned" and seat.seat == decider
    return seat.kind == "human" and (seat.conceded or seat.standin is not None or lapsed)


def ended(meta: Meta, game: hansa.Game, reason: EndReason, at: int) -> Meta:
    """A copy of the table's description with its result."""
    meta = msgspec.convert(msgspec.to_builtins(meta), Meta)
    conceded = [seat.seat for seat in meta.seats if seat.conceded]
    scores: dict[str, Score] = {player: dict(parts) for player, parts in game.scores().items()}
    winners = [player for player in game.winners if player not in conceded]
    if not winners and reason not in {"agreed", "abandoned", "closed"}:
        rest = {p: parts["total"] or 0 for p, parts in scores.items() if p not in conceded}
        best = max(rest.values(), default=0)
        winners = [player for player, total in rest.items() if total == best]
    meta.status, meta.ended, meta.proposals = "over", at, []
    result = Result(
        reason=reason,
        winners=winners,
        scores=scores,
        conceded=conceded,
        left=[seat.seat for seat in meta.seats if _left(seat, reason, game.player)],
    )
    meta.result = msgspec.to_builtins(result)
    return meta
