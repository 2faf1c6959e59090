"""Swapping two neighbouring offices (MARKER-SWAP)."""

from __future__ import annotations

from .codes import BIGBOX
from .declare import Decision, Marker
from .notes import SWAPPED, note
from .pieces import is_mine
from .pool import use
from .state import State
from .tables import Tables

SWAP = 2
USE_SWAP = 216


def legal_swaps(b: Tables, s: State, buf: list[int], n: int) -> int:
    """MARKER-SWAP-1, -4, -5, RULING-26: neighbouring offices whose exchange changes something."""
    for city in range(b.n_cities):
        for house in range(b.city_first[city], b.city_first[city + 1] - 1):
            left = s.house[house]
            right = s.house[house + 1]
            if right == 0 or left == right:
                continue
            if s.edition == BIGBOX and not is_mine(left, s.active) and not is_mine(right, s.active):
                continue
            buf[n] = b.swap_id[house]
            n += 1
    return n


def swap(b: Tables, s: State, house: int) -> None:
    """MARKER-SWAP-1, -6: the pieces of this house and the next change places, nothing else."""
    use(s, SWAP)
    city = 0
    while b.city_first[city + 1] <= house:
        city += 1
    left = s.house[house]
    s.house[house] = s.house[house + 1]
    s.house[house + 1] = left
    note(s, SWAPPED, city, house - b.city_first[city] + 1)


MARKERS = (
    Marker(
        SWAP, "swap", "MARKER-SWAP-1", {"classic": 2, "bigbox": 3}, starts=("classic", "bigbox")
    ),
)
DECISIONS = (Decision(USE_SWAP, "use swap {house}", legal_swaps, swap, SWAP),)
