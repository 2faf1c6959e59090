"""Ratings: the same numbers from the same games, whatever happened in between; ladder and records."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Collection, Sequence
from functools import partial
from typing import Any

import pytest
import sqlalchemy as sa
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.server.harness import Client, Server
from tests.server.test_hub import in_hub, wish

from hansa import bots
from hansa.server import archive, careers, ladder, logbook
from hansa.server.admin import main as admin
from hansa.server.model import Entry, Meta, Options, Person, Seat
from hansa.server.ratings import FRESH, MACHINES, Sitter, Skill, pool_of, ranks, rate
from hansa.server.schema import entries, games, people, ratings, seats
from hansa.server.store import Store
from hansa.server.wire.table import Clock

PEOPLE = ["alheyd", "bertram", "katrijn", "detmar", "gese", "hinrik"]
NAMES = ("p1", "p2", "p3", "p4", "p5")


def finished(
    number: int,
    who: Sequence[str],
    totals: Sequence[int],
    left: Collection[str] = (),
    *,
    ended: int,
    **more: Any,
) -> Meta:
    """A rated game that is over; `who` are people, or machines by their names."""
    scores = {seat: {"total": total} for seat, total in zip(NAMES, totals, strict=False)}
    stayed = [seat for seat in scores if seat not in left]
    best = max((scores[seat]["total"] for seat in stayed), default=0)
    sitting = [
        Seat(seat=seat, kind="human", person=one, name=one)
        if one in PEOPLE
        else Seat(seat=seat, kind="bot", bot=one, name=one)
        for seat, one in zip(NAMES, who, strict=False)
    ]
    described: dict[str, Any] = {
        "id": f"game{number:04}",
        "name": "",
        "status": "over",
        "visibility": "unlisted",
        "host": PEOPLE[0],
        "setup": {"board": "hansa", "players": len(who), "seed": 1},
        "options": Options(host_name="", rated=True),
        "rules": "",
        "created": 1,
        "ended": ended,
        "seats": sitting,
        "result": {
            "reason": "points",
            "winners": [seat for seat in stayed if scores[seat]["total"] == best],
            "scores": scores,
            "conceded": [],
            "left": list(left),
        },
    }
    return Meta(**(described | more))


def folded(played: Sequence[Meta]) -> dict[tuple[str, str], Skill]:
    """What the numbers must be: one game after the other, in the order of their ends."""
    known: dict[tuple[str, str], Skill] = {}
    for meta in sorted(played, key=lambda meta: (meta.ended, meta.id)):
        pool, places = pool_of(len(meta.seats)), ranks(meta)
        sitters = [Sitter(s.seat, s.person, s.bot, places[s.seat]) for s in meta.seats]
        before = {person: skill for (p, person), skill in known.items() if p == pool}
        known |= {(pool, who): skill for who, skill in rate(pool, sitters, before).items()}
    return known


def stored(store: Store) -> dict[tuple[str, str], Skill]:
    """What the numbers are."""

    def work(connection: sa.Connection) -> dict[tuple[str, str], Skill]:
        query = sa.select(ratings).where(ratings.c.person.is_not(None))
        rows = connection.execute(query.order_by(ratings.c.ended, ratings.c.game)).all()
        return {(row.pool, row.person): Skill(row.mu, row.sigma) for row in rows}

    return store.see(work)


@pytest.fixture(scope="module")
def stores(tmp_path_factory, postgres):
    opened = {
        "sqlite": Store(f"sqlite:///{tmp_path_factory.mktemp('data') / 'a.sqlite3'}", fsync=False),
        "postgresql": Store(postgres.new_database()),
    }
    for store in opened.values():
        store.migrate()
    yield opened
    for store in opened.values():
        store.close()


def emptied(store: Store) -> Store:
    def work(connection: sa.Connection) -> None:
        for table in (ratings, entries, seats, games, people):
            connection.execute(table.delete())
        connection.execute(
            people.insert(),
            [{"id": one, "name": one, "account": one, "created": 1} for one in PEOPLE],
        )

    store.now(work)
    return store


def arrive(connection: sa.Connection, meta: Meta) -> None:
    """Stored with its end; everybody has decided once."""
    archive.add_game(connection, meta)
    log = [line(number, seat.seat) for number, seat in enumerate(meta.seats, start=1)]
    logbook.add_entries(connection, meta.id, log)
    ladder.note(connection, meta, log)


def line(number: int, player: str) -> Entry:
    """A decision of somebody's own."""
    return Entry(
        revision=number,
        number=number,
        kind="decision",
        player=player,
        text="end",
        turn=number,
        at=1,
        by="person",
    )


class Crash(Exception):
    """The process is no more."""


@st.composite
def evenings(draw: st.DrawFn) -> list[tuple[Meta, str]]:
    """Games of two to five people and machines; some end in one millisecond, some are left."""
    found = []
    for number in range(draw(st.integers(1, 7))):
        size = draw(st.integers(2, 5))
        who = draw(st.permutations([*PEOPLE, "greedy", "random"]))[:size]
        totals = draw(st.lists(st.integers(0, 5), min_size=size, max_size=size))
        left = draw(st.sets(st.sampled_from(NAMES[:size]), max_size=2))
        ended = draw(st.integers(1, 4))
        if any(one in PEOPLE for one in who):
            found.append(finished(number, who, totals, left, ended=ended))
    happens = st.sampled_from(["settle", "nothing", "crash at the end", "crash while reckoning"])
    return [(meta, draw(happens)) for meta in draw(st.permutations(found))]


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
@settings(max_examples=15, suppress_health_check=list(HealthCheck))
@given(evening=evenings())
def test_any_order_and_any_crash_give_the_same_numbers(stores, kind, evening):
    store = emptied(stores[kind])
    for meta, happens in evening:
        if happens == "crash at the end":
            with contextlib.suppress(Crash):
                store.now(partial(_crashing, meta=meta))
        store.now(partial(arrive, meta=meta))
        if happens == "crash while reckoning":
            with contextlib.suppress(Crash):
                store.now(_crashing)
        if happens == "settle":
            store.now(ladder.settle)
            store.now(ladder.settle_if_free)
    assert store.see(ladder.is_behind) is any(happens != "settle" for _, happens in evening[-1:])
    store.now(ladder.settle)
    expected = folded([meta for meta, _ in evening])
    assert stored(store) == expected
    assert store.now(ladder.recompute) == len(evening)
    assert stored(store) == expected
    # A game that is taken away never was.
    if evening:
        gone = evening[0][0].id
        store.now(lambda connection: ladder.forget(connection, gone))
        store.now(ladder.settle)
        assert stored(store) == folded([meta for meta, _ in evening if meta.id != gone])


def _crashing(connection: sa.Connection, meta: Meta | None = None) -> None:
    if meta is not None:
        arrive(connection, meta)
    else:
        ladder.settle(connection)
    raise Crash


def test_two_processes_reckon_at_once(stores):
    store = emptied(stores["postgresql"])
    played = [
        finished(n, [PEOPLE[n % 6], PEOPLE[(n + 1) % 6]], [n % 3, n % 2], ended=40 - n)
        for n in range(40)
    ]

    def process(mine: Sequence[Meta]) -> None:
        beside = Store(store.url.render_as_string(hide_password=False))
        for meta in mine:
            beside.now(partial(arrive, meta=meta))
            beside.now(ladder.settle_if_free)
        beside.close()

    threads = [threading.Thread(target=process, args=(played[k::2],)) for k in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    store.now(ladder.settle)
    assert stored(store) == folded(played)


def test_places(stores):
    """Winners first, then by points; whoever left is last, whatever a machine made for him."""
    meta = finished(1, PEOPLE[:5], [50, 40, 60, 40, 10], left=["p3"], ended=1)
    assert ranks(meta) == {"p1": 1, "p2": 2, "p4": 2, "p5": 4, "p3": 5}
    two = finished(1, PEOPLE[:4], [10, 20, 30, 40], left=["p3", "p4"], ended=1)
    assert ranks(two) == {"p2": 1, "p1": 2, "p3": 3, "p4": 3}
    old = finished(1, PEOPLE[:2], [10, 20], ended=1)
    old.result = {**(old.result or {}), "conceded": ["p2"], "winners": ["p1"]}
    del old.result["left"]
    assert ranks(old) == {"p1": 1, "p2": 2}, "a result of an older server"


def test_machines_keep_their_ratings():
    """Whoever beats a strong machine gains more than by beating a weak one, and it stays what it is."""
    gains = {}
    for bot in MACHINES["duel"]:
        sitters = [Sitter("p1", "alheyd", None, 1), Sitter("p2", None, bot, 2)]
        after = rate("duel", sitters, {})
        assert list(after) == ["alheyd"]
        assert after["alheyd"].sigma < FRESH.sigma
        gains[bot] = after["alheyd"].mu - FRESH.mu
    strength = sorted(MACHINES["duel"], key=lambda bot: MACHINES["duel"][bot])
    assert [*gains] == strength
    assert sorted(gains.values()) == [gains[bot] for bot in strength]
    levels = [level.spec for level in bots.LEVELS]
    assert [*MACHINES["duel"]] == [*MACHINES["table"]] == levels == strength


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_pages_of_games_skip_nothing(stores, kind):
    store = emptied(stores[kind])
    me = Person(id="alheyd", name="Alheyd", account="alheyd")
    made = [
        finished(
            n,
            ["alheyd", "greedy", "random"][: 2 + n % 2],
            [3, 2, 1][: 2 + n % 2],
            ended=5,
            # Some are made in one millisecond.
            created=n // 4,
            setup={"board": "east" if n % 3 else "hansa", "players": 2 + n % 2, "seed": 1},
        )
        for n in range(23)
    ]

    def pages(**chosen: Any) -> list[str]:
        found: list[str] = []
        before: str | None = None
        while True:
            asked: dict[str, Any] = {
                "board": None,
                "players": None,
                "limit": 5,
                "before": before,
            } | chosen
            page = store.see(
                lambda connection: careers.played(connection, me, me, **asked)  # noqa: B023
            )
            found += [game.id for game in page.games]
            before = page.next
            if before is None:
                return found

    for meta in made:
        store.now(partial(archive.add_game, meta=meta))
    assert sorted(pages()) == [meta.id for meta in made]
    assert pages()[0] in {meta.id for meta in made if meta.created == 5}
    assert len(pages(board="hansa")) == 8
    assert len(pages(board="hansa", players=3)) == 4
    assert len(pages(players=2)) == 12
    counted = store.see(lambda connection: careers.statistics(connection, me, me))
    assert counted.boards["east"].games == 15
    assert counted.players["3"].games == 11
    assert counted.seats["p1"].wins == 23


def account(server: Server, name: str) -> tuple[Client, str]:
    """Somebody with an account of his own."""
    client = server.client(name)
    mine: str = client.get("/api/me")["person"]["id"]
    client.register("rated")
    return client, mine


def test_a_rated_duel(server):
    (one, alheyd), (two, bertram) = account(server, "Alheyd"), account(server, "Bertram")
    with one, two, server.client("Guest") as guest:
        table = one.table("me", "open", rated=True, start=False)
        assert table["rated"] is True
        refused = guest.post(f"/api/games/{table['id']}/join", {}, 403)
        assert refused["code"] == "needs_account"
        refused = guest.post(
            "/api/games",
            {"setup": {"players": 2}, "seats": [{"kind": "me"}, {"kind": "open"}], "rated": True},
            403,
        )
        assert refused["code"] == "needs_account"
        two.post(f"/api/games/{table['id']}/join", {})
        one.post(f"/api/games/{table['id']}/start")
        socket = two.socket(table["id"])
        socket.receive()
        assert socket.ask("concede")["type"] == "ack"
        won, lost = guest.get(f"/api/games/{table['id']}/ratings")["changes"]
        assert (won["person"], lost["person"]) == (alheyd, bertram)
        assert won["gain"] == -lost["gain"] > 0
        assert won["rating"]["provisional"] is True
        ladder = guest.get("/api/ladder", pool="duel")
        rows = {row["person"]["id"]: row for row in ladder["rows"]}
        assert rows[alheyd]["rating"] == won["rating"]
        assert rows[alheyd]["place"] is None
        assert {machine["bot"] for machine in ladder["machines"]} == set(MACHINES["duel"])
        assert alheyd not in {
            row["person"]["id"] for row in guest.get("/api/ladder", pool="table")["rows"]
        }
        # The profile is public: what was rated, though its table was not listed.
        stats = guest.get(f"/api/people/{alheyd}/stats")
        assert stats["ratings"][0]["rating"] == won["rating"]
        assert stats["ratings"][0]["history"][-1]["game"] == table["id"]
        (game,) = guest.get(f"/api/people/{bertram}/games")["games"]
        assert (game["rank"], game["reason"], game["left"]) == (2, "conceded", True)
        assert game["gain"] == lost["gain"]
        assert game["opponents"][0]["person"] == alheyd
        # Those who wait at a table are seen with their rating.
        waiting = one.table("me", "open", visibility="open", start=False)
        (listed,) = [
            row
            for row in guest.get("/api/games", status="open")["games"]
            if row["id"] == waiting["id"]
        ]
        assert listed["ratings"] == {"p1": won["rating"]}


@pytest.mark.parametrize(
    ("players", "there", "rated"),
    [
        (2, False, []),
        (2, True, ["p1", "p2"]),
        (3, False, ["p1", "p3"]),
        (3, True, ["p1", "p2", "p3"]),
    ],
)
def test_a_game_that_began_without_somebody_is_not_rated_for_him(tmp_path, players, there, rated):
    """The host began when he had gone, or he closed his quick search a moment too late."""
    wanted = wish("me", *["open"] * (players - 1), rated=True, order="fixed")
    wanted.clock = Clock(bank=600, consequence="lose")
    wanted.setup.duel = "neutral" if players == 2 else None

    async def work(hub, person):
        people = [await hub.accounts.register(person, "alheyd", "long enough")]
        for name in ("bertram", "katrijn")[: players - 1]:
            guest, _ = await hub.accounts.guest(name)
            people.append(await hub.accounts.register(guest, name, "long enough"))
        table = await hub.lobby.create(people[0], wanted)
        for other in people[1:]:
            await hub.lobby.join(table, other, None, None)
        await hub.lobby.start(table, people[0])
        await hub.decisions.act(table, people[0], "end", 0)
        if there:
            await hub.decisions.act(table, people[1], "income 1 0", 1)
        table.clocks = {**table.clocks, "p2": 0}
        await hub.manners.time_is_up(table, "p2")
        if players == 3:
            await hub.manners.concede(table, people[2], None)
        assert "p2" in table.meta.result["left"]
        for _ in range(2):
            await hub.raters.settle()
            told = await hub.store.read(partial(ladder.changes, wanted=[table.id]))
            assert [change.seat for change in told.get(table.id, [])] == rated
            await hub.store.write(ladder.recompute)

    in_hub(tmp_path, work)


def test_what_cannot_be_rated(server):
    somebody, _ = account(server, "Alheyd")
    with somebody as one:
        seats = [{"kind": "me"}, {"kind": "bot", "bot": "greedy"}]
        wish = {"setup": {"players": 2}, "seats": seats, "rated": True}
        for bad in (
            {"setup": {"players": 2, "seed": 5}},
            {"seats": [{"kind": "me"}, {"kind": "me"}]},
            {"seats": [{"kind": "me"}, {"kind": "bot", "bot": "greedy:care=77"}]},
        ):
            assert one.post("/api/games", wish | bad, 409)["code"] == "not_rated"
        table = one.table("me", "greedy", rated=True)
        hint = one.post(f"/api/games/{table['id']}/analysis", {"number": 0}, 409)
        assert hint["code"] == "not_over", "a machine's advice would be rated"
        socket = one.socket(table["id"])
        socket.receive()
        assert socket.ask("concede")["type"] == "ack"
        (change,) = one.get(f"/api/games/{table['id']}/ratings")["changes"]
        assert change["gain"] < 0
        fork = {"number": 0, "seats": seats, "rated": True}
        refused = one.post(f"/api/games/{table['id']}/fork", fork, 409)
        assert refused["code"] == "not_rated"
        plain = one.table("me", "greedy")
        other = one.socket(plain["id"])
        other.receive()
        assert other.ask("concede")["type"] == "ack"
        assert one.get(f"/api/games/{plain['id']}/ratings")["changes"] == []


def test_the_hosts_command(stores, tmp_path, capsys):
    place = tmp_path / "hansa.sqlite3"
    store = Store(f"sqlite:///{place}", fsync=False)
    store.migrate()
    emptied(store)
    played = [finished(n, PEOPLE[:2], [n, 1], ended=n) for n in range(3)]
    for meta in played:
        store.now(partial(arrive, meta=meta))
    store.now(lambda connection: connection.execute(ratings.update().values(mu=1.0, sigma=1.0)))
    assert admin(["ratings", "--data", str(tmp_path)]) == 0
    said = capsys.readouterr().out
    assert "3 rated games" in said
    assert "provisional" in said
    assert stored(store) == folded(played)
    assert admin(["delete", "game0001", "--yes", "--data", str(tmp_path)]) == 0
    assert stored(store) == folded([played[0], played[2]])
    store.close()
