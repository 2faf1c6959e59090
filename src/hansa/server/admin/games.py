"""`hansa admin`: games, and what is made of all of them."""

from __future__ import annotations

from typing import Annotated

import sqlalchemy as sa
import typer

from hansa.server import archive, ladder, logbook, upkeep
from hansa.server.admin.opening import Config, Data, GameId, change, day, found, in_store, opened
from hansa.server.model import Meta
from hansa.server.schema import games

__all__ = ["app"]

app = typer.Typer()


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
        return [found(connection, game) for game in connection.execute(query).scalars().all()]

    for meta in in_store(work, data, config):
        seats = ", ".join(seat.name or "(open)" for seat in meta.seats)
        typer.echo(f"{meta.id}  {meta.status:<8}{day(meta.created)}  {meta.options.board}  {seats}")


@app.command(epilog="Example: hansa admin show k7Qm2xWd9aTe")
def show(game: GameId, data: Data = None, config: Config = None) -> None:
    """Everything about one game."""

    def work(connection: sa.Connection) -> tuple[Meta, int, int]:
        meta = found(connection, game)
        last = logbook.last_numbers(connection, game)
        return meta, last.revision if last else 0, last.number if last else 0

    meta, revision, number = in_store(work, data, config)
    typer.echo(
        f"{meta.id}  {meta.name}\nstatus: {meta.status}, {meta.visibility}, rules {meta.rules}"
    )
    secret = meta.status != "over" and not meta.options.seeded
    shown = {**meta.setup, "seed": "told when it is over"} if secret else meta.setup
    typer.echo(f"set-up: {shown}")
    typer.echo(f"created {day(meta.created)}, started {day(meta.started)}, ended {day(meta.ended)}")
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

    same, differ = in_store(work, data, config)
    for one in differ:
        typer.echo(f"{one.game} decision {one.number}: {one.what}")
    typer.echo(f"{same} the same, {len(differ)} different")
    if differ:
        raise typer.Exit(1)


@app.command(epilog="Example: hansa admin repair k7Qm2xWd9aTe")
def repair(game: GameId, data: Data = None, config: Config = None) -> None:
    """Make one game playable again from its log. With SQLite stop the server first."""
    typer.echo(change(lambda connection: upkeep.repair(connection, game), game, data, config))


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

    if not change(work, game, data, config):
        raise upkeep.UpkeepError(f"there is no game {game}")
    typer.echo(f"{game} deleted")


@app.command(epilog="Example: hansa admin ratings")
def ratings(data: Data = None, config: Config = None) -> None:
    """Compute all ratings again from the stored games; the server may go on."""
    with opened(data, config) as store:
        rated = store.now(ladder.recompute)
        ladders = store.see(
            lambda connection: [ladder.ladder(connection, pool) for pool in ladder.POOLS]
        )
    for one in ladders:
        typer.echo(f"{one.pool}: {len(one.rows)} rated")
        for row in one.rows:
            sure = "provisional" if row.rating.provisional else f"{row.place}."
            typer.echo(
                f"  {sure:<12}{row.rating.value:>5} ± {row.rating.uncertainty:<5}"
                f"{row.games:>5} games  {row.person.name}"
            )
    typer.echo(f"{rated} rated games")
