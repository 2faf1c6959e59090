"""The board as the rules read it: flat lists of small integers, made once from `Board`."""

from __future__ import annotations

from collections import deque
from functools import cache

from hansa.boards import BOARD_IDS, Board, load
from hansa.boards.board import PERMANENT, PRIVILEGES, SKILLS
from hansa.boards.slots import POST_SLOTS, ROUTE_SLOTS, SWAP_SLOTS, slots, swap_pairs

from .codes import AT_POST, AT_ROUTE, POST_OPS, ROUTE_OPS

__all__ = ["TABLE_FIELDS", "Tables", "tables"]

MAX_ROUTES, MAX_POSTS, MAX_CITIES, MAX_HOUSES = 40, 121, 30, 72
REGIONS = ("england", "wales", "scotland")

# name, numpy type, length (0: a single number). The compiled twin has the same fields.
TABLE_FIELDS: tuple[tuple[str, str, int], ...] = (
    ("post_unit", "i8", MAX_POSTS),
    ("city_adjacent", "i8", MAX_CITIES),
    ("post_id", "i4", MAX_POSTS),
    ("route_id", "i4", MAX_ROUTES),
    ("board", "i2", 0),
    ("n_cities", "i2", 0),
    ("n_routes", "i2", 0),
    ("n_posts", "i2", 0),
    ("cities_to_end", "i2", 0),
    ("link_a", "i2", 0),
    ("link_b", "i2", 0),
    ("prestige_city", "i2", 0),
    ("has_regions", "i2", 0),
    ("n_permissions", "i2", 0),
    ("n_green", "i2", 0),
    ("post_route", "i2", MAX_POSTS),
    ("post_ship", "i2", MAX_POSTS),
    ("post_region", "i2", MAX_POSTS),
    ("route_first", "i2", MAX_ROUTES + 1),
    ("route_city", "i2", 2 * MAX_ROUTES),
    ("route_region", "i2", MAX_ROUTES),
    ("route_permanent", "i2", MAX_ROUTES),
    ("route_tavern", "i2", MAX_ROUTES),
    ("route_special", "i2", MAX_ROUTES),
    ("route_ordinary", "i2", MAX_ROUTES),
    ("distance", "i2", MAX_ROUTES * MAX_ROUTES),
    ("nearest", "i2", MAX_ROUTES * MAX_ROUTES),
    ("city_first", "i2", MAX_CITIES + 1),
    ("house_shape", "i2", MAX_HOUSES),
    ("house_privilege", "i2", MAX_HOUSES),
    ("house_coin", "i2", MAX_HOUSES),
    ("city_skills", "i2", MAX_CITIES),
    ("city_green", "i2", MAX_CITIES),
    ("city_regions", "i2", MAX_CITIES),
    ("city_swap", "i2", MAX_CITIES),
    ("green_city", "i2", 3),
    ("permission_city", "i2", 3),
    ("permission_regions", "i2", 3),
    ("bounds", "i2", 17 * MAX_ROUTES),
    ("hops", "i2", 17 * 17),
    ("slot_post", "i2", POST_SLOTS),
    ("slot_route", "i2", ROUTE_SLOTS),
    ("swap_house", "i2", SWAP_SLOTS),
)


class Tables:
    """One side of a board as flat lists.

    Cities, routes and posts are numbered from 0 in the order of the board file; a route's posts
    are `route_first[r] … route_first[r + 1] - 1`, a city's houses likewise by `city_first`.
    """

    __slots__ = tuple(name for name, _, _ in TABLE_FIELDS)

    post_unit: list[int]
    """256 ** (2 * region + ship): free posts of each class are counted in one number."""
    city_adjacent: list[int]
    """The neighbours of a city as bits."""
    post_id: list[int]
    route_id: list[int]
    board: int
    n_cities: int
    n_routes: int
    n_posts: int
    cities_to_end: int
    link_a: int
    link_b: int
    prestige_city: int
    has_regions: int
    n_permissions: int
    n_green: int
    post_route: list[int]
    post_ship: list[int]
    post_region: list[int]
    route_first: list[int]
    route_city: list[int]
    route_region: list[int]
    route_permanent: list[int]
    route_tavern: list[int]
    route_special: list[int]
    """NEUTRAL-1: whether an end offers more than houses."""
    route_ordinary: list[int]
    """The first ordinary post (RULING-49)."""
    distance: list[int]
    """GEO-8, MAX_ROUTES a row."""
    nearest: list[int]
    """The other routes by distance, MAX_ROUTES a row."""
    city_first: list[int]
    house_shape: list[int]
    house_privilege: list[int]
    house_coin: list[int]
    city_skills: list[int]
    """Bits of the skills the city shows."""
    city_green: list[int]
    """1 + number among the green cities; 0 for others."""
    city_regions: list[int]
    """Bits of the countries the city counts for."""
    city_swap: list[int]
    """The slot of the city's first two houses."""
    green_city: list[int]
    permission_city: list[int]
    permission_regions: list[int]
    bounds: list[int]
    """DUEL-PAWN-7: 1 where a route bounds a province, MAX_ROUTES a row."""
    hops: list[int]
    """Borders between two provinces, 17 a row."""
    slot_post: list[int]
    slot_route: list[int]
    swap_house: list[int]
    """The left one of the two houses of a slot."""

    def __init__(self) -> None:
        for name, _, length in TABLE_FIELDS:
            setattr(self, name, [0] * length if length else 0)


@cache
def tables(board_id: str) -> Tables:
    """The tables of a board, shared and never changed."""
    board = load(board_id)
    b = Tables()
    city_number = {city.id: k for k, city in enumerate(board.cities)}
    b.board = BOARD_IDS.index(board_id)
    b.n_cities, b.n_routes = len(board.cities), len(board.routes)
    b.cities_to_end = board.completed_cities_end
    b.link_a, b.link_b = city_number[board.link[0]], city_number[board.link[1]]
    b.prestige_city = city_number[board.prestige_city]
    b.has_regions = int(bool(board.regions))
    _fill_cities(b, board)
    _fill_permissions(b, board, city_number)
    _fill_routes(b, board, city_number)
    _fill_distances(b)
    _fill_provinces(b, board)
    _fill_slots(b, board)
    return b


def _fill_cities(b: Tables, board: Board) -> None:
    house = green = 0
    for k, city in enumerate(board.cities):
        b.city_first[k] = house
        for printed in city.houses:
            b.house_shape[house] = int(printed.shape == "merchant")
            b.house_privilege[house] = PRIVILEGES.index(printed.privilege)
            b.house_coin[house] = printed.coin
            house += 1
        b.city_skills[k] = sum(1 << SKILLS.index(skill) for skill in city.skills)
        b.city_regions[k] = sum(1 << REGIONS.index(region) for region in city.regions)
        if city.green:
            b.green_city[green] = k
            green += 1
            b.city_green[k] = green
    for k in range(b.n_cities, MAX_CITIES + 1):
        b.city_first[k] = house
    b.n_green = green


def _fill_permissions(b: Tables, board: Board, city_number: dict[str, int]) -> None:
    b.n_permissions = len(board.permissions)
    for k, (city, regions) in enumerate(board.permissions):
        b.permission_city[k] = city_number[city]
        b.permission_regions[k] = sum(1 << REGIONS.index(region) for region in regions)


def _fill_routes(b: Tables, board: Board, city_number: dict[str, int]) -> None:
    special = {c.id for c in board.cities if c.skills} | {board.prestige_city}
    special |= {city for city, _ in board.permissions}  # NEUTRAL-1: Cardiff among them
    post = 0
    for r, route in enumerate(board.routes):
        ends = [city_number[city] for city in route.cities]
        b.route_first[r] = post
        b.route_city[2 * r], b.route_city[2 * r + 1] = ends
        b.route_region[r] = REGIONS.index(route.region) if route.region else 0
        b.route_permanent[r] = 1 + PERMANENT.index(route.permanent) if route.permanent else 0
        b.route_tavern[r] = int(route.tavern)
        b.route_special[r] = int(bool(special.intersection(route.cities)))
        b.route_ordinary[r] = post + [p.ship for p in route.posts].index(False)
        b.city_adjacent[ends[0]] |= 1 << ends[1]
        b.city_adjacent[ends[1]] |= 1 << ends[0]
        for place in route.posts:
            b.post_route[post] = r
            b.post_ship[post] = int(place.ship)
            b.post_region[post] = b.route_region[r]
            b.post_unit[post] = 256 ** (2 * b.route_region[r] + int(place.ship))
            post += 1
    for r in range(b.n_routes, MAX_ROUTES + 1):
        b.route_first[r] = post
    b.n_posts = post


def _fill_distances(b: Tables) -> None:
    """GEO-8: steps from route to route over common cities, by breadth-first search."""
    ends = [set(b.route_city[2 * r : 2 * r + 2]) for r in range(b.n_routes)]
    for start in range(b.n_routes):
        found = {start: 0}
        queue = deque([start])
        while queue:
            here = queue.popleft()
            for other in range(b.n_routes):
                if other not in found and ends[here] & ends[other]:
                    found[other] = found[here] + 1
                    queue.append(other)
        order = sorted((d, r) for r, d in found.items() if r != start)
        for k, (d, r) in enumerate(order):
            b.nearest[MAX_ROUTES * start + k] = r
            b.distance[MAX_ROUTES * start + r] = d


def _fill_provinces(b: Tables, board: Board) -> None:
    route_number = {route.id: r for r, route in enumerate(board.routes)}
    near = {province.id: province.neighbours for province in board.provinces}
    for province in board.provinces:
        for route in province.routes:
            b.bounds[MAX_ROUTES * province.id + route_number[route]] = 1
        found = {province.id: 0}
        queue = deque([province.id])
        while queue:
            here = queue.popleft()
            for other in near[here]:
                if other not in found:
                    found[other] = found[here] + 1
                    queue.append(other)
        for other, hops in found.items():
            b.hops[17 * province.id + other] = hops


def _fill_slots(b: Tables, board: Board) -> None:
    numbering = slots(board.family)
    b.slot_post = [-1] * POST_SLOTS
    b.slot_route = [-1] * ROUTE_SLOTS
    for k, city in enumerate(board.cities):
        for house in range(1, len(city.houses)):
            slot = swap_pairs()[city.id, house]
            b.swap_house[slot] = b.city_first[k] + house - 1
            if house == 1:
                b.city_swap[k] = slot
    post = 0
    for r, route in enumerate(board.routes):
        b.slot_route[numbering.routes[route.id]] = r
        b.route_id[r] = AT_ROUTE + ROUTE_OPS * numbering.routes[route.id]
        for place in route.posts:
            b.slot_post[numbering.posts[place.id]] = post
            b.post_id[post] = AT_POST + POST_OPS * numbering.posts[place.id]
            post += 1
