"""Plans: for every route what establishing it brings, and how many actions away that is."""

from __future__ import annotations

from hansa.bots.judge.cities import survey
from hansa.bots.judge.survey import Survey
from hansa.bots.judge.weights import Weights
from hansa.bots.judge.worth import marker_step, skill_worth, use_worth
from hansa.rules.capacity import MAX_PROVINCES, MAX_ROUTES
from hansa.rules.codes import (
    AT_MARKERS,
    AT_SUPPLY,
    BITS,
    BOOK,
    BOOK_VALUE,
    DUEL_PAWN,
    ENGLAND,
    MERCHANT,
    PRESTIGE_TO_END,
    PRIVILEGE,
    TRADER,
)
from hansa.rules.establish import (
    EST_EXTRA,
    EST_NONE,
    EST_OFFICE,
    EST_PRESTIGE,
    EST_SKILL,
    EXTRA_OFFICE,
)
from hansa.rules.income import bank_limit
from hansa.rules.offices import free_house, has_occupied_house
from hansa.rules.permanent import PERM_GREEN, PERM_MOVE2, PERM_PRIVILEGE
from hansa.rules.pieces import is_mine
from hansa.rules.place import is_open
from hansa.rules.pool import count, find
from hansa.rules.promo import blocks
from hansa.rules.scoring import SPACE_POINTS, total
from hansa.rules.state import State
from hansa.rules.tables import Tables

IMPOSSIBLE = 100000
"""Actions, in hundredths, of a plan that cannot be carried out."""
UNKNOWN_LEAD = -10000
PRESSING = 60
"""What bringing a long game nearer to its end is worth."""


def plan_all(b: Tables, s: State, w: Weights, v: Survey, p: int) -> None:
    """Survey the position and plan every route for the player."""
    survey(b, s, w, v, p)
    v.lead = UNKNOWN_LEAD
    v.best = -1
    v.best_rank = 0
    for route in range(b.n_routes):
        plan_route(b, s, w, v, p, route)
        if v.rank[route] > v.best_rank:
            v.best = route
            v.best_rank = v.rank[route]


def plan_route(b: Tables, s: State, w: Weights, v: Survey, p: int, route: int) -> None:
    """Value, cost and rank of one route."""
    missing = 0
    pieces = 0
    free = 0
    ships = 0
    merchants = 0
    traders = 0
    gifts = 0
    for post in range(b.route_first[route], b.route_first[route + 1]):
        piece = s.post[post]
        if is_mine(piece, p):
            if piece & 1 == 0:
                merchants += 1
            else:
                traders += 1
            continue
        missing += 1
        pieces += 1
        if piece == 0:
            free += 1
        else:
            pieces += 2 - (piece & 1)
            gifts += 2 - (piece & 1)
        ships += b.post_ship[post]
    v.missing[route] = missing
    v.by_move[route] = 0
    own_merchants = s.supply[2 * p + MERCHANT] + s.stock[2 * p + MERCHANT]
    can_merchant = merchants > 0 or (missing > 0 and own_merchants > 0)
    can_trader = traders > 0 or missing > ships
    v.wants[route] = 0
    value = best_value(b, s, w, v, p, route, can_trader, can_merchant)
    if v.wants[route] != 0 and merchants == 0:
        v.wants[route] = 2
    v.value[route] = value
    cost = IMPOSSIBLE
    if ships <= own_merchants:
        cost = actions_for(b, s, w, v, p, route, missing, free, pieces)
    v.cost[route] = cost
    v.rank[route] = 0
    if cost < IMPOSSIBLE:
        value -= gifts * w.gift // s.players
        if p != s.active or cost > 100 * s.actions_left:
            value = value * w.risk // 100  # others may come first
        if value > 0:
            v.rank[route] = value * 100 // cost


def actions_for(
    b: Tables,
    s: State,
    w: Weights,
    v: Survey,
    p: int,
    route: int,
    missing: int,
    free: int,
    pieces: int,
) -> int:
    """Actions until the route is established, in hundredths."""
    fee = 0
    if s.n_laid > 0:
        fee = blocks(s, route)
    bank = bank_limit(s, p)
    supply = s.supply[2 * p] + s.supply[2 * p + 1]
    stock = s.stock[2 * p] + s.stock[2 * p + 1]
    cost = 100 * (missing + 1) + closed_cost(b, s, p, route, missing)
    if cost >= IMPOSSIBLE:
        return IMPOSSIBLE
    own_here = b.route_first[route + 1] - b.route_first[route] - missing
    moved = min(BOOK_VALUE[s.skills[5 * p + BOOK]], v.on_board - own_here, free)
    need = pieces + fee * free
    if moved >= 2 or (moved == 1 and need > supply):
        by_move = cost - 100 * moved + 100 + w.move_cost * moved
        by_move += piece_cost(w, need - moved * (1 + fee), supply, stock, bank)
        by_place = cost + piece_cost(w, need, supply, stock, bank)
        if by_move < by_place:
            v.by_move[route] = moved
            return by_move
        return by_place
    return cost + piece_cost(w, need, supply, stock, bank)


def piece_cost(w: Weights, need: int, supply: int, stock: int, bank: int) -> int:
    """Income for what is missing, and in part for what will have to be earned again."""
    if bank > 9:
        bank = 9
    cost = w.piece_cost * need // bank
    if need > supply:
        if need > supply + stock:
            return IMPOSSIBLE
        short = need - supply
        cost += w.short_fixed + w.short_cost * short // bank
    return cost


def closed_cost(b: Tables, s: State, p: int, route: int, missing: int) -> int:
    """The pawn's way to the route (DUEL-PAWN-7), or the missing permission (BRIT-PERM-2)."""
    if s.duel == DUEL_PAWN:
        if s.pawn == 0 or b.bounds[MAX_ROUTES * s.pawn + route] != 0:
            return 0
        if p == s.active and s.walked == 0 and s.acted == 0 and has_walk(b, s, route):
            return 0
        return 100
    if missing > 0 and b.route_region[route] != ENGLAND:
        if p != s.active or not is_open(b, s, route):
            return IMPOSSIBLE
        return 60 * (missing - 1)
    return 0


def has_walk(b: Tables, s: State, route: int) -> bool:
    """Whether a free walk brings the pawn to the route (DUEL-PAWN-5)."""
    for province in range(1, b.n_provinces + 1):
        hops = b.hops[(MAX_PROVINCES + 1) * s.pawn + province]
        if 1 <= hops <= 2 and b.bounds[MAX_ROUTES * province + route] != 0:
            return True
    return False


def best_value(
    b: Tables,
    s: State,
    w: Weights,
    v: Survey,
    p: int,
    route: int,
    can_trader: bool,
    can_merchant: bool,
) -> int:
    """What the route brings with the best choice of step 3; notes whether it wants a merchant."""
    base = base_value(b, s, w, v, p, route)
    best = 0
    wants = 0
    shown = 0
    for end in range(2):
        city = b.route_city[2 * route + end]
        shown |= b.city_skills[city]
        house = free_house(b, s, city)
        if house >= 0 and b.house_privilege[house] <= s.skills[5 * p + PRIVILEGE]:
            merchant = b.house_shape[house] == MERCHANT
            if (merchant and can_merchant) or (not merchant and can_trader):
                worth = house_worth(b, w, v, city, house)
                if worth > best:
                    best = worth
                    wants = int(merchant)
        if city == b.prestige_city and can_merchant:
            worth = space_worth(s, w, p)
            if worth > best:
                best = worth
                wants = 1
    for skill in range(5):
        if shown & BITS[skill] != 0:
            worth = skill_worth(s, w, p, skill, v.left, v.largest)
            if worth > best:
                best = worth
                wants = 0
    if find(s, AT_MARKERS + 3 * p, EXTRA_OFFICE) >= 0:
        worth = best_extra(b, s, w, v, route)
        if worth > best:
            best = worth
            wants = 0
    v.wants[route] = wants
    return base + best + ending(b, s, w, v, p, route)


def best_extra(b: Tables, s: State, w: Weights, v: Survey, route: int) -> int:
    """An extra office at the better end; the marker is kept for something worth it."""
    best = 0
    for end in range(2):
        city = b.route_city[2 * route + end]
        if b.city_green[city] != 0 or has_occupied_house(b, s, city):
            worth = v.extra[city] - w.extra_kept * v.left // 100
            if worth > best:
                best = worth
    return best


def base_value(b: Tables, s: State, w: Weights, v: Survey, p: int, route: int) -> int:
    """Points for control, the marker and the permanent marker: steps 1, 2 and 4."""
    value = PRESSING if s.turn > 24 * s.players else 0
    for end in range(2):
        owner = v.control[b.route_city[2 * route + end]]
        if owner == p:
            value += 100
        elif owner >= 0:
            value -= w.for_others // s.players
    if s.route_marker[route] != 0:
        value += marker_step(s, w, p) + use_worth(w, s.route_marker[route], v.left)
    permanent = b.route_permanent[route]
    if permanent == PERM_PRIVILEGE:
        value += skill_worth(s, w, p, PRIVILEGE, v.left, v.largest)
    elif permanent == PERM_GREEN:
        value += best_green(b, v)
    elif permanent == PERM_MOVE2:
        value += 80
    elif permanent != 0:
        value += 140
    return value


def best_green(b: Tables, v: Survey) -> int:
    """The green city where an office is worth most (EAST-17)."""
    best = 0
    for k in range(b.n_green):
        worth = v.office[b.green_city[k]]
        if worth > best:
            best = worth
    return best


def house_worth(b: Tables, w: Weights, v: Survey, city: int, house: int) -> int:
    """An office in the next free house: with its coin, and the city completed."""
    worth = v.office[city] + 100 * b.house_coin[house]
    if house == b.city_first[city + 1] - 1:
        worth += w.completes
    return worth


def space_worth(s: State, w: Weights, p: int) -> int:
    """PRESTIGE-2: the best free space that privilege covers."""
    best = 0
    for space in range(len(SPACE_POINTS)):
        if s.prestige[space] == 0 and space <= s.skills[5 * p + PRIVILEGE]:
            best = w.prestige_scale * SPACE_POINTS[space]
    return best


def ending(b: Tables, s: State, w: Weights, v: Survey, p: int, route: int) -> int:
    """END-2: taking the last marker ends the game; good for whoever leads."""
    if s.route_marker[route] == 0 or count(s, AT_SUPPLY) > 0:
        return 0
    return end_worth(b, s, w, v, p)


def end_worth(b: Tables, s: State, w: Weights, v: Survey, p: int) -> int:
    """What it is worth that the game ends now."""
    if v.lead == UNKNOWN_LEAD:
        best = UNKNOWN_LEAD + 1
        for other in range(s.players):
            if other != p:
                points = total(b, s, other)
                if points > best:
                    best = points
        v.lead = total(b, s, p) - best
    if v.lead >= 0:
        return w.winning_end
    patience = 100 - 4 * max(s.turn - 16 * s.players, 0) // s.players
    if patience <= 0:
        return PRESSING  # nobody may hold the table up for good
    return -(w.losing_end if v.lead < -5 else 200) * patience // 100


def establish_worth(b: Tables, s: State, w: Weights, v: Survey, p: int, action: int) -> int:
    """What establishing a full route with this choice of step 3 brings."""
    verb = b.id_verb[action]
    route = b.id_route[action]
    city = b.route_city[2 * route + b.id_end[action]]
    value = base_value(b, s, w, v, p, route) + ending(b, s, w, v, p, route)
    ends = ends_by_points(b, s, v, p, route)
    if verb == EST_PRESTIGE:
        value += w.prestige_scale * SPACE_POINTS[b.id_space[action]]
    elif verb == EST_SKILL:
        value += skill_worth(s, w, p, b.id_skill[action], v.left, v.largest)
    elif verb == EST_EXTRA:
        value += v.extra[city] - w.extra_kept * v.left // 100
        if b.id_shape[action] == TRADER:
            value += 20
    elif verb == EST_OFFICE:
        house = free_house(b, s, city)
        value += house_worth(b, w, v, city, house)
        if house == b.city_first[city + 1] - 1 and s.completed + 1 >= b.cities_to_end:
            ends = True
    elif verb == EST_NONE:
        value -= 10
    if ends:
        value += end_worth(b, s, w, v, p)
    return value


def ends_by_points(b: Tables, s: State, v: Survey, p: int, route: int) -> bool:
    """END-1: whether the points for control alone reach the end."""
    for end in range(2):
        owner = v.control[b.route_city[2 * route + end]]
        if owner >= 0 and s.points[owner] + 1 >= PRESTIGE_TO_END:
            return True
    return False
