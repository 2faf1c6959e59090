"""Bad input and bad people: a clear answer, nothing stored, nobody else slowed."""

from __future__ import annotations

import json
import socket as plain_socket
import time
from types import SimpleNamespace
from typing import Any, cast

import pytest
from structlog.testing import capture_logs
from tests.server.harness import Server
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Origin

from hansa.server.border import on_error


@pytest.fixture
def client(sqlite_server):
    with sqlite_server.client("Alheyd") as somebody:
        yield somebody


@pytest.fixture
def table(client):
    return client.table("me", "me", "me")


@pytest.mark.parametrize(
    "raw",
    [
        "",
        "{",
        "[]",
        "null",
        '"act"',
        "{}",
        '{"type": "dance"}',
        '{"type": "act"}',
        '{"type": "act", "number": -1, "decision": "end"}',
        '{"type": "act", "number": "0", "decision": "end"}',
        '{"type": "act", "number": 1e400, "decision": "end"}',
        '{"type": "act", "number": 99999999999999999999, "decision": "end"}',
        '{"type": "act", "number": 0, "decision": ""}',
        '{"type": "act", "number": 0, "decision": 7}',
        '{"type": "look", "seat": "p9"}',
        '{"type": "ping", "re": 5}',
        "[" * 2000 + "]" * 2000,
        '{"type": "ping", "more": ' + "[" * 1900 + "]" * 1900 + "}",
        "\ud83d",
    ],
)
def test_unreadable_messages_are_answered(client, table, raw):
    socket = client.socket(table["id"])
    socket.receive()
    socket.connection.send(raw.encode("utf-8", "replace").decode())
    answer = socket.until("error")
    assert answer["code"] == "bad_request"
    assert socket.ask("ping")["type"] == "pong"
    assert client.get(f"/api/games/{table['id']}")["revision"] == 0


def test_too_many_unreadable_messages(client, table):
    socket = client.socket(table["id"])
    for _ in range(30):
        socket.connection.send("nonsense")
    assert socket.closed() == 4400


def test_huge_messages_close_the_connection(client, table):
    socket = client.socket(table["id"])
    socket.receive()
    socket.connection.send(json.dumps({"type": "chat", "text": "x" * 100_000}))
    assert socket.closed() == 1009
    assert client.socket(table["id"]).receive()["chat"] == []


def test_binary_frames_are_refused(client, table):
    socket = client.socket(table["id"])
    socket.receive()
    socket.connection.send(b"\x00\xff\x00")
    assert socket.until("error")["code"] == "bad_request"


def test_a_text_of_ours_that_is_none_is_our_fault():
    """A file that was damaged, say: nobody would hear of it."""
    request = SimpleNamespace(url=SimpleNamespace(path="/api/me"))
    with pytest.raises(UnicodeDecodeError) as caught:
        b"\xff".decode()
    with capture_logs() as lines:
        answer = on_error(cast("Any", request), caught.value)
    assert (answer.status_code, lines[0]["event"]) == (500, "internal error")


@pytest.mark.parametrize("parts", [[b'"\xed\xa0\x80"'], [b'"\xc3', b'"'], [b"\xff" * 300]])
def test_text_that_is_none_is_no_fault_of_ours(client, table, parts):
    def faults() -> list[str]:
        lines = client.http.get("/metrics").text.splitlines()
        return [line for line in lines if line.startswith('hansa_logged_total{level="error"}')]

    before = faults()
    socket = client.socket(table["id"])
    socket.receive()
    socket.connection.send(iter(parts), text=True)
    assert socket.closed() == 1007
    assert faults() == before


def test_decisions_that_are_none(client, table):
    socket = client.socket(table["id"])
    socket.receive()
    for decision in (
        "place t groningen-emden/99",
        "end end",
        "'; DROP TABLE games",
        "\x00",
        "é" * 150,
    ):
        answer = socket.act(decision)
        assert answer["code"] in {"malformed_decision", "illegal_decision"}, answer
    assert socket.position["number"] == 0


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({}, "bad_request"),
        ({"setup": {}, "seats": []}, "bad_request"),
        ({"setup": {"board": "mars"}, "seats": []}, "invalid_setup"),
        ({"setup": {"players": 9}, "seats": []}, "invalid_setup"),
        ({"setup": {"players": 3}, "seats": [{"kind": "me"}]}, "bad_request"),
        (
            {"setup": {"board": "east", "players": 3, "missions": True}, "seats": []},
            "invalid_setup",
        ),
        ({"setup": {"players": "3"}, "seats": []}, "bad_request"),
        ({"setup": {"seed": -1}, "seats": []}, "bad_request"),
        ({"setup": {}, "seats": [], "surprise": 1}, "bad_request"),
        ({"setup": {"players": 2}, "seats": [{"kind": "me"}, {"kind": "bot"}]}, "unknown_bot"),
        (
            {
                "setup": {"players": 2},
                "seats": [{"kind": "me"}, {"kind": "bot", "bot": "deep:blue"}],
            },
            "unknown_bot",
        ),
        (
            {"setup": {"players": 2}, "seats": [{"kind": "me", "name": "\u202e"}, {"kind": "me"}]},
            "bad_name",
        ),
        (
            {"setup": {"players": 2}, "seats": [{"kind": "me"}] * 2, "clock": {"bank": 0.5}},
            "bad_request",
        ),
    ],
)
def test_set_ups_that_cannot_be(client, body, code):
    answer = client.post("/api/games", body, 400)
    assert answer["code"] == code
    assert answer["message"]


def test_bodies_that_are_not_json_or_too_large(client):
    answer = client.http.post(
        "/api/games", content=b"{", headers={"content-type": "application/json"}
    )
    assert answer.status_code == 400
    for body in (b'{"name": "\xed\xa0\x80"}', b'"\xff"', b'{"\xc3": 1}'):
        answer = client.http.post("/api/games", content=body)
        assert (answer.status_code, answer.json()["code"]) == (400, "bad_request"), body
    answer = client.http.post("/api/records", content=b"x" * 2_000_000)
    assert answer.status_code == 413
    assert answer.json()["code"] == "too_large"
    answer = client.http.post("/api/records", content=b"\xff\xfe")
    assert answer.json()["code"] == "invalid_record"
    answer = client.http.post("/api/records", content=b"Hansa record 1\nSetup: {}\n\np1> fly\n")
    assert answer.json()["code"] == "invalid_record"


def test_cross_site_requests_are_refused(client, table):
    here = client.server.url.removeprefix("http://")
    for origin in (
        "https://evil.example", "null", "", "http://[", f"http://{here}.evil.example",
        f"http://evil.example/{here}", f"http://evil@{here}", f"javascript://{here}", here,
        "http://127.0.0.1", "http://127.0.0.1:1",
    ):  # fmt: skip
        foreign = {"Origin": origin}
        answer = client.http.post(f"/api/games/{table['id']}/act", json={}, headers=foreign)
        assert (answer.status_code, answer.json()["code"]) == (403, "cross_site"), origin
        assert client.http.delete("/api/session", headers=foreign).status_code == 403
    own = {"Origin": client.server.url}
    answer = client.http.post("/api/me", json={}, headers=own)
    assert answer.status_code == 200
    url = f"{client.server.url.replace('http', 'ws')}/api/games/{table['id']}/socket"
    with (
        connect(url, origin=Origin("https://evil.example")) as socket,
        pytest.raises(ConnectionClosed, match="4403"),
    ):
        socket.recv(5)


def test_paths_that_try_to_climb(client):
    for path in (
        "/../../etc/passwd",
        "/%2e%2e/%2e%2e/etc/passwd",
        "/assets/../../hansa.sqlite3",
        "/static/..%2f..%2fapp.py",
        "/hansa.sqlite3",
        "//etc/passwd",
        "/.env",
    ):
        answer = client.http.get(path)
        assert answer.status_code in {200, 404}, path
        assert "root:" not in answer.text
        assert "SQLite format" not in answer.text
        if answer.status_code == 200:
            assert answer.headers["content-type"].startswith("text/html")
    for game in ("..", "%00", "a%2fb", "x" * 300, "k7Qm2xWd9aTe", "'--"):
        answer = client.http.get(f"/api/games/{game}")
        assert answer.status_code == 404, game
        assert answer.json()["code"] == "not_found"


def test_forged_and_replayed_cookies(client, table):
    cookie = client.http.cookies["hansa_session"]
    with client.server.client() as thief:
        for forged in ("", "x", cookie[:-2] + "AA", cookie.rsplit(".", 1)[0], "é"):
            raw = {"Cookie": f"hansa_session={forged}".encode()}
            answer = thief.http.get("/api/me", headers=raw)
            assert answer.json()["person"] is None, forged
        assert thief.http.get("/api/me", headers={"Cookie": f"hansa_session={cookie}"}).json()[
            "person"
        ]
        socket = client.socket(table["id"])
        socket.receive()
        client.send("DELETE", "/api/session")
        assert socket.closed() == 4401
        late = {"Cookie": f"hansa_session={cookie}"}
        assert thief.http.get("/api/me", headers=late).json()["person"] is None
        bad = thief.http.get("/api/me", headers={"Authorization": "Bearer hansa_nothing"})
        assert (bad.status_code, bad.json()["code"]) == (401, "bad_token")


def test_script_in_names_and_chat_stays_text(client):
    script = "<script>alert(1)</script>"
    client.post("/api/me", {"name": script})
    table = client.table("me", "me", name=f"{script}")
    assert table["seats"][0]["name"] == script
    socket = client.socket(table["id"])
    socket.receive()
    socket.ask("chat", text=f"{script}\u0000\u202e\nsecond line")
    socket.wait_for(lambda s: s.chat)
    assert socket.chat[-1]["text"] == f"{script} second line"
    answer = client.http.get(f"/api/games/{table['id']}")
    assert answer.headers["content-type"].startswith("application/json")
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "script-src" not in answer.headers["content-security-policy"]
    assert "default-src 'self'" in answer.headers["content-security-policy"]


def test_chat_limits(client, table):
    socket = client.socket(table["id"])
    socket.receive()
    assert socket.ask("chat", text="x" * 501)["code"] == "bad_request"
    assert socket.ask("chat", text=" \u200b ")["code"] == "bad_request"
    answers = [socket.ask("chat", text=f"line {n}") for n in range(8)]
    assert [a["type"] for a in answers[:3]] == ["ack"] * 3
    assert answers[-1]["code"] == "too_many"
    with client.server.client() as nobody:
        watcher = nobody.socket(table["id"])
        watcher.receive()
        assert watcher.ask("chat", text="hello")["code"] == "who_are_you"


def test_limits_on_connections_and_requests(tmp_path):
    server = Server(
        tmp_path,
        connections_per_address=5,
        messages_per_second=5,
        requests_per_second=1,
        requests_burst=40,
        slow_reader_seconds=1,
    ).start()
    try:
        with server.client("Alheyd") as client:
            table = client.table("me", "me")
            sockets = [client.socket(table["id"]) for _ in range(5)]
            assert client.socket(table["id"]).closed() == 4429
            for socket in sockets[1:]:
                socket.close()
            first = sockets[0]
            first.receive()
            pongs = [first.ask("ping")["type"] for _ in range(15)]
            assert pongs == ["pong"] * 15
            # Slow machines let the bucket fill again meanwhile.
            assert "too_many" in {first.ask("ping").get("code") for _ in range(15)}
            answers = [client.http.get("/api/me") for _ in range(60)]
            assert {answer.status_code for answer in answers} == {200, 429}
            for answer in answers:
                assert ("retry-after" in answer.headers) == (answer.status_code == 429)
    finally:
        assert server.stop() == 0


def test_a_slow_reader_slows_nobody(tmp_path):
    server = Server(tmp_path, slow_reader_seconds=1).start()
    try:
        with server.client("Alheyd") as client:
            table = client.table("me", "me", "me")
            fast = client.socket(table["id"])
            fast.receive()
            host, port = server.url.removeprefix("http://").split(":")
            slow = plain_socket.create_connection((host, int(port)))
            slow.setsockopt(plain_socket.SOL_SOCKET, plain_socket.SO_RCVBUF, 2048)
            slow.sendall(
                f"GET /api/games/{table['id']}/socket HTTP/1.1\r\nHost: {host}:{port}\r\n"
                "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n".encode()
            )
            fast.wait_for(lambda s: s.table["watching"] == 1)
            slowest = 0.0
            deadline = time.monotonic() + 30
            while fast.table["watching"] == 1 and time.monotonic() < deadline:
                began = time.monotonic()
                place = next(t for t in fast.position["legal"] if t.startswith(("place", "income")))
                assert fast.act(place)["type"] == "ack"
                assert fast.ask("undo", number=fast.position["number"])["type"] == "ack"
                fast.wait_for(lambda s: s.position["number"] == 0)
                slowest = max(slowest, time.monotonic() - began)
            assert fast.table["watching"] == 0, "the slow reader was sent away"
            assert slowest < 1.0
            slow.close()
    finally:
        assert server.stop() == 0


def test_plain_http_on_the_socket_address(client, table):
    assert client.http.get(f"/api/games/{table['id']}/socket").status_code in {404, 405}
    url = f"{client.server.url.replace('http', 'ws')}/api/nowhere"
    with pytest.raises(InvalidStatus), connect(url):
        pass
