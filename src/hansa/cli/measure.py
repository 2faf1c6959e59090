"""`hansa bench`: how fast the engine is."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from hansa.cli.app import app


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
