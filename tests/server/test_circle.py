"""Following, inviting and blocking, on both stores."""

from __future__ import annotations

from unittest.mock import Mock

from tests.server.harness import Client
from tests.server.test_hub import in_hub
from tests.server.test_hub import wish as wish_of
from tests.server.test_quick import wish


def me(client: Client) -> str:
    found: str = client.get("/api/me")["person"]["id"]
    return found


def tie(client: Client, other: str, kind: str) -> dict[str, list[dict[str, object]]]:
    found: dict[str, list[dict[str, object]]] = client.send(
        "PUT", f"/api/me/circle/{other}", {"kind": kind}
    )
    return found


def test_friends_are_seen_and_invited(server, client, other):
    bertram = me(other)
    followed = tie(client, bertram, "follow")["follows"]
    assert followed == [
        {"person": {"id": bertram, "name": "Bertram"}, "here": False, "game": None}
    ], "his page is not open"
    assert other.get("/api/me/circle")["follows"] == [], "following is one's own affair"
    assert client.get("/api/me/circle")["follows"][0]["here"] is True
    table = client.table("me", "open", start=False)
    path = f"/api/games/{table['id']}/invitations"
    assert other.post(path, {"person": me(client)}, 403)["code"] == "not_your_seat"
    client.post(path, {"person": bertram})
    client.post(path, {"person": bertram})
    (asked,) = other.get("/api/me/circle")["invitations"]
    assert asked["game"] == table["id"]
    assert asked["by"]["name"] == "Alheyd"
    other.post(f"/api/games/{table['id']}/join", {})
    assert other.get("/api/me/circle")["invitations"] == [], "he sits there"
    client.post(f"/api/games/{table['id']}/start")
    assert client.post(path, {"person": bertram}, 409)["code"] == "already_started"
    seen = client.table("me", "me", visibility="open")
    tie(other, me(client), "follow")
    assert other.get("/api/me/circle")["follows"][0]["game"] == seen["id"]
    assert client.send("DELETE", f"/api/me/circle/{bertram}")["follows"] == []
    assert client.send("PUT", f"/api/me/circle/{me(client)}", {"kind": "block"}, 400)
    assert client.send("PUT", "/api/me/circle/nobody", {"kind": "block"}, 404)
    # A table that is gone takes its invitations along.
    gone = client.table("me", "open", start=False)
    client.post(f"/api/games/{gone['id']}/invitations", {"person": bertram})
    client.send("DELETE", f"/api/games/{gone['id']}")
    assert other.get("/api/me/circle")["invitations"] == []


def test_whoever_is_blocked_stays_away(server, client, other):
    bertram = me(other)
    table = client.table("me", "open", visibility="open", start=False)
    theirs = other.table("me", "open", visibility="open", start=False)
    other.post(f"/api/games/{theirs['id']}/invitations", {"person": me(client)})
    circle = tie(client, bertram, "block")
    assert [one["id"] for one in circle["blocks"]] == [bertram]
    assert circle["invitations"] == []
    # Neither finds the other's tables, and he cannot sit down there.
    for somebody, hidden in ((other, table), (client, theirs)):
        listed = [row["id"] for row in somebody.get("/api/games", status="open")["games"]]
        assert hidden["id"] not in listed
    refused = other.post(f"/api/games/{table['id']}/join", {}, 403)
    assert refused["code"] == "blocked"
    invited = other.post(f"/api/games/{theirs['id']}/invitations", {"person": me(client)}, 403)
    assert invited["code"] == "blocked"
    # They are not seated together, but a third may come.
    assert client.post("/api/quick", wish(611))["game"] is None
    assert other.post("/api/quick", wish(611))["game"] is None
    with server.client("Katrijn") as third:
        game = third.post("/api/quick", wish(611))["game"]
        assert client.post("/api/quick", wish(611))["game"] == game
        assert other.post("/api/quick", wish(611))["game"] is None
    tie(client, bertram, "follow")
    other.post(f"/api/games/{table['id']}/join", {})


def test_whoever_is_blocked_is_not_heard(server, client, other):
    table = client.table("me", "open", start=False)
    other.post(f"/api/games/{table['id']}/join", {})
    mine, theirs = client.socket(table["id"]), other.socket(table["id"])
    mine.receive()
    theirs.receive()
    assert theirs.ask("chat", text="before")["type"] == "ack"
    mine.wait_for(lambda s: [line["text"] for line in s.chat] == ["before"])
    tie(client, me(other), "block")
    assert theirs.ask("chat", text="after")["type"] == "ack"
    assert mine.ask("chat", text="own")["type"] == "ack"
    mine.wait_for(lambda s: any(line["text"] == "own" for line in s.chat))
    theirs.wait_for(lambda s: any(line["text"] == "own" for line in s.chat))
    assert [line["text"] for line in mine.chat] == ["before", "own"]
    again = client.socket(table["id"])
    again.receive()
    assert [line["text"] for line in again.chat] == ["own"]


def test_an_invitation_is_declined(server, client, other):
    table = client.table("me", "open", start=False)
    client.post(f"/api/games/{table['id']}/invitations", {"person": me(other)})
    assert len(other.get("/api/me/circle")["invitations"]) == 1
    assert other.send("DELETE", f"/api/games/{table['id']}/invitations")["invitations"] == []
    assert other.get("/api/me/circle")["invitations"] == []


def test_nobody_has_a_mailbox_filled_with_invitations(tmp_path):
    """Each table is a new one: made, closed and made again, one follows him with thirty letters."""

    async def work(hub, person):
        notifier = hub.notifier
        notifier._postman = Mock(enabled=True)
        notifier._tell = Mock()
        tables = [await hub.lobby.create(person, wish_of("me", "open")) for _ in range(30)]
        for table in tables:
            notifier.invited(table, "bertram")
        assert notifier._tell.call_count == 10
        notifier.invited(tables[0], "katrijn")
        assert notifier._tell.call_count == 11, "others are told"

    in_hub(tmp_path, work, rounds=False)
