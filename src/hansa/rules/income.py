"""Income: pieces from stock to supply (INCOME)."""

from __future__ import annotations

from .codes import BANK, BANK_VALUE, MERCHANT, TRADER
from .declare import ACTION, Decision
from .reaction import ask_income, draw_pieces
from .state import State
from .tables import Tables

INCOME = 6  # + 5 * traders + merchants


def bank_limit(s: State, player: int) -> int:
    """INCOME-1: how many pieces one Income may bring."""
    return BANK_VALUE[s.skills[5 * player + BANK]]


def legal_income(b: Tables, s: State, buf: list[int], n: int) -> int:
    """INCOME-1 to -3: every split that bank value and stock allow, at least one piece."""
    player = s.active
    limit = bank_limit(s, player)
    merchants = s.stock[2 * player + MERCHANT]
    for t in range(min(s.stock[2 * player + TRADER], limit) + 1):
        for m in range(min(merchants, limit - t) + 1):
            if t + m > 0:
                buf[n] = INCOME + 5 * t + m
                n += 1
    return n


def income(b: Tables, s: State, traders: int, merchants: int) -> None:
    """INCOME-1; FAVOUR-INCOME-1: then the owner of the tile may take one piece."""
    draw_pieces(s, s.active, TRADER, traders)
    draw_pieces(s, s.active, MERCHANT, merchants)
    ask_income(s)


DECISIONS = (
    Decision(INCOME, "income {traders} {merchants}", legal_income, income, ACTION, without=(0, 0)),
)
