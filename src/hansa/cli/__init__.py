"""The command `hansa`: play, check, measure, draw.

Each command loads what it needs only when it runs, so that `--help` is quick and a missing
extra is told in one line that says what to install.
"""

from __future__ import annotations

from hansa.cli import arena, check, measure, positions, records, table, thoughts
from hansa.cli.app import app, main, run

__all__ = [
    "app",
    "arena",
    "check",
    "main",
    "measure",
    "positions",
    "records",
    "run",
    "table",
    "thoughts",
]
