"""The text that names a bot and its settings: `search:time=0.2,seed=3`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .protocol import UnknownBot

__all__ = ["Setting", "parse", "read"]

_NAME = re.compile(r"[a-z][a-z0-9_-]*")


@dataclass(frozen=True)
class Setting:
    """One setting of a bot: how its text is read, and in a few words what it does."""

    read: Callable[[str], Any]
    what: str
    trusted: bool = False
    """Whether only who is trusted may give it, because it names a file of this machine."""

    @classmethod
    def whole(cls, least: int, most: int, what: str) -> Setting:
        """A whole number within bounds."""

        def read_whole(text: str) -> int:
            if not text.isascii() or not text.isdigit() or not least <= int(text) <= most:
                raise ValueError(f"must be a whole number from {least} to {most}")
            return int(text)

        return cls(read_whole, what)

    @classmethod
    def seconds(cls, least: float, most: float, what: str) -> Setting:
        """A time in seconds within bounds."""

        def read_seconds(text: str) -> float:
            try:
                value = float(text)
            except ValueError:
                value = -1.0
            if not least <= value <= most:
                raise ValueError(f"must be seconds from {least:g} to {most:g}")
            return value

        return cls(read_seconds, what)

    @classmethod
    def text(cls, most: int, what: str) -> Setting:
        """Any text without a comma, of so many characters at most."""

        def read_text(text: str) -> str:
            if len(text) > most:
                raise ValueError(f"must have at most {most} characters")
            return text

        return cls(read_text, what)

    @classmethod
    def file(cls, what: str) -> Setting:
        """The path of a file, without a comma; never to be given over a network."""

        def read_file(text: str) -> Path:
            path = Path(text).expanduser()
            if not path.is_file():
                raise ValueError("must be a file that is there")
            return path

        return cls(read_file, what, trusted=True)

    @classmethod
    def one_of(cls, names: Iterable[str], what: str) -> Setting:
        """One of some names."""
        known = tuple(names)

        def read_name(text: str) -> str:
            if text not in known:
                raise ValueError(f"must be one of {', '.join(known)}")
            return text

        return cls(read_name, f"{what}: {', '.join(known)}")


def parse(spec: str) -> tuple[str, dict[str, str]]:
    """The name and the settings of a text; raises UnknownBot.

    >>> parse("search:time=0.2,seed=3")
    ('search', {'time': '0.2', 'seed': '3'})
    """
    if not spec or type(spec) is not str:
        raise UnknownBot(f"a bot is named by a text such as 'greedy', not {spec!r}")
    name, colon, rest = spec.partition(":")
    if not _NAME.fullmatch(name):
        raise UnknownBot(f"{spec!r}: a bot's name is small letters, such as greedy")
    settings: dict[str, str] = {}
    for part in rest.split(",") if colon else ():
        key, equals, value = part.partition("=")
        if not equals or not key or not value:
            raise UnknownBot(f"{spec!r}: settings are written key=value,key=value, not {part!r}")
        if key in settings:
            raise UnknownBot(f"{spec!r}: {key} is given twice")
        settings[key] = value
    return name, settings


def read(spec: str, given: Mapping[str, str], known: Mapping[str, Setting]) -> dict[str, Any]:
    """The values of the settings given; raises UnknownBot for unknown ones and bad values."""
    values = {}
    for key, text in given.items():
        if key not in known:
            allowed = ", ".join(known) or "none"
            raise UnknownBot(f"{spec!r}: no setting {key!r}; this bot knows {allowed}")
        try:
            values[key] = known[key].read(text)
        except ValueError as error:
            raise UnknownBot(f"{spec!r}: {key} {error}, not {text!r}") from None
    return values
