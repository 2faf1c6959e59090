"""`hansa replay` and `hansa svg`: recorded games and pictures of them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from hansa.cli.app import After, Source, Stop, Which, app, read_replay, read_text, reader
from hansa.lines import is_line


@app.command(epilog="Example: hansa replay game.txt --after 40")
def replay(
    source: Source,
    after: After = None,
    game: Which = None,
    walk: Annotated[
        bool, typer.Option("--walk", help="Step through it: Enter, b, a number, q.")
    ] = False,
    pictures: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Write every position as SVG in there.")
    ] = None,
) -> None:
    """Go through a recorded game: its decisions, then the position at the end."""
    from rich.console import Console

    played, console = read_replay(source, after, game), Console(highlight=False)
    if pictures is not None:
        _write_pictures(played, pictures)
        return
    if walk:
        played.walk(console, reader())
        return
    if after is None:
        for line in played.lines():
            console.print(line)
    played.show(console)


def _write_pictures(game: Any, folder: Path) -> None:
    from rich.console import Console
    from rich.progress import track

    from hansa.pictures import Style, position

    folder.mkdir(parents=True, exist_ok=True)
    count = len(game.actions)
    for number in track(range(count + 1), "drawing", console=Console(stderr=True), transient=True):
        game.go(number)
        file = folder / f"{number:04}.svg"
        file.write_text(position(game.game, Style(desks=True)), encoding="utf-8")
    typer.echo(f"{count + 1} pictures in {folder}")


@app.command(epilog="Example: hansa svg game.txt --after 40 --desks --output position.svg")
def svg(
    source: Annotated[
        str,
        typer.Argument(
            metavar="SOURCE",
            help="A record or a position, as JSON or in one line; a board; - for standard input.",
        ),
    ],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Default: print it.")
    ] = None,
    after: After = None,
    game: Which = None,
    chart: Annotated[
        str | None, typer.Option(help="Of a record: prestige (by turn) or score.")
    ] = None,
    theme: Annotated[str, typer.Option(help="light, dark, print or auto.")] = "light",
    size: Annotated[float | None, typer.Option(help="Width in pixels.")] = None,
    desks: Annotated[bool, typer.Option("--desks", help="With the players' desks.")] = False,
    letters: Annotated[bool, typer.Option("--letters", help="Letters on the pieces.")] = False,
) -> None:
    """Draw a board, a position or a recorded game as SVG."""
    from hansa import pictures
    from hansa.boards import BOARD_IDS

    if chart is not None and chart not in pictures.CHARTS:
        raise Stop(f"no chart {chart!r}; charts are {', '.join(pictures.CHARTS)}")
    if not (source in BOARD_IDS or source == "-" or is_line(source) or Path(source).exists()):
        raise Stop(f"{source}: no such file, and no board; boards are {', '.join(BOARD_IDS)}")
    text = source if source in BOARD_IDS else read_text(source)
    style = pictures.Style(theme=theme, size=size, desks=desks, letters=letters)
    try:
        drawn = pictures.draw(text, style, after=after, chart=chart, number=game)
    except ValueError as error:
        raise Stop(str(error)) from None
    if output is None:
        typer.echo(drawn)
    else:
        output.write_text(drawn, encoding="utf-8")
        typer.echo(f"{output}: {len(drawn.encode()):,} bytes")
