"""Pieces, posts and borders: who fits where."""

from __future__ import annotations

from .codes import BITS, ENGLAND, MERCHANT, NEUTRAL_TRADER, TRADER
from .state import State
from .tables import Tables


def piece_of(owner: int, shape: int) -> int:
    """The code of a piece."""
    return 2 * owner + shape + 1


def owner_of(piece: int) -> int:
    """The owner of a piece."""
    return (piece - 1) >> 1


def shape_of(piece: int) -> int:
    """Trader or merchant."""
    return (piece - 1) & 1


def fits(b: Tables, post: int, piece: int) -> bool:
    """GEO-4: a ship post takes a merchant only; NEUTRAL-5: or a neutral trader."""
    return b.post_ship[post] == 0 or piece & 1 == 0 or piece == NEUTRAL_TRADER


def may_cross(origin: int, target: int) -> bool:
    """BRIT-MOVE-1, BRIT-DISP-1: within one's country, or home to England."""
    return target == ENGLAND or target == origin


def pieces_of(player: int) -> int:
    """The pieces of a player, as bits of their codes."""
    return BITS[piece_of(player, TRADER)] | BITS[piece_of(player, MERCHANT)]


def is_mine(piece: int, player: int) -> bool:
    """Whether the piece is one of the player's."""
    return piece == 2 * player + 1 or piece == 2 * player + 2


def is_empty(b: Tables, s: State, route: int) -> bool:
    """Whether no post of the route is occupied."""
    for post in range(b.route_first[route], b.route_first[route + 1]):
        if s.post[post] != 0:
            return False
    return True


def is_full_of(b: Tables, s: State, route: int, player: int) -> bool:
    """ROUTE-1: every post of the route holds a piece of the player."""
    for post in range(b.route_first[route], b.route_first[route + 1]):
        if not is_mine(s.post[post], player):
            return False
    return True


def holds_shape(b: Tables, s: State, route: int, shape: int) -> bool:
    """Whether a piece of this shape stands on the route, whoever owns it."""
    for post in range(b.route_first[route], b.route_first[route + 1]):
        if s.post[post] != 0 and shape_of(s.post[post]) == shape:
            return True
    return False
