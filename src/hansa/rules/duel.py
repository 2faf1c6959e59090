"""Two players with the pawn (DUEL-PAWN)."""

from __future__ import annotations

from .capacity import MAX_PROVINCES
from .codes import DUEL_PAWN
from .declare import ACTION, Decision, Frame
from .notes import PAWN_MOVED, note
from .stack import pop, push
from .state import State
from .tables import Tables

IN_SETUP = 1
PAWN, WALK = 146, 162


def ask_setup(s: State) -> None:
    """DUEL-PAWN-1: the other player places the pawn."""
    push(s, IN_SETUP, 1)
    s.player = 1


def settle_setup(b: Tables, s: State) -> bool:
    """It has to be placed."""
    return True


def legal_setup(b: Tables, s: State, buf: list[int]) -> int:
    """DUEL-PAWN-1: any province."""
    for province in range(1, b.n_provinces + 1):
        buf[province - 1] = b.pawn_id[province]
    return b.n_provinces


def apply_setup(b: Tables, s: State, action: int) -> None:
    """DUEL-PAWN-1."""
    go(s, b.id_province[action], 0)
    pop(s)


def legal_pawn(b: Tables, s: State, buf: list[int], n: int) -> int:
    """DUEL-PAWN-6: any other province for an action; DUEL-PAWN-5: one or two borders for nothing."""
    if s.duel != DUEL_PAWN:
        return n
    if s.actions_left > 0:
        for province in range(1, b.n_provinces + 1):
            if province != s.pawn:
                buf[n] = b.pawn_id[province]
                n += 1
    if s.walked == 0:
        for province in range(1, b.n_provinces + 1):
            hops = b.hops[(MAX_PROVINCES + 1) * s.pawn + province]
            if hops == 1 or hops == 2:
                buf[n] = b.walk_id[province]
                n += 1
    return n


def go(s: State, province: int, free: int) -> None:
    """The pawn goes there."""
    note(s, PAWN_MOVED, s.pawn, province, free)
    s.pawn = province


def move_pawn(b: Tables, s: State, province: int) -> None:
    """DUEL-PAWN-6."""
    go(s, province, 0)


def walk(b: Tables, s: State, province: int) -> None:
    """RULING-46: before the first action, or after the last: then no action follows."""
    go(s, province, 1)
    s.walked = 1
    if s.acted != 0:
        s.closed = 1
        s.actions_left = 0


DECISIONS = (
    Decision(PAWN, "pawn {province}", legal_pawn, move_pawn, ACTION),
    Decision(WALK, "walk {province}", legal_pawn, walk),
)
FRAMES = (Frame(IN_SETUP, "setup", {}, settle_setup, legal_setup, apply_setup, on=("",)),)
