"""How good each decision of the turn is: actions toward the best plan, markers, or the end."""

from __future__ import annotations

from hansa.bots.judge.plans import establish_worth
from hansa.bots.judge.survey import Survey
from hansa.bots.judge.weights import Weights
from hansa.bots.judge.worth import LATE, skill_worth, tile_worth, use_worth
from hansa.rules.codes import (
    AT_POST,
    AT_ROUTE,
    BANK,
    BANK_VALUE,
    DISPLACE,
    END,
    FAVOUR,
    FEE,
    INCOME,
    LAY_BLOCK,
    LAY_TRIBUTE,
    LIFT,
    MARKERS,
    MERCHANT,
    PAWN,
    POST_OPS,
    ROUTE_OPS,
    SPEND,
    USE_EXCHANGE,
    USE_PLUS3,
    USE_PLUS4,
    USE_REMOVE3,
    USE_SKILL,
    USE_SWAP,
    WALK,
)
from hansa.rules.offices import free_house, offices_of
from hansa.rules.pieces import is_mine, owner_of
from hansa.rules.state import State
from hansa.rules.tables import MAX_ROUTES, Tables

NEVER = -1000
"""What is worse than ending the turn."""


def rate_turn(b: Tables, s: State, w: Weights, v: Survey, action: int) -> int:
    """How good a decision of the turn is; 0 is ending it."""
    if action >= AT_ROUTE:
        return rate_route(b, s, w, v, action)
    if action >= AT_POST:
        return rate_post(b, s, w, v, action)
    if action == END:
        return 0
    if action < PAWN:
        return rate_income(s, w, v, (action - INCOME) // 5, (action - INCOME) % 5)
    if action < FAVOUR:
        return rate_pawn(b, s, w, v, action)
    if action < SPEND:
        tile = action - FAVOUR + 1
        return tile_worth(w, tile, v.left) - w.action * s.actions_left - 250
    if action < FEE + MARKERS:
        return NEVER
    return rate_use(b, s, w, v, action)


def rate_income(s: State, w: Weights, v: Survey, traders: int, merchants: int) -> int:
    """Needed when the next step of the best plan cannot be paid; as much as possible."""
    p = s.active
    bank = BANK_VALUE[s.skills[5 * p + BANK]]
    if bank > 9:
        bank = 9
    supply = s.supply[2 * p] + s.supply[2 * p + 1]
    worth = w.action * min(traders + merchants, 9) // bank
    worth += 6 * merchants if s.supply[2 * p + MERCHANT] + merchants <= 2 else 0
    if v.best < 0:
        return worth + 20
    if supply == 0 and v.cost[v.best] > 100 and v.by_move[v.best] == 0:
        return worth + v.best_rank
    if supply >= 3:
        return worth * w.income_rich // 100
    return worth * w.income_poor // 100


def rate_post(b: Tables, s: State, w: Weights, v: Survey, action: int) -> int:
    """Place, Displace and the first lift of a Move: as good as the plan they serve."""
    post = b.slot_post[(action - AT_POST) // POST_OPS]
    op = (action - AT_POST) % POST_OPS
    route = b.post_route[post]
    if op == LIFT:
        return rate_lift(s, w, v, route)
    rank = v.rank[route]
    if rank <= 0:
        return NEVER if op >= DISPLACE else 2
    shape = op - DISPLACE if op >= DISPLACE else op
    score = rank + rate_shape(s, v, route, shape, b.post_ship[post])
    if op >= DISPLACE:
        return score - 2
    if v.by_move[route] > 0:
        score -= 8
    return score


def rate_shape(s: State, v: Survey, route: int, shape: int, ship: int) -> int:
    """Merchants where they are wanted, traders elsewhere."""
    wanted = v.wants[route] == 2 or ship != 0
    if shape == MERCHANT:
        return 6 if wanted else -12
    return 0 if not wanted or s.supply[2 * s.active + MERCHANT] > 0 else 1


def rate_lift(s: State, w: Weights, v: Survey, route: int) -> int:
    """A Move, if the best plan wants one: pieces of the poorest routes first."""
    best = v.best
    if best < 0 or v.by_move[best] == 0 or route == best:
        return NEVER
    if v.rank[route] * 100 > v.rank[best] * w.move_from:
        return NEVER
    return v.rank[best] + 4 - v.rank[route] // 20


def rate_route(b: Tables, s: State, w: Weights, v: Survey, action: int) -> int:
    """Establish at once: what is full now may be broken before the next turn."""
    route = b.slot_route[(action - AT_ROUTE) // ROUTE_OPS]
    op = (action - AT_ROUTE) % ROUTE_OPS
    if op == LAY_TRIBUTE:
        return 2 * v.left - 90 + 8 * free_houses(b, s, route)
    if op == LAY_BLOCK:
        return 20 if v.rank[route] == 0 and v.left < 40 else NEVER
    return establish_worth(b, s, w, v, s.active, route, op)


def free_houses(b: Tables, s: State, route: int) -> int:
    """Free houses at both ends."""
    number = 0
    for end in range(2):
        city = b.route_city[2 * route + end]
        house = free_house(b, s, city)
        if house >= 0:
            number += b.city_first[city + 1] - house
    return number


def rate_pawn(b: Tables, s: State, w: Weights, v: Survey, action: int) -> int:
    """The pawn goes where the best plan is; a walk that closes the turn only at its end."""
    walks = action >= WALK
    province = action - (WALK if walks else PAWN) + 1
    if walks and s.acted != 0:
        return NEVER if s.actions_left > 0 else -1
    here = best_around(b, v, s.pawn)
    there = best_around(b, v, province)
    if there <= here:
        return NEVER
    if walks:
        return there + 3
    return there - w.action // 2 if there > here + w.action else NEVER


def best_around(b: Tables, v: Survey, province: int) -> int:
    """The best plan among the routes that bound a province."""
    best = 0
    for route in range(b.n_routes):
        if b.bounds[MAX_ROUTES * province + route] != 0 and v.rank[route] > best:
            best = v.rank[route]
    return best


def rate_use(b: Tables, s: State, w: Weights, v: Survey, action: int) -> int:
    """Using a marker: no action is lost, but the moment matters."""
    left = v.left
    if action == USE_PLUS3 or action == USE_PLUS4:
        return rate_plus(s, v, 3 + action - USE_PLUS3)
    if action < USE_REMOVE3:
        return skill_worth(s, w, s.active, action - USE_SKILL, left, v.largest) // 2 + 200
    if action < USE_SWAP:
        return rate_clearing(b, s, v)
    if action < USE_EXCHANGE:
        return rate_swap(b, s, v, b.swap_house[action - USE_SWAP])
    marker = (action - USE_EXCHANGE) % MARKERS + 1
    return use_worth(w, marker, left) - 60


def rate_plus(s: State, v: Survey, more: int) -> int:
    """Extra actions, when they finish the best plan and the supply can feed them."""
    best = v.best
    if best < 0 or s.actions_left > 0:
        return NEVER
    supply = s.supply[2 * s.active] + s.supply[2 * s.active + 1]
    if v.cost[best] <= 100 * more + 50 or supply >= more or v.left < 2 * LATE:
        return 100
    return NEVER


def rate_clearing(b: Tables, s: State, v: Survey) -> int:
    """Taking others' pieces away, when several stand on the best plan's route."""
    best = v.best
    if best < 0 or s.actions_left == 0:
        return NEVER
    others = 0
    for post in range(b.route_first[best], b.route_first[best + 1]):
        if s.post[post] != 0 and not is_mine(s.post[post], s.active):
            others += 1
    if others >= 2 or (others == 1 and v.left < 30):
        return v.best_rank + 10
    return NEVER


def rate_swap(b: Tables, s: State, v: Survey, house: int) -> int:
    """A swap that wins control of a city; early ones must win more."""
    p = s.active
    city = 0
    while b.city_first[city + 1] <= house:
        city += 1
    owner = v.control[city]
    if owner == p or not is_mine(s.house[house], p):
        return NEVER
    if owner >= 0 and offices_of(b, s, city, owner) > v.mine[city]:
        return NEVER
    if owner_of(s.house[house + 1]) != owner:
        return NEVER
    return 260 - 2 * v.left
