"""Servers for the tests: SQLite always, PostgreSQL started for the session."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.server.harness import Server
from tests.server.postgres import Postgres


@pytest.fixture(scope="session")
def postgres():
    running = Postgres.start()
    yield running
    running.stop()


def _served(server: Server) -> Iterator[Server]:
    yield server.start()
    assert server.stop() == 0
    assert not [line for line in server.errors if "[error" in line], server.errors


@pytest.fixture(scope="session")
def sqlite_server(tmp_path_factory):
    yield from _served(Server(tmp_path_factory.mktemp("data")))


@pytest.fixture(scope="session")
def postgresql_server(tmp_path_factory, postgres):
    database = postgres.new_database()
    yield from _served(Server(tmp_path_factory.mktemp("data"), database=database))


@pytest.fixture(params=["sqlite", "postgresql"])
def server(request):
    return request.getfixturevalue(f"{request.param}_server")


@pytest.fixture
def client(server):
    with server.client("Alheyd") as somebody:
        yield somebody


@pytest.fixture
def other(server):
    with server.client("Bertram") as somebody:
        yield somebody
