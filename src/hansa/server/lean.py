"""A WebSocket that takes little while it waits: thousands of them do nothing else."""

from __future__ import annotations

import asyncio
from typing import Any, Generic, TypeVar

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

__all__ = ["Inbox", "Lean"]

T = TypeVar("T")


class Inbox(Generic[T]):
    """What came in and waits for its one reader: a queue of asyncio's takes 3 kB, empty."""

    __slots__ = ("_items", "_reader")

    def __init__(self) -> None:
        self._items: list[T] = []
        self._reader: asyncio.Future[None] | None = None

    def empty(self) -> bool:
        """Whether nothing waits."""
        return not self._items

    def put_nowait(self, item: T) -> None:
        """Add one."""
        self._items.append(item)
        if self._reader is not None and not self._reader.done():
            self._reader.set_result(None)

    async def get(self) -> T:
        """The oldest, as soon as there is one."""
        while not self._items:
            self._reader = asyncio.get_running_loop().create_future()
            try:
                await self._reader
            finally:
                self._reader = None
        return self._items.pop(0)


class Lean(WebSocketsSansIOProtocol):
    """Uvicorn's protocol, without a large queue, and without the headers once they were read."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.queue = Inbox[Any]()  # type: ignore[assignment]  # all that is asked of it

    def start_keepalive(self) -> None:
        """Called when the answer to the handshake has been sent."""
        super().start_keepalive()
        # The parser holds on to both as long as the connection lasts.
        self.request.headers.clear()
        self.response.headers.clear()

    async def send(self, message: Any) -> None:
        """Called with whatever the application says."""
        await super().send(message)
        if message["type"] == "websocket.http.response.body":
            # A handshake that was refused is answered: uvicorn would complain that it was not.
            self.handshake_complete = True

    def connection_lost(self, exc: Exception | None) -> None:
        """Called when the other side is gone."""
        super().connection_lost(exc)
        # Whoever went before his turn came needs no answer: that is no fault to be logged.
        self.handshake_complete = True
