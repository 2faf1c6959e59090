"""Backup while people play, restore, upgrade and roll-back, on SQLite."""

from __future__ import annotations

import asyncio
import errno
import io
import json
import os
import re
import shutil
import sqlite3
import subprocess
import threading
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg
import pytest
import sqlalchemy as sa
from tests.server.test_hub import in_hub, wish

from hansa.server import admin, copies, upkeep
from hansa.server.copies import CopyError, backup, restore
from hansa.server.lines import LISTENER
from hansa.server.store import Store, StoreError

MIGRATIONS = Path(copies.__file__).parent / "migrations"


class Slow(io.StringIO):
    """A disk that takes its time: it waits at the first row until it is told."""

    def __init__(self) -> None:
        super().__init__()
        self.begun, self.go_on = threading.Event(), threading.Event()

    def write(self, text: str) -> int:
        if '"table"' in text:
            self.begun.set()
            self.go_on.wait(60)
        return super().write(text)


def test_play_goes_on_while_everything_is_exported(tmp_path):
    async def work(hub, person):
        table = await hub.lobby.create(person, wish("me", "me", "me", start=True))
        beside = Store(f"sqlite:///{tmp_path / 'hansa.sqlite3'}")
        slow = Slow()
        exporting = asyncio.ensure_future(
            asyncio.to_thread(beside.see, lambda connection: upkeep.export(connection, slow))
        )
        await asyncio.to_thread(slow.begun.wait, 60)
        await hub.decisions.act(table, person, "end", 0)
        slow.go_on.set()
        assert await exporting > 3
        beside.close()
        # One moment: the one in which it began.
        told = [json.loads(line) for line in slow.getvalue().splitlines()[1:]]
        assert not [line for line in told if line["table"] == "entries"]

    in_hub(tmp_path, work)


def test_a_backup_made_during_play_is_restored(tmp_path, capsys):
    data, copy = tmp_path / "data", tmp_path / "copy.sqlite3"
    made = []

    async def play(hub, person):
        table = await hub.lobby.create(person, wish("me", "me", "me", start=True))
        await hub.decisions.act(table, person, "end", 0)
        status = await asyncio.to_thread(admin.main, ["backup", str(copy), "--data", str(data)])
        assert status == 0
        # As a server does it; then nobody puts another file in its place.
        hub.store.claim()
        refused = await asyncio.to_thread(admin.main, ["restore", str(copy), "--data", str(data)])
        assert refused == 2
        await hub.decisions.act(table, person, "end", 1)
        made.append(table.id)

    async def look(hub, _person):
        table = await hub.hall.open(made[0])
        assert table.number == 1

    data.mkdir()
    in_hub(data, play)
    assert copy.stat().st_mode & 0o077 == 0
    assert admin.main(["restore", str(copy), "--data", str(data)]) == 0
    assert "the old one is at" in capsys.readouterr().out
    in_hub(data, look)


def test_what_is_no_backup_changes_nothing(tmp_path):
    place = tmp_path / "hansa.sqlite3"
    store = Store(f"sqlite:///{place}")
    store.migrate()
    store.close()
    before = place.read_bytes()
    torn, other, empty = (tmp_path / name for name in ("torn", "other", "empty"))
    torn.write_bytes(before[: len(before) // 2])
    with sqlite3.connect(other) as connection:
        connection.execute("CREATE TABLE x (y)")
    connection.close()
    empty.touch()
    for file in (torn, other, empty, tmp_path / "missing"):
        with pytest.raises(CopyError):
            restore(file, place)
    assert place.read_bytes() == before
    with pytest.raises(CopyError, match="exists already"):
        backup(place, other)


def test_a_backup_is_restored_where_there_is_no_store_or_a_broken_one(tmp_path, capsys):
    """A new machine, and the very day for which one has backups."""
    place, copy = tmp_path / "a" / "hansa.sqlite3", tmp_path / "copy.sqlite3"
    store = Store(f"sqlite:///{place}")
    store.migrate()
    store.close()
    backup(place, copy)
    fresh = tmp_path / "new" / "hansa.sqlite3"
    assert admin.main(["restore", str(copy), "--data", str(fresh.parent)]) == 0
    assert "the old one" not in capsys.readouterr().out
    place.write_bytes(b"torn" * 5000)
    assert admin.main(["restore", str(copy), "--data", str(place.parent)]) == 0
    assert "the old one is at" in capsys.readouterr().out
    assert place.with_name("hansa.sqlite3.old").read_bytes() == b"torn" * 5000
    for restored in (fresh, place):
        assert admin.main(["list", "--data", str(restored.parent)]) == 0


def test_the_old_store_is_kept_with_what_was_not_yet_written_into_it(tmp_path):
    place, copy = tmp_path / "hansa.sqlite3", tmp_path / "copy.sqlite3"
    store = Store(f"sqlite:///{place}")
    store.migrate()
    backup(place, copy)
    # As after a crash: the last commits lie in the log beside it.
    with closing(sqlite3.connect(place)) as crashed:
        crashed.execute("INSERT INTO settings VALUES ('a', 'b')")
        crashed.commit()
        old = restore(copy, place)
    store.close()
    assert old is not None
    for file, found in ((old, [("b",)]), (place, [])):
        with closing(sqlite3.connect(file)) as reading:
            assert reading.execute("SELECT value FROM settings").fetchall() == found


def test_files_with_secrets_are_the_servers_alone(tmp_path):
    """By every documented step, whatever the mask, and where root takes it too."""
    data, user = tmp_path / "data", os.geteuid() or 65_534
    data.mkdir(mode=0o700)
    os.chown(data, user, -1)
    copy, written = tmp_path / "copy.sqlite3", tmp_path / "all.jsonl"
    before = os.umask(0)
    try:
        old = Store(f"sqlite:///{data / 'hansa.sqlite3'}")
        old.migrate("0001")
        old.close()
        store = Store(f"sqlite:///{data / 'hansa.sqlite3'}")
        store.claim()
        store.migrate()
        store.now(lambda connection: connection.exec_driver_sql("SELECT 1"))
        assert {file.suffix for file in data.iterdir()} >= {".sqlite3-wal", ".sqlite3-shm"}
        for command in (["backup", str(copy)], ["export", str(written)]):
            assert admin.main([*command, "--data", str(data)]) == 0
        made = list(data.iterdir())
        assert [f for f in made if f.stat().st_mode & 0o077 and f.suffix != ".lock"] == []
        store.close()
        assert admin.main(["restore", str(copy), "--data", str(data)]) == 0
        Store(f"sqlite:///{tmp_path / 'first' / 'hansa.sqlite3'}").migrate()
    finally:
        os.umask(before)
    kept = {"hansa.sqlite3", "hansa.sqlite3.old", "hansa.sqlite3.lock"}
    files = {file.name: file for file in data.iterdir()}
    assert {name for name in files if ".before-" not in name} == kept
    assert len(files) == 4
    assert {file.stat().st_uid for file in files.values()} == {user}
    del files["hansa.sqlite3.lock"]
    secret = [*files.values(), copy, written, *(tmp_path / "first").iterdir(), tmp_path / "first"]
    assert [file for file in secret if file.stat().st_mode & 0o077] == []


def made(place: Path, revision: str = "head", **settings: str) -> None:
    """A store, with these lines among its settings."""
    store = Store(f"sqlite:///{place}")
    store.migrate(revision)
    for name, value in settings.items():
        row = (name, value)
        store.now(
            lambda connection, row=row: connection.exec_driver_sql(  # type: ignore[misc]
                "INSERT INTO settings VALUES (?, ?)", row
            )
        )
    store.close()


def settings_of(place: Path) -> list[tuple[str, str]]:
    with closing(sqlite3.connect(place)) as connection:
        return connection.execute("SELECT name, value FROM settings").fetchall()


def damage(place: Path) -> None:
    """As a dying disk does: all but the first page."""
    whole = place.read_bytes()
    place.write_bytes(whole[:4096] + bytes(len(whole) - 4096))


def killed(folder: Path) -> Path:
    """A store as a kill leaves it: its last commits lie in the log beside it. And a backup of before."""
    place, playing = folder / "data" / "hansa.sqlite3", folder / "playing"
    made(playing / "hansa.sqlite3", early="1")
    backup(playing / "hansa.sqlite3", folder / "copy")
    with closing(sqlite3.connect(playing / "hansa.sqlite3")) as connection:
        connection.execute("INSERT INTO settings VALUES ('late', '2')")
        connection.commit()
        shutil.copytree(playing, place.parent)
    assert Path(f"{place}-wal").stat().st_size
    return place


def test_a_log_left_beside_a_store_that_the_host_put_aside_is_not_played_into_the_backup(
    tmp_path, capsys
):
    place = killed(tmp_path)
    log = Path(f"{place}-wal").read_bytes()
    place.rename(tmp_path / "aside")
    assert admin.main(["restore", str(tmp_path / "copy"), "--data", str(place.parent)]) == 0
    assert f"what was left of the old one is at {place}.old-wal" in capsys.readouterr().out
    assert settings_of(place) == [("early", "1")]
    assert Path(f"{place}.old-wal").read_bytes() == log
    # A later one does not write over it.
    assert restore(tmp_path / "copy", place) == Path(f"{place}.old1")
    assert Path(f"{place}.old-wal").read_bytes() == log


@pytest.mark.parametrize("moved", range(4))
def test_a_restore_that_was_cut_off_can_be_repeated(tmp_path, monkeypatch, moved):
    """After so many files had been moved: what is left of the old store is kept, and harms nobody."""
    place = killed(tmp_path)
    kept = [place.read_bytes(), Path(f"{place}-wal").read_bytes()]
    rename, steps = Path.rename, iter(range(moved))

    def cut_off(file: Path, target: str) -> Path:
        if file.suffix != ".unfinished" and next(steps, None) is None:
            raise KeyboardInterrupt
        return rename(file, target)

    with monkeypatch.context() as patched:
        patched.setattr(Path, "rename", cut_off)
        patched.setattr(Path, "replace", cut_off)
        with pytest.raises(KeyboardInterrupt):
            restore(tmp_path / "copy", place)
    restore(tmp_path / "copy", place)
    assert settings_of(place) == [("early", "1")]
    assert {file.read_bytes() for file in place.parent.glob("*.old*")} >= set(kept)


@pytest.mark.parametrize("harm", [damage, lambda place: place.write_bytes(b"nothing at all" * 99)])
def test_a_backup_takes_the_place_of_a_store_that_is_damaged(tmp_path, capsys, harm):
    place, copy = tmp_path / "hansa.sqlite3", tmp_path / "copy"
    made(place, a="b")
    backup(place, copy)
    harm(place)
    harmed = place.read_bytes()
    for command in (("backup", str(tmp_path / "other")), ("list",), ("replay",)):
        assert admin.main([*command, "--data", str(tmp_path)]) == 2
        assert capsys.readouterr().err.count("\n") == 1
    assert admin.main(["restore", str(copy), "--data", str(tmp_path)]) == 0
    assert settings_of(place) == [("a", "b")]
    assert (tmp_path / "hansa.sqlite3.old").read_bytes() == harmed
    left = {file.name for file in tmp_path.iterdir()} - {"hansa.sqlite3", "copy"}
    assert left <= {f"hansa.sqlite3{end}" for end in (".lock", ".old", ".old-wal", ".old-shm")}


def test_what_is_half_written_is_not_left_behind(tmp_path, capsys, monkeypatch):
    made(tmp_path / "hansa.sqlite3")

    def full(*_arguments: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(upkeep, "export", full)
    monkeypatch.setattr(copies, "_copy", full)
    for command in ("export", "backup"):
        assert admin.main([command, str(tmp_path / "out"), "--data", str(tmp_path)]) == 2
        assert capsys.readouterr().err == "hansa: No space left on device\n"
        assert not list(tmp_path.glob("out*"))


def test_a_second_upgrade_keeps_what_was_played_since_the_roll_back(tmp_path):
    place = tmp_path / "hansa.sqlite3"
    made(place, "0001", first="1")
    made(place)
    (kept,) = tmp_path.glob("hansa.sqlite3.before-*")
    restore(kept, place)
    with closing(sqlite3.connect(place)) as connection:
        connection.execute("INSERT INTO settings VALUES ('second', '2')")
        connection.commit()
    made(place)
    assert settings_of(kept) == [("first", "1"), ("second", "2")]


def test_nobody_changes_the_layout_under_a_server_of_the_older_version(tmp_path, capsys):
    """It was installed, and a command of the host came before the restart."""
    place = tmp_path / "hansa.sqlite3"
    made(place, "0001")
    older = Store(f"sqlite:///{place}")
    older.claim()
    assert admin.main(["list", "--data", str(tmp_path)]) == 2
    assert "another server uses" in capsys.readouterr().err
    older.close()
    assert not list(tmp_path.glob("*.before-*"))
    assert admin.main(["delete", "nothing", "--yes", "--data", str(tmp_path)]) == 2
    assert "there is no game" in capsys.readouterr().err
    assert list(tmp_path.glob("*.before-*"))


def test_nor_under_servers_of_the_older_version_at_postgresql(postgres, capsys, monkeypatch):
    database = postgres.new_database()
    older = Store(database)
    older.migrate("0001")
    monkeypatch.setenv("HANSA_DATABASE", database)
    with psycopg.connect(database, application_name=LISTENER):
        assert admin.main(["list"]) == 2
        assert "has layout 0001, and servers of that version use it" in capsys.readouterr().err
    told = ""
    while "there is no game" not in told:
        assert admin.main(["delete", "nothing", "--yes"]) == 2
        told = capsys.readouterr().err
        # A connection that was closed is seen for a moment more.
        assert "there is no game" in told or "servers of that version" in told
    older.close()


@pytest.mark.skipif(os.name == "nt" or os.geteuid() != 0, reason="only root gives files away")
def test_what_root_restores_belongs_to_the_servers_user(tmp_path):
    """The host's commands are given as root, and the server runs as a user of its own."""
    copy, data = tmp_path / "copy", tmp_path / "data"
    made(tmp_path / "hansa.sqlite3")
    backup(tmp_path / "hansa.sqlite3", copy)
    data.mkdir()
    os.chown(data, 12345, 23456)
    for _ in range(2):
        assert admin.main(["restore", str(copy), "--data", str(data)]) == 0
    for file in data.iterdir():
        assert (file.stat().st_uid, file.stat().st_gid) == (12345, 23456), file
    imported = tmp_path / "imported"
    assert admin.main(["export", str(tmp_path / "all"), "--data", str(data)]) == 0
    imported.mkdir()
    os.chown(imported, 12345, 23456)
    assert admin.main(["import", str(tmp_path / "all"), "--data", str(imported)]) == 0
    for file in imported.iterdir():
        assert file.stat().st_uid == 12345, file


def test_a_root_who_may_give_nothing_away_goes_on(tmp_path, monkeypatch):
    def refused(*_given: object) -> None:
        raise PermissionError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(os, "chown", refused)
    store = Store(f"sqlite:///{tmp_path / 'hansa.sqlite3'}")
    store.claim()
    store.migrate()
    store.close()


def test_an_export_of_postgresql_comes_in_parts(postgres):
    """All at once is more than memory holds, or takes longer than a statement may."""
    store = Store(postgres.new_database())
    store.migrate()
    kinds = set()

    def look(_connection: object, cursor: object, *_more: object) -> None:
        kinds.add(type(cursor))

    def work(connection: sa.Connection) -> int:
        sa.event.listen(connection, "before_cursor_execute", look)
        return upkeep.export(connection, io.StringIO())

    store.see(work)
    store.close()
    assert all(issubclass(kind, psycopg.ServerCursor) for kind in kinds)
    assert kinds


def test_the_documented_way_back_on_postgresql(tmp_path, postgres):
    """Also from a newer version, whose tables hold on to those of the older one."""
    pages = (Path(__file__).parents[2] / "docs" / "operations.md").read_text(encoding="utf-8")
    dump, back = re.findall(r"`(\(umask 077; pg_dump [^`]*|dropdb [^`]*)`", pages)
    database = postgres.new_database()
    url = sa.make_url(database)
    environ = os.environ | {"PGHOST": "127.0.0.1", "PGPORT": str(url.port), "PGUSER": "hansa"}
    environ["PATH"] = f"{Path(postgres.control).parent}{os.pathsep}{environ['PATH']}"

    def do(command: str) -> None:
        command = re.sub(r"(?<!=)\bhansa\b", str(url.database), command)
        done = f"set -e; {command.replace('FILE', str(tmp_path / 'dump'))}"
        subprocess.run(["/bin/sh", "-c", done], env=environ, check=True)

    async def play(hub, person):
        table = await hub.lobby.create(person, wish("me", "me", "me", start=True))
        await hub.decisions.act(table, person, "end", 0)
        await asyncio.to_thread(do, dump)
        await hub.decisions.act(table, person, "end", 1)
        played.append(table.id)

    async def look(hub, _person):
        assert (await hub.hall.open(played[0])).number == 1

    played: list[str] = []
    in_hub(tmp_path, play, rounds=False, database=database)
    with psycopg.connect(database, autocommit=True) as newer:
        newer.execute("CREATE TABLE novelties (game varchar REFERENCES games (id))")
        newer.execute("UPDATE alembic_version SET version_num = '9'")
    do(back)
    in_hub(tmp_path, look, rounds=False, database=database)


def test_upgrade_keeps_a_copy_and_a_roll_back_works(tmp_path):
    place = tmp_path / "hansa.sqlite3"
    old = Store(f"sqlite:///{place}")
    old.migrate("0001")
    old.now(lambda connection: connection.exec_driver_sql("INSERT INTO settings VALUES ('a', 'b')"))
    old.close()
    store = Store(f"sqlite:///{place}")
    store.migrate()
    store.close()
    (kept,) = tmp_path.glob("hansa.sqlite3.before-*")
    with sqlite3.connect(kept) as connection:
        assert connection.execute("SELECT * FROM alembic_version").fetchall() == [("0001",)]
        assert connection.execute("SELECT value FROM settings").fetchall() == [("b",)]
    connection.close()
    restore(kept, place)
    again = Store(f"sqlite:///{place}")
    again.migrate("0001")
    again.close()


def tables_of(engine: sa.Engine) -> sa.MetaData:
    """As the database itself says."""
    found = sa.MetaData()
    found.reflect(engine)
    return found


@pytest.fixture(scope="module")
def stored_game(tmp_path_factory):
    """A game with chat, as rows of the present layout; its id and whose it is."""
    folder, whose = tmp_path_factory.mktemp("played"), list[Any]()

    async def play(hub, person):
        table = await hub.lobby.create(person, wish("me", "me", "me", start=True))
        for number in range(35):
            await hub.decisions.act(table, person, "end", number)
        await hub.manners.say(table, person, "good evening")
        whose.extend((table.id, person))

    in_hub(folder, play, rounds=False)
    engine = sa.create_engine(f"sqlite:///{folder / 'hansa.sqlite3'}")
    with engine.connect() as connection:
        rows = {
            table.name: [dict(row) for row in connection.execute(sa.select(table)).mappings()]
            for table in tables_of(engine).sorted_tables
            if table.name != "alembic_version"
        }
    engine.dispose()
    return rows, *whose


@pytest.mark.parametrize(
    "revision", sorted(file.name[:4] for file in (MIGRATIONS / "versions").glob("0*.py"))
)
def test_a_game_of_any_older_layout_is_played_on(tmp_path, stored_game, revision):
    rows, game, person = stored_game
    made(tmp_path / "hansa.sqlite3", revision)
    engine = sa.create_engine(f"sqlite:///{tmp_path / 'hansa.sqlite3'}")
    with engine.begin() as connection:
        for table in tables_of(engine).sorted_tables:
            known = [
                {k: v for k, v in row.items() if k in table.c} for row in rows.get(table.name, [])
            ]
            if known:
                connection.execute(table.insert(), known)
    engine.dispose()

    async def look(hub, _person):
        table = await hub.hall.open(game)
        assert (table.number, [line.text for line in table.chat]) == (35, ["good evening"])
        assert await hub.decisions.act(table, person, "end", 35)

    in_hub(tmp_path, look, rounds=False)
    assert admin.main(["replay", "--data", str(tmp_path)]) == 0


def test_a_database_of_a_newer_version_is_refused_in_one_line(tmp_path, capsys):
    place = tmp_path / "hansa.sqlite3"
    store = Store(f"sqlite:///{place}")
    store.migrate()
    store.now(
        lambda connection: connection.exec_driver_sql("UPDATE alembic_version SET version_num='9'")
    )
    with pytest.raises(StoreError, match="has layout 9, and this version of Hansa knows"):
        store.migrate()
    store.close()
    assert admin.main(["list", "--data", str(tmp_path)]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    with sqlite3.connect(place) as connection:
        assert connection.execute("SELECT * FROM alembic_version").fetchall() == [("9",)]
    connection.close()
