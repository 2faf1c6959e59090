"""Several processes over one PostgreSQL: one game, played through both."""

from __future__ import annotations

import random
import threading
import time

import psycopg
import pytest
from tests.server.harness import Client, Server, Socket, deadline_is_past, play_on
from tests.server.outside import until
from tests.server.test_order import id_of


@pytest.fixture(scope="module")
def pair(tmp_path_factory, postgres):
    database = postgres.new_database()
    servers = [Server(tmp_path_factory.mktemp("data"), database=database) for _ in range(2)]
    starting = [threading.Thread(target=server.start) for server in servers]
    for thread in starting:
        thread.start()
    for thread in starting:
        thread.join()
    yield servers
    for server in servers:
        assert server.stop() == 0
        assert not [line for line in server.errors if "[error" in line], server.errors


def seat_both(first: Client, second: Client) -> str:
    table = first.table("me", "open", "me", start=False)
    link = table["seats"][1]["invite"].replace("/i/", "/api/invites/")
    second.post(link, {"name": "Bertram"})
    first.post(f"/api/games/{table['id']}/start")
    return str(table["id"])


def test_a_game_through_two_processes(pair):
    with pair[0].client("Alheyd") as one, pair[1].client("Bertram") as two:
        game = seat_both(one, two)
        mine, theirs = one.socket(game), two.socket(game)
        mine.receive()
        theirs.receive()
        failed: list[BaseException] = []

        def play(socket, seed):
            try:
                play_on(socket, random.Random(seed))
            except Exception as error:  # noqa: BLE001 - told by the main thread
                failed.append(error)

        players = [
            threading.Thread(target=play, args=(socket, seed))
            for seed, socket in enumerate((mine, theirs))
        ]
        for thread in players:
            thread.start()
        for thread in players:
            thread.join()
        assert not failed, failed
        last = mine.position["revision"]
        for socket in (mine, theirs):
            assert [e["revision"] for e in socket.entries] == list(range(1, last + 1))
            socket.wait_for(lambda s: s.table["status"] == "over")
        assert [e["text"] for e in mine.entries] == [e["text"] for e in theirs.entries]
        assert mine.table["result"] == theirs.table["result"]


def test_chat_presence_and_proposals_cross_over(pair):
    with pair[0].client("Alheyd") as one, pair[1].client("Bertram") as two:
        game = seat_both(one, two)
        mine, theirs = one.socket(game), two.socket(game)
        mine.receive()
        theirs.receive()
        mine.wait_for(lambda s: s.table["seats"][1]["present"])
        theirs.wait_for(lambda s: s.table["seats"][0]["present"])
        theirs.ask("chat", text="hello from the other process")
        mine.wait_for(lambda s: s.chat)
        assert mine.chat[-1]["text"] == "hello from the other process"
        mine.act("end")
        theirs.wait_for(lambda s: s.position["number"] == 1)
        mine.ask("undo", number=1, ask=True)
        theirs.wait_for(lambda s: s.table["proposals"])
        theirs.ask("vote", proposal=theirs.table["proposals"][0]["id"], yes=True)
        mine.wait_for(lambda s: s.position["number"] == 0)
        theirs.close()
        mine.wait_for(lambda s: not s.table["seats"][1]["present"])


def test_the_same_decision_at_both_is_taken_once(pair):
    """One person at two processes: both send the first decision at the same time."""
    with pair[0].client("Alheyd") as one, pair[1].client() as two:
        two.http.cookies.update(one.http.cookies)
        for _ in range(10):
            table = one.table("me", "me", "me")
            sockets = [one.socket(table["id"]), two.socket(table["id"])]
            for socket in sockets:
                socket.receive()
            answers: list[str] = []
            barrier = threading.Barrier(2)

            def press(socket, answers=answers, barrier=barrier):
                barrier.wait()
                answer = socket.ask("act", number=0, decision=socket.position["legal"][0])
                answers.append(answer.get("code", answer["type"]))

            threads = [threading.Thread(target=press, args=(socket,)) for socket in sockets]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            assert sorted(answers) == ["ack", "stale_number"]
            state = one.get(f"/api/games/{table['id']}/state")
            assert state["position"]["number"] == 1
            for socket in sockets:
                socket.close()


def test_bots_play_once_although_two_processes_hold_the_table(pair):
    with pair[0].client("Alheyd") as one, pair[1].client("Bertram") as two:
        table = one.table("me", "random", "random")
        mine, watching = one.socket(table["id"]), two.socket(table["id"])
        mine.receive()
        watching.receive()
        play_on(mine, random.Random(4), until=lambda s: s.position["turn"] >= 10)
        last = mine.position["revision"]
        watching.wait_for(lambda s: s.position["revision"] >= last)
        assert [e["text"] for e in watching.entries][:last] == [e["text"] for e in mine.entries][
            :last
        ]


def test_lost_connections_to_the_database_come_back(pair):
    """Every connection of both processes is cut: the games go on and nothing is missed."""
    database = pair[0].settings["database"]
    with pair[0].client("Alheyd") as one, pair[1].client("Bertram") as two:
        game = seat_both(one, two)
        mine, theirs = one.socket(game), two.socket(game)
        mine.receive()
        theirs.receive()
        assert mine.act("end")["type"] == "ack"
        theirs.wait_for(lambda s: s.position["number"] == 1)
        with psycopg.connect(database, autocommit=True) as connection:
            connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
        deadline = time.monotonic() + 60
        while (answer := theirs.act("end"))["type"] != "ack":
            assert answer["code"] in {"busy", "stale_number"}
            assert time.monotonic() < deadline, "the lines are not made anew"
            time.sleep(0.1)
        mine.wait_for(lambda s: s.position["number"] == 2, timeout=20)
        assert mine.act("end")["type"] == "ack"
        theirs.wait_for(lambda s: s.position["number"] == 3, timeout=20)
        assert [e["number"] for e in theirs.entries] == [1, 2, 3]
        # What was missed is told before each is ready again.
        for somebody in (one, two):
            until(lambda: somebody.http.get("/health").status_code == 200)  # noqa: B023 - asked here


def test_somebody_at_the_other_process_is_not_away(pair):
    with pair[0].client("Alheyd") as one, pair[1].client("Bertram") as two:
        table = one.table("me", "open", "random", start=False, absence=0.5)
        two.post(table["seats"][1]["invite"].replace("/i/", "/api/invites/"))
        one.post(f"/api/games/{table['id']}/start")
        mine, theirs = one.socket(table["id"]), two.socket(table["id"])
        mine.receive()
        theirs.receive()
        mine.wait_for(lambda s: s.table["seats"][1]["present"])
        mine.act("end")
        assert mine.ask("propose", kind="standin", seat="p2")["code"] == "keeps_seat"
        theirs.close()
        deadline_is_past(mine, "p2")
        # He is back through the other process before the vote: the seat is his again.
        back = two.socket(table["id"])
        back.receive()
        mine.wait_for(lambda s: s.table["seats"][1]["away"] is None)
        assert mine.ask("propose", kind="standin", seat="p2")["code"] == "keeps_seat"
        back.close()
        deadline_is_past(mine, "p2")
        asked = mine.ask("propose", kind="standin", seat="p2")
        assert asked["type"] == "ack", asked
        mine.wait_for(lambda s: any(e["by"] == "standin" for e in s.entries))


def test_somebody_who_polls_at_the_other_process_is_not_away(pair):
    with pair[0].client("Alheyd") as one, pair[1].client("Bertram") as two:
        table = one.table("me", "open", "random", start=False, absence=0.5)
        two.post(table["seats"][1]["invite"].replace("/i/", "/api/invites/"))
        one.post(f"/api/games/{table['id']}/start")
        mine = one.socket(table["id"])
        mine.receive()
        mine.act("end")
        deadline_is_past(mine, "p2")
        polling = threading.Thread(
            target=two.http.get,
            args=(f"/api/games/{table['id']}/state",),
            kwargs={"params": {"after": 1, "wait": 20}},
        )
        polling.start()
        mine.wait_for(lambda s: s.table["seats"][1]["present"])
        assert mine.ask("propose", kind="standin", seat="p2")["code"] == "keeps_seat"
        # His answer to what he waited for comes the same way.
        acted = two.post(f"/api/games/{table['id']}/act", {"number": 1, "decision": "end"})
        assert acted["number"] == 2
        polling.join()


def test_a_block_and_signing_out_reach_the_other_process(pair):
    with pair[0].client("Alheyd") as one, pair[1].client("Bertram") as two:
        game = one.table("me", "open", "me", start=False)["id"]
        two.post(f"/api/games/{game}/join", {})
        theirs = two.socket(game)
        theirs.receive()
        with pair[1].client() as elsewhere:
            elsewhere.http.cookies.update(one.http.cookies)
            mine = elsewhere.socket(game)
            mine.receive()
            one.send("PUT", f"/api/me/circle/{id_of(two)}", {"kind": "block"})
            tried, deadline = 0, time.monotonic() + 60
            while True:
                tried += 1
                assert theirs.ask("chat", text=f"said {tried}")["type"] == "ack"
                assert mine.ask("chat", text=f"own {tried}")["type"] == "ack"
                mine.wait_for(lambda s, own=f"own {tried}": own in said(s))
                if f"said {tried}" not in said(mine):
                    break
                assert time.monotonic() < deadline, "the block is not heard of"
            one.send("DELETE", "/api/session")
            assert mine.closed() == 4401


def said(socket: Socket) -> list[str]:
    return [line["text"] for line in socket.chat]


def test_what_a_watcher_said_is_forgotten_by_both(pair):
    """He has no seat that could tell it."""
    with (
        pair[0].client("Alheyd") as one,
        pair[1].client("Bertram") as two,
        pair[0].client() as elsewhere,
    ):
        game = one.table("me", "open", start=False)["id"]
        theirs = two.socket(game)
        theirs.receive()
        assert theirs.ask("chat", text="a secret of mine")["type"] == "ack"
        elsewhere.http.cookies.update(two.http.cookies)
        elsewhere.post("/api/me/farewell", {})
        assert theirs.closed() == 4401

        def heard() -> list[str]:
            with pair[1].client() as fresh:
                socket = fresh.socket(game)
                socket.receive()
                return said(socket)

        until(lambda: heard() == ["…"])
