"""One WebSocket of one client at one table: what it says is carried out, and whenever something changed
it is sent what its cursor has not passed yet.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import msgspec
from litestar.exceptions import WebSocketDisconnect

from hansa.server.border import Caller, log_fault
from hansa.server.carrying import carry_out
from hansa.server.cursor import Cursor
from hansa.server.errors import TableError
from hansa.server.lean import writing
from hansa.server.limits import Bucket, too_many
from hansa.server.metrics import CONNECTIONS, LIMITED
from hansa.server.model import now_ms
from hansa.server.stored import ENTRY
from hansa.server.wire import socket as wire
from hansa.server.wire.socket import Close

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from litestar import WebSocket

    from hansa.server.hub import Hub
    from hansa.server.model import Entry
    from hansa.server.table import Table

__all__ = ["CLOSES", "Connection"]

_decode = msgspec.json.Decoder(wire.ClientMessage).decode
_encode = msgspec.json.Encoder().encode
_MOST_UNREAD = 100
_MOST_BAD = 20
#: How a refusal, by its status, ends a connection.
CLOSES = {
    401: Close.SIGNED_OUT,
    403: Close.NOT_ALLOWED,
    404: Close.NOT_FOUND,
    429: Close.TOO_MANY,
    503: Close.RESTART,
}


class Leave(Exception):
    """Close this connection."""

    def __init__(self, code: Close, reason: str) -> None:
        super().__init__(reason)
        self.code, self.reason = code, reason


class Connection:
    """Receives messages, carries them out, and sends whatever changed."""

    def __init__(
        self,
        hub: Hub,
        socket: WebSocket[Any, Any, Any],
        table: Table,
        caller: Caller,
        *,
        extra: bool = False,
    ) -> None:
        #: Somebody who is here by other sockets as well: told when those who watch are.
        self._extra = extra
        self.hub, self.socket, self.table = hub, socket, table
        self.person, self.session = caller.person, caller.session
        self.address = caller.address
        self.cursor = Cursor(table, caller.person)
        #: Runs while there is something to send: most connections have nothing most of the time.
        self._sender: asyncio.Task[None] | None = None
        #: Stands in line to begin.
        self._waits = False
        self._dirty = False
        self._greeted = False
        #: Answers that wait to be sent.
        self._outbox: list[wire.ServerMessage] = []
        self._leave: Leave | None = None
        #: Who serves this connection; and why it ends, where that was found out elsewhere.
        self._task: asyncio.Task[None] | None = None
        self._failed: Exception | None = None
        self._messages = Bucket(hub.config.messages_per_second, hub.config.messages_per_second * 3)
        self._bad = 0
        self._write = writing(socket.scope)

    @property
    def watches(self) -> bool:
        """Whether it is one of those who watch, or counted with them."""
        return self._extra or not self.table.meta.seats_of(self.person)

    @property
    def leaving(self) -> bool:
        """Whether it was asked to go."""
        return self._leave is not None

    def wake(self) -> bool:
        """Something changed: it is sent, at once if it can be; those who only watch are told in turns."""
        self._dirty = True
        if self._sender is not None or self._task is None or self._waits:
            return False
        if self.watches:
            self._waits = True
            self.hub.gallery.enter(self._begin, self.table.id)
        else:
            self._begin()
        return not self._dirty

    def _begin(self) -> None:
        self._waits = False
        if self._sender is None and self._task is not None and not self._sent_at_once():
            self._sender = asyncio.ensure_future(self._send_all())

    def leave(self, code: Close, reason: str) -> None:
        """Ask the sender to say goodbye and close."""
        self._leave = self._leave or Leave(code, reason)
        self.wake()

    async def run(self, after: int | None, chat: int | None) -> None:
        """Serve until either side leaves."""
        self.cursor.begin(after, chat)
        self._task = asyncio.current_task()
        self.table.listeners.add(self)
        CONNECTIONS.inc()
        self.hub.arrived(self)
        try:
            self.wake()
            await self._receive_all()
        except asyncio.CancelledError:
            if self._failed is None or self._task is None or self._task.uncancel():
                raise
        except Exception as error:  # noqa: BLE001 - `_end` tells it
            self._failed = error
        finally:
            self._task = None
            await self._stop_sending()
            self.table.listeners.discard(self)
            CONNECTIONS.dec()
            self.hub.left(self)
        await self._end()

    async def _stop_sending(self) -> None:
        if self._sender is not None:
            self._sender.cancel()
            await asyncio.gather(self._sender, return_exceptions=True)

    async def _end(self) -> None:
        """Say goodbye where it was us who ended it."""
        failed = self._failed
        if isinstance(failed, Leave):
            await self._close(failed)
        elif isinstance(failed, TableError):
            # The store did not answer, most likely: whoever comes back has missed nothing.
            await self._close(
                Leave(CLOSES.get(failed.status, Close.INTERNAL), failed.message[:100])
            )
        elif failed is not None and not isinstance(failed, WebSocketDisconnect):
            log_fault(self.socket, failed)
            await self._close(Leave(Close.INTERNAL, "internal error"))

    async def _close(self, leave: Leave) -> None:
        if leave.code == Close.TOO_SLOW:
            LIMITED.labels("unread answers").inc()
        try:
            await asyncio.wait_for(self.socket.close(leave.code, leave.reason), 2)
        except (OSError, RuntimeError, WebSocketDisconnect):
            return

    # Sending

    def _sent_at_once(self) -> bool:
        """Whether all there is went out without waiting for anybody, as it nearly always does."""
        if not self._greeted or self._leave is not None or self._sent_away() is not None:
            return False
        if not self.cursor.recalls():
            return False
        self._dirty = False
        try:
            for message in self._due():
                if not self._write(_encode(message)):
                    self._outbox.insert(0, message)
                    self._dirty = True
                    return False
        except Exception as error:  # noqa: BLE001 - told by `run`
            self._fail(error)
        return True

    async def _send_all(self) -> None:
        """All there is to send, then end; what goes wrong ends the connection."""
        try:
            if not self._greeted:
                await self._send(await self.cursor.greeting(self.hub))
                self._greeted = True
            while self._dirty:
                self._dirty = False
                await self._send_due()
        except Exception as error:  # noqa: BLE001 - told by `run`
            self._fail(error)
        finally:
            self._sender = None

    def _fail(self, error: Exception) -> None:
        self._failed = error
        if self._task is not None:
            self._task.cancel()

    async def _send_due(self) -> None:
        away = self._sent_away()
        if away is not None:
            raise away
        await self.cursor.recall(self.hub)
        for message in self._due():
            await self._send(message)
        if self._leave is not None:
            if self._leave.code == Close.RESTART:
                await self._send(wire.Bye(reason="restart", retry=1.5))
            raise self._leave

    def _sent_away(self) -> Leave | None:
        """Why this one may not stay."""
        if self.table.removed:
            return Leave(Close.NOT_FOUND, "this table was removed")
        if not self.table.may_watch(self.person):
            # Sent away from his seat, or the game began without him.
            return Leave(Close.NOT_ALLOWED, "only those at this table may see it")
        return None

    def _due(self) -> Iterator[wire.ServerMessage]:
        """What is to be sent, in order: answers first."""
        while self._outbox:
            answer = self._outbox.pop(0)
            if isinstance(answer, wire.Ack | wire.Pong):
                answer.now = now_ms()  # what goes out tells when it does
            yield answer
        yield from self.cursor.due()

    async def _send(self, message: wire.ServerMessage) -> None:
        text = _encode(message).decode()
        try:
            async with asyncio.timeout(self.hub.config.slow_reader_seconds):
                await self.socket.send_text(text)
        except TimeoutError:
            raise Leave(Close.TOO_SLOW, "nothing was read for too long") from None
        except OSError:
            # So ASGI tells that nobody is there any more.
            raise WebSocketDisconnect(detail="gone") from None

    # Receiving

    async def _receive_all(self) -> None:
        while True:
            raw = await self.socket.receive_text()
            if len(raw.encode()) > self.hub.config.message_bytes:
                raise Leave(Close.TOO_LARGE, "message too large")
            await self._handle(raw)
            if len(self._outbox) > _MOST_UNREAD:
                raise Leave(Close.TOO_SLOW, "answers are not being read")

    async def _handle(self, raw: str) -> None:
        try:
            message = _decode(raw)
        except (msgspec.DecodeError, RecursionError) as error:
            # ValidationError is one of them: readable JSON of the wrong shape.
            self._complain(
                None, TableError("bad_request", f"This message is not readable: {error}")
            )
            self._count_bad(Close.UNREADABLE, "too many unreadable messages")
            return
        try:
            await self._check_rate()
            if isinstance(message, wire.Ping | wire.Look):
                self._look_around(message)
                return
            self.hub.stored.check(self.address, self.person)
            entries = await carry_out(self.hub, self.table, self.person, self.address, message)
        except TableError as error:
            self._complain(message.re, error)
        else:
            # What is no decision leaves a line as well: of a vote, of a return, of the chat.
            count = len(raw) + ENTRY * max(1, len(entries))
            self.hub.stored.pay(self.address, self.person, count)
            self._answer(wire.Ack, message.re, entries)

    async def _check_rate(self) -> None:
        # To refuse one takes its time as well: whoever does not stop is sent away.
        if wait := self._messages.take():
            self._count_bad(Close.TOO_MANY, "too many messages")
            raise too_many("messages", "Too many messages; slow down.", wait)
        try:
            # Hundreds of connections with a few messages each are many: they wait for each other.
            await self.hub.messages.turn(self.address)
        except TableError:
            self._count_bad(Close.TOO_MANY, "too many messages")
            raise

    def _count_bad(self, code: Close, reason: str) -> None:
        self._bad += 1
        if self._bad > _MOST_BAD:
            raise Leave(code, reason)

    def _complain(self, re: str | None, error: TableError) -> None:
        refused = wire.Error(re=re, code=error.code, message=error.message, detail=error.detail)
        self._outbox.append(refused)
        self.wake()

    def _answer(
        self, kind: type[wire.Ack | wire.Pong], re: str | None, entries: Sequence[Entry] = ()
    ) -> None:
        """Where the message's own entry stands; a bot may already have gone on from there."""
        at = entries[-1] if entries else self.table
        self._outbox.append(kind(re=re, now=0, revision=at.revision, number=at.number))
        self.wake()

    def _look_around(self, message: wire.Ping | wire.Look) -> None:
        """What changes nothing."""
        if isinstance(message, wire.Ping):
            self._answer(wire.Pong, message.re)
            return
        self.cursor.look(message.seat)
        self.wake()
