"""`gift`: whoever uses it takes up to two pieces from stock, one after the other (TOY-GIFT)."""

from __future__ import annotations

from .declare import Decision, Frame, Marker
from .ids import NEW
from .pool import use
from .reaction import TAKE, draw_pieces
from .stack import DONE, pop, push
from .state import State
from .tables import Tables

GIFT = 12
IN_GIFT = 17
USE_GIFT = NEW


def stock_of(s: State, player: int) -> int:
    """Pieces left to take."""
    return s.stock[2 * player] + s.stock[2 * player + 1]


def legal_gift(b: Tables, s: State, buf: list[int], n: int) -> int:
    """Only while there is something to take."""
    if stock_of(s, s.active) > 0:
        buf[n] = USE_GIFT
        n += 1
    return n


def use_gift(b: Tables, s: State) -> None:
    """Two pieces may be taken."""
    use(s, GIFT)
    d = push(s, IN_GIFT, s.active)
    s.frame_left[d] = 2


def settle_gift(b: Tables, s: State) -> bool:
    """Ask while something can be taken."""
    d = s.depth - 1
    if s.frame_left[d] > 0 and stock_of(s, s.frame_player[d]) > 0:
        return True
    pop(s)
    return False


def legal_gifts(b: Tables, s: State, buf: list[int]) -> int:
    """A piece of either shape, or no more."""
    player = s.frame_player[s.depth - 1]
    buf[0] = DONE
    n = 1
    for shape in range(2):
        if s.stock[2 * player + shape] > 0:
            buf[n] = TAKE + shape
            n += 1
    return n


def apply_gift(b: Tables, s: State, action: int) -> None:
    """One piece, or no more."""
    d = s.depth - 1
    if action == DONE:
        s.frame_left[d] = 0
        return
    draw_pieces(s, s.frame_player[d], b.id_shape[action], 1)
    s.frame_left[d] -= 1


MARKERS = (Marker(GIFT, "gift", "MARKER-USE-1", promo=True),)
DECISIONS = (Decision(USE_GIFT, "use gift", legal_gift, use_gift, GIFT),)
FRAMES = (Frame(IN_GIFT, "gift", {"left": "count"}, settle_gift, legal_gifts, apply_gift),)
