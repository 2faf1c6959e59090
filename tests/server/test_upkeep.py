"""The host's commands over real stores: list, replay, repair, export, import, delete."""

from __future__ import annotations

import contextlib
import json
import random
import sqlite3
import threading
from typing import Any

import psycopg
import pytest
import sqlalchemy as sa
from tests.server.harness import Server, play_on

from hansa.server.admin import main


@pytest.fixture
def admin(capsys):
    """One command in this process: what it printed, its exit status checked."""

    def run(*arguments, status=0):
        assert main([str(argument) for argument in arguments]) == status
        printed = capsys.readouterr()
        return printed.out + printed.err

    return run


@pytest.fixture(scope="module")
def stored(tmp_path_factory):
    """A store with one finished and one running game, its server stopped."""
    data = tmp_path_factory.mktemp("data")
    server = Server(data).start()
    with server.client("Alheyd") as client:
        ids = []
        for until in (lambda s: s.position["over"], lambda s: s.position["number"] >= 80):
            table = client.table("me", "me", "me")
            socket = client.socket(table["id"])
            socket.receive()
            play_on(socket, random.Random(3), until=until)
            ids.append(table["id"])
        account = client.register()
    assert server.stop() == 0
    return data, ids, account


def test_looking(admin, stored):
    data, (finished, running), account = stored
    listed = admin("list", "--data", data)
    assert finished in listed
    assert running in listed
    assert finished not in admin("list", "--status", "running", "--data", data)
    assert "decisions stand" in admin("show", finished, "--data", data)
    assert "accounts: 1" in admin("people", "--data", data)
    taken = admin("storage", "--data", data)
    assert float(taken.split()[0]) > 0.1
    assert account in taken
    assert "there is no game nothing" in admin("show", "nothing", "--data", data, status=2)
    assert "--status" in admin("list", "--status", "odd", "--data", data, status=2)
    assert len(admin("reset-code", account, "--data", data).strip()) == 10
    admin("reset-code", "nobody", "--data", data, status=2)


def test_a_game_that_was_over_says_that_its_secrets_are_known(admin, stored, tmp_path):
    """Opened again it would be played on by those who have read its record."""
    data, (finished, _), _ = stored
    admin("export", tmp_path / "all.jsonl", "--data", data)
    admin("import", tmp_path / "all.jsonl", "--data", tmp_path)
    with contextlib.closing(sqlite3.connect(tmp_path / "hansa.sqlite3")) as database, database:
        database.execute(
            "UPDATE entries SET text = 'end' WHERE game = ? AND kind = 'decision' AND number > 50",
            (finished,),
        )
        database.execute("UPDATE games SET options = json_set(options, '$.rated', json('true'))")
    assert "opened again" in admin("repair", finished, "--data", tmp_path)
    with contextlib.closing(sqlite3.connect(tmp_path / "hansa.sqlite3")) as database:
        (text,) = database.execute("SELECT options FROM games WHERE id = ?", (finished,)).fetchone()
    options = json.loads(text)
    assert (options["seeded"], options["rated"]) == (True, False)


def test_replay_finds_what_differs_and_repair_mends_it(admin, stored, tmp_path):
    data, (finished, running), account = stored
    assert "2 the same, 0 different" in admin("replay", "--data", data)
    copy = tmp_path / "copy"
    admin("export", tmp_path / "all.jsonl", "--data", data)
    admin("import", tmp_path / "all.jsonl", "--data", copy)
    assert "2 the same, 0 different" in admin("replay", "--data", copy)
    with sqlite3.connect(copy / "hansa.sqlite3") as database:
        database.execute(
            "UPDATE entries SET text = 'place t groningen-emden/1' WHERE game = ? AND number IN (50, 51)",
            (running,),
        )
    database.close()
    assert "1 different" in admin("replay", "--data", copy, status=1)
    assert "taken back to decision" in admin("repair", running, "--data", copy)
    admin("repair", "nothing", "--data", copy, status=2)
    server = Server(copy).start()
    try:
        with server.client() as client:
            client.post("/api/session", {"account": account, "password": "long enough"})
            state = client.get(f"/api/games/{running}/state")
            assert 48 <= state["position"]["number"] < 51
            assert state["position"]["legal"]
            assert client.get(f"/api/games/{finished}")["status"] == "over"
    finally:
        assert server.stop() == 0


def test_import_refuses_what_is_none(admin, stored, tmp_path):
    data, *_ = stored
    bad = tmp_path / "bad.jsonl"
    bad.write_text("{}\n")
    assert "no export" in admin("import", bad, "--data", tmp_path / "new", status=2)
    bad.write_text('{"hansa": "export", "version": 1}\n{"table": "games", "row": {"id": 1}}\n')
    assert "line 2" in admin("import", bad, "--data", tmp_path / "new", status=2)
    bad.write_text("nonsense\n")
    assert "line 1" in admin("import", bad, "--data", tmp_path / "new", status=2)
    assert "not empty" in admin("import", bad, "--data", data, status=2)
    admin("export", bad, "--data", data, status=2)


def test_from_sqlite_to_postgresql(admin, stored, tmp_path, postgres, monkeypatch):
    data, (finished, _), _ = stored
    admin("export", tmp_path / "all.jsonl", "--data", data)
    monkeypatch.setenv("HANSA_DATABASE", postgres.new_database())
    admin("import", tmp_path / "all.jsonl")
    assert "2 the same, 0 different" in admin("replay")
    assert finished in admin("list")
    assert "deleted" in admin("delete", finished, "--yes")
    assert finished not in admin("list")


def test_a_running_server_keeps_its_games(admin, sqlite_server):
    """With SQLite nobody else changes what a server holds in memory."""
    with sqlite_server.client("Alheyd") as client:
        game = client.table("me", "me")["id"]
        for command in (("delete", game, "--yes"), ("repair", game)):
            said = admin(*command, "--data", sqlite_server.data, status=2)
            assert "another server uses" in said
        shown = admin("show", game, "--data", sqlite_server.data)
        assert "told when it is over" in shown, "a host may be a player"
        assert client.get(f"/api/games/{game}")["status"] == "running"


def test_one_store_by_two_ways_is_one_store(admin, sqlite_server, tmp_path):
    """Somebody moved it to another disk, say: two servers would each show their own half of a game."""
    (tmp_path / "hansa.sqlite3").symlink_to(sqlite_server.data / "hansa.sqlite3")
    assert "another server uses" in admin("repair", "nothing", "--data", tmp_path, status=2)


def test_servers_of_a_shared_store_are_told(admin, postgresql_server, monkeypatch):
    monkeypatch.setenv("HANSA_DATABASE", postgresql_server.settings["database"])
    with postgresql_server.client("Alheyd") as client:
        game = client.table("me", "me", "me")["id"]
        socket = client.socket(game)
        socket.receive()
        assert socket.act("end")["type"] == "ack"
        assert "1 of 1 decisions replayed" in admin("repair", game)
        assert socket.act("end")["type"] == "ack"
        assert "deleted" in admin("delete", game, "--yes")
        assert socket.closed() == 4404
        assert client.get(f"/api/games/{game}", 404)["code"] == "not_found"


@pytest.mark.parametrize(
    ("command", "last"), [("close", "UPDATE games"), ("delete", "DELETE FROM games")]
)
def test_a_game_ends_or_goes_although_it_is_played_without_a_break(
    admin, postgresql_server, monkeypatch, command, last
):
    """Machines may play it, and decide in the very moment."""
    database = postgresql_server.settings["database"]
    monkeypatch.setenv("HANSA_DATABASE", database)
    with (
        postgresql_server.client("Alheyd") as client,
        psycopg.connect(database, autocommit=True) as watching,
    ):
        game = client.table("me", "me", "me")["id"]
        answers: list[int] = []

        def end() -> None:
            wish = {"decision": "end", "number": 0}
            answers.append(client.http.post(f"/api/games/{game}/act", json=wish).status_code)

        deciding = threading.Thread(target=end)

        def decide(_connection: Any, _cursor: Any, statement: str, *_more: Any) -> None:
            if not statement.startswith(last) or deciding.ident is not None:
                return
            deciding.start()
            waits = "SELECT 1 FROM pg_locks WHERE NOT granted"
            while not answers and watching.execute(waits).fetchone() is None:
                pass

        sa.event.listen(sa.Engine, "before_cursor_execute", decide)
        try:
            admin(command, game, *(["--yes"] if command == "delete" else []))
        finally:
            sa.event.remove(sa.Engine, "before_cursor_execute", decide)
            deciding.join()
        assert answers == [200 if command == "close" else 404]
        assert client.http.get(f"/api/games/{game}").status_code == answers[0]


def test_what_is_not_there_is_not_made(admin, tmp_path):
    missing = tmp_path / "typo"
    for command in (("list",), ("replay",), ("people",), ("export", tmp_path / "all.jsonl")):
        assert "there is no store" in admin(*command, "--data", missing, status=2)
    assert not missing.exists()
    assert not (tmp_path / "all.jsonl").exists()
    assert "Commands:" in admin()
    assert "no-such-file" in admin("import", "no-such-file", "--data", missing, status=2)


def test_secrets_are_for_the_servers_user_alone(admin, stored, tmp_path):
    data, *_ = stored
    target = tmp_path / "new"
    admin("export", tmp_path / "all.jsonl", "--data", data)
    admin("import", tmp_path / "all.jsonl", "--data", target)
    for path, mode in (
        (target, 0o700),
        (target / "hansa.sqlite3", 0o600),
        (tmp_path / "all.jsonl", 0o600),
    ):
        assert path.stat().st_mode & 0o777 == mode, path
