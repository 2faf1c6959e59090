"""Everything that the rule modules declare, collected and checked: decisions, frames, markers.

A module of the rules, or of an extension, joins by being there.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Iterable
from importlib import import_module
from types import ModuleType
from typing import TypeVar

from hansa import rules
from hansa.errors import InvalidExtension

from .declare import Decision, Frame, Marker, Permanent
from .state import FRAME_FIELDS

__all__ = ["DECISIONS", "FRAMES", "MARKERS", "MODULES", "PERMANENTS", "PROMOS"]

_ABOVE = frozenset({"catalogue", "numbering", "dispatch", "engine", "kernels", "policy"})
"""Modules that read the catalogue, and so declare nothing."""
Thing = TypeVar("Thing", Decision, Frame, Marker, Permanent)
Numbered = TypeVar("Numbered", Frame, Marker, Permanent)


def _modules() -> list[ModuleType]:
    names = [found.name for found in pkgutil.iter_modules(rules.__path__)]
    return [import_module(f"hansa.rules.{name}") for name in sorted({*names} - _ABOVE)]


MODULES = _modules()


def _declared(what: str, kind: type[Thing]) -> list[Thing]:
    found = [thing for module in MODULES for thing in getattr(module, what, ())]
    return [thing for thing in found if isinstance(thing, kind)]


def _require_distinct(what: str, values: Iterable[object]) -> None:
    seen = set()
    for value in values:
        if value in seen:
            raise InvalidExtension(f"two {what} are called {value!r}")
        seen.add(value)


def _numbered(what: str, things: list[Numbered]) -> tuple[Numbered, ...]:
    """By number, which must be the place in the list."""
    ordered = sorted(things, key=lambda thing: thing.number)
    for k, thing in enumerate(ordered, 1):
        if thing.number != k:
            raise InvalidExtension(f"{what} number {k} is missing, or declared twice")
    return tuple(ordered)


DECISIONS = tuple(sorted(_declared("DECISIONS", Decision), key=lambda decision: decision.id))
FRAMES = _numbered("pending decision", _declared("FRAMES", Frame))
MARKERS = _numbered("marker", _declared("MARKERS", Marker))
PERMANENTS = _numbered("permanent marker", _declared("PERMANENTS", Permanent))
PROMOS = tuple(marker for marker in MARKERS if marker.promo)


def _check() -> None:
    _require_distinct("decisions", (decision.text for decision in DECISIONS))
    _require_distinct("pending decisions", (frame.name for frame in FRAMES))
    _require_distinct("markers", (marker.name for marker in MARKERS))
    _require_distinct("permanent markers", (marker.name for marker in PERMANENTS))
    names = {"", *(frame.name for frame in FRAMES)}
    for frame in FRAMES:
        unknown = [name for name in frame.fields if name not in FRAME_FIELDS]
        unknown += [name for name in frame.on if name not in names]
        if unknown:
            raise InvalidExtension(f"pending decision {frame.name}: unknown {', '.join(unknown)}")
    for marker in MARKERS:
        used = any(decision.costs == marker.number for decision in DECISIONS)
        if not used and marker.name != "extra-office":  # which is used inside Establish
            raise InvalidExtension(f"marker {marker.name}: no decision uses it")


_check()
