"""The engine's face: `legal` lists decisions, `apply` carries one out and goes on until the next.

`legal` writes ids in ascending order into a buffer the caller owns; `apply` trusts its caller.
"""

from __future__ import annotations

from .dispatch import apply_pending, begin, legal_pending, legal_turn, settle_pending
from .duel import IN_SETUP
from .ids import NEW
from .numbering import ACTION_IDS
from .plate import END
from .state import State
from .tables import Tables

GROWN = int(ACTION_IDS > NEW)
"""Whether there are ids beyond the pinned ones, which are not listed in their place."""


def legal(b: Tables, s: State, buf: list[int]) -> int:
    """Write the ids of all legal decisions into the buffer and return their number."""
    if s.over != 0:
        return 0
    n = legal_turn(b, s, buf) if s.depth == 0 else legal_pending(b, s, buf)
    if GROWN != 0:
        sort(buf, n)
    return n


def sort(buf: list[int], n: int) -> None:
    """In ascending order; nearly all of them are already."""
    for k in range(1, n):
        number = buf[k]
        at = k
        while at > 0 and buf[at - 1] > number:
            buf[at] = buf[at - 1]
            at -= 1
        buf[at] = number


def apply(b: Tables, s: State, action: int) -> None:
    """Carry out a legal decision, and everything after it that needs none."""
    if s.depth == 0:
        if action != END:
            s.touched = 1
        begin(b, s, action)
    else:
        s.touched |= s.frame_kind[s.depth - 1] != IN_SETUP
        apply_pending(b, s, action)
    settle(b, s)


def settle(b: Tables, s: State) -> None:
    """Go on by itself until somebody has something to decide, and say who."""
    while s.depth > 0:
        if settle_pending(b, s):
            s.player = s.frame_player[s.depth - 1]
            return
    s.player = s.active
