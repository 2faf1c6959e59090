"""Promo markers laid at routes: tribute and block (PROMO)."""

from __future__ import annotations

from .codes import AT_MARKERS, TRADER
from .declare import Marker
from .notes import IN_SUPPLY, MOVED, ON_LAID, PROMO_LAID, note
from .pieces import piece_of
from .pool import find, remove
from .state import State
from .tables import Tables

TRIBUTE, BLOCK = 10, 11


def blocks(s: State, route: int) -> int:
    """PROMO-BLOCK-2, RULING-63: several blocks add up."""
    number = 0
    for k in range(s.n_laid):
        if s.laid_route[k] == route and s.laid_kind[k] == BLOCK:
            number += 1
    return number


def tributes(b: Tables, s: State, player: int, city: int) -> int:
    """PROMO-TRIBUTE-2: how many of the player's tributes lie at routes ending in the city."""
    number = 0
    for k in range(s.n_laid):
        route = s.laid_route[k]
        if s.laid_kind[k] == TRIBUTE and s.laid_owner[k] == player:
            if b.route_city[2 * route] == city or b.route_city[2 * route + 1] == city:
                number += 1
    return number


def lay_promo(s: State, marker: int, route: int) -> None:
    """PROMO-TRIBUTE-1, PROMO-BLOCK-1: with a trader from supply, for the rest of the game."""
    mine = AT_MARKERS + 3 * s.active
    remove(s, mine, find(s, mine, marker))
    at = 0
    while at < s.n_laid and s.laid_route[at] <= route:
        at += 1
    k = s.n_laid
    while k > at:
        s.laid_route[k] = s.laid_route[k - 1]
        s.laid_kind[k] = s.laid_kind[k - 1]
        s.laid_owner[k] = s.laid_owner[k - 1]
        k -= 1
    s.laid_route[at] = route
    s.laid_kind[at] = marker
    s.laid_owner[at] = s.active
    s.n_laid += 1
    s.supply[2 * s.active + TRADER] -= 1
    note(s, PROMO_LAID, s.active, marker, route)
    note(s, MOVED, piece_of(s.active, TRADER), IN_SUPPLY + s.active, ON_LAID + route)


MARKERS = (
    Marker(TRIBUTE, "tribute", "PROMO-TRIBUTE-1", promo=True, laid=True),
    Marker(BLOCK, "block", "PROMO-BLOCK-1", promo=True, laid=True),
)
