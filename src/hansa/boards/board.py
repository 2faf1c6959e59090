"""A board as people see it: cities with houses, routes with posts, read once and checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from typing import Any, TypeVar

from hansa.boards import files

__all__ = ["Board", "City", "House", "Post", "Province", "Route", "load"]

PRIVILEGES = ("white", "orange", "pink", "black")
SKILLS = ("keys", "actions", "privilege", "book", "bank")
Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class House:
    """A printed space for an office (GEO-5)."""

    shape: str
    """`trader` (square) or `merchant` (round)."""
    privilege: str
    coin: int = 0


@dataclass(frozen=True, slots=True)
class City:
    """A city with its row of houses from the left."""

    id: str
    name: str
    xy: Point
    houses: tuple[House, ...]
    skills: tuple[str, ...] = ()
    regions: tuple[str, ...] = ()
    green: bool = False


@dataclass(frozen=True, slots=True)
class Post:
    """A space for one piece on a route; `id` is `<route>/<k>`."""

    id: str
    xy: Point
    ship: bool = False


@dataclass(frozen=True, slots=True)
class Route:
    """A string of posts between two cities (GEO-1)."""

    id: str
    cities: tuple[str, str]
    posts: tuple[Post, ...]
    tavern: bool = False
    region: str | None = None
    permanent: str | None = None

    @property
    def sea(self) -> bool:
        """Whether the route has at least one ship post."""
        return any(post.ship for post in self.posts)


@dataclass(frozen=True, slots=True)
class Province:
    """A province of the pawn duel with its bounding routes and neighbours."""

    id: int
    name: str
    xy: Point
    routes: tuple[str, ...]
    neighbours: tuple[int, ...]


Place = TypeVar("Place", City, Route)


@dataclass(frozen=True)
class Board:
    """One side of a board.

    >>> board = hansa.Board.load("hansa-45")
    >>> board.city("hamburg").name
    'Hamburg'
    >>> [route.id for route in board.routes_of("groningen")]
    ['groningen-emden']
    >>> board.neighbours("groningen")
    ('emden',)
    """

    id: str
    name: str
    family: str
    """`hansa`, `east` or `britannia`: what both sides of a board have in common."""
    wave: int
    """The boards its places were numbered with: ids of earlier waves never change."""
    side: str
    players: tuple[int, ...]
    size: Point
    completed_cities_end: int
    link: tuple[str, str]
    prestige_city: str
    prestige_values: tuple[int, ...]
    prestige_xy: Point
    cities: tuple[City, ...]
    routes: tuple[Route, ...]
    regions: tuple[str, ...] = ()
    permissions: tuple[tuple[str, tuple[str, ...]], ...] = ()
    provinces: tuple[Province, ...] = ()
    soldiers: tuple[tuple[str, str], ...] = ()
    marker_xy: Mapping[str, Point] = field(default_factory=dict)
    duels: tuple[str, ...] = ()
    """The duels played on it, the usual one first."""
    modules: tuple[str, ...] = ()
    """CFG-6, CFG-8: the options of a set-up that it offers: missions, favours, border_fee."""
    missions: tuple[tuple[str, ...], ...] = ()
    """MISSION-1: the cards."""
    instead: Mapping[str, str] = field(default_factory=dict)
    """COMP-2: markers that others stand in for, by name."""

    @staticmethod
    def load(board_id: str) -> Board:
        """The board with this file id, e.g. `east` or `hansa-45`; raises InvalidSetup."""
        return load(board_id)

    def city(self, city_id: str) -> City:
        """The city with this id; raises KeyError naming the board."""
        return _find(self.cities, city_id, self.id)

    def route(self, route_id: str) -> Route:
        """The route with this id; raises KeyError naming the board."""
        return _find(self.routes, route_id, self.id)

    def routes_of(self, city_id: str) -> tuple[Route, ...]:
        """The routes that end in the city."""
        self.city(city_id)
        return tuple(route for route in self.routes if city_id in route.cities)

    def neighbours(self, city_id: str) -> tuple[str, ...]:
        """The cities one route away (GEO-9), each once."""
        ends = (end for route in self.routes_of(city_id) for end in route.cities)
        return tuple(dict.fromkeys(end for end in ends if end != city_id))

    def _repr_svg_(self) -> str:
        """How a notebook shows the board; by name, since pictures know boards, not the reverse."""
        return str(import_module("hansa.svg").board(self.id, theme="auto"))

    def __repr__(self) -> str:
        return f"Board.load({self.id!r})"


def _find(things: Sequence[Place], wanted: str, board_id: str) -> Place:
    for thing in things:
        if thing.id == wanted:
            return thing
    raise KeyError(f"{wanted!r} is not on board {board_id}")


@cache
def load(board_id: str) -> Board:
    """Read and check a board; raises InvalidSetup for an unknown id."""
    board = _from_json(files.data(board_id))
    _check(board)
    return board


def _xy(value: Sequence[float]) -> Point:
    return (float(value[0]), float(value[1]))


def _from_json(data: dict[str, Any]) -> Board:
    duel = data.get("two_player", {"soldiers": [], "provinces": []})
    return Board(
        id=data["id"],
        name=data["name"],
        family=data["family"],
        wave=data["wave"],
        side=data["side"],
        players=tuple(data["players"]),
        size=_xy(data["size"]),
        completed_cities_end=data["completed_cities_end"],
        link=(data["east_west"]["cities"][0], data["east_west"]["cities"][1]),
        prestige_city=data["prestige"]["city"],
        prestige_values=tuple(space["points"] for space in data["prestige"]["spaces"]),
        prestige_xy=_xy(data["prestige"]["xy"]),
        cities=tuple(_city(city) for city in data["cities"]),
        routes=tuple(_route(route) for route in data["routes"]),
        regions=tuple(data["regions"]),
        permissions=tuple((p["city"], tuple(p["regions"])) for p in data["permissions"]),
        provinces=tuple(_province(province) for province in duel["provinces"]),
        soldiers=tuple((a, b) for a, b in duel["soldiers"]),
        marker_xy={route: _xy(xy) for route, xy in data["marker_xy"].items()},
        duels=tuple(data["duels"]),
        modules=tuple(data["modules"]),
        missions=tuple(tuple(card) for card in data.get("missions", ())),
        instead=dict(data["instead"]),
    )


def _city(data: dict[str, Any]) -> City:
    return City(
        id=data["id"],
        name=data["name"],
        xy=_xy(data["xy"]),
        houses=tuple(
            House(house["shape"], house["privilege"], house.get("coin", 0))
            for house in data["houses"]
        ),
        skills=tuple(data["skills"]),
        regions=tuple(data.get("regions", ())),
        green=data.get("green", False),
    )


def _route(data: dict[str, Any]) -> Route:
    return Route(
        id=data["id"],
        cities=(data["cities"][0], data["cities"][1]),
        posts=tuple(
            Post(f"{data['id']}/{k}", _xy(post["xy"]), post.get("ship", False))
            for k, post in enumerate(data["posts"], 1)
        ),
        tavern=data.get("tavern", False),
        region=data.get("region"),
        permanent=data.get("permanent"),
    )


def _province(data: dict[str, Any]) -> Province:
    return Province(
        id=data["id"],
        name=data["name"],
        xy=_xy(data["xy"]),
        routes=tuple(data["routes"]),
        neighbours=tuple(dict.fromkeys(n["province"] for n in data["neighbours"])),
    )


def _check(board: Board) -> None:
    """Refuse a board file that the rules could not be played on."""
    cities = {city.id for city in board.cities}
    problems = [
        *_check_names(board, cities),
        *(
            f"route {r.id}: {len(r.posts)} posts"
            for r in board.routes
            if len(r.posts) not in (2, 3, 4)
        ),
        *(
            f"city {c.id}: houses and green exclude each other"
            for c in board.cities
            if bool(c.houses) == c.green
        ),
        *_check_graph(board),
        *_check_provinces(board),
    ]
    if sum(route.tavern for route in board.routes) != 3:
        problems.append("there must be three tavern routes")
    if problems:
        raise ValueError(f"board {board.id}: " + "; ".join(problems))


def _check_names(board: Board, cities: set[str]) -> list[str]:
    problems = []
    if len(cities) != len(board.cities) or len({r.id for r in board.routes}) != len(board.routes):
        problems.append("an id occurs twice")
    ends = {end for route in board.routes for end in route.cities}
    wanted = ends | {*board.link, board.prestige_city} | {city for city, _ in board.permissions}
    wanted |= {city for card in board.missions for city in card}
    problems += [f"unknown city {city}" for city in sorted(wanted - cities)]
    for city in board.cities:
        problems += [f"{city.id}: unknown skill {s}" for s in city.skills if s not in SKILLS]
        problems += [
            f"{city.id}: unknown house {house}"
            for house in city.houses
            if house.shape not in ("trader", "merchant") or house.privilege not in PRIVILEGES
        ]
    return problems


def _check_graph(board: Board) -> list[str]:
    # Berlin-Cölln and the like are dead ends, but every city must be reachable.
    reached = {board.cities[0].id}
    frontier = [board.cities[0].id]
    while frontier:
        for city in board.neighbours(frontier.pop()):
            if city not in reached:
                reached.add(city)
                frontier.append(city)
    return [f"city {c.id} cannot be reached" for c in board.cities if c.id not in reached]


def _check_provinces(board: Board) -> list[str]:
    if not board.provinces:
        return []
    bounds = [route for province in board.provinces for route in province.routes]
    problems = [
        f"route {route.id} must separate two provinces"
        for route in board.routes
        if bounds.count(route.id) != 2
    ]
    near = {province.id: province.neighbours for province in board.provinces}
    problems += [
        f"provinces {one} and {other} disagree"
        for one, others in near.items()
        for other in others
        if one not in near[other]
    ]
    return problems
