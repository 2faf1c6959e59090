"""Ids of decisions: what each field adds to the id of its kind, and where ids grow.

A field counts slots. Up to its pinned size an id is the kind's own id plus a step for every
field, the last one fastest; posts and routes add the step of their block. What a larger board or a
further marker needs beyond that lies after everything that is pinned, first come, first served, so
that no id ever changes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import product
from math import prod

from hansa.boards import FAMILIES
from hansa.boards.slots import slots, swap_pairs
from hansa.errors import InvalidExtension

from .capacity import MAX_GREEN, MAX_PROVINCES
from .catalogue import DECISIONS, MARKERS
from .codes import MAX_MERCHANTS, MAX_PLAYERS, MAX_TRADERS, TILES
from .declare import Decision
from .ids import AT_POST, AT_ROUTE, NEW, POST_OPS, ROUTE_OPS

__all__ = ["ACTION_IDS", "FIELDS", "Numbered", "fields_of", "id_of", "numbered", "step"]

FIELDS = {
    "shape": 2,
    "traders": MAX_TRADERS + 1,
    "merchants": MAX_MERCHANTS + 1,
    "province": 16,
    "tile": TILES,
    "marker": 11,
    "skill": 5,
    "house": 104,
    "player": MAX_PLAYERS,
    "green": 3,
    "end": 2,
    "space": 4,
    "post": 128,
    "route": 42,
}
"""The pinned size of every field. Nobody changes one: more slots than that have ids after all others."""
_BLOCKS = {"post": (AT_POST, POST_OPS), "route": (AT_ROUTE, ROUTE_OPS)}


@dataclass(frozen=True)
class Numbered:
    """One decision of some board: its id, its kind, and a slot for every field of its text."""

    id: int
    decision: Decision
    values: tuple[int, ...]


@cache
def fields_of(decision: Decision) -> tuple[str, ...]:
    """The fields of a kind, in the order of its text."""
    return tuple(re.findall(r"\{(\w+)\}", decision.text))


@cache
def _sizes() -> dict[str, int]:
    """How many slots each field has with all boards and markers that are here."""
    most_posts = max(len(slots(family).posts) for family in FAMILIES)
    most_routes = max(len(slots(family).routes) for family in FAMILIES)
    needed = {
        "province": MAX_PROVINCES,
        "marker": len(MARKERS),
        "house": len(swap_pairs()),
        "green": MAX_GREEN,
        "post": most_posts,
        "route": most_routes,
    }
    return {field: max(size, needed.get(field, 0)) for field, size in FIELDS.items()}


def _plain(decision: Decision) -> tuple[str, ...]:
    """The fields without the one that chooses a block."""
    return tuple(field for field in fields_of(decision) if field not in _BLOCKS)


def _block(decision: Decision) -> str | None:
    return next((field for field in fields_of(decision) if field in _BLOCKS), None)


class _Layout:
    """All ids in use: the pinned ones, then what grew."""

    def __init__(self) -> None:
        self.steps = {field: self._pinned_steps(field) for field in _BLOCKS}
        self.bases: dict[tuple[str, tuple[int, ...]], int] = {}
        self.used: set[int] = set()
        for decision in DECISIONS:
            self._pin(decision)
        self.size = max(NEW, 1 + max(self.used))
        for field in _BLOCKS:
            self._grow_blocks(field)
        for decision in DECISIONS:
            self._grow(decision)
        self.size = max(self.size, 1 + max(self.used))

    @staticmethod
    def _pinned_steps(field: str) -> list[int]:
        return [_BLOCKS[field][1] * slot for slot in range(FIELDS[field])]

    def _take(self, ids: Iterable[int], decision: Decision) -> None:
        for number in ids:
            if number in self.used:
                raise InvalidExtension(f"{decision.text!r}: id {number} is taken; {NEW} is free")
            self.used.add(number)

    def _pin(self, decision: Decision) -> None:
        block = _block(decision)
        steps = self.steps[block] if block else [0]
        pinned = [FIELDS[field] for field in _plain(decision)]
        for k, values in enumerate(product(*map(range, pinned))):
            self.bases[decision.text, values] = decision.id + k
        self._take((decision.id + k + s for k in range(prod(pinned)) for s in steps), decision)

    def _grow_blocks(self, field: str) -> None:
        """Whole blocks for posts or routes of larger boards."""
        first, width = _BLOCKS[field]
        for _ in range(FIELDS[field], _sizes()[field]):
            self.steps[field].append(self.size - first)
            self.used |= set(range(self.size, self.size + width))
            self.size += width

    def _grow(self, decision: Decision) -> None:
        """Single ids for values beyond the pinned ones, e.g. of a twelfth marker."""
        block = _block(decision)
        steps = self.steps[block] if block else [0]
        for values in product(*(range(_sizes()[field]) for field in _plain(decision))):
            if (decision.text, values) in self.bases:
                continue
            base = self.size
            while any(base + s in self.used for s in steps):
                base += 1
            self.bases[decision.text, values] = base
            self.used |= {base + s for s in steps}


@cache
def _layout() -> _Layout:
    return _Layout()


ACTION_IDS = _layout().size
"""The size of the space of ids."""


def step(field: str, slot: int) -> int:
    """What a post or route adds to the ids of all decisions that name it."""
    return _layout().steps[field][slot]


def id_of(decision: Decision, *values: int) -> int:
    """The id of a kind with these slots of its fields, but for that of a post or route."""
    return _layout().bases[decision.text, values]


def numbered(family: str) -> Iterator[Numbered]:
    """Every decision of a board by slots, whether or not each of its sides has the place."""
    places = {"post": len(slots(family).posts), "route": len(slots(family).routes)}
    places |= {"green": len(slots(family).green)}
    for decision in DECISIONS:
        fields = fields_of(decision)
        for values in product(*(range(places.get(f, _sizes()[f])) for f in fields)):
            if values == decision.without:
                continue
            plain = tuple(v for f, v in zip(fields, values, strict=True) if f not in _BLOCKS)
            moved = sum(step(f, v) for f, v in zip(fields, values, strict=True) if f in _BLOCKS)
            yield Numbered(id_of(decision, *plain) + moved, decision, values)
