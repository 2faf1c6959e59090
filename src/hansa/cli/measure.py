"""`hansa bench` and `hansa arena`: how fast the engine is, and how good the bots are."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from hansa.cli.app import Stop, app, needed


@app.command(epilog="Example: hansa bench --json")
def bench(
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    seconds: Annotated[float, typer.Option(min=0.01, help="For each board and way to run.")] = 1.0,
) -> None:
    """Measure the engine on this machine: decisions per second, one core."""
    from rich.console import Console

    from hansa import bench as benchmark

    with Console(stderr=True).status("measuring") as status:
        speeds = benchmark.measure(seconds, status.update)
    if as_json:
        typer.echo(json.dumps(speeds))
        return
    typer.echo(f"{'board':<14}{'compiled':>16}{'interpreted':>16}   decisions per second, one core")
    for board, interpreted in speeds["interpreted"].items():
        compiled = speeds["compiled"].get(board)
        shown = "not installed" if compiled is None else f"{compiled:,.0f}"
        typer.echo(f"{board:<14}{shown:>16}{interpreted:>16,.0f}")


@app.command(epilog="Example: hansa arena greedy search:time=0.2 random --players 3 --games 60")
def arena(
    bots: Annotated[
        list[str], typer.Argument(metavar="BOT", help="Bots, with settings after a colon.")
    ],
    board: Annotated[str, typer.Option(help="hansa, east or britannia.")] = "hansa",
    players: Annotated[
        int | None, typer.Option(help="Seats at the table.", show_default="one for each bot")
    ] = None,
    edition: Annotated[str, typer.Option(help="bigbox or classic.")] = "bigbox",
    games: Annotated[int, typer.Option(min=1, help="How many to play.")] = 100,
    seed: Annotated[int, typer.Option(help="Of the first game.")] = 0,
    missions: Annotated[bool, typer.Option("--missions", help="With missions.")] = False,
    favours: Annotated[bool, typer.Option("--favours", help="With Emperor's Favour.")] = False,
    duel: Annotated[str | None, typer.Option(help="Two players: pawn or neutral.")] = None,
    workers: Annotated[
        int | None, typer.Option(min=1, help="Games at a time.", show_default="one for each core")
    ] = None,
    results: Annotated[
        Path | None, typer.Option("--json", metavar="FILE", help="Write the results there.")
    ] = None,
    as_csv: Annotated[
        Path | None, typer.Option("--csv", metavar="FILE", help="Write the standings there.")
    ] = None,
    records: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Keep every game there; go on if interrupted."),
    ] = None,
) -> None:
    """Let bots play against each other, fairly seated, and tell how good they are."""
    standings = needed("hansa.bots.standings", "arena")
    for file in (results, as_csv):
        if file is not None and not file.absolute().parent.is_dir():
            raise Stop(f"{file}: there is no folder {file.parent}")
    outcome = _tournament(
        bots,
        board=board,
        players=players,
        edition=edition,
        games=games,
        seed=seed,
        missions=missions,
        favours=favours,
        duel=duel,
        workers=workers,
        directory=records,
    )
    typer.echo(standings.table(outcome))
    if results is not None:
        results.write_text(json.dumps(outcome, indent=1) + "\n", encoding="utf-8")
    if as_csv is not None:
        as_csv.write_text(standings.as_csv(outcome), encoding="utf-8")


def _tournament(bots: list[str], **options: Any) -> Any:
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    run = needed("hansa.arena", "arena").run
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    console = Console(stderr=True)
    bar = Progress(*columns, console=console, transient=True, disable=not console.is_terminal)
    with bar as progress:
        task = progress.add_task("games", total=options["games"])

        def played(done: int, total: int) -> None:
            progress.update(task, completed=done, total=total, description="games")

        def tell(text: str) -> None:
            progress.update(task, description=text)

        return run(bots, progress=played, tell=tell, **options)


@app.command(epilog="Example: hansa stats games --json")
def stats(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Records of finished games.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """What a folder of recorded games tells: openings, routes, ends, seats."""
    from hansa.bots import statistics

    if not folder.is_dir():
        raise Stop(f"{folder}: there is no such folder")
    gathered = statistics.gather(folder)
    typer.echo(json.dumps(gathered) if as_json else statistics.report(gathered))
