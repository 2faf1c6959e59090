"""The OpenAPI document describes the server, and nothing it allows brings the server down."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from tests.server.harness import Client, Server
from tests.server.outside import CALLS
from tests.server.test_order import appoint

from hansa.server.wire import shapes

#: After these nobody would be known any more.
ENDS = {"/api/me/farewell", "/api/session"}


class House(NamedTuple):
    """A server, who asks there, and what there is at the places that its document leaves open."""

    server: Server
    cookie: str
    there: dict[str, list[Any]]
    #: Tables that admins may close: others are needed for longer.
    doomed: list[str]


def furnished(server: Server, client: Client, other: Client) -> House:
    """Something of everything, so that not every answer is 404."""
    running = client.table("me", "me", visibility="open")
    waiting = client.table("me", "open", visibility="open", start=False)
    over = client.table("me", "me", visibility="open")
    socket = client.socket(over["id"])
    socket.receive()
    socket.ask("concede", seat="p1")
    socket.close()
    study = client.post("/api/studies", {"game": over["id"], "number": 0, "name": "x"}, 201)
    other.post("/api/reports", {"reason": "x", "game": running["id"]})
    there = {
        "game_id": [table["id"] for table in (running, waiting, over)],
        "board_id": client.get("/api/boards")["boards"],
        "person_id": [other.get("/api/me")["person"]["id"]],
        "study_id": [study["id"]],
        "token": [waiting["seats"][1]["invite"].rpartition("/")[2]],
        "code": [waiting["code"]],
        "seat": ["p1", "p2"],
        "number": [0],
    }
    doomed = [other.table("me", "me", start=start)["id"] for start in (True, False)]
    cookie = f"hansa_session={client.http.cookies['hansa_session']}"
    return House(server, cookie, there, doomed)


@pytest.fixture(params=["a guest", "an admin"])
def house(request, tmp_path):
    """A guest of a plain server; an admin of one on PostgreSQL with all that a host can set up."""
    if request.param == "a guest":
        server = request.getfixturevalue("sqlite_server")
    else:
        database = request.getfixturevalue("postgres").new_database()
        server = Server(tmp_path, database=database, **CALLS, letters_per_hour=100_000).start()
    with server.client("Fuzz") as client, server.client("Other") as other:
        if request.param == "an admin":
            appoint(server, client)
        made = furnished(server, client, other)
        if request.param == "an admin":
            reports = client.get("/api/admin/reports")["reports"]
            made.there["report_id"] = [report["id"] for report in reports]
        yield made
    if request.param == "an admin":
        assert server.stop() == 0
        assert not [line for line in server.errors if "[error" in line], server.errors


# schemathesis draws with the `random` module inside its own strategies.
@pytest.mark.filterwarnings("ignore::hypothesis.errors.HypothesisDeprecationWarning")
def test_no_request_breaks_it(house):
    document: Any = schemathesis.openapi.from_url(f"{house.server.url}/openapi.json")
    operations = [found.ok() for found in document.get_all_operations()]
    assert len(operations) > 30
    for operation in operations:

        @settings(
            max_examples=12, deadline=None, suppress_health_check=list(HealthCheck), database=None
        )
        @given(case=operation.as_strategy(), chance=st.integers(0, 99))
        def sends_anything(case, chance):
            if case.path not in ENDS:
                case.headers = {**case.headers, "Cookie": house.cookie}
            there = house.there
            if case.path.startswith("/api/admin"):
                there = there | {"game_id": house.doomed}
            # Of three requests two ask for something that is there: else every answer is 404.
            for name in case.path_parameters if chance % 3 else ():
                if name in there:
                    case.path_parameters[name] = there[name][chance % len(there[name])]
            if case.path.endswith("/state"):
                case.query = {k: v for k, v in (case.query or {}).items() if k != "wait"}
            case.call_and_validate(
                checks=[
                    not_a_server_error,
                    content_type_conformance,
                    response_schema_conformance,
                    status_code_conformance,
                ]
            )

        sends_anything()


def test_the_document_names_every_address(sqlite_server):
    with sqlite_server.client() as client:
        paths = client.get("/openapi.json")["paths"]
        for path in (
            "/api/games",
            "/api/games/{game_id}/act",
            "/api/games/{game_id}/positions/{number}",
            "/api/invites/{token}",
            "/api/setups",
            "/api/boards/{board_id}",
            "/health",
            "/metrics",
        ):
            assert path in paths
        answers = paths["/health"]["get"]["responses"]
        for status in ("200", "503"):
            shown = answers[status]["content"]["application/json"]["schema"]
            assert shown["$ref"].endswith("/Health"), status


def test_errors_have_their_own_shape_in_the_document(sqlite_server):
    with sqlite_server.client() as client:
        document = client.get("/openapi.json")
        assert client.get("/api/schema/openapi.json") == document
        schemas = document["components"]["schemas"]
        for operations in document["paths"].values():
            for operation in operations.values():
                # Whoever asks too often is sent away from everywhere, /health too.
                assert {"4XX", "5XX"} <= set(operation["responses"])
                assert "400" not in operation["responses"]
        assert set(schemas["ErrorBody"]["properties"]) == {"code", "message", "detail"}


def test_whoever_has_it_already_is_told_so_as_the_document_says(sqlite_server):
    with sqlite_server.client() as client:
        paths = client.get("/openapi.json")["paths"]
        board = client.get("/api/boards")["boards"][0]
        tagged = set()
        for path in paths:
            address = path.replace("{board_id}", board)
            if "get" not in paths[path] or "{" in address:
                continue
            tag = client.http.get(address).headers.get("etag")
            if tag is not None:
                answer = client.http.get(address, headers={"If-None-Match": tag})
                assert (answer.status_code, answer.content) == (304, b"")
                assert "304" in paths[path]["get"]["responses"], path
                tagged.add(path)
        assert {"/api/setups", "/api/boards/{board_id}"} <= tagged


def test_types_are_those_of_the_protocol(sqlite_server):
    """One declaration: the framework guesses from the same classes, and guesses wrong."""
    with sqlite_server.client() as client:
        schemas = client.get("/openapi.json")["components"]["schemas"]
    declared = shapes.document()["$defs"]
    assert len(schemas) > 150
    for name, schema in schemas.items():
        assert schema.get("required") == declared[name].get("required"), name
    assert "coin" not in schemas["HouseFile"]["required"]


def test_the_protocol_publishes_its_schemas(sqlite_server):
    with sqlite_server.client() as client:
        published = client.get("/api/protocol")
        assert published["protocol"] == 1
        assert {"Act", "Undo", "Say"} <= set(published["client"]["$defs"])
        assert {"Snapshot", "Update", "Position"} <= set(published["server"]["$defs"])
