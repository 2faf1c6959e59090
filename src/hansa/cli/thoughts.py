"""`hansa analyse`, `hansa review` and `hansa bot-check`: what bots think, and whether they conform."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Annotated, Any

import typer

from hansa.cli.app import After, Source, Stop, Which, app, read_replay

Json = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]


@app.command(epilog="Example: hansa analyse game.txt --after 40 --bot search:time=2")
def analyse(
    source: Source,
    after: After = None,
    game: Which = None,
    bot: Annotated[str, typer.Option(help="The search that thinks.")] = "search:time=1",
    most: Annotated[int, typer.Option(min=1, help="How many decisions to list.")] = 8,
    lines: Annotated[
        bool, typer.Option("--lines/--no-lines", help="With what is expected to follow each.")
    ] = True,
    as_json: Json = False,
) -> None:
    """The best decisions of a position, with everybody's expected share of the win."""
    from hansa.bots import analysis

    replay = read_replay(source, after, game)
    if replay.game.over:
        raise Stop("the game is over: nobody decides; see hansa review, or name a place --after")
    _prepare(bot)
    found = analysis.analyse(replay.game, bot)
    if as_json:
        typer.echo(json.dumps(found.to_dict()))
        return
    typer.echo(f"{found.player} decides; {found.simulations:,} simulations")
    typer.echo(
        f"{'looked at':>9}  {'expects':>7}  " + "  ".join(f"{p:>6}" for p in replay.game.players)
    )
    for option in found.options[:most]:
        shares = "  ".join(f"{share:6.1%}" for share in option.shares.values())
        typer.echo(f"{option.visits:>9,}  {option.value:7.1%}  {shares}  {option.decision}")
        if lines and len(option.line) > 1:
            typer.echo(f"{'then':>9}  {', '.join(option.line[1:])}")
    typer.echo(f"the whole turn: {', '.join(found.turn)}")


@app.command(epilog="Example: hansa review game.txt --bot search:time=0.3")
def review(
    source: Source,
    game: Which = None,
    bot: Annotated[str, typer.Option(help="The search that thinks.")] = "search:time=0.1",
    as_json: Json = False,
) -> None:
    """The turning points of a recorded game: what gave most away, and what was better."""
    from rich.console import Console
    from rich.progress import Progress

    from hansa.bots import analysis

    played = read_replay(source, None, game).game
    if not played.history:
        raise Stop("nothing was decided there that could be reviewed; see hansa analyse")
    _prepare(bot)
    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("thinking", total=None)
        moments = analysis.review(
            played, bot, lambda done, total: progress.update(task, completed=done, total=total)
        )
    if as_json:
        typer.echo(json.dumps({"moments": [asdict(moment) for moment in moments]}))
        return
    typer.echo(_moments(played, moments))


def _moments(game: Any, moments: list[Any]) -> str:
    if not moments:
        return "no decision gave away much"
    names = {**{player: player for player in game.players}, **game.seats}
    lines = []
    for moment in moments:
        where = f"turn {moment.turn}, decision {moment.number + 1}"
        lines += [
            f"{where}: {names[moment.player]} gave away {moment.lost:.1%} of the win",
            f"  played: {moment.played}",
            f"  better: {moment.better}",
            f"  the whole turn: {', '.join(moment.line)}",
        ]
    return "\n".join(lines)


def _prepare(bot: str) -> None:
    """Compile first, so that the times given mean what they say."""
    from rich.console import Console

    from hansa.bots import compiling, create

    create(bot)
    with Console(stderr=True).status("getting ready") as status:
        compiling.prepare(status.update)
        if compiling.is_ready():
            compiling.simulate()


@app.command("bot-check", epilog='Example: hansa bot-check "python3 examples/line_bot.py"')
def bot_check(
    command: Annotated[str, typer.Argument(help="The command line that starts the program.")],
    seconds: Annotated[float, typer.Option(min=0.1, max=60, help="For each decision.")] = 1.0,
) -> None:
    """Whether a program speaks the line protocol for bots. Exit status 1 if it fails a check."""
    from hansa.bots import conformance
    from hansa.bots.external import split

    try:
        words = split(command)
    except ValueError as error:
        raise Stop(f"{command!r} {error}") from None
    failed = 0
    for outcome in conformance.check(words, seconds):
        typer.echo(str(outcome))
        failed += not outcome.ok
    typer.echo(f"checks failed: {failed}" if failed else "all checks passed")
    raise typer.Exit(1 if failed else 0)
