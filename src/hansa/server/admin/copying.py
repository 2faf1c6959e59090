"""`hansa admin`: everything as a file, and back."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import sqlalchemy as sa
import typer

from hansa.server import copies, upkeep
from hansa.server.admin.opening import Config, Data, opened
from hansa.server.config import load
from hansa.server.store import Store

__all__ = ["app"]

app = typer.Typer()


@app.command("export", epilog="Example: hansa admin export backup.jsonl")
def export_all(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A new file.")],
    data: Data = None,
    config: Config = None,
) -> None:
    """Write everything to a file; the server may go on."""
    if file.exists():
        raise upkeep.UpkeepError(f"{file} exists already: choose another name")
    with opened(data, config) as store:
        try:
            with open(file, "x", encoding="utf-8", opener=_for_me_alone) as writing:
                count = store.see(lambda connection: upkeep.export(connection, writing))
        except BaseException:
            # Half of everything would be taken for all of it.
            file.unlink(missing_ok=True)
            raise
    typer.echo(f"{count} rows written to {file}")


@app.command("import", epilog="Example: hansa admin import backup.jsonl --data NEW_FOLDER")
def import_all(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="From `hansa admin export`.")],
    data: Data = None,
    config: Config = None,
) -> None:
    """Read an export into an empty store, SQLite or PostgreSQL."""
    with file.open(encoding="utf-8") as reading, opened(data, config, new=True) as store:
        store.claim(patience=0.0)
        count = store.now(lambda connection: upkeep.load(connection, reading))
    typer.echo(f"{count} rows read from {file}")


@app.command("backup", epilog="Example: hansa admin backup /backups/hansa-2026-11-16.sqlite3")
def backup_store(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A new file.")],
    data: Data = None,
    config: Config = None,
) -> None:
    """Copy an SQLite store while people play; for PostgreSQL use pg_dump."""
    place = _place(data, config)
    copies.backup(place, file)
    typer.echo(f"{place} copied to {file}, {file.stat().st_size // 1024} kB, and checked")


@app.command("restore", epilog="Example: hansa admin restore hansa-2026-11-16.sqlite3")
def restore_store(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="From `hansa admin backup`.")],
    data: Data = None,
    config: Config = None,
) -> None:
    """Put a backup in the place of the store, which is kept beside it. Stop the server first."""
    place = _place(data, config)
    store = Store(load(config, data=data).url())
    try:
        store.claim(patience=0.0)
        old = copies.restore(file, place)
    finally:
        store.close()
    typer.echo(f"{file} is the store now{_kept(old)}")


def _kept(old: Path | None) -> str:
    if old is None:
        return ""
    there = copies.files(old)
    what = "the old one" if old in there else "what was left of the old one"
    return f"; {what} is at {there[0]}"


def _place(data: str | None, config: str | None) -> Path:
    url = sa.make_url(load(config, data=data).url())
    if url.get_backend_name() != "sqlite" or not url.database:
        raise upkeep.UpkeepError("this is for SQLite: PostgreSQL has pg_dump and pg_restore")
    return Path(url.database)


def _for_me_alone(path: str, flags: int) -> int:
    """An export holds the key of every cookie."""
    return os.open(path, flags, 0o600)
