"""Quick games: people who want the same meet, through whichever process they ask."""

from __future__ import annotations

from typing import Any

import pytest
import sqlalchemy as sa
from tests.server.harness import Client, Server
from tests.server.test_hub import in_hub
from tests.server.test_ratings import account

from hansa.server.model import now_ms
from hansa.server.quick import _key
from hansa.server.schema import people, seekers, ties
from hansa.server.store import Store
from hansa.server.wire.quick import QuickKind


def wish(bank: float, players: int = 2, **more: Any) -> dict[str, Any]:
    """Each test waits at a pace of its own, so that nobody meets those of another."""
    rated = more.pop("rated", False)
    return {"kind": {"players": players, "clock": {"bank": bank}, "rated": rated}, **more}


def seated(client: Client, game: str) -> list[str]:
    table = client.get(f"/api/games/{game}")
    assert table["status"] == "running"
    assert table["visibility"] == "open"
    return [seat["name"] if seat["kind"] == "human" else "bot" for seat in table["seats"]]


def test_two_who_want_the_same_are_seated_together(server, client, other):
    assert client.post("/api/quick", wish(601)) == {"game": None, "waiting": 1, "until": None}
    assert other.post("/api/quick", wish(602))["game"] is None, "another pace"
    assert other.post("/api/quick", wish(601, players=3))["game"] is None, "another number"
    waiting = client.get("/api/quick")["seekers"]
    assert [s["waiting"] for s in waiting if s["clock"] and s["clock"]["bank"] == 601] == [1, 1]
    game = other.post("/api/quick", wish(601))["game"]
    assert client.post("/api/quick", wish(601))["game"] == game, "whoever waited is told"
    assert client.post("/api/quick", wish(601))["game"] == game, "and told again"
    assert sorted(seated(client, game)) == ["Alheyd", "Bertram"]
    assert client.get(f"/api/games/{game}")["clock"]["bank"] == 601
    # Afterwards each can search anew.
    client.send("DELETE", "/api/quick")
    assert client.post("/api/quick", wish(601))["game"] is None


def test_machines_come_when_the_time_is_up(client, other):
    patient = wish(603, players=3, machines_after=3000)
    assert client.post("/api/quick", patient)["until"] is not None
    # Whoever comes later and waits less takes along those who play with machines at all.
    game = other.post("/api/quick", wish(603, players=3, machines_after=0, bot="random"))["game"]
    assert client.post("/api/quick", patient)["game"] == game
    assert sorted(seated(client, game)) == ["Alheyd", "Bertram", "bot"]
    bots = [seat["bot"] for seat in client.get(f"/api/games/{game}")["seats"] if seat["bot"]]
    assert bots == ["random"]


def _waiting(connection: sa.Connection, count: int, players: int) -> QuickKind:
    """So many guests who want the same, and of whom all but the first have blocked each other."""
    kind = QuickKind(players=players)
    guests = [f"guest{n:03}" for n in range(count)]
    rows = [{"id": guest, "name": guest, "created": 1} for guest in guests]
    connection.execute(people.insert(), rows)
    blocks = [
        {"person": one, "other": other, "kind": "block", "created": 1}
        for one in guests[1:]
        for other in guests[1:]
        if one != other
    ]
    connection.execute(ties.insert(), blocks)
    searches = [
        {"person": guest, "kind": _key(kind), "created": n, "seen": now_ms(), "until": 0}
        for n, guest in enumerate(guests)
    ]
    connection.execute(seekers.insert(), searches)
    return kind


def test_blocks_of_those_who_do_not_sit_down_are_not_looked_at(tmp_path):
    """A hundred guests who had blocked each other and waited took the thread that writes decisions."""

    async def work(hub, _person):
        def fill(connection: sa.Connection) -> int:
            kind, steps = _waiting(connection, 100, 2), list[int]()
            driver: Any = connection.connection.driver_connection
            driver.set_progress_handler(lambda: steps.append(1), 100)
            hub.quick._fill(connection, kind, _key(kind), now_ms())
            driver.set_progress_handler(None, 0)
            placed = sa.select(seekers.c.person).where(seekers.c.game.is_not(None))
            assert set(connection.execute(placed).scalars()) == {"guest000", "guest001"}
            return len(steps)

        # In hundreds of SQLite's steps: to read ten thousand blocks takes a thousand of them.
        assert await hub.store.write(fill) < 200

    in_hub(tmp_path, work, rounds=False)


def test_nobody_is_sent_to_a_table_at_which_he_has_no_seat(tmp_path):
    """The first plays with nobody else; those after him are more than sit down."""

    async def work(hub, _person):
        def fill(connection: sa.Connection) -> None:
            kind = QuickKind(players=2)
            guests = [f"guest{n}" for n in range(4)]
            rows = [{"id": guest, "name": guest, "created": 1} for guest in guests]
            connection.execute(people.insert(), rows)
            blocks = [
                {"person": "guest0", "other": other, "kind": "block", "created": 1}
                for other in guests[1:]
            ]
            connection.execute(ties.insert(), blocks)
            searches = [
                {"person": guest, "kind": _key(kind), "created": n, "seen": now_ms()}
                for n, guest in enumerate(guests)
            ]
            connection.execute(seekers.insert(), searches)
            late = seekers.update().where(seekers.c.person != "guest0").values(until=1)
            connection.execute(late)
            hub.quick._fill(connection, kind, _key(kind), now_ms())
            placed = sa.select(seekers.c.person).where(seekers.c.game.is_not(None))
            assert set(connection.execute(placed).scalars()) == {"guest1", "guest2"}

        await hub.store.write(fill)

    in_hub(tmp_path, work, rounds=False)


def test_people_alone_wait_for_people(client, other):
    assert client.post("/api/quick", wish(604, players=3))["game"] is None
    game = other.post("/api/quick", wish(604, players=3, machines_after=0))["game"]
    assert sorted(seated(other, game)) == ["Bertram", "bot", "bot"]
    assert client.post("/api/quick", wish(604, players=3))["game"] is None


def test_whoever_went_away_is_not_seated(server, client, other):
    client.post("/api/quick", wish(605))
    mine = client.get("/api/me")["person"]["id"]
    store = Store(server.settings.get("database") or f"sqlite:///{server.data}/hansa.sqlite3")
    long_ago = seekers.update().where(seekers.c.person == mine).values(seen=seekers.c.seen - 20_000)
    store.now(lambda connection: connection.execute(long_ago))
    assert other.post("/api/quick", wish(605)) == {"game": None, "waiting": 1, "until": None}
    other.send("DELETE", "/api/quick")
    assert client.post("/api/quick", wish(605))["waiting"] == 1, "back again, and alone"
    rows = store.see(lambda connection: connection.execute(sa.select(seekers.c.person)).all())
    assert (mine,) in [tuple(row) for row in rows]
    store.close()


def test_what_is_wrong_is_said_at_once(server, client):
    assert client.post("/api/quick", wish(606, rated=True), 403)["code"] == "needs_account"
    assert client.post("/api/quick", wish(606, bot="nobody"), 400)["code"] == "unknown_bot"
    assert client.post("/api/quick", wish(0.1), 400)["code"] == "bad_request"
    somebody, _ = account(server, "Katrijn")
    with somebody:
        rated = wish(606, rated=True, machines_after=0, bot="greedy")
        game = somebody.post("/api/quick", rated)["game"]
        assert somebody.get(f"/api/games/{game}")["rated"] is True


@pytest.fixture
def second(postgresql_server, tmp_path):
    """Another process at the same store."""
    server = Server(tmp_path, database=postgresql_server.settings["database"]).start()
    yield server
    assert server.stop() == 0


def test_they_meet_through_two_processes(postgresql_server, second):
    with postgresql_server.client("Alheyd") as one, second.client("Bertram") as two:
        assert one.post("/api/quick", wish(607))["game"] is None
        game = two.post("/api/quick", wish(607))["game"]
        assert one.post("/api/quick", wish(607))["game"] == game
        assert sorted(seated(one, game)) == ["Alheyd", "Bertram"]
        mine, theirs = one.socket(game), two.socket(game)
        assert mine.receive()["table"]["status"] == theirs.receive()["table"]["status"] == "running"
