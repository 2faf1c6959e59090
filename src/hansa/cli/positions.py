"""`hansa new` and `hansa show`: a fresh game as text, and any position in the terminal."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer

from hansa.cli.app import After, Source, Which, app, read_replay
from hansa.cli.options import with_setup


@app.command(epilog="Example: hansa new --board east --players 3 --seed 4 | hansa show -")
@with_setup()
def new(
    record: Annotated[
        bool, typer.Option("--record", help="As a record to be continued, not as a position.")
    ] = False,
    line: Annotated[bool, typer.Option("--line", help="As a position in one line.")] = False,
    **options: Any,
) -> None:
    """Print a fresh game: its position as JSON or in one line, or the beginning of its record."""
    import hansa

    game = hansa.Game.new(**options)
    if record:
        typer.echo(game.record(), nl=False)
    else:
        typer.echo(game.to_line() if line else json.dumps(game.to_dict(), indent=1))


@app.command(epilog="Example: hansa show game.txt --after 40 --seat p2 --legal")
def show(
    source: Source,
    after: After = None,
    game: Which = None,
    seat: Annotated[
        str | None, typer.Option(help="Only what this player may know.", show_default="all")
    ] = None,
    legal: Annotated[bool, typer.Option("--legal", help="List the legal decisions too.")] = False,
) -> None:
    """Show a position in the terminal."""
    from rich.console import Console

    from hansa import display

    shown, console = read_replay(source, after, game).game, Console(highlight=False)
    stock = {player: shown.stock(player) for player in shown.players}
    console.print(display.position(shown.to_dict() if seat is None else shown.view(seat), stock))
    if shown.over:
        console.print(display.scores(shown.scores(), shown.winners))
    elif legal:
        texts = [str(action) for action in shown.legal_actions()]
        console.print(display.decisions(texts, chosen=texts))
