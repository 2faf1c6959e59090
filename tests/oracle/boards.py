"""The printed facts of a board, read from its JSON file into plain dictionaries."""

import json
from functools import cache
from pathlib import Path
from typing import Any

Pos = dict[str, Any]
"""A position in the form of `Game.to_dict()`."""

Board = dict[str, Any]

FOLDER = Path(__file__).resolve().parents[2] / "src" / "hansa" / "boards"
COLOURS = ["white", "orange", "pink", "black"]


@cache
def load(board_id: str) -> Board:
    """The board of that file, with cities, routes and provinces found by their ids."""
    data: Board = json.loads((FOLDER / f"{board_id}.json").read_text(encoding="utf-8"))
    data["cities"] = {city["id"]: city for city in data["cities"]}
    data["routes"] = {route["id"]: route for route in data["routes"]}
    provinces = data.get("two_player", {}).get("provinces", [])
    data["provinces"] = {province["id"]: province for province in provinces}
    return data


def board_of(pos: Pos) -> Board:
    """The side of the board follows from the number of players (CFG-1 to CFG-3)."""
    name, players = pos["game"]["board"], pos["game"]["players"]
    if name == "east":
        return load("east")
    return load(f"{name}-{'23' if players <= 3 else '45'}")


def split_post(post: str) -> tuple[str, int]:
    """`route/k` as route and place in its list of posts."""
    route, number = post.rsplit("/", 1)
    return route, int(number) - 1


def posts_of(board: Board, route: str) -> list[str]:
    return [f"{route}/{k}" for k in range(1, len(board["routes"][route]["posts"]) + 1)]


def is_ship(board: Board, post: str) -> bool:
    route, index = split_post(post)
    return bool(board["routes"][route]["posts"][index].get("ship", False))


def first_ordinary_post(board: Board, route: str) -> str:
    return next(post for post in posts_of(board, route) if not is_ship(board, post))


def region(board: Board, route: str) -> str:
    """The country of a route; boards without countries are one country."""
    return str(board["routes"][route].get("region", "england"))


def ends(board: Board, route: str) -> list[str]:
    return list(board["routes"][route]["cities"])


def is_green(board: Board, city: str) -> bool:
    return bool(board["cities"][city].get("green", False))


def neighbours(board: Board, city: str) -> set[str]:
    """GEO-9: the cities a route joins to this one."""
    return {
        other
        for route in board["routes"]
        if city in ends(board, route)
        for other in ends(board, route)
        if other != city
    }


def distances(board: Board, start: str) -> dict[str, int]:
    """GEO-8: cities passed on the way from a route to every other one, by breadth-first search."""
    found = {start: 0}
    edge = [start]
    while edge:
        following = [
            route
            for route in board["routes"]
            if route not in found
            and any(set(ends(board, route)) & set(ends(board, near)) for near in edge)
        ]
        for route in following:
            found[route] = found[edge[0]] + 1
        edge = following
    return found


def special_cities(board: Board) -> set[str]:
    """Cities that offer more than houses (NEUTRAL-1)."""
    offering = {city for city, data in board["cities"].items() if data["skills"]}
    return (offering | {board["prestige"]["city"], "cardiff"}) & set(board["cities"])


def provinces_beside(board: Board, province: int) -> set[int]:
    """DUEL-PAWN-4: the provinces behind one border."""
    return {border["province"] for border in board["provinces"][province]["neighbours"]}


def provinces_in_walk(board: Board, province: int) -> set[int]:
    """DUEL-PAWN-5: the provinces behind one or two borders, without the pawn's own."""
    one = provinces_beside(board, province)
    two = {further for near in one for further in provinces_beside(board, near)}
    return (one | two) - {province}
