"""A long run: whether memory and latency stay where they are, drawn over time.

    python benchmarks/soak.py --hours 8 --games 300 --out soak

A real `hansa serve` carries so many hot-seat games, decided with pauses as people make them; beside
them some people look on and leave again, and some games are played against bots. A game ends after as
many decisions as people's have, and another begins: what still grows then does not belong to a game.
Every sample is a line of `soak.csv` (kept at once, so that an interrupted run loses nothing);
`soak.svg` draws them at the end, also after Ctrl-C.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import csv
import math
import os
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import astuple, dataclass, fields
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.light import Light
from benchmarks.server import Player, Server, client

WIDTH, HEIGHT, MARGIN = 900, 220, 60


@dataclass(frozen=True)
class Sample:
    """What the server was like at a time."""

    seconds: float
    memory_mb: float
    decisions: int
    p50_ms: float
    p99_ms: float
    open_files: int


class Guest(Player):
    """Plays games as long as people's: what is decided by lot hardly ever comes to an end by itself."""

    length = 350

    async def decide(self) -> None:
        """One decision, or the end."""
        if self.position.number < self.length:
            await super().decide()
            return
        self.sockets[0].send(b'{"type":"propose","re":"x","kind":"end"}')
        while not self.position.over:
            if (raw := await self.hear()).startswith(b'{"type":"error"'):
                raise RuntimeError(raw)


async def soak(server: Server, given: argparse.Namespace) -> None:
    """Play until the time is up, looking at the server again and again."""
    async with client(server.url) as http:
        await http.post("/api/me", json={"name": "Soak"})
        cookie = f"hansa_session={http.cookies['hansa_session']}"
        players = [
            Guest(server, http, cookie, seed, "greedy" if seed % given.bots == 0 else None)
            for seed in range(given.games)
        ]
        for some in range(0, given.games, 20):
            await asyncio.gather(*(player.open() for player in players[some : some + 20]))
        until = time.monotonic() + 3600 * given.hours
        work = [
            *(player.play(until, given.pause) for player in players),
            *(_look_on(players, until, seed) for seed in range(given.watchers)),
            _look_at(server, players, given.out / "soak.csv", until, given.every),
        ]
        await asyncio.gather(*work)
        for player in players:
            await player.close()


async def _look_on(players: Sequence[Player], until: float, seed: int) -> None:
    """Somebody watches one table after the other; lists, which are paid for, he asks for none."""
    chance = random.Random(seed)
    while time.monotonic() < until:
        socket = await Light.open(chance.choice(players).url, deaf=True)
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(socket.gone(), chance.uniform(1, 20))
        await socket.close()
        await asyncio.sleep(1)


async def _look_at(
    server: Server, players: Sequence[Player], path: Path, until: float, every: float
) -> None:
    """A line of the file for each sample."""
    began = time.monotonic()
    with path.open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(field.name for field in fields(Sample))
        while (left := until - time.monotonic()) > 0:
            await asyncio.sleep(min(every, left))
            latencies = sorted(value for player in players for value in player.latencies)
            for player in players:
                player.latencies.clear()
            if len(latencies) < 2:
                continue
            sample = Sample(
                round(time.monotonic() - began, 1),
                round(server.memory() / 1024, 1),
                len(latencies),
                round(1000 * statistics.median(latencies), 2),
                round(1000 * latencies[math.ceil(len(latencies) * 0.99) - 1], 2),
                len(os.listdir(f"/proc/{server.process.pid}/fd")),  # noqa: PTH208  # only counted
            )
            rows.writerow(astuple(sample))
            file.flush()
            print(sample, flush=True)


def draw(samples: Sequence[Sample]) -> str:
    """Memory above, latency below, over hours."""
    memory = _chart(
        samples, {"memory (MB)": [one.memory_mb for one in samples]}, 0, "memory of the server, MB"
    )
    latency = _chart(
        samples,
        {"p50": [one.p50_ms for one in samples], "p99": [one.p99_ms for one in samples]},
        HEIGHT,
        "from a decision to its acknowledgement, ms: p50 and p99",
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {2 * HEIGHT}" '
        f'font-family="sans-serif" font-size="13"><rect width="100%" height="100%" fill="#fff"/>'
        f"{memory}{latency}</svg>"
    )


def _chart(samples: Sequence[Sample], lines: dict[str, list[float]], top: int, title: str) -> str:
    most = max(max(values) for values in lines.values()) or 1.0
    last = samples[-1].seconds or 1.0
    bottom, high = top + HEIGHT - 30, HEIGHT - 70
    drawn = [
        f'<text x="{MARGIN}" y="{top + 24}">{title}</text>',
        f'<path d="M{MARGIN} {bottom - high}V{bottom}H{WIDTH - 20}" fill="none" stroke="#999"/>',
        f'<text x="{MARGIN - 6}" y="{bottom - high + 4}" text-anchor="end">{most:.0f}</text>',
        f'<text x="{WIDTH - 20}" y="{bottom + 18}" text-anchor="end">{last / 3600:.2f} h</text>',
    ]
    for (name, values), colour in zip(lines.items(), ("#2c5d8a", "#b3302b"), strict=False):
        points = " ".join(
            f"{MARGIN + (WIDTH - 20 - MARGIN) * one.seconds / last:.1f},{bottom - high * value / most:.1f}"
            for one, value in zip(samples, values, strict=True)
        )
        drawn.append(
            f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2">'
            f"<title>{name}</title></polyline>"
        )
    return "".join(drawn)


def read(path: Path) -> list[Sample]:
    """The samples of a file."""
    with path.open(encoding="utf-8", newline="") as file:
        kinds = {field.name: int if field.type == "int" else float for field in fields(Sample)}
        return [
            Sample(**{name: kinds[name](value) for name, value in row.items()})
            for row in csv.DictReader(file)
        ]


def asked_for(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    """What was asked for; whatever cannot be meant is refused before anything starts."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--hours", type=float, default=8.0)
    parser.add_argument("--games", type=int, default=300)
    parser.add_argument("--bots", type=int, default=10, help="one game of so many is against bots")
    parser.add_argument("--watchers", type=int, default=20)
    parser.add_argument("--pause", type=float, default=5.0, help="seconds between decisions")
    parser.add_argument("--every", type=float, default=60.0, help="seconds between samples")
    parser.add_argument("--out", type=Path, default=Path("soak"))
    given = parser.parse_args(arguments)
    for name in ("hours", "games", "bots", "every"):
        if not getattr(given, name) > 0:
            parser.error(f"--{name} must be more than 0")
    for name in ("watchers", "pause"):
        if not getattr(given, name) >= 0:
            parser.error(f"--{name} must not be below 0")
    return given


def summary(samples: Sequence[Sample]) -> str:
    """What to look at first: whether memory grew in the second half, and the usual and worst latency."""
    first, middle, last = samples[0], samples[len(samples) // 2], samples[-1]
    p99s = sorted(one.p99_ms for one in samples)
    return (
        f"{sum(one.decisions for one in samples)} decisions in {last.seconds / 3600:.2f} h\n"
        f"memory, MB: {first.memory_mb} at first, {middle.memory_mb} in the middle, "
        f"{last.memory_mb} at last; open files: {first.open_files} and {last.open_files}\n"
        f"p99, ms: {statistics.median(p99s)} in the middle sample, {p99s[-1]} in the worst"
    )


def draw_file(out: Path) -> None:
    """Draw what was sampled, however the run ended."""
    samples = read(out / "soak.csv") if (out / "soak.csv").is_file() else []
    if not samples:
        print("no sample was taken: run longer, or with a smaller --every")
        return
    (out / "soak.svg").write_text(draw(samples), encoding="utf-8")
    print(f"{summary(samples)}\n{out / 'soak.svg'}")


def main() -> None:
    """Run, then draw."""
    given = asked_for()
    given.out.mkdir(parents=True, exist_ok=True)
    for old in ("soak.csv", "soak.svg"):
        (given.out / old).unlink(missing_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        server = Server(folder)
        try:
            with contextlib.suppress(KeyboardInterrupt):
                asyncio.run(soak(server, given))
        finally:
            # Also of a server that did not last the night.
            draw_file(given.out)
            server.stop()


if __name__ == "__main__":
    main()
