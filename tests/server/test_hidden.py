"""Hidden information never leaves the server: every byte each client received is searched."""

from __future__ import annotations

import json
import random
import threading
from collections.abc import Iterator
from functools import partial
from typing import Any

import httpx
import pytest
from tests.server.harness import Client, Server, Socket, play_on

SETUPS = [
    {
        "board": "hansa",
        "missions": True,
        "favours": True,
        "promos": ["exchange", "tribute", "block"],
    },
    {"board": "east"},
    {"board": "britannia", "edition": "classic"},
]


class Spied(Client):
    """A client that keeps every byte of HTTP too."""

    def __init__(self, server: Server, name: str | None = None) -> None:
        self.bodies: list[str] = []
        super().__init__(server, None)
        self.http.event_hooks["response"] = [self._keep]
        if name:
            self.post("/api/me", {"name": name})

    def _keep(self, response: httpx.Response) -> None:
        response.read()
        self.bodies.append(response.text)


def walk(value: Any, key: str = "") -> Iterator[tuple[str, Any]]:
    """Every (key, value) inside a message."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield name, inner
            yield from walk(inner, name)
    elif isinstance(value, list):
        for inner in value:
            yield from walk(inner, key)


def look_around(client: Spied, game: str, chance: random.Random) -> None:
    """What a curious client may ask for while the game runs."""
    known = len(client.bodies)
    state = client.get(f"/api/games/{game}/state")
    number = state["position"]["number"]
    client.get(f"/api/games/{game}/positions/{chance.randint(0, number)}")
    client.get(f"/api/games/{game}/log")
    client.get(f"/api/games/{game}/chart")
    client.http.get(f"/api/games/{game}/record")
    client.http.get(f"/api/games/{game}/positions/0", params={"open": "true"})
    if client.get(f"/api/games/{game}")["status"] == "over":
        # It ended meanwhile: the answers may show everything.
        del client.bodies[known:]


def _is_at(number: int, socket: Socket) -> bool:
    return bool(socket.position["number"] >= number or socket.position["over"])


@pytest.mark.parametrize("setup", SETUPS, ids=lambda setup: setup["board"])
def test_nothing_hidden_leaves(sqlite_server, setup):
    people = [Spied(sqlite_server, f"Person {n}") for n in range(3)]
    host = people[0]
    table = host.table("me", "open", "open", setup=setup, start=False)
    for person, seat in zip(people[1:], table["seats"][1:], strict=True):
        person.post(seat["invite"].replace("/i/", "/api/invites/"))
    game = host.post(f"/api/games/{table['id']}/start")["id"]
    watcher = Spied(sqlite_server)
    sockets = [person.socket(game) for person in [*people, watcher]]
    for socket in sockets:
        socket.receive()
    failed: list[BaseException] = []

    def play(person, socket, seed):
        chance = random.Random(seed)
        try:
            if person is watcher:
                socket.wait_for(lambda s: s.position["over"], 100)
                return
            for step in range(0, 3000, 40):
                play_on(socket, chance, until=partial(_is_at, step))
                if socket.position["over"]:
                    return
                look_around(person, game, chance)
        except Exception as error:  # noqa: BLE001 - told by the main thread
            failed.append(error)

    threads = [
        threading.Thread(target=play, args=(person, socket, seed))
        for seed, (person, socket) in enumerate(zip([*people, watcher], sockets, strict=True))
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed, failed
    check_bytes(host, game, sockets, [list(p.bodies) for p in [*people, watcher]])
    for person in [*people, watcher]:
        person.close()


def check_bytes(host: Client, game: str, sockets: list[Socket], bodies_of: list[list[str]]) -> None:
    last = sockets[0].position["number"]
    seed = host.get(f"/api/games/{game}")["setup"]["seed"]
    truths = [
        host.get(f"/api/games/{game}/positions/{n}", open="true")["view"]
        for n in range(0, last, max(1, last // 25))
    ]
    assert all("?" not in json.dumps(truth) for truth in truths)
    missions = {name: player["mission"] for name, player in truths[0]["players"].items()}
    secrets = {str(seed)}
    for truth in truths:
        if len(set(truth["supply"])) > 1 and len(truth["supply"]) >= 3:
            secrets.add(json.dumps(truth["supply"], separators=(",", ":")))
            secrets.add(json.dumps(truth["supply"][:3], separators=(",", ":"))[:-1] + ",")
    for index, (socket, bodies) in enumerate(zip(sockets, bodies_of, strict=True)):
        seat = f"p{index + 1}" if index < 3 else None
        before = [
            raw
            for raw in socket.received
            if '"over":true' not in raw and '"status":"over"' not in raw
        ]
        assert len(before) > 100
        mine = secrets | {
            json.dumps(mission, separators=(",", ":"))
            for name, mission in missions.items()
            if mission is not None and name != seat
        }
        for raw in [*before, *bodies]:
            assert not any(secret in raw for secret in mine), raw[:300]
            check_shape(json.loads(raw), seat)


def check_shape(message: Any, seat: str | None) -> None:
    for key, value in walk(message):
        if key == "seed":
            assert value in {None, "?"}
        if key == "supply" and isinstance(value, list):
            assert set(value) <= {"?"}
        if key == "view":
            for name, player in value["players"].items():
                looking = value["phase"] == "plate" and name == seat == value["player"]
                assert looking or set(player["plate"]) <= {"?"}
                assert name == seat or set(player["mission"] or "?") == {"?"}
        if key == "scores" and isinstance(value, dict):
            for name, parts in value.items():
                if isinstance(parts, dict) and name != seat:
                    assert not parts.get("missions")
