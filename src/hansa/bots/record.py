"""Records to work on, declared once: small slotted objects with lists, or records of numpy.

Interpreted, a record is an object of its class; compiled, `hansa.compiled` makes the same fields
of it from the class's table `FIELDS`, as it does of the state.

>>> @record
... class Tally:
...     games: int = whole()
...     wins: list[int] = whole(3)
>>> Tally()
Tally(games=0, wins=[0, 0, 0])
>>> Tally.FIELDS
(('games', 'i8', 0), ('wins', 'i8', 3))
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, TypeVar, dataclass_transform

__all__ = ["fill", "part", "real", "record", "whole"]

T = TypeVar("T")
_LAYOUT = "layout"


@dataclass_transform()
def record(cls: type[T]) -> type[T]:
    """A class of records; all its fields come from `whole`, `real` and `part`."""
    made: Any = dataclass(slots=True)(cls)
    # Name, numpy type (or class of an inner record), length (0: a single one).
    made.FIELDS = tuple((one.name, *one.metadata[_LAYOUT]) for one in fields(made))
    return made  # type: ignore[no-any-return]  # the class itself


def whole(length: int = 0, kind: str = "i8") -> Any:
    """A field of one whole number, or of a list of so many."""
    return _numbers(0, kind, length)


def real(length: int = 0) -> Any:
    """A field of one real number, or of a list of so many."""
    return _numbers(0.0, "f8", length)


def _numbers(zero: float, kind: str, length: int) -> Any:
    layout = {_LAYOUT: (kind, length)}
    if length:
        return field(default_factory=lambda: [zero] * length, metadata=layout)
    return field(default=zero, metadata=layout)


def part(of: type) -> Any:
    """A field that is a record itself."""
    return field(default_factory=of, metadata={_LAYOUT: (of, 0)})


def fill(made: Any, values: Mapping[str, Any]) -> None:
    """Write values by name into a record; raises ValueError unless they are just its fields."""
    names = {name for name, _, _ in made.FIELDS}
    if names != values.keys():
        wrong = ", ".join(sorted(names ^ values.keys()))
        raise ValueError(f"{type(made).__name__}: missing or unknown: {wrong}")
    for name, kind, length in made.FIELDS:
        if isinstance(kind, type):
            fill(getattr(made, name), values[name])
        elif not length:
            setattr(made, name, values[name])
        elif len(values[name]) == length:
            setattr(made, name, list(values[name]))
        else:
            raise ValueError(
                f"{type(made).__name__}.{name}: {length} values, not {len(values[name])}"
            )
