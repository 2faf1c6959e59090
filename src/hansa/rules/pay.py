"""Fees: pieces that go from supply to stock (DISPLACE-3, PROMO-BLOCK-2)."""

from __future__ import annotations

from .codes import MERCHANT, PAY, TRADER
from .notes import IN_STOCK, IN_SUPPLY, MOVED, note
from .pieces import piece_of
from .stack import pop
from .state import State


def pay_one(s: State, shape: int) -> None:
    """DISPLACE-4: a merchant pays for one piece."""
    d = s.depth - 1
    player = s.frame_player[d]
    s.supply[2 * player + shape] -= 1
    s.stock[2 * player + shape] += 1
    s.frame_x[d] -= 1
    note(s, MOVED, piece_of(player, shape), IN_SUPPLY + player, IN_STOCK + player)


def settle_pay(s: State) -> bool:
    """Ask while both shapes could pay and not everything must go."""
    d = s.depth - 1
    player = s.frame_player[d]
    while s.frame_x[d] > 0:
        traders = s.supply[2 * player + TRADER]
        merchants = s.supply[2 * player + MERCHANT]
        if traders > 0 and merchants > 0 and traders + merchants > s.frame_x[d]:
            return True
        pay_one(s, TRADER if traders > 0 else MERCHANT)
    pop(s)
    return False


def legal_pay(buf: list[int]) -> int:
    """Either shape."""
    buf[0] = PAY + TRADER
    buf[1] = PAY + MERCHANT
    return 2
