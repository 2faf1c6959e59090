"""Order in the house: reports, admins and what they did, one's own data and its end."""

from __future__ import annotations

import sqlite3

import pytest
from tests.server.harness import Client, Server
from tests.server.test_hub import in_hub, wish

from hansa.server import order
from hansa.server.admin import main
from hansa.server.errors import TableError
from hansa.server.store import Store


def appoint(server: Server, client: Client) -> str:
    """Make a client an admin as the host would; gives the account's name."""
    name = client.register("order")
    store = Store(server.settings.get("database") or f"sqlite:///{server.data}/hansa.sqlite3")
    assert store.now(lambda c: order.appoint(c, order.COMMAND_LINE, name, on=True))
    store.close()
    return name


def id_of(client: Client) -> str:
    return str(client.get("/api/me")["person"]["id"])


def test_only_admins_find_anything_there(server, client, other):
    paths = ("reports", "people", "deeds")
    for path in paths:
        assert client.get(f"/api/admin/{path}", 404)["code"] == "not_found"
    client.send("PUT", f"/api/admin/people/{id_of(other)}/ban", {"hours": 1}, 404)
    with server.client() as nobody:
        nobody.get("/api/admin/deeds", 401)
    appoint(server, client)
    assert client.get("/api/me")["person"]["admin"] is True
    for path in paths:
        client.get(f"/api/admin/{path}")


def test_the_token_of_an_admin_is_none(server, client):
    """A token lies in the settings of a program: stolen, it bans nobody."""
    appoint(server, client)
    token = client.post("/api/me/tokens", {"name": "bot"}, 201)["token"]
    with server.client() as program:
        program.http.headers["authorization"] = f"Bearer {token}"
        program.get("/api/admin/reports", 404)


def test_whatever_admins_look_for_is_looked_for(server, client):
    """PostgreSQL takes no text with a zero in it."""
    name = appoint(server, client)
    for part in (name, name.upper(), f"\0{name}", "%", "\\", "'"):
        found = client.get("/api/admin/people", named=part)["people"]
        assert (name in {one["account"] for one in found}) or part in {"\\", "'"}, part


def test_a_report_is_seen_and_settled(server, client, other):
    name = appoint(server, client)
    table = other.table("me", "open", start=False, name="Rude table")
    with server.client("Katrijn") as guest:
        guest.post(f"/api/games/{table['id']}/join", {})
        guest.post("/api/reports", {"game": "nothing", "reason": "x"}, 404)
        guest.post("/api/reports", {"reason": " \u200b "}, 400)
        guest.post("/api/reports", {"game": table["id"], "seat": "p1", "reason": "He is <b>rude"})
    (found,) = [r for r in client.get("/api/admin/reports")["reports"] if r["game"] == table["id"]]
    assert (found["by_name"], found["about"], found["about_name"], found["table"]) == (
        "Katrijn",
        id_of(other),
        "Bertram",
        "Rude table",
    )
    assert found["reason"] == "He is <b>rude"
    client.send("PUT", f"/api/admin/games/{table['id']}/name", {"name": "A table"})
    assert other.get(f"/api/games/{table['id']}")["name"] == "A table"
    client.send("DELETE", f"/api/admin/games/{table['id']}")
    other.get(f"/api/games/{table['id']}", 404)
    client.post(f"/api/admin/reports/{found['id']}/settle")
    client.post(f"/api/admin/reports/{found['id']}/settle", {}, 404)
    assert found["id"] not in str(client.get("/api/admin/reports"))
    done = [d for d in client.get("/api/admin/deeds")["deeds"] if d["by"] == name]
    assert [d["what"] for d in done] == ["settle", "close", "rename"]
    assert done[2]["detail"] == "Rude table → A table"


def test_who_is_muted_plays_and_is_silent(server, client, other):
    appoint(server, client)
    table = other.table("me", "me", "me")
    socket = other.socket(table["id"])
    socket.receive()
    assert socket.ask("chat", text="hello")["type"] == "ack"
    client.send("PUT", f"/api/admin/people/{id_of(other)}/mute", {"hours": 1})
    assert socket.ask("chat", text="hello?")["code"] == "muted"
    assert socket.act("end")["type"] == "ack"
    client.send("PUT", f"/api/admin/people/{id_of(other)}/mute", {"hours": 0})
    assert socket.ask("chat", text="thank you")["type"] == "ack"


def test_who_is_banned_only_looks(server, client, other):
    appoint(server, client)
    table = other.table("me", "me", "me")
    socket = other.socket(table["id"])
    socket.receive()
    who = id_of(other)
    client.send("PUT", f"/api/admin/people/{who}/ban", {"hours": None})
    assert socket.closed() == 4401
    act = {"number": 0, "decision": "end"}
    assert other.post(f"/api/games/{table['id']}/act", act, 403)["code"] == "banned"
    assert other.post("/api/me", {"name": "Somebody else"}, 403)["code"] == "banned"
    assert other.get(f"/api/games/{table['id']}")["number"] == 0
    looking = other.socket(table["id"])
    assert looking.receive()["table"]["you"]["seats"] == []
    assert looking.ask("act", number=0, decision="end")["type"] == "error"
    (found,) = client.get("/api/admin/people", named=who)["people"]
    assert found["banned"] > found["created"]
    client.send("PUT", f"/api/admin/people/{who}/name", {"name": "Bert"})
    renamed = client.get(f"/api/games/{table['id']}")
    assert (renamed["host"], renamed["seats"][0]["name"]) == ("Bert", "Bert")
    client.send("PUT", f"/api/admin/people/{who}/ban", {"hours": 0})
    other.post(f"/api/games/{table['id']}/act", act)
    assert other.get("/api/me")["person"]["name"] == "Bert"
    refused = client.send("PUT", f"/api/admin/people/{id_of(client)}/ban", {"hours": 1}, 403)
    assert "Dismiss this admin first" in refused["message"]


def test_a_running_game_is_ended_without_a_winner(server, client, other):
    appoint(server, client)
    game = other.table("me", "me", "me")["id"]
    client.send("DELETE", f"/api/admin/games/{game}")
    assert other.get(f"/api/games/{game}")["result"]["reason"] == "closed"
    client.send("DELETE", f"/api/admin/games/{game}", None, 409)


def test_a_game_that_admins_close_counts_for_nobody(server, client, other):
    """An admin may be a player: whoever is to decide then has not let the game lapse."""
    appoint(server, client)
    account = f"closed_{id_of(other)[:8].lower()}"
    other.post("/api/account", {"account": account, "password": "long enough"})
    game = other.table("me", "greedy", "greedy", rated=True)["id"]
    client.send("DELETE", f"/api/admin/games/{game}")
    assert other.get(f"/api/games/{game}")["result"]["left"] == []
    assert other.get(f"/api/games/{game}/ratings")["changes"] == []


def test_ones_own_data_and_its_end(server, client, other):
    """What was decided stays; no name, address or word of whoever left does."""
    account = other.register("leaver")
    other.post("/api/me/tokens", {"name": "my bot"}, 201)
    table = client.table("me", "open", "random", start=False)
    other.post(f"/api/games/{table['id']}/join", {})
    client.post(f"/api/games/{table['id']}/start")
    waiting = other.table("me", "open", start=False)
    socket = other.socket(table["id"])
    socket.receive()
    socket.ask("chat", text="a secret of mine")
    data = other.get("/api/me/data")
    assert data["person"]["account"] == account
    assert {t["id"] for t in data["tables"]} == {table["id"], waiting["id"]}
    assert [line["text"] for line in data["chat"]] == ["a secret of mine"]
    assert "argon2" not in str(data)
    other.post("/api/me/farewell", {"password": "wrong wrong"}, 401)
    assert other.get("/api/me")["person"]["account"] == account
    other.post("/api/me/farewell", {"password": "long enough"})
    assert other.get("/api/me")["person"] is None
    left = client.get(f"/api/games/{table['id']}")
    assert left["seats"][1]["name"] == "–"
    assert left["seats"][1]["conceded"] is True
    client.get(f"/api/games/{waiting['id']}", 404)
    socket = client.socket(table["id"], chat=0)
    assert "a secret of mine" not in str(socket.receive())
    with server.client() as again:
        again.post("/api/session", {"account": account, "password": "long enough"}, 401)


def test_a_host_has_a_quota_of_tables(tmp_path):
    async def work(hub, person):
        await hub.lobby.create(person, wish("me", "open"))
        made = await hub.lobby.create(person, wish("me", "open"))
        with pytest.raises(TableError, match="You host 2 tables"):
            await hub.check_new_table(person, "10.0.0.1")
        await hub.check_new_table(person, "10.0.0.1", over=True)
        await hub.lobby.remove(made, person)
        await hub.check_new_table(person, "10.0.0.1")

    in_hub(tmp_path, work, tables_at_once=2)


def test_the_same_on_the_command_line(tmp_path, capsys):
    def run(*arguments: str, status: int = 0) -> str:
        assert main([*arguments, "--data", str(tmp_path)]) == status
        printed = capsys.readouterr()
        return str(printed.out + printed.err)

    server = Server(tmp_path).start()
    with server.client("Alheyd") as host, server.client("Bertram") as other:
        account = host.register()
        assert f"{account} is an admin" in run("appoint", account)
        run("appoint", "nobody", status=2)
        assert host.get("/api/me")["person"]["admin"] is True
        who = id_of(other)
        assert who in run("find", "bertr")
        run("ban", who, "--hours", "2")
        other.post("/api/me", {"name": "X"}, 403)
        run("ban", who, "--hours", "0")
        run("rename", who, "Bert")
        run("mute", who)
        run("mute", "nobody", status=2)
        other.post("/api/reports", {"reason": "too quiet"})
        (report,) = host.get("/api/admin/reports")["reports"]
        assert "too quiet" in run("reports")
        run("settle", report["id"])
        game = host.table("me", "me", "me")["id"]
        waiting = host.table("me", "open", start=False)["id"]
        assert "another server uses" in run("close", game, status=2)
        assert "muted" in run("find", who)
        assert run("dismiss", account)
        host.get("/api/admin/deeds", 404)
    assert server.stop() == 0
    assert "ended" in run("close", game)
    assert "removed" in run("close", waiting)
    assert "over already" in run("close", game, status=2)
    listed = run("deeds")
    for deed in ("appoint", "ban", "rename", "mute", "settle", "dismiss", "close"):
        assert deed in listed
    assert "command line" in listed
    with sqlite3.connect(tmp_path / "hansa.sqlite3") as database:
        (status,) = database.execute("SELECT status FROM games WHERE id = ?", (game,)).fetchone()
    database.close()
    assert status == "over"
