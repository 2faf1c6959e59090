"""Where a route's line runs and where its marker stands, clear of everything that is played on."""

from __future__ import annotations

import itertools
from functools import cache
from math import dist, hypot
from typing import TYPE_CHECKING

from hansa.svg import cities, stalls
from hansa.svg.curves import Point, Rect, along, sample
from hansa.svg.data import board_data, scale

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ["MARKER", "Obstacles", "laid_places", "marker_places", "obstacles", "route_points"]

MARKER = 15.0
LAID = 11.5
AIR = 2.5
"""Between a marker's edge and what it must not touch: its scallops and the line of a post need some of it."""


class Obstacles:
    """Circles and rectangles that scenery, markers and river names keep away from."""

    def __init__(self, size: Sequence[float]) -> None:
        self.size = size
        self.circles: list[tuple[Point, float]] = []
        self.rects: list[Rect] = []

    def clearance(self, point: Point) -> float:
        """Distance to the nearest thing or to the frame; negative inside a circle."""
        width, height = self.size
        x, y = point
        room = min(x - 12, y - 12, width - 12 - x, height - 12 - y)
        for centre, radius in self.circles:
            room = min(room, dist(point, centre) - radius)
        for rect in self.rects:
            room = min(room, rect.distance(point))
        return room

    def near(self, points: Sequence[Point], reach: float) -> Obstacles:
        """Only what lies within reach of the box around the points: the search looks no further."""
        xs, ys = [p[0] for p in points], [p[1] for p in points]
        box = Rect(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys)).grown(reach)
        out = Obstacles(self.size)
        out.circles = [(c, r) for c, r in self.circles if box.distance(c) <= r]
        out.rects = [rect for rect in self.rects if box.overlaps(rect)]
        return out


@cache
def route_points(board_id: str, route_id: str) -> tuple[Point, ...]:
    """Anchor, posts, anchor: the points a route's line runs through."""
    route = next(item for item in board_data(board_id)["routes"] if item["id"] == route_id)
    posts = cities.post_points(board_id)
    own = [posts[f"{route_id}/{k}"] for k in range(1, len(route["posts"]) + 1)]
    first, last = route["cities"]
    return (_anchor(board_id, first, own[0]), *own, _anchor(board_id, last, own[-1]))


def _anchor(board_id: str, city_id: str, post: Point) -> Point:
    """The point of the row nearest the post, 6 in, higher where the line would run through the name.

    Where no point of the row will do, the line starts under the name.
    """
    k = scale(board_id)
    base = cities.city(board_id, city_id)["xy"][1] + 8 * k
    houses = cities.house_rect(board_id, city_id)
    y = min(max(post[1], base - 16 * k), base - 4 * k)
    name = cities.label_rect(board_id, city_id)
    for inset, lift in itertools.product((6, 2), range(0, 19, 2)):
        x = _within(post[0], houses, min(inset * k, houses.w / 2 - 0.1))
        height = max(y - lift * k, base - 20 * k)
        if not _crosses(name, (x, height), post, (4.2 if lift else 2.6) * k):
            return (round(x, 1), round(height, 1))
    x = _within(post[0], houses, min(6 * k, houses.w / 2 - 0.1))
    if post[1] > name.y + name.h / 2:
        x, y = _within(post[0], name, min(7 * k, name.w / 2)), name.y + name.h - 3 * k
    return (round(x, 1), round(y, 1))


def _within(x: float, rect: Rect, inset: float) -> float:
    return min(max(x, rect.x + inset), rect.x + rect.w - inset)


def _crosses(name: Rect, start: Point, end: Point, room: float) -> bool:
    """Whether a straight line comes so near to a name."""
    return any(
        name.distance(
            (start[0] + (end[0] - start[0]) * t / 10, start[1] + (end[1] - start[1]) * t / 10)
        )
        < room
        for t in range(10)
    )


@cache
def obstacles(board_id: str) -> Obstacles:
    """Everything that stands fixed on the board: posts, ships, rows, names, badges, panels."""
    from hansa.svg.panels import panel_rects  # noqa: PLC0415 - panels ask this module nothing, but read better apart

    k, data = scale(board_id), board_data(board_id)
    out = Obstacles(data["size"])
    posts = cities.post_points(board_id)
    for route in data["routes"]:
        for number, post in enumerate(route["posts"], 1):
            x, y = posts[f"{route['id']}/{number}"]
            out.circles.append(((x, y), cities.POST * k))
            if post.get("ship"):
                out.rects.append(Rect(x - 17 * k, y - 17 * k, 34 * k, 34 * k))
    for item in data["cities"]:
        out.rects += [
            cities.house_rect(board_id, item["id"]).grown(1.5),
            cities.label_rect(board_id, item["id"]),
        ]
        out.circles += [((b["x"], b["y"]), 14.5 * k) for b in cities.badges(board_id, item["id"])]
    out.rects += panel_rects(board_id)
    for province in data.get("two_player", {}).get("provinces", []):
        out.circles.append(((province["xy"][0], province["xy"][1]), 10.0))
    return out


@cache
def _stalls(board_id: str) -> list[Rect]:
    """Where a first extra office would stand: markers leave this free if they can."""
    return [
        stalls.first_stall(board_id, item["id"])
        for item in board_data(board_id)["cities"]
        if not item.get("green")
    ]


def _roads(board_id: str) -> dict[str, list[Point]]:
    return {
        route["id"]: sample(route_points(board_id, route["id"]), 6)
        for route in board_data(board_id)["routes"]
    }


@cache
def marker_places(board_id: str) -> dict[str, Point]:
    """A place for each route's bonus or permanent marker.

    The board file's own place stands if it is clear of posts, houses, names, panels, frame
    and other markers; else the best of 24–34 units to either side of the route.
    """
    data, roads = board_data(board_id), _roads(board_id)
    taken: list[Point] = []
    out: dict[str, Point] = {}
    first = [r for r in data["routes"] if r.get("permanent") or r.get("tavern")]
    rest = [r for r in data["routes"] if r not in first]
    for route in (*first, *rest):
        x, y = data["marker_xy"].get(route["id"], (None, None))
        given = None if x is None else (x, y)
        place = _Search(board_id, roads, route["id"], taken).best(MARKER, given)
        out[route["id"]] = place
        taken.append(place)
    return {route["id"]: out[route["id"]] for route in data["routes"]}


@cache
def laid_places(board_id: str) -> dict[str, list[Point]]:
    """Two places a route for promo markers laid beside it (`tribute`, `block`)."""
    roads = _roads(board_id)
    taken = list(marker_places(board_id).values())
    out: dict[str, list[Point]] = {}
    for route in board_data(board_id)["routes"]:
        place = _Search(board_id, roads, route["id"], taken).best(LAID, step=8)
        out[route["id"]] = [place]
        taken.append(place)
    for name, first in out.items():
        first.append(_Search(board_id, roads, name, taken).best(LAID, step=8))
    return out


class _Search:
    """The surroundings of one route: what a marker beside it must not cover."""

    def __init__(
        self, board_id: str, roads: dict[str, list[Point]], route_id: str, taken: Sequence[Point]
    ) -> None:
        k, self.own = scale(board_id), roads[route_id]
        xs, ys = [p[0] for p in self.own], [p[1] for p in self.own]
        box = Rect(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys)).grown(60 * k)
        self.k = k
        self.things = obstacles(board_id).near(self.own, 80 * k)
        self.others = [
            p
            for name, line in roads.items()
            if name != route_id
            for p in line
            if box.distance(p) == 0
        ]
        self.stalls = [rect for rect in _stalls(board_id) if rect.overlaps(box)]
        self.taken = [p for p in taken if box.grown(20 * k).distance(p) == 0]

    def room(self, point: Point) -> float:
        markers = min((dist(point, other) for other in self.taken), default=999.0)
        return min(self.things.clearance(point), markers - MARKER * self.k)

    def penalty(self, point: Point, radius: float) -> float:
        need, lane, room = (radius + AIR) * self.k, (radius + 4.5) * self.k, self.room(point)
        over_stall = max((need - rect.distance(point) for rect in self.stalls), default=0.0)
        return (
            8 * max(0.0, need - room)
            + 1.5 * max(0.0, lane - _nearest(point, self.others))
            + max(0.0, lane - _nearest(point, self.own))
            + max(0.0, over_stall)
            - 0.05 * min(room, 2 * need)
        )

    def is_clear(self, point: Point, radius: float) -> bool:
        need = (radius + AIR) * self.k
        return (
            self.room(point) >= need
            and _nearest(point, self.others) >= need
            and all(rect.distance(point) >= need for rect in self.stalls)
        )

    def best(self, radius: float, given: Point | None = None, step: int = 4) -> Point:
        if given is not None and self.is_clear(given, radius):
            return given
        candidates = [] if given is None else [(self.penalty(given, radius), given)]
        for share in range(20, 81, step):
            (x, y), (dx, dy) = along(self.own, share / 100)
            for side in (-self.k, self.k):
                for away in range(round(radius) + 6, 36, step - 1):
                    point = (round(x - dy * side * away, 1), round(y + dx * side * away, 1))
                    cost = self.penalty(point, radius) + 0.02 * away + 0.01 * abs(share - 50)
                    candidates.append((cost, point))
        return min(candidates)[1]


def _nearest(point: Point, line: Iterable[Point]) -> float:
    return min((hypot(point[0] - x, point[1] - y) for x, y in line), default=999.0)
