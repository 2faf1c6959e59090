"""How many market stalls have room beside a row of houses, and how the pieces stand in them."""

from __future__ import annotations

from functools import cache
from math import dist
from typing import TYPE_CHECKING

from hansa.svg import cities
from hansa.svg.curves import Rect
from hansa.svg.data import board_data, scale

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from hansa.svg.curves import Point

__all__ = ["MAX_STALLS", "STALL", "STALL_PITCH", "cells", "first_stall", "fit", "stall_rect"]

STALL, STALL_PITCH = 22.0, 23.0
MAX_STALLS = 6
_PITCHES = (STALL_PITCH, 19.0)
_REACH = 14
_BADGE, _MARKER = 14.5, 15.0
_EDGE = cities.FRAME + 9


def stall_rect(board_id: str, city_id: str, stalls: int, shift: float, pitch: float) -> Rect:
    """The market stalls left of the row."""
    k, houses = scale(board_id), cities.house_rect(board_id, city_id, shift)
    width = ((stalls - 1) * pitch + STALL) * k
    base = cities.city(board_id, city_id)["xy"][1] + 8 * k
    return Rect(houses.x - width - k, base - 26.5 * k, width, 26.5 * k)


def first_stall(board_id: str, city_id: str) -> Rect:
    """Where the only extra office of a city stands."""
    shift, pitch = fit(board_id, city_id, 1) or (0.0, STALL_PITCH)
    return stall_rect(board_id, city_id, 1, shift, pitch)


def fit(
    board_id: str, city_id: str, stalls: int, markers: Sequence[Point] = ()
) -> tuple[float, float] | None:
    """Shift of the row and pitch of its stalls: the least of both that leaves everything clear.

    The row slides right by up to 14 and its stalls move closer together until they touch no
    post, no marker, no other city and no frame; None where that does not do.
    """
    k = scale(board_id)
    things = _Surroundings(board_id, city_id, markers)
    for pitch in _PITCHES[:1] if stalls == 1 else _PITCHES:
        for shift in range(_REACH + 1):
            if things.leave_room(stalls, shift * k, pitch):
                return shift * k, pitch
    return None


class _Surroundings:
    """What a row with its stalls must not touch."""

    def __init__(self, board_id: str, city_id: str, markers: Iterable[Point]) -> None:
        self.board_id, self.city_id, self.k = board_id, city_id, scale(board_id)
        around = cities.house_rect(board_id, city_id).grown(60 * self.k)
        left = MAX_STALLS * STALL_PITCH * self.k
        around = Rect(around.x - left, around.y, around.w + left, around.h)
        posts = cities.post_points(board_id).values()
        self.posts = [point for point in posts if around.distance(point) == 0]
        self.markers = [point for point in markers if around.distance(point) == 0]
        self.rects = [
            rect
            for item in board_data(board_id)["cities"]
            if item["id"] != city_id
            for rect in _standing(board_id, item["id"])
            if rect.overlaps(around)
        ]
        self.badges = cities.badges(board_id, city_id)

    def leave_room(self, stalls: int, shift: float, pitch: float) -> bool:
        k = self.k
        beside = stall_rect(self.board_id, self.city_id, stalls, shift, pitch)
        row = cities.house_rect(self.board_id, self.city_id, shift)
        if beside.x < _EDGE:
            return False
        badges = [(badge["x"] + shift, badge["y"]) for badge in self.badges]
        return (
            all(rect.distance(p) >= cities.POST * k for rect in (beside, row) for p in self.posts)
            and all(beside.distance(p) >= _MARKER * k for p in self.markers)
            and not any(rect.overlaps(other) for rect in (beside, row) for other in self.rects)
            and all(dist(p, q) >= (_BADGE + cities.POST) * k for p in badges for q in self.posts)
        )


def cells(pieces: int) -> list[tuple[float, float, float]]:
    """Places (x, y, scale) of the pieces in one stall: one alone, or more and smaller, by rows."""
    if pieces == 1:
        return [(11.0, -8.6, 0.86)]
    columns = 2 if pieces <= 4 else 3
    rows = -(-pieces // columns)
    wide, high = (9.4, 10.2) if columns == 2 else (6.4, 7.0)
    return [
        (
            11.0 + (i % columns - (columns - 1) / 2) * wide,
            -10.6 + (i // columns - (rows - 1) / 2) * high,
            0.53 if columns == 2 else 0.36,
        )
        for i in range(pieces)
    ]


@cache
def _standing(board_id: str, city_id: str) -> list[Rect]:
    """A city's row, name and badges."""
    k = scale(board_id)
    return [
        cities.house_rect(board_id, city_id),
        cities.label_rect(board_id, city_id),
        *(
            Rect(badge["x"] - _BADGE * k, badge["y"] - _BADGE * k, 2 * _BADGE * k, 2 * _BADGE * k)
            for badge in cities.badges(board_id, city_id)
        ),
    ]
