"""A city's row with any number of extra offices: houses, stalls, the pieces in them, plinth."""

from __future__ import annotations

from functools import cache
from typing import Any

from hansa.svg import cities, places, stalls
from hansa.svg.curves import Rect
from hansa.svg.data import scale

__all__ = ["MAX_EXTRA", "rows"]

MAX_EXTRA = 8


def rows(board_id: str, city_id: str) -> list[dict[str, Any]]:
    """The row without extra offices, with 1, 2, … 8; a green city has one row only."""
    green = cities.city(board_id, city_id).get("green")
    return [row(board_id, city_id, n) for n in range(1 if green else MAX_EXTRA + 1)]


def row(board_id: str, city_id: str, extra: int) -> dict[str, Any]:
    """Places of houses, stalls and their pieces with so many extra offices.

    The oldest stand nearest the houses, each in a stall of its own; where there is no more
    room, the newest share the outermost stall. The label never moves.
    """
    item, k = cities.city(board_id, city_id), scale(board_id)
    count, shift, pitch = _stalls(board_id, city_id, extra)
    houses = cities.house_rect(board_id, city_id, shift)
    base = round(item["xy"][1] + 8 * k, 2)
    left = houses.x - (((count - 1) * pitch + stalls.STALL_PITCH) * k if count else 0)
    edges = [round(left + i * pitch * k, 2) for i in range(count)]
    return {
        "shift": shift,
        "y": base,
        "houses": [round(houses.x + i * cities.PITCH * k, 2) for i in range(len(item["houses"]))],
        "stalls": edges,
        "shared": extra > count,
        "extra": [
            [round(edge + x * k, 1), round(base + y * k, 1), round(size * k, 3)]
            for i, edge in enumerate(edges)
            for x, y, size in stalls.cells(extra - count + 1 if i == 0 else 1)
        ],
        "plinth": Rect(left - 3 * k, base, houses.x + houses.w - left + 6 * k, 3.4 * k).as_list(),
    }


def _stalls(board_id: str, city_id: str, extra: int) -> tuple[int, float, float]:
    """How many stalls there is room for, the shift of the row and the stalls' pitch."""
    for count in range(min(extra, stalls.MAX_STALLS), 0, -1):
        found = _fit(board_id, city_id, count)
        if found or count == 1:
            return (count, *(found or (0.0, stalls.STALL_PITCH)))
    return 0, 0.0, stalls.STALL_PITCH


@cache
def _fit(board_id: str, city_id: str, count: int) -> tuple[float, float] | None:
    """One stall has its place before the markers have theirs; more keep clear of those."""
    markers = list(places.marker_places(board_id).values()) if count > 1 else []
    return stalls.fit(board_id, city_id, count, markers)
