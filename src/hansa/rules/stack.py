"""The stack of pending decisions, the pieces in hand, and the posts an effect has changed."""

from __future__ import annotations

from .declare import Decision
from .state import State

DONE = 0

DECISIONS = (Decision(DONE, "done"),)


def push(s: State, kind: int, player: int) -> int:
    """Something to be decided, or done, before what lies below; its place, to fill in the rest."""
    d = s.depth
    s.frame_kind[d] = kind
    s.frame_player[d] = player
    s.depth = d + 1
    return d


def pop(s: State) -> None:
    """The top frame is done; its bytes are cleared, so that equal states stay equal bytes."""
    d = s.depth - 1
    s.frame_kind[d] = 0
    s.frame_player[d] = 0
    s.frame_count[d] = 0
    s.frame_waiting[d] = 0
    s.frame_added[d] = 0
    s.frame_route[d] = 0
    s.frame_left[d] = 0
    s.frame_made[d] = 0
    s.frame_by[d] = 0
    s.frame_t[d] = 0
    s.frame_m[d] = 0
    s.frame_to[d] = 0
    s.frame_asked[d] = 0
    s.frame_marker[d] = 0
    s.frame_gain[d] = 0
    s.depth = d


def take_in_hand(s: State, piece: int, post: int) -> None:
    """The piece from this post goes last into the hand."""
    s.hand[s.n_hand] = piece
    s.hand_post[s.n_hand] = post
    s.n_hand += 1


def drop_first(s: State) -> None:
    """RULING-14: pieces leave the hand in the order in which they came."""
    last = s.n_hand - 1
    for k in range(last):
        s.hand[k] = s.hand[k + 1]
        s.hand_post[k] = s.hand_post[k + 1]
    s.hand[last] = 0
    s.hand_post[last] = 0
    s.n_hand = last


def change(s: State, post: int, piece: int) -> None:
    """Remember what stood on a post before this effect changed it."""
    for k in range(s.n_changed):
        if s.changed_post[k] == post:
            return
    s.changed_post[s.n_changed] = post
    s.changed_piece[s.n_changed] = piece
    s.n_changed += 1


def is_changed(s: State, post: int) -> bool:
    """Whether this effect has already changed the post."""
    for k in range(s.n_changed):
        if s.changed_post[k] == post:
            return True
    return False


def forget_changed(s: State) -> None:
    """The effect is over."""
    for k in range(s.n_changed):
        s.changed_post[k] = 0
        s.changed_piece[k] = 0
    s.n_changed = 0
