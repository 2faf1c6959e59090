"""HTTP as it comes in: in turns, and not drop by drop for ever."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from hansa.server.door import Door

if TYPE_CHECKING:
    from asyncio import Transport

__all__ = ["patient"]

#: The states of a client that still has something to send.
_SENDING = {h11.IDLE, h11.SEND_BODY}


def patient(seconds: float) -> type[asyncio.Protocol]:
    """Uvicorn's protocol; a request must be here as a whole within that time.

    What comes in waits for its turn, and reads no more meanwhile.
    """
    door = Door(1)

    class Patient(H11Protocol):
        _late: asyncio.TimerHandle | None = None
        _upgraded = False
        #: What has come in and waits.
        _held = b""

        def connection_made(self, transport: Transport) -> None:  # type: ignore[override]  # uvicorn's
            super().connection_made(transport)
            self._watch()

        def data_received(self, data: bytes) -> None:
            waits = bool(self._held)
            self._held += data
            if not waits and not door.enter(self._come_in):
                self.transport.pause_reading()

        def _come_in(self) -> None:
            data, self._held = self._held, b""
            if self.transport.is_closing():
                return
            self.transport.resume_reading()
            try:
                super().data_received(data)
            except Exception:
                # As asyncio does with what it calls itself.
                self.transport.abort()
                raise
            self._watch()

        def connection_lost(self, exc: Exception | None) -> None:
            self._stop()
            super().connection_lost(exc)

        def handle_websocket_upgrade(self, event: Any) -> None:
            # From here on another protocol has the connection, and this one never sees its end.
            self._upgraded = True
            self._stop()
            super().handle_websocket_upgrade(event)

        def _watch(self) -> None:
            """From the first drop on; what uvicorn waits for between requests is its own affair."""
            if self._upgraded:
                return
            if self.conn.their_state not in _SENDING or self.transport.is_closing():
                self._stop()
            elif self._late is None:
                self._late = self.loop.call_later(seconds, self._give_up)

        def _stop(self) -> None:
            if self._late is not None:
                self._late.cancel()
                self._late = None

        def _give_up(self) -> None:
            self._late = None
            if self.conn.their_state in _SENDING:
                self.transport.abort()

    return Patient
