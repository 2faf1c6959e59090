"""The options of a set-up on the command line, read off `hansa.Setup`: no command lists them."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import Field, fields
from functools import wraps
from typing import Annotated, Any

import typer

from hansa.setup import Setup

__all__ = ["with_setup"]

_TYPES: Mapping[str, Any] = {
    "str": str,
    "int": int,
    "bool": bool,
    "str | None": str | None,
}


def _parameter(option: Field[Any]) -> inspect.Parameter:
    """`--name` for an option; lists are given one by one, switches by being named."""
    flag = f"--{option.name.replace('_', '-')}"
    names, kind, default, shown = [flag], _TYPES.get(str(option.type)), option.default, None
    if kind is None:  # promos
        names, kind, default, shown = [flag.removesuffix("s")], list[str] | None, None, "MARKER"
    told = typer.Option(*names, help=option.metadata["help"], metavar=shown)
    return inspect.Parameter(
        option.name,
        inspect.Parameter.KEYWORD_ONLY,
        default=default,
        annotation=Annotated[kind, told],
    )


def with_setup(
    *, without: tuple[str, ...] = (), **defaults: Any
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command the options of a set-up, collected in its `**options`.

    Those `without` are left out: the command has them itself, in another sense.
    """

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        own = inspect.signature(command, eval_str=True).parameters.values()
        kept = [
            p.replace(kind=inspect.Parameter.KEYWORD_ONLY)
            for p in own
            if p.kind is not inspect.Parameter.VAR_KEYWORD
        ]
        more = [_parameter(option) for option in fields(Setup) if option.name not in without]
        more = [p.replace(default=defaults.get(p.name, p.default)) for p in more]

        @wraps(command)
        def run(**given: Any) -> None:
            if "promos" in given:
                given["promos"] = tuple(given["promos"] or ())
            command(**given)

        run.__signature__ = inspect.Signature([*kept, *more])  # type: ignore[attr-defined]  # what typer reads
        run.__annotations__ = {p.name: p.annotation for p in (*kept, *more)}
        return run

    return decorate
