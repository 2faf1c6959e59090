"""Whether more workers carry more games: several `hansa serve` at one PostgreSQL, a game at three sockets.

    python benchmarks/workers.py --games 100 --rounds 3 --before ../old-checkout/src --json FILE

Every game has three sockets: one decides for all seats, two look on. Each row is one way to serve:
`1` worker; `2 by game`, all of a game at one of two workers, as the sample proxy does it; `2 spread`,
the sockets of every game at different workers; `2 beside`, all games at the first of two, so that the
other only hears that something happened; `2 proxy` and `4 proxy`, through the sample nginx (which must
be installed). Where there are several workers one more socket looks on at the first game from each of
them: it must hear every decision, in order (`watched`), and how long that takes is told. With
`--before` the same is done with an older source. All ways take turns within each round, so that other
work on the machine meets all of them.

The clients take more of the machine than the server does. What tells how much more two workers
carry is therefore the processor time of all workers for one decision: a worker is full when it
takes one core, so `capacity` is workers / seconds of a decision. Where this user may make control
groups, `--share 0.3` shows it directly: each worker gets that part of a core and no more, the rest is
the clients' and PostgreSQL's, and `decisions_per_s` is what the workers carry. What a decision costs
the parts that all workers share is told too: `postgres_ms`, `proxy_ms`, `last_ms` (the last worker
alone), and what a socket takes of nginx's memory.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import gc
import json
import os
import re
import statistics
import sys
import tempfile
import time
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.light import Light
from benchmarks.server import Player, Server, _metrics, client
from tests.server.postgres import Postgres
from tests.server.proxy import Proxy

#: Control groups of either version, and what each is told: microseconds of every so many.
_GROUPS, _PERIOD = Path("/sys/fs/cgroup"), 10_000


@contextlib.contextmanager
def held_to(share: float, worker: Server) -> Iterator[None]:
    """Let a worker have that part of a core and no more, until it has ended."""
    first = (_GROUPS / "cpu").is_dir()
    group = (_GROUPS / "cpu" if first else _GROUPS) / f"hansa-{worker.process.pid}"
    quota = int(share * _PERIOD)
    limits = {"cpu.cfs_period_us": _PERIOD, "cpu.cfs_quota_us": quota}
    if not first:
        limits = {"cpu.max": f"{quota} {_PERIOD}"}
    try:
        group.mkdir()
        for name, limit in {**limits, "cgroup.procs": worker.process.pid}.items():
            (group / name).write_text(str(limit), encoding="ascii")
    except OSError as error:
        raise SystemExit(f"--share needs control groups of processors: {error}") from error
    yield
    group.rmdir()


def family(pid: int) -> list[int]:
    """A process and all that came of it and are there still."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii")
    return [pid, *(one for child in children.split() for one in family(int(child)))]


def spent(pid: int) -> float:
    """Seconds of processor time of a process and all that ever came of it."""
    fields = (
        Path(f"/proc/{one}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        for one in family(pid)
    )
    ticks = sum(sum(map(int, one[11:15])) for one in fields)
    return ticks / os.sysconf("SC_CLK_TCK")


def takes(pid: int) -> float:
    """Kilobytes that a process and all that came of it have for themselves."""
    rolled = (Path(f"/proc/{one}/smaps_rollup").read_text(encoding="ascii") for one in family(pid))
    return sum(int(size) for text in rolled for size in re.findall(r"Private_\w+:\s+(\d+)", text))


class Ring:
    """Some workers at one database, and which of them serves what."""

    def __init__(self, postgres: Postgres, way: str, source: str | None, share: float) -> None:
        self._stack = contextlib.ExitStack()
        self.spread, self.beside = "spread" in way, "beside" in way
        self.postgres = postgres.first()
        database = postgres.new_database()
        self.workers: list[Server] = []
        for _ in range(int(way[0])):
            folder = self._stack.enter_context(tempfile.TemporaryDirectory())
            more = {"proxies": "127.0.0.1"} if "proxy" in way else {}
            self.workers.append(Server(folder, database=database, source=source, **more))
            if share:
                self._stack.enter_context(held_to(share, self.workers[-1]))
            self._stack.callback(self.workers[-1].stop)
        self.proxy: Proxy | None = None
        if "proxy" in way:
            folder = self._stack.enter_context(tempfile.TemporaryDirectory())
            ports = [int(worker.url.rsplit(":", 1)[1]) for worker in self.workers]
            self.proxy = Proxy(Path(folder), ports)
            self._stack.callback(self.proxy.stop)

    @property
    def url(self) -> str:
        """Where one asks for a table."""
        return self.proxy.url if self.proxy else self.workers[0].url

    def at(self, game: str, socket: int) -> str:
        """Where a game's socket is opened."""
        if self.proxy:
            return self.proxy.url
        if self.beside:
            return self.workers[0].url
        moved = socket if self.spread else 0
        return self.workers[(zlib.crc32(game.encode()) + moved) % len(self.workers)].url

    def cpu(self) -> list[float]:
        """Seconds of each worker, of PostgreSQL and of the proxy."""
        shared = [spent(self.postgres), spent(self.proxy.process.pid) if self.proxy else 0.0]
        return [worker.cpu() for worker in self.workers] + shared

    def memory(self) -> float:
        """Kilobytes of all of them."""
        return sum(worker.memory() for worker in self.workers)

    def proxy_memory(self) -> float:
        """Kilobytes of the proxy."""
        return takes(self.proxy.process.pid) if self.proxy else 0.0

    def stop(self) -> None:
        """End all."""
        self._stack.close()


class Room(Player):
    """A game with further sockets that look on."""

    def __init__(self, ring: Ring, http: httpx.AsyncClient, cookie: str, seed: int) -> None:
        super().__init__(ring.workers[0], http, cookie, seed)
        self.ring, self.game = ring, ""

    async def open(self) -> None:
        """A new table, with all its sockets."""
        body = {"setup": {"players": 3}, "seats": [{"kind": "me"}] * 3, "start": True}
        answer = await self.http.post("/api/games", json=body)
        answer.raise_for_status()
        self.game = answer.json()["id"]
        self.sockets = [await self._sit(self.ring.at(self.game, n), deaf=n > 0) for n in range(3)]
        await self.hear()

    async def _sit(self, url: str, *, deaf: bool) -> Light:
        where = f"{url}/api/games/{self.game}/socket"
        return await Light.open(where, {"Cookie": self.cookie}, deaf=deaf)


class Watched(Room):
    """A game at which somebody looks on from every worker."""

    def __init__(self, ring: Ring, http: httpx.AsyncClient, cookie: str, seed: int) -> None:
        super().__init__(ring, http, cookie, seed)
        #: When each decision was sent, and when each watcher heard of it.
        self.sent: dict[tuple[str, int], float] = {}
        self.heard: list[tuple[str, int, float]] = []
        self._watching: list[asyncio.Task[None]] = []

    async def open(self) -> None:
        """A new table, and a watcher at each worker."""
        await super().open()
        for worker in self.ring.workers:
            self.sockets.append(await self._sit(worker.url, deaf=False))
            self._watching.append(asyncio.ensure_future(self._watch(self.sockets[-1])))

    async def close(self) -> None:
        """Leave the table."""
        for task in self._watching:
            task.cancel()
        await super().close()

    async def _watch(self, socket: Light) -> None:
        game = self.game
        last = json.loads(await socket.recv())["position"]["revision"]
        while True:
            raw = await socket.recv()
            if not raw.startswith(b'{"type":"update"'):
                continue
            for entry in json.loads(raw)["entries"]:
                if entry["revision"] != last + 1:
                    raise SystemExit(f"{game}: {entry['revision']} was heard after {last}")
                last = entry["revision"]
                self.heard.append((game, last, time.perf_counter()))

    async def decide(self) -> None:
        """The same, and when."""
        self.sent[self.game, self.position.revision + 1] = time.perf_counter()
        await super().decide()

    def waited(self) -> list[float]:
        """Seconds from a decision to its being heard at a worker, sorted."""
        return sorted(
            at - self.sent[game, n] for game, n, at in self.heard if (game, n) in self.sent
        )


async def measure(ring: Ring, games: int, pause: float, seconds: float) -> dict[str, float]:
    """Play that many games at once."""
    async with client(ring.url) as http:
        await http.post("/api/me", json={"name": "Load"})
        cookie = f"hansa_session={http.cookies['hansa_session']}"
        first = Watched(ring, http, cookie, 0)
        rooms = [first, *(Room(ring, http, cookie, seed) for seed in range(1, games))]
        empty, bare = ring.memory(), ring.proxy_memory()
        for some in range(0, games, 10):
            await asyncio.gather(*(room.open() for room in rooms[some : some + 10]))
        # A look through the clients' thousands of sockets would be felt in what is measured.
        gc.collect()
        gc.disable()
        cpu, began = ring.cpu(), time.monotonic()
        await asyncio.gather(*(room.play(began + seconds, pause) for room in rooms))
        took = time.monotonic() - began
        *used, postgres, proxy = (
            after - before for before, after in zip(cpu, ring.cpu(), strict=True)
        )
        gc.enable()
        full, worn = ring.memory(), ring.proxy_memory()
        lags = [await _worst_lag(worker) for worker in ring.workers]
        for room in rooms:
            await room.close()
    latencies = sorted(value for room in rooms for value in room.latencies)
    count, waited = len(latencies), first.waited()
    return {
        "watched": len(waited),
        "watched_p99_ms": round(1000 * waited[int(len(waited) * 0.99) - 1], 1),
        "decisions": count,
        "decisions_per_s": round(count / took, 1),
        "p50_ms": round(1000 * statistics.median(latencies), 1),
        "p99_ms": round(1000 * latencies[int(count * 0.99) - 1], 1),
        "cpu_ms": round(1000 * sum(used) / count, 2),
        "capacity_per_s": round(len(ring.workers) * count / sum(used), 1),
        "last_ms": round(1000 * used[-1] / count, 3),
        "postgres_ms": round(1000 * postgres / count, 3),
        "proxy_ms": round(1000 * proxy / count, 3),
        "proxy_kb_per_socket": round((worn - bare) / (3 * games), 1),
        "kb_per_game": round((full - empty) / games, 1),
        "worst_lag_below_ms": max(lags),
    }


async def _worst_lag(worker: Server) -> float:
    """The bound of the histogram below which every lag of the event loop lies."""
    async with client(worker.url) as http:
        told = await _metrics(http)
    bounds = {
        float(re.search(r'le="([^"]+)"', name).group(1)): value  # type: ignore[union-attr]
        for name, value in told.items()
        if name.startswith("hansa_loop_lag_seconds_bucket")
    }
    count = told["hansa_loop_lag_seconds_count"]
    return next(1000 * bound for bound in sorted(bounds) if bounds[bound] >= count)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--pause", type=float, default=0.0, help="seconds between decisions")
    parser.add_argument("--seconds", type=float, default=10.0, help="for each run")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--ways", default="1,2 by game,2 spread")
    parser.add_argument("--share", type=float, default=0.0, help="of a core, for each worker")
    parser.add_argument("--before", help="the src folder of an older checkout")
    parser.add_argument("--json", help="write the figures there")
    chosen = parser.parse_args()
    sources = {"now": None} | ({"before": chosen.before} if chosen.before else {})
    postgres = Postgres.start(fsync=True)
    runs: list[dict[str, Any]] = []
    try:
        for number in range(chosen.rounds):
            for way in chosen.ways.split(","):
                for version, source in sources.items():
                    ring = Ring(postgres, way, source, chosen.share)
                    try:
                        work = measure(ring, chosen.games, chosen.pause, chosen.seconds)
                        found = asyncio.run(work)
                    finally:
                        ring.stop()
                    runs.append({"round": number, "way": way, "version": version} | found)
                    print(json.dumps(runs[-1]), flush=True)
    finally:
        postgres.stop()
    for way in chosen.ways.split(","):
        for version in sources:
            mine = [run for run in runs if (run["way"], run["version"]) == (way, version)]
            middle = {
                name: statistics.median(run[name] for run in mine)
                for name in ("decisions_per_s", "cpu_ms", "capacity_per_s", "p50_ms", "p99_ms")
            }
            print(f"{version:>7} {way:<10}", json.dumps(middle))
    if chosen.json:
        figures = {"cores": os.cpu_count(), "load": os.getloadavg(), "runs": runs}
        Path(chosen.json).write_text(json.dumps(figures, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
