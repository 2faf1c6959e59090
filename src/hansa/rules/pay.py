"""Fees: pieces that go from supply to stock (DISPLACE-3, PROMO-BLOCK-2)."""

from __future__ import annotations

from .codes import MERCHANT, TRADER
from .declare import Decision, Frame
from .notes import IN_STOCK, IN_SUPPLY, MOVED, note
from .pieces import piece_of
from .stack import pop, push
from .state import State
from .tables import Tables

IN_PAY = 2
PAY = 2


def ask_fee(s: State, player: int, count: int) -> None:
    """So many pieces are to be paid."""
    d = push(s, IN_PAY, player)
    s.frame_count[d] = count


def pay_one(s: State, shape: int) -> None:
    """DISPLACE-4: a merchant pays for one piece."""
    d = s.depth - 1
    player = s.frame_player[d]
    s.supply[2 * player + shape] -= 1
    s.stock[2 * player + shape] += 1
    s.frame_count[d] -= 1
    note(s, MOVED, piece_of(player, shape), IN_SUPPLY + player, IN_STOCK + player)


def settle_pay(b: Tables, s: State) -> bool:
    """Ask while both shapes could pay and not everything must go."""
    d = s.depth - 1
    player = s.frame_player[d]
    while s.frame_count[d] > 0:
        traders = s.supply[2 * player + TRADER]
        merchants = s.supply[2 * player + MERCHANT]
        if traders > 0 and merchants > 0 and traders + merchants > s.frame_count[d]:
            return True
        pay_one(s, TRADER if traders > 0 else MERCHANT)
    pop(s)
    return False


def legal_pay(b: Tables, s: State, buf: list[int]) -> int:
    """Either shape."""
    buf[0] = PAY + TRADER
    buf[1] = PAY + MERCHANT
    return 2


def apply_pay(b: Tables, s: State, action: int) -> None:
    """One piece of the fee."""
    pay_one(s, b.id_shape[action])


DECISIONS = (Decision(PAY, "pay {shape}"),)
FRAMES = (
    Frame(
        IN_PAY,
        "pay",
        {"count": "count"},
        settle_pay,
        legal_pay,
        apply_pay,
        on=("finish", "displaced", "neutral-put"),
    ),
)
