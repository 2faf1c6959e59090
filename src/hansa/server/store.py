"""The database: reads in a few threads, writes in one that commits many at a time (`writing`)."""

from __future__ import annotations

import asyncio
import contextlib
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, TypeVar, cast

import msgspec
import sqlalchemy as sa
import structlog
from alembic import command
from alembic.config import Config as AlembicConfig
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory

from hansa.errors import HansaError
from hansa.server.copies import backup, give_to_owner
from hansa.server.errors import TableError
from hansa.server.lines import (
    ALIVE,
    LIMITS,
    NO_LIMITS,
    Lines,
    check_line,
    hold_briefly,
    is_alone,
)
from hansa.server.metrics import STORE_ERRORS
from hansa.server.queues import ASKED_FROM, Queue
from hansa.server.writing import InDoubt, Writer, at_commit, transaction

if sys.platform != "win32":
    import fcntl

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["CHANNEL", "Store", "StoreError", "tell_at_commit"]

T = TypeVar("T")
_log = structlog.get_logger()
#: The channel on which processes tell each other which table or person changed, nothing else.
CHANNEL = "hansa_tables"
#: So many tellings go out as one: a notification has at most 8,000 bytes.
_TOLD = 60
#: Seconds after which who asked is told that the store does not answer.
_PATIENCE = 15.0
_NOTIFY = "SELECT pg_notify(%s, %s)"
#: What a database says that is not there, or not just now: lost, full, locked, taking no writes.
_AWAY = (
    sa.exc.OperationalError,
    sa.exc.InterfaceError,
    sa.exc.InternalError,
    sa.exc.TimeoutError,
    TimeoutError,
    InDoubt,
)


class StoreError(HansaError):
    """The database cannot be opened or used."""


class Store:
    """One database; `read` and `write` take functions over an open connection."""

    def __init__(self, url: str, *, fsync: bool = True, readers: int = 4) -> None:
        try:
            self.url = sa.make_url(url)
        except sa.exc.ArgumentError:
            # Not the address itself: it may hold a password.
            raise StoreError(
                "cannot read the database's address: it is like postgresql://user:password@host/name"
            ) from None
        self.kind = self.url.get_backend_name()
        self._fsync = fsync
        self._lines = Lines()
        self._engine = self._make_engine(readers)
        self._reading = self._read_engine(readers)
        self._readers = ThreadPoolExecutor(readers, thread_name_prefix="store-read")
        # Whoever has many tables opened at once holds up nobody else's question who he is.
        self._waiting = Queue(readers)
        self._writer = Writer(self._connect)
        self._claim: IO[str] | None = None
        #: What it does not do just now: read, write.
        self._failing: set[str] = set()

    @property
    def waiting(self) -> int:
        """Writes that wait for the next commit."""
        return self._writer.waiting

    @property
    def shared(self) -> bool:
        """Whether other processes may be playing in the same database."""
        return self.kind == "postgresql"

    def _make_engine(self, readers: int) -> sa.Engine:
        if self.kind == "postgresql":
            engine = self._postgresql(pool_size=2)
            sa.event.listen(engine, "checkout", check_line)
            return engine
        if self.kind != "sqlite":
            raise StoreError(f"cannot use {self.kind} as database: give a sqlite or postgresql URL")
        engine = sa.create_engine(self.url, pool_size=readers + 1, connect_args={"timeout": 30})
        sa.event.listen(engine, "connect", self._prepare_sqlite)
        sa.event.listen(engine, "begin", _begin_sqlite)
        return engine

    def _read_engine(self, readers: int) -> sa.Engine:
        """For reads of several statements: all of them see the store at one moment."""
        if self.kind != "postgresql":
            # Between BEGIN and its end SQLite shows one moment anyway.
            return self._engine
        # A ping before each would double the way: a read that finds its line cut is done again.
        engine = self._postgresql(pool_size=readers, isolation_level="REPEATABLE READ")
        sa.event.listen(engine, "connect", _only_reads)
        return engine

    def _postgresql(self, **options: Any) -> sa.Engine:
        url = self.url.set(drivername="postgresql+psycopg")
        given = {**ALIVE, "options": f"{self.url.query.get('options', '')} {LIMITS}".strip()}
        engine = sa.create_engine(url, connect_args=given, pool_timeout=10, **options)
        self._lines.watch(engine)
        return engine

    def _prepare_sqlite(self, connection: Any, _record: Any) -> None:
        # The driver's own BEGIN comes too late for a consistent read: we say it ourselves.
        connection.isolation_level = None
        cursor = connection.cursor()
        cursor.execute("PRAGMA journal_mode=WAL")
        cursor.execute(f"PRAGMA synchronous={'FULL' if self._fsync else 'NORMAL'}")
        cursor.execute("PRAGMA foreign_keys=ON")
        cursor.close()

    def _make_place(self) -> None:
        """The file holds the key of every cookie: it is for the server's user alone."""
        if self.kind != "sqlite" or not self.url.database or self.exists():
            return
        self._make(Path(self.url.database), 0o600)

    @staticmethod
    def _make(file: Path, mode: int) -> None:
        """A file of the server, in a folder that is for its user alone too."""
        try:
            file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            if not file.exists():
                file.touch(mode=mode)
                give_to_owner(file)
        except OSError as error:
            raise StoreError(f"cannot make {file}: {error.strerror}") from error

    def migrate(self, revision: str = "head", *, by_host: bool = False) -> None:
        """Bring the database to the present layout; `by_host` by one of his commands, before a server.

        Raises:
            StoreError: it cannot be used, or is of a newer version, or servers of an older one run.
        """
        config = AlembicConfig()
        config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
        try:
            self._make_place()
            with self._connect() as connection, connection.begin():
                if self.kind == "postgresql":
                    connection.execute(sa.text(NO_LIMITS))
                    # Two processes start at once: the second waits and finds the work done.
                    connection.execute(sa.text("SELECT pg_advisory_xact_lock(4242424242)"))
                config.attributes["connection"] = connection
                self._check_age(connection, config, by_host)
                command.upgrade(config, revision)
        except sa.exc.SQLAlchemyError as error:
            raise self.useless(error) from error

    def _check_age(self, connection: sa.Connection, config: AlembicConfig, by_host: bool) -> None:
        """A newer layout is refused; an older one of SQLite is copied before it is changed.

        Nor is it changed under servers of the older version: a host's command may come before their
        restart. (A server's own start may be one of several after all were stopped.)
        """
        there = MigrationContext.configure(connection).get_current_revision()
        known = [script.revision for script in ScriptDirectory.from_config(config).walk_revisions()]
        if there is None or there == known[0]:
            return
        if there not in known:
            raise StoreError(
                f"the database {self.url.render_as_string()} has layout {there}, and this version "
                f"of Hansa knows {known[0]} at most: install the newer version again, or restore "
                "a backup that this one made (hansa admin restore)"
            )
        if by_host and not is_alone(connection):
            raise StoreError(
                f"the database {self.url.render_as_string()} has layout {there}, and servers of that "
                "version use it: stop them and start this version's, then try again"
            )
        if self.kind == "sqlite" and self.url.database:
            self.claim(patience=0.0)
            file = Path(self.url.database)
            # Anew where there is one: it was rolled back, and people have played on since.
            kept = file.with_name(f"{file.name}.before-{known[0]}")
            backup(file, kept, again=True)
            give_to_owner(kept)

    def exists(self) -> bool:
        """Whether there is a database, or a server that may have one."""
        database = self.url.database
        return self.kind != "sqlite" or (database is not None and Path(database).is_file())

    def claim(self, patience: float = 3.0) -> None:
        """Make sure that no other server uses this SQLite file: it would not hear of changes.

        The system frees the claim when the process ends, however it ends.
        """
        if sys.platform == "win32" or self.kind != "sqlite" or not self.url.database:
            return
        if self._claim is not None:
            return
        # Beside the store, which need not be there yet: a backup may be on its way into its place.
        # By whatever way somebody comes to it.
        lock = Path(f"{Path(self.url.database).resolve()}.lock")
        self._make(lock, 0o644)
        try:
            self._claim = lock.open("a", encoding="ascii")
        except OSError as error:
            raise StoreError(f"cannot use {lock}: {error.strerror}") from error
        until = time.monotonic() + patience
        while True:
            try:
                fcntl.flock(self._claim, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as error:
                if time.monotonic() < until:
                    time.sleep(0.05)
                    continue
                self._claim.close()
                self._claim = None
                raise StoreError(
                    f"another server uses {self.url.database}: stop it, or choose another --data"
                ) from error
            return

    def start(self) -> None:
        """Begin to accept writes."""
        if self.shared:
            sa.event.listen(self._engine, "connect", hold_briefly)
            self._engine.dispose()
            self._lines.start()
        self._writer.start()

    def close(self) -> None:
        """Finish what was asked for, then close."""
        self._writer.close()
        self._readers.shutdown(wait=True)
        self._lines.stop()
        self._engine.dispose()
        self._reading.dispose()
        if self._claim is not None:
            self._claim.close()

    def see(self, work: Callable[[sa.Connection], T]) -> T:
        """Do `work`, which only reads, in this thread: nobody who writes has to wait for it.

        Raises:
            StoreError: the database does not answer; as `now`, this is for command lines.
        """
        with self._plainly():
            return self._read(work)

    def now(self, work: Callable[[sa.Connection], T]) -> T:
        """Do `work` in this thread, in a transaction of its own.

        Raises:
            StoreError: the database does not answer.
        """
        with self._plainly(), transaction(self._connect) as connection:
            return work(connection)

    @contextlib.contextmanager
    def _plainly(self) -> Iterator[None]:
        try:
            yield
        except Exception as error:
            if not _is_away(error):
                raise
            raise self.useless(error) from error

    def useless(self, error: BaseException | None) -> StoreError:
        """What to tell a host who cannot do anything before this is mended."""
        return StoreError(
            f"cannot use the database {self.url.render_as_string()}: {_reason(error)}"
        )

    def _connect(self) -> sa.Connection:
        return self._engine.connect().execution_options(write=True)

    def _read(self, work: Callable[[sa.Connection], T]) -> T:
        try:
            with self._reading.connect() as connection:
                return work(connection)
        except sa.exc.DBAPIError as error:
            if not error.connection_invalidated:
                raise
        with self._reading.connect() as connection:
            return work(connection)

    async def read(
        self, work: Callable[[sa.Connection], T], threads: ThreadPoolExecutor | None = None
    ) -> T:
        """Do `work` in a reading thread, each address in its turn; or in one of others' own."""
        if threads is not None:
            return await self._read_in(threads, work)
        async with self._waiting.turn(ASKED_FROM.get()):
            return await self._read_in(self._readers, work)

    async def _read_in(self, threads: ThreadPoolExecutor, work: Callable[[sa.Connection], T]) -> T:
        loop = asyncio.get_running_loop()
        with self._asked("read"):
            async with asyncio.timeout(_PATIENCE):
                return await loop.run_in_executor(threads, self._read, work)

    async def write(self, work: Callable[[sa.Connection], T]) -> T:
        """Do `work` and return when it is durable. It may run twice, so it changes nothing else."""
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._writer.put(work, future)
        with self._asked("write"):
            async with asyncio.timeout(_PATIENCE):
                return await future

    @contextlib.contextmanager
    def _asked(self, kind: str) -> Iterator[None]:
        """Whoever asks in vain is told to try again; the host is told once why."""
        try:
            yield
        except Exception as error:
            if not _is_away(error):
                raise
            self.note_failure(kind, error)
            raise _busy() from error
        if kind in self._failing:
            self._failing.discard(kind)
            _log.info("the store answers again", kind=kind)

    def note_failure(self, kind: str, error: Exception) -> None:
        """It was asked in vain, be it that somebody gave up sooner than it does: the host is told once."""
        STORE_ERRORS.labels(kind).inc()
        if kind not in self._failing:
            self._failing.add(kind)
            _log.warning("the store does not answer", kind=kind, error=_reason(error))


def _is_away(error: Exception) -> bool:
    # Of the general kind, and no special one of it, is what SQLite says of a damaged file.
    return isinstance(error, _AWAY) or type(error) is sa.exc.DatabaseError


def _reason(error: BaseException | None) -> str:
    """The first line: what follows are statements and what was in them."""
    return str(error or "").partition("\n")[0] or "no answer in time"


def tell_at_commit(connection: sa.Connection, data: dict[str, Any]) -> None:
    """Have something said on the channel with this transaction, together with the rest of it."""
    at_commit(connection, _tell, data)


def _tell(connection: sa.Connection, told: list[dict[str, Any]]) -> None:
    for first in range(0, len(told), _TOLD):
        data = msgspec.json.encode(told[first : first + _TOLD]).decode()
        connection.exec_driver_sql(_NOTIFY, (CHANNEL, data))


def _only_reads(connection: Any, _record: Any) -> None:
    connection.read_only = True


def _begin_sqlite(connection: sa.Connection) -> None:
    # A writer takes the lock at once: upgrading a read later could fail instead of waiting.
    write = connection.get_execution_options().get("write")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if write else "BEGIN")


def _busy() -> TableError:
    return TableError("busy", "The store does not answer just now; try again in a moment.")


def changed_rows(result: sa.Result[Any]) -> int:
    """How many rows an UPDATE or DELETE touched."""
    return int(cast("sa.CursorResult[Any]", result).rowcount)
