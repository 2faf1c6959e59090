"""One end of a WebSocket that takes little: what is measured is the server, and not its thousand clients."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Self

from picows import WSFrame, WSListener, WSMsgType, WSTransport, ws_connect

__all__ = ["Light"]


class Light(WSListener):  # type: ignore[misc]  # compiled, without types
    """Keeps what was said until it is read; `deaf`: forgets it at once."""

    def __init__(self, *, deaf: bool) -> None:
        self._deaf = deaf
        self._said: deque[bytes] = deque()
        self._reader: asyncio.Future[None] | None = None
        self._gone = False
        self.transport: WSTransport = None

    @classmethod
    async def open(
        cls, url: str, headers: dict[str, str] | None = None, *, deaf: bool = False
    ) -> Self:
        """Connect to a table's socket, whose address begins with http."""
        _, listener = await ws_connect(
            lambda: cls(deaf=deaf),
            url.replace("http", "ws", 1),
            websocket_handshake_timeout=60,
            extra_headers=headers,
            read_buffer_init_size=4096,
        )
        return listener

    def on_ws_connected(self, transport: WSTransport) -> None:
        """Called once."""
        self.transport = transport

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        """Called for each frame; the server puts each message into one."""
        if frame.msg_type == WSMsgType.CLOSE:
            transport.disconnect()
        elif frame.msg_type == WSMsgType.TEXT and not self._deaf:
            self._said.append(frame.get_payload_as_bytes())
            self._wake()

    def on_ws_disconnected(self, _transport: WSTransport) -> None:
        """Called once."""
        self._gone = True
        self._wake()

    def _wake(self) -> None:
        if self._reader is not None and not self._reader.done():
            self._reader.set_result(None)

    async def recv(self) -> bytes:
        """The oldest message, as soon as there is one."""
        while not self._said:
            if self._gone:
                raise ConnectionError("the server closed the connection")
            self._reader = asyncio.get_running_loop().create_future()
            await self._reader
        return self._said.popleft()

    def send(self, message: bytes) -> None:
        """Say something."""
        self.transport.send(WSMsgType.TEXT, message)

    async def gone(self) -> None:
        """Until the server ends it."""
        await self.transport.wait_disconnected()

    async def close(self) -> None:
        """Leave."""
        self.transport.disconnect()
        await self.transport.wait_disconnected()
