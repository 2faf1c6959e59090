"""Permanent markers: step 4 of Establish, step 2 in `classic` on Britannia (EAST, BRIT-MARK)."""

from __future__ import annotations

from .codes import CLASSIC, ENGLAND, MERCHANT, PRIVILEGE, TRADER
from .declare import Decision, Frame, Permanent
from .move import BY_PERM_MOVE2, LIFT, PUT, begin
from .notes import IN_ANNEX, IN_HAND, IN_STOCK, IN_SUPPLY, MOVED, ON_POST, note
from .offices import found_beside
from .pieces import fits, is_mine, piece_of, shape_of
from .reaction import ask_tribute
from .skills import develop, is_full
from .stack import DONE, drop_first, pop, push, take_in_hand
from .state import State
from .tables import Tables

PERM_MOVE2, PERM_PRIVILEGE, PERM_GREEN, PERM_PLACE2_ROUTE, PERM_PLACE2_ABROAD = 1, 2, 3, 4, 5
IN_GREEN, IN_PLACE2, IN_ABROAD, IN_PERMANENT = 8, 9, 10, 14
GREEN = 375

NO_POST = -1


def is_step2(b: Tables, s: State) -> bool:
    """BRIT-MARK-7, -9: in `classic` on Britannia before the gain, and compulsory."""
    return b.has_regions != 0 and s.edition == CLASSIC


def begin_move2(b: Tables, s: State) -> None:
    """EAST-15: up to two pieces of anybody."""
    begin(s, BY_PERM_MOVE2, 2)


def begin_privilege(b: Tables, s: State) -> None:
    """EAST-16: one step of privilege."""
    if not is_full(s, s.active, PRIVILEGE):
        develop(s, PRIVILEGE)


def begin_green(b: Tables, s: State) -> None:
    """EAST-17: an office in a green city."""
    push(s, IN_GREEN, s.active)


def begin_place2(b: Tables, s: State) -> None:
    """EAST-18: its pieces were kept in hand in step 3, see `hold_for_place2`."""


def begin_abroad(b: Tables, s: State) -> None:
    """BRIT-MARK-3: up to two pieces in Wales and Scotland."""
    d = push(s, IN_ABROAD, s.active)
    s.frame_left[d] = 2


def ask_permanent(s: State, kind: int) -> None:
    """RULING-39: step 4 waits for its turn; use it then or lose it."""
    d = push(s, IN_PERMANENT, s.active)
    s.frame_marker[d] = kind


def hold_for_place2(s: State, traders: int, merchants: int) -> None:
    """EAST-18: the route's pieces stay in hand instead of going to stock."""
    d = push(s, IN_PLACE2, s.active)
    s.frame_t[d] = traders
    s.frame_m[d] = merchants
    s.frame_left[d] = 2


def settle_green(b: Tables, s: State) -> bool:
    """RULING-41: not possible with an empty supply."""
    if s.supply[2 * s.active] + s.supply[2 * s.active + 1] > 0:
        return True
    pop(s)
    return False


def legal_green(b: Tables, s: State, buf: list[int]) -> int:
    """EAST-17: any green city, either shape, or not at all."""
    buf[0] = DONE
    n = 1
    for green in range(b.n_green):
        for shape in range(2):
            if s.supply[2 * s.active + shape] > 0:
                buf[n] = b.green_id[2 * green + shape]
                n += 1
    return n


def apply_green(b: Tables, s: State, action: int) -> None:
    """EAST-8: right of all others, with a piece from supply."""
    pop(s)
    if action == DONE:
        return
    city = b.green_city[b.id_green[action]]
    shape = b.id_shape[action]
    piece = piece_of(s.active, shape)
    s.supply[2 * s.active + shape] -= 1
    note(s, MOVED, piece, IN_SUPPLY + s.active, IN_ANNEX + city)
    found_beside(b, s, city, piece, 1)
    ask_tribute(s, city)


def has_free(b: Tables, s: State, piece: int, abroad: int, origin: int) -> bool:
    """Whether the piece has a free post to go to: anywhere, or abroad only."""
    for post in range(b.n_posts):
        if is_target(b, s, piece, abroad, origin, post):
            return True
    return False


def is_target(b: Tables, s: State, piece: int, abroad: int, origin: int, post: int) -> bool:
    """A free fitting post other than the one the piece came from."""
    if s.post[post] != 0 or post == origin or not fits(b, post, piece):
        return False
    return abroad == 0 or b.post_region[post] != ENGLAND


def legal_puts(b: Tables, s: State, t: int, m: int, abroad: int, buf: list[int], n: int) -> int:
    """Puts of a trader and a merchant, where available, post by post."""
    trader = piece_of(s.active, TRADER)
    for post in range(b.n_posts):
        if t > 0 and is_target(b, s, trader, abroad, NO_POST, post):
            buf[n] = PUT + TRADER + b.post_step[post]
            n += 1
        if m > 0 and is_target(b, s, trader + 1, abroad, NO_POST, post):
            buf[n] = PUT + MERCHANT + b.post_step[post]
            n += 1
    return n


def settle_place2(b: Tables, s: State) -> bool:
    """EAST-18: up to two of the route's pieces; the rest goes to stock at the end of step 4."""
    d = s.depth - 1
    trader = piece_of(s.active, TRADER)
    if s.frame_left[d] > 0:
        if s.frame_t[d] > 0 and has_free(b, s, trader, 0, NO_POST):
            return True
        if s.frame_m[d] > 0 and has_free(b, s, trader + 1, 0, NO_POST):
            return True
    s.stock[2 * s.active + TRADER] += s.frame_t[d]
    s.stock[2 * s.active + MERCHANT] += s.frame_m[d]
    for _ in range(s.frame_t[d]):
        note(s, MOVED, trader, IN_HAND + s.active, IN_STOCK + s.active)
    for _ in range(s.frame_m[d]):
        note(s, MOVED, trader + 1, IN_HAND + s.active, IN_STOCK + s.active)
    pop(s)
    return False


def legal_place2(b: Tables, s: State, buf: list[int]) -> int:
    """RULING-40: any free fitting post, the same route included."""
    d = s.depth - 1
    buf[0] = DONE
    return legal_puts(b, s, s.frame_t[d], s.frame_m[d], 0, buf, 1)


def apply_place2(b: Tables, s: State, action: int) -> None:
    """One of the held pieces down, or no more."""
    d = s.depth - 1
    post = b.id_post[action]
    shape = b.id_shape[action]
    if action == DONE:
        s.frame_left[d] = 0
        return
    if shape == TRADER:
        s.frame_t[d] -= 1
    else:
        s.frame_m[d] -= 1
    s.frame_left[d] -= 1
    s.post[post] = piece_of(s.active, shape)
    note(s, MOVED, s.post[post], IN_HAND + s.active, ON_POST + post)


def abroad_source(s: State) -> int:
    """BRIT-MARK-4: the stock; BRIT-MARK-5: then supply, then the board. 0 none, 1, 2, 3."""
    p = s.active
    if s.stock[2 * p] + s.stock[2 * p + 1] > 0:
        return 1
    if s.edition == CLASSIC:
        return 0
    return 2 if s.supply[2 * p] + s.supply[2 * p + 1] > 0 else 3


def abroad_has(s: State, source: int, shape: int) -> int:
    """How many pieces of the shape the source in force holds, the board apart."""
    if source == 1:
        return s.stock[2 * s.active + shape]
    if source == 2:
        return s.supply[2 * s.active + shape]
    return 0


def may_lift_abroad(b: Tables, s: State, post: int) -> bool:
    """RULING-44: any own piece on a post that has a post abroad to go to."""
    return is_mine(s.post[post], s.active) and has_free(b, s, s.post[post], 1, post)


def settle_abroad(b: Tables, s: State) -> bool:
    """BRIT-MARK-3: up to two, while something can be put."""
    d = s.depth - 1
    if s.n_hand > 0:
        return True
    if s.frame_left[d] > 0:
        source = abroad_source(s)
        for shape in range(2):
            if abroad_has(s, source, shape) > 0:
                if has_free(b, s, piece_of(s.active, shape), 1, NO_POST):
                    return True
        if source == 3:
            for post in range(b.n_posts):
                if may_lift_abroad(b, s, post):
                    return True
    pop(s)
    return False


def legal_abroad(b: Tables, s: State, buf: list[int]) -> int:
    """Posts in Wales and Scotland, without permission; `done` with an empty hand, but BRIT-MARK-9."""
    n = 0
    if s.n_hand > 0:
        for post in range(b.n_posts):
            if is_target(b, s, s.hand[0], 1, s.hand_post[0], post):
                buf[n] = PUT + shape_of(s.hand[0]) + b.post_step[post]
                n += 1
        return n
    if not is_step2(b, s):
        buf[0] = DONE
        n = 1
    source = abroad_source(s)
    if source != 3:
        traders = abroad_has(s, source, TRADER)
        return legal_puts(b, s, traders, abroad_has(s, source, MERCHANT), 1, buf, n)
    for post in range(b.n_posts):
        if may_lift_abroad(b, s, post):
            buf[n] = LIFT + b.post_step[post]
            n += 1
    return n


def apply_abroad(b: Tables, s: State, action: int) -> None:
    """One lift, one put, or no more."""
    d = s.depth - 1
    post = b.id_post[action]
    shape = b.id_shape[action]
    if action == DONE:
        s.frame_left[d] = 0
        return
    if b.id_verb[action] == LIFT:
        note(s, MOVED, s.post[post], ON_POST + post, IN_HAND + s.active)
        take_in_hand(s, s.post[post], post)
        s.post[post] = 0
        return
    origin = IN_HAND
    if s.n_hand > 0:
        drop_first(s)
    elif abroad_source(s) == 1:
        s.stock[2 * s.active + shape] -= 1
        origin = IN_STOCK
    else:
        s.supply[2 * s.active + shape] -= 1
        origin = IN_SUPPLY
    s.frame_left[d] -= 1
    s.post[post] = piece_of(s.active, shape)
    note(s, MOVED, s.post[post], origin + s.active, ON_POST + post)


PERMANENTS = (
    Permanent(PERM_MOVE2, "perm-move2", "EAST-15", begin_move2),
    Permanent(PERM_PRIVILEGE, "perm-privilege", "EAST-16", begin_privilege),
    Permanent(PERM_GREEN, "perm-green", "EAST-17", begin_green),
    Permanent(PERM_PLACE2_ROUTE, "perm-place2-route", "EAST-18", begin_place2),
    Permanent(PERM_PLACE2_ABROAD, "perm-place2-abroad", "BRIT-MARK-3", begin_abroad),
)
DECISIONS = (Decision(GREEN, "green {green} {shape}"),)
FRAMES = (
    Frame(IN_GREEN, "perm-green", {}, settle_green, legal_green, apply_green),
    Frame(
        IN_PLACE2,
        "perm-place2-route",
        {"t": "traders", "m": "merchants", "left": "count"},
        settle_place2,
        legal_place2,
        apply_place2,
    ),
    Frame(
        IN_ABROAD,
        "perm-place2-abroad",
        {"left": "count"},
        settle_abroad,
        legal_abroad,
        apply_abroad,
        on=("finish", "gain"),
    ),
    Frame(IN_PERMANENT, "permanent", {"marker": "permanent"}, settle=None, on=("finish", "gain")),
)
