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
from collections import Counter
from pathlib import Path
from typing import Any, Self

import httpx
import pytest
from tests.server.harness import Client, Server, pick
from tests.server.postgres import Postgres
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

    def bots(self) -> list[int]:
        """The processes in which its bots think."""
        children = Path(f"/proc/{self.pid}/task/{self.pid}/children")
        found = []
        for task in children.parents[1].glob("*/children"):
            for child in task.read_text(encoding="ascii").split():
                command = Path(f"/proc/{child}/cmdline").read_bytes()
                if b"hansa.server.worker" in command:
                    found.append(int(child))
        return found

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

    def __init__(
        self, client: Client, game: str, seed: float, passing: frozenset[str] = frozenset()
    ) -> None:
        super().__init__()
        self.client, self.game, self.chance = client, game, random.Random(seed)
        #: Refusals after which one looks again, as the page does.
        self.passing = passing
        self.acknowledged: list[tuple[int, str]] = []
        self.enough = threading.Event()
        self.wrong: str | None = None

    def run(self) -> None:
        try:
            socket = self.client.socket(self.game)
            socket.receive()
            while not (socket.position["over"] or self.enough.is_set()):
                if socket.position["legal"] is None:
                    socket.receive()
                    continue
                decision = pick(socket.position, self.chance)
                answer = socket.act(decision)
                if answer["type"] == "ack":
                    self.acknowledged.append((answer["number"], decision))
                elif answer["code"] in self.passing:
                    socket.close()
                    socket = self.client.socket(self.game)
                    socket.receive()
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


class Kill:
    """One process fewer, and all is well again when it is left."""

    def __init__(self, workers: list[ForkedServer], cluster: Postgres) -> None:
        self.workers, self.cluster = workers, cluster
        self.counts: Counter[str] = Counter()

    def worker(self, chance: random.Random, _players: list[Player]) -> None:
        """A whole server; the other one goes on."""
        one = chance.choice(self.workers)
        one.kill()
        one.start()

    def database(self, chance: random.Random, _players: list[Player]) -> None:
        """PostgreSQL with all its processes; both servers are without a store for a while."""
        self.cluster.kill()
        time.sleep(chance.uniform(0, 0.3))
        self.cluster.run()

    def bot(self, _chance: random.Random, players: list[Player]) -> None:
        """Whatever thinks for the bots: another one thinks, and the game goes on."""
        with_bots = players[0]
        while not (found := self.workers[0].bots()) and with_bots.is_alive():
            time.sleep(0.01)
        seen = len(with_bots.acknowledged)
        for pid in found:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        while with_bots.is_alive() and len(with_bots.acknowledged) < seen + 3:
            time.sleep(0.01)

    def do(self, what: str, chance: random.Random, players: list[Player]) -> None:
        """Kill, start again, and wait until everybody could play."""
        getattr(self, what)(chance, players)
        self.counts[what] += 1
        for worker in self.workers:
            with httpx.Client(base_url=worker.url, timeout=30) as http:
                while http.get("/health").status_code != 200:
                    time.sleep(0.05)


@pytest.mark.timeout(1800)
def test_kills_of_whatever_two_workers_are_made_of(tmp_path):
    """Each person plays at one of two workers; afterwards both tell the same."""
    cluster = Postgres.start()
    chance = random.Random(7)
    folders = [tmp_path / name for name in ("one", "two")]
    for folder in folders:
        folder.mkdir()
    with contextlib.ExitStack() as stack:
        stack.callback(cluster.stop)
        database = cluster.new_database()
        workers = [ForkedServer(folder, database).start() for folder in folders]
        for worker in workers:
            stack.callback(worker.close)
        kill = Kill(workers, cluster)
        cookies = []
        for person in range(3):
            with workers[0].client(f"Person {person}") as client:
                cookies.append(dict(client.http.cookies))
        total: dict[str, list[tuple[int, str]]] = {}
        current: list[str] = []
        while kill.counts.total() < max(3, KILLS // 2):
            clients = [Client(workers[index % 2]) for index in range(3)]
            for index, client in enumerate(clients):
                client.http.cookies.update(cookies[index])
                if (
                    index == len(current)
                    or client.get(f"/api/games/{current[index]}")["status"] == "over"
                ):
                    seats = ("me", "me", "me") if index else ("me", "random", "random")
                    current[index : index + 1] = [client.table(*seats)["id"]]
            players = [
                Player(client, game, chance.random(), frozenset({"busy", "stale_number"}))
                for client, game in zip(clients, current, strict=True)
            ]
            for player in players:
                player.start()
            time.sleep(chance.uniform(0.02, 0.4))
            kill.do(("worker", "database", "bot")[kill.counts.total() % 3], chance, players)
            for player in players:
                player.enough.set()
            for player in players:
                player.join()
                assert player.wrong is None, player.wrong
                total.setdefault(player.game, []).extend(player.acknowledged)
            for client in clients:
                client.close()
            for worker in workers:
                with Client(worker) as client:
                    for index, game in enumerate(current):
                        client.http.cookies.update(cookies[index])
                        check(client, game, total[game])
    acknowledged = sum(map(len, total.values()))
    sys.stdout.write(f"{dict(kill.counts)}: {acknowledged} acknowledged, {len(total)} games\n")
    assert acknowledged > kill.counts.total()
