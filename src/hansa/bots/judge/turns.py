"""How good each decision of the turn is: actions toward the best plan, markers, or the end."""

from __future__ import annotations

from hansa.bots.judge.plans import establish_worth
from hansa.bots.judge.weights import ACTION, INCOME_POOR, INCOME_RICH, KNOBS, MOVE_FROM
from hansa.bots.judge.work import (
    BEST,
    BEST_RANK,
    BY_MOVE,
    CONTROL,
    COST,
    LARGEST,
    LEFT,
    MINE,
    RANK,
    WANTS,
)
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


def rate_turn(b: Tables, s: State, w: list[int], action: int) -> int:
    """How good a decision of the turn is; 0 is ending it."""
    if action >= AT_ROUTE:
        return rate_route(b, s, w, action)
    if action >= AT_POST:
        return rate_post(b, s, w, action)
    if action == END:
        return 0
    if action < PAWN:
        return rate_income(s, w, (action - INCOME) // 5, (action - INCOME) % 5)
    if action < FAVOUR:
        return rate_pawn(b, s, w, action)
    if action < SPEND:
        tile = action - FAVOUR + 1
        return tile_worth(w, tile, w[LEFT]) - w[KNOBS + ACTION] * s.actions_left - 250
    if action < FEE + MARKERS:
        return NEVER
    return rate_use(b, s, w, action)


def rate_income(s: State, w: list[int], traders: int, merchants: int) -> int:
    """Needed when the next step of the best plan cannot be paid; as much as possible."""
    p = s.active
    bank = BANK_VALUE[s.skills[5 * p + BANK]]
    if bank > 9:
        bank = 9
    supply = s.supply[2 * p] + s.supply[2 * p + 1]
    worth = w[KNOBS + ACTION] * min(traders + merchants, 9) // bank
    worth += 6 * merchants if s.supply[2 * p + MERCHANT] + merchants <= 2 else 0
    if w[BEST] < 0:
        return worth + 20
    if supply == 0 and w[COST + w[BEST]] > 100 and w[BY_MOVE + w[BEST]] == 0:
        return worth + w[BEST_RANK]
    if supply >= 3:
        return worth * w[KNOBS + INCOME_RICH] // 100
    return worth * w[KNOBS + INCOME_POOR] // 100


def rate_post(b: Tables, s: State, w: list[int], action: int) -> int:
    """Place, Displace and the first lift of a Move: as good as the plan they serve."""
    post = b.slot_post[(action - AT_POST) // POST_OPS]
    op = (action - AT_POST) % POST_OPS
    route = b.post_route[post]
    if op == LIFT:
        return rate_lift(s, w, route)
    rank = w[RANK + route]
    if rank <= 0:
        return NEVER if op >= DISPLACE else 2
    shape = op - DISPLACE if op >= DISPLACE else op
    score = rank + rate_shape(s, w, route, shape, b.post_ship[post])
    if op >= DISPLACE:
        return score - 2
    if w[BY_MOVE + route] > 0:
        score -= 8
    return score


def rate_shape(s: State, w: list[int], route: int, shape: int, ship: int) -> int:
    """Merchants where they are wanted, traders elsewhere."""
    wanted = w[WANTS + route] == 2 or ship != 0
    if shape == MERCHANT:
        return 6 if wanted else -12
    return 0 if not wanted or s.supply[2 * s.active + MERCHANT] > 0 else 1


def rate_lift(s: State, w: list[int], route: int) -> int:
    """A Move, if the best plan wants one: pieces of the poorest routes first."""
    best = w[BEST]
    if best < 0 or w[BY_MOVE + best] == 0 or route == best:
        return NEVER
    if w[RANK + route] * 100 > w[RANK + best] * w[KNOBS + MOVE_FROM]:
        return NEVER
    return w[RANK + best] + 4 - w[RANK + route] // 20


def rate_route(b: Tables, s: State, w: list[int], action: int) -> int:
    """Establish at once: what is full now may be broken before the next turn."""
    route = b.slot_route[(action - AT_ROUTE) // ROUTE_OPS]
    op = (action - AT_ROUTE) % ROUTE_OPS
    if op == LAY_TRIBUTE:
        return 2 * w[LEFT] - 90 + 8 * free_houses(b, s, route)
    if op == LAY_BLOCK:
        return 20 if w[RANK + route] == 0 and w[LEFT] < 40 else NEVER
    return establish_worth(b, s, w, s.active, route, op)


def free_houses(b: Tables, s: State, route: int) -> int:
    """Free houses at both ends."""
    number = 0
    for end in range(2):
        city = b.route_city[2 * route + end]
        house = free_house(b, s, city)
        if house >= 0:
            number += b.city_first[city + 1] - house
    return number


def rate_pawn(b: Tables, s: State, w: list[int], action: int) -> int:
    """The pawn goes where the best plan is; a walk that closes the turn only at its end."""
    walks = action >= WALK
    province = action - (WALK if walks else PAWN) + 1
    if walks and s.acted != 0:
        return NEVER if s.actions_left > 0 else -1
    here = best_around(b, w, s.pawn)
    there = best_around(b, w, province)
    if there <= here:
        return NEVER
    if walks:
        return there + 3
    return there - w[KNOBS + ACTION] // 2 if there > here + w[KNOBS + ACTION] else NEVER


def best_around(b: Tables, w: list[int], province: int) -> int:
    """The best plan among the routes that bound a province."""
    best = 0
    for route in range(b.n_routes):
        if b.bounds[MAX_ROUTES * province + route] != 0 and w[RANK + route] > best:
            best = w[RANK + route]
    return best


def rate_use(b: Tables, s: State, w: list[int], action: int) -> int:
    """Using a marker: no action is lost, but the moment matters."""
    left = w[LEFT]
    if action == USE_PLUS3 or action == USE_PLUS4:
        return rate_plus(s, w, 3 + action - USE_PLUS3)
    if action < USE_REMOVE3:
        return skill_worth(s, w, s.active, action - USE_SKILL, left, w[LARGEST]) // 2 + 200
    if action < USE_SWAP:
        return rate_clearing(b, s, w)
    if action < USE_EXCHANGE:
        return rate_swap(b, s, w, b.swap_house[action - USE_SWAP])
    marker = (action - USE_EXCHANGE) % MARKERS + 1
    return use_worth(w, marker, left) - 60


def rate_plus(s: State, w: list[int], more: int) -> int:
    """Extra actions, when they finish the best plan and the supply can feed them."""
    best = w[BEST]
    if best < 0 or s.actions_left > 0:
        return NEVER
    supply = s.supply[2 * s.active] + s.supply[2 * s.active + 1]
    if w[COST + best] <= 100 * more + 50 or supply >= more or w[LEFT] < 2 * LATE:
        return 100
    return NEVER


def rate_clearing(b: Tables, s: State, w: list[int]) -> int:
    """Taking others' pieces away, when several stand on the best plan's route."""
    best = w[BEST]
    if best < 0 or s.actions_left == 0:
        return NEVER
    others = 0
    for post in range(b.route_first[best], b.route_first[best + 1]):
        if s.post[post] != 0 and not is_mine(s.post[post], s.active):
            others += 1
    if others >= 2 or (others == 1 and w[LEFT] < 30):
        return w[BEST_RANK] + 10
    return NEVER


def rate_swap(b: Tables, s: State, w: list[int], house: int) -> int:
    """A swap that wins control of a city; early ones must win more."""
    p = s.active
    city = 0
    while b.city_first[city + 1] <= house:
        city += 1
    owner = w[CONTROL + city]
    if owner == p or not is_mine(s.house[house], p):
        return NEVER
    if owner >= 0 and offices_of(b, s, city, owner) > w[MINE + city]:
        return NEVER
    if owner_of(s.house[house + 1]) != owner:
        return NEVER
    return 260 - 2 * w[LEFT]
