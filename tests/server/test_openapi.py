"""The OpenAPI document describes the server, and nothing it allows brings the server down."""

from __future__ import annotations

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)


@pytest.fixture(scope="session")
def api(sqlite_server):
    with sqlite_server.client("Fuzz") as client:
        client.table("me", "me", visibility="open")
        cookie = f"hansa_session={client.http.cookies['hansa_session']}"
    loaded = schemathesis.openapi.from_url(f"{sqlite_server.url}/openapi.json")
    loaded.config.update(headers={"Cookie": cookie})
    return loaded


# schemathesis draws with the `random` module inside its own strategies.
@pytest.mark.filterwarnings("ignore::hypothesis.errors.HypothesisDeprecationWarning")
def test_no_request_breaks_it(api):
    operations = [found.ok() for found in api.get_all_operations()]
    assert len(operations) > 30
    for operation in operations:

        @settings(
            max_examples=12, deadline=None, suppress_health_check=list(HealthCheck), database=None
        )
        @given(case=operation.as_strategy())
        def sends_anything(case):
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


def test_the_protocol_publishes_its_schemas(sqlite_server):
    with sqlite_server.client() as client:
        published = client.get("/api/protocol")
        assert published["protocol"] == 1
        assert {"Act", "Undo", "Say"} <= set(published["client"]["$defs"])
        assert {"Snapshot", "Update", "Position"} <= set(published["server"]["$defs"])
