"""Slots: one numbering of routes, posts and cities for both sides of a board.

Ids of decisions are built from slots, so that the same text has the same id on both sides of a
board, and the space of ids is only as large as the largest board.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from hansa.boards.board import BOARD_IDS, Route, load

__all__ = ["FAMILIES", "POST_SLOTS", "ROUTE_SLOTS", "SWAP_SLOTS", "Slots", "slots", "swap_pairs"]

FAMILIES = ("hansa", "east", "britannia")
SWAP_SLOTS = 104
ROUTE_SLOTS = 42
POST_SLOTS = 128


@dataclass(frozen=True)
class Slots:
    """The union of both sides of one board, in alphabetical order as in the board files."""

    routes: dict[str, int]
    posts: dict[str, int]
    ends: dict[str, tuple[str, str]]
    green: tuple[str, ...]


@cache
def slots(family: str) -> Slots:
    """The slots of `hansa`, `east` or `britannia`."""
    sides = [load(board_id) for board_id in BOARD_IDS if board_id.split("-")[0] == family]
    routes: dict[str, Route] = {r.id: r for side in sides for r in side.routes}
    cities = {c.id: c for side in sides for c in side.cities}
    posts = [post.id for name in sorted(routes) for post in routes[name].posts]
    found = Slots(
        routes={name: k for k, name in enumerate(sorted(routes))},
        posts={name: k for k, name in enumerate(posts)},
        ends={name: route.cities for name, route in routes.items()},
        green=tuple(sorted(city.id for city in cities.values() if city.green)),
    )
    if len(routes) > ROUTE_SLOTS or len(posts) > POST_SLOTS:
        raise ValueError(f"board {family} is larger than the space of ids")
    return found


@cache
def swap_pairs() -> dict[tuple[str, int], int]:
    """Slots of neighbouring houses, (city, house from 1): some cities are on two boards."""
    houses: dict[str, int] = {}
    for board_id in BOARD_IDS:
        for city in load(board_id).cities:
            houses[city.id] = max(houses.get(city.id, 0), len(city.houses))
    pairs = [(city, k) for city in sorted(houses) for k in range(1, houses[city])]
    if len(pairs) > SWAP_SLOTS:
        raise ValueError("more neighbouring houses than the space of ids holds")
    return {pair: slot for slot, pair in enumerate(pairs)}
