"""Before the start: one link, a code to say aloud, seats, colours, a host who arranges things."""

from __future__ import annotations

import random
import string

from tests.server.harness import Server

from hansa.server.codes import new_code, read_code


def test_a_code_is_read_however_it_is_written():
    for _ in range(50):
        code = new_code()
        assert read_code(code) == code
        assert read_code(f" {code[:4].upper()} - {code[4:]}!") == code
    for wrong in ("", "badokim", "badokimub", "abodakim", "bado kimy", "バドキム"):
        assert read_code(wrong) is None


def test_the_address_or_the_code_is_enough(client, other, server):
    table = client.table("me", "open", "open", start=False, visibility="unlisted")
    code = table["code"]
    said = f"{code[:4].upper()}-{code[4:]}"
    assert other.get(f"/api/codes/{said}")["game"] == table["id"]
    assert other.get("/api/codes/badokimu", 404)["code"] == "not_found"
    path = f"/api/games/{table['id']}"
    assert other.get(path)["status"] == "open"
    joined = other.post(f"{path}/join", {"name": "Bertram", "seat": "p3"})
    assert joined["you"]["seats"] == ["p3"]
    assert other.post(f"{path}/join", {"seat": "p2"})["you"]["seats"] == ["p2"], "he moves"
    assert client.get(path)["seats"][2]["kind"] == "open", "and has one seat only"
    with server.client("Katrijn") as third:
        taken = third.post(f"{path}/join", {"seat": "p2"}, 409)
        assert taken["code"] == "seat_taken"
        third.post(f"{path}/join", {})
        with server.client("Detmar") as late:
            assert late.post(f"{path}/join", {}, 409)["code"] == "no_free_seat"
            client.post(f"{path}/start")
            assert late.get(path)["status"] == "running", "he may watch"


def test_wrong_codes_are_paid_for_by_the_hour(tmp_path):
    """Thirty a minute, day and night, would find somebody's table in the end."""
    server = Server(tmp_path, wrong_codes_per_hour=3).start()
    with server.client("Alheyd") as one:
        code = one.table("me", "open", start=False)["code"]
        for _ in range(5):
            one.get(f"/api/codes/{code}")
        wrong = "badabada" if code != "badabada" else "badabide"
        # The first hour's three, and the one with which he is in debt.
        for _ in range(4):
            one.get(f"/api/codes/{wrong}", 404)
        late = one.get(f"/api/codes/{code}", 429)
        assert late["detail"]["retry_after"] > 60
    assert server.stop() == 0


def test_wrong_codes_are_limited(tmp_path):
    server = Server(tmp_path, codes_per_minute=5).start()
    with server.client("Alheyd") as one:
        letters = random.Random(1)
        answers = [
            one.http.get(f"/api/codes/{''.join(letters.choices(string.ascii_lowercase, k=8))}")
            for _ in range(7)
        ]
        assert [a.status_code for a in answers].count(429) == 2
    assert server.stop() == 0


def test_the_game_begins_by_itself(client, other):
    table = client.table("me", "open", start=False, setup={"duel": "neutral"}, auto_start=True)
    host = client.socket(table["id"])
    host.receive()
    other.post(f"/api/games/{table['id']}/join", {})
    host.wait_for(lambda s: s.table["status"] == "running")
    # Chosen later, when everybody sits there already.
    table = client.table("me", "open", start=False, setup={"duel": "neutral"})
    path = f"/api/games/{table['id']}"
    assert other.post(f"{path}/join", {})["status"] == "open"
    refused = other.send("PUT", f"{path}/room", {"auto_start": True}, 403)
    assert refused["code"] == "not_host"
    assert client.send("PUT", f"{path}/room", {"auto_start": True})["status"] == "running"
    late = client.send("PUT", f"{path}/room", {"auto_start": False}, 409)
    assert late["code"] == "already_started"


def test_the_host_moves_people(client, other):
    table = client.table("me", "open", "random", start=False)
    path = f"/api/games/{table['id']}"
    other.post(f"{path}/join", {"name": "Bertram"})
    assert other.post(f"{path}/seats/p2/move", {"to": "p1"}, 403)["code"] == "not_host"
    assert client.post(f"{path}/seats/p2/move", {"to": "p5"}, 404)["code"] == "not_found"
    moved = client.post(f"{path}/seats/p2/move", {"to": "p1"})
    assert [s["seat"] for s in moved["seats"]] == ["p1", "p2", "p3"]
    assert moved["seats"][0]["name"] == "Bertram"
    assert client.post(f"{path}/start")["seats"][0]["name"] == "Bertram"
    assert client.post(f"{path}/seats/p2/move", {"to": "p1"}, 409)["code"] == "already_started"


def test_people_choose_their_colours(client, other):
    table = client.table("me", "open", "random", start=False)
    path = f"/api/games/{table['id']}"
    assert [s["colour"] for s in table["seats"]] == ["p1", "p2", "p3"], "as the box has them"
    other.post(f"{path}/join", {})
    theirs = other.send("PUT", f"{path}/seats/p2/colour", {"colour": "p1"})
    assert [s["colour"] for s in theirs["seats"]] == ["p2", "p1", "p3"], "the rest is dealt"
    taken = client.send("PUT", f"{path}/seats/p1/colour", {"colour": "p1"}, 409)
    assert taken["code"] == "colour_taken"
    mine = client.send("PUT", f"{path}/seats/p2/colour", {"colour": "p4"}, 403)
    assert mine["code"] == "not_your_seat"
    machine = client.send("PUT", f"{path}/seats/p3/colour", {"colour": "p5"})
    assert machine["seats"][2]["colour"] == "p5"
    # The colour goes with the person, wherever he is moved to.
    moved = client.post(f"{path}/seats/p2/move", {"to": "p1"})
    assert [s["colour"] for s in moved["seats"]] == ["p1", "p2", "p5"]
    assert other.send("PUT", f"{path}/seats/p1/colour", {"colour": None})["seats"][0]["colour"]
    begun = client.post(f"{path}/start")
    assert sorted({s["colour"] for s in begun["seats"]}) == ["p1", "p2", "p5"]
    late = other.send("PUT", f"{path}/seats/p1/colour", {"colour": "p4"}, 409)
    assert late["code"] == "already_started"


def test_no_colour_before_the_order_is_drawn(client):
    table = client.table("me", "random", "random", start=False, order="draw")
    path = f"/api/games/{table['id']}"
    assert [s["colour"] for s in table["seats"]] == [None, None, None]
    chosen = client.send("PUT", f"{path}/seats/p1/colour", {"colour": "p4"})
    assert [s["colour"] for s in chosen["seats"]] == ["p4", None, None]
    begun = client.post(f"{path}/start")
    own = next(s for s in begun["seats"] if s["yours"])
    assert own["colour"] == "p4"
    assert len({s["colour"] for s in begun["seats"]}) == 3


def test_who_said_it_can_be_told_apart(client, other):
    table = client.table("me", "open", start=False)
    mine = client.socket(table["id"])
    mine.receive()
    watcher = other.socket(table["id"])
    watcher.receive()
    assert watcher.ask("chat", text="May I sit down?")["type"] == "ack", "in the waiting room too"
    mine.wait_for(lambda s: s.chat)
    assert mine.chat[0]["person"]
    mine.ask("chat", text="Please do.")
    mine.wait_for(lambda s: len(s.chat) == 2)
    assert mine.chat[0]["person"] != mine.chat[1]["person"]
