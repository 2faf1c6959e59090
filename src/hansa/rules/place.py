"""Place and Displace: where one may, and what it sets going (PLACE, DISPLACE-1 to -5)."""

from __future__ import annotations

from .capacity import MAX_ROUTES
from .codes import DUEL_PAWN, MERCHANT, NEUTRAL, TILE_DOUBLE, TRADER
from .declare import ACTION, Decision
from .displace import ask_displaced, ask_neutral_put
from .favour import has_tile
from .ids import AT_POST
from .move import LIFT, begin_move, first_lift_ok, has_open_ordinary
from .notes import IN_HAND, IN_SUPPLY, MOVED, ON_POST, note
from .pay import ask_fee
from .pieces import owner_of, piece_of, shape_of
from .promo import blocks
from .regions import may_enter, use_permission
from .state import State
from .tables import Tables

PLACE, DISPLACE = AT_POST + 0, AT_POST + 2


def fee_for(piece: int) -> int:
    """DISPLACE-3: one piece for a trader, two for a merchant; one's own comes on top (DISPLACE-5)."""
    return 1 + shape_of(piece)


def is_around_pawn(b: Tables, s: State, route: int) -> bool:
    """DUEL-PAWN-7: Place, Displace and Establish only around the pawn's province."""
    return s.duel != DUEL_PAWN or b.bounds[MAX_ROUTES * s.pawn + route] != 0


def is_open(b: Tables, s: State, route: int) -> bool:
    """Whether Place and Displace are possible on the route: pawn, permission."""
    if not is_around_pawn(b, s, route):
        return False
    return b.has_regions == 0 or may_enter(b, s, s.active, route)


def legal_posts(b: Tables, s: State, buf: list[int], n: int) -> int:
    """Every Place, Displace and first lift of a Move, post by post."""
    player = s.active
    traders = s.supply[2 * player + TRADER]
    merchants = s.supply[2 * player + MERCHANT]
    total = traders + merchants
    mine = 2 * player + 1
    limited = s.duel == DUEL_PAWN or b.has_regions != 0 or s.n_laid > 0
    easy_lift = has_open_ordinary(b, s)
    post = s.post
    post_ship = b.post_ship
    step = b.post_step
    route = -1
    open_here = True
    cost = 1
    for i in range(b.n_posts):
        piece = post[i]
        if piece == mine or piece == mine + 1:
            if easy_lift or first_lift_ok(b, s, 0, i):
                buf[n] = LIFT + step[i]
                n += 1
            continue
        if total == 0:
            continue
        if limited and b.post_route[i] != route:
            route = b.post_route[i]
            open_here = is_open(b, s, route)
            cost = 1 + blocks(s, route)
        if not open_here:
            continue
        if piece == 0:
            if total >= cost:
                if traders > 0 and post_ship[i] == 0:
                    buf[n] = PLACE + step[i]
                    n += 1
                if merchants > 0:
                    buf[n] = PLACE + 1 + step[i]
                    n += 1
        elif total >= 3 - (piece & 1):  # DISPLACE-5: 2 for a trader (odd), 3 for a merchant
            if traders > 0 and post_ship[i] == 0:
                buf[n] = DISPLACE + step[i]
                n += 1
            if merchants > 0:
                buf[n] = DISPLACE + 1 + step[i]
                n += 1
    return n


def place(b: Tables, s: State, shape: int, post: int) -> None:
    """PLACE-1; PROMO-BLOCK-2: a block costs one more piece."""
    route = b.post_route[post]
    use_permission(b, s, s.active, route)
    set_from_supply(s, shape, post)
    fee = blocks(s, route)
    if fee > 0:
        ask_fee(s, s.active, fee)


def set_from_supply(s: State, shape: int, post: int) -> None:
    """A piece of the active player from supply onto a post."""
    piece = piece_of(s.active, shape)
    s.supply[2 * s.active + shape] -= 1
    s.post[post] = piece
    note(s, MOVED, piece, IN_SUPPLY + s.active, ON_POST + post)


def displace(b: Tables, s: State, shape: int, post: int) -> None:
    """RULING-4: the target is lifted, one's piece takes the post, then the fee, then the owner."""
    route = b.post_route[post]
    use_permission(b, s, s.active, route)
    target = s.post[post]
    owner = owner_of(target)
    note(s, MOVED, target, ON_POST + post, IN_HAND + owner)
    set_from_supply(s, shape, post)
    fee = fee_for(target)
    if owner == NEUTRAL:
        ask_neutral_put(s, route)
    else:
        added = fee
        if has_tile(s, owner, TILE_DOUBLE):
            added = 2  # FAVOUR-DOUBLE-1
        ask_displaced(s, owner, shape_of(target), added, route)
    ask_fee(s, s.active, fee)


# One look at every post lists all three, so that their ids ascend.
DECISIONS = (
    Decision(PLACE, "place {shape} {post}", legal_posts, place, ACTION),
    Decision(DISPLACE, "displace {shape} {post}", legal_posts, displace, ACTION),
    Decision(LIFT, "lift {post}", legal_posts, begin_move, ACTION),
)
