"""Servers for the tests: SQLite always, PostgreSQL started for the session."""

from __future__ import annotations

import pytest

from tests.server.harness import Server
from tests.server.postgres import Postgres


@pytest.fixture(scope="session")
def postgres(tmp_path_factory):
    running = Postgres.start()
    yield running
    running.stop()


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def server(request, tmp_path_factory):
    settings = {}
    if request.param == "postgresql":
        settings["database"] = request.getfixturevalue("postgres").new_database()
    running = Server(tmp_path_factory.mktemp("data"), **settings).start()
    yield running
    assert running.stop() == 0
    assert not [line for line in running.errors if "[error" in line], running.errors


@pytest.fixture(scope="module")
def sqlite_server(tmp_path_factory):
    running = Server(tmp_path_factory.mktemp("data")).start()
    yield running
    assert running.stop() == 0
    assert not [line for line in running.errors if "[error" in line], running.errors


@pytest.fixture
def client(server):
    with server.client("Alheyd") as somebody:
        yield somebody


@pytest.fixture
def other(server):
    with server.client("Bertram") as somebody:
        yield somebody
