"""All positions, sizes and paths of a board as plain data: the one place the drawing and the page read.

The form of `geometry(board_id)` is described in README.md beside this file.
"""

from __future__ import annotations

import itertools
from copy import deepcopy
from functools import cache
from math import dist
from typing import Any

from hansa.svg import cities, panels, places
from hansa.svg.curves import Point, along, catmull_rom, lengths, sample
from hansa.svg.data import board_data, panel_scale, scale
from hansa.svg.rows import rows

__all__ = ["geometry", "shared_geometry"]

MARGIN_BELOW = 42


def geometry(board_id: str) -> dict[str, Any]:
    """A board's geometry as plain JSON data (a copy of your own).

    Raises ValueError for an unknown board id.

    >>> geometry("east")["size"]
    [1000, 705.9]
    """
    return deepcopy(shared_geometry(board_id))


@cache
def shared_geometry(board_id: str) -> dict[str, Any]:
    """As `geometry`, without the copy: for readers that change nothing."""
    data = board_data(board_id)
    width, height = data["size"]
    return {
        "board": board_id,
        "name": data["name"],
        "side": data["side"],
        "size": [width, height],
        "view": [0, 0, width, round(height + MARGIN_BELOW * panel_scale(board_id), 1)],
        "scale": scale(board_id),
        "panel_scale": panel_scale(board_id),
        "cities": {item["id"]: _city(board_id, item) for item in data["cities"]},
        "routes": {item["id"]: _route(board_id, item) for item in data["routes"]},
        "prestige": panels.prestige(board_id),
        "completed": panels.completed_track(board_id),
        "link": panels.link_plaque(board_id),
        "ribbon": panels.ribbon(board_id),
        "countries": panels.countries(board_id),
        "favours": _favours(board_id),
        "provinces": _provinces(data),
        "soldiers": _soldiers(board_id, data),
    }


def _city(board_id: str, item: dict[str, Any]) -> dict[str, Any]:
    k, name = scale(board_id), item["id"]
    block = cities.house_rect(board_id, name)
    tag = cities.label_rect(board_id, name)
    return {
        "name": item["name"],
        "x": item["xy"][0],
        "y": item["xy"][1],
        "green": bool(item.get("green")),
        "houses": [
            {"shape": h["shape"], "privilege": h["privilege"], "coin": h.get("coin", 0)}
            for h in item["houses"]
        ],
        "rows": rows(board_id, name),
        "rect": block.as_list(),
        "frame": [
            round(block.x - 7 * k, 2),
            round(block.y - 5 * k, 2),
            round(block.w + 14 * k, 2),
            round(block.h + 6 * k, 2),
        ],
        "label": {**cities.label(board_id, name), "rect": tag.as_list()},
        "badges": cities.badges(board_id, name),
        "permits": cities.permits(board_id, name),
        "regions": item.get("regions", []),
    }


def _route(board_id: str, item: dict[str, Any]) -> dict[str, Any]:
    name = item["id"]
    points = places.route_points(board_id, name)
    line = sample(points)
    x, y = places.marker_places(board_id)[name]
    return {
        "cities": item["cities"],
        "path": catmull_rom(points),
        "posts": [
            {"id": f"{name}/{k}", "x": px, "y": py, "ship": bool(post.get("ship"))}
            for k, (post, (px, py)) in enumerate(zip(item["posts"], points[1:-1], strict=True), 1)
        ],
        "sea": any(post.get("ship") for post in item["posts"]),
        "region": item.get("region"),
        "tavern": bool(item.get("tavern")),
        "permanent": item.get("permanent"),
        "marker": {"x": x, "y": y, "tether": _tether(board_id, line, points[1:-1], (x, y))},
        "laid": [{"x": lx, "y": ly} for lx, ly in places.laid_places(board_id)[name]],
        "middle": [round(v, 1) for v in along(line, 0.5)[0]],
    }


def _tether(
    board_id: str, line: list[Point], posts: tuple[Point, ...], marker: Point
) -> list[float]:
    """From the marker's edge to the nearest middle between two posts: [x1, y1, x2, y2]."""
    marks = lengths(line)
    share = [marks[(i + 1) * 12] for i in range(len(posts))]
    middles = [along(line, (a + b) / 2 / marks[-1])[0] for a, b in itertools.pairwise(share)]
    goal = min(middles or [posts[0]], key=lambda point: dist(point, marker))
    reach, far = places.MARKER * scale(board_id), max(dist(goal, marker), 1.0)
    start = [m + (g - m) * min(reach / far, 1.0) for m, g in zip(marker, goal, strict=True)]
    return [round(v, 1) for v in (*start, *goal)]


def _favours(board_id: str) -> list[float]:
    """Top left of the row of favour tiles on display: below the completed track or above it."""
    track = panels.completed_track(board_id)["rect"]
    k = panel_scale(board_id)
    above = track[1] > board_data(board_id)["size"][1] / 2
    return [track[0], round(track[1] - 33 * k if above else track[1] + track[3] + 6 * k, 1)]


def _provinces(data: dict[str, Any]) -> list[dict[str, Any]]:
    return [
        {
            "id": item["id"],
            "name": item["name"],
            "x": item["xy"][0],
            "y": item["xy"][1],
            "routes": item["routes"],
        }
        for item in data.get("two_player", {}).get("provinces", [])
    ]


def _soldiers(board_id: str, data: dict[str, Any]) -> list[dict[str, Any]]:
    """The borders that are no route: from under one city's name to the other's row, a soldier on it, clear of markers."""
    out = []
    for pair in data.get("two_player", {}).get("soldiers", []):
        upper, lower = sorted(pair, key=lambda name: cities.city(board_id, name)["xy"][1])
        name, row = cities.label_rect(board_id, upper), cities.house_rect(board_id, lower)
        start = (round(name.x + name.w / 2, 1), round(name.y + name.h + 2, 1))
        end = (round(row.x + row.w / 2, 1), round(row.y - 2, 1))
        spots = [
            (start[0] + (end[0] - start[0]) * t / 20, start[1] + (end[1] - start[1]) * t / 20)
            for t in range(5, 16)
        ]
        markers = places.marker_places(board_id).values()
        x, y = max(
            spots,
            key=lambda spot: (
                min(28.0, *(dist(spot, other) for other in markers)),
                -abs(spot[1] - (start[1] + end[1]) / 2),
            ),
        )
        out.append(
            {"cities": pair, "x": round(x, 1), "y": round(y, 1), "ends": [list(start), list(end)]}
        )
    return out
