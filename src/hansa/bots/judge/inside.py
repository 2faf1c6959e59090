"""How good each decision inside something is: paying, putting, lifting, laying, reacting."""

from __future__ import annotations

from hansa.bots.judge.survey import Survey
from hansa.bots.judge.turns import best_around
from hansa.bots.judge.weights import Weights
from hansa.bots.judge.worth import use_worth
from hansa.rules.codes import MERCHANT, TRADER
from hansa.rules.displace import IN_DISPLACED, IN_NEUTRAL_PUT
from hansa.rules.duel import IN_SETUP
from hansa.rules.favour import IN_SPEND
from hansa.rules.move import BY_BOOK, BY_MOVE3, IN_MOVE, LIFT, PUT
from hansa.rules.pay import IN_PAY
from hansa.rules.permanent import IN_ABROAD, IN_GREEN, IN_PLACE2
from hansa.rules.pieces import is_mine, owner_of
from hansa.rules.plate import IN_PLATE
from hansa.rules.reaction import IN_REACTION
from hansa.rules.removing import IN_REMOVE3
from hansa.rules.replacing import IN_REPLACE3
from hansa.rules.stack import DONE, is_changed
from hansa.rules.state import State
from hansa.rules.tables import Tables
from hansa.rules.turn import IN_FINISH

NEVER = -1000
RATED = (
    *(IN_MOVE, IN_DISPLACED, IN_PAY, IN_PLATE, IN_NEUTRAL_PUT, IN_FINISH, IN_PLACE2, IN_ABROAD),
    *(IN_REMOVE3, IN_REPLACE3, IN_REACTION, IN_SPEND, IN_GREEN, IN_SETUP),
)
"""What can be pending that is rated here; a test asks for all of the house."""


def rate_inside(b: Tables, s: State, w: Weights, v: Survey, action: int) -> int:
    """How good a decision on the top frame is for whoever decides."""
    kind = s.frame_kind[s.depth - 1]
    if kind == IN_MOVE:
        return rate_moving(b, s, w, v, action)
    if kind == IN_DISPLACED:
        return rate_displaced(b, s, w, v, action)
    if kind == IN_PAY:
        return rate_pay(s, b.id_shape[action])
    if kind == IN_PLATE:
        return rate_lay(b, w, v, b.id_route[action])
    if kind == IN_NEUTRAL_PUT:
        return rate_neutral_put(b, s, v, b.id_post[action])
    if kind == IN_FINISH:
        return rate_neutral_city(b, s, v, action)
    if kind == IN_PLACE2 or kind == IN_ABROAD:
        return rate_added(b, s, w, v, action)
    if kind == IN_REMOVE3 or kind == IN_REPLACE3:
        return rate_clearing_step(b, s, v, action)
    if kind == IN_SPEND:
        return -use_worth(w, b.id_marker[action], v.left)
    if kind == IN_GREEN:
        return rate_green(b, v, action)
    if kind == IN_SETUP:
        return -best_around(b, v, b.id_province[action])  # DUEL-PAWN-1: the other one begins there
    return 0 if action == DONE else 10 + b.id_shape[action]  # reactions; of extensions: something


def rate_pay(s: State, shape: int) -> int:
    """Traders, unless merchants abound."""
    p = s.frame_player[s.depth - 1]
    if shape == TRADER:
        return 10
    return 11 if s.supply[2 * p + MERCHANT] > 2 and s.supply[2 * p + TRADER] < 3 else 5


def with_one_more(b: Tables, s: State, v: Survey, route: int) -> int:
    """How good the plan of the route is once one more post of it is filled."""
    cost = v.cost[route]
    if v.value[route] <= 0 or v.missing[route] == 0:
        return 0
    if cost > 2000:
        return v.value[route] // 20
    return v.value[route] * 100 // max(cost - 100, 100)


def rate_put(b: Tables, s: State, w: Weights, v: Survey, post: int, shape: int) -> int:
    """A piece of mine on a free post."""
    route = b.post_route[post]
    score = with_one_more(b, s, v, route)
    if shape == MERCHANT:
        score += 15 if v.wants[route] == 2 or b.post_ship[post] != 0 else -10
    return score + w.in_way * in_the_way(b, s, route)


def in_the_way(b: Tables, s: State, route: int) -> int:
    """Standing where others build pays: they must displace and compensate."""
    others = 0
    for post in range(b.route_first[route], b.route_first[route + 1]):
        if s.post[post] != 0 and not is_mine(s.post[post], s.player):
            others += 1
    return others


def rate_displaced(b: Tables, s: State, w: Weights, v: Survey, action: int) -> int:
    """Compensation is a free action: take all of it, on the best plans in reach."""
    if action == DONE:
        return 0
    if b.id_verb[action] == LIFT:
        return NEVER
    return 5 + rate_put(b, s, w, v, b.id_post[action], b.id_shape[action])


def rate_added(b: Tables, s: State, w: Weights, v: Survey, action: int) -> int:
    """Permanent markers that put pieces: as good as compensation."""
    if action == DONE:
        return 0
    post = b.id_post[action]
    if b.id_verb[action] == LIFT:
        return -v.rank[b.post_route[post]] - 5
    return 5 + rate_put(b, s, w, v, post, b.id_shape[action])


def rate_moving(b: Tables, s: State, w: Weights, v: Survey, action: int) -> int:
    """Own pieces to the best plan; others' pieces out of its way."""
    d = s.depth - 1
    if action == DONE:
        return 0
    post = b.id_post[action]
    route = b.post_route[post]
    if b.id_verb[action] != LIFT:
        if s.frame_by[d] != BY_BOOK and not is_mine(s.hand[0], s.active):
            return rate_away(b, s, v, post)
        score = 20 + rate_put(b, s, w, v, post, b.id_shape[action])
        if route == v.best:
            score += 100
        return score - 60 if is_changed(s, post) else score
    if not is_mine(s.post[post], s.active):
        return 50 if route == v.best and s.n_hand < 2 else rate_idle_lift(s, d)
    best = v.best
    if best < 0 or route == best or is_changed(s, post):
        return NEVER
    if v.rank[route] * 100 > v.rank[best] * w.move_from:
        return NEVER
    if free_posts(b, s, best) <= s.n_hand:
        return NEVER
    return 400 - v.rank[route] // 4


def rate_idle_lift(s: State, d: int) -> int:
    """A first lift has to be made; a further one is not worth it."""
    return -20 if s.frame_by[d] == BY_MOVE3 and s.n_hand == 0 and s.n_changed == 0 else NEVER


def free_posts(b: Tables, s: State, route: int) -> int:
    """How many posts of the route are free."""
    number = 0
    for post in range(b.route_first[route], b.route_first[route + 1]):
        if s.post[post] == 0:
            number += 1
    return number


def rate_away(b: Tables, s: State, v: Survey, post: int) -> int:
    """A piece of somebody else: where it helps its owner and hinders me least."""
    route = b.post_route[post]
    owner = owner_of(s.hand[0])
    score = 40 - v.rank[route]
    for other in range(b.route_first[route], b.route_first[route + 1]):
        if is_mine(s.post[other], owner):
            score -= 60
        elif s.post[other] != 0:
            score += 10
    return score


def rate_clearing_step(b: Tables, s: State, v: Survey, action: int) -> int:
    """remove3 and replace3: others' pieces off the best plan's route."""
    if action == DONE:
        return 0
    post = b.id_post[action]
    if b.id_verb[action] == PUT:
        return rate_away(b, s, v, post)
    if is_mine(s.post[post], s.active):
        return NEVER
    if b.post_route[post] == v.best:
        return 50
    return -20


def rate_lay(b: Tables, w: Weights, v: Survey, route: int) -> int:
    """A marker where I rather than the others will come by."""
    length = b.route_first[route + 1] - b.route_first[route]
    return v.rank[route] + w.lay_length * length


def rate_neutral_put(b: Tables, s: State, v: Survey, post: int) -> int:
    """Neutral traders where the other player builds and I do not; no gift of a full route."""
    route = b.post_route[post]
    score = -v.rank[route] // 4
    free = 0
    for other in range(b.route_first[route], b.route_first[route + 1]):
        piece = s.post[other]
        if piece == 0:
            free += 1
        elif is_mine(piece, s.active):
            score += 50
        elif is_mine(piece, s.player):
            score -= 60
    return score - 80 if free == 1 else score


def rate_neutral_city(b: Tables, s: State, v: Survey, action: int) -> int:
    """A neutral office where it costs me least."""
    city = b.route_city[2 * b.id_route[action] + b.id_end[action]]
    score = -v.office[city]
    if v.control[city] == s.player:
        score -= 200
    elif v.control[city] >= 0:
        score += 150
    return score


def rate_green(b: Tables, v: Survey, action: int) -> int:
    """An office in the best green city, with a trader rather than a merchant."""
    if action == DONE:
        return 0
    return v.office[b.green_city[b.id_green[action]]] - 30 * b.id_shape[action]
