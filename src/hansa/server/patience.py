"""HTTP as it comes in and goes out: in turns, a little at a time, and not drop by drop for ever."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from typing import TYPE_CHECKING, Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from hansa.server.door import Door
from hansa.server.limits import Budget, counted
from hansa.server.metrics import LIMITED

if TYPE_CHECKING:
    from asyncio import Transport

    from hansa.server.config import Config

__all__ = ["patient"]

#: The states of a client that still has something to send.
_SENDING = {h11.IDLE, h11.SEND_BODY}
#: Bytes that are taken apart in one turn of the event loop: three milliseconds in chunks of one byte.
_PIECE = 2048
#: Bytes a second that whoever is sent an answer reads of it at least.
_READ = 1000
#: Seconds of reading requests that one address may have in a second, and at once: a request takes a
#: tenth of a millisecond, unless it is made to take more.
_WORK, _WORK_AT_ONCE = 0.1, 1.0
#: Bytes of answers that one address may leave unread by other connections when one more is not read.
_UNREAD = 30_000_000
#: Connections for each WebSocket that an address may have: a browser opens some at a time.
_BESIDE = 2


def patient(settings: Config) -> type[asyncio.Protocol]:
    """Uvicorn's protocol; a request must be here as a whole, and its answer be read, within a time."""

    class Patient(_Patient):
        _all = _All(settings)

    return Patient


class _All:
    """What the connections of one server share."""

    def __init__(self, settings: Config) -> None:
        self.settings = settings
        self.door = Door(1)
        #: How many each address has.
        self.here: Counter[str] = Counter()
        self.work = Budget("requests to be read", _WORK, _WORK_AT_ONCE)
        #: Bytes of answers that each leaves unread.
        self.unread: Counter[str] = Counter()
        self._most = _BESIDE * settings.connections_per_address

    def bears(self, address: str) -> bool:
        """Whether one more connection of that address, or more of one, is borne."""
        fits = self.here[address] <= self._most and self.work.left(address) > 0
        # Behind a proxy all are of one address: there it is the proxy that counts.
        if self.settings.proxies or fits:
            return True
        LIMITED.labels("connections").inc()
        return False

    def keeps(self, address: str, more: int) -> bool:
        """Whether so much more is kept of what that address does not read; one answer always is."""
        # Behind a proxy, which reads as fast as it can, all are of one address.
        return bool(self.settings.proxies) or self.unread[address] - more <= _UNREAD


class _Patient(H11Protocol):
    """One connection. What comes in waits for its turn, and reads no more meanwhile."""

    _all: _All
    _address = ""
    _late: asyncio.TimerHandle | None = None
    #: When it is looked at how much was read, and what was left before.
    _slow: asyncio.TimerHandle | None = None
    _unread = 0
    _upgraded = False
    #: What has come in and waits.
    _held = b""
    #: Whether it is this one's turn just now.
    _turn = False

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]  # uvicorn's
        super().connection_made(transport)
        self._address = counted(self.client[0]) if self.client else ""
        self._all.here[self._address] += 1
        if not self._all.bears(self._address):
            transport.abort()
        self._watch()

    def data_received(self, data: bytes) -> None:
        waits = bool(self._held)
        self._held += data
        if waits or not self._all.door.enter(self._come_in, self._address):
            self.transport.pause_reading()

    def _come_in(self) -> None:
        data, self._held = self._held[:_PIECE], self._held[_PIECE:]
        if self.transport.is_closing():
            self._held = b""
            return
        self._turn, began = True, time.thread_time()
        try:
            super().data_received(data)
        except Exception:
            # As asyncio does with what it calls itself.
            self.transport.abort()
            raise
        finally:
            self._turn = False
            self._all.work.charge(self._address, time.thread_time() - began)
        if self._all.bears(self._address):
            self._go_on()
        else:
            self.transport.abort()

    def _go_on(self) -> None:
        """With the next piece, or reading on, unless uvicorn has enough of it."""
        if self._upgraded:
            self.transport.resume_reading()
            return
        if self._held:
            self.transport.pause_reading()
            self._all.door.enter(self._come_in, self._address)
        elif not self.flow.read_paused:
            self.transport.resume_reading()
        self._watch()

    def handle_events(self) -> None:
        if self._turn or not self.conn.trailing_data[0].strip():
            super().handle_events()
        else:
            # Called when an answer is complete, and the next request is there: whoever does not
            # wait for answers would have all his requests served in one turn.
            self.transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        self._leave()
        super().connection_lost(exc)

    def handle_websocket_upgrade(self, event: Any) -> None:
        # From here on another protocol has the connection, and this one never sees its end.
        self._upgraded = True
        self._held = b""
        self._leave()
        super().handle_websocket_upgrade(event)

    def _leave(self) -> None:
        here = self._all.here
        here[self._address] -= 1
        if not here[self._address]:
            del here[self._address]
        self._stop()
        self._stop_looking()

    # Sending us

    def _watch(self) -> None:
        """From the first drop on; what uvicorn waits for between requests is its own affair."""
        if self.conn.their_state not in _SENDING or self.transport.is_closing():
            self._stop()
        elif self._late is None:
            self._late = self.loop.call_later(self._all.settings.request_seconds, self._give_up)

    def _stop(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None

    def _give_up(self) -> None:
        self._late = None
        if self.conn.their_state in _SENDING:
            self.transport.abort()

    # Reading us

    def pause_writing(self) -> None:
        super().pause_writing()
        self._look()
        if not self._all.keeps(self._address, self._unread):
            # Each is read fast enough to go on, and hundreds would fill the memory.
            LIMITED.labels("unread answers").inc()
            self.transport.abort()

    def resume_writing(self) -> None:
        self._stop_looking()
        super().resume_writing()

    def _look(self) -> None:
        self._note(self.transport.get_write_buffer_size())
        self._slow = self.loop.call_later(self._all.settings.slow_reader_seconds, self._look_again)

    def _look_again(self) -> None:
        """Whoever hardly reads keeps answers in our memory, and would for ever."""
        read = self._unread - self.transport.get_write_buffer_size()
        if read < _READ * self._all.settings.slow_reader_seconds:
            LIMITED.labels("unread answers").inc()
            self.transport.abort()
        else:
            self._look()

    def _stop_looking(self) -> None:
        if self._slow is not None:
            self._slow.cancel()
            self._slow = None
        self._note(0)

    def _note(self, unread: int) -> None:
        """So much of an answer is kept for this one now."""
        kept = self._all.unread
        kept[self._address] += unread - self._unread
        self._unread = unread
        if not kept[self._address]:
            del kept[self._address]
