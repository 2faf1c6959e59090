"""Play over days: people who are away are told by e-mail, push or webhook, through real sockets."""

from __future__ import annotations

import contextlib
import json
import re
import smtplib
import sqlite3
from collections.abc import Iterator
from functools import partial
from typing import Any

import httpx
import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from structlog.testing import capture_logs
from tests.server.harness import Client, Server, deadline_is_past
from tests.server.outside import CALLS, Browser, Mailbox, as_bytes, listening, until

from hansa.server.config import ConfigError, load
from hansa.server.mailing import Mailer, is_mail, mailbox
from hansa.server.store import Store


@pytest.fixture(scope="module")
def mailbox_() -> Iterator[Mailbox]:
    box = Mailbox()
    yield box
    box.close()


@pytest.fixture(scope="module")
def server(tmp_path_factory, mailbox_):
    settings = CALLS | {"mail_port": mailbox_.port, "letters_per_hour": 4}
    server = Server(tmp_path_factory.mktemp("data"), **settings).start()
    yield server
    assert server.stop() == 0


def seat_two(host: Client, away: Client, **more: Any) -> str:
    table = host.table("me", "open", "random", start=False, **more)
    away.post(table["seats"][1]["invite"].replace("/i/", "/api/invites/"))
    host.post(f"/api/games/{table['id']}/start")
    return str(table["id"])


def act(client: Client, game: str) -> None:
    """End one's turn over HTTP, as somebody does who looks in once a day."""
    decision = ""
    while decision != "end":
        legal, number = until(partial(_legal, client, game))
        # The bot may have displaced something of ours: that comes first.
        decision = "end" if "end" in legal else legal[0]
        client.post(f"/api/games/{game}/act", {"number": number, "decision": decision})


def _legal(client: Client, game: str) -> tuple[list[str], int] | None:
    position = client.get(f"/api/games/{game}/state")["position"]
    return (position["legal"], position["number"]) if position["legal"] else None


def test_a_browser_is_told_by_push_once_a_turn(server):
    """The payload is encrypted for that browser alone and signed with the key it subscribed with."""
    with (
        listening() as service,
        server.client("Alheyd") as host,
        server.client("Bertram") as away,
    ):
        browser = Browser(service)
        key = away.get("/api/me")["ways"]["push"]
        assert [away.post("/api/me/calls/devices", browser.wish) for _ in range(2)][1]["devices"]
        assert len(away.get("/api/me/calls")["devices"]) == 1
        game = seat_two(host, away, name="Slow game", clock={"bank": 86_000, "increment": 0})
        act(host, game)
        until(lambda: [m for m in browser.messages() if m["turn"]])
        (said,) = [m for m in browser.messages() if m["turn"]]
        assert said["path"] == f"/g/{game}"
        assert said["title"].startswith("Du bist am Zug · Restzeit: 23 Std")
        assert said["body"] == "Slow game · Die Hanse"
        path, headers, _ = service.heard[-1]
        assert path == browser.wish["endpoint"].partition(str(service.port))[2]
        assert (headers["content-encoding"], headers["ttl"]) == ("aes128gcm", "86400")
        token, _, public = headers["authorization"].removeprefix("vapid t=").partition(", k=")
        assert public == key
        verify = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), as_bytes(key))
        claims = jwt.decode(token, verify, ["ES256"], audience="http://127.0.0.1")
        assert claims["sub"] == "mailto:hansa@club.example"
        # Chat, watchers and further decisions of his own are no news.
        socket = host.socket(game)
        socket.receive()
        socket.ask("chat", text="are you there?")
        away.post(f"/api/games/{game}/act", {"number": 1, "decision": "income 1 0"})
        act(away, game)
        act(host, game)
        until(lambda: len([m for m in browser.messages() if m["turn"]]) == 2)
        assert away.post("/api/me/calls/test", {"way": "push"}) == {"outcome": "sent"}
        assert browser.messages()[-1]["title"].startswith("Das ist ein Test")
        assert len([m for m in browser.messages() if m["turn"]]) == 2
        (device,) = away.get("/api/me/calls")["devices"]
        assert away.send("DELETE", f"/api/me/calls/devices/{device['id']}")["devices"] == []
        away.post("/api/me/calls/test", {"way": "push"}, 404)


def test_a_push_service_that_forgot_a_browser_is_not_asked_again(server):
    with listening(status=410) as service, server.client("Bertram") as away:
        away.post("/api/me/calls/devices", Browser(service).wish)
        assert away.post("/api/me/calls/test", {"way": "push"}) == {"outcome": "never"}
        assert away.get("/api/me/calls")["devices"] == []


@pytest.mark.parametrize(
    "change",
    [
        {"endpoint": "https://example.org/push"},
        {"endpoint": "ftp://127.0.0.1/push"},
        {"endpoint": "http://127.0.0.1.evil.example/push"},
        {"p256dh": "AAAA"},
        {"auth": "!"},
    ],
)
def test_what_is_no_push_subscription(server, change):
    with listening() as service, server.client("Bertram") as away:
        answer = away.http.post("/api/me/calls/devices", json=Browser(service).wish | change)
        assert answer.status_code in {400, 403}
        assert away.get("/api/me/calls")["devices"] == []


def test_an_email_address_is_asked_first(server, mailbox_):
    """Nobody can have letters sent to somebody else: the link in the letter has to be answered."""
    with server.client("Alheyd") as host, server.client("<b>Bertram</b>") as away:
        for bad in ("bertram@", "a@b", "x@y.z?smtp=evil", "a b@c.de", "mailto://x:y@z.example"):
            away.send("PUT", "/api/me/calls/mail", {"address": bad}, 400)
        address = "bertram@example.org"
        said = away.send("PUT", "/api/me/calls/mail", {"address": address, "lang": "de"})
        assert said == {"mail": None, "asked": address, "devices": []}
        (letter,) = until(lambda: mailbox_.to(address, "Dürfen wir dir schreiben"))
        text = letter.get_content()
        assert "Bertram" not in text, "no word of a stranger's choosing"
        assert letter["auto-submitted"] == "auto-generated"
        game = seat_two(host, away, name="Buy gold now")
        act(host, game)
        link = re.findall(r"http://club\.example(/api/notify/\S+)", text)[0]
        # Opening a link asks; only the button answers. Whoever reads the mail needs no cookie.
        with httpx.Client(base_url=server.url) as reader:
            page = reader.get(link)
            assert page.headers["content-type"].startswith("text/html")
            assert "Soll Hansa an bertram@example.org schreiben" in page.text
            assert "<form" in page.text
            assert away.get("/api/me/calls")["mail"] is None
            assert reader.get(link[:-3] + "abc").status_code == 404
            assert reader.post(link).status_code == 200
            assert away.get("/api/me/calls")["mail"] == address
            assert away.post("/api/me/calls/test", {"way": "mail"}) == {"outcome": "sent"}
            assert mailbox_.to(address, "Das ist ein Test")
            act(away, game)
            act(host, game)
            (told,) = until(lambda: mailbox_.to(address, "Hansa: Du bist am Zug"))
            text = told.get_content()
            assert f"http://club.example/g/{game}" in text
            assert "Buy gold now" not in text + str(told["subject"])
            # One click in the mail program ends it (RFC 8058).
            assert told["list-unsubscribe-post"] == "List-Unsubscribe=One-Click"
            stop = re.fullmatch(
                r"<http://club\.example(/api/notify/\S+)>", told["list-unsubscribe"]
            )
            assert stop is not None
            assert stop[1] in text
            clicked = reader.post(stop[1], data={"List-Unsubscribe": "One-Click"})
            assert clicked.status_code == 200
        assert away.get("/api/me/calls")["mail"] is None
    assert not [line for line in server.errors if address in line], "addresses are not logged"


def test_nobody_is_flooded_with_letters(server):
    """Counted by mailbox whoever asks, however the address is written, and by person."""
    answers = []
    for n in range(5):
        with server.client("Katrijn") as client:
            answers.append(
                client.http.put("/api/me/calls/mail", json={"address": f"Geseke+{n}@example.org"})
            )
    assert [answer.status_code for answer in answers] == [200] * 4 + [429]
    assert mailbox("A.b+c@Example.org") == "ab@example.org"
    assert not is_mail("a@b.example\nBcc: c@d.example")


def test_guests_do_not_multiply_the_webhooks_of_an_address(tmp_path):
    """Each new one is called at once: guests cost nothing, and anybody's address can be named."""
    server = Server(tmp_path, **CALLS, letters_per_hour=1).start()
    statuses = []
    with listening() as service:
        for _ in range(6):
            with server.client("Katrijn") as host:
                table = host.table("me", "open", start=False)
                body = {"service": "json", "address": service.address}
                answer = host.http.put(f"/api/games/{table['id']}/hook", json=body)
                statuses.append(answer.status_code)
    assert statuses == [200] * 5 + [429]
    assert server.stop() == 0


def test_guests_do_not_multiply_the_messages_of_an_address(tmp_path):
    server = Server(tmp_path, **CALLS, letters_per_hour=1).start()
    answers = []
    with listening() as service:
        for _ in range(7):
            with server.client("Guest") as guest:
                guest.post("/api/me/calls/devices", Browser(service).wish)
                tried = guest.http.post("/api/me/calls/test", json={"way": "push"})
                answers.append(tried.status_code)
        assert len(service.heard) == 5
    assert answers == [200] * 5 + [429] * 2
    assert server.stop() == 0


def test_a_mail_server_that_is_busy_is_tried_again(server, mailbox_):
    address = "katrijn@example.org"
    mailbox_.refuse = 1
    with server.client("Katrijn") as client:
        client.send("PUT", "/api/me/calls/mail", {"address": address})
        until(lambda: mailbox_.to(address, "shall we write"))


@pytest.mark.parametrize(("fault", "outcome", "level"), [
    (smtplib.SMTPAuthenticationError(535, b"no such user"), "never", "error"),
    (smtplib.SMTPSenderRefused(550, b"not yours", "hansa@club.example"), "never", "error"),
    (smtplib.SMTPAuthenticationError(454, b"not just now"), "later", None),
    (smtplib.SMTPSenderRefused(452, b"so many an hour", "hansa@club.example"), "later", None),
    (ConnectionRefusedError("nobody there"), "later", "warning"),
])  # fmt: skip
def test_a_mail_account_that_is_refused_is_told_to_the_host(monkeypatch, fault, outcome, level):
    """A password that was changed there: no letter went out, and the log was silent."""

    def fails(*_: object) -> None:
        raise fault

    monkeypatch.setattr(Mailer, "_hand_over", fails)
    with capture_logs() as logged:
        said = Mailer(load(environ={})).send(
            "katrijn@example.org", "Hansa", "It is your turn.", None
        )
    assert said == outcome
    assert [line["log_level"] for line in logged] == ([level] if level else [])
    assert "katrijn" not in str(logged)


def test_a_table_has_a_webhook_for_all_its_people(server):
    """Full, begins, whose turn, an undo, over: each once, with the table's name and board."""
    with listening() as service, server.client("Alheyd") as host, server.client("Bertram") as other:
        table = host.table("me", "open", start=False, name="Kontor", setup={"duel": "neutral"})
        hook = f"/api/games/{table['id']}/hook"
        body = {"service": "json", "address": service.address}
        other.send("PUT", hook, body, 403)
        host.send("PUT", hook, {"service": "slack", "address": service.address}, 400)
        assert host.send("PUT", hook, body)["hook"] == "json"
        assert service.address not in host.http.get(f"/api/games/{table['id']}").text
        until(lambda: service.told("hello"))
        other.post(f"/api/games/{table['id']}/join", {})
        host.post(f"/api/games/{table['id']}/start")
        until(lambda: service.told("turn"))
        act(host, table["id"])
        until(lambda: len(service.told("turn")) == 2)
        number = host.get(f"/api/games/{table['id']}")["number"]
        host.post(f"/api/games/{table['id']}/undo", {"number": number, "to": 0, "ask": True})
        until(lambda: service.told("undo"))
        socket = other.socket(table["id"])
        socket.receive()
        socket.ask("concede")
        until(lambda: service.told("over"))
        turn = service.told("turn")[1]
        assert (turn["table"], turn["board"], turn["who"]) == (
            "Kontor",
            "The Hanseatic League",
            "Bertram",
        )
        assert turn["link"] == f"http://club.example/g/{table['id']}"
        assert service.told("over")[0]["text"] == "The game is over; Alheyd won"
        kinds = [json.loads(body)["event"] for _, _, body in service.heard]
        assert sorted(kinds) == ["begins", "full", "hello", "over", "turn", "turn", "undo"]
        assert host.send("DELETE", hook)["hook"] is None


def test_a_rematch_and_a_friends_invitation_call_people(server):
    """Asked again, and asked to a table by somebody one follows; strangers call nobody."""
    with listening() as service, server.client("Alheyd") as host, server.client("Bertram") as away:
        browser = Browser(service)
        away.post("/api/me/calls/devices", browser.wish)
        me, them = (str(one.get("/api/me")["person"]["id"]) for one in (host, away))
        table = host.table("me", "open", start=False, setup={"duel": "neutral"})
        invitations = f"/api/games/{table['id']}/invitations"
        host.post(invitations, {"person": them})
        away.send("PUT", f"/api/me/circle/{me}", {"kind": "follow"})
        friendly = host.table("me", "open", start=False)
        for _ in range(2):
            host.post(f"/api/games/{friendly['id']}/invitations", {"person": them})
        until(browser.messages)
        away.post(f"/api/games/{table['id']}/join", {})
        host.post(f"/api/games/{table['id']}/start")
        socket = host.socket(table["id"])
        socket.receive()
        socket.ask("concede")
        assert socket.ask("propose", kind="rematch")["type"] == "ack"
        until(lambda: any("Revanche" in m["title"] for m in browser.messages()))
        said = [(m["title"], m["path"]) for m in browser.messages()]
        invited = "Jemand, dem du folgst, lädt dich an einen Tisch ein"
        assert [path for title, path in said if title == invited] == [f"/g/{friendly['id']}"]
        asked = [path for title, path in said if title == "Jemand bittet dich um eine Revanche"]
        assert asked == [f"/g/{table['id']}"]


def test_redirects_are_not_followed(server):
    with listening() as inner, server.client("Alheyd") as host:
        table = host.table("me", "open", start=False)
        with listening(status=302, location=inner.address) as outer:
            body = {"service": "json", "address": outer.address}
            host.send("PUT", f"/api/games/{table['id']}/hook", body)
            until(lambda: outer.heard)
            # The next message comes after the first was given up.
            host.send("PUT", f"/api/games/{table['id']}/hook", body)
            until(lambda: len(outer.heard) == 2)
        assert inner.heard == []


@contextlib.contextmanager
def reached_by_push(server: Server) -> Iterator[tuple[Client, Client, Browser]]:
    """A host, and somebody with a browser that hears of what happens while he is away."""
    with (
        listening() as service,
        server.client("Alheyd") as host,
        server.client("Bertram") as away,
    ):
        browser = Browser(service)
        away.post("/api/me/calls/devices", browser.wish)
        yield host, away, browser


def test_who_leaves_on_his_turn_is_told_later(server):
    with reached_by_push(server) as (host, away, browser):
        game = seat_two(host, away)
        theirs = away.socket(game)
        theirs.receive()
        until(browser.messages)
        act(host, game)
        theirs.wait_for(lambda s: s.position["player"] == "p2")
        assert not [m for m in browser.messages() if m["turn"]], "he sees it himself"
        theirs.close()
        until(lambda: [m for m in browser.messages() if m["turn"]])


@pytest.mark.parametrize("within", [False, True])
def test_who_gets_the_decision_back_is_told_again(server, within):
    """He had been told of that turn already, and would have lost his seat without a word; also where he
    comes back to the middle of it.
    """
    with reached_by_push(server) as (host, away, browser):
        table = host.table("me", "open", "me", start=False)
        game = table["id"]
        away.post(table["seats"][1]["invite"].replace("/i/", "/api/invites/"))
        host.post(f"/api/games/{game}/start")
        act(host, game)
        until(partial(_turns, browser, 1))
        if within:
            legal, _ = until(partial(_legal, away, game))
            place = next(text for text in legal if text.startswith("place"))
            away.post(f"/api/games/{game}/act", {"number": 1, "decision": place})
        act(away, game)
        number = away.get(f"/api/games/{game}/state")["position"]["number"]
        away.post(f"/api/games/{game}/undo", {"number": number, "to": number - 1, "ask": True})
        mine = host.socket(game)
        mine.receive()
        asked = mine.table["proposals"][0]["id"]
        assert mine.ask("vote", proposal=asked, yes=True)["type"] == "ack"
        until(partial(_turns, browser, 2))


def test_whose_silence_counts_is_told_what_is_asked(server):
    """A machine plays for him, and the game would end without his having heard of either."""
    with reached_by_push(server) as (host, away, browser):
        game = seat_two(host, away, absence=1)
        mine = host.socket(game)
        mine.receive()
        mine.act("end")
        deadline_is_past(mine, "p2")
        assert mine.ask("propose", kind="standin", seat="p2")["type"] == "ack"
        until(lambda: told(browser, "Eine Maschine spielt für dich"))
        assert mine.ask("propose", kind="end")["type"] == "ack"
        mine.wait_for(lambda s: s.table["status"] == "over")
        until(lambda: told(browser, "Dein Spiel ist zu Ende"))
        until(lambda: told(browser, "Jemand bittet dich, dem Ende des Spiels zuzustimmen"))
        assert len(told(browser, "Eine Maschine spielt für dich")) == 1, "not once for each change"


def told(browser: Browser, beginning: str) -> list[Any]:
    return [m for m in browser.messages() if m["title"].startswith(beginning)]


def _turns(browser: Browser, count: int) -> bool:
    return len([m for m in browser.messages() if m["turn"]]) == count


def test_days_between_decisions_and_a_server_that_restarts(tmp_path):
    """Nobody is ever there at the same time; the bot goes on although nobody looks."""
    clock = {"bank": 86_400, "increment": 3600, "consequence": "lose"}
    server = Server(tmp_path, **CALLS).start()
    with listening() as one, listening() as two:
        clients = [server.client("Alheyd"), server.client("Bertram")]
        alheyd, bertram = Browser(one), Browser(two)
        for client, browser in zip(clients, (alheyd, bertram), strict=True):
            client.post("/api/me/calls/devices", browser.wish)
        game = seat_two(*clients, clock=clock, bot_delay=0.7)
        for turn in range(1, 3):
            act(clients[0], game)
            until(partial(_turns, bertram, turn))
            act(clients[1], game)
            # The server goes down while the bot would think, and nobody opens the table after.
            assert server.stop() == 0
            server.start()
            for client in clients:
                client.http.base_url = server.url
            until(partial(_turns, alheyd, turn + 1))
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


def test_what_the_host_has_not_set_up_is_not_offered(sqlite_server):
    with sqlite_server.client("Alheyd") as client, listening() as service:
        assert client.get("/api/me")["ways"] == {"mail": False, "push": None, "webhooks": []}
        client.send("PUT", "/api/me/calls/mail", {"address": "a@b.example"}, 403)
        client.post("/api/me/calls/devices", Browser(service).wish, 403)
        table = client.table("me", "open", start=False)
        wished = {"service": "slack", "address": "https://hooks.slack.com/services/T1234/B1234/x"}
        client.send("PUT", f"/api/games/{table['id']}/hook", wished, 400)
        wished["address"] += "yzyzyzyzyzyz"
        client.send("PUT", f"/api/games/{table['id']}/hook", wished, 403)


def test_settings_that_are_gone_say_what_to_do():
    for name in ("notify_mail", "notify_schemes"):
        with pytest.raises(ConfigError, match=f"{name} is gone"):
            load(environ={f"HANSA_{name.upper()}": "json"})


def test_old_addresses_are_dropped_and_mail_stays(tmp_path):
    store = Store(f"sqlite:///{tmp_path / 'hansa.sqlite3'}")
    store.migrate("0004")
    with sqlite3.connect(tmp_path / "hansa.sqlite3") as database:
        for number, address in enumerate(("json://a@127.0.0.1:8531@1.1.1.1/admin", "a@b.example")):
            database.execute(
                "INSERT INTO people (id, name, notify, created) VALUES (?, 'A', ?, 0)",
                (str(number), address),
            )
    database.close()
    store.migrate()
    store.close()
    with sqlite3.connect(tmp_path / "hansa.sqlite3") as database:
        kept = database.execute("SELECT mail FROM people ORDER BY id").fetchall()
    database.close()
    assert kept == [(None,), ("a@b.example",)]
