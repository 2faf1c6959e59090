"""The OpenAPI document describes the server, and nothing it allows brings the server down."""

from __future__ import annotations

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

from hansa.server.wire import shapes

#: After these nobody would be known any more.
ENDS = {"/api/me/farewell", "/api/session"}


@pytest.fixture(scope="session")
def api(sqlite_server):
    """The document, and what there is at the places that it leaves open."""
    with sqlite_server.client("Fuzz") as client, sqlite_server.client("Other") as other:
        running = client.table("me", "me", visibility="open")
        waiting = client.table("me", "open", visibility="open", start=False)
        over = client.table("me", "me", visibility="open")
        socket = client.socket(over["id"])
        socket.receive()
        socket.ask("concede", seat="p1")
        study = client.post("/api/studies", {"game": over["id"], "number": 0, "name": "x"}, 201)
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
        cookie = f"hansa_session={client.http.cookies['hansa_session']}"
    return schemathesis.openapi.from_url(f"{sqlite_server.url}/openapi.json"), there, cookie


# schemathesis draws with the `random` module inside its own strategies.
@pytest.mark.filterwarnings("ignore::hypothesis.errors.HypothesisDeprecationWarning")
def test_no_request_breaks_it(api):
    api, there, cookie = api
    operations = [found.ok() for found in api.get_all_operations()]
    assert len(operations) > 30
    for operation in operations:

        @settings(
            max_examples=12, deadline=None, suppress_health_check=list(HealthCheck), database=None
        )
        @given(case=operation.as_strategy(), chance=st.integers(0, 99))
        def sends_anything(case, chance):
            if case.path not in ENDS:
                case.headers = {**case.headers, "Cookie": cookie}
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
        for path, operations in document["paths"].items():
            for operation in operations.values():
                assert ("4XX" in operation["responses"]) == path.startswith("/api/")
                assert "400" not in operation["responses"]
        assert set(schemas["ErrorBody"]["properties"]) == {"code", "message", "detail"}


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
