"""Whose turn it is in lists of tables, and what the clocks say."""

from __future__ import annotations

import sqlite3
from typing import Any

import pytest
from tests.server.harness import Client, Server
from tests.server.test_hub import in_hub, wish

from hansa.server import clocks, referee
from hansa.server.wire.table import Clock


def row_of(client: Client, game: str, **query: str) -> Any:
    rows = client.get("/api/games", mine="true", **query)["games"]
    return next(row for row in rows if row["id"] == game)


def turn_of(row: dict[str, Any]) -> tuple[object, object, object]:
    return row["turn"], row["player"], row["your_turn"]


def test_rows_say_whose_turn_it_is(client, other):
    table = client.table("me", "open", "me", start=False)
    game = table["id"]
    assert turn_of(row_of(client, game)) == (None, None, False)
    other.post(table["seats"][1]["invite"].replace("/i/", "/api/invites/"))
    client.post(f"/api/games/{game}/start")
    assert turn_of(row_of(client, game)) == (1, "p1", True)
    assert turn_of(row_of(other, game)) == (1, "p1", False)
    client.post(f"/api/games/{game}/act", {"number": 0, "decision": "end"})
    assert turn_of(row_of(client, game, status="running")) == (2, "p2", False)
    assert turn_of(row_of(other, game)) == (2, "p2", True)
    assert row_of(client, game)["number"] == 1
    client.post(f"/api/games/{game}/undo", {"number": 1, "ask": True})
    socket = other.socket(game)
    socket.receive()
    socket.ask("vote", proposal=socket.table["proposals"][0]["id"], yes=True)
    assert turn_of(row_of(client, game)) == (1, "p1", True)
    assert socket.ask("concede")["type"] == "ack"
    client.post(f"/api/games/{game}/act", {"number": 0, "decision": "end"})
    assert row_of(other, game)["your_turn"] is False, "who conceded decides nothing"
    mine = client.socket(game)
    mine.receive()
    for seat in ("p1", "p3"):
        mine.ask("concede", seat=seat)
    assert turn_of(row_of(client, game)) == (None, None, False)


def test_rows_of_a_pawn_duel_and_of_an_older_store(tmp_path):
    server = Server(tmp_path).start()
    with server.client("Alheyd") as client:
        duel = client.table("me", "me")["id"]
        assert turn_of(row_of(client, duel)) == (1, "p2", True), "the second places the pawn"
        old = client.table("me", "me", "me")["id"]
        client.post(f"/api/games/{old}/act", {"number": 0, "decision": "end"})
        assert server.stop() == 0
        with sqlite3.connect(tmp_path / "hansa.sqlite3") as database:
            database.execute("UPDATE entries SET next_player = NULL, next_turn = NULL")
        database.close()
        server.start()
        client.http.base_url = server.url
        assert turn_of(row_of(client, old)) == (2, "p2", True)
    assert server.stop() == 0


def test_clocks_are_told_everywhere(client, other):
    limits = client.get("/api/setups")["clock"]
    assert limits["consequences"] == ["none", "bot", "lose"]
    assert limits["bank"]["least"] < limits["bank"]["most"]
    clock = {"bank": 100, "increment": 5, "consequence": "none"}
    table = client.table("me", "open", "random", start=False, clock=clock)
    assert table["clock"] == clock
    assert "ticking" not in table
    game = table["id"]
    other.post(table["seats"][1]["invite"].replace("/i/", "/api/invites/"))
    started = client.post(f"/api/games/{game}/start")
    assert (started["ticking"], started["clock_at"]) == ("p1", started["started"])
    assert [seat["remaining"] for seat in started["seats"]] == [100_000] * 3
    socket = client.socket(game)
    socket.receive()
    assert socket.act("end")["type"] == "ack"
    socket.wait_for(lambda s: s.table["ticking"] == "p2")
    left = socket.table["seats"][0]["remaining"]
    assert left == 105_000 - (socket.entries[-1]["at"] - started["clock_at"])
    assert socket.table["seats"][1]["remaining"] == 100_000
    assert socket.table["clock_at"] == socket.entries[-1]["at"]
    for told in (client.get(f"/api/games/{game}/state")["table"], row_of(client, game)):
        assert (told["ticking"], told["clock_at"]) == ("p2", socket.table["clock_at"])
        assert told["seats"][0]["remaining"] == left


def test_taking_back_again_and_again_fills_no_bank(client):
    """A displacement passes on to the displaced player, so it brings an increment each time."""
    clock = {"bank": 100, "increment": 50, "consequence": "lose"}
    table = client.table("me", "me", "me", clock=clock)
    socket = client.socket(table["id"])
    socket.receive()
    place = "place t groningen-emden/1"
    assert socket.act(place)["type"] == "ack"
    assert socket.act("end")["type"] == "ack"
    socket.wait_for(lambda s: s.table["ticking"] == "p2")
    banks = [seat["remaining"] for seat in socket.table["seats"]]
    displace = next(t for t in socket.position["legal"] if t.startswith("displace"))
    for _ in range(4):
        assert socket.act(displace)["type"] == "ack"
        number = socket.position["number"]
        while socket.position["player"] == "p2" and socket.position["legal"]:
            assert socket.act(socket.position["legal"][0])["type"] == "ack"
        assert socket.ask("undo", number=socket.position["number"], to=number - 1)["type"] == "ack"
        socket.wait_for(lambda s: s.position["player"] == "p2")
    socket.wait_for(lambda s: s.table["ticking"] == "p2")
    for before, now in zip(banks, socket.table["seats"], strict=True):
        assert now["remaining"] <= before


def test_banks_by_hand():
    clock = Clock(bank=10, increment=3)
    left = clocks.full(clock, ["p1", "p2"])
    left = clocks.spent(clock, left, 4_000, "p1", "p2")
    assert left == {"p1": 9_000, "p2": 10_000}
    assert clocks.spent(clock, left, 1_000, "p2", "p2") == {"p1": 9_000, "p2": 9_000}
    assert clocks.taken_back(clock, left, 500, "p2", ["p1"]) == {"p1": 6_000, "p2": 9_500}
    assert clocks.taken_back(clock, left, 0, "p2", ["p1"] * 4) == {"p1": 0, "p2": 10_000}
    assert clocks.run_down(left, "p1", 60_000)["p1"] == 0
    assert clocks.run_down(left, "p1", -5)["p1"] == 9_000, "a clock set back gives nothing"


def test_nobody_empties_anothers_bank_by_taking_back(tmp_path):
    """Whoever is displaced must answer, and his clock runs until the other thinks better of it."""
    clock = Clock(bank=600, increment=10, consequence="lose")

    async def work(hub, person):
        other, _ = await hub.accounts.guest("Bertram")
        table = await hub.lobby.create(person, wish("me", "open", "me", order="fixed", clock=clock))
        await hub.lobby.join(table, other, None, None)
        await hub.lobby.start(table, person)
        for number, decision in enumerate(("place t groningen-emden/1", "end")):
            await hub.decisions.act(table, person, decision, number)
        banks = dict(table.clocks)

        async def displace_and_take_back(waited: int) -> None:
            choice = next(t for t in referee.legal(table.game) if t.startswith("displace"))
            while table.decider == "p2":
                await hub.decisions.act(table, other, choice, table.number)
                choice = referee.legal(table.game)[0]
            assert table.decider == "p1"
            table._clock_at -= waited
            await hub.decisions.undo(table, other, table.number, 2)

        for waited in (100_000, 200_000):
            await displace_and_take_back(waited)
        assert table.clocks["p1"] == banks["p1"]
        assert 200_000 < table.clocks["p2"] <= 300_000, "it was his time"
        await displace_and_take_back(599_000)
        assert table.clocks["p1"] == banks["p1"]
        assert table.clocks["p2"] == 60_000, "and he does not lose by it"

    in_hub(tmp_path, work)


def test_nobody_loses_on_time_by_agreeing_to_an_undo(tmp_path):
    """The increments of what is taken back have been used up long ago."""
    clock = Clock(bank=600, increment=120, consequence="lose")

    async def work(hub, person):
        other, _ = await hub.accounts.guest("Bertram")
        table = await hub.lobby.create(person, wish("me", "open", "me", order="fixed", clock=clock))
        await hub.lobby.join(table, other, None, None)
        await hub.lobby.start(table, person)
        for number, one in enumerate((person, other, person)):
            await hub.decisions.act(table, one, "end", number)
        table.clocks = {"p1": 90_000, "p2": 100_000, "p3": 500_000}
        await hub.voting.propose(table, person, "undo", to=0)
        await hub.voting.answer(table, other, table.meta.proposals[0].id, yes=True)
        assert table.number == 0
        assert 0 < table.clocks["p1"] <= 90_000
        assert (table.clocks["p2"], table.clocks["p3"]) == (100_000, 380_000)

    in_hub(tmp_path, work)


@pytest.mark.parametrize("clock", [
    {"bank": 1e9}, {"bank": 100, "increment": -1}, {"bank": 100, "consequence": "shout"},
    {"bank": "long"}, {},
])  # fmt: skip
def test_clocks_that_cannot_be(client, clock):
    body = {"setup": {"players": 2}, "seats": [{"kind": "me"}] * 2, "clock": clock}
    assert client.post("/api/games", body, 400)["code"] == "bad_request"


def test_who_is_out_of_time_is_replaced_once(tmp_path):
    """While another process may hang several wait to do so."""

    async def work(hub, person):
        clock = Clock(bank=600, increment=0, consequence="bot")
        table = await hub.lobby.create(person, wish("me", "me", start=True, clock=clock))
        table._clock_at -= 601_000
        seat = str(table.decider)
        hub.hall.watchers = []
        await hub.manners.time_is_up(table, seat)
        assert table.meta.seat(seat).standin
        revision = table.revision
        await hub.manners.time_is_up(table, seat)
        assert table.revision == revision

    in_hub(tmp_path, work, rounds=False)
