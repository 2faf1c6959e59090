"""Preparing a turn while others decide: tried on one's own view, played by nobody."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from tests.server.harness import Client, Server

import hansa
from hansa.server import preparing
from hansa.server.errors import TableError


@contextmanager
def two_at_a_table(server: Any) -> Iterator[tuple[Client, Client, str]]:
    with server.client("Alheyd") as client, server.client("Bertram") as other:
        table = client.table("me", "open", "random", start=False)
        other.post(table["seats"][1]["invite"].replace("/i/", "/api/invites/"))
        client.post(f"/api/games/{table['id']}/start")
        yield client, other, f"/api/games/{table['id']}"


def test_a_turn_is_prepared_while_somebody_else_decides(sqlite_server):
    with two_at_a_table(sqlite_server) as (client, other, path):
        asked = {"number": 0, "seat": "p2"}
        line = ["place t groningen-emden/1", "place t groningen-emden/2", "end"]
        empty = other.post(f"{path}/prepared", {**asked, "decisions": []}, 200)
        assert empty["refused"] is None
        assert line[0] in empty["position"]["legal"]
        assert empty["position"]["active"] == "p2"
        tried = other.post(f"{path}/prepared", {**asked, "decisions": line}, 200)
        assert [e["text"] for e in tried["entries"]] == line
        assert {e["player"] for e in tried["entries"]} == {"p2"}
        assert tried["position"]["legal"] is None
        beyond = other.post(f"{path}/prepared", {**asked, "decisions": [*line, "end"]}, 200)
        assert len(beyond["entries"]) == len(line)
        assert beyond["refused"]["message"].startswith("What follows depends")
        # Nothing was played; the first post is taken, and the line is refused from there on.
        assert client.get(f"{path}/state")["position"]["number"] == 0
        client.post(f"{path}/act", {"number": 0, "decision": line[0]})
        late = other.post(f"{path}/prepared", {**asked, "number": 1, "decisions": line}, 200)
        assert late["entries"] == []
        assert late["refused"]["reason"] == "taken"
        assert (
            len(other.post(f"{path}/prepared", {**asked, "decisions": line}, 200)["entries"]) == 3
        )


def test_trying_is_paid_for_and_playing_is_not(tmp_path):
    server = Server(tmp_path, work_burst=0.05, work_share="0.0000001").start()
    try:
        with two_at_a_table(server) as (client, other, path):
            wish = {"number": 0, "seat": "p2", "decisions": ["place t groningen-emden/1", "end"]}
            codes = [other.http.post(f"{path}/prepared", json=wish).status_code for _ in range(100)]
            assert codes[0] == 200
            assert codes[-1] == 429, "a twentieth of a second of work is spent"
            client.post(f"{path}/act", {"number": 0, "decision": "end"})
            other.post(f"{path}/act", {"number": 1, "decision": "end"})
    finally:
        assert server.stop() == 0


def test_only_ones_own_turn_and_only_what_is_a_decision(sqlite_server):
    with two_at_a_table(sqlite_server) as (client, other, path):
        wish = {"number": 0, "seat": "p2", "decisions": []}
        assert client.post(f"{path}/prepared", wish, 403)["code"] == "not_your_seat"
        bad = other.post(f"{path}/prepared", {**wish, "decisions": ["fly"]}, 400)
        assert bad["code"] == "malformed_decision"
        ahead = other.post(f"{path}/prepared", {**wish, "number": 7}, 400)
        assert ahead["code"] == "bad_request"


@pytest.mark.parametrize("setup", [{"players": 3, "missions": True}, {"players": 2}])
def test_any_position_can_be_prepared_in_and_nothing_hidden_comes_out(setup):
    chance, game = random.Random(4), hansa.Game.new(seed=11, **setup)
    phases = set()
    for _ in range(400):
        if game.over:
            break
        game.play(chance.choice(game.legal_actions()))
        for seat in set(game.players) - {game.active}:
            if game.phase == "setup":
                with pytest.raises(TableError, match="while others have theirs"):
                    preparing.as_if_on_turn(game, seat)
                continue
            phases.add(game.phase)
            found = preparing.prepared(game, seat, 0, [])
            assert found.position.player == seat
            assert found.position.legal
            assert set(found.position.view["supply"]) <= {"?"}
    assert phases >= {"turn", "displaced"}


def test_a_move_that_is_not_finished_is_not_counted():
    game = hansa.Game.new(players=3)
    for text in ("place t groningen-emden/1", "lift groningen-emden/1"):
        game.play(text)
    at = preparing.as_if_on_turn(game, "p2")
    assert at.post("groningen-emden/1") == "p1:t"
    assert game.post("groningen-emden/1") is None


def test_nothing_is_prepared_behind_what_is_hidden():
    """Whoever takes a marker draws a new one at the end of his turn: nobody knows which (INFO-3)."""
    game = hansa.Game.new(players=3)
    route = next(r for r, face in game.to_dict()["routes"].items() if face["marker"])
    posts = len(game.to_dict()["routes"][route]["posts"])
    data = game.to_dict()
    data["routes"][route]["posts"] = ["p2:t"] * posts
    data["players"]["p2"]["supply"]["t"] = 1
    found = preparing.prepared(
        hansa.Game.from_dict(data), "p2", 0, [f"establish {route} none", "end"]
    )
    assert found.refused is None
    assert found.position.legal is None
    assert found.position.view["players"]["p2"]["plate"] == ["?"]
