"""`hansa arena` and `hansa stats`: how good the bots are, and what their games tell."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Annotated, Any

import typer

from hansa.cli.app import EXTRAS, Stop, app, needed
from hansa.cli.options import with_setup

Theme = Annotated[str, typer.Option(help="Of charts: light, dark, print or auto.")]


@app.command(epilog="Example: hansa arena greedy search:time=0.2 random --players 3 --games 60")
@with_setup(without=("players", "seed"))
def arena(
    bots: Annotated[
        list[str], typer.Argument(metavar="BOT", help="Bots, with settings after a colon.")
    ],
    players: Annotated[
        int | None, typer.Option(help="Seats at the table.", show_default="one for each bot")
    ] = None,
    games: Annotated[int, typer.Option(min=1, help="How many to play.")] = 100,
    seed: Annotated[int, typer.Option(help="Of the first game.")] = 0,
    workers: Annotated[
        int | None, typer.Option(min=1, help="Games at a time.", show_default="one for each core")
    ] = None,
    ray: Annotated[bool, typer.Option("--ray", help="Play on Ray, started here.")] = False,
    ray_address: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", help="Play on this Ray cluster, such as host:6379."),
    ] = None,
    results: Annotated[
        Path | None, typer.Option("--json", metavar="FILE", help="Write the results there.")
    ] = None,
    as_csv: Annotated[
        Path | None, typer.Option("--csv", metavar="FILE", help="Write the standings there.")
    ] = None,
    chart: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw the results there, as SVG.")
    ] = None,
    theme: Theme = "light",
    records: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Keep every game there; go on if interrupted."),
    ] = None,
    **options: Any,
) -> None:
    """Let bots play against each other, fairly seated, and tell how good they are."""
    standings = needed("hansa.bots.standings", "arena")
    for file in (results, as_csv, chart):
        if file is not None and not file.absolute().parent.is_dir():
            raise Stop(f"{file}: there is no folder {file.parent}")
    _check_theme(theme)
    outcome = _tournament(
        bots,
        players=players,
        games=games,
        seed=seed,
        workers=workers,
        ray=_cluster(ray, ray_address),
        directory=records,
        **options,
    )
    typer.echo(standings.table(outcome))
    typer.echo("\n" + standings.summary(outcome))
    if len(outcome["bots"]) > 1 and "rating" not in outcome["bots"][0]:
        typer.echo(f"for ratings: pip install '{EXTRAS['arena']}'", err=True)
    if results is not None:
        results.write_text(json.dumps(outcome, indent=1) + "\n", encoding="utf-8")
    if as_csv is not None:
        as_csv.write_text(standings.as_csv(outcome), encoding="utf-8")
    if chart is not None:
        drawn = needed("hansa.arena", "arena").chart(outcome, theme=theme)
        chart.write_text(drawn, encoding="utf-8")


def _cluster(wanted: bool, address: str | None) -> str | None:
    """Ray's own variable names a cluster too, as it does for every program that uses Ray."""
    if address is not None:
        return address
    return os.environ.get("RAY_ADDRESS") or "local" if wanted else None


def _check_theme(theme: str) -> None:
    from hansa.svg.theme import THEMES

    if theme not in THEMES:
        raise Stop(f"unknown theme {theme!r}: use one of {', '.join(THEMES)}")


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
    seen = (0, options["games"])
    try:
        with bar as progress:
            task = progress.add_task("games", total=options["games"])

            def played(done: int, total: int) -> None:
                nonlocal seen
                seen = (done, total)
                progress.update(task, completed=done, total=total, description="games")

            def tell(text: str) -> None:
                progress.update(task, description=text)

            return run(bots, progress=played, tell=tell, **options)
    except KeyboardInterrupt:
        typer.echo(_farewell(*seen, options["directory"]), err=True)
        raise


def _farewell(done: int, total: int, directory: Path | None) -> str:
    if directory is None:
        return f"{done} of {total} games were played; with --records DIR a tournament can go on"
    return f"{done} of {total} games are in {directory}; the same command goes on from there"


@app.command(epilog="Example: hansa stats games --charts pictures")
def stats(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Records of finished games.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    charts: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Draw charts in there, as SVG.")
    ] = None,
    theme: Theme = "light",
) -> None:
    """What a folder of recorded games tells: openings, routes, ends, seats, lengths."""
    from hansa.bots import statistic_charts, statistics

    if not folder.is_dir():
        raise Stop(f"{folder}: there is no such folder")
    _check_theme(theme)
    gathered = statistics.gather(folder)
    for name, reason in gathered["skipped"].items():
        typer.echo(f"skipped {name}: {reason}", err=True)
    typer.echo(json.dumps(gathered) if as_json else statistics.report(gathered))
    if charts is not None:
        charts.mkdir(parents=True, exist_ok=True)
        for name, drawn in statistic_charts.charts(gathered, theme=theme).items():
            (charts / f"{name}.svg").write_text(drawn, encoding="utf-8")
