"""How a player stands: points as if the game ended now, and what the future holds."""

from __future__ import annotations

from hansa.rules.codes import (
    ACTIONS,
    ACTIONS_VALUE,
    AT_MARKERS,
    BANK,
    BOOK,
    KEYS,
    PRIVILEGE,
    SKILL_STEPS,
    TILES,
)
from hansa.rules.scoring import total
from hansa.rules.state import State
from hansa.rules.tables import Tables

from .plans import plan_all
from .work import BEST, COST, LARGEST, LEFT, LINK_MISSING, LINK_REWARD, ON_BOARD, VALUE
from .cities import LINK_SHARE
from .worth import TURNS, full_bonus, tile_worth, use_worth
from .work import ACTION_WORTH

PRIVILEGE_WORTH = (0, 320, 560, 740)
BOOK_WORTH = (0, 200, 330, 430)
BANK_WORTH = (0, 380, 560, 650)
NEXT_KEYS = (60, 25, 50, 60, 0)
"""By level: how much of an office's growth in worth the next steps promise."""


def evaluate(b: Tables, s: State, w: list[int], player: int) -> int:
    """The points the player may expect in the end, in hundredths."""
    if s.over != 0:
        return 100 * total(b, s, player)
    plan_all(b, s, w, player)
    left = w[LEFT]
    worth = 100 * total(b, s, player)
    worth += skill_future(s, player, left)
    worth += piece_future(s, w, player)
    worth += plan_future(b, w)
    if w[LINK_REWARD] > 0 and w[LINK_MISSING] < 9:
        worth += w[LINK_REWARD] * LINK_SHARE[w[LINK_MISSING]] // 100
    for k in range(s.mark_start[AT_MARKERS + 3 * player], s.mark_start[AT_MARKERS + 3 * player + 1]):
        worth += use_worth(s.mark[k], left) * min(left + 30, 100) // 100
    if s.favours != 0:
        for k in range(TILES * player, TILES * player + TILES):
            if s.tiles[k] != 0:
                worth += tile_worth(s.tiles[k], left) * left // 100
    return worth


def skill_future(s: State, p: int, left: int) -> int:
    """What developed skills will still bring."""
    level = s.skills[5 * p + ACTIONS]
    turns = TURNS * left // 100
    worth = (ACTIONS_VALUE[level] - 2) * turns * ACTION_WORTH
    if level == 1 or level == 3:
        worth += turns * ACTION_WORTH * 2 // 5
    worth += PRIVILEGE_WORTH[s.skills[5 * p + PRIVILEGE]] * left // 100
    worth += BOOK_WORTH[s.skills[5 * p + BOOK]] * left // 100
    worth += BANK_WORTH[s.skills[5 * p + BANK]] * left // 100
    keys = s.skills[5 * p + KEYS]
    worth += (95 * (0 if keys == 0 else keys - 1 if keys > 1 else 1) + NEXT_KEYS[keys]) * 5 * left // 100
    bonus = full_bonus(s, p)
    for skill in range(1, 5):
        missing = SKILL_STEPS[skill] - s.skills[5 * p + skill]
        if missing == 1:
            worth += bonus * min(left, 60) // 150
        elif missing == 2:
            worth += bonus * min(left, 60) // 400
    return worth


def piece_future(s: State, w: list[int], p: int) -> int:
    """Pieces ready to use: an action that need not be spent on Income."""
    supply = s.supply[2 * p] + s.supply[2 * p + 1]
    worth = 22 * min(supply, 6) + 8 * max(min(supply, 14) - 6, 0)
    worth += 25 * s.supply[2 * p + 1]
    worth += 40 * w[ON_BOARD]
    return worth * min(w[LEFT] + 25, 100) // 100


def plan_future(b: Tables, w: list[int]) -> int:
    """How near the best plans are to their reward."""
    worth = 0
    for route in range(b.n_routes):
        cost = w[COST + route]
        length = b.route_first[route + 1] - b.route_first[route]
        if w[VALUE + route] > 0 and cost < 100 * (length + 1):
            share = 100 * (length + 1) - cost
            gain = w[VALUE + route] * share // (100 * (length + 1)) * 3 // 4
            if gain > 0:
                worth += gain * (100 if route == w[BEST] else 45) // 100
    return worth
