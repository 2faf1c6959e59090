"""Slots: one numbering of routes, posts and cities for both sides of a board.

Ids of decisions are built from slots, so that the same text has the same id on both sides of a
board, and the space of ids is only as large as the largest board. Slots never change: boards of a
later wave are numbered after those of earlier ones.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import groupby

from hansa.boards.board import Board, Route, load
from hansa.boards.files import BOARD_IDS, sides

__all__ = ["Slots", "slots", "swap_pairs"]


@dataclass(frozen=True)
class Slots:
    """The union of all sides of one board, in alphabetical order as in the board files."""

    routes: dict[str, int]
    posts: dict[str, int]
    ends: dict[str, tuple[str, str]]
    green: tuple[str, ...]


def _waves(board_ids: tuple[str, ...]) -> Iterator[list[Board]]:
    boards = sorted((load(board_id) for board_id in board_ids), key=lambda board: board.wave)
    for _, wave in groupby(boards, key=lambda board: board.wave):
        yield list(wave)


@cache
def slots(family: str) -> Slots:
    """The slots of `hansa`, `east` or `britannia`."""
    routes: dict[str, Route] = {}
    green: list[str] = []
    for wave in _waves(sides(family)):
        routes |= {r.id: r for r in sorted((r for b in wave for r in b.routes), key=lambda r: r.id)}
        green += sorted({city.id for board in wave for city in board.cities if city.green})
    posts = [post.id for route in routes.values() for post in route.posts]
    return Slots(
        routes={name: k for k, name in enumerate(routes)},
        posts={name: k for k, name in enumerate(posts)},
        ends={name: route.cities for name, route in routes.items()},
        green=tuple(dict.fromkeys(green)),
    )


@cache
def swap_pairs() -> dict[tuple[str, int], int]:
    """Slots of neighbouring houses, (city, house from 1): some cities are on two boards."""
    pairs: dict[tuple[str, int], int] = {}
    for wave in _waves(BOARD_IDS):
        houses = {(c.id, k) for b in wave for c in b.cities for k in range(1, len(c.houses))}
        for pair in sorted(houses):
            pairs.setdefault(pair, len(pairs))
    return pairs
