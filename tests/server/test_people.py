"""Guests, accounts, tokens, what they have played."""

from __future__ import annotations

import threading
import time

from hansa.server.accounts import set_reset_code
from hansa.server.store import Store


def test_a_guest_becomes_an_account(server, client):
    me = client.get("/api/me")["person"]
    assert me["guest"] is True
    table = client.table("me", "me")
    name = "alheyd"
    assert (
        client.post("/api/account", {"account": "A B", "password": "long enough"}, 400)["code"]
        == "bad_name"
    )
    assert (
        client.post("/api/account", {"account": name, "password": "short"}, 400)["code"]
        == "bad_password"
    )
    name = client.register(name)
    again = client.post("/api/account", {"account": name, "password": "long enough"}, 409)
    assert again["code"] == "has_account"
    with server.client() as elsewhere:
        wrong = elsewhere.post("/api/session", {"account": name, "password": "long enouph"}, 401)
        assert wrong["code"] == "wrong_password"
        nobody = elsewhere.post(
            "/api/session", {"account": "nobody-here", "password": "long enough"}, 401
        )
        assert nobody["message"] == wrong["message"]
        elsewhere.post("/api/session", {"account": name, "password": "long enough"})
        assert elsewhere.get("/api/me")["person"]["id"] == me["id"]
        assert elsewhere.get(f"/api/games/{table['id']}")["you"]["seats"] == ["p1", "p2"]
        # A new password ends every other session.
        elsewhere.post("/api/account/password", {"password": "wrong", "new": "another one"}, 401)
        elsewhere.post("/api/account/password", {"password": "long enough", "new": "another one"})
        assert elsewhere.get("/api/me")["person"]["id"] == me["id"]
        assert client.get("/api/me")["person"] is None


def test_forgotten_password(server, client):
    name = client.register("forgot")
    url = server.settings.get("database") or f"sqlite:///{server.data}/hansa.sqlite3"
    store = Store(url)
    code = store.now(lambda connection: set_reset_code(connection, name))
    store.close()
    with server.client() as elsewhere:
        asked = {"account": name, "code": "wrong code", "new": "brand new one"}
        assert elsewhere.post("/api/account/reset", asked, 401)["code"] == "wrong_password"
        elsewhere.post("/api/account/reset", asked | {"code": code})
        assert elsewhere.get("/api/me")["person"]["account"] == name
        assert elsewhere.post("/api/account/reset", asked | {"code": code}, 401)


def test_guessing_passwords_is_slowed(server):
    with server.client() as somebody:
        body = {"account": "somebody-else", "password": "guess guess"}
        tries = 0
        while somebody.http.post("/api/session", json=body).status_code == 401:
            tries += 1
            assert tries < 40
        assert tries >= 10


def test_api_tokens(server, client):
    made = client.post("/api/me/tokens", {"name": "my bot"}, 201)
    assert made["token"].startswith("hansa_")
    listed = client.get("/api/me/tokens")["tokens"]
    assert [t["name"] for t in listed] == ["my bot"]
    assert "token" not in listed[0]
    table = client.table("me", "me")
    with server.client() as program:
        program.http.headers["authorization"] = f"Bearer {made['token']}"
        state = program.get(f"/api/games/{table['id']}/state")
        position = state["position"]
        done = program.post(
            f"/api/games/{table['id']}/act",
            {"number": 0, "decision": position["legal"][0]},
        )
        assert done["number"] == 1
        socket = program.socket(table["id"])
        assert socket.receive()["position"]["number"] == 1
        client.send("DELETE", f"/api/me/tokens/{made['id']}")
        assert program.get("/api/me", 401)["code"] == "bad_token"


def test_long_polling(client):
    table = client.table("me", "me", "me")
    path = f"/api/games/{table['id']}"
    began = time.monotonic()
    state = client.get(f"{path}/state", after=0, wait=0.3)
    assert time.monotonic() - began > 0.25
    assert state["position"]["revision"] == 0
    threading.Timer(
        0.2,
        lambda: client.post(
            f"{path}/act", {"number": 0, "decision": state["position"]["legal"][0]}
        ),
    ).start()
    with client.server.client() as watcher:
        state = watcher.get(f"{path}/state", after=0, wait=10)
    assert state["position"]["revision"] == 1


def test_names(client):
    assert client.post("/api/me", {"name": "  Tide \n man "})["person"]["name"] == "Tide man"
    for bad in ("x" * 41, "\u200b", "\u0000"):
        assert client.post("/api/me", {"name": bad}, 400)["code"] == "bad_name"


def test_statistics(client):
    table = client.table("me", "random")
    socket = client.socket(table["id"])
    socket.receive()
    assert socket.ask("concede")["type"] == "ack"
    socket.wait_for(lambda s: s.table["status"] == "over")
    stats = client.get("/api/people/me/stats")
    assert (stats["games"], stats["wins"]) == (1, 0)
    assert stats["boards"] == {"hansa": {"games": 1, "wins": 0}}
    (game,) = client.get("/api/people/me/games")["games"]
    assert (game["id"], game["rank"], game["left"]) == (table["id"], 2, True)
    with client.server.client() as watcher:
        path = f"/api/people/{stats['person']['id']}"
        assert watcher.get(f"{path}/games")["games"] == [], "unlisted: shown to nobody else"
        assert watcher.get(f"{path}/stats")["games"] == 0
