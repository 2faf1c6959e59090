"""`hansa play` and `hansa serve`: the table in the browser, or here in the terminal."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Annotated, Any

import typer

from hansa.cli.app import Stop, app, needed, reader
from hansa.cli.options import with_setup

Host = Annotated[str | None, typer.Option(help="Address to listen on.", show_default="127.0.0.1")]
Port = Annotated[int | None, typer.Option(help="Port to listen on.", min=0, max=65535)]
Data = Annotated[Path | None, typer.Option(metavar="DIR", help="Where the embedded database is.")]


@app.command(epilog="Example: hansa play --no-browser --port 8000")
@with_setup(without=("seed",), players=3)
def play(
    host: Host = None,
    port: Port = None,
    data: Data = None,
    browser: Annotated[
        bool, typer.Option("--browser/--no-browser", help="Open the page when it is ready.")
    ] = True,
    terminal: Annotated[
        bool, typer.Option("--terminal", help="Play here in the terminal instead.")
    ] = False,
    seed: Annotated[int | None, typer.Option(help="Terminal: for the same game again.")] = None,
    seat: Annotated[str, typer.Option(help="Terminal: your seat.")] = "p1",
    bot: Annotated[str, typer.Option(help="Terminal: who sits at the other seats.")] = "greedy",
    save: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Terminal: write the record there.")
    ] = None,
    **options: Any,
) -> None:
    """Play on this machine: the table in the browser, or here in the terminal."""
    if not terminal:
        _start_table(host=host, port=port, data=data, browser=browser, prepare=True)
        return
    import hansa

    seed = random.randrange(2**32) if seed is None else seed
    game = hansa.Game.new(**options, seed=seed)
    _play_in_terminal(game, seat, bot, save)


def _play_in_terminal(game: Any, seat: str, bot: str, save: Path | None) -> None:
    from rich.console import Console

    from hansa import terminal

    seats = game.players
    if seat not in seats:
        raise Stop(f"no seat {seat!r} in this game; seats are {', '.join(seats)}")
    bots = {player: terminal.opponent(bot) for player in seats if player != seat}
    console = Console(highlight=False)
    terminal.Table(game, seat, bots, console=console, read=reader(), save=save).run()


@app.command(epilog="Example: hansa serve --host 0.0.0.0 --port 8000 --data /var/lib/hansa")
def serve(
    host: Host = None,
    port: Port = None,
    data: Data = None,
    config: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Settings as TOML; options win over it.")
    ] = None,
) -> None:
    """Host the table for others."""
    _start_table(host=host, port=port, data=data, config=config)


def _start_table(**options: Any) -> None:
    run_table = needed("hansa.server.run", "server").run
    try:
        run_table(**options)
    except ValueError as error:
        raise Stop(str(error)) from None


@app.command(
    add_help_option=False,
    context_settings={"allow_extra_args": True, "ignore_unknown_options": True},
    epilog="Example: hansa admin list",
)
def admin(context: typer.Context) -> None:
    """Look after the games that a server stores."""
    main = needed("hansa.server.admin", "server").main
    try:
        raise typer.Exit(main(context.args))
    except ValueError as error:
        raise Stop(str(error)) from None
