"""An attacker at the door: each of these once looked possible."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, ClassVar

import httpx
import pytest
from tests.server.harness import Client, Server
from tests.server.outside import until
from tests.server.test_hub import in_hub, wish
from websockets.exceptions import InvalidStatus

import hansa
from hansa.server import reading, referee, text
from hansa.server.border import same_site
from hansa.server.limits import counted
from hansa.server.schema import people, seats

RECORD = (Path(__file__).parents[1] / "games" / "hansa-23-3-bigbox-102.hansa").read_text()


@pytest.fixture
def client(sqlite_server):
    with sqlite_server.client("Alheyd") as somebody:
        yield somebody


@pytest.fixture
def other(sqlite_server):
    with sqlite_server.client("Bertram") as somebody:
        yield somebody


def sit(table: dict[str, Any], other: Client, seat: int = 1) -> None:
    other.post(table["seats"][seat]["invite"].replace("/i/", "/api/invites/"))


# Sessions


def test_sockets_end_with_the_session_they_came_with(client):
    name = client.register()
    game = client.table("me", "me")["id"]
    secret = client.post("/api/me/tokens", {"name": "bot"}, 201)
    with client.server.client() as elsewhere, client.server.client() as program:
        elsewhere.post("/api/session", {"account": name, "password": "long enough"})
        program.http.headers["authorization"] = f"Bearer {secret['token']}"
        old, bot = elsewhere.socket(game), program.socket(game)
        old.receive()
        bot.receive()
        client.send("DELETE", f"/api/me/tokens/{secret['id']}")
        assert bot.closed() == 4401
        body = {"password": "long enough", "new": "something else"}
        client.post("/api/account/password", body)
        assert old.closed() == 4401
        assert elsewhere.get("/api/me")["person"] is None
    socket = client.socket(game)
    assert socket.receive()["position"]["legal"], "whoever changed it goes on"


def test_a_question_that_waits_ends_with_the_token_it_came_with(client, other):
    """Whoever had stolen it was told one position more."""
    client.register()
    secret = client.post("/api/me/tokens", {"name": "bot"}, 201)
    table = client.table("me", "open", start=False, order="fixed")
    path = f"/api/games/{table['id']}"
    sit(table, other)
    client.post(f"{path}/start")
    begun = client.get(f"{path}/state")["position"]
    with client.server.client() as program, ThreadPoolExecutor(1) as thread:
        program.http.headers["authorization"] = f"Bearer {secret['token']}"
        polled = thread.submit(
            program.http.get, f"{path}/state?after={begun['revision']}&wait=30&seat=p1"
        )
        until(lambda: other.get(path)["seats"][0]["present"])
        client.send("DELETE", f"/api/me/tokens/{secret['id']}")
        decider = {"p1": client, "p2": other}[begun["player"]]
        legal = decider.get(f"{path}/state")["position"]["legal"]
        decider.post(f"{path}/act", {"number": 0, "decision": legal[0]})
        assert polled.result().status_code == 401


def test_what_another_process_ended_is_noticed(tmp_path):
    """Signing out may have happened anywhere: each process looks every few seconds."""
    left = []

    class Opened:
        session = "f" * 64
        person = None
        connections: ClassVar[set[object]]

        def leave(self, code, _reason):
            left.append(code)
            self.connections.discard(self)

    async def work(hub, _person):
        opened = Opened()
        Opened.connections = hub.connections
        hub.connections.add(opened)
        await hub.standing.look_at_all()
        hub.connections.clear()

    in_hub(tmp_path, work, rounds=False)
    assert left == [4401]


def test_links_tokens_and_cookies_are_no_keys_to_each_other(client):
    secret = client.post("/api/me/tokens", {"name": "bot"}, 201)["token"]
    cookie = client.http.cookies["hansa_session"]
    with client.server.client() as thief:
        for stolen in (secret, cookie.rsplit(".", 1)[0]):
            raw = {"Cookie": f"hansa_session={stolen}"}
            assert thief.http.get("/api/me", headers=raw).json()["person"] is None
        for stolen in (cookie, secret[:-1], "x", "é"):
            raw_token = {"Authorization": f"Bearer {stolen}".encode()}
            assert thief.http.get("/api/me", headers=raw_token).status_code == 401
        for link in (cookie, secret, "x" * 600, "x" * 700):
            assert thief.http.get(f"/api/notify/{link}").status_code in {400, 404}


# Tables


def test_who_is_sent_away_sees_nothing_more(client, other):
    table = client.table("me", "open", "open", start=False, watchers=False)
    game = table["id"]
    sit(table, other)
    socket = other.socket(game)
    socket.receive()
    client.send("PUT", f"/api/games/{game}/seats/p2", {"kind": "bot", "bot": "random"})
    assert socket.closed() == 4403
    assert other.get(f"/api/games/{game}", 404)["code"] == "not_found"
    unknown = other.get("/api/games/k7Qm2xWd9aTe", 404)
    assert other.get(f"/api/games/{game}", 404) == unknown, "nobody learns that it exists"


def test_a_listed_table_without_watchers_can_be_joined_and_closes_at_the_start(client, other):
    table = client.table("me", "open", start=False, visibility="open", watchers=False)
    game = table["id"]
    with client.server.client("Curious") as curious:
        looking = curious.socket(game)
        looking.receive()
        assert other.post(f"/api/games/{game}/join")["you"]["seats"] == ["p2"]
        client.post(f"/api/games/{game}/start")
        assert looking.closed() == 4403
        assert not [raw for raw in looking.received if '"position":{' in raw]
        assert curious.get(f"/api/games/{game}/state", 404)["code"] == "not_found"
        for path in ("log", "chart", "record", "positions/0"):
            assert curious.get(f"/api/games/{game}/{path}", 404)["code"] == "not_found"


def test_only_links_lead_to_unlisted_tables(client, other):
    table = client.table("me", "open", start=False)
    invite = table["seats"][1]["invite"].replace("/i/", "/api/invites/")
    rows = other.get("/api/games", limit=100)["games"]
    assert table["id"] not in {row["id"] for row in rows}
    seen = other.get(f"/api/games/{table['id']}")
    assert "/i/" not in json.dumps(seen), "whoever watches gets no seat by it"
    for guess in (invite[:-1], invite[:-1] + "zz", invite.lower(), "/api/invites/p2"):
        assert other.get(guess, 404)["code"] == "not_found"
    client.send("PUT", f"/api/games/{table['id']}/seats/p2", {"kind": "open"})
    assert other.post(invite, {}, 404)["code"] == "not_found", "the old link is worthless"


def test_what_only_the_host_or_the_seated_may_do(client, other):
    table = client.table("me", "open", "random", start=False)
    sit(table, other)
    game = table["id"]
    client.post(f"/api/games/{game}/start")
    with client.server.client("Third") as third:
        socket = third.socket(game)
        socket.receive()
        for kind, fields in (
            ("act", {"number": 0, "decision": "end"}),
            ("undo", {"number": 0}),
            ("propose", {"kind": "end"}),
            ("propose", {"kind": "standin", "seat": "p2"}),
            ("vote", {"proposal": 1, "yes": True}),
            ("concede", {"seat": "p1"}),
            ("concede", {}),
            ("return", {}),
        ):
            assert socket.ask(kind, **fields)["type"] == "error", kind
        for method, path, body in (
            ("POST", "act", {"number": 0, "decision": "end"}),
            ("POST", "undo", {"number": 0}),
            ("POST", "start", {}),
            ("POST", "rematch", {}),
            ("POST", "leave", {}),
            ("POST", "join", {}),
            ("PUT", "seats/p1", {"kind": "me"}),
            ("POST", "fork", {"number": 0, "seats": [{"kind": "me"}] * 3}),
            ("POST", "analysis", {"number": 0}),
        ):
            answer = third.http.request(method, f"/api/games/{game}/{path}", json=body)
            assert answer.status_code in {403, 409}, (path, answer.text)
        assert third.http.delete(f"/api/games/{game}").status_code == 403
    assert client.get(f"/api/games/{game}")["revision"] == 0


# Floods


def test_talk_is_counted_for_a_person_not_for_a_window(client):
    game = client.table("me", "me")["id"]
    sockets = [client.socket(game) for _ in range(6)]
    for socket in sockets:
        socket.receive()
    answers = [socket.ask("chat", text="buy!") for socket in sockets for _ in range(3)]
    assert sum(answer["type"] == "ack" for answer in answers) <= 8


def test_guests_do_not_multiply_the_tables_of_an_address(tmp_path):
    server = Server(tmp_path, tables_per_hour=2).start()
    made = 0
    for _ in range(14):
        with server.client("Guest") as guest:
            body = {"setup": {"players": 2}, "seats": [{"kind": "me"}] * 2}
            made += guest.http.post("/api/games", json=body).status_code == 201
    assert made == 10
    assert server.stop() == 0


def test_addresses_of_one_household_count_as_one():
    assert counted("2001:db8:1:2::1") == counted("2001:db8:1:2:ffff::9")
    assert counted("2001:db8:1:2::1") == counted("2001:db8:1:ff::1"), "its networks too"
    assert counted("2001:db8:1:2::1") != counted("2001:db8:1:102::1")
    assert counted("::ffff:10.0.0.1") == counted("10.0.0.1") == "10.0.0.1"
    assert counted("testclient") == "testclient"


def test_a_crowd_of_one_address_comes_in_one_after_the_other(tmp_path):
    """Opening a socket is dear: whoever comes with many waits, and who would wait long is refused."""
    server = Server(tmp_path, requests_per_second=0.05, requests_burst=30).start()
    with server.client("Alheyd") as client:
        game = client.table("me", "me")["id"]
        socket = client.socket(game)
        socket.receive()
        with pytest.raises(InvalidStatus) as refused:
            client.socket(game)
        assert refused.value.response.status_code == 429
        assert int(refused.value.response.headers["retry-after"]) > 8
        assert json.loads(refused.value.response.body)["code"] == "too_many"
        socket.close()
    assert server.stop() == 0


def test_a_long_record_is_stored_as_it_was_played(client):
    """Rows that another process packed are the rows that playing would have made."""
    made = client.send("POST", "/api/records", {"record": RECORD})
    read = reading.record(RECORD, every=32)
    log = client.get(f"/api/games/{made['id']}/log")["log"]
    assert [(e["text"], e["events"]) for e in log] == [
        (e["text"], e["events"]) for e in read["entries"]
    ]
    chart = client.get(f"/api/games/{made['id']}/chart")["points"]
    assert [p["scores"] for p in chart[1:]] == [
        e["points"] for e in read["entries"] if e["points"] is not None
    ]
    played = hansa.Game.from_record(RECORD)
    kept = client.get(f"/api/games/{made['id']}/positions/{len(log)}?open=true")
    assert kept["scores"] == {player: dict(parts) for player, parts in played.scores().items()}


def test_bodies_without_an_end(client):
    def endless() -> Any:
        for _ in range(400):
            yield b"x" * 10_000

    answer = client.http.post("/api/records", content=endless())
    assert answer.status_code == 413
    deep = b"[" * 200_000
    for path in ("/api/games", "/api/records", "/api/me"):
        answer = client.http.post(path, content=deep, headers={"content-type": "application/json"})
        assert answer.status_code == 400, path
    try:
        answer = client.http.get("/api/me", headers={"X-Long": "x" * 5_000_000})
    except httpx.TransportError:
        return  # it hung up before everything was sent
    assert answer.status_code in {400, 431}


# Records


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Hansa record 1\n",
        "Hansa record 1\nSetup: " + "[" * 50_000,
        'Hansa record 1\nSetup: {"players": ' + "9" * 9000 + "}\n",
        'Hansa record 1\nSetup: {"players": 3, "seed": NaN}\n',
        'Hansa record 1\nSetup: {"players": 3}\nSeats: [1]\n',
        'Hansa record 1\nSetup: {"players": 3}\nPosition: {"supply": ["\\ud800"]}\n',
        'Hansa record 1\nSetup: {"players": 3}\nPosition: {"routes": {"../x": {}}}\n',
        'Hansa record 1\nSetup: {"players": 3}\nResult: {"winners": ["p1"]}\n',
        'Hansa record 1\nSetup: {"players": 3}\n\n' + "p1> end\np2> end\np3> end\n" * 1700,
    ],
)
def test_hostile_records_are_refused_with_a_reason(client, text):
    answer = client.http.post("/api/records", content=text.encode())
    assert answer.status_code == 400
    assert answer.json()["code"] == "invalid_record"
    assert answer.json()["message"]
    assert client.get("/api/games", mine="true")["games"] == []


def test_names_in_a_record_are_cleaned(client):
    lines = RECORD.splitlines()
    at = next(n for n, line in enumerate(lines) if line.startswith("Setup"))
    seats_line = json.dumps({"p1": "<b>\u202e\x00" + "x" * 500, "p2": "\ud83d", "p3": " "})
    lines = [line for line in lines if not line.startswith("Seats")]
    lines.insert(at + 1, f"Seats: {seats_line}")
    answer = client.http.post("/api/records", content="\n".join(lines).encode())
    assert answer.status_code == 201, answer.text
    names = [seat["name"] for seat in answer.json()["seats"]]
    assert names[0] == "<b>" + "x" * 37
    assert names[1:] == ["p2", "p3"]


def test_a_name_of_endless_marks_holds_up_nobody(client):
    """Composing them takes the square of their number: 20 s of the event loop for those of a record."""
    endless = "a" + "\u0323\u0301" * 100_000
    assert len(text.clean(endless)) <= 2000
    record = RECORD.replace("\n", f"\nStudy: {endless}\n", 1)
    made = client.post("/api/studies/records", {"record": record}, 201)
    assert len(made["name"]) == 120


def test_reading_a_record_gives_what_playing_gives():
    read = reading.record(RECORD, every=32)
    game = referee.start(read["setup"], read["origin"])
    kept = dict(read["snapshots"])
    for entry in read["entries"]:
        assert (entry["player"], entry["turn"]) == (game.player, game.turn)
        assert referee.told(game.play(entry["text"])) == entry["events"]
        assert entry["next_player"] == game.player
        if entry["number"] in kept:
            assert kept[entry["number"]] == game.to_dict()
    assert read["result"]["winners"] == game.winners


# Time and secrets


def test_a_decision_and_the_clock_race(client):
    """Whatever comes first counts, the other one is refused; the log says so without a gap."""
    clock = {"bank": 1, "increment": 0, "consequence": "lose"}
    runs: list[tuple[dict[str, Any], list[dict[str, Any]]]] = []

    def race(delay: float) -> None:
        with client.server.client("Racer") as racer:
            game = racer.table("me", "random", clock=clock, setup={"duel": "neutral"})["id"]
            socket = racer.socket(game)
            socket.receive()
            due = socket.table["clock_at"] / 1000 + 1 + delay
            time.sleep(max(0.0, due - time.time()))
            answer = socket.ask("act", number=0, decision="end")
            socket.wait_for(lambda s: s.table["status"] == "over" or s.position["number"], 20)
            runs.append((answer, racer.get(f"/api/games/{game}/state")["log"]))
            assert [e["revision"] for e in socket.entries] == list(
                range(1, len(socket.entries) + 1)
            )

    threads = [threading.Thread(target=race, args=(0.004 * n,)) for n in range(-2, 10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(runs) == len(threads)
    for answer, log in runs:
        if answer["type"] == "ack":
            assert log[0]["text"] == "end"
        else:
            assert answer["code"] in {"game_over", "not_your_seat", "stale_number"}
            decided = [entry for entry in log if entry["kind"] == "decision"]
            assert decided == [], "the decision that came too late is not there"


def test_seeds_are_too_many_to_try():
    drawn = [referee.new_seed() for _ in range(50)]
    assert len(set(drawn)) == 50
    assert max(drawn) > 2**48
    assert max(drawn) < 2**53, "a browser's number holds it"


def test_origins_are_compared_as_a_whole():
    assert same_site(None, "h", ())
    assert same_site("https://h:1", "h:1", ())
    assert same_site("https://other", "h", ("https://other",))
    for origin in ("https://h", "https://h:1.evil", "https://evil/h:1", "null", "", "h:1", "//h:1"):
        assert not same_site(origin, "h:1", ()), origin
    assert not same_site("http://", "", ())


def test_guests_who_never_played_are_forgotten(tmp_path):
    async def work(hub, person):
        lost, _ = await hub.accounts.guest("Nobody")
        await hub.lobby.create(person, wish("me", "open"))
        old = people.update().values(created=1)
        await hub.store.write(lambda connection: connection.execute(old))
        await hub.housekeeping.sweep()
        left = await hub.store.read(
            lambda connection: set(connection.execute(people.select()).scalars())
        )
        assert person.id in left
        assert lost.id not in left
        sitting = await hub.store.read(
            lambda connection: connection.execute(seats.select()).fetchall()
        )
        assert sitting

    in_hub(tmp_path, work)


def test_the_log_holds_no_secret(tmp_path):
    server = Server(tmp_path, log_level="debug", log_json="true").start()
    with server.client("Alheyd") as client:
        cookie = client.http.cookies["hansa_session"]
        token = client.post("/api/me/tokens", {"name": "bot"}, 201)["token"]
        client.post("/api/account", {"account": "alheyd", "password": "open sesame"})
        table = client.table("me", "open", "random", start=False)
        invite = table["seats"][1]["invite"]
        socket = client.socket(table["id"])
        socket.receive()
        socket.ask("chat", text="a word between us")
        client.http.get("/api/me", headers={"Authorization": f"Bearer {token}x"})
        client.http.get("/api/games/%00")
    assert server.stop() == 0
    said = "".join(server.errors)
    assert '"event": "ready"' in said
    for secret in (cookie, token, invite, "open sesame", "a word between us"):
        assert secret not in said


def test_many_at_once_do_not_stall_each_other(client):
    """Three hundred windows at one table, and a decision reaches all of them."""

    async def run() -> None:
        from websockets.asyncio.client import connect

        game = client.table("me", "me", "me")["id"]
        url = f"{client.server.url.replace('http', 'ws')}/api/games/{game}/socket"
        opened = await asyncio.gather(*(connect(url, compression=None) for _ in range(300)))
        await asyncio.gather(*(socket.recv() for socket in opened))
        await asyncio.to_thread(
            client.post, f"/api/games/{game}/act", {"number": 0, "decision": "end"}
        )

        async def hears(socket: Any) -> None:
            while json.loads(await socket.recv())["type"] != "update":
                pass

        async with asyncio.timeout(30):
            await asyncio.gather(*(hears(socket) for socket in opened))
        await asyncio.gather(*(socket.close() for socket in opened))

    asyncio.run(run())
