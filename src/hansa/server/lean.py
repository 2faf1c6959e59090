"""A WebSocket that takes little while it waits: thousands of them do nothing else.

What comes in is taken apart a little at a time, and of few connections in each turn of the event loop:
what a browser sends is short, and a program could send a hundred thousand frames without a word in them,
or a few of them through each of five hundred connections, before anybody else has his turn.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.exceptions import InvalidState

from hansa.server.door import Door
from hansa.server.limits import Bucket, counted
from hansa.server.metrics import LIMITED
from hansa.server.wire.socket import Close

if TYPE_CHECKING:
    from collections.abc import Callable

    from websockets.frames import Frame

__all__ = ["Inbox", "Latch", "Lean", "lean", "writing"]

#: The extension of ASGI under which an application finds `Lean.write`.
_WRITE = "hansa.write"
#: Bytes that are taken apart in one turn of the event loop: two milliseconds where each frame is empty.
_PIECE = 1024
#: Connections of which a piece is taken apart in one turn: there are seldom more who say something, and
#: what comes together is committed together.
_AT_ONCE = 16
#: Frames that are no message, in a second and at once. Browsers send one in twenty seconds.
_FRAMES, _FRAMES_AT_ONCE = 20.0, 60.0

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

    # All that uvicorn's own keeps in a dictionary, which takes 1.6 kB for so many: a place for each.
    __slots__ = (
        "_frames", "_held", "_stands", "app", "app_state", "asgi_version", "client", "close_sent",
        "close_timeout", "close_timer", "config", "conn", "connections", "curr_msg_data_type",
        "default_headers", "disconnected", "frames", "handshake_complete", "handshake_initiated",
        "initial_response", "last_ping_rtt", "logger", "loop", "pending_ping_payload",
        "ping_interval", "ping_sent_at", "ping_timeout", "ping_timer", "pong_timer", "queue",
        "read_paused", "request", "response", "root_path", "scheme", "scope", "server", "tasks",
        "transport", "writable",
    )  # fmt: skip

    #: Where all connections of a server stand in line.
    door: Door

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.queue = Inbox[Any]()  # type: ignore[assignment]  # all that is asked of it
        self.writable = Latch()  # type: ignore[assignment]  # likewise
        #: What has come in and was not taken apart yet.
        self._held = b""
        #: Waits for its turn.
        self._stands = False
        self._frames = Bucket(_FRAMES, _FRAMES_AT_ONCE)

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

    def data_received(self, data: bytes) -> None:
        """Called with whatever came in."""
        self._held += data
        if not self._stands and not self.read_paused:
            self._stand()

    def _stand(self) -> None:
        """Stand in line, each address in its own."""
        self._stands = True
        if not self.door.enter(self._take, self._address()):
            self.transport.pause_reading()

    def _address(self) -> str:
        client = self.scope["client"] if self.handshake_complete else self.client
        return counted(client[0]) if client else ""

    def _take(self) -> None:
        """Take a piece apart; where no message came of it, which somebody will read, go on soon."""
        self._stands = False
        if not self.transport.is_closing():
            piece, self._held = self._held[:_PIECE], self._held[_PIECE:]
            super().data_received(piece)
        if not self.read_paused:
            self._go_on()

    def _go_on(self) -> None:
        """With the next piece in a later turn, or reading on where there is none."""
        if self.transport.is_closing():
            self._held = b""
        elif self._held:
            self._stands = True
            self.transport.pause_reading()
            self.loop.call_soon(self._stand)
        else:
            self.transport.resume_reading()

    async def receive(self) -> Any:
        """Called by the application for the next message."""
        message = await self.queue.get()
        if self.read_paused and self.queue.empty():
            self.read_paused = False
            self._go_on()
        return message

    def handle_ping(self) -> None:
        """Called with a frame that asks for an answer."""
        if self._bears():
            super().handle_ping()

    def handle_pong(self, event: Frame) -> None:
        """Called with such an answer, asked for or not."""
        if self._bears():
            super().handle_pong(event)

    def handle_text(self, event: Frame) -> None:
        """Called with a message, or the beginning of one."""
        if (event.fin and not self.close_sent) or self._bears():
            super().handle_text(event)

    def handle_cont(self, event: Frame) -> None:
        """Called with a further part of a message."""
        if self._bears():
            super().handle_cont(event)

    def send_receive_event_to_app(self) -> None:
        """Called with a whole message; bytes that are no text are the other side's fault, which
        uvicorn would log as one of ours.
        """
        try:
            if self.curr_msg_data_type == "text" and not self.close_sent:
                b"".join(self.frames).decode()
        except UnicodeDecodeError:
            self.conn.fail(Close.NO_TEXT)
            self.handle_parser_exception()
        else:
            super().send_receive_event_to_app()

    def _bears(self) -> bool:
        """Whether one more frame is borne that is no message; who sends many of them is sent away."""
        if self.transport.is_closing():
            return False
        if not self._frames.take():
            return True
        if not self.handshake_complete:
            self.transport.abort()
        elif self.close_sent:
            # He has been told, and is not listened to any more until the connection ends.
            self._held, self.read_paused = b"", True
            self.transport.pause_reading()
        else:
            LIMITED.labels("frames").inc()
            self.conn.fail(Close.TOO_MANY, "too many frames")
            self.handle_parser_exception()
        return False

    def start_keepalive(self) -> None:
        """Called when the answer to the handshake has been sent."""
        super().start_keepalive()
        # The parser holds on to both as long as the connection lasts.
        self.request.headers.clear()
        self.response.headers.clear()

    async def send(self, message: Any) -> None:
        """Called with whatever the application says."""
        if self.close_sent and message["type"] == "websocket.send":
            # Sent away for his frames, of which the application has not heard yet.
            raise ClientDisconnected
        await super().send(message)
        if message["type"] == "websocket.http.response.body":
            # A handshake that was refused is answered: uvicorn would complain that it was not.
            self.handshake_complete = True

    async def run_asgi(self) -> None:
        """Called once: serve the connection from its handshake to its end."""
        await super().run_asgi()
        if not self.disconnected:
            # What is left is sent; whoever does not read it would keep the connection for ever.
            self.loop.call_later(self.close_timeout, self.transport.abort)

    def connection_lost(self, exc: Exception | None) -> None:
        """Called when the other side is gone."""
        super().connection_lost(exc)
        # Whoever went before his turn came needs no answer: that is no fault to be logged.
        self.handshake_complete = True


def lean() -> type[Lean]:
    """The protocol of one server, whose connections stand in line at one door."""

    class InTurns(Lean):
        __slots__ = ()
        door = Door(_AT_ONCE)

    return InTurns


def writing(scope: Any) -> Callable[[bytes], bool]:
    """How to send at once to whoever has this scope; servers of others know no such way."""
    return (scope.get("extensions") or {}).get(_WRITE, {}).get("write", _later)  # type: ignore[no-any-return]


def _later(_text: bytes) -> bool:
    return False
