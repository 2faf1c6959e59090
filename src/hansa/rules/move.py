"""Lifting and putting: Move, `move3` and `perm-move2` are one mechanism (MOVE, RULING-14, -28)."""

from __future__ import annotations

from .codes import BITS, BOOK, BOOK_VALUE, ENGLAND, NEUTRAL_TRADER
from .declare import Decision, Frame, Marker
from .ids import AT_POST
from .notes import IN_HAND, MOVED, ON_POST, note
from .pieces import fits, may_cross, owner_of, pieces_of, shape_of
from .pool import use
from .stack import DONE, change, drop_first, forget_changed, pop, push, take_in_hand
from .state import State
from .tables import Tables
from .turn import IN_GAIN

MOVE3 = 8
IN_MOVE = 5
USE_MOVE3 = 215
LIFT, PUT = AT_POST + 4, AT_POST + 5

# What pieces are lifted and put by: the action, the marker, the permanent marker.
BY_BOOK, BY_MOVE3, BY_PERM_MOVE2 = 0, 1, 2

ANY_PIECE = BITS[NEUTRAL_TRADER + 1] - BITS[1]

CLASSES = 6
"""Posts by country and kind, see `Tables.post_class`."""


def may_travel(s: State, mode: int, origin: int, target: int) -> bool:
    """BRIT-MOVE-1, BORDER-FEE-1 for Move; BRIT-MARK-1: marker effects stay in the country."""
    if mode == BY_BOOK:
        return s.fee != 0 or may_cross(origin, target)
    return origin == target


def liftable(s: State, mode: int) -> int:
    """MOVE-4: own pieces; MARKER-MOVE3-1: others' pieces; EAST-15: any. As bits of their codes."""
    own = pieces_of(s.active)
    if mode == BY_BOOK:
        return own
    return ANY_PIECE if mode == BY_PERM_MOVE2 else ANY_PIECE - own


def may_be_lifted(s: State, mode: int, piece: int) -> bool:
    """Whether such a piece may be lifted."""
    return (liftable(s, mode) >> piece) & 1 != 0


def closed_route(s: State) -> int:
    """BRIT-MARK-8: the route that is being established, whose pieces cannot be lifted; -1: none."""
    if s.depth > 1 and s.frame_kind[s.depth - 2] == IN_GAIN:
        return s.frame_route[s.depth - 2]
    return -1


def has_open_ordinary(b: Tables, s: State) -> bool:
    """A free ordinary post in England, or on a board without countries: any Move can use it."""
    for post in range(b.n_posts):
        if s.post[post] == 0 and b.post_ship[post] == 0 and b.post_region[post] == ENGLAND:
            return True
    return False


def can_leave(b: Tables, s: State, mode: int, post: int) -> bool:
    """Whether the piece there has a free post to go to."""
    for target in range(b.n_posts):
        if s.post[target] == 0 and fits(b, target, s.post[post]):
            if may_travel(s, mode, b.post_region[post], b.post_region[target]):
                return True
    return False


def can_swap(b: Tables, s: State, mode: int, one: int, other: int) -> bool:
    """Whether two pieces may change posts so that something differs."""
    first = s.post[one]
    second = s.post[other]
    if first == second or not fits(b, one, second) or not fits(b, other, first):
        return False
    here = b.post_region[one]
    there = b.post_region[other]
    return may_travel(s, mode, here, there) and may_travel(s, mode, there, here)


def first_lift_ok(b: Tables, s: State, mode: int, post: int) -> bool:
    """MOVE-7: whether a Move that begins with this piece (-1: any) can change the posts.

    Any piece with a free post to go to will do, since this one can be put back and that one
    lifted next. Without one, only an exchange changes anything: of this piece with another, or
    with three lifts of two others.
    """
    lifts = 3
    if mode == BY_BOOK:
        lifts = BOOK_VALUE[s.skills[5 * s.active + BOOK]]
    for one in range(b.n_posts):
        if may_be_lifted(s, mode, s.post[one]) and can_leave(b, s, mode, one):
            return True
    for one in range(b.n_posts):
        if not may_be_lifted(s, mode, s.post[one]):
            continue
        for other in range(one + 1, b.n_posts):
            if may_be_lifted(s, mode, s.post[other]) and can_swap(b, s, mode, one, other):
                if lifts >= 3 or post == -1 or post == one or post == other:
                    return True
    return False


def begin(s: State, mode: int, allowance: int) -> None:
    """The frame of a Move, a `move3` or a `perm-move2`."""
    d = push(s, IN_MOVE, s.active)
    s.frame_by[d] = mode
    s.frame_left[d] = allowance


def begin_move(b: Tables, s: State, post: int) -> None:
    """MOVE-1: as many lifts as the book value; the first one is this."""
    begin(s, BY_BOOK, BOOK_VALUE[s.skills[5 * s.active + BOOK]])
    lift(s, post)


def lift(s: State, post: int) -> None:
    """A piece into the hand; it uses one of the allowance."""
    piece = s.post[post]
    change(s, post, piece)
    take_in_hand(s, piece, post)
    s.post[post] = 0
    s.frame_left[s.depth - 1] -= 1
    note(s, MOVED, piece, ON_POST + post, IN_HAND + owner_of(piece))


def put(s: State, post: int) -> None:
    """RULING-14: the piece lifted first is put down first."""
    piece = s.hand[0]
    change(s, post, 0)
    drop_first(s)
    s.post[post] = piece
    note(s, MOVED, piece, IN_HAND + owner_of(piece), ON_POST + post)


def has_changed(s: State) -> bool:
    """Whether the posts differ from before."""
    for k in range(s.n_changed):
        if s.post[s.changed_post[k]] != s.changed_piece[k]:
            return True
    return False


def settle_move(b: Tables, s: State) -> bool:
    """An allowance used up with an empty hand ends by itself, and so does nothing to lift."""
    d = s.depth - 1
    if s.n_hand > 0:
        return True
    if s.frame_left[d] > 0:
        closed = closed_route(s)
        lifts = liftable(s, s.frame_by[d])
        for post in range(b.n_posts):
            if (lifts >> s.post[post]) & 1 != 0 and b.post_route[post] != closed:
                return True
    end_move(s)
    return False


def end_move(s: State) -> None:
    """The effect is over."""
    forget_changed(s)
    pop(s)


def restoring_post(s: State) -> int:
    """The post whose refilling would end the Move with all posts as they were, or -1."""
    d = s.depth - 1
    if s.n_hand != 1 or s.frame_left[d] > 0 or s.frame_by[d] == BY_PERM_MOVE2:
        return -1
    found = -1
    for k in range(s.n_changed):
        if s.post[s.changed_post[k]] != s.changed_piece[k]:
            if found >= 0 or s.changed_piece[k] != s.hand[0]:
                return -1
            found = s.changed_post[k]
    return found


def classes_for(b: Tables, s: State, mode: int, k: int) -> int:
    """The classes of posts that the k-th piece in hand may use, as bits."""
    bits = 0
    for region in range(3):
        if may_travel(s, mode, b.post_region[s.hand_post[k]], region):
            bits |= BITS[2 * region]
            if s.hand[k] & 1 == 0 or s.hand[k] == NEUTRAL_TRADER:
                bits |= BITS[2 * region + 1]
    return bits


def rest_has_posts(b: Tables, s: State, mode: int, free: int) -> bool:
    """Whether all but the first piece in hand find a post each among the free ones.

    By Hall's theorem: no group of pieces is larger than the posts its members may use.
    """
    others = s.n_hand - 1
    for group in range(1, BITS[others]):
        size = 0
        union = 0
        for k in range(others):
            if group & BITS[k] != 0:
                size += 1
                union |= classes_for(b, s, mode, k + 1)
        room = 0
        for c in range(CLASSES):
            if union & BITS[c] != 0:
                room += (free >> (8 * c)) & 255
        if room < size:
            return False
    return True


def open_classes(b: Tables, s: State, mode: int) -> int:
    """The classes of free posts of which the first piece in hand may take one, as bits."""
    if s.n_hand == 1:
        return classes_for(b, s, mode, 0)
    free = 0
    for post in range(b.n_posts):
        free += b.post_unit[post] * (s.post[post] == 0)
    allowed = classes_for(b, s, mode, 0)
    bits = 0
    unit = 1
    for c in range(CLASSES):
        if allowed & BITS[c] != 0 and (free >> (8 * c)) & 255 > 0:
            if rest_has_posts(b, s, mode, free - unit):
                bits |= BITS[c]
        unit *= 256
    return bits


def legal_move(b: Tables, s: State, buf: list[int]) -> int:
    """Lifts while the allowance lasts, puts of the first piece in hand, `done` where allowed."""
    d = s.depth - 1
    mode = s.frame_by[d]
    n = 0
    closed = closed_route(s)  # BRIT-MARK-9: and then it cannot be ended either
    if s.n_hand == 0 and closed < 0 and (mode == BY_PERM_MOVE2 or has_changed(s)):
        buf[0] = DONE
        n = 1
    # Only the first lift of a `move3` can be pointless; that of a Move was tested in the turn.
    test_lift = mode == BY_MOVE3 and s.n_changed == 0 and s.n_hand == 0
    watched = test_lift or closed >= 0
    lifts = liftable(s, mode) if s.frame_left[d] > 0 else 0
    classes = 0
    put_op = PUT
    skip = -1
    if s.n_hand > 0:
        classes = open_classes(b, s, mode)
        put_op = PUT + shape_of(s.hand[0])
        skip = restoring_post(s)
    pieces = s.post
    step = b.post_step
    kind = b.post_class
    first = n
    for post in range(b.n_posts):
        piece = pieces[post]
        if watched and piece != 0:
            if b.post_route[post] == closed:
                continue
            if test_lift and not first_lift_ok(b, s, mode, post):
                continue
        # No branch on what stands there: guessing it wrong would cost more than writing in vain.
        takes = (classes >> kind[post]) & (piece == 0) & (post != skip)
        buf[n] = (put_op if piece == 0 else LIFT) + step[post]
        n += takes | ((lifts >> piece) & 1)
    if skip >= 0 and n == first:  # with the allowance used up nothing else is listed
        buf[n] = put_op + step[skip]
        n += 1
    return n


def apply_move(b: Tables, s: State, action: int) -> None:
    """One lift, one put, or `done`."""
    if action == DONE:
        end_move(s)
    elif b.id_verb[action] == LIFT:
        lift(s, b.id_post[action])
    else:
        put(s, b.id_post[action])


def legal_move3(b: Tables, s: State, buf: list[int], n: int) -> int:
    """MARKER-USE-6: only where pieces of others can change their posts."""
    if first_lift_ok(b, s, BY_MOVE3, -1):
        buf[n] = USE_MOVE3
        n += 1
    return n


def use_move3(b: Tables, s: State) -> None:
    """MARKER-MOVE3-1: up to three pieces of others."""
    use(s, MOVE3)
    begin(s, BY_MOVE3, 3)


MARKERS = (Marker(MOVE3, "move3", "MARKER-MOVE3-1", {"bigbox": 2}, starts=("bigbox",)),)
DECISIONS = (
    Decision(USE_MOVE3, "use move3", legal_move3, use_move3, MOVE3),
    Decision(PUT, "put {shape} {post}"),
)
FRAMES = (
    Frame(
        IN_MOVE,
        "move",
        {"by": "mode", "left": "count"},
        settle_move,
        legal_move,
        apply_move,
        on=("finish", "gain"),
        phase="{by}",
    ),
)
