"""Writes: one thread commits whatever waits at a time.

A write is a function over a connection. Whatever waits is committed together, so that a thousand
tables share one fsync; if any of them fails, the batch is rolled back and tried once more, each with a
way back of its own: what cannot be done costs the others no commit for each of them. What many of them
do alike (a line of the log, a word to other processes) they leave to the end of the transaction, where
all of it goes to the database at once. Where its answer gets lost, nothing is tried again. Each address
has its turn, and a crowd of one address goes in parts where others wait for the end of its commit.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import queue
import threading
import time
from typing import TYPE_CHECKING, Any

import psycopg
import sqlalchemy as sa

from hansa.server.metrics import COMMIT_SECONDS
from hansa.server.queues import ASKED_FROM, Lines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["Conflict", "InDoubt", "Writer", "at_commit", "transaction"]

_BATCH = 256
#: Seconds between the beginnings of two commits where several wait: a commit of three costs little
#: more than one of one, and who waits for a machine does not feel it.
_PACE = 0.01
#: Seconds after which a commit takes up nothing more where others wait for its end.
_LONG = 0.02


def _is_news(record: logging.LogRecord) -> bool:
    """Whoever asked hears what could not be written; the driver would have the host read that as well,
    where the pipeline that carried it ends.
    """
    return not str(record.msg).startswith("error ignored terminating")


logging.getLogger("psycopg").addFilter(_is_news)


class Conflict(Exception):
    """Somebody else wrote first; read again."""


class InDoubt(Exception):
    """The answer to a commit got lost: the store alone knows whether it was one."""


class _Job:
    """One write that waits for its commit."""

    __slots__ = ("error", "future", "loop", "result", "whose", "work")

    def __init__(
        self,
        work: Callable[[sa.Connection], Any],
        loop: asyncio.AbstractEventLoop,
        future: asyncio.Future[Any],
    ) -> None:
        self.work, self.loop, self.future = work, loop, future
        self.whose = ASKED_FROM.get()
        self.result: Any = None
        self.error: Exception | None = None

    def settle(self) -> None:
        if self.future.done():
            return
        if self.error is not None:
            self.future.set_exception(self.error)
        else:
            self.future.set_result(self.result)


class Writer:
    """The thread and what waits for it."""

    def __init__(self, connect: Callable[[], sa.Connection]) -> None:
        self._connect = connect
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        #: Those of them whom the thread has looked at; how many.
        self._lines, self._looked_at = Lines[_Job](), 0
        self._thread = threading.Thread(target=self._drain, name="store-write", daemon=True)
        self._started = False

    def start(self) -> None:
        """Begin."""
        self._thread.start()
        self._started = True

    def close(self) -> None:
        """Finish what was asked for."""
        if self._started:
            self._jobs.put(None)
            self._thread.join()

    @property
    def waiting(self) -> int:
        """Writes that wait for the next commit."""
        return self._jobs.qsize() + self._looked_at

    def put(self, work: Callable[[sa.Connection], Any], future: asyncio.Future[Any]) -> None:
        """Have it done, and the future, of the running event loop, told how it went."""
        self._jobs.put(_Job(work, asyncio.get_running_loop(), future))

    def _drain(self) -> None:
        began, company, last = 0.0, False, False
        while not last or self._lines:
            if not self._lines:
                last = self._look_at(self._jobs.get())
            if company:
                time.sleep(max(0.0, began + _PACE - time.monotonic()))
            while not last and not self._jobs.empty():
                last = self._look_at(self._jobs.get())
            batch = self._in_turn()
            began, company = time.monotonic(), len(batch) > 1
            if not batch:
                continue
            with COMMIT_SECONDS.time():
                left = self._commit(batch)
            _settle(batch[: len(batch) - len(left)])
            self._lines.put_back((job.whose, job) for job in left)
            self._looked_at += len(left)

    def _look_at(self, job: _Job | None) -> bool:
        """Take one more; whether it was the last."""
        if job is None:
            return True
        self._lines.add(job.whose, job)
        self._looked_at += 1
        return False

    def _in_turn(self) -> list[_Job]:
        """Those whose turn it is."""
        batch: list[_Job] = []
        while len(batch) < _BATCH and (found := self._lines.next()) is not None:
            self._looked_at -= 1
            # Who waited in vain has been told so, and may have tried again.
            if not found[1].future.done():
                batch.append(found[1])
        return batch

    def _in_time(self, batch: list[_Job]) -> Iterator[_Job]:
        """Those for whom there is time: the first, and all where nobody else waits for their end."""
        until, several = time.monotonic() + _LONG, len({job.whose for job in batch}) > 1
        for n, job in enumerate(batch):
            if n and time.monotonic() > until and (several or not self._jobs.empty()):
                return
            yield job

    def _commit(self, batch: list[_Job]) -> list[_Job]:
        """Gives those for whom there was no time."""
        tried: list[_Job] = []
        try:
            with transaction(self._connect) as connection:
                for job in self._in_time(batch):
                    tried.append(job)
                    job.result = job.work(connection)
        except Exception as error:  # noqa: BLE001 - whatever it is, the one who asked must hear it
            if len(batch) > 1 and not isinstance(error, InDoubt):
                return self._commit_with_care(batch)
            # What may be stored is not done once more: it would be there twice.
            tried = tried or batch
            _fail(tried, error)
        return batch[len(tried) :]

    def _commit_with_care(self, batch: list[_Job]) -> list[_Job]:
        """Where one of them failed: the others share a commit all the same."""
        tried: list[_Job] = []
        try:
            with transaction(self._connect) as connection:
                for job in self._in_time(batch):
                    tried.append(job)
                    try:
                        with _way_back(connection):
                            job.result = job.work(connection)
                    except Exception as error:  # noqa: BLE001 - as above
                        job.error = error
        except InDoubt as error:
            _fail([job for job in tried if job.error is None], error)
        except Exception:  # noqa: BLE001 - at its end, where nobody sees whose fault it is
            tried = tried or batch
            for job in tried:
                job.error = None
                if not job.future.done():
                    self._commit([job])
        return batch[len(tried) :]


@contextlib.contextmanager
def transaction(connect: Callable[[], sa.Connection]) -> Iterator[sa.Connection]:
    """All or nothing; what is left to its end is done there."""
    with connect() as connection, connection.begin() as begun:
        connection.info["left"] = {}
        yield connection
        left = connection.info.pop("left")
        try:
            with _in_one_go(connection):
                for write, items in left.items():
                    write(connection, items)
                begun.commit()
        except sa.exc.IntegrityError as error:
            raise Conflict from error


@contextlib.contextmanager
def _way_back(connection: sa.Connection) -> Iterator[None]:
    """Part of a transaction: where it fails, nothing of it is left, and the rest goes on."""
    left = {write: len(items) for write, items in connection.info["left"].items()}
    try:
        with connection.begin_nested():
            yield
    except Exception:
        for write, items in list(connection.info["left"].items()):
            del items[left.get(write, 0) :]
            if not items:
                del connection.info["left"][write]
        raise


def at_commit(
    connection: sa.Connection, write: Callable[[sa.Connection, list[Any]], None], item: Any
) -> None:
    """Leave `write` to the end of the transaction, with all else that it was asked for in it.

    Where it meets a row that is there already, the transaction ends with Conflict.
    """
    connection.info["left"].setdefault(write, []).append(item)


@contextlib.contextmanager
def _in_one_go(connection: sa.Connection) -> Iterator[None]:
    """To PostgreSQL all statements travel together, and one answer comes back for all of them."""
    if connection.dialect.name != "postgresql":
        yield
        return
    driver: psycopg.Connection[Any] = connection.connection.driver_connection  # type: ignore[assignment]  # ours
    try:
        with driver.pipeline() as pipeline:
            yield
            pipeline.sync()
    except (psycopg.Error, sa.exc.DBAPIError) as error:
        # SQLAlchemy takes it for committed by now.
        try:
            driver.rollback()
        except psycopg.Error:
            # The server's last word has come, the end of the line perhaps not yet.
            driver.close()
        if driver.closed:
            connection.invalidate(error)
            raise InDoubt(str(error)) from error
        if isinstance(error, sa.exc.DBAPIError):
            raise
        # It was told on the way back, where SQLAlchemy does not see it.
        raise sa.exc.DBAPIError.instance(
            None, None, error, psycopg.Error, dialect=connection.dialect
        ) from error


def _fail(batch: list[_Job], error: Exception) -> None:
    for job in batch:
        job.error = error


def _settle(batch: list[_Job]) -> None:
    by_loop: dict[asyncio.AbstractEventLoop, list[_Job]] = {}
    for job in batch:
        by_loop.setdefault(job.loop, []).append(job)
    for loop, jobs in by_loop.items():
        if not loop.is_closed():
            loop.call_soon_threadsafe(_settle_here, jobs)


def _settle_here(jobs: list[_Job]) -> None:
    for job in jobs:
        job.settle()
