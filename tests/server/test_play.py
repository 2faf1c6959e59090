"""Playing over real sockets: the authority, bots, guests, invite links, hot seat, resume."""

from __future__ import annotations

import random
from functools import partial

from tests.server.harness import play_on


def test_a_whole_hot_seat_game(client):
    table = client.table("me", "me", "me", name="Around one table")
    assert table["status"] == "running"
    socket = client.socket(table["id"])
    first = socket.receive()
    assert first["type"] == "snapshot"
    assert first["position"]["seat"] == "p1"
    play_on(socket, random.Random(1))
    position = socket.position
    assert position["winners"]
    socket.wait_for(lambda s: s.table["status"] == "over")
    assert socket.table["result"]["winners"] == position["winners"]
    assert socket.table["setup"]["seed"] is not None
    # The log of the client is the log of the server, without a gap.
    assert [e["revision"] for e in socket.entries] == list(range(1, position["revision"] + 1))
    record = client.http.get(f"/api/games/{table['id']}/record").text
    again = client.send("POST", "/api/records", {"record": record, "name": "copy"}, 201)
    copied = client.get(f"/api/games/{again['id']}/positions/{position['number']}", open="true")
    whole = client.get(f"/api/games/{table['id']}/positions/{position['number']}", open="true")
    assert copied["view"] == whole["view"]
    assert client.get(f"/api/games/{table['id']}/chart")["points"][-1]["scores"] == {
        player: parts["total"] for player, parts in position["scores"].items()
    }


def test_bots_answer(client):
    table = client.table("me", "random", "random")
    socket = client.socket(table["id"])
    socket.receive()
    play_on(socket, random.Random(2), until=lambda s: s.position["turn"] >= 8)
    assert {entry["by"] for entry in socket.entries} == {"person", "bot"}
    assert {entry["player"] for entry in socket.entries} == {"p1", "p2", "p3"}


def test_two_people_by_invite_link(client, other):
    table = client.table("me", "open", setup={"board": "hansa"}, start=False)
    assert table["status"] == "open"
    invite = table["seats"][1]["invite"]
    socket = client.socket(table["id"])
    first = socket.receive()
    assert first["position"] is None
    seen = other.get(invite.replace("/i/", "/api/invites/"))
    assert seen["seat"] == "p2"
    assert seen["game"]["seats"][1]["invite"] is None, "only the host sees links"
    other.post(invite.replace("/i/", "/api/invites/"), {"name": "Katrijn"})
    socket.wait_for(lambda s: s.table and s.table["seats"][1]["name"] == "Katrijn")
    with client.server.client("Third") as third:
        refused = third.post(invite.replace("/i/", "/api/invites/"), {}, 409)
        assert refused["code"] == "seat_taken"
    other.post(f"/api/games/{table['id']}/start", status=403)
    client.post(f"/api/games/{table['id']}/start")
    theirs = other.socket(table["id"])
    theirs.receive()
    socket.wait_for(lambda s: bool(s.position))
    # Two players on the base board: the second places the pawn first.
    assert theirs.position["legal"][0].startswith("pawn")
    assert not socket.position["legal"]
    assert theirs.act(theirs.position["legal"][0])["type"] == "ack"
    socket.wait_for(lambda s: s.position["number"] == 1)
    assert socket.position["legal"]
    assert socket.entries[-1]["text"] == theirs.entries[-1]["text"]


def test_stale_foreign_and_illegal_decisions_change_nothing(client, other):
    table = client.table("me", "open", "random", start=False)
    other.post(table["seats"][1]["invite"].replace("/i/", "/api/invites/"))
    client.post(f"/api/games/{table['id']}/start")
    mine, theirs = client.socket(table["id"]), other.socket(table["id"])
    mine.receive(), theirs.receive()
    before = mine.position
    good = before["legal"][0]
    cases = [
        (mine, {"decision": "place x nowhere/1"}, "malformed_decision"),
        (mine, {"decision": "pawn 3"}, "illegal_decision"),
        (mine, {"decision": "displace t groningen-emden/1"}, "illegal_decision"),
        (mine, {"decision": good, "number": 1}, "stale_number"),
        (mine, {"decision": good, "revision": 7}, "stale_number"),
        (mine, {"decision": good, "seat": "p2"}, "not_your_seat"),
        (theirs, {"decision": good}, "not_your_decision"),
        (theirs, {"decision": good, "seat": "p1"}, "not_your_seat"),
    ]
    for socket, fields, code in cases:
        answer = socket.act(**fields)
        assert (answer["type"], answer.get("code")) == ("error", code), answer
    state = client.get(f"/api/games/{table['id']}/state")
    assert state["position"]["revision"] == 0
    assert state["position"]["view"] == before["view"]
    assert mine.act(good)["type"] == "ack"
    repeated = mine.act(good, number=0)
    assert repeated["code"] == "stale_number"
    assert client.get(f"/api/games/{table['id']}/state")["position"]["number"] == 1
    with client.server.client("Watcher") as watcher:
        looking = watcher.socket(table["id"])
        looking.receive()
        assert looking.act("end")["code"] == "not_your_seat"


def _is_past(number, socket):
    return socket.position["number"] > number


def test_resume_without_missing_or_doubling(client):
    table = client.table("me", "random", "random")
    socket = client.socket(table["id"])
    socket.receive()
    chance = random.Random(5)
    seen: list[int] = []
    chat = 0
    for step in range(12):
        number = socket.position["number"]
        play_on(socket, chance, until=partial(_is_past, number))
        if step % 4 == 0:
            assert socket.ask("chat", text=f"after {socket.position['number']}")["type"] == "ack"
            socket.wait_for(lambda s: s.chat)
            assert [line["id"] for line in socket.chat] == [chat + 1]
            chat += 1
        seen += [entry["revision"] for entry in socket.entries]
        revision = socket.position["revision"]
        socket.close()
        socket = client.socket(table["id"], after=revision, chat=chat)
        first = socket.receive()
        assert first["type"] == "update"
        assert first["from"] == revision
        assert first["position"]["revision"] == first["revision"]
    seen += [entry["revision"] for entry in socket.entries]
    assert seen == list(range(1, len(seen) + 1))


def test_an_action_left_halfway_is_nothing_to_tell(client):
    table = client.table("me", "me", "me")
    socket = client.socket(table["id"])
    socket.receive()
    socket.act(next(t for t in socket.position["legal"] if t.startswith("place")))
    socket.act(next(t for t in socket.position["legal"] if t.startswith("lift")))
    assert socket.position["phase"] != "turn"
    socket.ask("undo", number=2, to=1)
    socket.wait_for(lambda s: s.position["number"] == 1)
    assert (socket.entries[-1]["undone"], socket.entries[-1]["cancelled"]) == (1, True)
    # More than that action, or an action that was finished, everybody may know.
    socket.act(next(t for t in socket.position["legal"] if t.startswith("lift")))
    socket.ask("undo", number=2, to=0)
    socket.wait_for(lambda s: s.position["number"] == 0)
    assert socket.entries[-1]["undone"] == 2
    assert "cancelled" not in socket.entries[-1]
    told = client.get(f"/api/games/{table['id']}/log")["log"]
    assert [e.get("cancelled") for e in told if e["kind"] == "undo"] == [True, None]


def test_undo_within_the_turn(client):
    table = client.table("me", "me", "me")
    socket = client.socket(table["id"])
    socket.receive()
    assert socket.position["undo"] == {
        "free": False,
        "to": None,
        "reason": "nothing",
        "ask": None,
    }
    start = socket.position["view"]
    assert (
        socket.act(next(t for t in socket.position["legal"] if t.startswith("place")))["type"]
        == "ack"
    )
    assert (
        socket.act(next(t for t in socket.position["legal"] if t.startswith("place")))["type"]
        == "ack"
    )
    assert socket.position["undo"]["free"]
    assert socket.ask("undo", number=2, to=0)["type"] == "ack"
    socket.wait_for(lambda s: s.position["revision"] == 3)
    assert socket.position["view"] == start
    assert socket.position["number"] == 0
    assert socket.entries[-1]["kind"] == "undo"
    assert socket.entries[-1]["undone"] == 2
    # After an undo the number alone would fit by chance: the revision does not.
    late = socket.ask("act", number=0, revision=0, decision=socket.position["legal"][0])
    assert late["code"] == "stale_number"
    socket.act("end")
    refused = socket.ask("undo", number=1)
    assert refused["code"] == "undo_needs_consent"
    # Everybody else at this table is the same person: asking is enough.
    assert socket.ask("undo", number=1, ask=True)["type"] == "ack"
    socket.wait_for(lambda s: s.position["number"] == 0)
    assert socket.position["player"] == "p1"
