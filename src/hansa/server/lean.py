"""A WebSocket that takes little while it waits: thousands of them do nothing else."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.exceptions import InvalidState

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Inbox", "Latch", "Lean", "writing"]

#: The extension of ASGI under which an application finds `Lean.write`.
_WRITE = "hansa.write"

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


class Latch:
    """Open or not, and who waits for it: an event of asyncio's takes 0.9 kB."""

    __slots__ = ("_open", "_waiting")

    def __init__(self) -> None:
        self._open = True
        self._waiting: list[asyncio.Future[None]] = []

    def is_set(self) -> bool:
        """Whether nobody has to wait."""
        return self._open

    def set(self) -> None:
        """Let all go on."""
        self._open = True
        for future in self._waiting:
            if not future.done():
                future.set_result(None)
        self._waiting = []

    def clear(self) -> None:
        """From now on one waits."""
        self._open = False

    async def wait(self) -> None:
        """Until it is open."""
        while not self._open:
            future = asyncio.get_running_loop().create_future()
            self._waiting.append(future)
            await future


class Lean(WebSocketsSansIOProtocol):
    """Uvicorn's protocol, without large queues, and without the headers once they were read."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.queue = Inbox[Any]()  # type: ignore[assignment]  # all that is asked of it
        self.writable = Latch()  # type: ignore[assignment]  # likewise

    def handle_connect(self, event: Any) -> None:
        """Called with the handshake."""
        super().handle_connect(event)
        if not self.close_sent:
            # A message of the protocol goes through a task, an event and a timer of asyncio; most
            # of the time nobody has to be waited for.
            self.scope["extensions"][_WRITE] = {"write": self.write}

    def write(self, text: bytes) -> bool:
        """Send at once; False, and nothing is sent, where the other side is behind or gone."""
        if not self.writable.is_set() or self.close_sent or self.transport.is_closing():
            return False
        try:
            self.conn.send_text(text)
        except InvalidState:
            return False
        self.transport.write(b"".join(self.conn.data_to_send()))
        return True

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


def writing(scope: Any) -> Callable[[bytes], bool]:
    """How to send at once to whoever has this scope; servers of others know no such way."""
    return (scope.get("extensions") or {}).get(_WRITE, {}).get("write", _later)  # type: ignore[no-any-return]


def _later(_text: bytes) -> bool:
    return False
