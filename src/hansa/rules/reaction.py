"""Reactions: others may take pieces after an Income or a founded office (FAVOUR-INCOME, TRIBUTE)."""

from __future__ import annotations

from .codes import TILE_INCOME
from .declare import Decision, Frame
from .favour import has_tile
from .notes import IN_STOCK, IN_SUPPLY, MOVED, note
from .pieces import piece_of
from .promo import tributes
from .stack import DONE, pop, push
from .state import State
from .tables import Tables

IN_REACTION = 11
TAKE = 4

AFTER_INCOME = -1
"""What is reacted to: an Income, or an office in the city of this number."""


def draw_pieces(s: State, player: int, shape: int, number: int) -> None:
    """Pieces from stock to supply."""
    s.stock[2 * player + shape] -= number
    s.supply[2 * player + shape] += number
    for _ in range(number):
        note(s, MOVED, piece_of(player, shape), IN_STOCK + player, IN_SUPPLY + player)


def ask_income(s: State) -> None:
    """FAVOUR-INCOME-1: the owner of the tile may take one piece."""
    if s.favours != 0:
        d = push(s, IN_REACTION, s.active)
        s.frame_to[d] = AFTER_INCOME


def ask_tribute(s: State, city: int) -> None:
    """RULING-63: an office in the city; owners of tributes there answer, the active one first."""
    if s.n_laid > 0:
        d = push(s, IN_REACTION, s.active)
        s.frame_to[d] = city


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
        if s.frame_left[d] > 0 and s.stock[2 * player] + s.stock[2 * player + 1] > 0:
            return True
        if s.frame_asked[d] == s.players:
            pop(s)
            return False
        s.frame_player[d] = (s.active + s.frame_asked[d]) % s.players
        s.frame_asked[d] += 1
        s.frame_left[d] = allowance(b, s, s.frame_player[d], s.frame_to[d])


def legal_reaction(b: Tables, s: State, buf: list[int]) -> int:
    """One piece of either shape, or no more."""
    player = s.frame_player[s.depth - 1]
    buf[0] = DONE
    n = 1
    for shape in range(2):
        if s.stock[2 * player + shape] > 0:
            buf[n] = TAKE + shape
            n += 1
    return n


def apply_reaction(b: Tables, s: State, action: int) -> None:
    """Take one piece, or decline the rest."""
    d = s.depth - 1
    if action == DONE:
        s.frame_left[d] = 0
    else:
        draw_pieces(s, s.frame_player[d], b.id_shape[action], 1)
        s.frame_left[d] -= 1


DECISIONS = (Decision(TAKE, "take {shape}"),)
FRAMES = (
    Frame(
        IN_REACTION,
        "reaction",
        {"to": "cause", "asked": "count", "left": "count"},
        settle_reaction,
        legal_reaction,
        apply_reaction,
        on=("finish", "perm-place2-route", "permanent"),
        phase="{to}",
    ),
)
