"""Skills: developing a track (SKILL, ROUTE-SKILL, MARKER-SKILL, EAST-16)."""

from __future__ import annotations

from .codes import ACTIONS, ACTIONS_VALUE, BOOK, MERCHANT, SKILL_STEPS, TRADER
from .declare import Decision, Marker
from .notes import DEVELOPED, IN_SUPPLY, MOVED, ON_TRACK, note
from .pieces import piece_of
from .pool import use
from .state import State
from .tables import Tables

SKILL_MARKER = 3
USE_SKILL = 208


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


def legal_skills(b: Tables, s: State, buf: list[int], n: int) -> int:
    """MARKER-SKILL-1, MARKER-USE-6: any track that is not full."""
    for skill in range(5):
        if not is_full(s, s.active, skill):
            buf[n] = USE_SKILL + skill
            n += 1
    return n


def use_skill(b: Tables, s: State, skill: int) -> None:
    """MARKER-SKILL-1."""
    use(s, SKILL_MARKER)
    develop(s, skill)


MARKERS = (Marker(SKILL_MARKER, "skill", "MARKER-SKILL-1", {"classic": 3, "bigbox": 2}),)
DECISIONS = (Decision(USE_SKILL, "use skill {skill}", legal_skills, use_skill, SKILL_MARKER),)
