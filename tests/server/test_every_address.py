"""One evening at a club, in which everything that can be asked over HTTP is asked once, and well.

What comes back is held against its declared type (`harness`), and nothing that the document names
is left out: a new address has to find its place in this story.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.server.harness import Client, Server
from tests.server.outside import CALLS, Browser, Listener, Mailbox, listening
from tests.server.shapes import address_of
from tests.server.test_order import appoint, id_of

from hansa.server.accounts import set_reset_code
from hansa.server.store import Store
from hansa.server.wire.addresses import addresses

RECORD = (Path(__file__).parents[1] / "games" / "hansa-23-3-bigbox-102.hansa").read_text()
PASSWORD = {"password": "long enough"}


class Teller(Client):
    """A client that notes what it asked for and got."""

    told: set[tuple[str, str]]

    def note(self, method: str, path: str, answer: Any) -> None:
        address = address_of(method, path)
        assert address is not None, path
        assert answer.status_code == address.status, f"{method} {path}: {answer.text}"
        self.told.add((method, address.path))

    def ask(self, line: str, body: Any = None, **query: Any) -> Any:
        """`POST /games/x/start`, below /api."""
        method, path = line.split()
        path = path if path.startswith(("/health", "/metrics")) else f"/api{path}"
        answer = self.http.request(method, path, json=body, params=query)
        self.note(method, path, answer)
        if "json" not in answer.headers["content-type"]:
            return answer.text
        return self._checked(method, path, answer)


@pytest.fixture
def club(tmp_path, postgres):
    """A server with all that a host can set up."""
    box, database = Mailbox(), postgres.new_database()
    server = Server(tmp_path, database=database, **CALLS, mail_port=box.port).start()
    yield server
    status = server.stop()
    box.close()
    assert status == 0
    assert not [line for line in server.errors if "[error" in line], server.errors


def test_everything_is_asked_once(club):
    told: set[tuple[str, str]] = set()
    with (
        Teller(club) as host,
        Teller(club, "Bertram") as guest,
        Teller(club, "Order") as admin,
        listening() as service,
    ):
        host.told = guest.told = admin.told = told
        name = becomes_known(host)
        game = fills_a_table(host, guest)
        plays(host, guest, game)
        looks_back(host, game)
        studies(host, game)
        is_told(host, service, game)
        meets(host, guest)
        keeps_order(club, admin, guest, game)
        looks_round(host)
        goes(club, host, name)
    missing = {(a.method, a.path) for a in addresses()} - told
    assert not missing


def becomes_known(host: Teller) -> str:
    host.ask("POST /me", {"name": "Alheyd"})
    offer = host.ask("POST /account/name", {"wish": "Alheyd"})
    host.ask("POST /account", offer | PASSWORD)
    name = str(host.ask("GET /me")["person"]["account"])
    host.ask("POST /session", {"account": name} | PASSWORD)
    token = host.ask("POST /me/tokens", {"name": "bot\0"})["id"]
    host.ask("GET /me/tokens")
    host.ask(f"DELETE /me/tokens/{token}")
    for session in host.ask("GET /me/sessions")["sessions"]:
        if not session["here"]:
            host.ask(f"DELETE /me/sessions/{session['id']}")
    host.ask("DELETE /me/sessions/k7Qm2xWd9aTe")
    host.ask("DELETE /me/sessions")
    return name


def fills_a_table(host: Teller, guest: Teller) -> str:
    seats = [{"kind": "me"}, {"kind": "open"}, {"kind": "open"}]
    wish = {"setup": {"players": 3}, "seats": seats, "order": "fixed", "visibility": "open"}
    host.ask("POST /setups/check", {"players": 3})
    table = host.ask("POST /games", wish | {"name": "Kontor\0"})
    path = f"/games/{table['id']}"
    token = table["seats"][1]["invite"].rpartition("/")[2]
    guest.ask(f"GET /codes/{table['code']}")
    guest.ask(f"GET /invites/{token}")
    guest.ask(f"POST /invites/{token}", {"name": "Bertram"})
    guest.ask(f"POST {path}/leave", {})
    guest.ask(f"POST {path}/join", {"seat": "p2"})
    guest.ask(f"PUT {path}/seats/p2/colour", {"colour": "p4"})
    host.ask(f"POST {path}/seats/p2/move", {"to": "p3"})
    host.ask(f"PUT {path}/seats/p2", {"kind": "bot", "bot": "random"})
    host.ask(f"PUT {path}/room", {"auto_start": False})
    host.ask(f"POST {path}/start")
    removed = host.ask("POST /games", wish)
    host.ask(f"DELETE /games/{removed['id']}")
    return str(table["id"])


def plays(host: Teller, guest: Teller, game: str) -> None:
    path = f"/games/{game}"
    host.ask(f"GET {path}")
    position = host.ask(f"GET {path}/state")["position"]
    decision = next(text for text in position["legal"] if text.startswith("place"))
    host.ask(f"GET {path}/preview", number=0, seat="p1", decision=decision)
    host.ask(f"GET {path}/why", seat="p1", decision="place t groningen-emden/9")
    guest.ask(f"POST {path}/prepared", {"number": 0, "seat": "p3", "decisions": ["end"]})
    host.ask(f"POST {path}/act", {"number": 0, "decision": decision})
    host.ask(f"POST {path}/undo", {"number": 1})
    for client in (guest, host):
        socket = client.socket(game)
        socket.receive()
        assert socket.ask("chat", text="Good game!\0")["type"] == "ack"
        socket.ask("concede")
        socket.close()


def looks_back(host: Teller, game: str) -> None:
    path = f"/games/{game}"
    assert host.ask(f"GET {path}")["status"] == "over"
    for what in ("log", "chart", "record", "ratings", "review", "positions/0"):
        host.ask(f"GET {path}/{what}")
    host.ask(f"POST {path}/review")
    host.ask(f"POST {path}/analysis", {"number": 0, "bot": "random"})
    host.ask(f"POST {path}/line", {"number": 0, "decisions": ["end"]})
    host.ask(f"PUT {path}/archived", {"archived": True})
    host.ask("GET /games", mine="true", archived="true")
    host.ask(f"POST {path}/rematch")
    seats = [{"kind": "me"}] * 3
    host.ask(f"POST {path}/fork", {"number": 0, "seats": seats})
    host.ask("POST /records", {"record": RECORD, "name": "An old game\0"})


def studies(host: Teller, game: str) -> None:
    wish = {"name": "Openings\0", "game": game, "number": 0, "comment": "Why?\0"}
    study = host.ask("POST /studies", wish)["id"]
    host.ask("GET /studies")
    host.ask(f"GET /studies/{study}")
    host.ask(f"PUT /studies/{study}", wish | {"name": "Endings"})
    host.ask(f"GET /studies/{study}/record")
    host.ask(f"DELETE /studies/{study}")
    host.ask("POST /studies/records", {"record": RECORD, "name": "Read\0"})
    puzzle = host.ask("GET /puzzles")["shipped"][0]["id"]
    host.ask(f"GET /puzzles/{puzzle}")
    host.ask(f"POST /puzzles/{puzzle}/line", {"decisions": [], "reveal": True})


def is_told(host: Teller, service: Listener, game: str) -> None:
    calls = host.ask("POST /me/calls/devices", Browser(service).wish)
    assert host.ask("POST /me/calls/test", {"way": "push"}) == {"outcome": "sent"}
    host.ask(f"DELETE /me/calls/devices/{calls['devices'][0]['id']}")
    host.ask("PUT /me/calls/mail", {"address": "alheyd@example.org"} | PASSWORD)
    host.ask("GET /me/calls")
    host.ask("DELETE /me/calls/mail")
    host.ask(f"PUT /games/{game}/hook", {"service": "json", "address": service.address})
    host.ask(f"DELETE /games/{game}/hook")


def meets(host: Teller, guest: Teller) -> None:
    other, game = id_of(guest), host.table("me", "open", start=False)["id"]
    host.ask(f"PUT /me/circle/{other}", {"kind": "follow"})
    host.ask(f"POST /games/{game}/invitations", {"person": other})
    guest.ask("GET /me/circle")
    guest.ask(f"DELETE /games/{game}/invitations")
    host.ask(f"DELETE /me/circle/{other}")
    host.ask(f"GET /people/{other}/stats")
    host.ask(f"GET /people/{other}/games")
    host.ask("GET /ladder")
    host.ask("POST /quick", {"kind": {"players": 2}})
    guest.ask("GET /quick")
    host.ask("DELETE /quick")


def keeps_order(club: Server, admin: Teller, guest: Teller, game: str) -> None:
    appoint(club, admin)
    other = id_of(guest)
    guest.ask("POST /reports", {"reason": "Rude\0", "game": game, "seat": "p1"})
    report = admin.ask("GET /admin/reports")["reports"][0]["id"]
    admin.ask(f"POST /admin/reports/{report}/settle")
    admin.ask("GET /admin/people", named="Bertram\0")
    for what in ("mute", "ban"):
        admin.ask(f"PUT /admin/people/{other}/{what}", {"hours": 1})
    admin.ask(f"PUT /admin/people/{other}/name", {"name": "Somebody\0"})
    admin.ask(f"PUT /admin/games/{game}/name", {"name": "A table\0"})
    admin.ask(f"DELETE /admin/games/{admin.table('me', 'me')['id']}")
    admin.ask("GET /admin/deeds")


def looks_round(host: Teller) -> None:
    for what in ("bots", "setups", "house", "preparing", "protocol"):
        host.ask(f"GET /{what}")
    board = host.ask("GET /boards")["boards"][0]
    host.ask(f"GET /boards/{board}")
    for what in ("/health", "/health/live", "/metrics"):
        host.ask(f"GET {what}")


def goes(club: Server, host: Teller, name: str) -> None:
    host.ask("GET /me/data")
    host.ask("POST /account/password", PASSWORD | {"new": "another one"})
    host.ask("DELETE /session")
    host.ask("POST /account/forgotten", {"account": name})
    store = Store(club.settings["database"])
    code = store.now(lambda connection: set_reset_code(connection, name))
    store.close()
    host.ask("POST /account/reset", {"account": name, "code": code, "new": "a third one"})
    host.ask("POST /me/farewell", {"password": "a third one"})
