"""Fair use: who asks for much waits for himself, and nobody else does."""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
import threading
import time
import tracemalloc
from collections import Counter
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any, cast
from unittest.mock import AsyncMock

import httpx
import msgspec
import pytest
import sqlalchemy as sa
from tests.server.harness import Server
from tests.server.test_hub import in_hub, wish

from hansa import Game
from hansa.bots import puzzles as library
from hansa.bots.search import CLOCK_SHARE
from hansa.server import (
    border,
    exploring,
    keys,
    logbook,
    players,
    puzzles,
    referee,
    replay,
    worker,
)
from hansa.server.border import Border, Caller
from hansa.server.carrying import carry_out
from hansa.server.config import load
from hansa.server.errors import TableError
from hansa.server.heavy import Kept, Turns
from hansa.server.history_routes import HistoryRoutes
from hansa.server.limits import Budget
from hansa.server.own import my_data
from hansa.server.puzzle_routes import PuzzleRoutes
from hansa.server.queues import ASKED_FROM
from hansa.server.rows import live_rows
from hansa.server.schema import studies
from hansa.server.store import Store
from hansa.server.stored import largest
from hansa.server.table_routes import TableRoutes
from hansa.server.wire import studies as studies_wire
from hansa.server.wire.asking import AnalysisWish, SeatWish
from hansa.server.wire.order import MyData
from hansa.server.wire.socket import Propose


def test_who_is_in_debt_waits_and_pays_it_off(monkeypatch):
    now = [100.0]
    monkeypatch.setattr("hansa.server.limits.time", SimpleNamespace(monotonic=lambda: now[0]))
    budget = Budget("things", rate=0.1, burst=3.0)
    budget.check("one")
    budget.charge("one", 5.0)
    with pytest.raises(TableError, match=r"wait 20\.0 seconds") as refused:
        budget.check("one")
    assert refused.value.detail["retry_after"] == 20.0
    budget.check("another")
    now[0] += 19.0
    with pytest.raises(TableError):
        budget.check("one")
    now[0] += 2.0
    budget.check("one")
    now[0] += 1000.0
    assert budget.left("one") == 3.0


def test_a_few_of_one_person_wait_and_the_rest_is_sent_away():
    async def work() -> None:
        turns = Turns("things", 1, 2)
        log: list[str] = []
        gate = asyncio.Event()

        async def one(name: str) -> None:
            async with turns.of(name):
                log.append(name)
                await gate.wait()

        tasks = [asyncio.ensure_future(one("greedy")) for _ in range(5)]
        tasks.append(asyncio.ensure_future(one("modest")))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert log == ["greedy", "modest"], "nobody stands behind another person's queue"
        gate.set()
        done = await asyncio.gather(*tasks, return_exceptions=True)
        assert [isinstance(each, TableError) for each in done] == [False] * 3 + [True] * 2 + [False]
        assert turns.length == 0

    asyncio.run(work())


def test_tables_of_one_address_are_made_one_after_the_other(tmp_path):
    """Forty at once held the event loop for as long as all of them take."""
    underway: Counter[str] = Counter()
    most: Counter[str] = Counter()

    async def work(hub, person):
        create = hub.lobby.create

        async def counted(person: Any, data: Any) -> Any:
            underway[person.name] += 1
            most[person.name] = max(most[person.name], underway[person.name])
            most["together"] = max(most["together"], underway.total())
            table = await create(person, data)
            underway[person.name] -= 1
            return table

        hub.lobby.create = counted
        other, _ = await hub.accounts.guest("Bertram")

        async def ask(somebody: Any, address: str) -> Any:
            caller = SimpleNamespace(address=address, somebody=AsyncMock(return_value=somebody))
            return await TableRoutes.create.fn(None, hub, caller, wish("me", "me", "me"))

        greedy = [ask(person, "10.0.0.1") for _ in range(6)]
        made = await asyncio.gather(*greedy, *[ask(other, "10.0.0.2") for _ in range(2)])
        assert len({table.id for table in made}) == 8
        assert hub.founding.length == 0

    in_hub(tmp_path, work)
    assert most == {"Alheyd": 1, "Bertram": 1, "together": 2}


def test_what_is_kept_is_bounded():
    kept = Kept(10)
    for name in "abcd":
        kept.put(name, name * 4)
    assert [kept.get(name) for name in "abcd"] == [None, None, "cccc", "dddd"]
    kept.get("c")
    kept.put("e", "eeee")
    assert kept.get("d") is None
    assert kept.get("c") == "cccc"


def test_expensive_reads_hold_up_no_decision(tmp_path):
    """All their threads hang; decisions, and the reads of others' tables, go on."""
    stuck = threading.Event()

    async def work(hub, person):
        table = await hub.lobby.create(person, wish("me", "me", "me", start=True))
        reading = [
            asyncio.ensure_future(hub.heavy.read(f"10.0.0.{n}", None, lambda _: stuck.wait(60)))
            for n in range(8)
        ]
        await asyncio.sleep(0)
        hub.hall.forget(table)
        again = await hub.hall.open(table.id)
        assert await hub.decisions.act(again, person, "end", 0)
        assert hub.heavy.length == 8
        stuck.set()
        assert all(await asyncio.gather(*reading))

    in_hub(tmp_path, work)


def test_logs_and_records_are_paid_for_and_playing_is_not(tmp_path):
    # So little a second that no debt is paid off meanwhile.
    server = Server(tmp_path, work_burst=0.5, work_share="0.0000001").start()
    try:
        with server.client("Alheyd") as client:
            table = client.table("me", "me", "me")
            socket = client.socket(table["id"])
            socket.receive()
            socket.ask("concede", seat="p1")
            socket.ask("concede", seat="p2")
            socket.wait_for(lambda s: s.table["status"] == "over")
            path = f"/api/games/{table['id']}"
            first = client.http.get(f"{path}/record")
            assert first.status_code == 200
            codes = [client.http.get(f"{path}/log").status_code for _ in range(2000)]
            assert codes[0] == 200
            assert codes[-1] == 429, "half a second of work is spent"
            assert client.http.get(f"{path}/record").status_code == 429
        with server.client("Bertram") as other:
            assert other.http.get("/health/live").status_code == 200
            table = other.table("me", "me", "me")
            watching = other.socket(table["id"])
            watching.receive()
            assert watching.act("end")["type"] == "ack", "playing costs nothing of that"
    finally:
        assert server.stop() == 0


def _dear(client: Any) -> dict[str, Any]:
    """Addresses whose answers cost something, and what is sent there."""
    game = Game.new(board="hansa", players=3, seed=1)
    for _ in range(4):
        game.play("end")
    over = client.post("/api/records", {"record": game.record()})["id"]
    study = {"name": "Mine", "game": over, "number": 0, "comment": "", "nodes": []}
    kept = client.post("/api/studies", study, 201)["id"]
    read = (
        "/api/games",
        "/api/games?mine=true",
        "/api/ladder",
        "/api/people/me/stats",
        "/api/people/me/games",
        "/api/me/circle",
        "/api/me/data",
        "/api/puzzles",
        "/api/puzzles/hansa-45-1",
        "/api/studies",
        f"/api/studies/{kept}",
        f"/api/studies/{kept}/record",
        f"/api/games/{over}/log",
        f"/api/games/{over}/chart",
        f"/api/games/{over}/record",
        f"/api/games/{over}/review",
        f"/api/games/{over}/positions/2",
    )
    return dict.fromkeys(read) | {
        f"/api/games/{over}/line": {"number": 0, "decisions": []},
        f"/api/games/{over}/analysis": {"number": 0, "bot": "none such", "line": ["end"]},
    }


def test_every_read_that_costs_is_paid_for(tmp_path):
    """Lists, the ladder and studies were read as often as one liked, in the threads of everybody."""
    server = Server(tmp_path).start()
    with server.client("Alheyd") as client:
        asked = _dear(client)
    assert server.stop() == 0
    little = {"work_burst": "0.000001", "work_share": "0.0000001"}
    server = Server(tmp_path, proxies="127.0.0.1", **little).start()
    for number, (path, body) in enumerate(asked.items()):
        with server.client() as client:
            client.http.headers["X-Forwarded-For"] = f"198.51.100.{number}"
            client.post("/api/me", {"name": "Bertram"})
            method = "GET" if body is None else "POST"
            codes = [client.http.request(method, path, json=body).status_code for _ in range(3)]
            assert codes[0] != 429, path
            assert codes[-1] == 429, path
    assert server.stop() == 0


def test_what_is_refused_in_the_end_is_paid_for_all_the_same(tmp_path):
    """A line of 3,000 decisions whose last one is illegal could be sent for ever."""

    async def work(hub, person):
        paid = list[float]()
        hub.heavy.pay = lambda *given: paid.append(given[-1])

        def refused(_connection: Any) -> None:
            until = time.thread_time() + 0.05
            while time.thread_time() < until:
                pass
            raise TableError("illegal_decision", "The last of many.")

        with pytest.raises(TableError, match="The last"):
            await hub.heavy.read("10.0.0.1", person.id, refused)
        assert len(paid) == 1
        assert paid[0] >= 0.05

    in_hub(tmp_path, work, rounds=False)


def test_analyses_are_paid_for_by_the_time_they_take(tmp_path):
    """Of two addresses each had one of the processes for as long as it liked."""
    server = Server(tmp_path, review_burst="0.000001", review_share="0.0000001").start()
    with server.client("Alheyd") as client:
        table = client.table("me", "greedy", "greedy")
        path, asked = f"/api/games/{table['id']}/analysis", {"number": 0, "bot": "random"}
        codes = [client.http.post(path, json=asked).status_code for _ in range(2)]
        assert codes == [200, 429]
    assert server.stop() == 0


def test_a_class_that_opens_the_page_is_served(tmp_path):
    """Who has not said who he is counts by his address, and there may be many of them."""

    async def work(hub, _person):
        gate = threading.Event()
        asking = [
            asyncio.ensure_future(hub.heavy.read("10.0.0.1", None, lambda _: gate.wait(60)))
            for _ in range(30)
        ]
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert not any(each.done() for each in asking)
        gate.set()
        assert all(await asyncio.gather(*asking))

    in_hub(tmp_path, work, rounds=False)


def test_thirty_who_open_the_page_get_all_its_files(tmp_path, monkeypatch):
    """Fifty files each, most in the same moment: a third of them was refused, and pages stayed empty."""
    monkeypatch.setattr(border, "_HELD_UP", 0.0)
    asked, answered = ["assets/table.js"] * 50 + ["api/me"] * 5, Counter[tuple[str, int]]()

    async def app(_scope: Any, _receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})

    async def work(hub, _person):
        guarded = Border(hub, {"assets/table.js"}, app)

        async def ask(path: str) -> None:
            async def send(message: Any) -> None:
                if message["type"] == "http.response.start":
                    answered[path, message["status"]] += 1

            scope = {
                "type": "http",
                "method": "GET",
                "path": f"/{path}",
                "headers": [(b"host", b"localhost")],
                "client": ("203.0.113.7", 1),
            }
            await guarded(cast("Any", scope), AsyncMock(), send)

        for _ in range(30):
            for path in asked:
                await ask(path)
        assert answered == {("assets/table.js", 200): 1500, ("api/me", 200): 150}
        for _ in range(3000):
            await ask("assets/table.js")
        assert answered["assets/table.js", 429]
        await ask("api/me")
        assert answered["api/me", 429] == 0

    in_hub(tmp_path, work)


def test_ten_of_a_class_wait_for_the_analysis_of_one(tmp_path):
    """Of ten who had a record taken in the same seconds one was sent away."""

    async def work(hub, _person):
        gate = asyncio.Event()

        async def study() -> None:
            async with hub.studies.of("203.0.113.7"):
                await gate.wait()

        asking = [asyncio.ensure_future(study()) for _ in range(11)]
        await asyncio.sleep(0)
        with pytest.raises(TableError) as refused:
            await study()
        assert refused.value.code == "too_many"
        gate.set()
        await asyncio.gather(*asking)

    in_hub(tmp_path, work)


def test_a_list_sets_up_no_game_twice(tmp_path, monkeypatch):
    """A lobby of tables at which nothing is decided yet set all of them up whenever somebody looked."""
    asked: list[str] = []
    at_number = replay.at_number

    def counting(connection: Any, meta: Any, number: int) -> Game:
        asked.append(meta.id)
        return at_number(connection, meta, number)

    monkeypatch.setattr(replay, "at_number", counting)

    async def work(hub, person):
        tables = [
            await hub.lobby.create(person, wish("me", "me", "me", start=True)) for _ in range(3)
        ]
        metas = [table.meta for table in tables]

        def look() -> Any:
            return hub.store.read(lambda connection: live_rows(connection, metas))

        first = await look()
        assert sorted(asked) == sorted(meta.id for meta in metas)
        assert await look() == first
        assert len(asked) == 3
        await hub.decisions.act(tables[0], person, "end", 0)
        assert (
            (await look())[metas[0].id].player == tables[0].game.player != first[metas[0].id].player
        )

    in_hub(tmp_path, work)


def test_puzzles_are_taken_apart_once(tmp_path, monkeypatch):
    """Whoever asked first asked sixteen times at once, and each time all of them were taken apart."""
    asked = threading.Semaphore(0)
    made: list[int] = []

    def load() -> dict[str, Any]:
        made.append(1)
        asked.acquire(timeout=60)
        return {}

    puzzles._shipped.cache_clear()
    monkeypatch.setattr(library, "load", load)

    async def work(hub, person):
        monkeypatch.setattr(Caller, "address", "10.0.0.1")
        asking = []
        for _ in range(6):
            caller = Caller(hub, AsyncMock(cookies={}))
            caller.person = person
            asking.append(asyncio.ensure_future(PuzzleRoutes.puzzles.fn(None, caller)))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        for _ in asking:
            asked.release()
        assert [found.shipped for found in await asyncio.gather(*asking)] == [[]] * 6
        assert len(made) == 1

    try:
        in_hub(tmp_path, work)
    finally:
        puzzles._shipped.cache_clear()


def test_a_line_is_tried_beside_the_event_loop(tmp_path, monkeypatch):
    """Six hundred decisions were played where everybody waits."""
    threads: list[threading.Thread] = []

    def followed(*_: Any) -> Any:
        threads.append(threading.current_thread())
        raise TableError("illegal_decision", "Not there.")

    monkeypatch.setattr(exploring, "followed", followed)

    async def work(hub, person):
        table = await hub.lobby.create(person, wish("me", "me", "me", start=True))
        for seat in ("p1", "p2"):
            await hub.manners.concede(table, person, seat)
        caller = Caller(hub, AsyncMock(cookies={}))
        caller.person = person
        monkeypatch.setattr(Caller, "address", "10.0.0.1")
        with pytest.raises(TableError, match="Not there"):
            await HistoryRoutes.analysis.fn(
                None, hub, caller, table.id, AnalysisWish(number=0, line=["end"])
            )
        assert threads
        assert threads[0] is not threading.main_thread()

    in_hub(tmp_path, work)


def test_a_decision_taken_back_for_ever_is_read_once(tmp_path):
    """Each undo, and whoever looked at the table, read all that had ever been taken back."""

    async def work(hub, person):
        table = await hub.lobby.create(person, wish("me", "me", "me", start=True))
        place = next(t for t in referee.legal(table.game) if t.startswith("place"))
        for _ in range(9):
            await hub.decisions.act(table, person, place, 0)
            await hub.decisions.undo(table, person, 1, None)
        await hub.decisions.act(table, person, place, 0)
        await hub.decisions.act(table, person, "end", 1)
        rows: list[int] = []

        class Counting:
            def __init__(self, connection: Any) -> None:
                self._connection = connection

            def execute(self, query: Any) -> list[Any]:
                found = list(self._connection.execute(query))
                rows.append(len(found))
                return found

        read = await hub.store.read(
            lambda at: logbook.standing(cast("Any", Counting(at)), table.id, 1, 2)
        )
        assert [(e.number, e.text, e.revision) for e in read] == [(1, place, 19), (2, "end", 20)]
        assert rows == [2]
        before = await hub.store.read(
            lambda connection: logbook.standing(connection, table.id, 1, 1, revision=18)
        )
        assert [e.revision for e in before] == [17]

    in_hub(tmp_path, work)


def test_a_study_from_a_record_is_bounded_like_any_other(sqlite_server):
    """The record of a tree was taken whatever its size, and the tree never fitted again."""
    game = Game.new(board="hansa", players=3, seed=1)
    game.play("end")
    lines = ["(", "p1> end", ")"] * studies_wire.MOST_NODES
    with sqlite_server.client("Alheyd") as client:
        refused = client.post(
            "/api/studies/records", {"record": game.record() + "\n".join(lines)}, 400
        )
        assert refused["code"] == "invalid_record"
        assert "at most 3000" in refused["message"]
        assert client.get("/api/games", mine="true")["games"] == []


def test_ones_own_data_take_no_more_memory_than_they_are_long(tmp_path):
    """Studies of 19 MB took 155 more: as rows, as text, and as text put together three times."""

    async def work(hub, person):
        game = (await hub.lobby.create(person, wish("me", "me"))).id
        row = {"person": person.id, "name": "n", "game": game, "number": 0, "comment": "é"}
        row |= {"nodes": '["' * 200_000, "changed": 1}

        def measured(connection: sa.Connection) -> tuple[list[bytes], int]:
            tracemalloc.start()
            try:
                pieces = my_data(connection, person.id)
                return pieces, tracemalloc.get_traced_memory()[1]
            finally:
                tracemalloc.stop()

        rows = [{"id": f"s{k}"} | row for k in range(60)]
        await hub.store.write(lambda connection: connection.execute(studies.insert(), rows))
        pieces, most = await hub.store.read(measured)
        found = msgspec.json.decode(b"".join(pieces), type=MyData)
        assert len(found.studies) == 60
        assert found.studies[7]["comment"] == "é"
        assert most < 1.6 * sum(map(len, pieces))
        assert max(map(len, pieces)) < 1_000_000, "sent one after the other"

    in_hub(tmp_path, work)


def test_who_does_not_read_his_data_gets_them_once(tmp_path):
    """Each time all of it was put together and kept for whoever read a kilobyte a second: half a gigabyte
    in half a minute, of five guests.
    """
    server = Server(tmp_path, work_burst=1000).start()
    with server.client("Alheyd") as client:
        for _ in range(3):
            client.get("/api/me/data")
        game = client.table("me", "me")["id"]
        me = client.get("/api/me")["person"]["id"]
        with contextlib.closing(sqlite3.connect(tmp_path / "hansa.sqlite3", timeout=30)) as store:
            nodes = "x" * 900_000
            values = [(f"s{k}", me, "n", game, 0, "", nodes, 1) for k in range(20)]
            store.executemany("INSERT INTO studies VALUES (?, ?, ?, ?, ?, ?, ?, ?)", values)
            store.commit()
        with client.http.stream("GET", "/api/me/data") as unread:
            assert unread.status_code == 200
            assert client.get("/api/me/data", 429)["code"] == "too_many"
        while client.http.get("/api/me/data").status_code != 200:
            time.sleep(0.05)
    assert server.stop() == 0


def test_bots_that_are_kept_ready_are_few():
    """Each may hold trees of some megabytes, and of its settings there are any number."""
    for seed in range(50):
        assert worker._bot(f"greedy:seed={seed}").name == f"greedy:seed={seed}"
    assert worker._bot.cache_info().currsize <= worker._READY


def test_machines_write_no_faster_than_their_host_may(tmp_path, monkeypatch):
    """Three bots that decide by chance and do not wait filled the disk for as long as somebody looked."""
    waited: list[float] = []
    sleep = asyncio.sleep

    async def counted(seconds: float) -> None:
        waited.append(seconds)
        await sleep(0)

    async def work(hub, person):
        table = await hub.lobby.create(person, wish("random", "random", "random", start=True))
        hub.bots._think = AsyncMock(return_value="end")
        patched = SimpleNamespace(sleep=counted, ensure_future=asyncio.ensure_future)
        monkeypatch.setattr(players, "asyncio", patched)
        for _ in range(4):
            await hub.bots._decide(table, "random")
        assert table.number == 4
        assert waited[:3] == [0.0, 0.0, 0.0]
        assert waited[3] > 50, "a byte a second is what one has"

    in_hub(tmp_path, work, rounds=False, bytes_share=1.0, bytes_burst=1000.0)


def test_a_rematch_is_a_new_table_whichever_way_it_is_asked_for(tmp_path):
    """By the socket one table followed another without end, and without a byte of it being counted."""

    async def work(hub, person):
        ask = Propose(kind="rematch")

        async def played() -> Any:
            table = await hub.lobby.create(person, wish("me", "me", "me", start=True))
            for seat in ("p1", "p2"):
                await hub.manners.concede(table, person, seat)
            return table

        first, second = await played(), await played()
        await carry_out(hub, first, person, "10.0.0.1", ask)
        assert first.meta.rematch is not None
        with pytest.raises(TableError, match="Too many tables"):
            await carry_out(hub, second, person, "10.0.0.1", ask)
        assert second.meta.rematch is None

    in_hub(tmp_path, work, tables_per_hour=1)


def test_every_line_of_a_log_is_paid_for(tmp_path):
    """One asks, the other says no: a line of the log, and only the words were counted."""
    server = Server(tmp_path, bytes_share="0.001", bytes_burst="500").start()
    with server.client("Alheyd") as client:
        socket = client.socket(client.table("me", "me", "me")["id"])
        socket.receive()
        assert socket.ask("concede", seat="p1")["type"] == "ack"
        assert socket.ask("chat", text="hm")["type"] == "ack"
        assert socket.ask("concede", seat="p2")["code"] == "too_many"
    assert server.stop() == 0


def test_sessions_of_one_person_are_bounded(tmp_path, monkeypatch):
    monkeypatch.setattr(keys, "_MOST_SESSIONS", 3)

    async def work(hub, person):
        cookies = [await hub.keys.new_session(person.id, f"browser {n}") for n in range(5)]
        kept = await hub.keys.sessions(person, None)
        assert len(kept) == 3
        assert await hub.keys.by_cookie(cookies[-1]) == person

    in_hub(tmp_path, work)


def test_a_bot_is_made_ready_once_whatever_its_settings(tmp_path):
    async def work(hub, person):
        table = await hub.lobby.create(person, wish("me", "open"))
        hub.bots._workers.ask = AsyncMock()
        for seed in range(20):
            await hub.lobby.set_seat(
                table, person, "p2", SeatWish(kind="bot", bot=f"greedy:seed={seed}")
            )
        assert hub.bots._warmed == {"greedy"}

    in_hub(tmp_path, work)


def test_every_setting_of_a_bot_is_bounded():
    for spec in (
        "search:rounds=20",
        "search:simulations=20001",
        "search:time=11",
        "search:threads=3",
        "search:time=5,rounds=5",
    ):
        with pytest.raises(TableError, match="at most"):
            players.checked(spec)
    assert players.checked("search:simulations=20000,rounds=4")


def test_a_search_that_counts_simulations_has_a_time_limit_too():
    assert worker.bounded("search:simulations=20000,rounds=4").endswith(",time=10")
    assert worker.bounded("champion:simulations=20000").endswith(",time=10")
    assert worker.bounded("search:time=0.2") == "search:time=0.2"
    assert worker.bounded("search:simulations=5,time=1") == "search:simulations=5,time=1"
    assert worker.bounded("greedy") == "greedy"


def test_bots_of_a_host_who_had_his_share_hurry(tmp_path):
    async def work(hub, person):
        assert hub.bots._hurry(None, "10.0.0.1", person.id) is None
        hub.bots._thinking.charge("10.0.0.1", person.id, 10.0)
        assert hub.bots._hurry(None, "10.0.0.1", person.id) == CLOCK_SHARE * players._HURRIED
        assert hub.bots._hurry(None, "10.0.0.1", "another") is None

    in_hub(tmp_path, work, bot_burst=5.0)


def test_who_guesses_passwords_does_not_lock_the_owner_out(tmp_path):
    async def work(hub, person):
        await hub.accounts.register(person, "alheyd", "secret password")
        for _ in range(10):
            hub.check_login("10.0.0.1", "alheyd")
        with pytest.raises(TableError):
            hub.check_login("10.0.0.1", "alheyd")
        hub.check_login("10.0.0.2", "alheyd")
        # Nor is one address let at many accounts.
        for number in range(40):
            hub.check_login("10.0.0.1", f"other{number}")
        with pytest.raises(TableError):
            hub.check_login("10.0.0.1", "yet-another")

    in_hub(tmp_path, work, logins_per_minute=10)


def test_bytes_of_answers_are_counted_by_address(tmp_path):
    """The page's largest file, fifty times a second, took a line that is everybody's."""
    server = Server(tmp_path, answers_burst=2_000_000, answers_share=1, proxies="127.0.0.1").start()
    try:
        with server.client() as client, httpx.Client(base_url=server.url) as other:
            whole = {"Accept-Encoding": "identity"}
            asked = (client.http.get("/openapi.json", headers=whole) for _ in range(100))
            refused = next(answer for answer in asked if answer.status_code != 200)
            assert refused.json()["code"] == "too_many"
            elsewhere = {"X-Forwarded-For": "198.51.100.7"}
            assert other.get("/openapi.json", headers=elsewhere).status_code == 200
            assert client.http.get("/api/me").json()["code"] == "too_many"
    finally:
        assert server.stop() == 0


def test_bytes_of_requests_are_counted_by_address(tmp_path):
    """A list of 240,000 words where none belongs: seventy of them took a gigabyte until Python's
    garbage collector came, and then half a second in which nobody was answered.
    """
    server = Server(tmp_path, bodies_burst=1_900_000, bodies_share=1, proxies="127.0.0.1").start()
    line, large = "/api/games/none/line", b"[" + b'"a",' * 200_000 + b'"a"]'

    def in_parts() -> Iterator[bytes]:
        yield b'{"number":0,"decisions":[]}'

    try:
        with httpx.Client(base_url=server.url, timeout=30) as client:
            sent = [client.post(line, content=large) for _ in range(4)]
            assert [answer.status_code for answer in sent] == [400, 400, 400, 429]
            assert "bytes of requests" in sent[-1].json()["message"]
            # One whose length is not told before counts as the longest there may be.
            other = {"X-Forwarded-For": "198.51.100.7"}
            sent = [client.post(line, content=in_parts(), headers=other) for _ in range(3)]
            assert [answer.status_code for answer in sent] == [404, 404, 429]
            unhurt = {"X-Forwarded-For": "203.0.113.9"}
            assert client.post(line, content=large, headers=unhurt).status_code == 400
    finally:
        assert server.stop() == 0


def test_new_guests_do_not_multiply_invitations(tmp_path):
    """Each of them had sixty an hour: one address filled the store, and somebody's page, with them."""
    server = Server(tmp_path, work_burst=1000, work_share=100).start()
    try:
        with server.client("Host") as asked:
            whom = {"person": asked.get("/api/me")["person"]["id"]}
        for n in range(6):
            with server.client(f"Guest {n}") as client:
                path = f"/api/games/{client.table('me', 'open', start=False)['id']}/invitations"
                for _ in range(60 if n < 5 else 0):
                    client.post(path, whom)
                assert client.post(path, whom, 429)["code"] == "too_many"
    finally:
        assert server.stop() == 0


def test_new_guests_do_not_multiply_farewells(tmp_path):
    """For each of them all that anybody ever said was looked through, in the thread that writes."""
    server = Server(tmp_path, logins_per_minute=1).start()
    try:
        for n in range(7):
            with server.client(f"Guest {n}") as client:
                client.post("/api/me/farewell", {}, 200 if n < 5 else 429)
    finally:
        assert server.stop() == 0


def test_a_flood_of_logins_waits_in_line(tmp_path):
    async def work(hub, _person):
        gate = threading.Event()
        blocked = [
            asyncio.ensure_future(hub.accounts.passwords.apart(lambda _: gate.wait(60), "x"))
            for _ in range(20)
        ]
        await asyncio.sleep(0)
        with pytest.raises(TableError) as refused:
            await hub.accounts.sign_in("nobody", "some password")
        assert refused.value.code == "busy"
        # Whoever comes from elsewhere waits for one of them, not for all.
        ASKED_FROM.set("10.0.0.2")
        other = asyncio.ensure_future(hub.accounts.passwords.apart(str, "mine"))
        other.add_done_callback(lambda _: done.append(sum(task.done() for task in blocked)))
        done: list[int] = []
        await asyncio.sleep(0)
        gate.set()
        assert all(await asyncio.gather(*blocked))
        assert await other == "mine"
        assert done[0] < 10

    in_hub(tmp_path, work)


def test_one_who_signs_out_is_looked_up_alone(tmp_path):
    async def work(hub, person):
        asked = []
        inner = hub.store.read

        async def reading(work, threads=None):
            asked.append(work)
            return await inner(work, threads)

        hub.store.read = reading
        others = [
            SimpleNamespace(session=f"s{n}", person=SimpleNamespace(id=f"p{n}"), leave=None)
            for n in range(2000)
        ]
        hub.connections.update(_Hashable(each) for each in others)
        await hub.standing.changed(person.id)
        hub.connections.clear()
        assert len(asked) == 1, "himself, and nobody's sessions"

    in_hub(tmp_path, work, rounds=False)


class _Hashable:
    def __init__(self, inner: SimpleNamespace) -> None:
        self._inner = inner

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)


@pytest.mark.parametrize("store", ["sqlite", "postgresql"])
def test_what_lies_in_the_store_is_counted_for_its_owner(store, tmp_path, request):
    """Tables with their logs, studies: nothing new beyond the share, and what runs goes on."""
    database = request.getfixturevalue("postgres").new_database() if store == "postgresql" else ""
    server = Server(tmp_path, database=database, storage_mb="0.021").start()
    with server.client("Alheyd") as one, server.client("Bertram") as two:
        game = Game.new(board="hansa", players=3, seed=1)
        for _ in range(40):
            game.play(game.legal_actions()[0])
        made = one.post("/api/records", {"record": game.record()})
        running = one.table("me", "me", "me")["id"]
        study = {
            "name": "Mine",
            "game": made["id"],
            "number": 0,
            "comment": "x" * 1500,
            "nodes": [],
        }
        one.post("/api/studies", study)
        full = one.post("/api/records", {"record": game.record()}, 409)
        assert full["code"] == "too_much_stored"
        assert full["detail"]["bytes"] >= 21_000
        for path, body in (
            ("/api/games", {"setup": {}, "seats": [{"kind": "me"}] * 3}),
            ("/api/studies", study),
        ):
            assert one.post(path, body, 409)["code"] == "too_much_stored"
        socket = one.socket(running)
        socket.receive()
        assert socket.act("end")["type"] == "ack", "what runs can be finished"
        two.table("me", "me", "me")
        rows = load(data=str(tmp_path), database=database or None)
        with contextlib.closing(Store(rows.url())) as looking:
            (who, name, _, taken), *_ = looking.see(largest)
        assert (who, name) == (one.get("/api/me")["person"]["id"], "Alheyd")
        assert taken >= 21_000
    assert server.stop() == 0


def test_a_log_cannot_be_filled_faster_than_the_share(tmp_path):
    """Playing and taking back for ever: the one who does it waits, nobody else."""
    server = Server(tmp_path, bytes_share="1", bytes_burst="3000", proxies="127.0.0.1").start()
    with server.client("Alheyd") as one, server.client("Bertram") as two:
        one.http.headers["X-Forwarded-For"] = "198.51.100.7"
        game = one.table("me", "me", "me")["id"]
        other = two.table("me", "me", "me")["id"]
        answers = []
        for number in range(12):
            act = {"number": number, "decision": "end"}
            answers.append(one.http.post(f"/api/games/{game}/act", json=act).status_code)
        assert answers == sorted(answers)
        assert {200, 429} == set(answers)
        socket = one.socket(game)
        socket.receive()
        assert socket.act("end")["code"] == "too_many"
        assert socket.ask("ping")["type"] == "pong"
        assert socket.ask("undo", number=socket.position["number"])["code"] == "too_many"
        another = two.socket(other)
        another.receive()
        assert another.act("end")["type"] == "ack"
    assert server.stop() == 0


def test_a_crowd_of_watchers_is_bounded_and_counted_once(tmp_path):
    server = Server(tmp_path, watchers_per_table=3).start()
    try:
        with server.client("Alheyd") as client, server.client("Bertram") as other:
            table = client.table("me", "me", "me")
            mine = client.socket(table["id"])
            mine.receive()
            for _ in range(3):
                other.socket(table["id"]).receive()
            mine.wait_for(lambda s: s.table["watching"] == 3)
            assert other.socket(table["id"]).closed() == 4429
            assert client.socket(table["id"]).receive()["type"] == "snapshot"
    finally:
        assert server.stop() == 0
