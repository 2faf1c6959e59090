"""Which part of a board shows some places, and what of the board stands in it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hansa.svg.curves import Rect

__all__ = ["View", "around", "within"]

View = tuple[float, float, float, float]
"""x, y, width and height in board units."""

MARGIN = 26.0
"""Board units around the places shown."""
LEAST_SHARE = 0.42
"""A part of a board is never lower than this share of its width: a strip looks like an accident."""
FAR = 70.0
"""What stands so far outside a part cannot reach into it."""


def around(geo: dict[str, Any], places: Sequence[str]) -> View:
    """The part that shows these cities, routes and panels; raises ValueError for another name."""
    boxes = [box for name in places for box in _boxes(geo, name)]
    left, top = min(box[0] for box in boxes) - MARGIN, min(box[1] for box in boxes) - MARGIN
    width = max(box[0] + box[2] for box in boxes) + MARGIN - left
    height = max(box[1] + box[3] for box in boxes) + MARGIN - top
    missing = LEAST_SHARE * width - height
    if missing > 0:
        top, height = top - missing / 2, height + missing
    most_width, most_height = geo["size"]
    width, height = min(width, most_width), min(height, most_height)
    left = max(0.0, min(left, most_width - width))
    top = max(0.0, min(top, most_height - height))
    return left, top, width, height


def _boxes(geo: dict[str, Any], name: str) -> list[list[float]]:
    if name in geo["cities"]:
        city = geo["cities"][name]
        badges = [[b["x"] - 14, b["y"] - 14, 28, 28] for b in city["badges"] + city["permits"]]
        return [city["rect"], city["label"]["rect"], *badges]
    if name in geo["routes"]:
        route = geo["routes"][name]
        return [[post["x"] - 16, post["y"] - 16, 32, 32] for post in route["posts"]]
    if name in {"prestige", "completed", "link"}:
        return [geo[name]["rect"]]
    raise ValueError(f"{name!r} is no city, route or panel of {geo['board']}")


def within(geo: dict[str, Any], view: View) -> dict[str, Any]:
    """The geometry of what stands in a part of the board, or close to it; panels outside are None."""
    seen = Rect(*view).grown(FAR)

    def is_seen(box: Sequence[float]) -> bool:
        return seen.overlaps(Rect(*box))

    routes = {
        name: route for name, route in geo["routes"].items() if any(map(is_seen, _boxes(geo, name)))
    }
    ends = {city for route in routes.values() for city in route["cities"]}
    cities = {
        name: city
        for name, city in geo["cities"].items()
        if name in ends or any(map(is_seen, _boxes(geo, name)))
    }
    panels = ("prestige", "completed", "link")
    return {
        **geo,
        "routes": routes,
        "cities": cities,
        **{name: geo[name] if is_seen(geo[name]["rect"]) else None for name in panels},
        "countries": [item for item in geo["countries"] if is_seen(item["rect"])],
        "soldiers": [item for item in geo["soldiers"] if ends.issuperset(item["cities"])],
        "ribbon": None,
    }
