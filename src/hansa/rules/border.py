"""The border fee: a marker given up for a turn without borders (BORDER-FEE)."""

from __future__ import annotations

from .codes import AT_DISCARDED, AT_MARKERS, BITS
from .declare import Decision
from .notes import DISCARDED, PAID_FEE, note
from .pool import kinds, transfer
from .state import State
from .tables import Tables

FEE = 195


def legal_fee(b: Tables, s: State, buf: list[int], n: int) -> int:
    """BORDER-FEE-1: once a turn, any unused marker."""
    if s.border_fee == 0 or s.fee != 0:
        return n
    held = kinds(s, AT_MARKERS + 3 * s.active)
    for marker in range(1, b.n_markers + 1):
        if held & BITS[marker] != 0:
            buf[n] = b.fee_id[marker]
            n += 1
    return n


def pay_border_fee(b: Tables, s: State, marker: int) -> None:
    """BORDER-FEE-2: the marker leaves the game."""
    transfer(s, marker, AT_MARKERS + 3 * s.active, AT_DISCARDED)
    s.fee = 1
    note(s, PAID_FEE, s.active, marker)
    note(s, DISCARDED, marker, 0, s.active)


DECISIONS = (Decision(FEE, "fee {marker}", legal_fee, pay_border_fee),)
