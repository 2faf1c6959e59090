"""Quick games: people who want the same meet, through whichever process they ask."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import permutations
from typing import Any

import pytest
import sqlalchemy as sa
from tests.server.harness import Client, Server
from tests.server.test_hub import in_hub
from tests.server.test_ratings import account

from hansa.server import limits
from hansa.server.errors import TableError
from hansa.server.model import Person, now_ms
from hansa.server.quick import _key, _Search
from hansa.server.schema import games, people, seekers, ties
from hansa.server.store import Store
from hansa.server.wire.quick import QuickKind, QuickWish


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


@pytest.mark.parametrize("blocks", [True, False])
def test_who_waits_first_and_plays_with_nobody_holds_up_nobody(server, client, blocks):
    """Whoever had blocked all others, or been blocked by them, kept them from each other while he waited."""
    wanted = wish(608 + blocks)
    with server.client("Bertram") as second, server.client("Katrijn") as third:
        for other in (second, third):
            one, whom = (client, other) if blocks else (other, client)
            blocked = whom.get("/api/me")["person"]["id"]
            one.send("PUT", f"/api/me/circle/{blocked}", {"kind": "block"})
        for each in (client, second):
            assert each.post("/api/quick", wanted)["game"] is None
        game = third.post("/api/quick", wanted)["game"]
        assert seated(third, game) in (["Bertram", "Katrijn"], ["Katrijn", "Bertram"])
        assert client.post("/api/quick", wanted) == {"game": None, "waiting": 1, "until": None}


def wait(connection: sa.Connection, guests: Sequence[str], players: int, *blocks: str) -> None:
    """Guests want the same and have waited in this order; of "ab" a has blocked b."""
    rows = [{"id": guest, "name": guest, "created": 1} for guest in guests]
    connection.execute(people.insert(), rows)
    pairs = [{"person": p[0], "other": p[1], "kind": "block", "created": 1} for p in blocks]
    if pairs:
        connection.execute(ties.insert(), pairs)
    key, now = _key(QuickKind(players=players)), now_ms()
    searches = [
        {"person": guest, "kind": key, "created": now - 100_000 + n, "seen": now}
        for n, guest in enumerate(guests)
    ]
    connection.execute(seekers.insert(), searches)


def ask(hub: Any, connection: sa.Connection, guest: str, players: int, **more: Any) -> str:
    """Whom the question of this guest brings to a table with him, the host first."""
    wished = QuickWish(kind=QuickKind(players=players), bot="random", **more)
    game = hub.quick._seek(connection, Person(id=guest, name=guest), wished).game
    if game is None:
        return ""
    sitting = sa.select(seekers.c.person).where(seekers.c.game == game)
    host: str = connection.execute(sa.select(games.c.host).where(games.c.id == game)).scalar_one()
    return host + "".join(sorted(set(connection.execute(sitting).scalars()) - {host}))


@pytest.mark.parametrize(
    ("players", "blocks", "guest", "sitting"),
    [
        (2, ["ab"], "f", "af"),
        (3, ["ab", "cd"], "f", "acf"),
        (3, ["fa", "bc"], "f", "bdf"),
        # The first two play with nobody who plays with the other one.
        (4, ["ae", "af", "bc", "bd"], "c", "cdef"),
        (4, ["ea", "fa", "cb", "db"], "f", "cdef"),
        (5, ["ab", "cd"], "f", ""),
    ],
)
def test_who_can_sit_together_does_and_who_has_waited_longest_first(
    tmp_path, players, blocks, guest, sitting
):
    async def work(hub, _person):
        def question(connection: sa.Connection) -> str:
            wait(connection, "abcdef", players, *blocks)
            return ask(hub, connection, guest, players)

        assert await hub.store.write(question) == sitting

    in_hub(tmp_path, work, rounds=False)


def test_machines_come_when_he_asks_whose_time_is_up(tmp_path):
    """Nobody who has gone sits at a table alone with machines, because somebody else asked."""

    async def work(hub, _person):
        def questions(connection: sa.Connection) -> list[str]:
            wait(connection, "abc", 4)
            connection.execute(seekers.update().where(seekers.c.person != "a").values(until=1))
            return [
                ask(hub, connection, "c", 4, machines_after=3000),
                ask(hub, connection, "b", 4, machines_after=0),
            ]

        assert await hub.store.write(questions) == ["", "bc"]

    in_hub(tmp_path, work, rounds=False)


def test_who_was_seated_meanwhile_is_not_seated_twice(tmp_path):
    """Another process may seat whoever asks until it is noted that he asked."""

    async def work(hub, _person):
        def question(connection: sa.Connection) -> set[str | None]:
            wait(connection, "ab", 2)
            connection.execute(seekers.update().where(seekers.c.person == "a").values(game="x"))
            wished = QuickWish(kind=QuickKind(players=2))
            hub.quick._fill(connection, _Search(0, "a", "a", None), wished, now_ms())
            return set(connection.execute(sa.select(seekers.c.game)).scalars())

        assert await hub.store.write(question) == {"x", None}

    in_hub(tmp_path, work, rounds=False)


def test_who_is_just_being_seated_is_not_waited_for(tmp_path, postgres):
    async def work(hub, _person):
        await hub.store.write(lambda connection: wait(connection, "ab", 2))
        question = partial(ask, hub, guest="b", players=2)
        url = hub.store.url.set(drivername="postgresql+psycopg")
        engine = sa.create_engine(url, poolclass=sa.NullPool)
        with engine.begin() as elsewhere:
            elsewhere.execute(seekers.update().where(seekers.c.person == "a").values(until=1))
            assert await hub.store.write(question) == ""
        assert await hub.store.write(question) == "ab"

    in_hub(tmp_path, work, rounds=False, database=postgres.new_database())


def test_a_question_costs_the_same_however_many_wait(tmp_path):
    """Each read all who waited: one address with 380 guests who asked again and again took the thread
    that writes decisions for seconds.
    """

    async def work(hub, _person):
        def steps(connection: sa.Connection, players: int, count: int) -> int:
            guests, made = [f"{players}of{n}" for n in range(count)], list[int]()
            wait(connection, guests, players)
            me = _Search(count, guests[-1], guests[-1], None)
            driver: Any = connection.connection.driver_connection
            driver.set_progress_handler(lambda: made.append(1), 10)
            wished = QuickWish(kind=QuickKind(players=players))
            hub.quick._fill(connection, me, wished, now_ms())
            driver.set_progress_handler(None, 0)
            return len(made)

        few = await hub.store.write(lambda connection: steps(connection, 4, 100))
        many = await hub.store.write(lambda connection: steps(connection, 5, 2000))
        assert many < 2 * few

    in_hub(tmp_path, work, rounds=False)


def test_blocks_of_those_who_do_not_sit_down_are_not_looked_at(tmp_path):
    """A hundred guests who had blocked each other and waited took the thread that writes decisions."""

    async def work(hub, _person):
        def question(connection: sa.Connection) -> int:
            guests, steps = [chr(0x100 + n) for n in range(100)], list[int]()
            wait(connection, guests, 2, *map("".join, permutations(guests[1:], 2)))
            driver: Any = connection.connection.driver_connection
            driver.set_progress_handler(lambda: steps.append(1), 100)
            assert ask(hub, connection, guests[-1], 2) == guests[0] + guests[-1]
            driver.set_progress_handler(None, 0)
            return len(steps)

        # In hundreds of SQLite's steps: to read ten thousand blocks takes a thousand of them.
        assert await hub.store.write(question) < 200

    in_hub(tmp_path, work, rounds=False)


def test_a_crowd_of_guests_leaves_places_to_others(tmp_path):
    """Guests of one address who had blocked each other, and waited first, kept all others apart."""
    server = Server(tmp_path, seekers_per_address=2).start()
    with server.client() as one, server.client() as two, server.client() as three:
        assert one.post("/api/quick", wish(609, players=5))["game"] is None
        assert two.post("/api/quick", wish(609, players=5))["game"] is None
        assert two.post("/api/quick", wish(609, players=5))["waiting"] == 2, "he is here already"
        assert three.post("/api/quick", wish(609, players=5), 429)["code"] == "too_many"
        two.send("DELETE", "/api/quick")
        alone = wish(609, players=5, machines_after=0)
        assert three.post("/api/quick", alone)["game"] is not None
        assert two.post("/api/quick", wish(609, players=5))["game"] is None, "room again"
    assert server.stop() == 0


def test_who_does_not_ask_again_makes_room_for_another(monkeypatch):
    now = 0.0
    monkeypatch.setattr("hansa.server.limits.time.monotonic", lambda: now)
    company = limits.Company("people who wait", 1, 12.0)
    company.check("club", "a")
    company.check("elsewhere", "b")
    now = 11.0
    with pytest.raises(TableError, match=r"wait 12\.0 seconds"):
        company.check("club", "b")
    company.check("club", "a")
    now = 23.0
    company.check("club", "b")


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
