"""The stack of pending decisions: who must decide what before the turn goes on."""

from __future__ import annotations

from .state import State


def push(s: State, kind: int, player: int, x: int, y: int, z: int) -> None:
    """Something to be decided, or done, before what lies below."""
    d = s.depth
    s.frame_kind[d] = kind
    s.frame_player[d] = player
    s.frame_x[d] = x
    s.frame_y[d] = y
    s.frame_z[d] = z
    s.depth = d + 1


def pop(s: State) -> None:
    """The top frame is done; its bytes are cleared, so that equal states stay equal bytes."""
    d = s.depth - 1
    s.frame_kind[d] = 0
    s.frame_player[d] = 0
    s.frame_x[d] = 0
    s.frame_y[d] = 0
    s.frame_z[d] = 0
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


def touch(s: State, post: int, piece: int) -> None:
    """Remember what stood on a post before this effect changed it."""
    for k in range(s.n_touched):
        if s.touched_post[k] == post:
            return
    s.touched_post[s.n_touched] = post
    s.touched_piece[s.n_touched] = piece
    s.n_touched += 1


def is_touched(s: State, post: int) -> bool:
    """Whether this effect has already changed the post."""
    for k in range(s.n_touched):
        if s.touched_post[k] == post:
            return True
    return False


def forget_touched(s: State) -> None:
    """The effect is over."""
    for k in range(s.n_touched):
        s.touched_post[k] = 0
        s.touched_piece[k] = 0
    s.n_touched = 0
