"""More actions: `plus3`, `plus4` (MARKER-ACT)."""

from __future__ import annotations

from .declare import Decision, Marker
from .notes import ACTIONS_GAINED, note
from .pool import use
from .state import State
from .tables import Tables

PLUS3, PLUS4 = 4, 5
USE_PLUS3, USE_PLUS4 = 206, 207


def is_idle(s: State) -> bool:
    """RULING-30, RULING-57: no action from anywhere this turn."""
    return s.bought != 0 or s.closed != 0


def legal_plus3(b: Tables, s: State, buf: list[int], n: int) -> int:
    """MARKER-USE-6: only where actions can be gained."""
    if not is_idle(s):
        buf[n] = USE_PLUS3
        n += 1
    return n


def legal_plus4(b: Tables, s: State, buf: list[int], n: int) -> int:
    """As `plus3`."""
    if not is_idle(s):
        buf[n] = USE_PLUS4
        n += 1
    return n


def use_plus3(b: Tables, s: State) -> None:
    """Three more actions."""
    gain_actions(s, PLUS3, 3)


def use_plus4(b: Tables, s: State) -> None:
    """Four more actions."""
    gain_actions(s, PLUS4, 4)


def gain_actions(s: State, marker: int, gained: int) -> None:
    """MARKER-ACT-1."""
    use(s, marker)
    s.actions_left += gained
    note(s, ACTIONS_GAINED, s.active, gained)


MARKERS = (
    Marker(PLUS3, "plus3", "MARKER-ACT-1", {"classic": 2, "bigbox": 2}),
    Marker(PLUS4, "plus4", "MARKER-ACT-1", {"classic": 2, "bigbox": 2}),
)
DECISIONS = (
    Decision(USE_PLUS3, "use plus3", legal_plus3, use_plus3, PLUS3),
    Decision(USE_PLUS4, "use plus4", legal_plus4, use_plus4, PLUS4),
)
