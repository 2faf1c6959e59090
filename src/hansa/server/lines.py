"""The lines to PostgreSQL: one that was cut without a word is noticed, and cut at this end too."""

from __future__ import annotations

import contextlib
import os
import select
import socket
import threading
import time
from typing import TYPE_CHECKING, Any

import psycopg
import sqlalchemy as sa
import structlog

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = [
    "ALIVE",
    "LIMITS",
    "LISTENER",
    "NO_LIMITS",
    "Lines",
    "check_line",
    "hold_briefly",
    "is_alone",
]

_log = structlog.get_logger()
#: A connection whose other end is gone breaks within seconds, not hours.
ALIVE: dict[str, Any] = {
    "connect_timeout": 5,
    "keepalives_idle": 5,
    "keepalives_interval": 3,
    "keepalives_count": 3,
    "tcp_user_timeout": 10_000,
}
#: What a server is called at the database, where it listens: a command line does not.
LISTENER = "hansa, listening"
#: A statement that takes longer than anything of ours; a lock that somebody does not give back, for
#: which all decisions would wait; a transaction that somebody forgot.
LIMITS = (
    "-c statement_timeout=30000 -c lock_timeout=3000 -c idle_in_transaction_session_timeout=60000"
)
#: Milliseconds for which a server that hangs in the middle of a commit keeps what the others need: they
#: have it before they would take that for a pause. Command lines may wait for a slow disk.
_HUNG = 4000
#: Changing the layout of a large database takes as long as it takes.
NO_LIMITS = (
    "SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0; "
    "SET LOCAL idle_in_transaction_session_timeout = 0"
)
#: Seconds after which a line in use has been forgotten by whatever lies in between: longer than
#: PostgreSQL lets a statement take.
_FORGOTTEN = 40.0
_LOOK = 5.0


def check_line(connection: Any, _record: Any, _proxy: Any) -> None:
    """Whether the other end hung up, without asking it: a ping would be one more way a commit."""
    line = select.poll()
    line.register(connection.fileno(), select.POLLIN)
    if line.poll(0):
        # Between two transactions there is nothing to hear but the end.
        raise sa.exc.DisconnectionError


def hold_briefly(connection: psycopg.Connection[Any], _record: Any) -> None:
    """Whatever is begun on this new line is ended soon where nobody goes on with it."""
    connection.execute(f"SET idle_in_transaction_session_timeout = {_HUNG}")
    connection.commit()


def is_alone(connection: sa.Connection) -> bool:
    """Whether no other server is here; called by one that does not listen yet itself."""
    if connection.dialect.name != "postgresql":
        return True
    there = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name = %s"
    return connection.exec_driver_sql(there, (LISTENER,)).first() is None


class Lines:
    """The connections in use, and since when.

    A balancer or pool may go on taking what is sent and have nobody to give it to: then neither
    keepalive nor any limit of the database ends the wait.
    """

    def __init__(self) -> None:
        self._used: dict[Any, float] = {}
        self._stop = threading.Event()

    def watch(self, engine: sa.Engine) -> None:
        """Count the connections of this engine."""
        sa.event.listen(engine, "checkout", self._taken)
        for end in ("checkin", "invalidate", "close"):
            sa.event.listen(engine, end, self._given_back)

    def start(self) -> None:
        """Cut what is used for too long, from now on; command lines may take any time."""
        threading.Thread(target=self._look, name="store-lines", daemon=True).start()

    def stop(self) -> None:
        """Cut nothing more."""
        self._stop.set()

    def _taken(self, connection: Any, _record: Any, _proxy: Any) -> None:
        self._used[connection] = time.monotonic()

    def _given_back(self, connection: Any, *_more: Any) -> None:
        self._used.pop(connection, None)

    def _look(self) -> None:
        while not self._stop.wait(_LOOK):
            before = time.monotonic() - _FORGOTTEN
            for connection in [each for each, since in list(self._used.items()) if since < before]:
                _log.warning("a line to the database gives no answer: it is cut")
                self._used.pop(connection, None)
                _cut(connection.fileno)


def _cut(number: Callable[[], int]) -> None:
    """Whoever waits there hears of it; the connection itself is his to close."""
    with (
        contextlib.suppress(OSError, psycopg.Error),
        socket.socket(fileno=os.dup(number())) as line,
    ):
        line.shutdown(socket.SHUT_RDWR)
