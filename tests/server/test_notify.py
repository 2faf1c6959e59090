"""Play over days: people who are away are told by webhook or e-mail, through real sockets."""

from __future__ import annotations

import contextlib
import email
import email.policy
import errno
import http.server
import json
import random
import re
import socket
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import httpx
import pytest
from aiosmtpd.controller import Controller
from tests.server.harness import Client, Server
from tests.server.test_hub import in_hub

from hansa.server.config import load
from hansa.server.errors import TableError
from hansa.server.notify import check_address
from hansa.server.outward import PrivateAddress, public_only


def until(met: Callable[[], Any], seconds: float = 15) -> Any:
    deadline = time.monotonic() + seconds
    while not (found := met()):
        assert time.monotonic() < deadline, "it never happened"
        time.sleep(0.05)
    return found


class Mailbox:
    """A mail server on 127.0.0.1 that keeps what it gets; it can be told to refuse."""

    def __init__(self) -> None:
        self.mails: list[tuple[str, str, str]] = []
        self.refuse = 0
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self._controller = Controller(self, hostname="127.0.0.1", port=self.port)
        self._controller.start()

    async def handle_DATA(self, _server: Any, _session: Any, envelope: Any) -> str:  # noqa: N802 - aiosmtpd's name
        if self.refuse:
            self.refuse -= 1
            return "451 come again"
        mail = email.message_from_bytes(envelope.content, policy=email.policy.default)
        text = "".join(
            part.get_content() for part in mail.walk() if part.get_content_type() == "text/plain"
        )
        self.mails.append((envelope.rcpt_tos[0], str(mail["subject"]), text))
        return "250 OK"

    def to(self, address: str, subject: str) -> list[str]:
        return [text for to, said, text in self.mails if to == address and subject in said]

    def close(self) -> None:
        self._controller.stop()


class Webhook:
    """An HTTP server on 127.0.0.1 that keeps what it is sent."""

    def __init__(self, status: int = 200, location: str = "") -> None:
        heard: list[dict[str, str]] = []

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                heard.append(json.loads(self.rfile.read(int(self.headers["content-length"]))))
                self.send_response(status)
                if location:
                    self.send_header("location", location)
                self.end_headers()

            def do_GET(self) -> None:
                heard.append({"message": "followed"})
                self.send_response(200)
                self.end_headers()

            def log_message(self, *_args: object) -> None:
                pass

        self.heard = heard
        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        self.address = f"json://127.0.0.1:{self._server.server_port}/turn"

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture(scope="module")
def mailbox() -> Iterator[Mailbox]:
    box = Mailbox()
    yield box
    box.close()


@pytest.fixture(scope="module")
def server(tmp_path_factory, mailbox):
    server = Server(
        tmp_path_factory.mktemp("data"),
        notify_schemes="json",
        notify_private="true",
        notify_mail=f"mailto://127.0.0.1:{mailbox.port}?from=hansa@club.example",
        notify_after="0.2",
        public_url="http://club.example",
        letters_per_hour="3",
    ).start()
    yield server
    assert server.stop() == 0


@contextlib.contextmanager
def hook(**how: Any) -> Iterator[Webhook]:
    listening = Webhook(**how)
    try:
        yield listening
    finally:
        listening.close()


def seat_two(host: Client, away: Client, **more: Any) -> str:
    table = host.table("me", "open", "random", start=False, **more)
    away.post(table["seats"][1]["invite"].replace("/i/", "/api/invites/"))
    host.post(f"/api/games/{table['id']}/start")
    return str(table["id"])


def act(client: Client, game: str) -> None:
    """End one's turn over HTTP, as somebody does who looks in once a day."""
    decision = ""
    while decision != "end":
        legal, number = until(partial(_legal, client, game), 30)
        # The bot may have displaced something of ours: that comes first.
        decision = "end" if "end" in legal else legal[0]
        client.post(f"/api/games/{game}/act", {"number": number, "decision": decision})


def _legal(client: Client, game: str) -> tuple[list[str], int] | None:
    position = client.get(f"/api/games/{game}/state")["position"]
    return (position["legal"], position["number"]) if position["legal"] else None


def test_a_webhook_is_told_once_a_turn(server):
    with hook() as heard, server.client("Alheyd") as host, server.client("Bertram") as away:
        refused = away.send("PUT", "/api/me/notify", {"url": "file:///etc/passwd"}, 403)
        assert "an e-mail address, json://…" in refused["message"]
        assert away.send("PUT", "/api/me/notify", {"url": heard.address}) == {
            "notify": True,
            "confirm": None,
        }
        assert away.get("/api/me")["notify"] == {"mail": True, "schemes": ["json"]}
        game = seat_two(host, away, name="Slow game")
        act(host, game)
        until(lambda: heard.heard)
        assert "Slow game" in heard.heard[0]["message"]
        assert f"http://club.example/g/{game}" in heard.heard[0]["message"]
        # Chat, watchers and further decisions of his own are no news.
        socket = host.socket(game)
        socket.receive()
        socket.ask("chat", text="are you there?")
        # Income leaves nothing on the board that the bot could displace.
        away.post(f"/api/games/{game}/act", {"number": 1, "decision": "income 1 0"})
        time.sleep(0.5)
        assert len(heard.heard) == 1
        act(away, game)
        act(host, game)
        until(lambda: len(heard.heard) == 2)
        away.send("PUT", "/api/me/notify", {"url": None})
        assert away.get("/api/me")["person"]["notify"] is False


def test_who_leaves_on_his_turn_is_told_later(server):
    with hook() as heard, server.client("Alheyd") as host, server.client("Bertram") as away:
        away.send("PUT", "/api/me/notify", {"url": heard.address})
        game = seat_two(host, away)
        theirs = away.socket(game)
        theirs.receive()
        act(host, game)
        theirs.wait_for(lambda s: s.position["player"] == "p2")
        time.sleep(0.5)
        assert heard.heard == [], "he sees it himself"
        theirs.close()
        until(lambda: heard.heard)
        again = away.socket(game)
        again.receive()
        again.close()
        time.sleep(0.5)
        assert len(heard.heard) == 1


def test_an_email_address_is_asked_first(server, mailbox):
    """Nobody can have letters sent to somebody else: the link in the letter has to be answered."""
    with server.client("Alheyd") as host, server.client("Bertram") as away:
        for bad in ("bertram@", "a@b", "x@y.z?smtp=evil", "a b@c.de", "mailto://x:y@z.example"):
            assert away.http.put("/api/me/notify", json={"url": bad}).status_code in {400, 403}
        address = "bertram@example.org"
        said = away.send("PUT", "/api/me/notify", {"url": address})
        assert said == {"notify": False, "confirm": address}
        (letter,) = until(lambda: mailbox.to(address, "shall we write"))
        assert "Bertram" in letter
        game = seat_two(host, away)
        act(host, game)
        link = re.findall(r"http://club\.example(/api/notify/\S+)", letter)[0]
        # Opening a link asks; only the button answers. Whoever reads the mail needs no cookie.
        with httpx.Client(base_url=server.url) as reader:
            page = reader.get(link)
            assert page.headers["content-type"].startswith("text/html")
            assert "bertram@example.org" in page.text
            assert "<form" in page.text
            assert away.get("/api/me")["person"]["notify"] is False
            assert reader.get(link[:-3] + "abc").status_code == 404
            assert reader.post(link).status_code == 200
            assert away.get("/api/me")["person"]["notify"] is True
            act(away, game)
            act(host, game)
            (told,) = until(lambda: mailbox.to(address, "your turn"))
            assert f"http://club.example/g/{game}" in told
            stop = re.findall(r"http://club\.example(/api/notify/\S+)", told)[0]
            assert reader.post(stop).status_code == 200
        assert away.get("/api/me")["person"]["notify"] is False
        answers = [away.http.put("/api/me/notify", json={"url": address}) for _ in range(3)]
        assert answers[-1].status_code == 429, "and nobody can be flooded with letters"
    assert not [line for line in server.errors if address in line], "addresses are not logged"


def test_a_mail_server_that_is_busy_is_tried_again(server, mailbox):
    address = "katrijn@example.org"
    mailbox.refuse = 1
    with server.client("Katrijn") as client:
        client.send("PUT", "/api/me/notify", {"url": address})
        until(lambda: mailbox.to(address, "shall we write"), 30)


def _has(heard: Webhook, count: int) -> bool:
    return len(heard.heard) == count


def test_days_between_decisions_and_a_server_that_restarts(tmp_path):
    """Nobody is ever there at the same time; the bot goes on although nobody looks."""
    clock = {"bank": 86_400, "increment": 3600, "consequence": "lose"}
    server = Server(tmp_path, notify_schemes="json", notify_private="true").start()
    with hook() as alheyd, hook() as bertram:
        clients = [server.client("Alheyd"), server.client("Bertram")]
        for client, listening in zip(clients, (alheyd, bertram), strict=True):
            client.send("PUT", "/api/me/notify", {"url": listening.address})
        game = seat_two(*clients, clock=clock, bot_delay=0.7)
        for turn in range(1, 3):
            act(clients[0], game)
            until(partial(_has, bertram, turn))
            act(clients[1], game)
            # The server goes down while the bot would think, and nobody opens the table after.
            assert server.stop() == 0
            server.start()
            for client in clients:
                client.http.base_url = server.url
            until(partial(_has, alheyd, turn), 30)
        state = clients[0].get(f"/api/games/{game}/state")
        assert state["position"]["number"] >= 6
        assert all(s["remaining"] > 86_300_000 for s in state["table"]["seats"][:2])
        for client in clients:
            client.close()
    assert server.stop() == 0


def test_clocks_go_on_after_a_restart_although_nobody_looks(tmp_path):
    server = Server(tmp_path).start()
    with server.client("Alheyd") as client:
        clock = {"bank": 1, "increment": 0, "consequence": "lose"}
        game = client.table("me", "random", clock=clock, setup={"duel": "neutral"})["id"]
        server.kill()
        server.start()
        client.http.base_url = server.url
        rows = until(
            lambda: [
                row
                for row in client.get("/api/games", mine="true", status="over")["games"]
                if row["id"] == game
            ]
        )
        assert rows[0]["result"]["reason"] == "conceded"
    assert server.stop() == 0


def test_redirects_and_odd_settings_of_an_address_are_not_followed(server):
    with hook() as inner, server.client("Alheyd") as host, server.client("Bertram") as away:
        target = inner.address.replace("json://", "http://")
        with hook(status=302, location=target) as outer:
            away.send("PUT", "/api/me/notify", {"url": f"{outer.address}?redirect=yes&rto=3600"})
            game = seat_two(host, away)
            act(host, game)
            until(lambda: outer.heard)
            time.sleep(0.3)
        assert inner.heard == []


# One of apprise's many services still uses this module.
@pytest.mark.filterwarnings("ignore:'imghdr' is deprecated:DeprecationWarning")
def test_addresses_the_host_does_not_allow():
    closed = load(environ={})
    for address in ("json://8.8.8.8/x", "somebody@example.org", "mailto://a:b@c.example", ""):
        with pytest.raises(TableError, match="allows: nothing"):
            check_address(address, closed)
    # A mail server in an address's settings could be a private one: people give addresses only.
    careless = load(environ={"HANSA_NOTIFY_SCHEMES": "mailto,mailtos,json"})
    with pytest.raises(TableError, match="allows: json"):
        check_address("mailto://a:b@c.example?smtp=127.0.0.1", careless)
    with pytest.raises(TableError, match="500"):
        check_address("json://example.org/" + "x" * 600, careless)
    chance = random.Random(1)
    for _ in range(200):
        noise = "".join(chance.choice("json:/@?&=%[].\u202e 1a") for _ in range(30))
        with pytest.raises(TableError):
            check_address(f"json://[{noise}", careless)


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "::1", "10.1.2.3", "169.254.169.254", "0x7f000001", "::ffff:127.0.0.1"]
)
def test_a_guarded_thread_does_not_connect_into_private_networks(host):
    with public_only() as door, pytest.raises(PrivateAddress):
        socket.create_connection((host, 9))
    assert door.refused


def test_only_a_guarded_thread_is_held_back():
    with hook() as heard, socket.socket() as plain:
        port = int(heard.address.rpartition(":")[2].partition("/")[0])
        with public_only():
            pass
        plain.connect(("127.0.0.1", port))


# One of apprise's many services still uses this module.
@pytest.mark.filterwarnings("ignore:'imghdr' is deprecated:DeprecationWarning")
def test_what_a_name_means_is_asked_once(tmp_path, monkeypatch):
    """A name that is public when it is checked, and private when it is used, leads nowhere."""

    def resolve(host, port, *_, **__):
        asked.append(host)
        found = "8.8.8.8" if len(asked) == 1 else "127.0.0.1"
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (found, port or 0))]

    class Offline(socket.socket):
        def connect(self, address):
            if address[0] == "8.8.8.8":
                raise OSError(errno.ENETUNREACH, "unreachable")
            super().connect(address)

    asked: list[str] = []

    async def work(hub, _person):
        with monkeypatch.context() as patch:
            patch.setattr(socket, "getaddrinfo", resolve)
            patch.setattr(socket, "socket", Offline)
            address = f"json://rebinding.example:{port}/x"
            assert hub.notifier._post(address, "title", "body") is False
        # Two parsers disagree on where this leads; the connection is made to one place only.
        confusing = f"json://a@127.0.0.1:{port}@1.1.1.1/admin?method=DELETE"
        assert not hub.notifier._post(confusing, "title", "body")

    with hook() as inner:
        port = int(inner.address.rpartition(":")[2].partition("/")[0])
        in_hub(tmp_path, work, notify_schemes=("json",))
        assert asked == ["rebinding.example"]
        assert inner.heard == []
