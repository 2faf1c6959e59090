"""The promo marker that is exchanged for a used one (PROMO-EXCHANGE)."""

from __future__ import annotations

from .codes import AT_MARKERS, AT_USED, BITS
from .declare import Decision, Marker
from .notes import EXCHANGED, USED, note
from .pool import add, find, kinds, remove
from .state import State
from .tables import Tables

EXCHANGE = 9
USE_EXCHANGE = 320


def legal_exchanges(b: Tables, s: State, buf: list[int], n: int) -> int:
    """PROMO-EXCHANGE-1: a used marker of another player, no `exchange` (RULING-63)."""
    for player in range(s.players):
        if player == s.active:
            continue
        used = kinds(s, AT_USED + 3 * player)
        for marker in range(1, b.n_markers + 1):
            if used & BITS[marker] != 0 and marker != EXCHANGE:
                buf[n] = b.exchange_id[player * (b.n_markers + 1) + marker]
                n += 1
    return n


def exchange(b: Tables, s: State, player: int, marker: int) -> None:
    """PROMO-EXCHANGE-1: mine, face down, to him; his used one, unused again, to me."""
    mine = AT_MARKERS + 3 * s.active
    remove(s, mine, find(s, mine, EXCHANGE))
    taken = remove(s, AT_USED + 3 * player, find(s, AT_USED + 3 * player, marker))
    add(s, AT_USED + 3 * player, EXCHANGE)
    add(s, AT_MARKERS + 3 * s.active, taken)
    note(s, USED, s.active, EXCHANGE)
    note(s, EXCHANGED, s.active, player, marker)


MARKERS = (Marker(EXCHANGE, "exchange", "PROMO-EXCHANGE-1", promo=True),)
DECISIONS = (
    Decision(USE_EXCHANGE, "use exchange {player} {marker}", legal_exchanges, exchange, EXCHANGE),
)
