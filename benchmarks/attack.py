"""What a bystander feels while one guest asks for as much as he is let.

    python benchmarks/attack.py --seconds 10 --before ../old-checkout/src --json FILE

A few games are played at a pace, as people do, and one guest at another address does one thing as
fast as he can: reads a record, reads a log, has positions analysed, tries passwords, watches with
hundreds of sockets, signs in and out, sends the longest records, opens tables of machines that
think long, decides and takes back for ever, sends frames without a word in them, or as many messages
as hundreds of sockets may, or many more than that, reads lists, holds long polls and has all of them
answered, is at his own table with hundreds of sockets and decides there, asks for what is refused in
the middle of a commit, reads as a hundred guests or looks for as many quick games, has all his games
reviewed, sends long lines whose last decision is illegal, or the longest bodies, of which nothing is
understood. Told is how long the
bystanders' decisions take (`quiet` is without any attack): from sending one until its answer has been
read, and, as `served`, until the server has written it; how long it takes a bystander to read the
lobby, and to have a position analysed by a bot that does not think (the median and the worst); what
the attacker was answered; the server's processor time, and the share of
the time in which it could have run but the attacker's program, the bystanders' or others had the
processors. All of it is done in turns for each version of the source, so that other work on the
machine meets all of them.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import random
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import httpx
from picows import WSError

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.light import Light
from benchmarks.server import Player, Server, client

import hansa

#: The bystanders' server has the limits it comes with.
LIMITS = {
    "proxies": "127.0.0.1",
    "connections_per_address": 500,
    "connections": 5000,
    "messages_per_second": 20,
    "requests_per_second": 50,
    "requests_burst": 400,
    "answers_burst": 300_000_000,
    "tables_per_hour": 120,
    "tables_at_once": 200,
    "storage_mb": 200,
    "bytes_burst": 20_000_000,
}
ADDRESS = {"X-Forwarded-For": "198.51.100.7"}


class Attacker:
    """One guest at an address of his own."""

    def __init__(self, url: str, games: list[str]) -> None:
        self.url, self.games = url, games
        self.http = client(url, headers=ADDRESS)
        self.answers: Counter[int] = Counter()
        self.table = self.mine = self.record_text = self.place = ""
        self.number, self.chance = 0, random.Random(1)
        self.guests: list[str] = []
        self.uploaded: list[str] = []

    async def prepare(self, decisions: int = 2000) -> None:
        """A long game of one's own: uniformly random play hardly ever ends."""
        await self.http.post("/api/me", json={"name": "Greedy"})
        game, chance = hansa.Game.new(board="hansa", players=3, seed=1), random.Random(1)
        while not game.over and len(game.history) < decisions:
            game.play(chance.choice(game.legal_actions()))
        self.record_text = game.record()
        made = await self.http.post("/api/records", content=self.record_text)
        made.raise_for_status()
        self.table = made.json()["id"]
        seats = [{"kind": "me"}] * 3
        mine = await self.http.post(
            "/api/games", json={"setup": {"players": 3}, "seats": seats, "start": True}
        )
        self.mine = mine.json()["id"]
        state = (await self.http.get(f"/api/games/{self.mine}/state")).json()
        self.place = next(text for text in state["position"]["legal"] if text.startswith("place"))

    async def host(self, count: int) -> None:
        """So many tables that everybody sees in the lobby."""
        await self.http.post("/api/me", json={"name": "Greedy"})
        table = {"setup": {"players": 3}, "seats": [{"kind": "me"}] * 3}
        for _ in range(count):
            await self.http.post("/api/games", json=table | {"start": True, "visibility": "open"})

    async def invite(self, count: int) -> None:
        """So many guests."""
        for n in range(count):
            async with client(self.url, headers=ADDRESS) as http:
                await http.post("/api/me", json={"name": f"Greedy {n}"})
                self.guests.append(f"hansa_session={http.cookies['hansa_session']}")

    async def upload_games(self, count: int) -> None:
        """So many finished games."""
        for _ in range(count):
            made = await self.http.post("/api/records", content=self.record_text)
            if made.status_code == 201:
                self.uploaded.append(made.json()["id"])

    async def fill_tokens(self) -> None:
        """As many tokens as anybody has."""
        await self.http.post("/api/me", json={"name": "Greedy"})
        for n in range(20):
            await self.http.post("/api/me/tokens", json={"name": f"token {n}"})

    async def ask(
        self, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None
    ) -> None:
        """One request; its answer is counted."""
        try:
            answer = await self.http.request(method, path, json=body, headers=headers)
        except httpx.HTTPError:
            self.answers[0] += 1
            return
        self.answers[answer.status_code] += 1
        if answer.status_code == 429:
            await asyncio.sleep(0.02)

    async def record(self) -> None:
        """The record of a long game."""
        await self.ask("GET", f"/api/games/{self.table}/record")

    async def log(self) -> None:
        """A thousand entries."""
        await self.ask("GET", f"/api/games/{self.table}/log?from=900")

    async def analysis(self) -> None:
        """The most that a bot may be told to think."""
        body = {"number": 500, "bot": "search:simulations=20000,rounds=4"}
        await self.ask("POST", f"/api/games/{self.table}/analysis", body)

    async def login(self) -> None:
        """A wrong password."""
        await self.ask("POST", "/api/session", {"account": "alheyd", "password": "wrong password"})

    async def session(self) -> None:
        """In and out again."""
        await self.ask("POST", "/api/me", {"name": "Greedy"})
        await self.ask("DELETE", "/api/session")

    async def upload(self) -> None:
        """The longest record there may be."""
        await self.ask("POST", "/api/records", {"record": self.record_text})

    async def bots(self) -> None:
        """One more table at which machines think as long as they may, and somebody looks on."""
        await self.http.post("/api/me", json={"name": "Greedy"})
        seats = [{"kind": "bot", "bot": "search:time=10"}] * 3
        made = await self.http.post(
            "/api/games", json={"setup": {"players": 3}, "seats": seats, "start": True}
        )
        self.answers[made.status_code] += 1
        if made.status_code != 201:
            await asyncio.sleep(0.02)
            return
        await self._look_on(made.json()["id"])

    async def fill(self) -> None:
        """Decide and take back for ever."""
        act = {"number": 0, "decision": self.place}
        await self.ask("POST", f"/api/games/{self.mine}/act", act)
        await self.ask("POST", f"/api/games/{self.mine}/undo", {"number": 1})

    async def frames(self) -> None:
        """Frames without a message, as many as go through, and nothing is read."""
        url = httpx.URL(self.url)
        reader, writer = await asyncio.open_connection(url.host, url.port)
        asked = {
            **ADDRESS,
            "Host": "localhost",
            "Connection": "Upgrade",
            "Upgrade": "websocket",
            "Sec-WebSocket-Version": "13",
            "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
        }
        lines = [f"GET /api/games/{self.games[0]}/socket HTTP/1.1"]
        lines += [f"{name}: {value}" for name, value in asked.items()]
        writer.write("\r\n".join([*lines, "", ""]).encode())
        try:
            said = await reader.readuntil(b"\r\n\r\n")
            self.answers[int(said[9:12])] += 1
            ping = b"\x89\x80" + bytes(4)
            for _ in range(1000):
                writer.write(ping * 20_000)
                await writer.drain()
        except (OSError, asyncio.IncompleteReadError):
            self.answers[0] += 1
        finally:
            writer.close()

    async def messages(self) -> None:
        """As many messages as one socket may send, for five seconds."""
        socket = await self._opened(self.games[0])
        if socket is None:
            self.answers[429] += 1
            return
        for _ in range(95):
            socket.send(b'{"type":"look","seat":null}')
            await asyncio.sleep(1 / 19)
        self.answers[101] += 1
        await socket.close()

    async def shout(self) -> None:
        """Many more messages than one socket may send, and answers are read."""
        socket = await self._opened(self.games[0])
        if socket is None:
            self.answers[429] += 1
            return
        self.answers[101] += 1
        with contextlib.suppress(WSError, OSError, ConnectionError):
            for _ in range(40):
                for _ in range(170):
                    socket.send(b'{"type":"ping"}')
                await asyncio.sleep(0.1)
        with contextlib.suppress(WSError, OSError, ConnectionError):
            await socket.close()

    async def owner(self) -> None:
        """One more socket at one's own table; one in fifty decides and takes back meanwhile."""
        cookie = f"hansa_session={self.http.cookies['hansa_session']}"
        socket = await self._opened(self.mine, Cookie=cookie)
        if socket is None:
            self.answers[429] += 1
            return
        self.answers[101] += 1
        decides, until = self.chance.random() < 0.02, time.monotonic() + 5
        with contextlib.suppress(WSError, OSError, ConnectionError):
            while time.monotonic() < until:
                if decides:
                    act = {"type": "act", "number": 0, "decision": self.place}
                    socket.send(json.dumps(act).encode())
                    socket.send(b'{"type":"undo","number":1}')
                await asyncio.sleep(0.15)
            await socket.close()

    async def refused(self) -> None:
        """One token too many."""
        await self.ask("POST", "/api/me/tokens", {"name": "one more"})

    async def crowd(self) -> None:
        """A thousand entries of a log, as one of many guests."""
        headers = {"Cookie": self.chance.choice(self.guests)}
        await self.ask("GET", f"/api/games/{self.table}/log?from=900", headers=headers)

    async def quick(self) -> None:
        """A question for a quick game that nobody else wants, as one of many guests."""
        n = self.chance.randrange(len(self.guests))
        wish = {"kind": {"players": 5, "clock": {"bank": 600 + n}}}
        await self.ask("POST", "/api/quick", wish, {"Cookie": self.guests[n]})

    async def illegal(self) -> None:
        """A study of 3,000 decisions of which the last is none."""
        nodes = [{"parent": n - 1, "text": "end"} for n in range(2999)]
        nodes.append({"parent": 2998, "text": "establish nowhere"})
        body = {"name": "mine", "game": self.table, "number": 0, "nodes": nodes}
        await self.ask("POST", "/api/studies", body)

    async def bodies(self) -> None:
        """A list of 240,000 words where none belongs."""
        await self.ask("POST", "/api/games/none/line", ["a"] * 240_000)

    async def review(self) -> None:
        """All games reviewed."""
        await self.ask("POST", f"/api/games/{self.chance.choice(self.uploaded)}/review")

    async def lists(self) -> None:
        """What is read of many tables, people and addresses."""
        for path in ("/api/games?limit=100", "/api/ladder", "/api/puzzles", "/openapi.json"):
            await self.ask("GET", path)

    async def polls(self) -> None:
        """Waiting for a decision at one's own table; one in twenty decides."""
        if self.chance.random() < 0.05:
            act = {"number": self.number, "decision": "end"}
            self.number += 1
            await self.ask("POST", f"/api/games/{self.mine}/act", act)
        await self.ask("GET", f"/api/games/{self.mine}/state?after={self.number}&wait=5")

    async def watch(self) -> None:
        """A socket more at somebody's table."""
        self.answers[101 if await self._look_on(self.games[0]) else 429] += 1

    async def _opened(self, game: str, **headers: str) -> Light | None:
        """A socket at a table, of which nothing is kept; None where one is not let."""
        url = f"{self.url}/api/games/{game}/socket"
        try:
            return await Light.open(url, ADDRESS | headers, deaf=True)
        except (WSError, OSError, TimeoutError):
            return None

    async def _look_on(self, game: str) -> bool:
        """For five seconds; False where one is not let."""
        socket = await self._opened(game)
        if socket is None:
            return False
        try:
            await asyncio.wait_for(socket.gone(), 5)
        except TimeoutError:
            return True
        else:
            return False
        finally:
            await socket.close()


#: What is done, and how often at the same time.
ATTACKS: dict[str, tuple[Callable[[Attacker], Awaitable[None]], int]] = {
    "record": (Attacker.record, 16),
    "log": (Attacker.log, 16),
    "analysis": (Attacker.analysis, 40),
    "login": (Attacker.login, 20),
    "session": (Attacker.session, 16),
    "watch": (Attacker.watch, 480),
    "upload": (Attacker.upload, 8),
    "bots": (Attacker.bots, 40),
    "fill": (Attacker.fill, 1),
    "frames": (Attacker.frames, 4),
    "messages": (Attacker.messages, 480),
    "lists": (Attacker.lists, 16),
    "polls": (Attacker.polls, 380),
    "shout": (Attacker.shout, 480),
    "owner": (Attacker.owner, 480),
    "refused": (Attacker.refused, 16),
    "crowd": (Attacker.crowd, 200),
    "quick": (Attacker.quick, 380),
    "review": (Attacker.review, 8),
    "illegal": (Attacker.illegal, 8),
    "bodies": (Attacker.bodies, 24),
}
#: Those for which a long game is needed.
LONG = {"record", "log", "analysis", "fill", "upload", "polls", "owner", "crowd", "illegal"}


async def attack(url: str, kind: str, seconds: float, games: list[str]) -> dict[int, int]:
    """One kind of attack for so long."""
    attacker = Attacker(url, games)
    if kind in LONG or kind == "review":
        await attacker.prepare(5000 if kind == "upload" else 400 if kind == "review" else 2000)
    if kind == "review":
        await attacker.upload_games(40)
    if kind in {"crowd", "quick"}:
        await attacker.invite(100)
    if kind == "refused":
        await attacker.fill_tokens()
    if kind == "lists":
        await attacker.host(100)
    doing, at_once = ATTACKS[kind]
    print("ready", flush=True)
    until = time.monotonic() + seconds

    async def again() -> None:
        while time.monotonic() < until:
            await doing(attacker)

    work = asyncio.gather(*(again() for _ in range(at_once)))
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(work, seconds + 5)
    return dict(attacker.answers)


async def bystand(server: Server, kind: str, seconds: float) -> dict[str, Any]:
    """Play while somebody else does what he does."""
    async with client(server.url) as http:
        await http.post("/api/me", json={"name": "Bystander"})
        cookie = f"hansa_session={http.cookies['hansa_session']}"
        players = [Player(server, http, cookie, seed) for seed in range(5)]
        for player in players:
            await player.open()
        listed = (await http.get("/api/games", params={"mine": "true"})).json()["games"]
        games = ",".join(game["id"] for game in listed)
        attacking = None
        if kind != "quiet":
            attacking = await asyncio.create_subprocess_exec(
                *(sys.executable, __file__, "--attack", kind, "--url", server.url),
                *("--seconds", str(seconds + 2), "--targets", games),
                stdout=asyncio.subprocess.PIPE,
            )
            assert attacking.stdout is not None  # noqa: S101 - a pipe was asked for
            await attacking.stdout.readline()
        cpu, waited, began = server.cpu(), server.waited(), time.monotonic()
        reads, hints = list[float](), list[float]()
        await asyncio.gather(
            *(player.play(began + seconds, 0.3) for player in players),
            look(http, reads, began + seconds),
            ask_advice(http, hints, began + seconds),
        )
        took = time.monotonic() - began
        used, waited = (server.cpu() - cpu) / took, (server.waited() - waited) / took
        answers = ""
        if attacking is not None:
            said, _ = await attacking.communicate()
            answers = said.decode().strip()
        for player in players:
            await player.close()
    return {
        "decisions": sum(len(player.latencies) for player in players),
        **_spread("", [value for player in players for value in player.latencies]),
        **_spread("served_", [value for player in players for value in player.served]),
        **_worst("lobby", reads),
        **_worst("hint", hints),
        "server_cpu": round(used, 2),
        "server_waited": round(waited, 2),
        "answers": answers,
    }


async def look(http: httpx.AsyncClient, took: list[float], until: float) -> None:
    """Read the lobby again and again; whoever is refused has waited for ever."""
    while time.monotonic() < until:
        began = time.monotonic()
        answer = await http.get("/api/games", params={"limit": 20})
        took.append(time.monotonic() - began if answer.status_code == 200 else 99.0)
        await asyncio.sleep(0.5)


async def ask_advice(http: httpx.AsyncClient, took: list[float], until: float) -> None:
    """Ask what a bot would do that does not think."""
    seats = [{"kind": "me"}, *[{"kind": "bot", "bot": "greedy"}] * 2]
    table = {"setup": {"players": 3}, "seats": seats, "order": "fixed", "start": True}
    game = (await http.post("/api/games", json=table)).json()["id"]
    while time.monotonic() < until:
        began = time.monotonic()
        answer = await http.post(f"/api/games/{game}/analysis", json={"number": 0, "bot": "greedy"})
        took.append(time.monotonic() - began if answer.status_code == 200 else 99.0)
        await asyncio.sleep(0.5)


def _worst(name: str, seconds: list[float]) -> dict[str, float]:
    return {
        f"{name}_p50_ms": round(1000 * statistics.median(seconds), 1),
        f"{name}_worst_ms": round(1000 * max(seconds), 1),
    }


def _spread(name: str, seconds: list[float]) -> dict[str, float]:
    ordered = sorted(seconds)
    return {
        f"{name}p50_ms": round(1000 * statistics.median(ordered), 1),
        f"{name}p99_ms": round(1000 * ordered[int(len(ordered) * 0.99) - 1], 1),
    }


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--kinds", default=",".join(["quiet", *ATTACKS]))
    parser.add_argument("--before", help="the src folder of an older checkout")
    parser.add_argument("--json", help="write the figures there")
    parser.add_argument("--attack", help=argparse.SUPPRESS)
    parser.add_argument("--url", help=argparse.SUPPRESS)
    parser.add_argument("--targets", default="", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.attack:
        work = attack(chosen.url, chosen.attack, chosen.seconds, chosen.targets.split(","))
        print(asyncio.run(work))
        return
    runs: list[dict[str, Any]] = []
    sources = {"now": None} | ({"before": chosen.before} if chosen.before else {})
    for kind in chosen.kinds.split(","):
        for version, source in sources.items():
            with tempfile.TemporaryDirectory() as folder:
                server = Server(folder, source=source, **LIMITS)
                try:
                    found = asyncio.run(bystand(server, kind, chosen.seconds))
                finally:
                    server.stop()
            runs.append({"kind": kind, "version": version} | found)
            print(json.dumps(runs[-1]), flush=True)
    if chosen.json:
        figures = {"cores": os.cpu_count(), "load": os.getloadavg(), "runs": runs}
        Path(chosen.json).write_text(json.dumps(figures, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
