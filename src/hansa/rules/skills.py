"""Skills: developing a track (SKILL, ROUTE-SKILL, MARKER-SKILL, EAST-16)."""

from __future__ import annotations

from .codes import ACTIONS, ACTIONS_VALUE, BOOK, MERCHANT, SKILL_STEPS, TRADER
from .notes import DEVELOPED, IN_SUPPLY, MOVED, ON_TRACK, note
from .pieces import piece_of
from .state import State


def is_full(s: State, player: int, skill: int) -> bool:
    """SKILL-4: no piece left on the track."""
    return s.skills[5 * player + skill] == SKILL_STEPS[skill]


def develop(s: State, skill: int) -> None:
    """SKILL-3: the active player's leftmost piece goes to supply; SKILL-6: actions count at once."""
    player = s.active
    level = s.skills[5 * player + skill]
    shape = MERCHANT if skill == BOOK else TRADER
    s.skills[5 * player + skill] = level + 1
    s.supply[2 * player + shape] += 1
    gained = 0
    if skill == ACTIONS and s.bought == 0 and s.closed == 0:  # RULING-30, RULING-57
        gained = ACTIONS_VALUE[level + 1] - ACTIONS_VALUE[level]
        s.actions_left += gained
    note(s, DEVELOPED, player, skill, level + 1, gained)
    note(s, MOVED, piece_of(player, shape), ON_TRACK + skill, IN_SUPPLY + player)
