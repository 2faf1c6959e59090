"""The board as the rules read it: flat lists of small integers, made once from `Board`."""

from __future__ import annotations

from collections import deque
from functools import cache

from hansa.boards import BOARD_IDS, Board, load
from hansa.boards.board import PRIVILEGES, SKILLS
from hansa.boards.slots import slots, swap_pairs
from hansa.errors import InvalidSetup

from .capacity import (
    MAX_CITIES,
    MAX_GREEN,
    MAX_HOUSES,
    MAX_PERMISSIONS,
    MAX_POSTS,
    MAX_PROVINCES,
    MAX_ROUTES,
)
from .codes import MAX_PLAYERS, TILES

__all__ = ["Tables", "table_fields", "tables"]

NO_VERB = -1
"""The kind of an id that means nothing on a board."""
REGIONS = ("england", "wales", "scotland")
ID_FIELDS = (
    "verb",
    "shape",
    "traders",
    "merchants",
    "province",
    "tile",
    "marker",
    "skill",
    "house",
    "player",
    "green",
    "end",
    "space",
    "post",
    "route",
)
"""What `id_…` tells of every id: the kind of the decision (the first id of its kind) and its fields."""


@cache
def table_fields() -> tuple[tuple[str, str, int], ...]:
    """Name, numpy type, length (0: a single number). The compiled twin has the same fields."""
    from .catalogue import MARKERS  # noqa: PLC0415  # it collects the modules that read tables
    from .numbering import ACTION_IDS, FIELDS  # noqa: PLC0415  # as above

    kinds = len(MARKERS) + 1
    post_slots = max(FIELDS["post"], *(len(slots(load(b).family).posts) for b in BOARD_IDS))
    route_slots = max(FIELDS["route"], *(len(slots(load(b).family).routes) for b in BOARD_IDS))
    return (
        ("post_unit", "i8", MAX_POSTS),
        ("city_adjacent", "i8", MAX_CITIES),
        ("post_step", "i4", MAX_POSTS),
        ("route_step", "i4", MAX_ROUTES),
        ("swap_id", "i4", MAX_HOUSES),
        ("green_id", "i4", 2 * max(MAX_GREEN, 1)),
        ("pawn_id", "i4", MAX_PROVINCES + 1),
        ("walk_id", "i4", MAX_PROVINCES + 1),
        ("spend_id", "i4", kinds),
        ("fee_id", "i4", kinds),
        ("lay_id", "i4", kinds),
        ("exchange_id", "i4", MAX_PLAYERS * kinds),
        ("board", "i2", 0),
        ("n_cities", "i2", 0),
        ("n_routes", "i2", 0),
        ("n_posts", "i2", 0),
        ("n_markers", "i2", 0),
        ("n_provinces", "i2", 0),
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
        ("post_class", "i2", MAX_POSTS),
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
        ("green_city", "i2", max(MAX_GREEN, 1)),
        ("permission_city", "i2", max(MAX_PERMISSIONS, 1)),
        ("permission_regions", "i2", max(MAX_PERMISSIONS, 1)),
        ("bounds", "i2", (MAX_PROVINCES + 1) * MAX_ROUTES),
        ("hops", "i2", (MAX_PROVINCES + 1) * (MAX_PROVINCES + 1)),
        ("slot_post", "i2", post_slots),
        ("slot_route", "i2", route_slots),
        *((f"id_{name}", "i2", ACTION_IDS) for name in ID_FIELDS),
    )


class Tables:
    """One side of a board as flat lists.

    Cities, routes and posts are numbered from 0 in the order of the board file; a route's posts
    are `route_first[r] … route_first[r + 1] - 1`, a city's houses likewise by `city_first`.
    """

    post_unit: list[int]
    """256 ** class: free posts of each class are counted in one number."""
    city_adjacent: list[int]
    """The neighbours of a city as bits."""
    post_step: list[int]
    route_step: list[int]
    """What a post or route adds to the ids of decisions that name it."""
    swap_id: list[int]
    """By the left one of two neighbouring houses."""
    green_id: list[int]
    """By green city and shape, two a row."""
    pawn_id: list[int]
    walk_id: list[int]
    spend_id: list[int]
    fee_id: list[int]
    lay_id: list[int]
    """By marker; a route adds its step."""
    exchange_id: list[int]
    """By player and marker, n_markers + 1 a row."""
    board: int
    n_cities: int
    n_routes: int
    n_posts: int
    n_markers: int
    """Kinds of markers."""
    n_provinces: int
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
    post_class: list[int]
    """2 * region + ship: what decides which pieces may come here."""
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
    green_city: list[int]
    permission_city: list[int]
    permission_regions: list[int]
    bounds: list[int]
    """DUEL-PAWN-7: 1 where a route bounds a province, MAX_ROUTES a row."""
    hops: list[int]
    """Borders between two provinces, MAX_PROVINCES + 1 a row."""
    slot_post: list[int]
    slot_route: list[int]
    id_verb: list[int]
    id_shape: list[int]
    id_traders: list[int]
    id_merchants: list[int]
    id_province: list[int]
    id_tile: list[int]
    id_marker: list[int]
    id_skill: list[int]
    id_house: list[int]
    id_player: list[int]
    id_green: list[int]
    id_end: list[int]
    id_space: list[int]
    id_post: list[int]
    id_route: list[int]

    def __init__(self) -> None:
        for name, _, length in table_fields():
            setattr(self, name, [0] * length if length else 0)


@cache
def tables(board_id: str) -> Tables:
    """The tables of a board, shared and never changed."""
    from .catalogue import MARKERS  # noqa: PLC0415  # it collects the modules that read tables

    board = load(board_id)
    b = Tables()
    city_number = {city.id: k for k, city in enumerate(board.cities)}
    b.board = BOARD_IDS.index(board_id)
    b.n_cities, b.n_routes = len(board.cities), len(board.routes)
    b.n_markers = len(MARKERS)
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
    _fill_ids(b, board)
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
    from .catalogue import PERMANENTS  # noqa: PLC0415  # it collects the modules that read tables

    permanent: dict[str | None, int] = {marker.name: marker.number for marker in PERMANENTS}
    for route in board.routes:
        if route.permanent is not None and route.permanent not in permanent:
            raise InvalidSetup(f"board {board.id}: {route.permanent!r} is no permanent marker")
    special = {c.id for c in board.cities if c.skills} | {board.prestige_city}
    special |= {city for city, _ in board.permissions}  # NEUTRAL-1: Cardiff among them
    post = 0
    for r, route in enumerate(board.routes):
        ends = [city_number[city] for city in route.cities]
        b.route_first[r] = post
        b.route_city[2 * r], b.route_city[2 * r + 1] = ends
        b.route_region[r] = REGIONS.index(route.region) if route.region else 0
        b.route_permanent[r] = permanent.get(route.permanent, 0)
        b.route_tavern[r] = int(route.tavern)
        b.route_special[r] = int(bool(special.intersection(route.cities)))
        b.route_ordinary[r] = post + [p.ship for p in route.posts].index(False)
        b.city_adjacent[ends[0]] |= 1 << ends[1]
        b.city_adjacent[ends[1]] |= 1 << ends[0]
        for place in route.posts:
            b.post_route[post] = r
            b.post_ship[post] = int(place.ship)
            b.post_region[post] = b.route_region[r]
            b.post_class[post] = 2 * b.route_region[r] + int(place.ship)
            b.post_unit[post] = 256 ** b.post_class[post]
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
    b.n_provinces = len(board.provinces)
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
            b.hops[(MAX_PROVINCES + 1) * province.id + other] = hops


def _fill_slots(b: Tables, board: Board) -> None:
    numbering = slots(board.family)
    b.slot_post = [-1] * len(b.slot_post)
    b.slot_route = [-1] * len(b.slot_route)
    post = 0
    for r, route in enumerate(board.routes):
        b.slot_route[numbering.routes[route.id]] = r
        for place in route.posts:
            b.slot_post[numbering.posts[place.id]] = post
            post += 1


def _fill_ids(b: Tables, board: Board) -> None:
    """What every id means here, and the ids of what can be named here."""
    from .numbering import fields_of, numbered, step  # noqa: PLC0415  # as catalogue

    for slot, post in enumerate(b.slot_post):
        if post >= 0:
            b.post_step[post] = step("post", slot)
    for slot, route in enumerate(b.slot_route):
        if route >= 0:
            b.route_step[route] = step("route", slot)
    here = _numbers_here(b, board)
    b.id_verb = [NO_VERB] * len(b.id_verb)
    for entry in numbered(board.family):
        b.id_verb[entry.id] = entry.decision.id
        for field, slot in zip(fields_of(entry.decision), entry.values, strict=True):
            value = here[field][slot] if field in here else slot
            getattr(b, f"id_{field}")[entry.id] = value
    _fill_named(b)


def _numbers_here(b: Tables, board: Board) -> dict[str, list[int]]:
    """The number that a slot has on this side of the board; -1: it is not here."""
    from .numbering import FIELDS  # noqa: PLC0415  # as catalogue

    city_number = {city.id: k for k, city in enumerate(board.cities)}
    green = {b.green_city[k]: k for k in range(b.n_green)}
    house = {
        (city.id, k): b.city_first[city_number[city.id]] + k - 1
        for city in board.cities
        for k in range(1, len(city.houses))
    }
    return {
        "post": b.slot_post,
        "route": b.slot_route,
        "house": [house.get(pair, -1) for pair in swap_pairs()],
        "green": [green.get(city_number.get(c, -1), -1) for c in slots(board.family).green],
        "province": list(range(1, 1 + max(MAX_PROVINCES, FIELDS["province"]))),
        "tile": list(range(1, 1 + TILES)),
        "marker": list(range(1, 1 + b.n_markers)),
    }


def _fill_named(b: Tables) -> None:
    """The way back: ids by what they name, where a step alone would not do."""
    from .border import FEE  # noqa: PLC0415  # these modules read tables
    from .duel import PAWN, WALK  # noqa: PLC0415
    from .exchange import USE_EXCHANGE  # noqa: PLC0415
    from .favour import SPEND  # noqa: PLC0415
    from .permanent import GREEN  # noqa: PLC0415
    from .plate import LAY  # noqa: PLC0415
    from .swap import USE_SWAP  # noqa: PLC0415

    by_marker = {FEE: b.fee_id, SPEND: b.spend_id}
    by_province = {PAWN: b.pawn_id, WALK: b.walk_id}
    for number, verb in enumerate(b.id_verb):
        marker = b.id_marker[number]
        if verb in by_marker:
            by_marker[verb][marker] = number
        elif verb in by_province and b.id_province[number] < len(b.pawn_id):
            by_province[verb][b.id_province[number]] = number
        elif verb == USE_EXCHANGE:
            b.exchange_id[(b.n_markers + 1) * b.id_player[number] + marker] = number
        elif verb == USE_SWAP and b.id_house[number] >= 0:
            b.swap_id[b.id_house[number]] = number
        elif verb == GREEN and b.id_green[number] >= 0:
            b.green_id[2 * b.id_green[number] + b.id_shape[number]] = number
        elif verb == LAY and b.id_route[number] >= 0:
            b.lay_id[marker] = number - b.route_step[b.id_route[number]]
