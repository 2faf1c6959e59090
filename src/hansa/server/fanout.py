"""Between processes: PostgreSQL carries (game, revision), or a person, to everybody who listens.

The sender notifies inside the transaction (`Hall.tell`, `tell_person`); here the others listen. When the
connection breaks everything in memory is compared with the store, since news may have been missed.
A connection that was cut without a word looks like silence: so each process says every few seconds
something that is about nothing, and if it does not hear that itself, it connects anew. That it is here
it says with its notes (`Pauses`), so that nobody is heard who listens and cannot store anything.
"""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Any

import msgspec
import structlog
from psycopg import AsyncConnection

from hansa.server.lines import ALIVE, LISTENER
from hansa.server.metrics import STORE_ERRORS
from hansa.server.store import CHANNEL

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from hansa.server.store import Store

__all__ = ["Fanout", "Notice"]

_log = structlog.get_logger()
#: Seconds between two times of saying something to oneself, and the longest silence.
BEAT = 3.0
_SILENCE = 3 * BEAT
#: Seconds for the first connection.
_FIRST = 10.0
#: No notice at all: it comes back by the line on which it is said, and tells the others nothing.
_ECHO = "[]"


class Notice(msgspec.Struct, rename={"sender": "from"}):
    """All that travels: which table changed and how far it is, or which person; and who says so.

    About neither table nor person: that the sender is here and can store that, or with `people` that
    it ends.
    """

    game: str
    revision: int
    sender: str
    #: Somebody came or went.
    people: bool = False
    #: Whose standing changed; such a notice is about no table.
    person: str = ""


_decode = msgspec.json.Decoder(list[Notice]).decode


class Fanout:
    """Listens for changes other processes made."""

    def __init__(
        self,
        store: Store,
        heard: Callable[[Notice], None],
        lost: Callable[[], Awaitable[None]],
    ) -> None:
        self._store = store
        #: Why it does not hear anything, if it does not.
        self._trouble: Exception | None = None
        self._dsn = store.url.set(drivername="postgresql").render_as_string(hide_password=False)
        self._heard, self._lost = heard, lost
        self._task: asyncio.Task[None] | None = None
        self.ready = asyncio.Event()

    async def start(self) -> None:
        """Begin to listen.

        Raises:
            StoreError: that cannot be done.
        """
        self._task = asyncio.ensure_future(self._listen_for_ever())
        try:
            await asyncio.wait_for(self.ready.wait(), _FIRST)
        except TimeoutError:
            raise self._store.useless(self._trouble) from None

    async def stop(self) -> None:
        """Stop listening."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _listen_for_ever(self) -> None:
        first = True
        while True:
            try:
                await self._listen(first)
            except asyncio.CancelledError:
                raise
            except Exception as error:  # noqa: BLE001 - whatever broke it, try again
                self._trouble = error
                STORE_ERRORS.labels("listen").inc()
                if self.ready.is_set() or first:
                    # Once, not with every try.
                    _log.warning("fan-out connection lost", error=str(error) or "silence")
                self.ready.clear()
                await asyncio.sleep(1.0)
            first = False

    async def _listen(self, first: bool) -> None:
        connection = await AsyncConnection.connect(
            self._dsn, autocommit=True, application_name=LISTENER, **ALIVE
        )
        try:
            await connection.execute(f"LISTEN {CHANNEL}")
            if not first:
                await self._lost()
                _log.info("fan-out connection is back")
            self.ready.set()
            await self._hear(connection)
        finally:
            # Not in the manner of the library, which would wait for a server that is gone.
            connection.pgconn.finish()

    async def _hear(self, connection: AsyncConnection[Any]) -> None:
        last = time.monotonic()
        while time.monotonic() - last < _SILENCE:
            async with asyncio.timeout(_SILENCE):
                await connection.execute("SELECT pg_notify(%s, %s)", (CHANNEL, _ECHO))
            async for note in connection.notifies(timeout=BEAT):
                last = time.monotonic()
                for notice in _decode(note.payload):
                    self._heard(notice)
        raise TimeoutError
