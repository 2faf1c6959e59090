"""SIGKILL in the middle of play, again and again: nothing acknowledged is ever lost.

`HANSA_KILLS=300` makes it long; the default is the quick share.
"""

from __future__ import annotations

import contextlib
import os
import random
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any, Self

import pytest
from tests.server.harness import Client, Server, pick
from websockets.exceptions import WebSocketException

KILLS = int(os.environ.get("HANSA_KILLS", "8"))


class ForkedServer(Server):
    """A server whose process is forked from one that has imported everything."""

    def __init__(self, data: Path, database: str = "") -> None:
        super().__init__(data)
        settings = self.settings | ({"database": database} if database else {})
        environment = os.environ | {f"HANSA_{k.upper()}": v for k, v in settings.items()}
        self._stack = contextlib.ExitStack()
        log = self._stack.enter_context(open(data / "forker.log", "w", encoding="utf-8"))  # noqa: SIM115 - closed with the stack
        self.forker = subprocess.Popen(
            [sys.executable, str(Path(__file__).with_name("forker.py")), str(data)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
            env=environment,
            text=True,
        )
        self.pid = 0

    def start(self) -> Self:
        assert self.forker.stdin is not None
        assert self.forker.stdout is not None
        self.forker.stdin.write("start\n")
        self.forker.stdin.flush()
        pid, self.url = self.forker.stdout.readline().split()
        self.pid = int(pid)
        return self

    def kill(self) -> None:
        os.kill(self.pid, signal.SIGKILL)

    def close(self) -> None:
        assert self.forker.stdin is not None
        assert self.forker.stdout is not None
        self.kill()
        self.forker.stdin.close()
        self.forker.wait(10)
        self.forker.stdout.close()
        self._stack.close()


class Player(threading.Thread):
    """Plays one table until its server dies; remembers what was acknowledged."""

    def __init__(self, client: Client, game: str, seed: float) -> None:
        super().__init__()
        self.client, self.game, self.chance = client, game, random.Random(seed)
        self.acknowledged: list[tuple[int, str]] = []
        self.wrong: str | None = None

    def run(self) -> None:
        try:
            socket = self.client.socket(self.game)
            socket.receive()
            while not socket.position["over"]:
                if socket.position["legal"] is None:
                    socket.receive()
                    continue
                decision = pick(socket.position, self.chance)
                answer = socket.act(decision)
                if answer["type"] == "ack":
                    self.acknowledged.append((answer["number"], decision))
                else:
                    self.wrong = str(answer)
        except (WebSocketException, OSError, TimeoutError, AssertionError):
            # That is how a killed server looks from here.
            return


def check(client: Client, game: str, acknowledged: list[tuple[int, str]]) -> None:
    """Every acknowledged decision is in the log, the log has no gap, and it can be replayed."""
    log: list[dict[str, Any]] = []
    while len(more := client.get(f"/api/games/{game}/log", **{"from": len(log)})["log"]):
        log += more
    assert [entry["number"] for entry in log] == list(range(1, len(log) + 1))
    texts = {entry["number"]: entry["text"] for entry in log if entry["by"] == "person"}
    for number, decision in acknowledged:
        assert texts[number] == decision, (number, decision)
    state = client.get(f"/api/games/{game}/state")["position"]
    shown = client.get(f"/api/games/{game}/positions/{len(log)}")
    if state["number"] == len(log):
        assert shown["view"]["routes"] == state["view"]["routes"]
        assert shown["scores"] == state["scores"]


@pytest.mark.parametrize("store", ["sqlite", "postgresql"])
@pytest.mark.timeout(1800)
def test_kills_in_the_middle_of_play(store, tmp_path, request):
    database = request.getfixturevalue("postgres").new_database() if store == "postgresql" else ""
    server = ForkedServer(tmp_path, database).start()
    chance = random.Random(99)
    cookies: list[dict[str, str]] = []
    games: list[tuple[int, str]] = []
    total: dict[str, list[tuple[int, str]]] = {}
    acknowledged = kills = 0
    try:
        for person in range(3):
            with server.client(f"Person {person}") as client:
                cookies.append(dict(client.http.cookies))
        while kills < KILLS // (1 if store == "sqlite" else 2):
            clients = [Client(server) for _ in cookies]
            for client, cookie in zip(clients, cookies, strict=True):
                client.http.cookies.update(cookie)
            for index, client in enumerate(clients):
                running = [g for owner, g in games if owner == index]
                if not running or client.get(f"/api/games/{running[-1]}")["status"] == "over":
                    seats = ("me", "me", "me") if index else ("me", "random", "random")
                    games.append((index, client.table(*seats)["id"]))
            current = dict(games)
            players = [Player(clients[i], game, chance.random()) for i, game in current.items()]
            for player in players:
                player.start()
            time.sleep(chance.uniform(0.02, 0.4))
            server.kill()
            kills += 1
            for player in players:
                player.join()
                assert player.wrong is None, player.wrong
                total.setdefault(player.game, []).extend(player.acknowledged)
                acknowledged += len(player.acknowledged)
            for client in clients:
                client.close()
            server.start()
            for index, game in current.items():
                with Client(server) as client:
                    client.http.cookies.update(cookies[index])
                    check(client, game, total[game])
    finally:
        server.close()
    # `pytest -s` shows how much was put to the test.
    sys.stdout.write(
        f"{store}: {kills} kills, {acknowledged} acknowledged decisions, {len(games)} games\n"
    )
    assert acknowledged > kills
