"""Writes: one thread commits whatever waits at a time.

A write is a function over a connection. Whatever waits is committed together, so that a thousand
tables share one fsync; if any of them fails, the batch is rolled back and tried once more, each with a
way back of its own: what cannot be done costs the others no commit for each of them. What many of them
do alike (a line of the log, a word to other processes) they leave to the end of the transaction, where
all of it goes to the database at once. Where its answer gets lost, nothing is tried again.
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

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["Conflict", "InDoubt", "Writer", "at_commit", "transaction"]

_BATCH = 256
#: Seconds between the beginnings of two commits where several wait: a commit of three costs little
#: more than one of one, and who waits for a machine does not feel it.
_PACE = 0.01


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

    __slots__ = ("error", "future", "loop", "result", "work")

    def __init__(
        self,
        work: Callable[[sa.Connection], Any],
        loop: asyncio.AbstractEventLoop,
        future: asyncio.Future[Any],
    ) -> None:
        self.work, self.loop, self.future = work, loop, future
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
        return self._jobs.qsize()

    def put(self, work: Callable[[sa.Connection], Any], future: asyncio.Future[Any]) -> None:
        """Have it done, and the future, of the running event loop, told how it went."""
        self._jobs.put(_Job(work, asyncio.get_running_loop(), future))

    def _drain(self) -> None:
        began, company = 0.0, False
        while True:
            job = self._jobs.get()
            if company:
                time.sleep(max(0.0, began + _PACE - time.monotonic()))
            batch: list[_Job] = []
            while job is not None:
                batch.append(job)
                if len(batch) == _BATCH or self._jobs.empty():
                    break
                job = self._jobs.get()
            began, company = time.monotonic(), len(batch) > 1
            with COMMIT_SECONDS.time():
                self._commit(batch)
            _settle(batch)
            if job is None:
                return

    def _commit(self, batch: list[_Job]) -> None:
        # Who waited in vain has been told so, and may have tried again.
        batch = [job for job in batch if not job.future.done()]
        if not batch:
            return
        try:
            with transaction(self._connect) as connection:
                for job in batch:
                    job.result = job.work(connection)
        except Exception as error:  # noqa: BLE001 - whatever it is, the one who asked must hear it
            if len(batch) == 1 or isinstance(error, InDoubt):
                # What may be stored is not done once more: it would be there twice.
                _fail(batch, error)
            else:
                self._commit_with_care(batch)

    def _commit_with_care(self, batch: list[_Job]) -> None:
        """Where one of them failed: the others share a commit all the same."""
        try:
            with transaction(self._connect) as connection:
                for job in batch:
                    try:
                        with _way_back(connection):
                            job.result = job.work(connection)
                    except Exception as error:  # noqa: BLE001 - as above
                        job.error = error
        except InDoubt as error:
            _fail([job for job in batch if job.error is None], error)
        except Exception:  # noqa: BLE001 - at its end, where nobody sees whose fault it is
            for job in batch:
                job.error = None
                self._commit([job])


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
