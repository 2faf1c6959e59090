"""A cheap policy for playouts: a weight for every decision, so that games come to an end.

Uniformly random play hardly ever fills a route; this one likes routes it has begun.
"""

from __future__ import annotations

from .codes import (
    ACTIONS,
    AT_POST,
    AT_ROUTE,
    DISPLACE,
    DONE,
    END,
    EST_EXTRA,
    EST_NONE,
    EST_OFFICE,
    EST_PRESTIGE,
    EST_SKILL,
    FAVOUR,
    FEE,
    INCOME,
    LAY_TRIBUTE,
    LIFT,
    PAWN,
    POST_OPS,
    PUT,
    ROUTE_OPS,
    SPEND,
    TAKE_POST,
    USE_PLUS3,
    USE_REMOVE3,
    WALK,
)
from .pieces import is_mine
from .state import State
from .tables import MAX_ROUTES, Tables

MODULUS = 2147483647
SCARCE = 4
"""With fewer pieces than this besides the route's, an office would starve its owner."""


def next_random(seed: int) -> int:
    """The next number of a Lehmer stream, 1 … MODULUS - 1."""
    return seed * 48271 % MODULUS


def sensible(b: Tables, s: State, buf: list[int], n: int, seed: int) -> int:
    """The place in the buffer of a decision drawn by weight; `seed` is the random number."""
    total = 0
    for k in range(n):
        total += weight(b, s, buf[k])
    drawn = seed % total
    for k in range(n):
        drawn -= weight(b, s, buf[k])
        if drawn < 0:
            return k
    return n - 1


def own_on_route(b: Tables, s: State, route: int, player: int) -> int:
    """How many pieces of the player stand on the route."""
    number = 0
    for post in range(b.route_first[route], b.route_first[route + 1]):
        if is_mine(s.post[post], player):
            number += 1
    return number


def weight(b: Tables, s: State, action: int) -> int:
    """How much a decision is liked, at least 1."""
    if action >= AT_ROUTE:
        return route_weight(s, (action - AT_ROUTE) % ROUTE_OPS)
    if action >= AT_POST:
        return post_weight(b, s, action)
    if action == END:
        return 2000 if s.actions_left == 0 else 1
    if action == DONE:
        return 12
    if action < INCOME:
        return 10
    if action < PAWN:
        supply = s.supply[2 * s.active] + s.supply[2 * s.active + 1]
        taken = (action - INCOME) // 5 + (action - INCOME) % 5
        return 1 + (30 * taken * taken if supply < 2 else 0)
    if action < WALK:
        return pawn_weight(b, s, action - PAWN + 1) // 4
    if action < FAVOUR:
        return pawn_weight(b, s, action - WALK + 1)
    if action < SPEND or USE_PLUS3 <= action < USE_REMOVE3:
        return 40
    return 2 if action < FEE else 4


def pawn_weight(b: Tables, s: State, province: int) -> int:
    """DUEL-PAWN-7: the pawn is wanted where own routes are full or growing."""
    liked = 4
    for route in range(b.n_routes):
        if b.bounds[MAX_ROUTES * province + route] != 0:
            own = own_on_route(b, s, route, s.active)
            if own == b.route_first[route + 1] - b.route_first[route]:
                liked += 200
            else:
                liked += 2 * own
    return liked


def route_weight(s: State, op: int) -> int:
    """Establish is what the game is about; offices cost pieces for good, skills free them."""
    if op == EST_NONE:
        return 20
    if op == EST_SKILL + ACTIONS:
        return 900
    if EST_OFFICE <= op < EST_SKILL:
        left = 0
        for shape in range(2):
            left += s.supply[2 * s.active + shape] + s.stock[2 * s.active + shape]
        if left < SCARCE:
            return 5
        return 500 if op < EST_EXTRA else 300
    if EST_SKILL <= op < EST_PRESTIGE:
        return 400
    return 600 if op < LAY_TRIBUTE else 2


def post_weight(b: Tables, s: State, action: int) -> int:
    """Pieces gather where own ones stand already."""
    post = b.slot_post[(action - AT_POST) // POST_OPS]
    op = (action - AT_POST) % POST_OPS
    if op == LIFT or op == TAKE_POST:
        return 1
    route = b.post_route[post]
    own = own_on_route(b, s, route, s.player)
    liked = 2 + 16 * own * own
    if s.route_marker[route] != 0:
        liked *= 2
    if op >= PUT:
        return liked
    return liked if op < DISPLACE else 1 + liked // 4
