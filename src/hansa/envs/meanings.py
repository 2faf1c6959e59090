"""What ids and places mean, as numbers: for networks that should carry over from board to board.

Places are the rows of the blocks of an observation (`layout`), so that a network can look up what an
id speaks of: row `k` of `posts`, `routes` or `cities` is the same place here and there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from hansa.action import ACTIONS, Action, actions_of
from hansa.boards import FAMILIES, load
from hansa.boards.board import PRIVILEGES
from hansa.grammar import MARKER_NAMES
from hansa.names import FAVOURS, PLAYERS, PRESTIGE_SPACES, SHAPES, SKILLS

from .layout import Layout, layout

__all__ = ["ActionTable", "BoardGraph", "actions", "graph"]

NONE = -1
"""Where a decision names nothing of the sort, or a side of a board has no such place."""
GAINS = ("none", "office", "extra", "skill", "prestige")
Numbers = npt.NDArray[np.int16]


@dataclass(frozen=True)
class ActionTable:
    """A row for every id, a column for everything a decision can name.

    `numbers[id, column]` is a place in `words[column]`, an amount (`traders`, `merchants`, `house`,
    `province`), or -1. Rows of ids that mean nothing on this board are -1 throughout.

    >>> import hansa.envs
    >>> table = hansa.envs.actions("hansa")
    >>> row = table.row(hansa.Action.parse("place t groningen-emden/1").id)
    >>> row["verb"], row["shape"], row["post"], row["marker"]
    (13, 0, 45, -1)
    >>> table.words["verb"][13], table.words["post"][45]
    ('place', 'groningen-emden/1')
    """

    board: str
    columns: tuple[str, ...]
    words: dict[str, tuple[str, ...]]
    numbers: Numbers

    @property
    def known(self) -> npt.NDArray[np.bool_]:
        """Which ids mean something on this board."""
        return np.asarray(self.numbers[:, 0] != NONE)

    def row(self, number: int) -> dict[str, int]:
        """One id by the names of the columns."""
        return dict(zip(self.columns, self.numbers[number].tolist(), strict=True))


def _rows(places: Layout, block: str) -> tuple[str, ...]:
    return next(one.rows for one in places.blocks if one.name == block)


def _words(family: str) -> dict[str, tuple[str, ...]]:
    places = layout(family)
    return {
        "verb": tuple(sorted({a.verb for board in FAMILIES for a in actions_of(board).values()})),
        "gain": GAINS,
        "shape": tuple(SHAPES),
        "post": _rows(places, "posts"),
        "route": _rows(places, "routes"),
        "city": _rows(places, "cities"),
        "skill": tuple(SKILLS),
        "marker": tuple(MARKER_NAMES),
        "takes": tuple(MARKER_NAMES),
        "tile": tuple(FAVOURS),
        "prestige": tuple(str(value) for value in PRESTIGE_SPACES),
        "player": tuple(PLAYERS),
    }


AMOUNTS: dict[str, Callable[[Action], int | None]] = {
    "house": lambda action: action.house,
    "province": lambda action: action.province,
    "traders": lambda action: action.traders,
    "merchants": lambda action: action.merchants,
}


@cache
def actions(family: str) -> ActionTable:
    """The meaning of every id on a board: `hansa`, `east` or `britannia`; raises InvalidSetup."""
    words = _words(family)
    numbers = np.full((ACTIONS, len(words) + len(AMOUNTS)), NONE, np.int16)
    places = {name: {word: k for k, word in enumerate(known)} for name, known in words.items()}
    for number, action in actions_of(family).items():
        named = {name: getattr(action, name) for name in words}
        if named["city"] is not None and named["city"] not in places["city"]:
            continue  # houses of other boards have ids of their own in the one space
        found = [
            NONE if value is None else places[name][str(value)] for name, value in named.items()
        ]
        amounts = [amount(action) for amount in AMOUNTS.values()]
        numbers[number] = [*found, *(NONE if value is None else value for value in amounts)]
    numbers.setflags(write=False)
    return ActionTable(family, (*words, *AMOUNTS), words, numbers)


@dataclass(frozen=True)
class BoardGraph:
    """How the places of one side of a board hang together; rows are those of `layout`.

    Places that the other side alone has are -1 in lists of neighbours and 0 elsewhere.

    >>> import hansa.envs
    >>> graph = hansa.envs.graph("hansa-45")
    >>> graph.route_cities.shape, graph.post_route.shape, graph.house_city.shape
    ((34, 2), (107,), (62,))
    >>> bool((graph.city_adjacency == graph.city_adjacency.T).all())
    True
    """

    board: str
    route_cities: Numbers
    """Both cities of each route."""
    post_route: Numbers
    """The route of each post."""
    house_city: Numbers
    """The city of each house."""
    city_adjacency: Numbers
    """Cities × cities: how many routes lie between them."""
    route_adjacency: Numbers
    """Routes × routes: how many cities they share."""
    post_adjacency: Numbers
    """Posts × posts: 1 for neighbours on a route."""
    posts: Numbers
    """For each post: ship."""
    houses: Numbers
    """For each house: is there, for a merchant, privilege (0 white … 3 black), coin."""
    cities: Numbers
    """For each city: is there, green, then the five skills it develops."""
    routes: Numbers
    """For each route: is there, tavern, permanent marker."""


def _lists(places: Layout) -> dict[str, dict[str, int]]:
    return {
        name: {row: k for k, row in enumerate(_rows(places, name))}
        for name in ("cities", "houses", "routes", "posts")
    }


@cache
def graph(board_id: str) -> BoardGraph:
    """The graph of one side of a board, e.g. `hansa-45`; raises InvalidSetup."""
    board = load(board_id)
    row = _lists(layout(board.family))
    n_cities, n_houses, n_routes, n_posts = (len(row[name]) for name in row)
    route_cities = np.full((n_routes, 2), NONE, np.int16)
    post_route = np.full(n_posts, NONE, np.int16)
    house_city = np.full(n_houses, NONE, np.int16)
    post_adjacency = np.zeros((n_posts, n_posts), np.int16)
    posts = np.zeros((n_posts, 1), np.int16)
    houses = np.zeros((n_houses, 4), np.int16)
    cities = np.zeros((n_cities, 2 + len(SKILLS)), np.int16)
    routes = np.zeros((n_routes, 3), np.int16)
    for city in board.cities:
        k = row["cities"][city.id]
        cities[k] = [1, city.green, *(skill in city.skills for skill in SKILLS)]
        for number, house in enumerate(city.houses, 1):
            h = row["houses"][f"{city.id}/{number}"]
            house_city[h] = k
            rank = PRIVILEGES.index(house.privilege)
            houses[h] = [1, house.shape == "merchant", rank, house.coin]
    for route in board.routes:
        k = row["routes"][route.id]
        route_cities[k] = [row["cities"][city] for city in route.cities]
        routes[k] = [1, route.tavern, route.permanent is not None]
        numbers = [row["posts"][post.id] for post in route.posts]
        post_route[numbers] = k
        posts[numbers, 0] = [post.ship for post in route.posts]
        post_adjacency[numbers[:-1], numbers[1:]] = 1
    incidence = _incidence(route_cities, n_cities)
    return BoardGraph(
        board=board_id,
        route_cities=route_cities,
        post_route=post_route,
        house_city=house_city,
        city_adjacency=_without_self(incidence.T @ incidence),
        route_adjacency=_without_self(incidence @ incidence.T),
        post_adjacency=post_adjacency + post_adjacency.T,
        posts=posts,
        houses=houses,
        cities=cities,
        routes=routes,
    )


def _incidence(route_cities: Numbers, n_cities: int) -> Numbers:
    """Routes × cities: 1 where a route ends."""
    incidence = np.zeros((len(route_cities), n_cities), np.int16)
    there = np.flatnonzero(route_cities[:, 0] != NONE)
    for end in range(2):
        incidence[there, route_cities[there, end]] = 1
    return incidence


def _without_self(adjacency: npt.NDArray[Any]) -> Numbers:
    np.fill_diagonal(adjacency, 0)
    return adjacency.astype(np.int16)
