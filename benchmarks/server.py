"""How much a server carries: scripted clients on loopback against a real `hansa serve`.

    python benchmarks/server.py --games 10,100,1000 --connections 2000 --bots 50 --json FILE

Every game is a hot seat of three played through one WebSocket. In the paced runs each client
waits a while between decisions, as people do (but far less long); the saturated run waits not at
all and so tells the most decisions a second. Latency is from sending a decision to its ack, which
comes after it is stored durably (fsync on). With `--bots 50` fifty more games are played against
searching bots, to see that their thinking stalls nobody: how late the server's event loop comes to
what is due, as the server itself tells it at /metrics.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import httpx
import msgspec

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.light import Light


def client(url: str, **more: Any) -> httpx.AsyncClient:
    """Somebody who asks; with a connection for each question, since idle ones are closed."""
    alone = httpx.Limits(max_keepalive_connections=0)
    return httpx.AsyncClient(base_url=url, timeout=120, limits=alone, **more)


class Server:
    """`hansa serve` in a process of its own; `source`: another checkout's, to compare with."""

    def __init__(
        self, folder: str, *, database: str = "", source: str | None = None, **settings: Any
    ) -> None:
        environment = os.environ | {
            "HANSA_BOT_DELAY": "0",
            "HANSA_CONNECTIONS_PER_ADDRESS": "100000",
            "HANSA_CONNECTIONS": "100000",
            "HANSA_MESSAGES_PER_SECOND": "100000",
            "HANSA_REQUESTS_PER_SECOND": "100000",
            "HANSA_REQUESTS_BURST": "1000000",
            "HANSA_ANSWERS_BURST": "1000000000000",
            "HANSA_TABLES_PER_HOUR": "1000000",
            "HANSA_TABLES_AT_ONCE": "1000000",
            "HANSA_STORAGE_MB": "1000000",
            "HANSA_BYTES_BURST": "1000000000000",
            "HANSA_LIVE_TABLES": "100000",
            "HANSA_LOG_LEVEL": "warning",
            "HANSA_DATABASE": database,
        }
        environment |= {f"HANSA_{name.upper()}": str(value) for name, value in settings.items()}
        if source is not None:
            environment["PYTHONPATH"] = source
        command = [sys.executable, "-c", "from hansa.cli import main; main()"]
        self.process = subprocess.Popen(  # noqa: S603 - our own command
            [*command, "serve", "--port", "0", "--data", folder],
            env=environment,
            stdout=subprocess.PIPE,
            text=True,
        )
        said = self.process.stdout.readline() if self.process.stdout else ""
        found = re.search(r"http://\S+", said)
        if found is None:
            raise SystemExit(f"the server did not start: {said}")
        self.url = found.group()

    def memory(self) -> float:
        """Resident kilobytes."""
        text = Path(f"/proc/{self.process.pid}/status").read_text(encoding="ascii")
        return float(re.search(r"VmRSS:\s+(\d+)", text).group(1))  # type: ignore[union-attr]

    def cpu(self) -> float:
        """Seconds of processor time used so far."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text(encoding="ascii").split()
        return (int(fields[13]) + int(fields[14])) / os.sysconf("SC_CLK_TCK")

    def waited(self) -> float:
        """Seconds in which the thread that serves could have run, and others had the processors."""
        pid = self.process.pid
        text = Path(f"/proc/{pid}/task/{pid}/schedstat").read_text(encoding="ascii")
        return int(text.split()[1]) / 1e9

    def stop(self) -> None:
        """End it."""
        self.process.terminate()
        self.process.wait(60)


class Position(msgspec.Struct):
    """What a client of few words reads of a position."""

    revision: int
    number: int
    legal: list[str] | None
    over: bool


class _Told(msgspec.Struct):
    position: Position


class _Ack(msgspec.Struct):
    now: int


_told = msgspec.json.Decoder(_Told).decode
_ack = msgspec.json.Decoder(_Ack).decode


class Player:
    """One hot-seat game through one WebSocket; a finished game is followed by the next."""

    def __init__(
        self,
        server: Server,
        http: httpx.AsyncClient,
        cookie: str,
        seed: int,
        others: str | None = None,
    ) -> None:
        self.server, self.http, self.cookie = server, http, cookie
        #: The bot on the other two seats; None: a hot seat.
        self.others = others
        self.chance = random.Random(seed)
        #: From sending a decision until its answer is read here, and until it is written there.
        self.latencies: list[float] = []
        self.served: list[float] = []
        self.sockets: list[Light] = []
        #: The address of the table's socket, while there is a table.
        self.url = ""
        self.position = Position(0, 0, None, over=False)

    async def open(self) -> None:
        """A new table."""
        body = {
            "setup": {"players": 3},
            "seats": [{"kind": "me"}, *[self._other()] * 2],
            "order": "fixed",
            "start": True,
        }
        answer = await self.http.post("/api/games", json=body)
        answer.raise_for_status()
        self.url = f"{self.server.url}/api/games/{answer.json()['id']}/socket"
        self.sockets = [await Light.open(self.url, {"Cookie": self.cookie})]
        await self.hear()

    def _other(self) -> dict[str, str]:
        return {"kind": "bot", "bot": self.others} if self.others else {"kind": "me"}

    async def close(self) -> None:
        """Leave the table."""
        await asyncio.gather(*(socket.close() for socket in self.sockets))

    async def play(self, until: float, pause: float) -> None:
        """Decide until then, with pauses of about that length."""
        while time.monotonic() < until:
            if pause:
                await asyncio.sleep(self.chance.uniform(0.5, 1.5) * pause)
            while not (self.position.legal or self.position.over):
                await self.hear()
            if self.position.over:
                await self.close()
                await self.open()
                continue
            await self.decide()

    async def hear(self) -> bytes:
        """One message to whoever decides; what changed is remembered."""
        raw = await self.sockets[0].recv()
        if raw.startswith((b'{"type":"update"', b'{"type":"snapshot"')):
            self.position = _told(raw).position
        return raw

    async def decide(self) -> None:
        """One decision: send it, wait for its ack and the new position."""
        legal = self.position.legal or []
        good = [text for text in legal if text.startswith(("establish", "place"))]
        message = {
            "type": "act",
            "re": "x",
            "number": self.position.number,
            "decision": self.chance.choice(good or legal),
        }
        began, sent = time.perf_counter(), time.time()
        self.sockets[0].send(msgspec.json.encode(message))
        acknowledged = updated = False
        while not (acknowledged and updated):
            raw = await self.hear()
            if raw.startswith(b'{"type":"update"'):
                updated = True
            elif raw.startswith(b'{"type":"ack"'):
                self.latencies.append(time.perf_counter() - began)
                self.served.append(max(0.0, _ack(raw).now / 1000 - sent))
                acknowledged = True
            elif raw.startswith(b'{"type":"error"'):
                raise RuntimeError(raw)


async def measure(server: Server, games: int, pause: float, seconds: float) -> dict[str, Any]:
    """Play that many games at once."""
    async with client(server.url) as http:
        await http.post("/api/me", json={"name": "Load"})
        cookie = f"hansa_session={http.cookies['hansa_session']}"
        players = [Player(server, http, cookie, seed) for seed in range(games)]
        before = server.memory()
        for some in range(0, games, 20):
            await asyncio.gather(*(player.open() for player in players[some : some + 20]))
        await asyncio.sleep(1)
        opened = server.memory()
        cpu, began = server.cpu(), time.monotonic()
        until = began + seconds
        await asyncio.gather(*(player.play(until, pause) for player in players))
        took = time.monotonic() - began
        used = server.cpu() - cpu
        after = server.memory()
        for player in players:
            await player.close()
    latencies = sorted(value for player in players for value in player.latencies)
    return {
        "games": games,
        "pause_s": pause,
        "decisions": len(latencies),
        "decisions_per_s": round(len(latencies) / took, 1),
        "p50_ms": round(1000 * statistics.median(latencies), 2),
        "p99_ms": round(1000 * latencies[int(len(latencies) * 0.99) - 1], 2),
        "server_cpu": round(used / took, 2),
        "kb_per_game_opened": round((opened - before) / games, 1),
        "kb_per_game_played": round((after - before) / games, 1),
        "server_rss_mb": round(after / 1024, 1),
    }


async def with_bots(server: Server, games: int, bot: str, seconds: float) -> dict[str, Any]:
    """So many games against bots that think all the time."""
    async with client(server.url) as http:
        await http.post("/api/me", json={"name": "Load"})
        cookie = f"hansa_session={http.cookies['hansa_session']}"
        players = [Player(server, http, cookie, seed, bot) for seed in range(games)]
        for player in players:
            await player.open()
        # The bots' processes start, and compiled code is fetched.
        await asyncio.sleep(5)
        before = await _metrics(http)
        cpu, began = server.cpu(), time.monotonic()
        playing = [asyncio.ensure_future(player.play(began + seconds, 0.5)) for player in players]
        await asyncio.wait(playing, timeout=seconds)
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)
        took = time.monotonic() - began
        after = await _metrics(http)
        used = server.cpu() - cpu
        for player in players:
            await player.close()
    grown = {name: after[name] - before.get(name, 0.0) for name in after}
    latencies = sorted(value for player in players for value in player.latencies)
    return {
        "games": games,
        "bot": bot,
        "bots_decisions_per_s": round(grown['hansa_decisions_total{by="bot"}'] / took, 1),
        "people_decisions": len(latencies),
        "p50_ms": round(1000 * statistics.median(latencies), 2),
        "p99_ms": round(1000 * latencies[int(len(latencies) * 0.99) - 1], 2),
        "loop_lag_mean_ms": round(
            1000 * grown["hansa_loop_lag_seconds_sum"] / grown["hansa_loop_lag_seconds_count"], 2
        ),
        "loop_lag_p99_below_ms": _below(grown, 0.99),
        "loop_lag_max_below_ms": _below(grown, 1.0),
        "server_cpu": round(used / took, 2),
    }


async def _metrics(http: httpx.AsyncClient) -> dict[str, float]:
    text = (await http.get("/metrics")).text
    pairs = (line.rsplit(" ", 1) for line in text.splitlines() if line.startswith("hansa"))
    return {name: float(value) for name, value in pairs}


def _below(grown: dict[str, float], share: float) -> float:
    """The bound of the histogram under which that share of all lags lies."""
    bounds = {
        float(re.search(r'le="([^"]+)"', name).group(1)): value  # type: ignore[union-attr]
        for name, value in grown.items()
        if name.startswith("hansa_loop_lag_seconds_bucket")
    }
    count = grown["hansa_loop_lag_seconds_count"]
    return next(1000 * bound for bound in sorted(bounds) if bounds[bound] >= share * count)


async def connections(server: Server, count: int) -> dict[str, Any]:
    """So many watchers at ten tables: memory for each, and one decision told to all of a table."""
    async with client(server.url) as http:
        await http.post("/api/me", json={"name": "Load"})
        cookie = f"hansa_session={http.cookies['hansa_session']}"
        players = [Player(server, http, cookie, seed) for seed in range(10)]
        for player in players:
            await player.open()
        await asyncio.sleep(0.5)
        before = server.memory()
        games = (await http.get("/api/games", params={"mine": "true", "limit": 10})).json()["games"]
        urls = [f"{server.url}/api/games/{game['id']}/socket" for game in games]
        watching: list[Light] = []
        for some in range(0, count, 50):
            opening = [
                Light.open(urls[n % 10], deaf=True) for n in range(some, min(count, some + 50))
            ]
            watching += await asyncio.gather(*opening)
        await asyncio.sleep(2)
        grown = server.memory() - before
        began = time.perf_counter()
        await players[0].decide()
        took = time.perf_counter() - began
        for socket in watching:
            await socket.close()
        for player in players:
            await player.close()
    return {
        "connections": count,
        "kb_per_connection": round(grown / count, 1),
        "decision_with_200_watchers_ms": round(1000 * took, 1),
    }


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", default="10,100,1000", help="numbers of concurrent games")
    parser.add_argument("--pause", type=float, default=5.0, help="seconds between decisions")
    parser.add_argument("--seconds", type=float, default=20.0, help="for each run")
    parser.add_argument("--connections", type=int, default=2000, help="that watch; 0: none")
    parser.add_argument("--bots", type=int, default=0, help="games against bots")
    parser.add_argument("--bot", default="search:time=0.2", help="which")
    parser.add_argument("--json", help="write the figures there")
    chosen = parser.parse_args()
    runs: list[dict[str, Any]] = []
    for games in map(int, filter(None, chosen.games.split(","))):
        with tempfile.TemporaryDirectory() as folder:
            server = Server(folder)
            runs.append(asyncio.run(measure(server, games, chosen.pause, chosen.seconds)))
            server.stop()
        print(json.dumps(runs[-1]), flush=True)
    if chosen.bots:
        with tempfile.TemporaryDirectory() as folder:
            server = Server(folder)
            runs.append(asyncio.run(with_bots(server, chosen.bots, chosen.bot, chosen.seconds)))
            server.stop()
        print("bots:", json.dumps(runs[-1]), flush=True)
    with tempfile.TemporaryDirectory() as folder:
        server = Server(folder)
        runs.append(asyncio.run(measure(server, 100, 0.0, min(10.0, chosen.seconds))))
        print("saturated:", json.dumps(runs[-1]), flush=True)
        if chosen.connections:
            runs.append(asyncio.run(connections(server, chosen.connections)))
            print(json.dumps(runs[-1]), flush=True)
        server.stop()
    if chosen.json:
        figures = {"cores": os.cpu_count(), "load": os.getloadavg(), "runs": runs}
        Path(chosen.json).write_text(json.dumps(figures, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
