"""How good each decision of the turn is: actions toward the best plan, markers, or the end."""

from __future__ import annotations

from hansa.bots.judge.plans import establish_worth
from hansa.bots.judge.survey import Survey
from hansa.bots.judge.weights import Weights
from hansa.bots.judge.worth import LATE, skill_worth, tile_worth, use_worth
from hansa.rules.border import FEE
from hansa.rules.capacity import MAX_ROUTES
from hansa.rules.codes import MERCHANT
from hansa.rules.duel import PAWN, WALK
from hansa.rules.establish import (
    EST_EXTRA,
    EST_NONE,
    EST_OFFICE,
    EST_PRESTIGE,
    EST_SKILL,
    LAY_BLOCK,
    LAY_TRIBUTE,
)
from hansa.rules.exchange import USE_EXCHANGE
from hansa.rules.favour import FAVOUR
from hansa.rules.income import INCOME, bank_limit
from hansa.rules.move import LIFT, USE_MOVE3
from hansa.rules.offices import free_house, offices_of
from hansa.rules.pieces import is_mine, owner_of
from hansa.rules.place import DISPLACE, PLACE
from hansa.rules.plate import END
from hansa.rules.plus import USE_PLUS3, USE_PLUS4
from hansa.rules.removing import USE_REMOVE3
from hansa.rules.replacing import USE_REPLACE3
from hansa.rules.skills import USE_SKILL
from hansa.rules.state import State
from hansa.rules.swap import USE_SWAP
from hansa.rules.tables import Tables

NEVER = -1000
"""What is worse than ending the turn."""
RATED = (
    *(END, INCOME, PAWN, WALK, FAVOUR, FEE, PLACE, DISPLACE, LIFT),
    *(EST_NONE, EST_OFFICE, EST_EXTRA, EST_SKILL, EST_PRESTIGE, LAY_TRIBUTE, LAY_BLOCK),
    *(USE_PLUS3, USE_PLUS4, USE_SKILL, USE_REMOVE3, USE_REPLACE3, USE_MOVE3, USE_SWAP),
    USE_EXCHANGE,
)
"""The kinds that are rated here; a test asks for every one of the house."""


def rate_turn(b: Tables, s: State, w: Weights, v: Survey, action: int) -> int:
    """How good a decision of the turn is; 0 is ending it."""
    verb = b.id_verb[action]
    if verb == PLACE or verb == DISPLACE or verb == LIFT:
        return rate_post(b, s, w, v, verb, action)
    if EST_NONE <= verb <= LAY_BLOCK:
        return rate_route(b, s, w, v, verb, action)
    if verb == END:
        return 0
    if verb == INCOME:
        return rate_income(s, w, v, b.id_traders[action], b.id_merchants[action])
    if verb == PAWN or verb == WALK:
        return rate_pawn(b, s, w, v, verb == WALK, b.id_province[action])
    if verb == FAVOUR:
        return tile_worth(w, b.id_tile[action], v.left) - w.action * s.actions_left - 250
    if verb == FEE:
        return NEVER
    return rate_use(b, s, w, v, verb, action)


def rate_income(s: State, w: Weights, v: Survey, traders: int, merchants: int) -> int:
    """Needed when the next step of the best plan cannot be paid; as much as possible."""
    p = s.active
    bank = bank_limit(s, p)
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


def rate_post(b: Tables, s: State, w: Weights, v: Survey, verb: int, action: int) -> int:
    """Place, Displace and the first lift of a Move: as good as the plan they serve."""
    post = b.id_post[action]
    route = b.post_route[post]
    if verb == LIFT:
        return rate_lift(s, w, v, route)
    rank = v.rank[route]
    if rank <= 0:
        return NEVER if verb == DISPLACE else 2
    score = rank + rate_shape(s, v, route, b.id_shape[action], b.post_ship[post])
    if verb == DISPLACE:
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


def rate_route(b: Tables, s: State, w: Weights, v: Survey, verb: int, action: int) -> int:
    """Establish at once: what is full now may be broken before the next turn."""
    route = b.id_route[action]
    if verb == LAY_TRIBUTE:
        return 2 * v.left - 90 + 8 * free_houses(b, s, route)
    if verb == LAY_BLOCK:
        return 20 if v.rank[route] == 0 and v.left < 40 else NEVER
    return establish_worth(b, s, w, v, s.active, action)


def free_houses(b: Tables, s: State, route: int) -> int:
    """Free houses at both ends."""
    number = 0
    for end in range(2):
        city = b.route_city[2 * route + end]
        house = free_house(b, s, city)
        if house >= 0:
            number += b.city_first[city + 1] - house
    return number


def rate_pawn(b: Tables, s: State, w: Weights, v: Survey, walks: bool, province: int) -> int:
    """The pawn goes where the best plan is; a walk that closes the turn only at its end."""
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


def rate_use(b: Tables, s: State, w: Weights, v: Survey, verb: int, action: int) -> int:
    """Using a marker: no action is lost, but the moment matters."""
    if verb == USE_PLUS3 or verb == USE_PLUS4:
        return rate_plus(s, v, 3 if verb == USE_PLUS3 else 4)
    if verb == USE_SKILL:
        return skill_worth(s, w, s.active, b.id_skill[action], v.left, v.largest) // 2 + 200
    if verb == USE_REMOVE3 or verb == USE_REPLACE3 or verb == USE_MOVE3:
        return rate_clearing(b, s, v)
    if verb == USE_SWAP:
        return rate_swap(b, s, v, b.id_house[action])
    if verb == USE_EXCHANGE:
        return use_worth(w, b.id_marker[action], v.left) - 60
    return ANY_USE


ANY_USE = 30
"""What an extension's marker is worth: rather now than at the end, but after all that is known."""


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
