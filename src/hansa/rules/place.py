"""Place and Displace: where one may, and what it sets going (PLACE, DISPLACE-1 to -5)."""

from __future__ import annotations

from .capacity import MAX_ROUTES
from .codes import BITS, DUEL_PAWN, MERCHANT, NEUTRAL, NEUTRAL_TRADER, TILE_DOUBLE, TRADER
from .declare import ACTION, Decision
from .displace import ask_displaced, ask_neutral_put
from .favour import has_tile
from .ids import AT_POST
from .move import LIFT, begin_move, first_lift_ok, has_open_ordinary
from .notes import IN_HAND, IN_SUPPLY, MOVED, ON_POST, note
from .pay import ask_fee
from .pieces import is_mine, owner_of, piece_of, shape_of
from .promo import blocks
from .regions import may_enter, use_permission
from .state import State
from .tables import Tables

PLACE, DISPLACE = AT_POST + 0, AT_POST + 2

# What a post offers is a number of five bits: how many decisions that follow each other (COUNT), and
# which one comes first (FIRST). Those for every piece that can stand there lie side by side in one
# number, so that looking at a post needs no branch: guessing wrong would cost more than the look.
OFFER = 5
WHOLE, COUNT, FIRST = 31, 3, 2
EVERY_TRADER = sum(BITS[OFFER * piece] for piece in range(1, NEUTRAL_TRADER + 1, 2))
EVERY_MERCHANT = sum(BITS[OFFER * piece] for piece in range(2, NEUTRAL_TRADER, 2))
TO_PLACE, TO_DISPLACE, TO_LIFT = (BITS[FIRST] * (k - AT_POST) for k in (PLACE, DISPLACE, LIFT))


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


def offers(player: int, traders: int, merchants: int, ship: int) -> int:
    """What a post offers a player with these pieces in supply, by the piece that stands there.

    A ship post takes merchants only (GEO-4); Displace needs two pieces for a trader, three for a
    merchant (DISPLACE-5); one's own piece can be lifted.
    """
    trader = traders > 0 and ship == 0
    some = int(trader) + int(merchants > 0) + (0 if trader else BITS[FIRST])
    for_trader = some + TO_DISPLACE if traders + merchants >= 2 else 0
    for_merchant = some + TO_DISPLACE if traders + merchants >= 3 else 0
    found = some + TO_PLACE if traders + merchants > 0 else 0
    found += for_trader * EVERY_TRADER + for_merchant * EVERY_MERCHANT
    found += (1 + TO_LIFT - for_trader) * BITS[OFFER * piece_of(player, TRADER)]
    found += (1 + TO_LIFT - for_merchant) * BITS[OFFER * piece_of(player, MERCHANT)]
    return found


def legal_posts(b: Tables, s: State, buf: list[int], n: int) -> int:
    """Every Place, Displace and first lift of a Move, post by post."""
    player = s.active
    traders = s.supply[2 * player + TRADER]
    merchants = s.supply[2 * player + MERCHANT]
    on_shore = offers(player, traders, merchants, 0)
    on_ship = offers(player, traders, merchants, 1)
    lifts = offers(player, 0, 0, 0)
    limits = s.duel == DUEL_PAWN or b.has_regions != 0 or s.n_laid > 0
    limited = limits and traders + merchants > 0
    easy_lift = has_open_ordinary(b, s)
    post = s.post
    post_ship = b.post_ship
    step = b.post_step
    route = -1
    ashore = on_shore
    afloat = on_ship
    for i in range(b.n_posts):
        if limited and b.post_route[i] != route:
            route = b.post_route[i]
            open_here = is_open(b, s, route)
            ashore = on_shore if open_here else lifts
            afloat = on_ship if open_here else lifts
            if traders + merchants <= blocks(s, route):  # PROMO-BLOCK-2: no Place
                ashore -= ashore & WHOLE
                afloat -= afloat & WHOLE
        piece = post[i]
        if not easy_lift and is_mine(piece, player) and not first_lift_ok(b, s, 0, i):
            continue
        offer = (afloat if post_ship[i] != 0 else ashore) >> (OFFER * piece)
        decision = AT_POST + ((offer & WHOLE) >> FIRST) + step[i]
        buf[n] = decision
        buf[n + 1] = decision + 1
        n += offer & COUNT
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
