"""Copies of an SQLite store: made while people play, kept before an upgrade, put back."""

from __future__ import annotations

import os
import sqlite3
import sys
from contextlib import closing, suppress
from pathlib import Path

from hansa.errors import HansaError

__all__ = ["CopyError", "backup", "files", "give_to_owner", "restore"]

#: What SQLite keeps of a store and beside it. Whatever lies at its place, it plays those logs into it.
_ENDS = ("", "-wal", "-shm", "-journal")


class CopyError(HansaError):
    """A copy cannot be made or used."""


def backup(source: Path, target: Path, *, again: bool = False) -> None:
    """Copy the store as it is at one moment; who writes meanwhile does not wait.

    The copy has its name only when it is whole. With `again` it takes the place of an older one.

    Raises:
        CopyError: there is such a file already, or no store, or it cannot be copied.
    """
    if target.exists() and not again:
        raise CopyError(f"{target} exists already: choose another name")
    if not source.is_file():
        raise CopyError(f"there is no store at {source}: name the server's --data or --config")
    unfinished = target.with_name(f"{target.name}.unfinished")
    unfinished.unlink(missing_ok=True)
    try:
        # It holds the key of every cookie.
        os.close(os.open(unfinished, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        _copy(source, unfinished)
        unfinished.replace(target)
    finally:
        unfinished.unlink(missing_ok=True)


def _copy(source: Path, target: Path) -> None:
    try:
        with closing(_opened(source)) as reading, closing(sqlite3.connect(target)) as writing:
            # In one step: that reads one moment, and readers never hold up writers here (WAL).
            reading.backup(writing)
            writing.execute("PRAGMA journal_mode=DELETE")
    except sqlite3.Error as error:
        raise CopyError(f"cannot copy {source} to {target.parent}: {error}") from error
    _check(target, source)


def restore(copy: Path, place: Path) -> Path | None:
    """Put a copy in the place of the store; gives where the old one lies now, if there was one.

    Where somebody took the old one away and left its log, or an earlier try was cut off between two
    steps, what was left has that name and the ending it had.

    Raises:
        CopyError: it is no copy of a store, or not whole; then nothing has changed.
    """
    _check(copy, copy)
    place.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    new = place.with_name(f"{place.name}.new")
    backup(copy, new, again=True)
    give_to_owner(new)
    old = _free_name(place) if files(place) else None
    if old is not None:
        # Moved, not copied: it may be damaged, and the disk full; that is what restoring is for. The
        # store before its log: cut off in between, nobody opens one that lacks its last commits.
        for end in _ENDS:
            with suppress(FileNotFoundError):
                Path(f"{place}{end}").rename(f"{old}{end}")
    new.replace(place)
    return old


def files(place: Path) -> list[Path]:
    """What there is of a store at a place: itself first, or only what was left beside it."""
    return [file for end in _ENDS if (file := Path(f"{place}{end}")).exists()]


def give_to_owner(file: Path) -> None:
    """What root puts beside a store belongs to whom the folder belongs: the server must open it."""
    if sys.platform == "win32" or os.geteuid() != 0:
        return
    folder = file.parent.stat()
    # The root of a container may give nothing away, and is the server's user then.
    with suppress(PermissionError):
        os.chown(file, folder.st_uid, folder.st_gid)


def _free_name(place: Path) -> Path:
    names = (place.with_name(f"{place.name}.old{number or ''}") for number in range(10_000))
    return next(name for name in names if not files(name))


def _opened(file: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro", uri=True)


def _check(file: Path, named: Path) -> None:
    """That it is whole, and one of ours; what is wrong is said of the file that is `named`."""
    try:
        with closing(_opened(file)) as reading:
            (whole,) = reading.execute("PRAGMA integrity_check").fetchone()
            found = reading.execute(
                "SELECT count(*) FROM sqlite_master WHERE name IN ('alembic_version', 'entries')"
            ).fetchone()
    except sqlite3.Error as error:
        raise CopyError(f"{named}: no store of a Hansa server: {error}") from error
    if whole != "ok" or found != (2,):
        raise CopyError(f"{named}: no whole store of a Hansa server")
