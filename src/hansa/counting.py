"""How many ways a game can go on: the number by which two engines know each other."""

from __future__ import annotations

from hansa.game import Game
from hansa.rules import engine
from hansa.rules.capacity import MAX_LEGAL
from hansa.rules.state import State
from hansa.rules.tables import Tables

__all__ = ["perft"]


def perft(game: Game, depth: int) -> int:
    """How many sequences of exactly so many decisions the game allows from here.

    >>> hansa.perft(hansa.Game.new(players=3), 1)
    206
    """
    if depth < 0:
        raise ValueError(f"depth must be 0 or more, not {depth}")
    return _count(game.setup.tables, game.state, depth)


def _count(b: Tables, s: State, depth: int) -> int:
    if depth == 0:
        return 1
    ids = [0] * MAX_LEGAL
    n = engine.legal(b, s, ids)
    if depth == 1:
        return n
    total = 0
    for number in ids[:n]:
        after = s.copy()
        engine.apply(b, after, number)
        total += _count(b, after, depth - 1)
    return total
