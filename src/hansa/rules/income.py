"""Income, and the reactions that let others take pieces too (INCOME, FAVOUR-INCOME, TRIBUTE)."""

from __future__ import annotations

from .codes import BANK, BANK_VALUE, DONE, IN_REACTION, INCOME, MERCHANT, TAKE, TILE_INCOME, TRADER
from .favour import has_tile
from .notes import IN_STOCK, IN_SUPPLY, MOVED, note
from .pieces import piece_of
from .promo import tributes
from .stack import pop, push
from .state import State
from .tables import Tables

AFTER_INCOME = -1


def draw_pieces(s: State, player: int, shape: int, number: int) -> None:
    """Pieces from stock to supply."""
    s.stock[2 * player + shape] -= number
    s.supply[2 * player + shape] += number
    for _ in range(number):
        note(s, MOVED, piece_of(player, shape), IN_STOCK + player, IN_SUPPLY + player)


def legal_income(s: State, player: int, buf: list[int], n: int) -> int:
    """INCOME-1 to -3: every split that bank value and stock allow, at least one piece."""
    limit = BANK_VALUE[s.skills[5 * player + BANK]]
    merchants = s.stock[2 * player + MERCHANT]
    for t in range(min(s.stock[2 * player + TRADER], limit) + 1):
        for m in range(min(merchants, limit - t) + 1):
            if t + m > 0:
                buf[n] = INCOME + 5 * t + m
                n += 1
    return n


def income(s: State, traders: int, merchants: int) -> None:
    """INCOME-1; FAVOUR-INCOME-1: then the owner of the tile may take one piece."""
    draw_pieces(s, s.active, TRADER, traders)
    draw_pieces(s, s.active, MERCHANT, merchants)
    if s.favours != 0:
        push(s, IN_REACTION, s.active, AFTER_INCOME, 0, 0)


def allowance(b: Tables, s: State, player: int, cause: int) -> int:
    """How many pieces the player may take in answer to an Income or to an office in a city."""
    if cause == AFTER_INCOME:
        return int(has_tile(s, player, TILE_INCOME) and player != s.active)
    return 2 * tributes(b, s, player, cause)


def settle_reaction(b: Tables, s: State) -> bool:
    """RULING-63: clockwise from the active player, one reaction each, if there is stock."""
    d = s.depth - 1
    while True:
        player = s.frame_player[d]
        if s.frame_z[d] > 0 and s.stock[2 * player] + s.stock[2 * player + 1] > 0:
            return True
        if s.frame_y[d] == s.players:
            pop(s)
            return False
        s.frame_player[d] = (s.active + s.frame_y[d]) % s.players
        s.frame_y[d] += 1
        s.frame_z[d] = allowance(b, s, s.frame_player[d], s.frame_x[d])


def legal_reaction(s: State, buf: list[int]) -> int:
    """One piece of either shape, or no more."""
    player = s.frame_player[s.depth - 1]
    buf[0] = DONE
    n = 1
    for shape in range(2):
        if s.stock[2 * player + shape] > 0:
            buf[n] = TAKE + shape
            n += 1
    return n


def apply_reaction(s: State, action: int) -> None:
    """Take one piece, or decline the rest."""
    d = s.depth - 1
    if action == DONE:
        s.frame_z[d] = 0
    else:
        draw_pieces(s, s.frame_player[d], action - TAKE, 1)
        s.frame_z[d] -= 1
