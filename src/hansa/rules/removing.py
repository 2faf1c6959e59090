"""`remove3`: up to three pieces to their owners' supplies (MARKER-REMOVE)."""

from __future__ import annotations

from .codes import NEUTRAL
from .declare import Decision, Frame, Marker
from .ids import AT_POST
from .notes import IN_STOCK, IN_SUPPLY, MOVED, ON_POST, note
from .pieces import owner_of, shape_of
from .pool import use
from .stack import DONE, pop, push
from .state import State
from .tables import Tables

REMOVE3 = 6
IN_REMOVE3 = 6
USE_REMOVE3 = 213
TAKE_POST = AT_POST + 7


def has_piece(b: Tables, s: State) -> bool:
    """Whether any post is occupied."""
    for post in range(b.n_posts):
        if s.post[post] != 0:
            return True
    return False


def legal_removing(b: Tables, s: State, buf: list[int], n: int) -> int:
    """MARKER-USE-6: only while a piece stands on a post."""
    if has_piece(b, s):
        buf[n] = USE_REMOVE3
        n += 1
    return n


def use_remove3(b: Tables, s: State) -> None:
    """MARKER-REMOVE-1."""
    use(s, REMOVE3)
    d = push(s, IN_REMOVE3, s.active)
    s.frame_left[d] = 3


def settle_remove3(b: Tables, s: State) -> bool:
    """MARKER-REMOVE-1: up to three, at least one (RULING-27)."""
    if s.frame_left[s.depth - 1] > 0 and has_piece(b, s):
        return True
    pop(s)
    return False


def legal_remove3(b: Tables, s: State, buf: list[int]) -> int:
    """Any piece on a post, and `done` once one is taken."""
    n = 0
    if s.frame_made[s.depth - 1] > 0:
        buf[0] = DONE
        n = 1
    for post in range(b.n_posts):
        if s.post[post] != 0:
            buf[n] = TAKE_POST + b.post_step[post]
            n += 1
    return n


def apply_remove3(b: Tables, s: State, action: int) -> None:
    """RULING-54: neutral pieces return to the neutral stock."""
    d = s.depth - 1
    if action == DONE:
        pop(s)
        return
    post = b.id_post[action]
    piece = s.post[post]
    owner = owner_of(piece)
    s.post[post] = 0
    s.frame_left[d] -= 1
    s.frame_made[d] += 1
    if owner == NEUTRAL:
        note(s, MOVED, piece, ON_POST + post, IN_STOCK + owner)
        return
    s.supply[2 * owner + shape_of(piece)] += 1
    note(s, MOVED, piece, ON_POST + post, IN_SUPPLY + owner)


MARKERS = (Marker(REMOVE3, "remove3", "MARKER-REMOVE-1", {"classic": 2}, starts=("classic",)),)
DECISIONS = (
    Decision(USE_REMOVE3, "use remove3", legal_removing, use_remove3, REMOVE3),
    Decision(TAKE_POST, "take {post}"),
)
FRAMES = (
    Frame(
        IN_REMOVE3,
        "remove3",
        {"left": "count", "made": "count"},
        settle_remove3,
        legal_remove3,
        apply_remove3,
    ),
)
