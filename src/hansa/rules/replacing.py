"""`replace3`: up to three times one piece of another player to a free post of its country."""

from __future__ import annotations

from .declare import Decision, Frame, Marker
from .move import LIFT, PUT
from .notes import IN_HAND, MOVED, ON_POST, note
from .pieces import fits, is_mine, owner_of, shape_of
from .pool import use
from .stack import DONE, drop_first, pop, push, take_in_hand
from .state import State
from .tables import Tables

REPLACE3 = 7
IN_REPLACE3 = 7
USE_REPLACE3 = 214


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


def legal_replacing(b: Tables, s: State, buf: list[int], n: int) -> int:
    """MARKER-USE-6: only while a piece can be replaced."""
    if has_replaceable(b, s):
        buf[n] = USE_REPLACE3
        n += 1
    return n


def use_replace3(b: Tables, s: State) -> None:
    """MARKER-REPLACE3-1."""
    use(s, REPLACE3)
    d = push(s, IN_REPLACE3, s.active)
    s.frame_left[d] = 3


def settle_replace3(b: Tables, s: State) -> bool:
    """RULING-29: up to three single moves."""
    if s.n_hand > 0 or (s.frame_left[s.depth - 1] > 0 and has_replaceable(b, s)):
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
                    buf[n] = PUT + shape_of(s.hand[0]) + b.post_step[post]
                    n += 1
        return n
    if s.frame_made[s.depth - 1] > 0:
        buf[0] = DONE
        n = 1
    for post in range(b.n_posts):
        if can_replace(b, s, post):
            buf[n] = LIFT + b.post_step[post]
            n += 1
    return n


def apply_replace3(b: Tables, s: State, action: int) -> None:
    """One lift, one put, or no more."""
    d = s.depth - 1
    post = b.id_post[action]
    if action == DONE:
        pop(s)
    elif b.id_verb[action] == LIFT:
        note(s, MOVED, s.post[post], ON_POST + post, IN_HAND + owner_of(s.post[post]))
        take_in_hand(s, s.post[post], post)
        s.post[post] = 0
    else:
        s.post[post] = s.hand[0]
        drop_first(s)
        s.frame_left[d] -= 1
        s.frame_made[d] += 1
        note(s, MOVED, s.post[post], IN_HAND + owner_of(s.post[post]), ON_POST + post)


MARKERS = (Marker(REPLACE3, "replace3", "MARKER-REPLACE3-1"),)
DECISIONS = (Decision(USE_REPLACE3, "use replace3", legal_replacing, use_replace3, REPLACE3),)
FRAMES = (
    Frame(
        IN_REPLACE3,
        "replace3",
        {"left": "count", "made": "count"},
        settle_replace3,
        legal_replace3,
        apply_replace3,
    ),
)
