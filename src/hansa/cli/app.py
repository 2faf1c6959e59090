"""The command `hansa`: play, check, measure, draw.

Each command loads what it needs only when it runs, so that `--help` is quick and a missing
extra is told in one line that says what to install.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from importlib import import_module, metadata
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from hansa.errors import HansaError
from hansa.lines import is_line
from hansa.records import BOM

if TYPE_CHECKING:
    from hansa.replay import Replay

__all__ = ["app", "main"]

app = typer.Typer(
    name="hansa",
    help="Hansa Teutonica: play it, check its rules, let bots play it.",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)

EXTRAS = {"server": "hansa[server,fast]", "arena": "hansa[arena,fast]"}


class Stop(Exception):
    """Bad input or something missing: one clear line, and exit status 2."""


def main() -> NoReturn:
    """Run the command line; whatever the user got wrong ends with one line on stderr."""
    sys.exit(run(sys.argv[1:]))


def run(arguments: Sequence[str]) -> int:
    """Run one command and give its exit status."""
    try:
        # Without a word the command tells what it can do.
        status = app(list(arguments) or ["--help"], prog_name="hansa", standalone_mode=False)
    except OSError as error:
        return _complain(f"{error.filename}: {error.strerror}" if error.filename else str(error))
    except (Stop, HansaError) as error:
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


def needed(module: str, extra: str) -> ModuleType:
    """Import a part of the package that may need an extra."""
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        raise Stop(
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


def reader() -> Callable[[str], str]:
    """Lines from the keyboard with a prompt, or from a pipe without one."""
    if sys.stdin.isatty():
        return input

    def read(_prompt: str) -> str:
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        return line

    return read


Source = Annotated[
    str,
    typer.Argument(
        metavar="FILE",
        help="A record or a position, as JSON or in one line; the line itself; - for standard input.",
    ),
]
After = Annotated[int | None, typer.Option(min=0, help="Of a record: after that many decisions.")]
Which = Annotated[
    int | None, typer.Option("--game", min=1, help="Of several games in a file: which one.")
]


def read_text(source: str | Path) -> str:
    """What a file or standard input holds; a position in one line stands for itself."""
    if is_line(str(source)):
        return str(source)
    if str(source) == "-":
        return sys.stdin.read().removeprefix(BOM)
    try:
        return Path(source).read_text(encoding="utf-8").removeprefix(BOM)
    except UnicodeDecodeError:
        raise Stop(f"{source}: not a text file in UTF-8") from None


def read_replay(source: str, after: int | None, number: int | None) -> Replay:
    """A record or a position, as it was after so many decisions; by default at its end."""
    from hansa.pictures import read_game
    from hansa.replay import Replay

    replay = Replay(read_game(read_text(source), number))
    if after is not None and after > len(replay.actions):
        raise Stop(f"the game has only {len(replay.actions)} decisions, not {after}")
    replay.go(len(replay.actions) if after is None else after)
    return replay
