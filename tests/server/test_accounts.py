"""Who may be whom: sessions, tokens, recovery, names, hosts, invitations."""

from __future__ import annotations

import asyncio
import contextlib
import re
import secrets
import threading
import unicodedata
from collections.abc import Iterator
from typing import Any
from unittest.mock import Mock

import httpx
import pytest
from tests.server.harness import Client, Server
from tests.server.outside import CALLS, Mailbox, until
from tests.server.test_hub import in_hub
from tests.server.test_hub import wish as table_wish

from hansa.server import calls
from hansa.server.accounts import set_reset_code
from hansa.server.border import Caller
from hansa.server.config import ConfigError, load
from hansa.server.errors import TableError
from hansa.server.letters import Letter
from hansa.server.limits import PEOPLE
from hansa.server.people_routes import PeopleRoutes
from hansa.server.text import alike
from hansa.server.text import name as shown_name
from hansa.server.wire.calls import PushWish
from hansa.server.wire.people import Credentials, PasswordReset

COOKIE = "hansa_session"


def test_the_session_is_new_after_registration_and_signing_in(server, client):
    """A cookie that somebody planted, or saw before, is nobody's afterwards."""
    before = client.http.cookies[COOKIE]
    name = client.register()
    after = client.http.cookies[COOKIE]
    assert after != before
    with server.client() as thief:
        thief.http.cookies.set(COOKIE, before)
        assert thief.get("/api/me")["person"] is None
    with server.client("Planted") as planted:
        old = planted.http.cookies[COOKIE]
        planted.post("/api/session", {"account": name, "password": "long enough"})
        assert planted.get("/api/me")["person"]["account"] == name
        with server.client() as thief:
            thief.http.cookies.set(COOKIE, old)
            assert thief.get("/api/me")["person"] is None


def test_whoever_registers_at_once_has_one_session(server):
    """The guest made on the way leaves none behind that would be listed for ever."""
    with server.client() as stranger:
        stranger.register()
        listed = stranger.get("/api/me/sessions")["sessions"]
    assert [one["here"] for one in listed] == [True]


def test_sessions_are_listed_and_ended(server, client):
    name = client.register()
    clients = [server.client() for _ in range(2)]
    for elsewhere, agent in zip(clients, ("Tablet", "Library"), strict=True):
        elsewhere.http.headers["user-agent"] = agent
        elsewhere.post("/api/session", {"account": name, "password": "long enough"})
    listed = client.get("/api/me/sessions")["sessions"]
    assert sorted(s["agent"] for s in listed if not s["here"]) == ["Library", "Tablet"]
    table = client.table("me", "me", "me")
    socket = clients[1].socket(table["id"])
    socket.receive()
    library = next(s["id"] for s in listed if s["agent"] == "Library")
    left = client.send("DELETE", f"/api/me/sessions/{library}")["sessions"]
    assert sorted(s["agent"] for s in left if not s["here"]) == ["Tablet"]
    assert socket.closed() == 4401
    assert clients[1].get("/api/me")["person"] is None
    token = client.post("/api/me/tokens", {"name": "bot"}, 201)["token"]
    assert [s["here"] for s in client.send("DELETE", "/api/me/sessions")["sessions"]] == [True]
    assert clients[0].get("/api/me")["person"] is None
    with server.client() as program:
        program.http.headers["authorization"] = f"Bearer {token}"
        program.get("/api/me", 401)
    for one in clients:
        one.close()


def test_a_token_plays_and_nothing_more_and_ends_with_the_password(server, client):
    client.register()
    token = client.post("/api/me/tokens", {"name": "bot"}, 201)["token"]
    with server.client() as program:
        program.http.headers["authorization"] = f"Bearer {token}"
        program.table("me", "me", "me")
        assert program.post("/api/me/tokens", {"name": "more"}, 403)["code"] == "not_allowed"
        program.get("/api/me/sessions", 403)
        body = {"password": "long enough", "new": "another one"}
        program.post("/api/account/password", body, 403)
        # The address of letters gets the code for a forgotten password.
        wish = {"address": "thief@example.org", "password": "long enough"}
        for method, path, sent in (
            ("PUT", "/api/me/calls/mail", wish),
            ("DELETE", "/api/me/calls/mail", None),
            ("GET", "/api/me/calls", None),
            ("GET", "/api/me/tokens", None),
            ("DELETE", "/api/me/tokens/k7Qm2xWd9aTe", None),
            ("GET", "/api/me/data", None),
            ("POST", "/api/me/farewell", {"password": "long enough"}),
        ):
            assert program.send(method, path, sent, 403)["code"] == "not_allowed", path
        client.post("/api/account/password", body)
        assert program.get("/api/me", 401)["code"] == "bad_token"


def test_a_used_invitation_shows_nothing_that_is_not_public(server, client, other):
    table = client.table("me", "open", start=False, watchers=False)
    link = table["seats"][1]["invite"].replace("/i/", "/api/invites/")
    other.get(link)
    other.post(link)
    client.post(f"/api/games/{table['id']}/start")
    assert other.get(link)["game"]["id"] == table["id"], "whoever used it"
    with server.client("Katrijn") as third:
        used = third.get(link, 404)
        assert used["message"] == "This invite link has been used."
        assert third.post(link, {}, 404) == used, "nor does it say who sits there"


def test_nobody_but_the_host_takes_several_seats(client, other):
    table = client.table("me", "open", "open", start=False)
    links = [s["invite"].replace("/i/", "/api/invites/") for s in table["seats"][1:]]
    other.post(links[0])
    seats = other.post(links[1])["seats"]
    assert [s["kind"] for s in seats] == ["human", "open", "human"]
    assert [s["yours"] for s in seats] == [False, False, True]


def test_who_comes_from_one_address_is_shown_to_those_who_play_with_him(tmp_path):
    """A stranger without a cookie is a new guest each time; friends behind one connection are no less."""

    def whoever(name: str, address: str) -> Client:
        client = people.enter_context(server.client())
        client.http.headers["x-forwarded-for"] = address
        client.post("/api/me", {"name": name})
        return client

    def near(client: Client) -> list[list[str]]:
        return [seat["near"] for seat in client.get(path)["seats"]]

    server = Server(tmp_path, proxies="127.0.0.1").start()
    with contextlib.ExitStack() as people:
        host = whoever("Alheyd", "203.0.113.1")
        table = host.table("me", "open", "open", "open", start=False)
        path = f"/api/games/{table['id']}"
        invite = table["seats"][1]["invite"].replace("/i/", "/api/invites/")
        twins = [whoever(name, "2001:db8:1:2::7") for name in ("Tideke", "Wobbeke")]
        twins[0].post(invite)
        twins[1].post(f"{path}/join", {"seat": "p4"})
        assert near(host) == [[], ["p4"], [], ["p2"]]
        assert near(twins[0]) == near(host), "both may know it as well as he"
        with server.client() as watcher:
            assert near(watcher) == [[]] * 4
        # The host may come as two himself: those who sit down with him see that.
        whoever("Hinrik", "203.0.113.1").post(f"{path}/join", {})
        host.get(f"{path}/state")
        assert near(twins[0]) == [["p3"], ["p4"], ["p1"], ["p2"]]
        assert [s["near"] for s in host.get("/api/games", mine="true")["games"][0]["seats"]] == (
            [[]] * 4
        ), "not in lists"
        twins[1].post(f"{path}/leave", {})
        assert near(host)[1] == []
    with server.client("Gese") as one, server.client("Detmar") as other:
        table = one.table("me", "open", start=False)
        seats = other.post(f"/api/games/{table['id']}/join", {})["seats"]
        assert [seat["near"] for seat in seats] == [[], []], "at one screen, or behind a proxy"
    assert server.stop() == 0


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Alheyd", "АIheyd", True),
        ("Bertram", "bertram ", True),
        ("Tide man", "Tideman", True),
        ("Hinrik", "Hínrik", True),
        ("Bob0", "Bobo", True),
        ("Hinrik", "HINRIK", True),
        ("Hans", "Ηans", True),
        ("Max", "Μax", True),
        ("Vera", "νera", True),
        ("Otto", "Օtto", True),
        ("Wobbeke", "Ԝobbeke", True),
        ("Bertram", "ʙᴇʀᴛʀᴀᴍ", True),
        ("Marn", "Mam", True),
        ("ロカ", "口力", True),
        ("Tideke", "Ŧiđeƙe", True),
        ("Bertram", "Ɓeɍtɾam", True),
        ("Бегтгам", "Бегтгаӎ", True),
        ("Bob", "B०b", True),
        ("Alheyd", "ᗩᒪᕼEYᗪ", True),
        ("Hans", "ꮋᗅᑎᔕ", True),
        ("Bob1", "Bob۱", True),
        ("ヒーロー", "ヒ―ロ—", True),
        ("キャット", "キヤツト", True),
        ("オリ", "才り", True),
        ("Anna-Maria", "Anna Maria", True),
        ("ビル", "ビール", False),
        ("しん", "じん", False),
        ("じん", "し\u3099ん", True),
        ("राम", "रमा", False),
        ("😹", "🐱", False),
        ("Alheyd", "Alh\u3164eyd", True),
        ("Anna", "Arma", False),
        ("Alheyd", "Adelheid", False),
        ("卓", "車", False),
        ("!!", "??", False),
        ("★", "★ ", True),
        ("👑", "👑\ufe0f", True),
        ("★", "☆", False),
    ],
)
def test_names_that_look_alike(one, other, same):
    assert alike(one, other) is same


def test_an_imitator_is_marked(server, client, other):
    table = client.table("me", "open", "open", "open", start=False)
    with server.client("ALHEYD") as imitator:
        seats = imitator.post(f"/api/games/{table['id']}/join", {})["seats"]
    assert [s["imitates"] for s in seats] == [False, True, False, False]
    # The host may name seats of his own: one that he calls like a guest is not that guest's.
    other.post(f"/api/games/{table['id']}/join", {})
    seat = {"kind": "me", "name": "BERTRAM"}
    seats = client.send("PUT", f"/api/games/{table['id']}/seats/p4", seat)["seats"]
    assert [s["imitates"] for s in seats] == [False, True, True, True]


@pytest.mark.parametrize(
    "unseen",
    ["\u3164", "\u115f", "\u2800", "\u034f", "\ufe0f", "\u17b4", "\uffa0", "\U000e0100", "\u0301"],
)
def test_a_name_can_be_seen(unseen):
    with pytest.raises(TableError) as refused:
        shown_name(unseen * 3)
    assert refused.value.code == "bad_name"
    assert shown_name(f"A{unseen}").startswith(("A", "\u00c1"))


def test_letters_of_all_languages_are_names():
    for good in ("Ａ", "辻󠄀", "❤️", "👩‍🚀", "é", "한", "ไก่", "नीति", "."):
        assert shown_name(good) == unicodedata.normalize("NFC", good)


def test_registration_is_counted_by_address_not_by_guest(tmp_path):
    server = Server(tmp_path, accounts_per_hour=3).start()
    for n in range(4):
        with server.client(f"Guest{n}") as guest:
            body = {"account": f"name{n}", "password": "long enough"}
            assert guest.http.post("/api/account", json=body).status_code == (
                429 if n == 3 else 200
            )
    assert server.stop() == 0


def test_registration_does_not_tell_who_is_here(server, client):
    """Neither with a wish nor with a name that somebody has, with figures or without."""
    name = client.register("alheyd")
    assert re.fullmatch(r"alheyd-[0-9]{4}", name)
    for wish in ("alheyd", name, "nobody-at-all"):
        with server.client("Stranger") as stranger:
            made = stranger.register(wish)
            assert made != name
            assert re.fullmatch(rf"{wish}-[0-9]{{4}}", made)
            assert stranger.get("/api/me")["person"]["account"] == made


def test_a_name_is_offered_before_and_kept(server):
    """So that a browser can remember it together with the password."""
    with server.client("Jürgen Wullenwever") as client:
        offered = client.post("/api/account/name", {"wish": "Jürgen Wullenwever"})
        assert re.fullmatch(r"jurgen-wullenwever-[0-9]{4}", offered["account"])
        forged = {"account": "wullenwever", "offer": offered["offer"], "password": "long enough"}
        with server.client("Forger") as forger:
            made = forger.post("/api/account", forged)["person"]["account"]
            assert made.startswith("wullenwever-")
        body = offered | {"password": "long enough"}
        assert client.post("/api/account", body)["person"]["account"] == offered["account"]
        # Offered once, taken twice: the second one hears nothing of the first.
        with server.client("Twin") as twin:
            made = twin.post("/api/account", body)["person"]["account"]
            assert made.startswith(f"{offered['account']}-")
    with server.client() as stranger:
        assert stranger.post("/api/account/name", {"wish": "卓"})["account"].startswith("hansa-")
        longest = stranger.post("/api/account/name", {"wish": "y" * 200})["account"]
        assert len(longest) <= 32


def test_names_are_offered_so_many_an_hour(tmp_path):
    """Whoever waits for the figures of a certain name waits for days."""
    server = Server(tmp_path, accounts_per_hour=3).start()
    with server.client("Alheyd") as client:
        answers = [
            client.http.post("/api/account/name", json={"wish": "a"}).status_code for _ in range(16)
        ]
    assert answers == [200] * 15 + [429]
    assert server.stop() == 0


def test_what_was_the_guests_to_show_is_not_the_accounts(server, client):
    """A cookie, and with it a token, may have been planted before its victim registered."""
    token = client.post("/api/me/tokens", {"name": "planted"}, 201)["token"]
    table = client.table("me", "me", "me")
    with server.client() as program:
        program.http.headers["authorization"] = f"Bearer {token}"
        socket = program.socket(table["id"])
        socket.receive()
        client.register()
        assert program.get("/api/me", 401)["code"] == "bad_token"
        assert socket.closed() == 4401
    assert client.get("/api/me/tokens")["tokens"] == []


def test_a_planted_device_is_not_told_of_the_account(tmp_path):
    async def work(hub, person):
        device = PushWish(endpoint="https://fcm.googleapis.com/x", p256dh="A" * 87, auth="A" * 22)
        await hub.store.write(lambda connection: calls.add_device(connection, person, device))
        person = await hub.accounts.register(person, "alheyd", "long enough")
        told = await hub.store.read(lambda connection: calls.how(connection, person.id))
        assert told.devices == []

    in_hub(tmp_path, work, rounds=False)


def test_whoever_planted_a_cookie_does_nothing_to_the_account_made_of_it_meanwhile(tmp_path):
    """A guest says no password: what he was let begin is not carried out where he has one by then."""

    async def work(hub, person):
        device = PushWish(endpoint="https://fcm.googleapis.com/x", p256dh="A" * 87, auth="A" * 22)
        table = await hub.lobby.create(person, table_wish("me", "me", start=True))
        me = await hub.accounts.register(person, "alheyd", "long enough")
        for late in (
            hub.farewell.leave(person, ""),
            hub.letters.ask(person, "thief@example.org", "en"),
            hub.store.write(lambda connection: calls.add_device(connection, person, device)),
        ):
            with pytest.raises(TableError) as refused:
                await late
            assert refused.value.code == "who_are_you"
        assert table.meta.status == "running"
        assert (await hub.accounts.sign_in(me.account, "long enough"))[0].name == "Alheyd"
        await hub.farewell.leave(me, "long enough")

    in_hub(tmp_path, work, rounds=False)


def test_nothing_made_with_the_old_password_outlives_its_change(tmp_path):
    """Who signed in, or made a token, while it was being changed had one that was good for ever."""

    async def work(hub, person):
        me = await hub.accounts.register(person, "alheyd", "long enough")
        _, cookie = await hub.accounts.sign_in(me.account, "long enough")
        fits = hub.accounts.passwords.fits

        async def fits_and_is_changed(*given: Any) -> bool:
            hub.accounts.passwords.fits = fits
            good = await fits(*given)
            await hub.accounts.change_password(me, "long enough", "brand new one")
            return bool(good)

        hub.accounts.passwords.fits = fits_and_is_changed
        with pytest.raises(TableError, match="changed just now"):
            await hub.accounts.sign_in(me.account, "long enough")
        assert len(await hub.keys.sessions(me, None)) == 1, "of whoever changed it"
        with pytest.raises(TableError, match="session has been ended"):
            await hub.keys.add_token(me, hub.keys.session_key(cookie), "planted")
        assert await hub.keys.tokens(me) == []

    in_hub(tmp_path, work, rounds=False)


def test_who_registers_twice_at_once_has_one_account(tmp_path):
    async def work(hub, person):
        done = await asyncio.gather(
            *(hub.accounts.register(person, wish, "long enough") for wish in ("one", "two")),
            return_exceptions=True,
        )
        (refused,) = [error for error in done if isinstance(error, BaseException)]
        assert isinstance(refused, TableError)
        assert refused.code == "has_account"

    in_hub(tmp_path, work)


def test_signing_in_takes_as_long_whoever_is_named_and_whenever(tmp_path):
    """Also the first time after a start."""

    async def work(hub, person):
        accounts, done = hub.accounts, []
        name = (await accounts.register(person, "alheyd", "long enough")).account
        apart = accounts.passwords.apart

        async def noted(work, *given):
            done.append(work.__name__)
            return await apart(work, *given)

        accounts.passwords.apart = noted
        for known in (name, "nobody-1234"):
            accounts.passwords._nobody = ""
            for _ in range(2):
                with pytest.raises(TableError):
                    await accounts.sign_in(known, "a wrong one")
        assert done[:3] == done[3:] == ["hash", "verify", "verify"]

    in_hub(tmp_path, work)


@pytest.mark.parametrize("way", ["sign_in", "reset_password"])
def test_whoever_signs_in_leaves_nothing_open_of_whom_he_was_before(tmp_path, way):
    """Not only after the next round of the housekeeping: a cookie may have been planted there."""

    async def work(hub, person):
        guest, cookie = await hub.accounts.guest("Planted")
        account = (await hub.accounts.register(person, "alheyd", "long enough")).account
        code = await hub.accounts.reset_code(account)
        opened = Mock(person=guest, session=hub.keys.session_key(cookie))
        hub.connections.add(opened)
        caller = await Caller(hub, Mock(cookies={COOKIE: cookie}, headers={})).find()
        wish = {
            "sign_in": Credentials(account, "long enough"),
            "reset_password": PasswordReset(account, code, "brand new one"),
        }
        await getattr(PeopleRoutes, way).fn(None, hub, caller, wish[way])
        hub.connections.clear()
        opened.leave.assert_called_once_with(4401, "signed out")

    in_hub(tmp_path, work, rounds=False)


def test_figures_are_drawn_until_nobody_has_them(tmp_path, monkeypatch):
    async def work(hub, person):
        draws = iter([7, 7, 7, 8])
        monkeypatch.setattr(secrets, "randbelow", lambda _: next(draws))
        first = await hub.accounts.register(person, "alheyd", "long enough")
        other, _ = await hub.accounts.guest("Alheyd")
        second = await hub.accounts.register(other, "alheyd", "long enough")
        assert (first.account, second.account) == ("alheyd-1007", "alheyd-1008")

    in_hub(tmp_path, work)


def test_names_of_the_server():
    named = load(environ={}, public_url="https://play.example.org:8443/x")
    for host in ("play.example.org", "play.example.org:8443"):
        assert named.is_called(host)
    for host in (
        "",
        "evil.example",
        "play.example.org.evil.example",
        "play.example.org@evil",
        "[",
        "127.0.0.1",
        "evil@play.example.org",
        "play.example.org/x",
        "play.example.org:x",
    ):
        assert not named.is_called(host)
    assert load(environ={}, host="192.168.1.7").is_called("anything")
    assert load(environ={}, proxies=("127.0.0.1",)).is_called("anything")
    both = load(environ={}, public_url="https://a.example/", hosts=("B.example", "[::1]"))
    assert all(map(both.is_called, ("a.example", "b.example:80", "[::1]:8420")))
    assert not both.is_called("c.example")
    assert both.public_url == "https://a.example", "links are put together with it"
    assert load(environ={}, public_url="https://köln.example").is_called("xn--kln-sna.example")


@pytest.mark.parametrize("here", ["127.0.0.1", "localhost", "::1"])
def test_a_server_of_this_machine_alone_is_called_nothing_else(here):
    """A site whose name suddenly means 127.0.0.1 is another site all the same."""
    alone = load(environ={}, host=here)
    for name in ("127.0.0.1:8420", "localhost", "hansa.localhost:1", "[::1]:8420", "192.168.1.7"):
        assert alone.is_called(name), name
    for name in ("evil.example", "evil.example:8420", "localhost.evil.example", "", "notlocalhost"):
        assert not alone.is_called(name), name


@pytest.mark.parametrize(
    "wrong",
    [{"public_url": "play.example.org"}, {"public_url": "https://"}, {"hosts": ("https://a",)}],
)
def test_a_server_that_nobody_could_ask_does_not_start(wrong):
    """It would answer everything with 400."""
    with pytest.raises(ConfigError, match=r"like (https://)?play\.example\.org"):
        load(environ={}, **wrong)


@pytest.fixture(scope="module")
def mailbox_() -> Iterator[Mailbox]:
    box = Mailbox()
    yield box
    box.close()


def confirming(client: Client, box: Mailbox, address: str) -> str:
    """The link of the letter that asks whether to write there."""
    wish = {"address": address, "password": "long enough"}
    client.send("PUT", "/api/me/calls/mail", wish)
    (letter,) = until(lambda: box.to(address, "shall we write"))
    found: list[str] = re.findall(r"http://club\.example(/api/notify/\S+)", letter.get_content())
    return found[0]


def test_a_letter_that_asks_is_worth_nothing_after_a_new_password_or_a_farewell(tmp_path, mailbox_):
    """Whoever knew the password may have asked for letters to an address of his own."""
    server = Server(tmp_path, **CALLS, mail_port=mailbox_.port).start()
    with server.client("Alheyd") as client, server.client("Bertram") as guest:
        client.register()
        link = confirming(client, mailbox_, "thief@example.org")
        body = {"password": "long enough", "new": "another one"}
        client.post("/api/account/password", body)
        assert httpx.post(server.url + link).status_code == 404
        assert client.get("/api/me/calls")["mail"] is None
        link = confirming(guest, mailbox_, "leaver@example.org")
        guest.post("/api/me/farewell", {})
        assert httpx.post(server.url + link).status_code == 404
    assert server.stop() == 0
    assert b"leaver@example.org" not in (tmp_path / "hansa.sqlite3").read_bytes()


def test_a_code_is_good_for_one(tmp_path):
    """Also where two send it at the same moment, to two processes that hash at the same time."""

    async def at_once(password):
        return password

    async def work(hub, person):
        name = (await hub.accounts.register(person, "alheyd", "long enough")).account
        code = await hub.store.write(lambda connection: set_reset_code(connection, name))
        hub.accounts.passwords.hash = at_once
        done = await asyncio.gather(
            *(hub.accounts.reset_password(name, code, f"brand new {n}") for n in range(2)),
            return_exceptions=True,
        )
        (late,) = [one for one in done if isinstance(one, BaseException)]
        assert isinstance(late, TableError)
        assert late.code == "wrong_password"

    in_hub(tmp_path, work)


def test_nobody_waits_for_a_code_that_goes_to_somebody_else(tmp_path):
    """How long one's own letter took told whether an address has an account."""

    async def work(hub, person):
        held = threading.Event()

        def send(to: str, *_: object) -> str:
            return "sent" if to != "alheyd@example.org" or held.wait(60) else "never"

        hub.postman._mailer.send = send
        codes = [
            hub.spawn(hub.postman.send_code("alheyd@example.org", "alheyd-1234", "code", "en"))
            for _ in range(PEOPLE * hub.config.letters_per_hour)
        ]
        mine = Letter(person=person.id, address="bertram@example.org", on=True, lang="en")
        try:
            await asyncio.sleep(0)
            await asyncio.wait_for(hub.postman.ask_to_confirm(mine), 30)
            own = hub.postman.send_code("bertram@example.org", "bertram-1234", "code", "en")
            await asyncio.wait_for(own, 30)
            assert not any(code.done() for code in codes)
        finally:
            held.set()
        await asyncio.gather(*codes)

    in_hub(tmp_path, work)


def test_a_forgotten_password_comes_by_letter_to_a_confirmed_address(tmp_path, mailbox_):
    settings = CALLS | {"mail_port": mailbox_.port, "secure_cookies": "false"}
    server = Server(tmp_path, **settings).start()
    with server.client("Alheyd") as client, server.client("Planted") as elsewhere:
        name, planted = client.register(), elsewhere.http.cookies[COOKIE]
        wish = {"address": "alheyd@example.org"}
        assert client.send("PUT", "/api/me/calls/mail", wish, 401)["code"] == "wrong_password"
        link = confirming(client, mailbox_, **wish)
        asked = {"account": name, "lang": "de"}
        assert elsewhere.post("/api/account/forgotten", asked) == {"done": True}
        assert httpx.post(server.url + link).status_code == 200
        assert httpx.post(server.url + link).status_code == 200, "pressed twice"
        # The same answer for everybody; a letter only where an address is confirmed.
        answers = [
            elsewhere.post("/api/account/forgotten", {"account": a, "lang": "de"})
            for a in (name, "nobody", "nobody\0")
        ]
        assert answers == [{"done": True}] * 3
        (letter,) = until(lambda: mailbox_.to("alheyd@example.org", "neues Passwort"))
        found = re.search(rf"http://club\.example/#/me/{name}/(\w+)", letter.get_content())
        assert found is not None
        body = {"account": name, "code": found[1], "new": "brand new one"}
        assert elsewhere.post("/api/account/reset", body)["person"]["account"] == name
        assert client.get("/api/me")["person"] is None, "every session ended"
        elsewhere.post("/api/account/reset", body, 401)
        before = httpx.get(f"{server.url}/api/me", cookies={COOKIE: planted})
        assert before.json()["person"] is None, "the session from before ended too"
        # Whoever does not know the figures any more is told by mail.
        asked = {"account": "Alheyd@example.org", "lang": "en"}
        assert elsewhere.post("/api/account/forgotten", asked) == {"done": True}
        (letter,) = until(lambda: mailbox_.to("alheyd@example.org", "a new password"))
        assert name in letter.get_content()
        wrong = httpx.get(f"{server.url}/api/me", headers={"Host": "evil.example"})
        assert wrong.status_code == 400
        upgrade = {"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13"}
        key = {"Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==", "Host": "evil.example"}
        socket = httpx.get(f"{server.url}/api/games/x/socket", headers=upgrade | key)
        assert socket.status_code == 400
        assert httpx.get(f"{server.url}/health", headers={"Host": "10.0.0.7"}).status_code == 200
    assert server.stop() == 0


def test_a_code_is_worth_nothing_once_letters_go_elsewhere(tmp_path, mailbox_):
    """Whoever reads the mail at the old address may be why it is left."""
    server = Server(tmp_path, **CALLS, mail_port=mailbox_.port).start()

    def code_of(name: str, known: str, at: str) -> str:
        anybody.post("/api/account/forgotten", {"account": known})
        (letter,) = until(lambda: mailbox_.to(at, "a new password"))
        found: list[str] = re.findall(rf"/#/me/{name}/(\w+)", letter.get_content())
        return found[0]

    with server.client("Alheyd") as client, server.client("Bertram") as anybody:
        name = client.register()
        httpx.post(server.url + confirming(client, mailbox_, "old@example.org"))
        old = code_of(name, name, "old@example.org")
        httpx.post(server.url + confirming(client, mailbox_, "new@example.org"))
        body = {"account": name, "new": "brand new one"}
        anybody.post("/api/account/reset", {"code": old, **body}, 401)
        new = code_of(name, "new@example.org", "new@example.org")
        client.send("DELETE", "/api/me/calls/mail")
        anybody.post("/api/account/reset", {"code": new, **body}, 401)
        assert client.get("/api/me")["person"]["account"] == name
    assert server.stop() == 0


def test_browsers_are_told_to_stay_with_https(tmp_path):
    server = Server(tmp_path, secure_cookies="true").start()
    assert "max-age=31536000" in httpx.get(server.url).headers["strict-transport-security"]
    assert server.stop() == 0
