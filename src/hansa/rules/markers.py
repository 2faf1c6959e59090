"""Using markers: no action, before, between or after one's actions (MARKER-USE and kinds)."""

from __future__ import annotations

from .codes import (
    AT_DISCARDED,
    AT_MARKERS,
    AT_USED,
    BIGBOX,
    BITS,
    BLOCK,
    BY_MOVE3,
    DONE,
    EXCHANGE,
    FEE,
    IN_REMOVE3,
    IN_REPLACE3,
    LIFT,
    MARKERS,
    MOVE3,
    NEUTRAL,
    PLUS3,
    PLUS4,
    PUT,
    REMOVE3,
    REPLACE3,
    SKILL_MARKER,
    SWAP,
    TAKE_POST,
    TRIBUTE,
    USE_EXCHANGE,
    USE_MOVE3,
    USE_PLUS3,
    USE_PLUS4,
    USE_REMOVE3,
    USE_REPLACE3,
    USE_SKILL,
    USE_SWAP,
)
from .move import begin, first_lift_ok
from .notes import (
    ACTIONS_GAINED,
    DISCARDED,
    EXCHANGED,
    IN_HAND,
    IN_STOCK,
    IN_SUPPLY,
    MOVED,
    ON_POST,
    PAID_FEE,
    SWAPPED,
    USED,
    note,
)
from .pieces import fits, is_mine, owner_of, shape_of
from .pool import add, find, kinds, remove, transfer
from .promo import lay_promo
from .skills import develop, is_full
from .stack import drop_first, pop, push, take_in_hand
from .state import State
from .tables import Tables


def legal_fee(s: State, buf: list[int], n: int) -> int:
    """BORDER-FEE-1: once a turn, any unused marker."""
    if s.border_fee == 0 or s.fee != 0:
        return n
    held = kinds(s, AT_MARKERS + 3 * s.active)
    for marker in range(1, MARKERS + 1):
        if held & BITS[marker] != 0:
            buf[n] = FEE + marker - 1
            n += 1
    return n


def pay_border_fee(s: State, marker: int) -> None:
    """BORDER-FEE-2: the marker leaves the game."""
    transfer(s, marker, AT_MARKERS + 3 * s.active, AT_DISCARDED)
    s.fee = 1
    note(s, PAID_FEE, s.active, marker)
    note(s, DISCARDED, marker, 0, s.active)


def legal_uses(b: Tables, s: State, held: int, buf: list[int], n: int) -> int:
    """MARKER-USE-6: every use that changes something; `held` are the kinds of unused markers."""
    idle = s.bought != 0 or s.closed != 0  # no action from anywhere this turn
    if held & BITS[PLUS3] != 0 and not idle:
        buf[n] = USE_PLUS3
        n += 1
    if held & BITS[PLUS4] != 0 and not idle:
        buf[n] = USE_PLUS4
        n += 1
    if held & BITS[SKILL_MARKER] != 0:
        for skill in range(5):
            if not is_full(s, s.active, skill):
                buf[n] = USE_SKILL + skill
                n += 1
    if held & BITS[REMOVE3] != 0 and has_piece(b, s):
        buf[n] = USE_REMOVE3
        n += 1
    if held & BITS[REPLACE3] != 0 and has_replaceable(b, s):
        buf[n] = USE_REPLACE3
        n += 1
    if held & BITS[MOVE3] != 0 and first_lift_ok(b, s, BY_MOVE3, -1):
        buf[n] = USE_MOVE3
        n += 1
    if held & BITS[SWAP] != 0:
        n = legal_swaps(b, s, buf, n)
    if held & BITS[EXCHANGE] != 0:
        n = legal_exchanges(s, buf, n)
    return n


def legal_swaps(b: Tables, s: State, buf: list[int], n: int) -> int:
    """MARKER-SWAP-1, -4, -5, RULING-26: neighbouring offices whose exchange changes something."""
    for city in range(b.n_cities):
        first = b.city_first[city]
        for k in range(b.city_first[city + 1] - first - 1):
            left = s.house[first + k]
            right = s.house[first + k + 1]
            if right == 0 or left == right:
                continue
            if s.edition == BIGBOX and not is_mine(left, s.active) and not is_mine(right, s.active):
                continue
            buf[n] = USE_SWAP + b.city_swap[city] + k
            n += 1
    return n


def legal_exchanges(s: State, buf: list[int], n: int) -> int:
    """PROMO-EXCHANGE-1: a used marker of another player, no `exchange` (RULING-63)."""
    for player in range(s.players):
        if player == s.active:
            continue
        used = kinds(s, AT_USED + 3 * player)
        for marker in range(1, MARKERS + 1):
            if used & BITS[marker] != 0 and marker != EXCHANGE:
                buf[n] = USE_EXCHANGE + MARKERS * player + marker - 1
                n += 1
    return n


def has_piece(b: Tables, s: State) -> bool:
    """Whether any post is occupied."""
    for post in range(b.n_posts):
        if s.post[post] != 0:
            return True
    return False


def use(s: State, marker: int) -> None:
    """MARKER-USE-4: the first such marker is turned face down and kept."""
    transfer(s, marker, AT_MARKERS + 3 * s.active, AT_USED + 3 * s.active)
    note(s, USED, s.active, marker)


def apply_use(b: Tables, s: State, action: int) -> None:
    """One of the `use` decisions that name no route."""
    if action <= USE_PLUS4:
        gained = 3 + action - USE_PLUS3
        use(s, PLUS3 + action - USE_PLUS3)
        s.actions_left += gained  # MARKER-ACT-1
        note(s, ACTIONS_GAINED, s.active, gained)
    elif action < USE_REMOVE3:
        use(s, SKILL_MARKER)
        develop(s, action - USE_SKILL)
    elif action == USE_REMOVE3:
        use(s, REMOVE3)
        push(s, IN_REMOVE3, s.active, 3, 0, 0)
    elif action == USE_REPLACE3:
        use(s, REPLACE3)
        push(s, IN_REPLACE3, s.active, 3, 0, 0)
    elif action == USE_MOVE3:
        use(s, MOVE3)
        begin(s, BY_MOVE3, 3)
    elif action < USE_EXCHANGE:
        use(s, SWAP)
        swap(b, s, b.swap_house[action - USE_SWAP])
    else:
        other = (action - USE_EXCHANGE) // MARKERS
        exchange(s, other, (action - USE_EXCHANGE) % MARKERS + 1)


def swap(b: Tables, s: State, house: int) -> None:
    """MARKER-SWAP-1, -6: the pieces change houses, nothing else happens."""
    city = 0
    while b.city_first[city + 1] <= house:
        city += 1
    left = s.house[house]
    s.house[house] = s.house[house + 1]
    s.house[house + 1] = left
    note(s, SWAPPED, city, house - b.city_first[city] + 1)


def exchange(s: State, other: int, marker: int) -> None:
    """PROMO-EXCHANGE-1: mine, face down, to him; his used one, unused again, to me."""
    mine = AT_MARKERS + 3 * s.active
    remove(s, mine, find(s, mine, EXCHANGE))
    taken = remove(s, AT_USED + 3 * other, find(s, AT_USED + 3 * other, marker))
    add(s, AT_USED + 3 * other, EXCHANGE)
    add(s, AT_MARKERS + 3 * s.active, taken)
    note(s, USED, s.active, EXCHANGE)
    note(s, EXCHANGED, s.active, other, marker)


def use_promo(s: State, marker: int, route: int) -> None:
    """PROMO-TRIBUTE-1, PROMO-BLOCK-1: the marker leaves the hand for the route."""
    mine = AT_MARKERS + 3 * s.active
    remove(s, mine, find(s, mine, marker))
    lay_promo(s, marker, route)


def can_lay(s: State, held: int, marker: int) -> bool:
    """RULING-63: only with a trader in supply."""
    return held & BITS[marker] != 0 and s.supply[2 * s.active] > 0


def holds_promo(held: int) -> bool:
    """Whether a marker that is laid at a route is among the unused ones."""
    return held & (BITS[TRIBUTE] | BITS[BLOCK]) != 0


# remove3: up to three pieces to their owners' supplies.


def settle_remove3(b: Tables, s: State) -> bool:
    """MARKER-REMOVE-1: up to three, at least one (RULING-27)."""
    if s.frame_x[s.depth - 1] > 0 and has_piece(b, s):
        return True
    pop(s)
    return False


def legal_remove3(b: Tables, s: State, buf: list[int]) -> int:
    """Any piece on a post, and `done` once one is taken."""
    n = 0
    if s.frame_y[s.depth - 1] > 0:
        buf[0] = DONE
        n = 1
    for post in range(b.n_posts):
        if s.post[post] != 0:
            buf[n] = b.post_id[post] + TAKE_POST
            n += 1
    return n


def apply_remove3(s: State, action: int, post: int) -> None:
    """RULING-54: neutral pieces return to the neutral stock."""
    d = s.depth - 1
    if action == DONE:
        pop(s)
        return
    piece = s.post[post]
    owner = owner_of(piece)
    s.post[post] = 0
    s.frame_x[d] -= 1
    s.frame_y[d] += 1
    if owner == NEUTRAL:
        note(s, MOVED, piece, ON_POST + post, IN_STOCK + owner)
        return
    s.supply[2 * owner + shape_of(piece)] += 1
    note(s, MOVED, piece, ON_POST + post, IN_SUPPLY + owner)


# replace3: up to three times one piece of another player to a free post of its country.


def can_replace(b: Tables, s: State, post: int) -> bool:
    """MARKER-REPLACE3-1: another's piece with a free post in its country."""
    piece = s.post[post]
    if piece == 0 or is_mine(piece, s.active):
        return False
    for target in range(b.n_posts):
        if s.post[target] == 0 and fits(b, target, piece):
            if b.post_region[target] == b.post_region[post]:
                return True
    return False


def has_replaceable(b: Tables, s: State) -> bool:
    """Whether any piece can be replaced."""
    for post in range(b.n_posts):
        if can_replace(b, s, post):
            return True
    return False


def settle_replace3(b: Tables, s: State) -> bool:
    """RULING-29: up to three single moves."""
    if s.n_hand > 0 or (s.frame_x[s.depth - 1] > 0 and has_replaceable(b, s)):
        return True
    pop(s)
    return False


def legal_replace3(b: Tables, s: State, buf: list[int]) -> int:
    """MARKER-REPLACE3-2: each piece is put down, on another post, before the next is lifted."""
    n = 0
    if s.n_hand > 0:
        home = s.hand_post[0]
        for post in range(b.n_posts):
            if s.post[post] == 0 and post != home and fits(b, post, s.hand[0]):
                if b.post_region[post] == b.post_region[home]:
                    buf[n] = b.post_id[post] + PUT + shape_of(s.hand[0])
                    n += 1
        return n
    if s.frame_y[s.depth - 1] > 0:
        buf[0] = DONE
        n = 1
    for post in range(b.n_posts):
        if can_replace(b, s, post):
            buf[n] = b.post_id[post] + LIFT
            n += 1
    return n


def apply_replace3(s: State, action: int, post: int, op: int) -> None:
    """One lift, one put, or no more."""
    d = s.depth - 1
    if action == DONE:
        pop(s)
    elif op == LIFT:
        note(s, MOVED, s.post[post], ON_POST + post, IN_HAND + owner_of(s.post[post]))
        take_in_hand(s, s.post[post], post)
        s.post[post] = 0
    else:
        s.post[post] = s.hand[0]
        drop_first(s)
        s.frame_x[d] -= 1
        s.frame_y[d] += 1
        note(s, MOVED, s.post[post], IN_HAND + owner_of(s.post[post]), ON_POST + post)
