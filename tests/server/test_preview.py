"""Trying a decision without playing it, without learning what is hidden."""

from __future__ import annotations

import json
import random
from collections.abc import Callable

from tests.server.harness import Socket, play_on


def test_previews_tell_what_happens_and_nothing_hidden(sqlite_server):
    with sqlite_server.client("Alheyd") as client, sqlite_server.client("Bertram") as other:
        table = client.table("me", "open", "me", setup={"missions": True}, start=False)
        other.post(table["seats"][1]["invite"].replace("/i/", "/api/invites/"))
        client.post(f"/api/games/{table['id']}/start")
        path = f"/api/games/{table['id']}"
        mine, theirs = client.socket(table["id"]), other.socket(table["id"])
        mine.receive()
        theirs.receive()
        chance = random.Random(3)
        tried = 0
        for _ in range(3000):
            if mine.position["over"]:
                break
            if mine.position["legal"] is None:
                theirs.wait_for(lambda s: s.position["revision"] >= mine.position["revision"])
                play_on(theirs, chance, until=lambda s: s.position["legal"] is None)
                mine.wait_for(lambda s: s.position["revision"] >= theirs.position["revision"])
                continue
            position = mine.position
            seat = position["seat"]
            decision = "end" if "end" in position["legal"] else chance.choice(position["legal"])
            asked = {"number": position["number"], "seat": seat, "decision": decision}
            shown = client.get(f"{path}/preview", **asked)
            tried += 1
            for name, player in shown["position"]["view"]["players"].items():
                assert set(player["plate"]) <= {"?"}
                assert name == seat or set(player["mission"]) == {"?"}
            assert set(shown["position"]["view"]["supply"]) <= {"?"}
            assert shown["position"]["legal"] is None
            before = json.dumps(position["view"]["routes"])
            play_on(mine, chance, until=_moved(position["number"]))
            if mine.entries[-1]["text"] == decision and not mine.position["over"]:
                assert shown["position"]["view"]["routes"] == mine.position["view"]["routes"], (
                    before
                )
        assert tried > 50


def _moved(number: int) -> Callable[[Socket], bool]:
    return lambda socket: bool(socket.position["number"] > number)


def test_why_and_who_may_ask(sqlite_server):
    with sqlite_server.client("Alheyd") as client, sqlite_server.client("Bertram") as other:
        table = client.table("me", "open", "random", start=False)
        other.post(table["seats"][1]["invite"].replace("/i/", "/api/invites/"))
        client.post(f"/api/games/{table['id']}/start")
        path = f"/api/games/{table['id']}"
        why = client.get(f"{path}/why", seat="p1", decision="displace t groningen-emden/1")
        assert why["allowed"] is False
        assert why["reason"] == "free"
        assert why["rule"] == "PLACE-1"
        assert why["message"] == "This post is free: choose Place."
        garbled = client.get(f"{path}/why", seat="p1", decision="place x nowhere/1")
        assert garbled["allowed"] is False
        assert client.get(f"{path}/why", seat="p1", decision="end")["allowed"] is True
        asked = {"number": 0, "decision": "end"}
        assert other.get(f"{path}/preview", 403, seat="p1", **asked)["code"] == "not_your_seat"
        assert other.get(f"{path}/preview", 409, seat="p2", **asked)["code"] == "not_your_decision"
        assert (
            other.get(f"{path}/why", 409, seat="p2", decision="end")["code"] == "not_your_decision"
        )
        bad = client.get(f"{path}/preview", 400, number=0, seat="p1", decision="fly")
        assert bad["code"] == "malformed_decision"
        assert client.get(f"{path}/state")["position"]["revision"] == 0


def test_a_pointer_that_rests_while_the_game_changes_is_no_fault(sqlite_server):
    """A browser tells every refusal as an error of the page."""
    late = {"late": True, "events": [], "position": None}
    with sqlite_server.client("Alheyd") as client:
        table = client.table("me", "me", "me")
        path = f"/api/games/{table['id']}"
        asked = {"seat": "p1", "decision": "end"}
        assert client.get(f"{path}/preview", number=0, **asked)["position"]["number"] == 1
        client.post(f"{path}/act", {"number": 0, "decision": "place t groningen-emden/1"})
        assert client.get(f"{path}/preview", number=0, **asked) == late, "it went on"
        client.post(f"{path}/undo", {"number": 1})
        assert client.get(f"{path}/preview", number=1, **asked) == late, "it was taken back"
        client.socket(table["id"]).ask("propose", kind="end")
        assert client.get(path)["status"] == "over"
        assert client.get(f"{path}/preview", number=0, **asked) == late, "it was stopped"
