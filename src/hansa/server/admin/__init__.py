"""`hansa admin`: the host's command line over the store (also `python -m hansa.server.admin`)."""

from __future__ import annotations

import sys

import typer

from hansa.errors import HansaError
from hansa.server.admin import copying, games, people

__all__ = ["app", "main"]

app = typer.Typer(
    name="admin",
    help="Look after the games that a server stores.",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
for part in (games, people, copying):
    app.add_typer(part.app)


def main(arguments: list[str] | None = None) -> int:
    """Run one command; gives its exit status."""
    if not (sys.argv[1:] if arguments is None else arguments):
        arguments = ["--help"]
    try:
        status = app(arguments, prog_name="hansa admin", standalone_mode=False)
    except OSError as error:
        named = f"{error.filename}: " if error.filename else ""
        typer.echo(f"hansa: {named}{error.strerror}", err=True)
        return 2
    except HansaError as error:
        typer.echo(f"hansa: {error}", err=True)
        return 2
    except typer.Abort:
        return 130
    except Exception as error:
        message = getattr(error, "format_message", None)
        if message is None:
            raise
        typer.echo(f"hansa: {message()} See `hansa admin --help`.", err=True)
        return 2
    return status if isinstance(status, int) else 0
