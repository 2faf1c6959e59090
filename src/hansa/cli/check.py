"""`hansa check`: scenario files, rules as examples."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from hansa.cli.app import Stop, app


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
    if not passed + failed:
        raise Stop(f"no scenario in {', '.join(map(str, files))}")
    typer.echo(f"{passed} passed, {failed} failed")
    raise typer.Exit(1 if failed else 0)


def _scenario_files(paths: Iterable[Path]) -> Iterable[Path]:
    for path in paths:
        if path.is_dir():
            yield from sorted(path.rglob("*.yaml"))
        else:
            yield path
