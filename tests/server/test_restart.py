"""Stopping and starting again without losing a decision, and everybody coming back at once."""

from __future__ import annotations

import asyncio
import random
import signal
import sqlite3
import threading
import time
from collections.abc import Callable
from contextlib import closing

import httpx
import pytest
import uvicorn
from tests.server.harness import Server, Socket, play_on
from tests.server.test_hub import in_hub, wish

from hansa.server import hall, run


def test_a_graceful_restart(tmp_path):
    server = Server(tmp_path).start()
    with server.client("Alheyd") as client:
        table = client.table("me", "random", "random")
        socket = client.socket(table["id"])
        socket.receive()
        play_on(socket, random.Random(1), until=lambda s: s.position["number"] >= 40)
        socket.ask("chat", text="see you soon")
        stopping = threading.Thread(target=server.stop)
        stopping.start()
        bye = socket.until("bye")
        assert bye["reason"] == "restart"
        assert socket.closed() == 1012
        stopping.join()
        assert server.process is not None
        assert server.process.returncode == 0
        seen = socket.position["revision"]
        chat = socket.chat[-1]["id"]
        server.start()
        client.http.base_url = server.url
        back = client.socket(table["id"], after=seen, chat=chat)
        first = back.receive()
        assert first["type"] == "update"
        assert first["from"] == seen
        play_on(back, random.Random(2), until=lambda s: s.position["number"] >= 80)
        revisions = [e["revision"] for e in [*socket.entries, *back.entries]]
        assert revisions == list(range(1, len(revisions) + 1))
    assert server.stop() == 0
    assert not [line for line in server.errors if "[error" in line]


def test_whoever_has_something_worked_out_is_told_and_holds_up_no_restart(tmp_path):
    """An analysis of ten seconds, and one that waits behind it."""
    server = Server(tmp_path).start()
    answers: list[tuple[int, str]] = []
    with server.client("Alheyd") as client:
        game = client.table("me", "me", "me")["id"]
        body = {"number": 0, "bot": "search:simulations=20000,rounds=4"}

        def ask() -> None:
            answer = client.http.post(f"/api/games/{game}/analysis", json=body)
            answers.append((answer.status_code, answer.json()["code"]))

        asking = [threading.Thread(target=ask) for _ in range(2)]
        for thread in asking:
            thread.start()
        while 'hansa_queue_length{queue="analyses"} 1.0' not in client.http.get("/metrics").text:
            time.sleep(0.01)
        assert server.stop() == 0
        for thread in asking:
            thread.join()
    assert answers == [(503, "busy")] * 2
    assert not [line for line in server.errors if "[error" in line]


def test_whoever_waits_by_long_poll_is_answered_and_holds_up_no_restart(tmp_path):
    server = Server(tmp_path).start()
    answers: list[httpx.Response] = []
    with server.client("Alheyd") as client:
        path = f"/api/games/{client.table('me', 'me', 'me')['id']}"
        asked = {"after": 0, "wait": 30}
        asking = threading.Thread(
            target=lambda: answers.append(client.http.get(f"{path}/state", params=asked))
        )
        asking.start()
        with server.client() as watching:
            while not watching.get(path)["seats"][0]["present"]:
                time.sleep(0.01)
        assert server.stop() == 0
        asking.join()
    assert [answer.status_code for answer in answers] == [200]
    assert not [line for line in server.errors if "[error" in line]


def test_a_store_that_hangs_does_not_keep_a_server_from_stopping(tmp_path, monkeypatch):
    monkeypatch.setattr(hall, "_FINISH", 0.1)
    ended = threading.Event()

    async def work(hub, person):
        table = await hub.lobby.create(person, wish("me", "me", "me", start=True))
        go_on = threading.Event()
        hanging = asyncio.ensure_future(hub.store.write(lambda _connection: go_on.wait(60)))
        deciding = asyncio.ensure_future(hub.decisions.act(table, person, "end", 0))
        await asyncio.sleep(0)
        await hub.hall.finish()
        assert not deciding.done(), "those who are connected are told, whatever became of it"
        go_on.set()
        await asyncio.gather(hanging, deciding)

    in_hub(tmp_path, work, rounds=False)
    monkeypatch.setattr(run, "_STOP", 0.01)
    monkeypatch.setattr(run, "_give_up", ended.set)
    server = run._Server(uvicorn.Config("nothing:app"), "", browser=False)
    server.handle_exit(signal.SIGTERM, None)
    assert server.should_exit
    assert ended.wait(60), "and the rest has its time too"


def test_a_reconnect_storm(tmp_path):
    """Sixty clients of twenty tables lose their server and all come back at once, with `after`."""
    server = Server(tmp_path).start()
    clients, sockets, tables = [], [], []
    for index in range(20):
        client = server.client(f"Person {index}")
        table = client.table("me", "me", "me")
        clients.append(client)
        tables.append(table["id"])
        for _ in range(3):
            socket = client.socket(table["id"])
            socket.receive()
            sockets.append((index, socket))
    for index in range(20):
        socket = sockets[3 * index][1]
        play_on(socket, random.Random(index), until=lambda s: s.position["number"] >= 5)
    for _, socket in sockets:
        socket.wait_for(lambda s: s.position["number"] >= 5)
    server.kill()
    for _, socket in sockets:
        socket.close()
    server.start()
    failed: list[object] = []

    def come_back(index, old):
        try:
            client = clients[index]
            socket = client.socket(tables[index], after=old.position["revision"] - 2)
            first = socket.receive(30)
            numbers = [entry["revision"] for entry in first["entries"]]
            if first["type"] != "update" or numbers != [first["revision"] - 1, first["revision"]]:
                failed.append(first)
            socket.close()
        except Exception as error:  # noqa: BLE001 - told by the main thread
            failed.append(error)

    for client in clients:
        client.http.base_url = server.url
    began = time.monotonic()
    threads = [threading.Thread(target=come_back, args=pair) for pair in sockets]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed, failed[:3]
    assert time.monotonic() - began < 30
    with server.client() as watcher:
        deadline = time.monotonic() + 60
        while watcher.get("/health")["connections"] and time.monotonic() < deadline:
            time.sleep(0.05)
        assert watcher.get("/health")["connections"] == 0
    for client in clients:
        client.close()
    assert server.stop() == 0


def test_a_long_game_opens_scrubs_and_undoes_in_milliseconds(sqlite_server):
    with sqlite_server.client("Alheyd") as client:
        table = client.table("me", "me", "me")
        path = f"/api/games/{table['id']}"
        socket = client.socket(table["id"])
        socket.receive()
        chance = random.Random(8)
        # Placing and taking back makes a log far longer than the game.
        for _ in range(400):
            if socket.position["over"]:
                break
            play_on(socket, chance, until=_is_past(socket.position["number"]))
            if chance.random() < 0.3 and socket.position["undo"]["free"]:
                number = socket.position["number"]
                assert socket.ask("undo", number=number)["type"] == "ack"
                socket.wait_for(_is_at(number - 1))
        number = socket.position["number"]
        assert socket.position["revision"] > number
        took = []
        for at in range(0, number, max(1, number // 40)):
            began = time.perf_counter()
            client.get(f"{path}/positions/{at}")
            took.append(time.perf_counter() - began)
        # The median: other work on this machine is not what is measured.
        assert sorted(took)[len(took) // 2] < 0.1


def _is_past(number: int) -> Callable[[Socket], bool]:
    return lambda socket: bool(socket.position["number"] > number or socket.position["over"])


def _is_at(number: int) -> Callable[[Socket], bool]:
    return lambda socket: bool(socket.position["number"] == number)


def test_hot_seat_views_follow_the_decider(sqlite_server):
    with sqlite_server.client("Alheyd") as client:
        table = client.table("me", "me", "me", setup={"missions": True})
        socket = client.socket(table["id"])
        first = socket.receive()["position"]
        assert first["seat"] == "p1"
        assert first["view"]["players"]["p1"]["mission"][0] != "?"
        assert first["view"]["players"]["p2"]["mission"] == ["?"] * 3
        socket.act("end")
        assert socket.position["seat"] == "p2"
        assert socket.position["view"]["players"]["p1"]["mission"] == ["?"] * 3
        socket.ask("ping")
        socket.connection.send('{"type": "look", "seat": "p3"}')
        socket.wait_for(lambda s: s.position["seat"] == "p3")
        assert socket.position["legal"] is None
        socket.connection.send('{"type": "look", "seat": null}')
        socket.wait_for(lambda s: s.position["seat"] is None)
        with sqlite_server.client("Other") as other:
            watching = other.socket(table["id"])
            watching.receive()
            assert watching.ask("look", seat="p1")["code"] == "not_your_seat"


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_the_starting_player_is_drawn(sqlite_server, players):
    with sqlite_server.client("Alheyd") as client:
        starts = set()
        for _ in range(40):
            table = client.table("me", *["random"] * (players - 1), order="draw", bot_delay=5)
            starts.add(table["you"]["seats"][0])
            if len(starts) == players:
                return
        raise AssertionError(starts)


def test_a_new_signing_key_ends_every_session(tmp_path):
    """What the operations page has the host do where somebody has read the store."""
    server = Server(tmp_path).start()
    with server.client("Alheyd") as client:
        cookies = client.http.cookies
    assert server.stop() == 0
    with closing(sqlite3.connect(tmp_path / "hansa.sqlite3")) as database, database:
        gone = database.execute("DELETE FROM settings WHERE name = 'signing_key'").rowcount
    assert gone == 1
    server.start()
    with server.client() as client:
        client.http.cookies = cookies
        assert client.get("/api/me")["person"] is None
        assert client.post("/api/me", {"name": "Alheyd"})["person"]["name"] == "Alheyd"
    assert server.stop() == 0
