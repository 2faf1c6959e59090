"""`hansa admin`: the host's command line over the store (also `python -m hansa.server.admin`)."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, TypeVar

import sqlalchemy as sa
import typer

from hansa.errors import HansaError
from hansa.server import archive, copies, ladder, order, upkeep
from hansa.server.accounts import set_reset_code
from hansa.server.config import load
from hansa.server.errors import TableError
from hansa.server.hall import tell
from hansa.server.model import Meta
from hansa.server.schema import entries, games, people
from hansa.server.standing import tell_person
from hansa.server.store import Store

__all__ = ["app", "main"]

T = TypeVar("T")
app = typer.Typer(
    name="admin",
    help="Look after the games that a server stores.",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
Data = Annotated[str | None, typer.Option("--data", help="The server's data folder.")]
Config = Annotated[str | None, typer.Option("--config", help="The server's settings file.")]
GameId = Annotated[str, typer.Argument(metavar="GAME", help="The game's id.")]


@contextmanager
def _store(data: str | None, config: str | None, *, new: bool = False) -> Iterator[Store]:
    settings = load(config, data=data)
    store = Store(settings.url())
    try:
        if not new and not store.exists():
            raise upkeep.UpkeepError(
                f"there is no store at {store.url.database}: name the server's --data or --config"
            )
        store.migrate()
        yield store
    finally:
        store.close()


def _in_store(work: Callable[[sa.Connection], T], data: str | None, config: str | None) -> T:
    with _store(data, config) as store:
        return store.see(work)


def _change(
    work: Callable[[sa.Connection], T], game: str, data: str | None, config: str | None
) -> T:
    """Change one game. An embedded store must be ours alone; a shared one's servers are told."""
    with _store(data, config) as store:
        store.claim(patience=0.0)

        def change(connection: sa.Connection) -> T:
            done = work(connection)
            if store.shared:
                tell(connection, game, 0, "admin")
            return done

        return store.now(change)


def _day(milliseconds: int | None) -> str:
    if milliseconds is None:
        return "-"
    return datetime.fromtimestamp(milliseconds / 1000, UTC).strftime("%Y-%m-%d %H:%M")


def _found(connection: sa.Connection, game: str) -> Meta:
    meta = archive.load_meta(connection, game)
    if meta is None:
        raise upkeep.UpkeepError(f"there is no game {game}")
    return meta


@app.command("list", epilog="Example: hansa admin list --status running")
def list_games(
    status: Annotated[str | None, typer.Option(help="open, running or over.")] = None,
    limit: Annotated[int, typer.Option(min=1, help="How many, newest first.")] = 50,
    data: Data = None,
    config: Config = None,
) -> None:
    """List games."""
    if status not in {None, "open", "running", "over"}:
        raise upkeep.UpkeepError(f"--status is open, running or over, not {status}")

    def work(connection: sa.Connection) -> list[Meta]:
        query = sa.select(games.c.id).order_by(games.c.created.desc()).limit(limit)
        if status is not None:
            query = query.where(games.c.status == status)
        return [_found(connection, game) for game in connection.execute(query).scalars().all()]

    for meta in _in_store(work, data, config):
        seats = ", ".join(seat.name or "(open)" for seat in meta.seats)
        typer.echo(
            f"{meta.id}  {meta.status:<8}{_day(meta.created)}  {meta.options.board}  {seats}"
        )


@app.command(epilog="Example: hansa admin show k7Qm2xWd9aTe")
def show(game: GameId, data: Data = None, config: Config = None) -> None:
    """Everything about one game."""

    def work(connection: sa.Connection) -> tuple[Meta, int, int]:
        meta = _found(connection, game)
        last = archive.last_numbers(connection, game)
        return meta, last.revision if last else 0, last.number if last else 0

    meta, revision, number = _in_store(work, data, config)
    typer.echo(
        f"{meta.id}  {meta.name}\nstatus: {meta.status}, {meta.visibility}, rules {meta.rules}"
    )
    secret = meta.status != "over" and not meta.options.seeded
    shown = {**meta.setup, "seed": "told when it is over"} if secret else meta.setup
    typer.echo(f"set-up: {shown}")
    typer.echo(
        f"created {_day(meta.created)}, started {_day(meta.started)}, ended {_day(meta.ended)}"
    )
    typer.echo(f"{number} decisions stand, {revision} entries in the log")
    for seat in meta.seats:
        who = seat.bot or seat.person or "-"
        notes = " conceded" if seat.conceded else ""
        typer.echo(f"  {seat.seat}  {seat.kind:<6}{seat.name}  {who}{notes}")
    if meta.result is not None:
        typer.echo(f"result: {meta.result['reason']}, won by {meta.result['winners']}")


@app.command(epilog="Example: hansa admin replay")
def replay(data: Data = None, config: Config = None) -> None:
    """Play all stored games again with this version's rules and tell what differs."""

    def work(connection: sa.Connection) -> tuple[int, list[upkeep.Difference]]:
        same, differ = 0, []
        for result in upkeep.replay_all(connection):
            if isinstance(result, str):
                same += 1
            else:
                differ.append(result)
        return same, differ

    same, differ = _in_store(work, data, config)
    for found in differ:
        typer.echo(f"{found.game} decision {found.number}: {found.what}")
    typer.echo(f"{same} the same, {len(differ)} different")
    if differ:
        raise typer.Exit(1)


@app.command(epilog="Example: hansa admin repair k7Qm2xWd9aTe")
def repair(game: GameId, data: Data = None, config: Config = None) -> None:
    """Make one game playable again from its log. With SQLite stop the server first."""
    typer.echo(_change(lambda connection: upkeep.repair(connection, game), game, data, config))


@app.command(epilog="Example: hansa admin delete k7Qm2xWd9aTe --yes")
def delete(
    game: GameId,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    data: Data = None,
    config: Config = None,
) -> None:
    """Delete a game with its log and chat. With SQLite stop the server first."""
    if not yes:
        typer.confirm(f"Delete {game} for good?", abort=True)

    def work(connection: sa.Connection) -> bool:
        ladder.forget(connection, game)
        gone = archive.delete_game(connection, game)
        ladder.settle(connection)
        return gone

    if not _change(work, game, data, config):
        raise upkeep.UpkeepError(f"there is no game {game}")
    typer.echo(f"{game} deleted")


@app.command("people", epilog="Example: hansa admin people")
def list_people(data: Data = None, config: Config = None) -> None:
    """List accounts and count guests."""

    def work(connection: sa.Connection) -> tuple[list[tuple[str, str, int]], int, int]:
        query = sa.select(people).where(people.c.account.is_not(None)).order_by(people.c.account)
        rows = [(r.account, r.name, r.created) for r in connection.execute(query)]
        count = sa.select(sa.func.count()).select_from(people).where(people.c.account.is_(None))
        decided = sa.select(sa.func.count()).select_from(entries)
        return (
            rows,
            connection.execute(count).scalar_one(),
            connection.execute(decided).scalar_one(),
        )

    rows, guests, decided = _in_store(work, data, config)
    for account, name, created in rows:
        typer.echo(f"{account:<34}{name:<42}{_day(created)}")
    typer.echo(f"{len(rows)} accounts, {guests} guests, {decided} log entries")


@app.command(epilog="Example: hansa admin ratings")
def ratings(data: Data = None, config: Config = None) -> None:
    """Reckon all ratings anew from the stored games; the server may go on."""
    with _store(data, config) as store:
        rated = store.now(ladder.recompute)
        ladders = store.see(
            lambda connection: [ladder.ladder(connection, pool) for pool in ladder.POOLS]
        )
    for one in ladders:
        typer.echo(f"{one.pool}: {len(one.rows)} people")
        for row in one.rows:
            sure = "provisional" if row.rating.provisional else f"{row.place}."
            typer.echo(
                f"  {sure:<12}{row.rating.value:>5} ± {row.rating.uncertainty:<5}"
                f"{row.games:>5} games  {row.person.name}"
            )
    typer.echo(f"{rated} rated games")


@app.command("reset-code", epilog="Example: hansa admin reset-code alheyd")
def reset_code(
    account: Annotated[str, typer.Argument(metavar="NAME", help="The account's name.")],
    data: Data = None,
    config: Config = None,
) -> None:
    """Make the one-time code with which somebody sets a new password."""
    with _store(data, config) as store:
        code = store.now(lambda connection: set_reset_code(connection, account))
    if code is None:
        raise upkeep.UpkeepError(f"there is no account {account}")
    typer.echo(code)


def _for_people(
    work: Callable[[sa.Connection], T], data: str | None, config: str | None, person: str = ""
) -> T:
    """Change something about people: the server may go on, it asks the store each time.

    What is open of `person` is looked at again by the servers of a shared store.
    """
    with _store(data, config) as store:

        def change(connection: sa.Connection) -> T:
            done = work(connection)
            if store.shared and person:
                tell_person(connection, person, "admin")
            return done

        try:
            return store.now(change)
        except TableError as error:
            raise upkeep.UpkeepError(error.message) from error


PersonId = Annotated[str, typer.Argument(metavar="PERSON", help="An id, from `hansa admin find`.")]
Hours = Annotated[
    float | None,
    typer.Option("--hours", min=0, help="For how long; 0 ends it. [default: for ever]"),
]


@app.command(epilog="Example: hansa admin appoint alheyd")
def appoint(
    account: Annotated[str, typer.Argument(metavar="NAME", help="The account's name.")],
    data: Data = None,
    config: Config = None,
) -> None:
    """Make an account an admin: the page then has an entry "Order" in its menu."""
    _appoint(account, data, config, on=True)


@app.command(epilog="Example: hansa admin dismiss alheyd")
def dismiss(
    account: Annotated[str, typer.Argument(metavar="NAME", help="The account's name.")],
    data: Data = None,
    config: Config = None,
) -> None:
    """Let an admin be one no longer."""
    _appoint(account, data, config, on=False)


def _appoint(account: str, data: str | None, config: str | None, *, on: bool) -> None:
    def work(connection: sa.Connection) -> bool:
        return order.appoint(connection, order.COMMAND_LINE, account, on=on)

    if not _for_people(work, data, config):
        raise upkeep.UpkeepError(f"there is no account {account}")
    typer.echo(f"{account} is {'an' if on else 'no longer an'} admin")


@app.command(epilog="Example: hansa admin find bertram")
def find(
    named: Annotated[str, typer.Argument(metavar="TEXT", help="Part of a name or account.")],
    data: Data = None,
    config: Config = None,
) -> None:
    """Find people, guests too."""
    for one in _in_store(lambda connection: order.find_people(connection, named), data, config):
        marks = [
            word
            for word, on in (("admin", one.admin), ("muted", one.muted), ("banned", one.banned))
            if on
        ]
        typer.echo(f"{one.id:<14}{one.account or '(guest)':<34}{one.name}  {' '.join(marks)}")


@app.command(epilog="Example: hansa admin mute k7Qm2xWd9aTe --hours 24")
def mute(person: PersonId, hours: Hours = None, data: Data = None, config: Config = None) -> None:
    """Let somebody not chat."""
    by = order.COMMAND_LINE
    _for_people(lambda connection: order.mute(connection, by, person, hours), data, config)
    typer.echo(f"{person} is {'no longer ' if hours == 0 else ''}muted")


@app.command(epilog="Example: hansa admin ban k7Qm2xWd9aTe --hours 72")
def ban(person: PersonId, hours: Hours = None, data: Data = None, config: Config = None) -> None:
    """Let somebody only look; open connections end, with SQLite within 20 seconds."""
    by = order.COMMAND_LINE
    _for_people(lambda connection: order.ban(connection, by, person, hours), data, config, person)
    typer.echo(f"{person} is {'no longer ' if hours == 0 else ''}banned")


@app.command(epilog="Example: hansa admin rename k7Qm2xWd9aTe Bertram")
def rename(
    person: PersonId,
    name: Annotated[str, typer.Argument(metavar="NAME", help="The new name.")],
    data: Data = None,
    config: Config = None,
) -> None:
    """Give somebody another name."""
    by = order.COMMAND_LINE
    _for_people(lambda connection: order.rename(connection, by, person, name), data, config)
    typer.echo(f"{person} is called {name}")


@app.command(epilog="Example: hansa admin close k7Qm2xWd9aTe")
def close(game: GameId, data: Data = None, config: Config = None) -> None:
    """Remove a table that waits, end one that runs. With SQLite stop the server first, or use the
    page.
    """

    def work(connection: sa.Connection) -> str:
        try:
            return order.close_game(connection, order.COMMAND_LINE, game)
        except TableError as error:
            raise upkeep.UpkeepError(error.message) from error

    typer.echo(f"{game} {_change(work, game, data, config)}")


@app.command(epilog="Example: hansa admin reports")
def reports(data: Data = None, config: Config = None) -> None:
    """What people reported and nobody has settled."""
    for one in _in_store(order.open_reports, data, config):
        about = f" about {one.about_name} ({one.about})" if one.about else ""
        where = f" at {one.game}" if one.game else ""
        typer.echo(f"{one.id}  {_day(one.at)}  {one.by_name}{about}{where}: {one.reason}")


@app.command(epilog="Example: hansa admin settle k7Qm2xWd9aTe")
def settle(
    report: Annotated[str, typer.Argument(metavar="REPORT", help="From `hansa admin reports`.")],
    data: Data = None,
    config: Config = None,
) -> None:
    """A report has been seen to."""
    by = order.COMMAND_LINE
    _for_people(lambda connection: order.settle(connection, by, report), data, config)
    typer.echo(f"{report} settled")


@app.command(epilog="Example: hansa admin deeds")
def deeds(data: Data = None, config: Config = None) -> None:
    """What admins did, the newest first."""
    for one in _in_store(order.deeds_done, data, config):
        typer.echo(f"{_day(one.at)}  {one.by:<34}{one.what:<9}{one.subject:<14}{one.detail}")


@app.command("export", epilog="Example: hansa admin export backup.jsonl")
def export_all(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Written anew.")],
    data: Data = None,
    config: Config = None,
) -> None:
    """Write everything to a file; the server may go on."""
    if file.exists():
        raise upkeep.UpkeepError(f"{file} exists already: choose another name")
    with (
        _store(data, config) as store,
        open(file, "x", encoding="utf-8", opener=_for_me_alone) as writing,
    ):
        count = store.see(lambda connection: upkeep.export(connection, writing))
    typer.echo(f"{count} rows written to {file}")


@app.command("import", epilog="Example: hansa admin import backup.jsonl --data NEW_FOLDER")
def import_all(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="From `hansa admin export`.")],
    data: Data = None,
    config: Config = None,
) -> None:
    """Read an export into an empty store, SQLite or PostgreSQL."""
    with file.open(encoding="utf-8") as reading, _store(data, config, new=True) as store:
        store.claim(patience=0.0)
        count = store.now(lambda connection: upkeep.load(connection, reading))
    typer.echo(f"{count} rows read from {file}")


@app.command("backup", epilog="Example: hansa admin backup /backups/hansa-2026-11-16.sqlite3")
def backup_store(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Written anew.")],
    data: Data = None,
    config: Config = None,
) -> None:
    """Copy an SQLite store while people play; for PostgreSQL use pg_dump."""
    place = _place(data, config)
    copies.backup(place, file)
    typer.echo(f"{place} copied to {file}, {file.stat().st_size // 1024} kB, and looked through")


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
    typer.echo(f"{file} is the store now" + (f"; the old one lies at {old}" if old else ""))


def _place(data: str | None, config: str | None) -> Path:
    url = sa.make_url(load(config, data=data).url())
    if url.get_backend_name() != "sqlite" or not url.database:
        raise upkeep.UpkeepError("this is for SQLite: PostgreSQL has pg_dump and pg_restore")
    return Path(url.database)


def _for_me_alone(path: str, flags: int) -> int:
    """An export holds the key of every cookie."""
    return os.open(path, flags, 0o600)


def main(arguments: list[str] | None = None) -> int:
    """Run one command; gives its exit status."""
    if not (sys.argv[1:] if arguments is None else arguments):
        arguments = ["--help"]
    try:
        status = app(arguments, prog_name="hansa admin", standalone_mode=False)
    except OSError as error:
        typer.echo(f"hansa: {error.filename}: {error.strerror}", err=True)
        return 2
    except HansaError as error:
        typer.echo(f"hansa: {error}", err=True)
        return 2
    except typer.Abort:
        return 130
    except Exception as error:
        message = getattr(error, "format_message", None)
        if message is None:
            raise
        typer.echo(f"hansa: {message()} See `hansa admin --help`.", err=True)
        return 2
    return status if isinstance(status, int) else 0


if __name__ == "__main__":
    sys.exit(main())
