"""Floods below what is said: frames without a message, bodies in crumbs, requests that do not wait for
answers, answers that nobody reads. Each of these once stopped the server for everybody.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import socket
import time
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any
from unittest.mock import AsyncMock

import pytest
from litestar.exceptions import WebSocketDisconnect
from structlog.testing import capture_logs
from tests.server.harness import Client, Server
from tests.server.test_hub import in_hub, until, wish
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from hansa import Game
from hansa.server import lean, patience
from hansa.server.border import Caller
from hansa.server.config import Config
from hansa.server.door import Door
from hansa.server.errors import TableError
from hansa.server.limits import Bucket
from hansa.server.patience import patient
from hansa.server.realtime import Connection, Leave
from hansa.server.table_routes import _news
from hansa.server.wire.socket import Close

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

PING, PONG, BEGIN, MORE, TEXT = b"\x89", b"\x8a", b"\x01", b"\x00", b"\x81"


def frame(kind: bytes, data: bytes = b"") -> bytes:
    return kind + bytes([0x80 | len(data)]) + bytes(4) + data


def connected(server: Server) -> socket.socket:
    host, port = server.url.removeprefix("http://").split(":")
    return socket.create_connection((host, int(port)), timeout=60)


def upgraded(server: Server, game: str, cookie: str = "") -> socket.socket:
    """A WebSocket of which every byte can be chosen."""
    raw = connected(server)
    raw.sendall(
        f"GET /api/games/{game}/socket HTTP/1.1\r\nHost: localhost\r\nCookie: hansa_session={cookie}\r\n"
        "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n".encode()
    )
    assert raw.recv(12) == b"HTTP/1.1 101"
    return raw


def heard(raw: socket.socket) -> bytes:
    """All until the server ends it."""
    said = b""
    with contextlib.suppress(ConnectionResetError):
        while more := raw.recv(65536):
            said += more
    return said


@pytest.fixture
def server(tmp_path) -> Iterator[Server]:
    started = Server(tmp_path).start()
    yield started
    assert started.stop() == 0


# WebSockets


@pytest.mark.parametrize(
    "flood",
    [
        frame(PING) * 200,
        frame(PONG, b"?") * 200,
        frame(BEGIN) + frame(MORE) * 200,
    ],
    ids=["pings", "pongs", "parts"],
)
def test_frames_without_a_message_end_the_connection(server, flood):
    with server.client("Alheyd") as client:
        game = client.table("me", "me", "me")["id"]
        with upgraded(server, game) as raw:
            raw.sendall(flood)
            assert Close.TOO_MANY.to_bytes(2, "big") in heard(raw)[-40:]
        assert client.socket(game).receive()["type"] == "snapshot"


def test_a_few_frames_without_a_message_are_as_good_as_ever(server):
    with server.client("Alheyd") as client:
        table = client.socket(client.table("me", "me", "me")["id"])
        table.receive()
        for _ in range(10):
            assert table.connection.ping().wait(60)
        table.connection.send(part for part in ['{"type":"ping",', '"re":"1"', "}"])
        assert table.until("pong")["re"] == "1"


class _Wire:
    """A transport that notes what is asked of it."""

    def __init__(self) -> None:
        self.reads, self.closing, self.sent = True, False, b""

    def pause_reading(self) -> None:
        self.reads = False

    def resume_reading(self) -> None:
        self.reads = True

    def is_closing(self) -> bool:
        return self.closing

    def abort(self) -> None:
        self.closing = True


def _lean(monkeypatch: pytest.MonkeyPatch, taken: Callable[[Any, bytes], None]) -> Any:
    monkeypatch.setattr(WebSocketsSansIOProtocol, "data_received", taken)
    one: Any = lean.Lean.__new__(lean.Lean)
    one.transport, one.queue, one.read_paused, one._held = _Wire(), lean.Inbox(), False, b""
    one.loop, one.door, one._stands = asyncio.get_running_loop(), Door(lean._AT_ONCE), False
    one.scope, one.client = {"client": ("10.0.0.1", 1)}, None
    one.handshake_complete, one.close_sent, one._frames = True, False, Bucket(20.0, 60.0)
    return one


def test_what_comes_in_is_taken_apart_in_pieces(monkeypatch):
    """A hundred thousand frames came in at once, and nobody had a turn before all were looked at."""
    came: list[int] = []

    async def work() -> None:
        one = _lean(monkeypatch, lambda _, data: came.append(len(data)))
        one.data_received(b"x" * (2 * lean._PIECE + 1))
        assert came == [lean._PIECE]
        assert not one.transport.reads
        await asyncio.sleep(0)
        assert came == [lean._PIECE] * 2
        await asyncio.sleep(0)
        assert came == [lean._PIECE] * 2 + [1]
        assert one.transport.reads
        one.data_received(b"x" * (2 * lean._PIECE))
        one.transport.closing = True
        await asyncio.sleep(0)
        assert came[3:] == [lean._PIECE], "who has gone is looked at no more"

    asyncio.run(work())


def test_pieces_of_many_connections_are_taken_apart_in_turns(monkeypatch):
    """Five hundred sockets with a few tiny messages each were a quarter of a second for everybody."""
    came: list[Any] = []
    some, many = lean._AT_ONCE, 3 * lean._AT_ONCE

    async def work() -> None:
        crowd = [_lean(monkeypatch, lambda self, _: came.append(self.client)) for _ in range(many)]
        alone = _lean(monkeypatch, lambda self, _: came.append(self.client))
        for number, each in enumerate([*crowd, alone]):
            each.door, each.client = crowd[0].door, number
        alone.scope = {"client": ("10.0.0.2", 1)}
        for each in [*crowd, alone]:
            each.data_received(b"x")
        assert came == list(range(some))
        assert [each.transport.reads for each in crowd] == [True] * some + [False] * (many - some)
        for _ in range(2):
            await asyncio.sleep(0)
        assert many in came, "who comes alone is the next"
        assert len(came) <= many
        for _ in range(20):
            await asyncio.sleep(0)
        assert sorted(came) == list(range(many + 1))
        assert all(each.transport.reads for each in crowd)

    asyncio.run(work())


def test_the_next_piece_waits_until_messages_are_read(monkeypatch):
    async def work() -> None:
        def taken(self: Any, data: bytes) -> None:
            self.queue.put_nowait(data[:1])
            self.read_paused = True
            self.transport.pause_reading()

        one = _lean(monkeypatch, taken)
        one.data_received(b"a" * lean._PIECE + b"b")
        for _ in range(3):
            await asyncio.sleep(0)
        assert one._held == b"b"
        assert await one.receive() == b"a"
        assert not one.transport.reads
        assert await one.receive() == b"b"
        assert one.transport.reads

    asyncio.run(work())


def test_who_was_sent_away_is_listened_to_no_more(monkeypatch):
    """Messages after the goodbye were taken apart for as long as they came."""

    async def work() -> None:
        one = _lean(monkeypatch, lambda *_: None)
        one.close_sent, one._held = True, b"more of it"
        handled: list[Any] = []
        monkeypatch.setattr(
            WebSocketsSansIOProtocol, "handle_text", lambda _, event: handled.append(event)
        )
        for _ in range(100):
            one.handle_text(SimpleNamespace(fin=True))
        assert 60 <= len(handled) < 100
        assert one._held == b""
        assert not one.transport.reads

    asyncio.run(work())


def test_messages_of_one_address_wait_for_each_other(tmp_path):
    """Five hundred sockets with twenty messages a second each took the whole event loop."""

    async def work(hub, person):
        table = await hub.lobby.create(person, wish("me", "me", "me", start=True))
        caller = Caller(hub, AsyncMock(cookies={}))
        connection: Any = Connection(hub, AsyncMock(scope={}), table, caller)
        connection.address = "10.0.0.1"
        said = iter(['{"type":"ping","re":"1"}', '{"type":"ping","re":"2"}'])

        async def receive() -> str:
            for text in said:
                return text
            raise asyncio.CancelledError

        connection.socket.receive_text = receive
        waited: list[str] = []

        async def turn(address: str) -> None:
            waited.append(address)
            if len(waited) == 2:
                raise TableError("too_many", "Too many messages.")

        hub.messages.turn = turn
        with pytest.raises(asyncio.CancelledError):
            await connection._receive_all()
        assert waited == ["10.0.0.1", "10.0.0.1"]
        assert [type(answer).__name__ for answer in connection._outbox] == ["Pong", "Error"]

    in_hub(tmp_path, work, rounds=False)


def test_who_goes_on_where_his_address_has_had_its_share_is_sent_away(tmp_path):
    """Messages that were refused for the others of the address came on as fast as one could send."""

    async def work(hub, person):
        table = await hub.lobby.create(person, wish("me", "me", "me", start=True))
        connection: Any = Connection(
            hub, AsyncMock(scope={}), table, Caller(hub, AsyncMock(cookies={}))
        )
        connection.socket.receive_text = AsyncMock(return_value='{"type":"ping"}')
        hub.messages.turn = AsyncMock(side_effect=TableError("too_many", "Too many messages."))
        with pytest.raises(Leave, match="too many messages") as left:
            await connection._receive_all()
        assert left.value.code == Close.TOO_MANY
        assert hub.messages.turn.await_count <= 60, "who sends faster than he may waits for nobody"

    in_hub(tmp_path, work, rounds=False)


def test_new_guests_do_not_multiply_the_chat_of_an_address(tmp_path):
    async def work(hub, _person):
        guests = [(await hub.accounts.guest(f"Guest {n}"))[0] for n in range(4)]
        for guest in guests[:2]:
            for _ in range(2):
                hub.check_talk(guest, "10.0.0.1")
        for guest in guests[2:]:
            for _ in range(2):
                hub.check_talk(guest, "10.0.0.1")
        more, _ = await hub.accounts.guest("More")
        hub.check_talk(more, "10.0.0.1")
        hub.check_talk(more, "10.0.0.1")
        last, _ = await hub.accounts.guest("Last")
        with pytest.raises(TableError, match="lines of chat"):
            hub.check_talk(last, "10.0.0.1")
        hub.check_talk(last, "10.0.0.2")

    in_hub(tmp_path, work, chat_count=2, chat_seconds=1_000_000)


# HTTP


def test_requests_that_do_not_wait_for_answers_end_the_connection(server):
    with connected(server) as raw:
        raw.sendall(b"GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n" * 50)
        assert heard(raw).count(b"HTTP/1.1 200") == 1
    with connected(server) as raw:
        for _ in range(3):
            raw.sendall(b"GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert raw.recv(12) == b"HTTP/1.1 200"
            while b"}" not in raw.recv(65536):
                pass


@pytest.mark.parametrize(
    ("method", "path"), [("GET", "/api/nowhere"), ("POST", "/api/nowhere"), ("PUT", "/nowhere")]
)
def test_addresses_that_lead_nowhere_are_counted_too(tmp_path, method, path):
    """Of those that no route has, or not for this method, there was no end."""
    server = Server(tmp_path, requests_per_second="0.001", requests_burst=3).start()
    with server.client() as client:
        answers = [client.http.request(method, path) for _ in range(4)]
        codes = [answer.status_code for answer in answers]
        assert codes[0] in {404, 405}
        assert codes == [codes[0]] * 3 + [429]
        assert answers[-1].json()["code"] == "too_many"
        assert int(answers[-1].headers["retry-after"]) > 100
        assert answers[-1].headers["x-content-type-options"] == "nosniff"
    assert server.stop() == 0


def _patient(**settings: Any) -> Any:
    return patient(Config(**settings))


class _Connection:
    """What a protocol is told of its connection."""

    def __init__(self, address: str) -> None:
        self.address, self.aborted, self.left = address, False, 0

    def get_extra_info(self, name: str) -> Any:
        return (self.address, 1) if name in {"peername", "sockname"} else None

    def get_write_buffer_size(self) -> int:
        return self.left

    def is_closing(self) -> bool:
        return self.aborted

    def abort(self) -> None:
        self.aborted = True

    def __getattr__(self, _name: str) -> Any:
        return lambda *_: None


@contextlib.contextmanager
def _protocol(kind: Any, address: str) -> Iterator[Any]:
    """A protocol of somebody's, until he goes."""
    loaded = SimpleNamespace(
        loaded=True, h11_max_incomplete_event_size=None, timeout_keep_alive=5, root_path=""
    )
    for name in ("loaded_app", "ws_protocol_class", "asgi_version", "limit_concurrency"):
        setattr(loaded, name, None)
    state = SimpleNamespace(connections=set(), tasks=set())
    one = kind(loaded, state, {}, _loop=asyncio.get_running_loop())
    one.connection_made(_Connection(address))
    try:
        yield one
    finally:
        one.connection_lost(OSError())


def test_connections_of_one_address_are_bounded():
    async def work() -> None:
        kind = _patient(connections_per_address=2)
        with contextlib.ExitStack() as stack:
            ones = [stack.enter_context(_protocol(kind, "10.0.0.1")) for _ in range(5)]
            assert [one.transport.aborted for one in ones] == [False] * 4 + [True]
            other = stack.enter_context(_protocol(kind, "10.0.0.2"))
            assert not other.transport.aborted
        with _protocol(kind, "10.0.0.1") as one:
            assert not one.transport.aborted, "those who went are forgotten"
        behind = _patient(connections_per_address=2, proxies=("10.0.0.1",))
        with contextlib.ExitStack() as stack:
            ones = [stack.enter_context(_protocol(behind, "10.0.0.1")) for _ in range(9)]
            assert not any(one.transport.aborted for one in ones), "the proxy counts"

    asyncio.run(work())


def test_an_address_whose_requests_take_long_to_read_is_sent_away(monkeypatch):
    """A body in chunks of one byte, a million bytes that are no HTTP."""
    spent = [0.0]
    monkeypatch.setattr(
        patience, "time", SimpleNamespace(thread_time=lambda: spent[0]), raising=True
    )

    async def work() -> None:
        kind = _patient()
        with _protocol(kind, "10.0.0.1") as one:
            one.data_received(b"POST / HTTP/1.1\r\n")
            assert not one.transport.aborted
            taken = one.conn.receive_data

            def slowly(data: bytes) -> None:
                spent[0] += 10.0
                taken(data)

            one.conn.receive_data = slowly
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            one.data_received(b"Host: x\r\n")
            assert one.transport.aborted
        with _protocol(kind, "10.0.0.1") as one:
            assert one.transport.aborted, "coming again helps nobody"
        with _protocol(kind, "10.0.0.2") as one:
            assert not one.transport.aborted

    asyncio.run(work())


def test_whoever_does_not_read_his_answer_loses_it():
    async def work() -> None:
        kind = _patient(slow_reader_seconds=0.01)
        with _protocol(kind, "10.0.0.1") as one:
            one.transport.left = 1_000_000
            one.pause_writing()
            await until(lambda: one.transport.aborted)
        with _protocol(kind, "10.0.0.1") as one:
            one.transport.left = 1_000_000
            one.pause_writing()
            one.transport.left -= 10_000
            one._look_again()
            assert not one.transport.aborted, "who reads slowly reads"
            one.resume_writing()
            assert one._slow is None

    asyncio.run(work())


def test_what_one_address_leaves_unread_is_bounded():
    """Read at a kilobyte a second, a thousand answers of a megabyte stayed in memory for a quarter of an hour."""

    async def work() -> None:
        kind = _patient()
        with contextlib.ExitStack() as stack:

            def unread(address: str, count: int) -> Any:
                one = stack.enter_context(_protocol(kind, address))
                one.transport.left = count
                one.pause_writing()
                return one

            first = unread("10.0.0.1", 200_000_000)
            assert not first.transport.aborted, "one answer is kept however long it is"
            assert unread("10.0.0.1", 1000).transport.aborted
            assert not unread("10.0.0.2", 1000).transport.aborted
            first.resume_writing()
            assert not unread("10.0.0.1", 1000).transport.aborted
        assert kind._all.unread == {}

    asyncio.run(work())


def _sockets(server: Server) -> int:
    """How many connections the server holds."""
    assert server.process is not None
    count = 0
    for file in Path(f"/proc/{server.process.pid}/fd").iterdir():
        with contextlib.suppress(FileNotFoundError):  # closed while we look
            count += "socket" in str(file.readlink())
    return count


def _much(client: Client) -> None:
    """More of one's own than lies between two machines until somebody reads it."""
    game = Game.new(board="hansa", players=3, seed=1)
    text = str(game.legal_actions()[0])
    game.play(text)
    made = client.post("/api/records", {"record": game.record()})
    nodes = [{"parent": -1, "text": text, "comment": "x" * 2000}] * 440
    for _ in range(12):
        study = {"name": "Long", "game": made["id"], "number": 0, "comment": "", "nodes": nodes}
        client.post("/api/studies", study, 201)


def test_who_never_reads_keeps_no_connection(tmp_path):
    """Neither by HTTP nor by a WebSocket: closing waited for the rest to be read, for ever."""
    server = Server(tmp_path, slow_reader_seconds=1).start()
    with server.client("Alheyd") as client, connected(server) as asks:
        _much(client)
        game, cookie = client.table("me", "me", "me")["id"], client.http.cookies["hansa_session"]
        asks.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        asks.sendall(
            "GET /api/me/data HTTP/1.1\r\nHost: localhost\r\n"
            f"Cookie: hansa_session={cookie}\r\n\r\n".encode()
        )
        look = frame(TEXT, b'{"type":"look","seat":null}')
        with upgraded(server, game, cookie) as watches:
            watches.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
            held, deadline = 99, time.monotonic() + 120
            # What listens and what wakes the event loop stay, and perhaps the client's own.
            while held > 4 and time.monotonic() < deadline:
                with contextlib.suppress(OSError):
                    watches.sendall(look * 10)
                time.sleep(0.01)
                held = _sockets(server)
            assert held <= 4
    assert server.stop() == 0


def test_polls_of_one_address_at_a_table_are_bounded(tmp_path):
    """Hundreds of them were answered at once, each as dear as opening the table."""

    async def work(hub, person):
        table = await hub.lobby.create(person, wish("me", "me", "me", start=True))

        def poll(address: str) -> Any:
            caller: Any = SimpleNamespace(address=address)
            until = time.monotonic() + 60
            return asyncio.ensure_future(_news(hub, table, caller, 0, None, until))

        polls = [poll("10.0.0.1") for _ in range(25)]
        other = poll("10.0.0.2")
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        refused = [each for each in polls if each.done()]
        assert len(refused) == 5
        for each in refused:
            with pytest.raises(TableError, match="wait"):
                each.result()
        assert not other.done()
        await hub.decisions.act(table, person, "end", 0)
        await asyncio.gather(other, *(each for each in polls if each not in refused))
        assert hub.polls.length == 0

    in_hub(tmp_path, work, rounds=False)


def test_a_server_that_stops_answers_whoever_polls(tmp_path):
    server = Server(tmp_path).start()
    with server.client("Alheyd") as client:
        game = client.table("me", "me", "me")["id"]
        with connected(server) as raw:
            cookie = client.http.cookies["hansa_session"]
            raw.sendall(
                f"GET /api/games/{game}/state?after=0&wait=30 HTTP/1.1\r\nHost: localhost\r\n"
                f"Cookie: hansa_session={cookie}\r\n\r\n".encode()
            )
            watching = client.socket(game)
            watching.receive()
            watching.wait_for(lambda s: all(seat["present"] for seat in s.table["seats"]))
            assert server.stop() == 0
            assert heard(raw).startswith(b"HTTP/1.1 200")
    assert "Task cancelled" not in "".join(server.errors)


def test_what_is_refused_to_somebody_who_has_gone_is_not_logged(tmp_path):
    """Who closed his socket right after deciding left an error with its traceback in the log."""

    async def work(hub, _person):
        lost: list[Any] = []
        asyncio.get_running_loop().set_exception_handler(lambda _, about: lost.append(about))
        for error in (TableError("stale_number", "Too late."), ZeroDivisionError()):
            gate = asyncio.Event()

            async def change(gate: asyncio.Event = gate, error: Exception = error) -> None:
                await gate.wait()
                raise error

            asked = asyncio.ensure_future(hub.hall.guard(change()))
            await asyncio.sleep(0)
            asked.cancel()
            with pytest.raises(asyncio.CancelledError):
                await asked
            with capture_logs() as logged:
                gate.set()
                await until(lambda: not hub.hall._tasks)
                await asyncio.sleep(0)
            del asked
            gc.collect()
            expected = [] if isinstance(error, TableError) else ["a change failed"]
            assert [line["event"] for line in logged] == expected
        assert lost == []

    in_hub(tmp_path, work, rounds=False)


@pytest.mark.parametrize(
    "gone", [ClientDisconnected(), OSError(), WebSocketDisconnect(detail="gone")]
)
def test_who_goes_while_he_is_told_something_is_no_fault(tmp_path, gone):
    """Each of a crowd that left was an error with its traceback in the log."""

    async def work(hub, person):
        table = await hub.lobby.create(person, wish("me", "me", "me", start=True))
        line: Any = AsyncMock(scope={}, cookies={})
        line.send_text.side_effect = line.close.side_effect = gone
        line.receive_text = asyncio.Event().wait
        with capture_logs() as logged:
            await Connection(hub, line, table, Caller(hub, line)).run(None, None)
        assert [about for about in logged if about["log_level"] == "error"] == []

    in_hub(tmp_path, work, rounds=False)


def test_nothing_is_said_to_whom_was_sent_away(monkeypatch):
    """uvicorn takes that for a fault of the application."""

    async def work() -> None:
        one = _lean(monkeypatch, lambda *_: None)
        one.close_sent = True
        with pytest.raises(ClientDisconnected):
            await one.send({"type": "websocket.send", "text": "more"})

    asyncio.run(work())
