"""The command `hansa`: play, check, measure, draw.

Each command loads what it needs only when it runs, so that `--help` is quick and a missing
extra is told in one line that says what to install.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Callable, Iterable, Sequence
from importlib import import_module, metadata
from pathlib import Path
from types import ModuleType
from typing import Annotated, Any, NoReturn

import typer

from hansa.errors import HansaError

__all__ = ["app", "main"]

app = typer.Typer(
    name="hansa",
    help="Hansa Teutonica: play it, check its rules, let bots play it.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)

EXTRAS = {"server": "hansa[server,fast]", "arena": "hansa[arena,fast]"}


class _Stop(Exception):
    """Bad input or something missing: one clear line, and exit status 2."""


def main() -> NoReturn:
    """Run the command line; whatever the user got wrong ends with one line on stderr."""
    sys.exit(run(sys.argv[1:]))


def run(arguments: Sequence[str]) -> int:
    """Run one command and give its exit status."""
    try:
        status = app(list(arguments), prog_name="hansa", standalone_mode=False)
    except OSError as error:
        return _complain(f"{error.filename}: {error.strerror}" if error.filename else str(error))
    except (_Stop, HansaError) as error:
        return _complain(str(error))
    except (KeyboardInterrupt, typer.Abort):
        return _complain("stopped", status=130)
    except Exception as error:
        # Usage errors of the command-line library share this method across its versions.
        message = getattr(error, "format_message", None)
        if message is None:
            raise
        return _complain(f"{message()} See `hansa --help`.", status=2)
    return status if isinstance(status, int) else 0


def _complain(message: str, status: int = 2) -> int:
    typer.echo(f"hansa: {' '.join(message.split())}", err=True)
    return status


def _needed(module: str, extra: str) -> ModuleType:
    """Import a part of the package that may need an extra."""
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        raise _Stop(
            f"this needs the package {error.name!r}: pip install '{EXTRAS[extra]}'"
        ) from None


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"hansa {metadata.version('hansa')}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    pass


# --- check -----------------------------------------------------------------------------------


@app.command(epilog="Example: hansa check tests/scenarios/*.yaml")
def check(
    files: Annotated[list[Path], typer.Argument(metavar="FILE", help="Files or folders.")],
) -> None:
    """Run scenario files: rules as examples. Exit status 1 if one fails."""
    from hansa import scenarios

    passed = failed = 0
    for path in _scenario_files(files):
        for outcome in scenarios.check(path):
            typer.echo(str(outcome))
            passed += outcome.ok
            failed += not outcome.ok
    typer.echo(f"{passed} passed, {failed} failed")
    raise typer.Exit(1 if failed else 0)


def _scenario_files(paths: Iterable[Path]) -> Iterable[Path]:
    for path in paths:
        if path.is_dir():
            yield from sorted(path.rglob("*.yaml"))
        else:
            yield path


# --- bench -----------------------------------------------------------------------------------


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


# --- play and serve --------------------------------------------------------------------------

Host = Annotated[str | None, typer.Option(help="Address to listen on.", show_default="127.0.0.1")]
Port = Annotated[int | None, typer.Option(help="Port to listen on.", min=0, max=65535)]
Data = Annotated[Path | None, typer.Option(metavar="DIR", help="Where the embedded database lies.")]


@app.command(epilog="Example: hansa play --no-browser --port 8000")
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
    board: Annotated[str, typer.Option(help="Terminal: hansa, east or britannia.")] = "hansa",
    players: Annotated[int, typer.Option(help="Terminal: 2 to 5.")] = 3,
    edition: Annotated[str, typer.Option(help="Terminal: bigbox or classic.")] = "bigbox",
    seed: Annotated[int | None, typer.Option(help="Terminal: for the same game again.")] = None,
    seat: Annotated[str, typer.Option(help="Terminal: your seat.")] = "p1",
    bot: Annotated[str, typer.Option(help="Terminal: who sits at the other seats.")] = "greedy",
    save: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Terminal: write the record there.")
    ] = None,
) -> None:
    """Play on this machine: the table in the browser, or here in the terminal."""
    if not terminal:
        _start_table(host=host, port=port, data=data, browser=browser)
        return
    import hansa

    seed = random.randrange(2**32) if seed is None else seed
    game = hansa.Game.new(board=board, players=players, edition=edition, seed=seed)
    _play_in_terminal(game, seat, bot, save)


def _play_in_terminal(game: Any, seat: str, bot: str, save: Path | None) -> None:
    from rich.console import Console

    from hansa import terminal

    seats = game.players
    if seat not in seats:
        raise _Stop(f"no seat {seat!r} in this game; seats are {', '.join(seats)}")
    bots = {player: terminal.opponent(bot) for player in seats if player != seat}
    console = Console(highlight=False)
    terminal.Table(game, seat, bots, console=console, read=_reader(), save=save).run()


def _reader() -> Callable[[str], str]:
    """Lines from the keyboard with a prompt, or from a pipe without one."""
    if sys.stdin.isatty():
        return input

    def read(_prompt: str) -> str:
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        return line

    return read


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
    run_table = _needed("hansa.server.run", "server").run
    try:
        run_table(**options)
    except ValueError as error:
        raise _Stop(str(error)) from None


# --- replay and svg --------------------------------------------------------------------------


@app.command(epilog="Example: hansa replay game.txt --after 40")
def replay(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A record; - for standard input.")],
    after: Annotated[
        int | None, typer.Option(min=0, help="Show the position after that many decisions.")
    ] = None,
    walk: Annotated[
        bool, typer.Option("--walk", help="Step through it: Enter, b, a number, q.")
    ] = False,
    pictures: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Write every position as SVG in there.")
    ] = None,
) -> None:
    """Go through a recorded game: its decisions, then the position at the end."""
    from rich.console import Console

    import hansa
    from hansa.replay import Replay

    game = Replay(hansa.Game.from_record(_read_text(file)))
    console = Console(highlight=False)
    if after is not None and after > len(game.actions):
        raise _Stop(f"the game has only {len(game.actions)} decisions, not {after}")
    if pictures is not None:
        _write_pictures(game, pictures)
        return
    if walk:
        game.walk(console, _reader())
        return
    if after is None:
        for line in game.lines():
            console.print(line)
    else:
        game.go(after)
    game.show(console)


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


def _read_text(file: Path) -> str:
    if str(file) == "-":
        return sys.stdin.read()
    try:
        return file.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise _Stop(f"{file}: not a text file in UTF-8") from None


@app.command(epilog="Example: hansa svg game.txt --after 40 --desks --output position.svg")
def svg(
    source: Annotated[
        str,
        typer.Argument(
            metavar="SOURCE", help="A record, a position as JSON, - for standard input, or a board."
        ),
    ],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Default: print it.")
    ] = None,
    after: Annotated[
        int | None, typer.Option(min=0, help="Of a record: after that many decisions.")
    ] = None,
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
        raise _Stop(f"no chart {chart!r}; charts are {', '.join(pictures.CHARTS)}")
    text = source if source in BOARD_IDS else _read_text(Path(source))
    style = pictures.Style(theme=theme, size=size, desks=desks, letters=letters)
    try:
        drawn = pictures.draw(text, style, after=after, chart=chart)
    except ValueError as error:
        raise _Stop(str(error)) from None
    if output is None:
        typer.echo(drawn)
    else:
        output.write_text(drawn, encoding="utf-8")
        typer.echo(f"{output}: {len(drawn.encode()):,} bytes")
