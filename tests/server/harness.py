"""A real server in its own process, and clients that talk to it over real sockets.

Whatever a client hears is held against the declared types.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol, Self

import httpx
import pytest
from tests.server.shapes import answer_fits, fits
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

COMMAND = [sys.executable, "-c", "from hansa.cli import main; main()", "serve", "--port", "0"]


class Server:
    """`hansa serve` with its own data folder."""

    def __init__(self, data: Path, **settings: Any) -> None:
        self.data = data
        self.settings = {
            "bot_delay": "0",
            "fsync": "false",
            "requests_burst": "100000",
            "messages_per_second": "10000",
            "tables_per_hour": "10000",
            "clock_least": "1",
            "absence_least": "0.5",
            "away_after": "0.5",
            "analyses_per_minute": "100000",
            "codes_per_minute": "100000",
            "wrong_codes_per_hour": "100000",
            "accounts_per_hour": "100000",
            "seekers_per_address": "100000",
        }
        self.settings |= {name: str(value) for name, value in settings.items()}
        self.process: subprocess.Popen[str] | None = None
        self.url = ""
        self.errors: list[str] = []

    def start(self) -> Self:
        environment = {k: v for k, v in os.environ.items() if not k.startswith("HANSA_")}
        environment |= {f"HANSA_{name.upper()}": value for name, value in self.settings.items()}
        self.process = subprocess.Popen(
            [*COMMAND, "--data", str(self.data)],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        found = re.search(r"http://\S+", line)
        if found is None:
            self.process.kill()
            raise RuntimeError(f"no address: {line!r} {self.process.communicate()[1]}")
        self.url = found.group()
        threading.Thread(target=self._drain, daemon=True).start()
        return self

    def _drain(self) -> None:
        assert self.process is not None
        assert self.process.stderr is not None
        with contextlib.suppress(ValueError):
            for line in self.process.stderr:
                self.errors.append(line)

    def kill(self) -> None:
        assert self.process is not None
        self.process.send_signal(signal.SIGKILL)
        self._reap()

    def stop(self) -> int:
        assert self.process is not None
        self.process.terminate()
        return self._reap()

    def _reap(self) -> int:
        assert self.process is not None
        status = self.process.wait(30)
        time.sleep(0.02)
        for pipe in (self.process.stdout, self.process.stderr):
            if pipe is not None:
                with contextlib.suppress(OSError, ValueError):
                    pipe.close()
        return status

    def client(self, name: str | None = None) -> Client:
        return Client(self, name)


class At(Protocol):
    """A server, or what stands in front of some."""

    @property
    def url(self) -> str:
        """Where a browser goes."""


class Client:
    """Somebody with a browser."""

    def __init__(self, server: At, name: str | None = None) -> None:
        self.http = httpx.Client(base_url=server.url, timeout=30)
        self.server = server
        self.sockets: list[Socket] = []
        if name is not None:
            self.post("/api/me", {"name": name})

    def close(self) -> None:
        for socket in self.sockets:
            socket.close()
        self.http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def get(self, path: str, expected: int = 200, /, **query: Any) -> Any:
        answer = self.http.get(path, params=query)
        assert answer.status_code == expected, answer.text
        return self._checked("GET", path, answer)

    def send(self, method: str, path: str, body: Any = None, status: int | None = None) -> Any:
        answer = self.http.request(method, path, json=body)
        if status is None:
            assert answer.is_success, answer.text
        else:
            assert answer.status_code == status, answer.text
        return self._checked(method, path, answer)

    @staticmethod
    def _checked(method: str, path: str, answer: httpx.Response) -> Any:
        body = answer.json()
        answer_fits(method, path, answer.status_code, body)
        return body

    def post(self, path: str, body: Any = None, status: int | None = None) -> Any:
        return self.send("POST", path, {} if body is None else body, status)

    def register(self, wish: str = "alheyd") -> str:
        """Make an account; gives its name, which has figures behind the wish."""
        made = self.post("/api/account", {"account": wish, "password": "long enough"})
        return str(made["person"]["account"])

    def table(self, *seats: Any, **more: Any) -> dict[str, Any]:
        """A table; seats are `me`, `open` or a bot's name."""
        setup = more.pop("setup", {}) | {"players": len(seats)}
        asked = [
            {"kind": seat} if seat in {"me", "open"} else {"kind": "bot", "bot": seat}
            for seat in seats
        ]
        body = {"setup": setup, "seats": asked, "order": "fixed", "start": True, **more}
        made: dict[str, Any] = self.post("/api/games", body, 201)
        return made

    def socket(self, game: str, **query: Any) -> Socket:
        cookies = "; ".join(f"{name}={value}" for name, value in self.http.cookies.items())
        headers = {"Cookie": cookies} if cookies else {}
        for header in ("Authorization", "X-Forwarded-For"):
            if header in self.http.headers:
                headers[header] = self.http.headers[header]
        opened = Socket(self.server, game, headers, query)
        self.sockets.append(opened)
        return opened


class Socket:
    """A WebSocket that remembers the last table and position."""

    def __init__(
        self, server: At, game: str, headers: dict[str, str], query: dict[str, Any]
    ) -> None:
        asked = "&".join(f"{name}={value}" for name, value in query.items())
        url = f"{server.url.replace('http', 'ws')}/api/games/{game}/socket?{asked}"
        self._stack = contextlib.ExitStack()
        self.connection: ClientConnection = self._stack.enter_context(
            connect(url, additional_headers=headers, max_size=None, close_timeout=2)
        )
        self.received: list[str] = []
        self.table: dict[str, Any] = {}
        self.position: dict[str, Any] = {}
        self.entries: list[dict[str, Any]] = []
        self.chat: list[dict[str, Any]] = []
        self._count = 0

    def close(self) -> None:
        self._stack.close()

    def receive(self, timeout: float = 60) -> dict[str, Any]:
        raw = self.connection.recv(timeout)
        assert isinstance(raw, str)
        self.received.append(raw)
        message: dict[str, Any] = json.loads(raw)
        fits("ServerMessage", message)
        self.table = message.get("table", self.table)
        if message["type"] in {"snapshot", "update"}:
            self.position = message["position"] or {}
            self.entries += message.get("entries", [])
        if message["type"] == "snapshot":
            self.chat = list(message["chat"])
        if message["type"] == "chat":
            self.chat += message["messages"]
        return message

    def until(self, kind: str, timeout: float = 60) -> dict[str, Any]:
        deadline = time.monotonic() + timeout
        while True:
            message = self.receive(max(0.01, deadline - time.monotonic()))
            if message["type"] == kind:
                return message

    def wait_for(self, met: Any, timeout: float = 60) -> None:
        deadline = time.monotonic() + timeout
        while not met(self):
            self.receive(max(0.01, deadline - time.monotonic()))

    def ask(self, message_type: str, /, **fields: Any) -> dict[str, Any]:
        """Send a message and give its ack or error."""
        self._count += 1
        re_ = f"r{self._count}"
        self.connection.send(json.dumps({"type": message_type, "re": re_, **fields}))
        while True:
            message = self.receive()
            if message["type"] in {"ack", "error", "pong"} and message["re"] == re_:
                return message

    def act(self, decision: str, **fields: Any) -> dict[str, Any]:
        fields = {"number": self.position["number"], "revision": self.position["revision"]} | fields
        answer = self.ask("act", decision=decision, **fields)
        if answer["type"] == "ack":
            self.wait_for(lambda s: s.position["revision"] >= answer["revision"])
        return answer

    def closed(self, timeout: float = 60) -> int:
        """Read until the server closes; the code."""
        with pytest.raises(ConnectionClosed) as closed:
            self.wait_for(lambda _: False, timeout)
        assert closed.value.rcvd is not None
        return closed.value.rcvd.code


def pick(position: dict[str, Any], chance: random.Random) -> str:
    """A decision that gets games to their end: finish routes, else build on what stands."""
    legal: list[str] = position["legal"]
    by_verb: dict[str, list[str]] = {}
    for text in legal:
        by_verb.setdefault(text.split(" ", 1)[0], []).append(text)
    if "establish" in by_verb:
        offices = [t for t in by_verb["establish"] if " office " in t]
        skills = [t for t in by_verb["establish"] if " skill " in t]
        return chance.choice(offices or skills or by_verb["establish"])
    mine = {
        route: sum(1 for piece in data["posts"] if (piece or "").startswith(position["player"]))
        for route, data in position["view"]["routes"].items()
    }

    def own(text: str) -> int:
        """How many pieces of whoever decides lie on the route that the decision names."""
        return mine[text.rsplit(maxsplit=1)[-1].partition("/")[0]]

    for verb in ("place", "put"):
        if verb in by_verb:
            best = max(map(own, by_verb[verb]))
            return chance.choice([text for text in by_verb[verb] if own(text) == best])
    for verb in ("lay", "income"):
        if verb in by_verb:
            return by_verb[verb][-1] if verb == "income" else chance.choice(by_verb[verb])
    if "lift" in by_verb and chance.random() < 0.7:
        # All pieces lie on routes that nobody finishes: bring them together.
        return min(chance.sample(by_verb["lift"], len(by_verb["lift"]) // 2 + 1), key=own)
    return "end" if "end" in legal else "done" if "done" in legal else chance.choice(legal)


def deadline_is_past(socket: Socket, seat: str) -> None:
    """Wait until the table has waited long enough for somebody who is away."""

    def shown(s: Socket) -> int | None:
        found: int | None = next(x["deadline"] for x in s.table["seats"] if x["seat"] == seat)
        return found

    socket.wait_for(lambda s: shown(s) is not None)
    while socket.ask("ping")["now"] <= (shown(socket) or 0):
        time.sleep(0.05)


def play_on(
    socket: Socket,
    chance: random.Random,
    until: Callable[[Socket], bool] = lambda s: bool(s.position["over"]),
    most: int = 3000,
) -> None:
    """Decide whenever it is this client's decision."""
    for _ in range(most):
        if until(socket):
            return
        if socket.position["legal"] is None:
            socket.receive()
            continue
        answer = socket.act(pick(socket.position, chance))
        assert answer["type"] == "ack", answer
    raise AssertionError("the game does not end")
