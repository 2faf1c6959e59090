"""Reviews of finished games: worked out once in the background, kept, and lines tried from them."""

from __future__ import annotations

import random
import time
from pathlib import Path
from typing import Any

import pytest
from tests.server.harness import Client, Server, play_on
from tests.server.test_hub import in_hub, until

import hansa
from hansa.server.store import Store

RECORD = Path(__file__).parents[1] / "games" / "hansa-23-3-bigbox-102.hansa"
SHORT = 12
"""Decisions of the record that are reviewed here: each turn costs a search."""


@pytest.fixture(scope="module")
def reviewer(tmp_path_factory):
    server = Server(
        tmp_path_factory.mktemp("reviews"), review_bot="search:simulations=2", review_burst=60
    ).start()
    yield server
    assert server.stop() == 0


def uploaded(client: Client) -> dict[str, Any]:
    """A short finished game, from a record."""
    game = hansa.Game.from_record(RECORD.read_text(encoding="utf-8"))
    while len(game.history) > SHORT:
        game.undo()
    made: dict[str, Any] = client.post("/api/records", {"record": game.record()}, 201)
    return made


def finished(client: Client, path: str) -> dict[str, Any]:
    found: dict[str, Any] = client.get(f"{path}/review")
    while found["state"] == "working":
        assert found["done"] <= found["total"]
        time.sleep(0.1)
        found = client.get(f"{path}/review")
    return found


def test_a_review_is_worked_out_once_and_kept_for_everybody(reviewer):
    with reviewer.client("Alheyd") as client, reviewer.client("Bertram") as other:
        table = uploaded(client)
        path = f"/api/games/{table['id']}"
        assert client.get(f"{path}/review")["state"] == "none"
        begun = client.post(f"{path}/review", status=200)
        assert begun["state"] == "working"
        assert other.post(f"{path}/review")["state"] in {"working", "done"}
        done = finished(other, path)
        assert done["state"] == "done"
        turns = done["review"]["turns"]
        assert done["total"] == len(turns) > 2
        numbers = [turn["number"] for turn in turns]
        assert numbers[0] == 0
        assert numbers == sorted(set(numbers))
        assert [turn["turn"] for turn in turns] == list(range(1, len(turns) + 1))
        for turn in turns:
            assert sum(turn["shares"].values()) == pytest.approx(1, abs=0.02)
            assert (turn["lost"] > 0) == bool(turn["mark"]) == bool(turn["better"])
        # Asked for again it is there at once, the same.
        assert client.post(f"{path}/review") == done
        for turn in turns:
            if turn["better"]:
                decisions = [step.partition("> ")[2] for step in turn["better"]]
                wish = {"number": turn["number"], "decisions": decisions}
                led = client.post(f"{path}/line", wish, 200)
                assert led["position"]["turn"] == turn["turn"] + 1 or led["position"]["over"]


def test_lines_are_tried_and_nothing_is_stored(reviewer):
    with reviewer.client("Alheyd") as client:
        table = uploaded(client)
        path = f"/api/games/{table['id']}"
        start = client.post(f"{path}/line", {"number": 10, "decisions": []}, 200)["position"]
        assert start["number"] == 10
        assert start["seat"] == start["player"]
        assert start["legal"]
        decision = start["legal"][-1]
        led = client.post(f"{path}/line", {"number": 10, "decisions": [decision]}, 200)
        assert led["position"]["number"] == 11
        assert led["position"]["undo"] == {"free": True, "to": 10, "reason": None, "ask": None}
        [entry] = led["entries"]
        assert (entry["number"], entry["player"], entry["text"]) == (11, start["player"], decision)
        assert client.get(f"{path}/state")["position"]["number"] == SHORT
        # A machine can be asked about what was tried.
        asked = {"number": 10, "bot": "random", "line": [decision]}
        advice = client.post(f"{path}/analysis", asked)
        assert advice["player"] == led["position"]["player"]
        assert advice["decision"] in (led["position"]["legal"] or [])
        for decisions, status, code in (
            (["fly"], 400, "malformed_decision"),
            (["place t groningen-emden/1"] * 2, 409, "illegal_decision"),
        ):
            wish = {"number": 10, "decisions": decisions}
            assert client.post(f"{path}/line", wish, status)["code"] == code
        beyond = client.post(f"{path}/line", {"number": SHORT + 1, "decisions": []}, 400)
        assert beyond["code"] == "bad_request"


def test_nothing_is_reviewed_or_tried_while_a_game_runs(reviewer):
    with reviewer.client("Alheyd") as client:
        table = client.table("me", "random", "random")
        path = f"/api/games/{table['id']}"
        assert client.post(f"{path}/review", status=409)["code"] == "not_over"
        wish = {"number": 0, "decisions": []}
        assert client.post(f"{path}/line", wish, 409)["code"] == "not_over"
        socket = client.socket(table["id"])
        socket.receive()
        play_on(socket, random.Random(1), until=lambda s: s.position["number"] > 4)
        assert client.get(f"{path}/review")["state"] == "none"


def test_whoever_had_much_reviewed_waits(tmp_path):
    server = Server(tmp_path, review_bot="search:simulations=1", review_burst=0.001).start()
    try:
        with server.client("Alheyd") as client:
            first = f"/api/games/{uploaded(client)['id']}"
            client.post(f"{first}/review")
            assert finished(client, first)["state"] == "done"
            second = f"/api/games/{uploaded(client)['id']}"
            assert client.post(f"{second}/review", status=429)["code"] == "too_many"
            # What is there already costs nothing, and the game can still be looked through.
            assert client.post(f"{first}/review")["state"] == "done"
            client.get(f"{second}/positions/5", open=True)
            # A table that goes takes its review along.
            store = Store(f"sqlite:///{tmp_path / 'hansa.sqlite3'}")
    finally:
        assert server.stop() == 0
    from hansa.server import archive
    from hansa.server.schema import reviews

    def gone(connection):
        kept = connection.execute(reviews.select()).all()
        assert len(kept) == 1
        archive.delete_game(connection, kept[0].game)
        return connection.execute(reviews.select()).all()

    assert store.now(gone) == []
    store.close()


def test_a_bot_that_cannot_judge_ends_in_a_review_that_failed(tmp_path):
    """One that the host names is refused at the start; what fails later fails like this."""

    async def work(hub, person):
        hub.reviews._bot = "greedy"
        record = hansa.Game.from_record(RECORD.read_text(encoding="utf-8")).record()
        table = await hub.again.upload(person, record, None)
        begun = await hub.reviews.begin(table, "10.0.0.1", person.id)
        assert begun.state == "working"
        await until(lambda: begun.state == "failed")
        # It can be asked for again.
        assert (await hub.reviews.begin(table, "10.0.0.1", person.id)).state == "working"

    in_hub(tmp_path, work)
    with pytest.raises(RuntimeError, match="review_bot: greedy is no search"):
        Server(tmp_path, review_bot="greedy").start()
