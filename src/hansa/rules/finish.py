"""The end of an action or effect: full neutral routes, then the end of the game (END, NEUTRAL)."""

from __future__ import annotations

from .codes import (
    DUEL_NEUTRAL,
    END_CITIES,
    END_MARKERS,
    END_PRESTIGE,
    NEUTRAL,
    PRESTIGE_TO_END,
)
from .declare import Frame
from .neutral import apply_neutral, legal_neutral, resolve_full
from .notes import ENDED, note
from .pool import discard_plates
from .stack import pop
from .state import State
from .tables import Tables
from .turn import IN_FINISH


def settle_finish(b: Tables, s: State) -> bool:
    """The action or effect is complete: neutral routes first, then the end is judged once."""
    if s.duel == DUEL_NEUTRAL:
        found = resolve_full(b, s)
        if found > 0:
            return found == 2
    pop(s)
    reason = end_reason(b, s)
    if reason > 0:
        end_game(s, reason)
    return False


def end_reason(b: Tables, s: State) -> int:
    """END-1, -2, -3, NEUTRAL-21; prestige before markers before cities."""
    for owner in range(NEUTRAL + 1):
        if s.points[owner] >= PRESTIGE_TO_END:
            return END_PRESTIGE
    if s.short != 0:
        return END_MARKERS
    if s.completed >= b.cities_to_end:
        return END_CITIES
    return 0


def end_game(s: State, reason: int) -> None:
    """END-5, END-7: what is left of the turn is lost, plates are discarded."""
    s.over = 1
    s.end_reason = reason
    s.short = 0
    s.actions_left = 0
    s.player = s.active
    discard_plates(s)
    note(s, ENDED, reason)


FRAMES = (
    Frame(
        IN_FINISH,
        "finish",
        {},
        settle_finish,
        legal_neutral,
        apply_neutral,
        on=("",),
        phase="neutral",
    ),
)
