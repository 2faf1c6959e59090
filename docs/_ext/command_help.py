"""The directive `hansa-help`: what every command says about itself, as it says it today."""

from __future__ import annotations

import logging
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective
from typer.testing import CliRunner

from hansa import cli

__all__ = ["HansaHelp", "help_of", "setup"]

WIDTH = 88
# The help of `hansa admin` loads the server's store, which tells how it is set up.
logging.getLogger("alembic").setLevel(logging.WARNING)


class HansaHelp(SphinxDirective):
    """A section for each command, with its help."""

    has_content = False

    def run(self) -> list[nodes.Node]:
        """The sections, by name."""
        names = sorted(filter(None, (_name(entry) for entry in cli.app.registered_commands)))
        return [self._section(name) for name in names]

    def _section(self, name: str) -> nodes.section:
        section = nodes.section(ids=[f"hansa-{name}"], names=[f"hansa {name}"])
        text = help_of(name)
        section += [
            nodes.title(text=f"hansa {name}"),
            nodes.literal_block(text, text, language="text"),
        ]
        return section


def _name(entry: Any) -> str | None:
    name: str | None = entry.name or (entry.callback.__name__ if entry.callback else None)
    return None if entry.hidden else name


def help_of(name: str) -> str:
    """The help of one command, without the blank line at its end."""
    shown = CliRunner().invoke(
        cli.app, [name, "--help"], prog_name="hansa", env={"COLUMNS": str(WIDTH)}
    )
    return shown.output.strip()


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the directive."""
    app.add_directive("hansa-help", HansaHelp)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
