"""Where a city's houses, label and badges stand (board units)."""

from __future__ import annotations

from functools import cache
from typing import Any

from hansa.svg.curves import Point, Rect
from hansa.svg.data import board_data, scale, scene, text_width

__all__ = [
    "FRAME",
    "GREEN_WIDTH",
    "HOUSE",
    "PITCH",
    "POST",
    "badges",
    "cities",
    "city",
    "house_rect",
    "label",
    "label_rect",
    "permits",
    "post_points",
]

HOUSE, PITCH, GREEN_WIDTH = 24.0, 25.0, 118.0
POST = 9.6
FRAME = 12.0
_LABEL_SIZE, _LABEL_DROP, _PLATE_PAD, _PLATE_HEIGHT = 13.0, 22.6, 18.0, 15.4
_CAPITALS = 0.64
"""Height of a capital, in sizes of the type."""


@cache
def cities(board_id: str) -> dict[str, dict[str, Any]]:
    """The cities of the board file by id."""
    return {item["id"]: item for item in board_data(board_id)["cities"]}


def city(board_id: str, city_id: str) -> dict[str, Any]:
    """One city of the board file."""
    return cities(board_id)[city_id]


@cache
def post_points(board_id: str) -> dict[str, Point]:
    """Every post's centre, with the nudges of the scene."""
    nudges: dict[str, list[float]] = scene(board_id)["nudges"]
    out: dict[str, Point] = {}
    for route in board_data(board_id)["routes"]:
        for k, post in enumerate(route["posts"], 1):
            name = f"{route['id']}/{k}"
            dx, dy = nudges.get(name, (0.0, 0.0))
            out[name] = (round(post["xy"][0] + dx, 1), round(post["xy"][1] + dy, 1))
    return out


def _base_width(item: dict[str, Any]) -> float:
    return GREEN_WIDTH if item.get("green") else len(item["houses"]) * PITCH - (PITCH - HOUSE)


def label(board_id: str, city_id: str) -> dict[str, Any]:
    """Text, place, size, width and plate of a city's name; names never move for pieces."""
    item, k = city(board_id, city_id), scale(board_id)
    data = board_data(board_id)
    size = scene(board_id).get("names", _LABEL_SIZE) * k
    plate = None
    if city_id in data["east_west"]["cities"]:
        plate = "link"
    elif item.get("green"):
        plate = "green"
    elif item["skills"] or city_id == data["prestige"]["city"]:
        plate = "brass"
    x, y = item["xy"]
    return {
        "text": item["name"],
        "x": x,
        # A larger name hangs from the same line: its capitals grow downwards.
        "y": round(y + _LABEL_DROP * k + (size - _LABEL_SIZE * k) * _CAPITALS, 2),
        "size": round(size, 2),
        "width": round(text_width(item["name"], size), 2),
        "plate": plate,
    }


def label_rect(board_id: str, city_id: str) -> Rect:
    """The space of a city's name, with its plate if it has one."""
    info, k = label(board_id, city_id), scale(board_id)
    width = info["width"] + (_PLATE_PAD * k if info["plate"] else 2)
    size = info["size"]
    height = (_PLATE_HEIGHT if info["plate"] else _LABEL_SIZE) / _LABEL_SIZE * size
    middle = info["y"] - 4.2 / _LABEL_SIZE * size
    return Rect(info["x"] - width / 2, middle - height / 2, width, height)


def house_rect(board_id: str, city_id: str, shift: float = 0.0) -> Rect:
    """The row of houses (or the green city's wall) with plinth, ridges and coins."""
    item, k = city(board_id, city_id), scale(board_id)
    x, y = item["xy"]
    width = _base_width(item) * k
    top = 41.5 if any(house.get("coin") for house in item["houses"]) or item.get("green") else 35.0
    return Rect(x - width / 2 + shift, y + (8 - top) * k, width, (top + 3.4) * k)


def badges(board_id: str, city_id: str) -> list[dict[str, Any]]:
    """The skills a city develops: round badges right of the row, or where the scene puts them."""
    item, k = city(board_id, city_id), scale(board_id)
    placed = scene(board_id)["badges"].get(city_id)
    houses = house_rect(board_id, city_id)
    x, y = placed or (houses.x + houses.w + 19 * k, item["xy"][1] - 8 * k)
    return [
        {"skill": skill, "x": round(x + i * 31 * k, 2), "y": round(y, 2)}
        for i, skill in enumerate(item["skills"])
    ]


def permits(board_id: str, city_id: str) -> list[dict[str, Any]]:
    """Britannia: a flag for each country this city gives permission for, on ridges clear of posts."""
    k, rect = scale(board_id), house_rect(board_id, city_id)
    regions = [
        region
        for entry in board_data(board_id)["permissions"]
        if entry["city"] == city_id
        for region in entry["regions"]
    ]
    ridges = [
        (rect.x + (12 + PITCH * i) * k, rect.y + 0.5 * k)
        for i in range(len(city(board_id, city_id)["houses"]))
    ]
    posts = post_points(board_id).values()
    free = [
        (x, y)
        for x, y in ridges
        if all(Rect(x - k, y - 15 * k, 14 * k, 15 * k).distance(p) > POST * k for p in posts)
    ]
    return [
        {"region": region, "x": round(x, 2), "y": round(y, 2)}
        for region, (x, y) in zip(regions, free, strict=False)
    ]
