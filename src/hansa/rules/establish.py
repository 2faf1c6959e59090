"""Establish a route: points, marker, one of office / skill / prestige space (ROUTE, PRESTIGE)."""

from __future__ import annotations

from .codes import (
    AT_MARKERS,
    AT_USED,
    BITS,
    DUEL_PAWN,
    EST_EXTRA,
    EST_NONE,
    EST_OFFICE,
    EST_PRESTIGE,
    EST_SKILL,
    EXTRA_OFFICE,
    IN_PERMANENT,
    IN_PLACE2,
    MERCHANT,
    PERM_PLACE2_ROUTE,
    PRIVILEGE,
    TRADER,
)
from .notes import (
    ESTABLISHED,
    IN_ANNEX,
    IN_HAND,
    IN_HOUSE,
    IN_STOCK,
    MOVED,
    ON_POST,
    ON_PRESTIGE,
    TAKEN,
    USED,
    note,
)
from .offices import found, found_beside, free_house, has_occupied_house, score_control
from .pieces import holds_shape, is_full_of, is_mine, piece_of, shape_of
from .pool import add, draw, find, transfer
from .promo import ask_tribute
from .skills import develop, is_full
from .stack import push
from .state import State
from .tables import MAX_ROUTES, Tables

NO_SHAPE = -1


def can_establish(b: Tables, s: State, route: int) -> bool:
    """ROUTE-1, DUEL-PAWN-7; the first post tells most routes apart quickly."""
    if not is_mine(s.post[b.route_first[route]], s.active):
        return False
    if s.duel == DUEL_PAWN and b.bounds[MAX_ROUTES * s.pawn + route] == 0:
        return False
    return is_full_of(b, s, route, s.active)


def house_takes(b: Tables, s: State, route: int, city: int) -> bool:
    """OFFICE-1 to -4: leftmost free house, its shape among the route's pieces, its colour covered."""
    house = free_house(b, s, city)
    if house < 0 or b.house_privilege[house] > s.skills[5 * s.active + PRIVILEGE]:
        return False
    return holds_shape(b, s, route, b.house_shape[house])


def legal_establish(b: Tables, s: State, route: int, buf: list[int], n: int) -> int:
    """ROUTE-7: none, or one of the alternatives of step 3."""
    base = b.route_id[route]
    buf[n] = base + EST_NONE
    n += 1
    for end in range(2):
        if house_takes(b, s, route, b.route_city[2 * route + end]):
            buf[n] = base + EST_OFFICE + end
            n += 1
    if find(s, AT_MARKERS + 3 * s.active, EXTRA_OFFICE) >= 0:
        n = legal_extra(b, s, route, buf, n)
    shown = b.city_skills[b.route_city[2 * route]] | b.city_skills[b.route_city[2 * route + 1]]
    for skill in range(5):
        if shown & BITS[skill] != 0 and not is_full(s, s.active, skill):
            buf[n] = base + EST_SKILL + skill
            n += 1
    return legal_prestige(b, s, route, buf, n)


def legal_extra(b: Tables, s: State, route: int, buf: list[int], n: int) -> int:
    """MARKER-EXTRA-2, -3: an occupied house, or a green city (EAST-7); either shape."""
    for end in range(2):
        city = b.route_city[2 * route + end]
        if b.city_green[city] == 0 and not has_occupied_house(b, s, city):
            continue
        for shape in range(2):
            if holds_shape(b, s, route, shape):
                buf[n] = b.route_id[route] + EST_EXTRA + 2 * end + shape
                n += 1
    return n


def legal_prestige(b: Tables, s: State, route: int, buf: list[int], n: int) -> int:
    """PRESTIGE-1 to -3: a merchant of the route on any free space that privilege covers."""
    city = b.prestige_city
    if b.route_city[2 * route] != city and b.route_city[2 * route + 1] != city:
        return n
    if not holds_shape(b, s, route, MERCHANT):
        return n
    for space in range(4):
        if s.prestige[space] == 0 and space <= s.skills[5 * s.active + PRIVILEGE]:
            buf[n] = b.route_id[route] + EST_PRESTIGE + space
            n += 1
    return n


def establish(b: Tables, s: State, route: int, op: int) -> None:
    """ROUTE-2: points, marker, the choice of step 3; what follows waits on the stack."""
    note(s, ESTABLISHED, s.active, route)
    score_control(b, s, route)
    take_marker(s, route)
    if op == EST_NONE:
        clear_route(b, s, route, NO_SHAPE, 0)
    elif op < EST_EXTRA:
        office(b, s, route, b.route_city[2 * route + op - EST_OFFICE])
    elif op < EST_SKILL:
        end = (op - EST_EXTRA) >> 1
        extra_office(b, s, route, b.route_city[2 * route + end], (op - EST_EXTRA) & 1)
    elif op < EST_PRESTIGE:
        clear_route(b, s, route, NO_SHAPE, 0)
        develop(s, op - EST_SKILL)
    else:
        s.prestige[op - EST_PRESTIGE] = s.active + 1
        clear_route(b, s, route, MERCHANT, ON_PRESTIGE + op - EST_PRESTIGE)


def take_marker(s: State, route: int) -> None:
    """MARKER-TAKE-1, -2: face up to the player, a new one unseen to his plate."""
    marker = s.route_marker[route]
    if marker == 0:
        return
    s.route_marker[route] = 0
    add(s, AT_MARKERS + 3 * s.active, marker)
    note(s, TAKEN, s.active, marker, route)
    draw(s, s.active)


def office(b: Tables, s: State, route: int, city: int) -> None:
    """OFFICE-1, -4: with a piece of the route."""
    shape = b.house_shape[free_house(b, s, city)]
    clear_route(b, s, route, shape, IN_HOUSE + city)
    found(b, s, city, piece_of(s.active, shape))
    ask_tribute(s, city)


def extra_office(b: Tables, s: State, route: int, city: int, shape: int) -> None:
    """MARKER-EXTRA-1: the marker used is the oldest (RULING-21: never the one just taken)."""
    transfer(s, EXTRA_OFFICE, AT_MARKERS + 3 * s.active, AT_USED + 3 * s.active)
    note(s, USED, s.active, EXTRA_OFFICE)
    clear_route(b, s, route, shape, IN_ANNEX + city)
    found_beside(b, s, city, piece_of(s.active, shape), 0)
    ask_tribute(s, city)


def clear_route(b: Tables, s: State, route: int, shape: int, target: int) -> None:
    """ROUTE-8: all pieces to stock but the one of this shape; step 4 waits for its turn."""
    traders = 0
    merchants = 0
    hold = b.route_permanent[route] == PERM_PLACE2_ROUTE  # EAST-18: instead of going to stock
    for post in range(b.route_first[route], b.route_first[route + 1]):
        piece = s.post[post]
        s.post[post] = 0
        if shape_of(piece) == shape:
            shape = NO_SHAPE
            note(s, MOVED, piece, ON_POST + post, target)
            continue
        if shape_of(piece) == TRADER:
            traders += 1
        else:
            merchants += 1
        note(s, MOVED, piece, ON_POST + post, (IN_HAND if hold else IN_STOCK) + s.active)
    if hold:
        push(s, IN_PLACE2, s.active, traders, merchants, 2)
        return
    s.stock[2 * s.active + TRADER] += traders
    s.stock[2 * s.active + MERCHANT] += merchants
    if b.route_permanent[route] != 0:
        push(s, IN_PERMANENT, s.active, b.route_permanent[route], 0, 0)
