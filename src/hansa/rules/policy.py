"""A cheap policy for playouts: a weight for every decision, so that games come to an end.

Uniformly random play hardly ever fills a route; this one likes routes it has begun.
"""

from __future__ import annotations

from .capacity import MAX_ROUTES
from .codes import ACTIONS
from .duel import PAWN, WALK
from .establish import EST_EXTRA, EST_NONE, EST_OFFICE, EST_PRESTIGE, EST_SKILL
from .favour import FAVOUR, SPEND
from .ids import AT_POST, AT_ROUTE
from .income import INCOME
from .move import LIFT, PUT
from .pay import PAY
from .pieces import is_mine
from .place import PLACE
from .plate import END
from .plus import USE_PLUS3, USE_PLUS4
from .reaction import TAKE
from .removing import TAKE_POST
from .skills import USE_SKILL
from .stack import DONE
from .state import State
from .tables import Tables

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
    verb = b.id_verb[action]
    if verb >= AT_POST:
        return (
            route_weight(b, s, verb, action)
            if verb >= AT_ROUTE
            else post_weight(b, s, verb, action)
        )
    if verb == END:
        return 2000 if s.actions_left == 0 else 1
    if verb == DONE:
        return 12
    if verb == PAY or verb == TAKE:
        return 10
    if verb == INCOME:
        supply = s.supply[2 * s.active] + s.supply[2 * s.active + 1]
        taken = b.id_traders[action] + b.id_merchants[action]
        return 1 + (30 * taken * taken if supply < 2 else 0)
    if verb == PAWN:
        return pawn_weight(b, s, b.id_province[action]) // 4
    if verb == WALK:
        return pawn_weight(b, s, b.id_province[action])
    if verb == FAVOUR or verb == USE_PLUS3 or verb == USE_PLUS4 or verb == USE_SKILL:
        return 40
    return 2 if verb == SPEND else 4


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


def route_weight(b: Tables, s: State, verb: int, action: int) -> int:
    """Establish is what the game is about; offices cost pieces for good, skills free them."""
    if verb == EST_NONE:
        return 20
    if verb == EST_OFFICE or verb == EST_EXTRA:
        left = 0
        for shape in range(2):
            left += s.supply[2 * s.active + shape] + s.stock[2 * s.active + shape]
        if left < SCARCE:
            return 5
        return 500 if verb == EST_OFFICE else 300
    if verb == EST_SKILL:
        return 900 if b.id_skill[action] == ACTIONS else 400
    return 600 if verb == EST_PRESTIGE else 2


def post_weight(b: Tables, s: State, verb: int, action: int) -> int:
    """Pieces gather where own ones stand already."""
    if verb == LIFT or verb == TAKE_POST:
        return 1
    route = b.post_route[b.id_post[action]]
    own = own_on_route(b, s, route, s.player)
    liked = 2 + 16 * own * own
    if s.route_marker[route] != 0:
        liked *= 2
    if verb == PUT or verb == PLACE:
        return liked
    return 1 + liked // 4
