"""Puzzles over HTTP: those of the program, and one's own mistakes."""

from __future__ import annotations

import msgspec
import pytest
import sqlalchemy as sa
from tests.server.harness import Server
from tests.server.test_reviews import uploaded

from hansa.bots import puzzles as library
from hansa.server import puzzles
from hansa.server.model import Person
from hansa.server.reviews import keep
from hansa.server.schema import seats
from hansa.server.store import Store
from hansa.server.wire.reviews import JudgedTurn, Review


def own(one: library.Puzzle) -> list[str]:
    steps = [step.partition("> ") for step in one.turn]
    return [text for player, _, text in steps if player == one.game().player]


def test_the_puzzles_of_the_program_are_listed_and_solved(sqlite_server):
    with sqlite_server.client() as client:
        listed = client.get("/api/puzzles")
        assert listed["own"] == []
        assert [one["id"] for one in listed["shipped"]] == list(library.load())
        one = next(iter(library.load().values()))
        path = f"/api/puzzles/{one.id}"
        sheet = client.get(path)
        assert sheet["player"] == one.game().player
        assert sheet["setup"]["seed"] is None
        start = client.post(f"{path}/line", {"decisions": []}, 200)
        assert start["position"]["seat"] == sheet["player"]
        assert start["position"]["legal"]
        assert (start["whole"], start["right"], start["solution"]) == (False, False, None)
        wrong = client.post(f"{path}/line", {"decisions": ["end"]}, 200)
        assert (wrong["whole"], wrong["right"], wrong["solution"]) == (True, False, None)
        assert wrong["position"]["legal"] is None
        right = client.post(f"{path}/line", {"decisions": own(one)}, 200)
        assert (right["whole"], right["right"]) == (True, True)
        assert right["solution"]["turn"] == list(one.turn)
        told = client.post(f"{path}/line", {"decisions": [], "reveal": True}, 200)
        assert told["solution"] == right["solution"]


def test_what_is_no_puzzle_or_no_decision_is_refused(sqlite_server):
    with sqlite_server.client() as client:
        one = next(iter(library.load()))
        for path, body, status, code in (
            ("hansa-45-0", [], 404, "not_found"),
            ("nobody.3", [], 404, "not_found"),
            (one, ["fly"], 400, "malformed_decision"),
            (one, ["end", "end"], 409, "illegal_decision"),
        ):
            refused = client.post(f"/api/puzzles/{path}/line", {"decisions": body}, status)
            assert refused["code"] == code
        assert client.get("/api/puzzles/..%2F..%2Fetc", 404)


@pytest.fixture
def reviewed(tmp_path):
    """A server with a game in which p1 passed his first turn, which a review calls a mistake."""
    server = Server(tmp_path).start()
    with server.client("Alheyd") as client:
        game, me = uploaded(client)["id"], client.get("/api/me")["person"]["id"]
    assert server.stop() == 0
    turn = JudgedTurn(
        number=0,
        turn=1,
        player="p1",
        shares={"p1": 0.4, "p2": 0.3, "p3": 0.3},
        lost=0.2,
        mark="mistake",
        better=["p1> place t groningen-emden/1", "p1> place t bremen-hamburg/1", "p1> end"],
    )
    other = msgspec.structs.replace(turn, number=4, turn=2, player="p2")
    store = Store(f"sqlite:///{tmp_path / 'hansa.sqlite3'}")

    def work(connection: sa.Connection) -> None:
        keep(connection, game, Review(bot="search", turns=[turn, other]))
        mine = seats.update().where(seats.c.game == game, seats.c.seat == "p1")
        connection.execute(mine.values(person=me))

    store.now(work)
    store.close()
    with server.start().client() as client:
        yield client, game, me
    assert server.stop() == 0


def test_mistakes_of_reviewed_games_become_puzzles(reviewed, tmp_path):
    client, game, me = reviewed
    # Whoever may see the game may try; only whose mistake it was has it in his list.
    assert client.get("/api/puzzles")["own"] == []
    path = f"/api/puzzles/{game}.0"
    assert client.get(path)["themes"] == ["prepare"]
    turn = ["place t bremen-hamburg/2", "place t groningen-emden/3", "end"]
    found = client.post(f"{path}/line", {"decisions": turn}, 200)
    assert found["right"]
    assert found["solution"]["gain"] == 0.2
    assert client.get(f"/api/puzzles/{game}.3", 404)["code"] == "not_found"
    store = Store(f"sqlite:///{tmp_path / 'hansa.sqlite3'}")
    mine = store.see(lambda c: puzzles.offered(c, Person(id=me, name="Alheyd"))).own
    assert [one.id for one in mine] == [f"{game}.0"]
    store.close()
