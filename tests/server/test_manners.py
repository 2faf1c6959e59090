"""Table manners: asking, conceding, stand-ins, clocks, lobby, rematch, fork."""

from __future__ import annotations

import random

import pytest
from tests.server.harness import deadline_is_past, play_on


@pytest.fixture
def duo(client, other):
    """A running game of two people and a bot, both connected."""
    table = client.table("me", "open", "random", start=False, absence=1)
    other.post(table["seats"][1]["invite"].replace("/i/", "/api/invites/"), {"name": "Bertram"})
    client.post(f"/api/games/{table['id']}/start")
    mine, theirs = client.socket(table["id"]), other.socket(table["id"])
    mine.receive()
    theirs.receive()
    return mine, theirs


def test_undo_with_everybodys_yes(duo):
    mine, theirs = duo
    mine.act("end")
    theirs.wait_for(lambda s: s.position["number"] == 1)
    assert mine.ask("undo", number=1)["code"] == "undo_needs_consent"
    assert mine.ask("undo", number=1, ask=True)["type"] == "ack"
    theirs.wait_for(lambda s: s.table["proposals"])
    proposal = theirs.table["proposals"][0]
    assert (proposal["kind"], proposal["to"], proposal["waiting"]) == ("undo", 0, ["p2"])
    assert mine.ask("vote", proposal=proposal["id"], yes=True)["code"] == "not_allowed"
    assert theirs.ask("vote", proposal=999, yes=True)["code"] == "no_such_proposal"
    assert mine.ask("propose", kind="end")["code"] == "proposal_open"
    assert theirs.ask("vote", proposal=proposal["id"], yes=True)["type"] == "ack"
    mine.wait_for(lambda s: s.position["number"] == 0)
    mine.wait_for(lambda s: not s.table["proposals"])
    assert mine.position["legal"]


def test_one_no_ends_it_and_a_decision_too(duo):
    mine, theirs = duo
    mine.act("end")
    mine.ask("undo", number=1, ask=True)
    theirs.wait_for(lambda s: s.table["proposals"])
    theirs.ask("vote", proposal=theirs.table["proposals"][0]["id"], yes=False)
    mine.wait_for(lambda s: s.table["proposals"])
    mine.wait_for(lambda s: not s.table["proposals"])
    assert mine.position["number"] == 1
    mine.ask("undo", number=1, ask=True)
    theirs.wait_for(lambda s: s.table["proposals"])
    assert theirs.act("end")["type"] == "ack"
    theirs.wait_for(lambda s: not s.table["proposals"])


def test_agreeing_to_stop(duo):
    mine, theirs = duo
    mine.ask("propose", kind="end")
    theirs.wait_for(lambda s: s.table["proposals"])
    theirs.ask("vote", proposal=theirs.table["proposals"][0]["id"], yes=True)
    mine.wait_for(lambda s: s.table["status"] == "over")
    assert mine.table["result"]["reason"] == "agreed"
    assert mine.table["result"]["winners"] == []
    assert mine.act("end")["code"] == "game_over"


def test_a_stand_in_for_somebody_who_left(duo, other):
    mine, theirs = duo
    present = mine.ask("propose", kind="standin", seat="p2")
    assert present["code"] == "keeps_seat"
    theirs.close()
    mine.act("end")
    deadline_is_past(mine, "p2")
    assert mine.ask("propose", kind="standin", seat="p2")["type"] == "ack"
    mine.wait_for(lambda s: s.table["seats"][1]["standin"] == "greedy")
    mine.wait_for(lambda s: any(e["by"] == "standin" for e in s.entries))
    back = other.socket(mine.table["id"])
    back.receive()
    assert back.ask("act", number=0, decision="end")["code"] == "not_your_seat"
    assert back.ask("return")["type"] == "ack"
    back.wait_for(lambda s: s.table["seats"][1]["standin"] is None)
    assert back.ask("return")["code"] == "not_allowed"


def test_conceding(duo):
    mine, theirs = duo
    assert theirs.ask("concede", seat="p1")["code"] == "not_your_seat"
    assert theirs.ask("concede")["type"] == "ack"
    mine.wait_for(lambda s: s.entries and s.entries[-1]["kind"] == "concede")
    assert mine.table["seats"][1]["conceded"]
    assert mine.table["status"] == "running"
    assert mine.act("end")["type"] == "ack"
    # The bot plays on for the seat that was given up.
    mine.wait_for(lambda s: any(e["player"] == "p2" and e["by"] == "standin" for e in s.entries))
    assert mine.ask("concede")["type"] == "ack"
    mine.wait_for(lambda s: s.table["status"] == "over")
    assert mine.table["result"]["reason"] == "conceded"
    assert mine.table["result"]["winners"] == ["p3"]


@pytest.mark.parametrize("consequence", ["bot", "lose"])
def test_a_clock_that_runs_out(client, other, consequence, server):
    table = client.table("me", "open", start=False, setup={"duel": "neutral"}, clock={
        "bank": 3, "increment": 2, "consequence": consequence,
    })  # fmt: skip
    other.post(table["seats"][1]["invite"].replace("/i/", "/api/invites/"))
    client.post(f"/api/games/{table['id']}/start")
    mine = client.socket(table["id"])
    mine.receive()
    assert mine.table["ticking"] == "p1"
    assert mine.table["seats"][0]["remaining"] == 3_000
    began = mine.table["clock_at"]
    mine.act("end")
    mine.wait_for(lambda s: s.table["ticking"] == "p2")
    thought = mine.entries[-1]["at"] - began
    assert mine.table["seats"][0]["remaining"] == 5_000 - thought
    if consequence == "lose":
        mine.wait_for(lambda s: s.table["status"] == "over")
        assert mine.table["result"]["winners"] == ["p1"]
        mine.wait_for(lambda s: s.entries and s.entries[-1]["kind"] == "over")
        assert mine.entries[-2]["kind"] == "timeout"
    else:
        mine.wait_for(lambda s: s.table["seats"][1]["standin"] is not None)
        mine.wait_for(lambda s: s.position["player"] == "p1")


def test_the_lobby(client, other, server):
    listed = client.table("me", "open", start=False, visibility="open", name="Everybody welcome")
    hidden = client.table("me", "open", start=False, name="Only by link")
    games = {g["id"]: g for g in other.get("/api/games", status="open")["games"]}
    assert listed["id"] in games
    assert hidden["id"] not in games
    assert games[listed["id"]]["seats"][1]["invite"] is None
    joined = other.post(f"/api/games/{listed['id']}/join", {"name": "Bertram"})
    assert joined["you"]["seats"] == ["p2"]
    assert other.post(f"/api/games/{listed['id']}/join")["you"]["seats"] == ["p2"]
    with server.client("Late") as late:
        assert late.post(f"/api/games/{listed['id']}/join", {}, 409)["code"] == "no_free_seat"
    # The host kicks; the old place is free again, under a new link.
    path = f"/api/games/{listed['id']}/seats/p2"
    assert other.send("PUT", path, {"kind": "open"}, 403)["code"] == "not_host"
    freed = client.send("PUT", path, {"kind": "open"})
    assert freed["seats"][1]["kind"] == "open"
    assert client.post(f"/api/games/{listed['id']}/start", status=409)["code"] == "no_free_seat"
    filled = client.send("PUT", path, {"kind": "bot", "bot": "random"})
    assert filled["seats"][1]["kind"] == "bot"
    assert client.post(f"/api/games/{listed['id']}/start")["status"] == "running"
    assert client.send("PUT", path, {"kind": "open"}, 409)["code"] == "already_started"
    mine = client.get("/api/games", mine="true")["games"]
    assert {listed["id"], hidden["id"]} <= {g["id"] for g in mine}
    watching = other.socket(hidden["id"])
    watching.receive()
    assert client.send("DELETE", f"/api/games/{hidden['id']}") == {"deleted": True}
    assert watching.closed() == 4404
    assert client.get(f"/api/games/{hidden['id']}", 404)["code"] == "not_found"


def test_tables_without_watchers(client, other):
    table = client.table("me", "me", watchers=False)
    assert other.get(f"/api/games/{table['id']}", 404)["code"] == "not_found"
    assert other.socket(table["id"]).closed() == 4403


def test_history_rematch_and_fork(client, other):
    table = client.table("me", "me", "me")
    path = f"/api/games/{table['id']}"
    socket = client.socket(table["id"])
    socket.receive()
    chance = random.Random(11)
    play_on(socket, chance, until=lambda s: s.position["number"] >= 70)
    seen = {}
    for number in (0, 1, 31, 32, 33, 64, 70):
        seen[number] = client.get(f"{path}/positions/{number}")
        assert seen[number]["number"] == number
        assert seen[number]["legal"] is None
    assert seen[70]["view"] == socket.position["view"] or socket.position["number"] != 70
    assert client.get(f"{path}/positions/9999", 400)["code"] == "bad_request"
    assert client.get(f"{path}/positions/5", 409, open="true")["code"] == "not_over"
    assert other.get(f"{path}/positions/5", 403, seat="p1")["code"] == "not_your_seat"
    assert client.http.get(f"{path}/record").json()["code"] == "not_over"
    assert client.post(f"{path}/rematch", status=409)["code"] == "not_over"
    play_on(socket, chance)
    number = socket.position["number"]
    log = client.get(f"{path}/log", **{"from": 0})["log"]
    assert [e["number"] for e in log] == list(range(1, number + 1))
    again = client.post(f"{path}/rematch")
    assert again["id"] != table["id"], "one person at three seats has nobody to ask"
    assert again["status"] == "running"
    assert client.post(f"{path}/rematch")["id"] == again["id"]
    socket.wait_for(lambda s: s.table["rematch"] == again["id"])
    assert other.post(f"{path}/rematch", status=403)["code"] == "not_your_seat"
    seats = [{"kind": "me"}] * 3
    forked = other.post(f"{path}/fork", {"number": 33, "seats": seats, "start": True}, 201)
    assert forked["forked_from"] == {"game": table["id"], "number": 33}
    # From the last position there is nothing to play: no table is made of it.
    ended = other.post(f"{path}/fork", {"number": number, "seats": seats, "start": True}, 409)
    assert ended["code"] == "game_over"
    theirs = other.socket(forked["id"])
    there = theirs.receive()["position"]
    routes = seen[33]["view"]["routes"]
    assert there["view"]["routes"] == routes
    assert there["player"] == seen[33]["player"]
    play_on(theirs, chance, until=lambda s: s.position["number"] >= 5)
    hint = client.post(f"{path}/analysis", {"number": 33, "bot": "random"})
    assert hint["turn"][0] == f"{hint['player']}> {hint['decision']}"
    assert hint["player"] == seen[33]["player"]
    assert hint["decision"]


def test_hints_are_for_those_alone_among_bots(client, duo):
    mine, _ = duo
    refused = client.post(f"/api/games/{mine.table['id']}/analysis", {"number": 0}, 409)
    assert refused["code"] == "not_over"
    table = client.table("me", "random", "random")
    hint = client.post(f"/api/games/{table['id']}/analysis", {"number": 0, "bot": "random"}, None)
    assert hint["decision"]
