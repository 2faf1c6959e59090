"""What travels is declared once: text made from it is current, and the server keeps to it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest
import yaml
from tests.server.harness import Client, Server, Socket, deadline_is_past
from tests.server.shapes import address_of, fits

import hansa
from hansa.server import referee
from hansa.server.wire import __main__ as writing
from hansa.server.wire import documents, shapes, typescript
from hansa.server.wire.addresses import addresses
from hansa.server.wire.errors import CODES
from hansa.server.wire.events import EVENTS
from hansa.server.wire.log import EntryKind
from hansa.server.wire.positions import UndoFace
from hansa.server.wire.setups import SWITCHES, SetupWish
from hansa.server.wire.socket import ClientMessage, ServerMessage

ROOT = Path(__file__).parents[2]
PROTOCOL = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8")
GAMES = sorted((ROOT / "tests" / "games").glob("*.hansa"))
_PAST = UndoFace(free=False, to=None, reason="history")
_JSON = re.compile(r"(?:<!-- example: (\w+) -->\n)?```json\n(.*?)```", re.DOTALL)


# What is written from the types


def test_what_is_made_from_the_types_is_current():
    old = [str(file.relative_to(ROOT)) for file, _ in writing.outdated()]
    assert not old, f"run `make generate`: {', '.join(old)}"


def test_a_changed_file_is_noticed_and_written_anew(tmp_path, monkeypatch):
    for file, text in list(writing._made()):
        copy = tmp_path / file.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(text, encoding="utf-8")
    monkeypatch.setattr(writing, "ROOT", tmp_path)
    assert writing.main(["--check"]) == 0
    page = tmp_path / "web" / "src" / "lib" / "wire.ts"
    good = page.read_text(encoding="utf-8")
    page.write_text(good.replace("revision: number", "revision: string"), encoding="utf-8")
    assert writing.main(["--check"]) == 1
    assert writing.main([]) == 0
    assert page.read_text(encoding="utf-8") == good


def test_a_table_of_something_that_does_not_exist_cannot_be_written():
    for mark in ("types Tabel", "requests gossip", "evens", "messages Gossip"):
        with pytest.raises(documents.UnknownTable):
            documents.filled(f"<!-- wire: {mark} -->\n<!-- /wire -->")


def test_every_type_is_written_in_every_place():
    written = typescript.written()
    for name in (*shapes.TYPES, *shapes.UNIONS):
        assert re.search(rf"^export (interface|type) {name} ", written, re.MULTILINE), name
        assert name in shapes.document()["$defs"]


@pytest.mark.parametrize(
    ("schema", "text"),
    [
        ({"type": "integer", "minimum": 0}, "number"),
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, "string | null"),
        (
            {"type": "array", "items": {"anyOf": [{"type": "string"}, {"type": "null"}]}},
            "(string | null)[]",
        ),
        (
            {"type": "array", "prefixItems": [{"type": "number"}, {"type": "number"}]},
            "[number, number]",
        ),
        (
            {"type": "object", "additionalProperties": {"type": "boolean"}},
            "Record<string, boolean>",
        ),
        (
            {
                "type": "object",
                "propertyNames": {"enum": ["p5", "p4", "p3", "p2", "p1"]},
                "additionalProperties": {"$ref": "#/$defs/Score"},
            },
            "Partial<Record<Seat, Score>>",
        ),
        ({"enum": ["t", "m"]}, "Shape"),
        ({"enum": [True]}, "true"),
        ({}, "unknown"),
    ],
)
def test_types_in_typescript(schema, text):
    assert typescript.notation(schema) == text


# The set-up has one home


def test_a_set_up_is_asked_for_by_the_options_of_the_library():
    options = [option for option in SetupWish.__struct_fields__ if option != "seed"]
    assert SetupWish.__struct_fields__ == tuple(hansa.Game.new(seed=1).to_dict()["game"])
    assert all(getattr(SetupWish(), name) is not None for name in options if name != "duel")
    assert set(SWITCHES) == {"missions", "favours", "promos", "border_fee"}


# Addresses and errors


def test_every_address_says_what_it_takes_and_gives():
    for address in addresses():
        assert address.text, address.path
        if address.answer is None:
            assert address.path in {
                "/api/games/{game_id}/record",
                "/api/studies/{study_id}/record",
                "/metrics",
            }, address
        else:
            assert address.answer in shapes.TYPES, address
        assert address.body is None or address.body in shapes.TYPES, address


def test_every_code_of_an_error_is_declared_and_used():
    source = "".join(
        file.read_text(encoding="utf-8")
        for file in (ROOT / "src" / "hansa" / "server").glob("*.py")
    )
    raised = set(re.findall(r'TableError\(\s*"(\w+)"', source))
    by_status = set(re.findall(r'^    4\d\d: "(\w+)"', source, re.MULTILINE))
    assert raised | by_status == set(CODES)


# The examples of the document


def test_every_example_of_the_protocol_fits_its_type():
    found = _JSON.findall(PROTOCOL)
    assert len(found) > 6
    for name, text in found:
        assert name, f"say of which type this is an example: {text[:60]}"
        fits(name, json.loads(text), part=True)


def test_an_example_with_an_unknown_event_or_key_does_not_fit():
    placed = {"events": [{"type": "placed", "piece": "p1:t"}]}
    with pytest.raises(AssertionError, match="LogEntry"):
        fits("LogEntry", placed, part=True)
    with pytest.raises(AssertionError, match="Additional properties"):
        fits("TableFace", {"titel": "Friday"}, part=True)


def test_the_exchange_of_the_protocol_could_happen():
    lines = re.findall(r"^([→←]) (.*)$", PROTOCOL, re.MULTILINE)
    assert len(lines) > 8
    for arrow, line in lines:
        asked = re.match(r"(GET|POST) (\S+) (\{.*)", line)
        if asked:
            address = address_of(asked[1], asked[2])
            assert address is not None
            assert address.body is not None
            fits(address.body, json.loads(asked[3]))
        elif line.startswith("{"):
            kind = "ClientMessage" if arrow == "→" else "ServerMessage"
            fits(kind, json.loads(line), part=arrow == "←")


def test_every_address_named_in_the_documents_exists():
    known = {"/openapi.json", "/api/games/x/socket"}
    for file in sorted((ROOT / "docs").glob("*.md")):
        text = file.read_text(encoding="utf-8")
        for method, path in re.findall(r"`(GET|POST|PUT|DELETE) (/[^`\s?]*)", text):
            concrete = re.sub(r"\{\w+\}", "x", path)
            assert concrete in known or address_of(method, concrete), (
                f"{file.name}: {method} {path}"
            )


# What the engine and a real server say


@pytest.mark.parametrize("file", GAMES, ids=lambda file: file.stem)
def test_positions_and_events_of_whole_games_fit(file):
    finished = hansa.Game.from_record(file.read_text(encoding="utf-8"))
    game = finished.copy()
    for _ in finished.history:
        game.undo()
    for number, action in enumerate(finished.history):
        shown = referee.position(
            game, game.player, at=(number, number), undo=_PAST, show_seed=False
        )
        fits("Position", _as_sent(shown))
        for event in referee.told(game.play(action)):
            fits("GameEvent", event)


def _as_sent(message: Any) -> Any:
    return json.loads(msgspec.json.encode(message))


def _told_by_scenarios() -> list[dict[str, Any]]:
    """The events of all examples of the rules, positions on the way held against their type."""
    told = []
    for file in sorted((ROOT / "tests" / "scenarios").rglob("*.yaml")):
        for example in yaml.safe_load_all(file.read_text(encoding="utf-8")):
            if example.get("error") or not example.get("play"):
                continue
            game = hansa.Game.from_dict(
                {"game": example["game"], **(example.get("position") or {})}
            )
            for step in example["play"]:
                told += referee.told(game.play(step.rpartition("> ")[2]))
                shown = referee.position(game, None, at=(0, 0), undo=_PAST, show_seed=True)
                fits("Position", _as_sent(shown))
    return told


def test_every_kind_of_event_fits():
    """Whatever the examples of the rules bring about; and no kind of event is left out."""
    told = _told_by_scenarios()
    for event in told:
        fits("GameEvent", event)
    assert {event["type"] for event in told} == set(EVENTS)


class Talk:
    """Sends every kind of message a client has, and remembers which."""

    def __init__(self, socket: Socket) -> None:
        self.socket, self.said = socket, set[str]()

    def ask(self, type_: str, /, **fields: Any) -> dict[str, Any]:
        self.note(type_, fields)
        return self.socket.ask(type_, **fields)

    def note(self, type_: str, fields: dict[str, Any]) -> None:
        fits("ClientMessage", {"type": type_, **fields})
        self.said.add(type_)

    def look(self, seat: str | None) -> None:
        self.note("look", {"seat": seat})
        self.socket.connection.send(json.dumps({"type": "look", "seat": seat}))
        self.socket.until("update")

    def act(self, decision: str) -> dict[str, Any]:
        now = self.socket.position
        return self.ask("act", decision=decision, number=now["number"], revision=now["revision"])


def _three(one: Client, two: Client) -> tuple[Talk, Talk, str]:
    """A running table: p1 and p3 are the one's, p2 is the other's."""
    table = one.table("me", "open", "me", start=False, absence=0.5)["id"]
    here = Talk(one.socket(table))
    invite = here.socket.receive()["table"]["seats"][1]["invite"].removeprefix("/i/")
    two.post(f"/api/invites/{invite}", {"name": "Bertram"})
    there = Talk(two.socket(table))
    one.post(f"/api/games/{table}/start")
    for talk in (here, there):
        talk.socket.wait_for(lambda s: bool(s.position))
    return here, there, table


def _talk_about_everything(here: Talk, there: Talk, two: Client, table: str) -> Talk:
    here.ask("ping")
    here.look(None)
    here.look("auto")
    assert here.ask("chat", text="Good luck!")["type"] == "ack"
    assert here.act("place t nowhere/1")["type"] == "error"
    assert here.act("income 1 0")["type"] == "ack"
    assert here.ask("undo", number=1)["type"] == "ack"
    here.socket.wait_for(lambda s: s.position["revision"] == 2)
    assert here.act("end")["type"] == "ack"
    there.socket.wait_for(lambda s: s.position["revision"] == 3)
    assert there.ask("undo", number=1)["code"] == "undo_needs_consent"
    there.socket.close()
    deadline_is_past(here.socket, "p2")
    assert here.ask("propose", kind="standin", seat="p2")["type"] == "ack"
    back = Talk(two.socket(table))
    back.socket.receive()
    assert back.ask("return")["type"] == "ack"
    assert here.ask("concede", seat="p3")["type"] == "ack"
    _say_no_and_nothing(here, back)
    assert here.ask("propose", kind="end")["type"] == "ack"
    back.socket.wait_for(lambda s: bool(s.table["proposals"]))
    (proposal,) = back.socket.table["proposals"]
    assert back.ask("vote", proposal=proposal["id"], yes=True)["type"] == "ack"
    here.socket.wait_for(lambda s: s.table["status"] == "over")
    return back


def _say_no_and_nothing(here: Talk, back: Talk) -> None:
    """Two votes that fail: refused, and out of time."""
    for kind in ("refused", "lapsed"):
        assert here.ask("propose", kind="end")["type"] == "ack"
        back.socket.wait_for(lambda s: bool(s.table["proposals"]))
        if kind == "refused":
            back.ask("vote", proposal=back.socket.table["proposals"][0]["id"], yes=False)
        here.socket.wait_for(lambda s, kind=kind: s.entries[-1]["kind"] == kind)
        back.socket.wait_for(lambda s: not s.table["proposals"])


def test_every_kind_of_message_is_said_and_heard(tmp_path):
    """The harness holds whatever is heard against its type as it comes."""
    server = Server(tmp_path).start()
    with server.client("Alheyd") as one, server.client("Bertram") as two:
        here, there, table = _three(one, two)
        back = _talk_about_everything(here, there, two, table)
        slow = one.socket(one.table("me", "me", clock={"bank": 1, "consequence": "bot"})["id"])
        slow.wait_for(lambda s: any(e["kind"] == "timeout" for e in s.entries), 60)
        assert server.stop() == 0
        here.socket.wait_for(lambda s: '"bye"' in s.received[-1])
        sockets = [talk.socket for talk in (here, there, back)]
        heard = {json.loads(raw)["type"] for socket in sockets for raw in socket.received}
        kinds = {entry["kind"] for entry in here.socket.entries + slow.entries}
    said = here.said | there.said | back.said
    assert heard == {kind.__struct_config__.tag for kind in get_args(ServerMessage)}
    assert said == {kind.__struct_config__.tag for kind in get_args(ClientMessage)}
    assert kinds == set(get_args(EntryKind))


def test_boards_and_the_library_fit(sqlite_server):
    with sqlite_server.client() as somebody:
        for board in somebody.get("/api/boards")["boards"]:
            somebody.get(f"/api/boards/{board}")
        for path in ("/api/setups", "/api/bots", "/api/protocol", "/api/me", "/health"):
            somebody.get(path)
        assert somebody.post("/api/setups/check", {"board": "east"})["ok"]
        assert not somebody.post("/api/setups/check", {"board": "east", "missions": True})["ok"]
