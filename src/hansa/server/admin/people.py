"""`hansa admin`: people, and keeping order among them."""

from __future__ import annotations

from typing import Annotated

import sqlalchemy as sa
import typer

from hansa.server import order, stored, upkeep
from hansa.server.accounts import set_reset_code
from hansa.server.admin.opening import (
    Config,
    Data,
    GameId,
    change,
    day,
    for_people,
    in_store,
    opened,
)
from hansa.server.errors import TableError
from hansa.server.schema import entries, people

__all__ = ["app"]

app = typer.Typer()
PersonId = Annotated[str, typer.Argument(metavar="PERSON", help="An id, from `hansa admin find`.")]
Hours = Annotated[
    float | None,
    typer.Option("--hours", min=0, help="For how long; 0 ends it. [default: for ever]"),
]


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

    rows, guests, decided = in_store(work, data, config)
    for account, name, created in rows:
        typer.echo(f"{account:<34}{name:<42}{day(created)}")
    typer.echo(f"accounts: {len(rows)}, guests: {guests}, log entries: {decided}")


@app.command(epilog="Example: hansa admin storage")
def storage(
    limit: Annotated[int, typer.Option(min=1, help="How many people.")] = 20,
    data: Data = None,
    config: Config = None,
) -> None:
    """Whose tables and studies take the most space."""
    for who, name, account, taken in in_store(
        lambda connection: stored.largest(connection, limit), data, config
    ):
        typer.echo(f"{taken / 1_000_000:>9.2f} MB  {who:<14}{account or '(guest)':<34}{name}")


@app.command("reset-code", epilog="Example: hansa admin reset-code alheyd-7880")
def reset_code(
    account: Annotated[str, typer.Argument(metavar="NAME", help="The account's name.")],
    data: Data = None,
    config: Config = None,
) -> None:
    """Make the one-time code with which somebody sets a new password."""
    with opened(data, config) as store:
        code = store.now(lambda connection: set_reset_code(connection, account))
    if code is None:
        raise upkeep.UpkeepError(f"there is no account {account}")
    typer.echo(code)


@app.command(epilog="Example: hansa admin appoint alheyd-7880")
def appoint(
    account: Annotated[str, typer.Argument(metavar="NAME", help="The account's name.")],
    data: Data = None,
    config: Config = None,
) -> None:
    """Make an account an admin: the page then has an entry "Moderation" in its menu."""
    _appoint(account, data, config, on=True)


@app.command(epilog="Example: hansa admin dismiss alheyd-7880")
def dismiss(
    account: Annotated[str, typer.Argument(metavar="NAME", help="The account's name.")],
    data: Data = None,
    config: Config = None,
) -> None:
    """Make an admin an ordinary account again."""
    _appoint(account, data, config, on=False)


def _appoint(account: str, data: str | None, config: str | None, *, on: bool) -> None:
    def work(connection: sa.Connection) -> bool:
        return order.appoint(connection, order.COMMAND_LINE, account, on=on)

    if not for_people(work, data, config):
        raise upkeep.UpkeepError(f"there is no account {account}")
    typer.echo(f"{account} is {'an' if on else 'no longer an'} admin")


@app.command(epilog="Example: hansa admin find bertram")
def find(
    named: Annotated[str, typer.Argument(metavar="TEXT", help="Part of a name or account.")],
    data: Data = None,
    config: Config = None,
) -> None:
    """Find people, guests too."""
    for one in in_store(lambda connection: order.find_people(connection, named), data, config):
        marks = [
            word
            for word, on in (("admin", one.admin), ("muted", one.muted), ("banned", one.banned))
            if on
        ]
        typer.echo(f"{one.id:<14}{one.account or '(guest)':<34}{one.name}  {' '.join(marks)}")


@app.command(epilog="Example: hansa admin mute k7Qm2xWd9aTe --hours 24")
def mute(person: PersonId, hours: Hours = None, data: Data = None, config: Config = None) -> None:
    """Stop somebody from chatting."""
    by = order.COMMAND_LINE
    for_people(lambda connection: order.mute(connection, by, person, hours), data, config)
    typer.echo(f"{person} is {'no longer ' if hours == 0 else ''}muted")


@app.command(epilog="Example: hansa admin ban k7Qm2xWd9aTe --hours 72")
def ban(person: PersonId, hours: Hours = None, data: Data = None, config: Config = None) -> None:
    """Let somebody only watch; open connections end, with SQLite within 20 seconds."""
    by = order.COMMAND_LINE
    for_people(lambda connection: order.ban(connection, by, person, hours), data, config, person)
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
    for_people(lambda connection: order.rename(connection, by, person, name), data, config)
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

    typer.echo(f"{game} {change(work, game, data, config)}")


@app.command(epilog="Example: hansa admin reports")
def reports(data: Data = None, config: Config = None) -> None:
    """What people reported and nobody has settled."""
    for one in in_store(order.open_reports, data, config):
        about = f" about {one.about_name} ({one.about})" if one.about else ""
        where = f" at {one.game}" if one.game else ""
        typer.echo(f"{one.id}  {day(one.at)}  {one.by_name}{about}{where}: {one.reason}")


@app.command(epilog="Example: hansa admin settle k7Qm2xWd9aTe")
def settle(
    report: Annotated[str, typer.Argument(metavar="REPORT", help="From `hansa admin reports`.")],
    data: Data = None,
    config: Config = None,
) -> None:
    """Mark a report as settled."""
    by = order.COMMAND_LINE
    for_people(lambda connection: order.settle(connection, by, report), data, config)
    typer.echo(f"{report} settled")


@app.command(epilog="Example: hansa admin deeds")
def deeds(data: Data = None, config: Config = None) -> None:
    """What admins did, the newest first."""
    for one in in_store(order.deeds_done, data, config):
        typer.echo(f"{day(one.at)}  {one.by:<34}{one.what:<9}{one.subject:<14}{one.detail}")
