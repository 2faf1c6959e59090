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
from tests.playing import play_out
from tests.server.harness import Client, Server, Socket, play_on
from tests.server.test_hub import in_hub, wish

import hansa

SETUPS = [
    {
        "board": "hansa",
        "missions": True,
        "favours": True,
        "promos": ["exchange", "tribute", "block"],
    },
    {"board": "hansa", "edition": "classic", "missions": True},
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
    """Whatever a curious client may ask for while the game runs, answered or refused."""
    known = len(client.bodies)
    path = f"/api/games/{game}"
    state = client.get(f"{path}/state")
    position = state["position"]
    number, seat = position["number"], position["seat"] or "p1"
    other = chance.choice(["p1", "p2", "p3"])
    decision = chance.choice(position["legal"] or ["end", "lay groningen-emden", "income 1 0"])
    for some in (seat, other):
        asked = {"number": number, "seat": some, "decision": decision}
        client.http.get(f"{path}/preview", params=asked)
        client.http.get(f"{path}/why", params={"seat": some, "decision": decision})
        client.http.get(f"{path}/positions/{chance.randint(0, number)}", params={"seat": some})
        client.http.get(f"{path}/state", params={"seat": some})
    for address in ("positions/0?open=true", "record", "log", "chart", "state?seat=none", "socket"):
        client.http.get(f"{path}/{address}")
    for address, body in (
        ("fork", {"number": number // 2, "seats": [{"kind": "me"}] * 3}),
        ("rematch", {}),
        ("analysis", {"number": number, "bot": "random"}),
        ("analysis", {"number": number // 2, "bot": "random"}),
        ("act", {"number": number, "decision": "fly", "seat": other}),
        ("act", {"number": number, "decision": "lay plus4 groningen-emden"}),
        ("undo", {"number": number - 1}),
        ("line", {"number": number // 2, "decisions": ["end"]}),
        ("review", {}),
        *(("prepared", {"number": n, "seat": seat, "decisions": ["end"]}) for n in (0, number)),
        ("prepared", {"number": number, "seat": other, "decisions": []}),
    ):
        client.http.post(f"{path}/{address}", json=body)
    client.http.post("/api/studies", json={"name": "x", "game": game, "number": number // 2})
    client.http.get(f"/api/puzzles/{game}.{number // 2}")
    client.http.get("/api/me/data")
    client.http.get(path)
    client.http.get("/api/games", params={"status": "running"})
    client.http.get("/api/people/me/stats")
    if client.get(path)["status"] == "over":
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
                while not socket.position["over"]:
                    socket.receive(100)
                    if len(socket.received) % 60 == 0:
                        look_around(person, game, chance)
                return
            for step in range(0, 3000, 40):
                play_on(socket, chance, until=partial(_is_at, step))
                if socket.position["over"]:
                    return
                look_around(person, game, chance)
                if socket.position["undo"]["free"]:
                    socket.ask("undo", number=socket.position["number"])
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
            if raw.startswith("{"):
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


def test_a_hint_knows_no_more_than_its_player(sqlite_server):
    """Alone among bots: analysis, preview and reasons are given, and tell nothing hidden."""
    setup = {"missions": True, "promos": ["exchange", "tribute", "block"]}
    with Spied(sqlite_server, "Alheyd") as client:
        table = client.table("me", "random", "random", setup=setup)
        path = f"/api/games/{table['id']}"
        socket = client.socket(table["id"])
        socket.receive()
        chance = random.Random(6)
        for step in range(0, 120, 12):
            play_on(socket, chance, until=partial(_is_mine_at, step))
            position = socket.position
            number, legal = position["number"], position["legal"]
            for bot in ("greedy", "search:simulations=1"):
                client.post(f"{path}/analysis", {"number": number, "bot": bot})
            for decision in {"end", legal[0], legal[-1]} & set(legal):
                asked = {"number": number, "seat": "p1", "decision": decision}
                client.get(f"{path}/preview", **asked)
        socket.wait_for(lambda s: s.position["legal"], 60)
        bodies = list(client.bodies)
        assert len(bodies) > 30
        assert socket.ask("concede")["type"] == "ack"
        seed = client.get(path)["setup"]["seed"]
        truth = client.get(f"{path}/positions/0", open="true")["view"]
        secrets = {str(seed)} | {
            json.dumps(truth["players"][name]["mission"], separators=(",", ":"))
            for name in ("p2", "p3")
        }
        for raw in [*bodies, *socket.received[:-2]]:
            if '"status":"over"' not in raw and '"over":true' not in raw:
                assert not any(secret in raw for secret in secrets), raw[:300]
                check_shape(json.loads(raw), "p1")


def _is_mine_at(number: int, socket: Socket) -> bool:
    return bool(socket.position["number"] >= number and socket.position["legal"])


def test_a_fork_deals_anew_what_the_record_tells(tmp_path):
    """Whoever read it would know each marker before it comes."""

    async def work(hub, person):
        played = play_out(hansa.Game.new(players=3, seed=7), 7)
        table = await hub.again.upload(person, played.record(), None)
        while len(played.history) > 20:
            played.undo()
        old = played.to_dict()["supply"]
        seats = wish("me", "me", "me", start=True)
        forks = [await hub.again.fork(table, person, 20, seats, seats.seats) for _ in range(3)]
        dealt = [fork.meta.origin["supply"] for fork in forks]
        assert all(sorted(supply) == sorted(old) for supply in dealt)
        assert len({tuple(supply) for supply in [old, *dealt]}) == 4

    in_hub(tmp_path, work)
