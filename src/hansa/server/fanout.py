"""Between processes: PostgreSQL carries (game, revision) through Litestar's channels backend.

The sender notifies inside the transaction (`Hall.tell`); here the others listen. When the
connection breaks everything in memory is read again, since notifications may have been missed.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import msgspec
import structlog
from litestar.channels.backends.psycopg import PsycoPgChannelsBackend

from hansa.server.hall import CHANNEL

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from hansa.server.store import Store

__all__ = ["Fanout", "Notice"]

_log = structlog.get_logger()


class Notice(msgspec.Struct, rename={"sender": "from"}):
    """All that travels: which table changed, how far it is, and who says so."""

    game: str
    revision: int
    sender: str


class Fanout:
    """Listens for changes other processes made."""

    def __init__(
        self,
        store: Store,
        heard: Callable[[Notice], None],
        lost: Callable[[], Awaitable[None]],
    ) -> None:
        self._dsn = store.url.set(drivername="postgresql").render_as_string(hide_password=False)
        self._heard, self._lost = heard, lost
        self._task: asyncio.Task[None] | None = None
        self.ready = asyncio.Event()

    def start(self) -> None:
        """Begin to listen."""
        self._task = asyncio.ensure_future(self._listen_for_ever())

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
                self.ready.clear()
                _log.warning("fan-out connection lost", error=str(error))
                await asyncio.sleep(1.0)
            first = False

    async def _listen(self, first: bool) -> None:
        backend = PsycoPgChannelsBackend(self._dsn)
        await backend.on_startup()
        try:
            await backend.subscribe([CHANNEL])
            self.ready.set()
            if not first:
                await self._lost()
            async for _, data in backend.stream_events():
                self._heard(msgspec.json.decode(data, type=Notice))
        finally:
            await backend.on_shutdown()
