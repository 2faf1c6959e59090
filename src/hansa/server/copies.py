"""Copies of an SQLite store: made while people play, kept before an upgrade, put back."""

from __future__ import annotations

import os
import shutil
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

from hansa.errors import HansaError

__all__ = ["CopyError", "backup", "belong", "restore"]


class CopyError(HansaError):
    """A copy cannot be made or used."""


def belong(file: Path) -> None:
    """Give a file of the server to whoever owns its folder: what root's commands make it must read."""
    if sys.platform != "win32" and os.geteuid() == 0:
        owner = file.parent.stat()
        os.chown(file, owner.st_uid, owner.st_gid)


def _make(file: Path) -> None:
    """An empty file for whoever makes it alone: it will hold the key of every cookie."""
    os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))


def backup(source: Path, target: Path) -> None:
    """Copy the store as it is at one moment; who writes meanwhile does not wait.

    Raises:
        CopyError: there is such a file already, or no store.
    """
    if target.exists():
        raise CopyError(f"{target} exists already: choose another name")
    if not source.is_file():
        raise CopyError(f"there is no store at {source}: name the server's --data or --config")
    _make(target)
    with closing(_opened(source)) as reading, closing(sqlite3.connect(target)) as writing:
        # In one step: that reads one moment, and readers never hold up writers here (WAL).
        reading.backup(writing)
        writing.execute("PRAGMA journal_mode=DELETE")
    _check(target)


def restore(copy: Path, place: Path) -> Path | None:
    """Put a copy in the place of the store; gives where the old one lies now, if there was one.

    Raises:
        CopyError: it is no copy of a store, or not whole; then nothing has changed.
    """
    _check(copy)
    place.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    new = place.with_name(f"{place.name}.new")
    new.unlink(missing_ok=True)
    backup(copy, new)
    belong(new)
    old = _keep(place) if place.exists() else None
    # Before the copy is there: what they hold belongs to the old one.
    for rest in ("-wal", "-shm"):
        Path(f"{place}{rest}").unlink(missing_ok=True)
    new.replace(place)
    return old


def _keep(place: Path) -> Path:
    """Copy a store as it lies there, be it broken, with what was not written into it yet (WAL)."""
    old = _free_name(place)
    for rest in ("", "-wal"):
        there, kept = Path(f"{place}{rest}"), Path(f"{old}{rest}")
        if there.exists():
            _make(kept)
            shutil.copyfile(there, kept)
            belong(kept)
    return old


def _free_name(place: Path) -> Path:
    names = (place.with_name(f"{place.name}.old{number or ''}") for number in range(10_000))
    return next(name for name in names if not name.exists())


def _opened(file: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro", uri=True)


def _check(file: Path) -> None:
    """That it is whole, and one of ours."""
    try:
        with closing(_opened(file)) as reading:
            (whole,) = reading.execute("PRAGMA integrity_check").fetchone()
            found = reading.execute(
                "SELECT count(*) FROM sqlite_master WHERE name IN ('alembic_version', 'entries')"
            ).fetchone()
    except sqlite3.Error as error:
        raise CopyError(f"{file}: no store of a Hansa server: {error}") from error
    if whole != "ok" or found != (2,):
        raise CopyError(f"{file}: no whole store of a Hansa server")
