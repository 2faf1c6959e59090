"""Checks of data from outside; each failure names the place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from hansa.errors import InvalidPosition

__all__ = ["choice", "keys", "length", "number", "sequence", "truth"]


def number(value: Any, least: int, most: int, path: str) -> int:
    """A whole number within bounds."""
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise InvalidPosition(
            f"{path}: must be a whole number from {least} to {most}, not {value!r}"
        )
    return value


def truth(value: Any, path: str) -> int:
    """True or false, as 1 or 0."""
    if not isinstance(value, bool):
        raise InvalidPosition(f"{path}: must be true or false, not {value!r}")
    return int(value)


def choice(value: Any, names: Sequence[str], path: str) -> int:
    """The place of a name in a list."""
    if not isinstance(value, str) or value not in names:
        listed = ", ".join(names) if len(names) <= 12 else f"{', '.join(names[:3])}, …"
        raise InvalidPosition(f"{path}: {value!r} is not one of {listed}")
    return names.index(value)


def sequence(value: Any, path: str) -> list[Any]:
    """A list."""
    if not isinstance(value, list | tuple):
        raise InvalidPosition(f"{path}: must be a list, not {value!r}")
    return list(value)


def length(value: Any, least: int, most: int, path: str) -> list[Any]:
    """A list of so many entries."""
    entries = sequence(value, path)
    if not least <= len(entries) <= most:
        wanted = str(least) if least == most else f"{least} to {most}"
        raise InvalidPosition(f"{path}: must have {wanted} entries, not {len(entries)}")
    return entries


def keys(value: Any, known: Sequence[str], path: str, *, complete: bool = False) -> None:
    """A mapping with no other keys than these, and with all of them if complete."""
    where = path or "position"
    if not isinstance(value, Mapping):
        raise InvalidPosition(f"{where}: must be a mapping, not {value!r}")
    for key in value:
        if key not in known:
            listed = ", ".join(known) if len(known) <= 20 else f"{', '.join(known[:3])}, …"
            raise InvalidPosition(f"{where}: unknown key {key!r}, one of {listed}")
    if complete and len(value) != len(known):
        missing = [key for key in known if key not in value]
        raise InvalidPosition(f"{where}: {', '.join(missing)} missing")
