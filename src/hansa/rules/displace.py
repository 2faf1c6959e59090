"""The owner of a displaced piece puts it down and may add others (DISPLACE-6 to -16)."""

from __future__ import annotations

from .capacity import MAX_ROUTES
from .codes import MERCHANT, NEUTRAL_TRADER, TILE_ANYWHERE, TRADER
from .declare import Frame
from .favour import has_tile
from .move import LIFT, PUT
from .notes import IN_HAND, IN_STOCK, IN_SUPPLY, MOVED, ON_POST, note
from .pieces import fits, is_mine, may_cross, owner_of, piece_of, shape_of
from .stack import (
    DONE,
    change,
    drop_first,
    forget_changed,
    is_changed,
    pop,
    push,
    take_in_hand,
)
from .state import State
from .tables import Tables

IN_DISPLACED, IN_NEUTRAL_PUT = 3, 4

# How far a piece may go: a distance, or one of these.
NOWHERE, OWN_ROUTE, ANYWHERE = 0, -1, 99
NO_POST = -1


def ask_displaced(s: State, owner: int, shape: int, added: int, route: int) -> None:
    """DISPLACE-6, -7: the owner puts the displaced piece, and may add so many."""
    d = push(s, IN_DISPLACED, owner)
    s.frame_waiting[d] = shape + 1
    s.frame_added[d] = added
    s.frame_route[d] = route


def ask_neutral_put(s: State, route: int) -> None:
    """NEUTRAL-7: the other player puts two neutral traders."""
    d = push(s, IN_NEUTRAL_PUT, 1 - s.active)
    s.frame_left[d] = 2
    s.frame_route[d] = route


def may_go(b: Tables, piece: int, route: int, lifted: int, post: int) -> bool:
    """Whether fit and borders let a piece displaced from the route, or lifted, use a free post."""
    if not fits(b, post, piece) or post == lifted:
        return False
    target = b.post_region[post]
    if piece == NEUTRAL_TRADER:
        return target == b.route_region[route]  # NEUTRAL-9
    if lifted != NO_POST and not may_cross(b.post_region[lifted], target):
        return False  # RULING-13: the Move row of the lifted piece as well
    return may_cross(b.route_region[route], target)


def has_room(b: Tables, s: State, piece: int, route: int, lifted: int, other: int) -> bool:
    """Whether the other route has a free post that this piece may use."""
    for post in range(b.route_first[other], b.route_first[other + 1]):
        if s.post[post] == 0 and may_go(b, piece, route, lifted, post):
            return True
    return False


def reach(b: Tables, s: State, piece: int, route: int, lifted: int) -> int:
    """DISPLACE-11: the smallest distance with a post for the piece now (RULING-8, -10, -11)."""
    if s.favours != 0 and has_tile(s, owner_of(piece), TILE_ANYWHERE):
        return ANYWHERE if has_any(b, s, piece, route, lifted) else NOWHERE
    for k in range(b.n_routes - 1):
        other = b.nearest[MAX_ROUTES * route + k]
        if has_room(b, s, piece, route, lifted, other):
            return b.distance[MAX_ROUTES * route + other]
    return NOWHERE


def has_any(b: Tables, s: State, piece: int, route: int, lifted: int) -> bool:
    """FAVOUR-ANYWHERE-1: any route will do, the displaced one included."""
    for other in range(b.n_routes):
        if has_room(b, s, piece, route, lifted, other):
            return True
    return False


def reach_displaced(b: Tables, s: State, piece: int, route: int) -> int:
    """RULING-12: the displaced piece may stay on its route if there is no post elsewhere."""
    far = reach(b, s, piece, route, NO_POST)
    if far == NOWHERE and has_room(b, s, piece, route, NO_POST, route):
        return OWN_ROUTE
    return far


def is_within(b: Tables, route: int, far: int, post: int) -> bool:
    """Whether the post lies where `reach` allows."""
    other = b.post_route[post]
    if far == ANYWHERE:
        return True
    if far == OWN_ROUTE:
        return other == route
    return far != NOWHERE and other != route and b.distance[MAX_ROUTES * route + other] == far


def source_has(s: State, player: int, shape: int) -> bool:
    """DISPLACE-9, RULING-6: the stock while it holds anything, only then the supply."""
    if s.stock[2 * player] + s.stock[2 * player + 1] > 0:
        return s.stock[2 * player + shape] > 0
    return s.supply[2 * player + shape] > 0


def from_board(s: State, player: int) -> bool:
    """DISPLACE-9: only with stock and supply empty, pieces on posts."""
    return (
        s.stock[2 * player]
        + s.stock[2 * player + 1]
        + s.supply[2 * player]
        + s.supply[2 * player + 1]
        == 0
    )


def reach_of_shape(b: Tables, s: State, shape: int) -> int:
    """How far the piece goes that `put` of this shape means now: displaced, or added."""
    d = s.depth - 1
    player = s.frame_player[d]
    route = s.frame_route[d]
    piece = piece_of(player, shape)
    if s.frame_waiting[d] == shape + 1:
        return reach_displaced(b, s, piece, route)
    if s.frame_added[d] == 0 or not source_has(s, player, shape):
        return NOWHERE
    return reach(b, s, piece, route, NO_POST)


def may_lift(b: Tables, s: State, post: int) -> bool:
    """RULING-13: an own piece not placed in this compensation, with a post to go to."""
    d = s.depth - 1
    piece = s.post[post]
    if not is_mine(piece, s.frame_player[d]) or is_changed(s, post):
        return False
    return reach(b, s, piece, s.frame_route[d], post) != NOWHERE


def has_lift(b: Tables, s: State) -> bool:
    """Whether an added piece can come from the board."""
    d = s.depth - 1
    if s.frame_added[d] == 0 or not from_board(s, s.frame_player[d]):
        return False
    for post in range(b.n_posts):
        if may_lift(b, s, post):
            return True
    return False


def settle_displaced(b: Tables, s: State) -> bool:
    """Ask while something can be put; RULING-12: without any post the piece goes to stock."""
    d = s.depth - 1
    if s.n_hand > 0:
        return True
    if s.frame_waiting[d] > 0:
        shape = s.frame_waiting[d] - 1
        player = s.frame_player[d]
        if reach_of_shape(b, s, shape) != NOWHERE:
            return True
        s.frame_waiting[d] = 0
        s.stock[2 * player + shape] += 1
        note(s, MOVED, piece_of(player, shape), IN_HAND + player, IN_STOCK + player)
    if s.frame_added[d] > 0:
        if reach_of_shape(b, s, TRADER) != NOWHERE or reach_of_shape(b, s, MERCHANT) != NOWHERE:
            return True
        if has_lift(b, s):
            return True
    forget_changed(s)
    pop(s)
    return False


def legal_displaced(b: Tables, s: State, buf: list[int]) -> int:
    """Puts of the displaced and of added pieces together, lifts, and `done` once it stands."""
    d = s.depth - 1
    if s.n_hand > 0:
        return legal_lifted(b, s, buf)
    route = s.frame_route[d]
    far_t = reach_of_shape(b, s, TRADER)
    far_m = reach_of_shape(b, s, MERCHANT)
    trader = piece_of(s.frame_player[d], TRADER)
    lifting = s.frame_added[d] > 0 and from_board(s, s.frame_player[d])
    n = 0
    if s.frame_waiting[d] == 0:
        buf[0] = DONE
        n = 1
    for post in range(b.n_posts):
        if s.post[post] == 0:
            if is_within(b, route, far_t, post) and may_go(b, trader, route, NO_POST, post):
                buf[n] = PUT + TRADER + b.post_step[post]
                n += 1
            if is_within(b, route, far_m, post) and may_go(b, trader + 1, route, NO_POST, post):
                buf[n] = PUT + MERCHANT + b.post_step[post]
                n += 1
        elif lifting and may_lift(b, s, post):
            buf[n] = LIFT + b.post_step[post]
            n += 1
    return n


def legal_lifted(b: Tables, s: State, buf: list[int]) -> int:
    """A piece lifted from the board is put down before anything else."""
    route = s.frame_route[s.depth - 1]
    piece = s.hand[0]
    lifted = s.hand_post[0]
    far = reach(b, s, piece, route, lifted)
    n = 0
    for post in range(b.n_posts):
        if s.post[post] == 0 and is_within(b, route, far, post):
            if may_go(b, piece, route, lifted, post):
                buf[n] = PUT + shape_of(piece) + b.post_step[post]
                n += 1
    return n


def apply_displaced(b: Tables, s: State, action: int) -> None:
    """One put, one lift, or `done`."""
    d = s.depth - 1
    player = s.frame_player[d]
    post = b.id_post[action]
    if action == DONE:
        s.frame_added[d] = 0
    elif b.id_verb[action] == LIFT:
        note(s, MOVED, s.post[post], ON_POST + post, IN_HAND + player)
        take_in_hand(s, s.post[post], post)
        s.post[post] = 0
    else:
        put_compensation(s, player, b.id_shape[action], post)


def put_compensation(s: State, player: int, shape: int, post: int) -> None:
    """The piece that `put` means: in hand, displaced, from stock, from supply."""
    d = s.depth - 1
    piece = piece_of(player, shape)
    origin = IN_HAND + player
    if s.n_hand > 0:
        drop_first(s)
        s.frame_added[d] -= 1
    elif s.frame_waiting[d] == shape + 1:
        s.frame_waiting[d] = 0
    elif s.stock[2 * player] + s.stock[2 * player + 1] > 0:
        s.stock[2 * player + shape] -= 1
        s.frame_added[d] -= 1
        origin = IN_STOCK + player
    else:
        s.supply[2 * player + shape] -= 1
        s.frame_added[d] -= 1
        origin = IN_SUPPLY + player
    s.post[post] = piece
    change(s, post, piece)
    note(s, MOVED, piece, origin, ON_POST + post)


def settle_neutral_put(b: Tables, s: State) -> bool:
    """NEUTRAL-7, RULING-48: two neutral traders, compulsory while a legal post exists."""
    d = s.depth - 1
    while s.frame_left[d] > 0:
        if neutral_reach(b, s) != NOWHERE:
            return True
        s.frame_left[d] -= 1
    pop(s)
    return False


def neutral_reach(b: Tables, s: State) -> int:
    """Only the displaced trader, the first of the two, may fall back to its route."""
    d = s.depth - 1
    if s.frame_left[d] == 2:
        return reach_displaced(b, s, NEUTRAL_TRADER, s.frame_route[d])
    return reach(b, s, NEUTRAL_TRADER, s.frame_route[d], NO_POST)


def legal_neutral_put(b: Tables, s: State, buf: list[int]) -> int:
    """NEUTRAL-8: by distance; ship posts are ordinary posts for neutral."""
    route = s.frame_route[s.depth - 1]
    far = neutral_reach(b, s)
    n = 0
    for post in range(b.n_posts):
        if s.post[post] == 0 and is_within(b, route, far, post):
            if may_go(b, NEUTRAL_TRADER, route, NO_POST, post):
                buf[n] = PUT + b.post_step[post]
                n += 1
    return n


def apply_neutral_put(b: Tables, s: State, action: int) -> None:
    """One neutral trader down."""
    d = s.depth - 1
    post = b.id_post[action]
    s.post[post] = NEUTRAL_TRADER
    s.frame_left[d] -= 1
    note(s, MOVED, NEUTRAL_TRADER, IN_HAND + owner_of(NEUTRAL_TRADER), ON_POST + post)


FRAMES = (
    Frame(
        IN_DISPLACED,
        "displaced",
        {"waiting": "waiting", "added": "count", "route": "route"},
        settle_displaced,
        legal_displaced,
        apply_displaced,
    ),
    Frame(
        IN_NEUTRAL_PUT,
        "neutral-put",
        {"left": "count", "route": "route"},
        settle_neutral_put,
        legal_neutral_put,
        apply_neutral_put,
        phase="displaced",
    ),
)
