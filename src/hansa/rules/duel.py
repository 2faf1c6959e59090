"""Two players with the pawn (DUEL-PAWN)."""

from __future__ import annotations

from .codes import DUEL_PAWN, PAWN, PROVINCES, WALK
from .notes import PAWN_MOVED, note
from .state import State
from .tables import Tables


def legal_setup(buf: list[int]) -> int:
    """DUEL-PAWN-1: any province."""
    for k in range(PROVINCES):
        buf[k] = PAWN + k
    return PROVINCES


def legal_pawn(b: Tables, s: State, buf: list[int], n: int) -> int:
    """DUEL-PAWN-6: any other province for an action; DUEL-PAWN-5: one or two borders for nothing."""
    if s.duel != DUEL_PAWN:
        return n
    if s.actions_left > 0:
        for province in range(1, PROVINCES + 1):
            if province != s.pawn:
                buf[n] = PAWN + province - 1
                n += 1
    if s.walked == 0:
        for province in range(1, PROVINCES + 1):
            hops = b.hops[17 * s.pawn + province]
            if hops == 1 or hops == 2:
                buf[n] = WALK + province - 1
                n += 1
    return n


def move_pawn(s: State, province: int, free: int) -> None:
    """The pawn goes there."""
    note(s, PAWN_MOVED, s.pawn, province, free)
    s.pawn = province


def walk(s: State, province: int) -> None:
    """RULING-46: before the first action, or after the last: then no action follows."""
    move_pawn(s, province, 1)
    s.walked = 1
    if s.acted != 0:
        s.closed = 1
        s.actions_left = 0
