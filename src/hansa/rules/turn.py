"""The turn: how it begins, what an action costs, and whose turn is next (TURN)."""

from __future__ import annotations

from .codes import ACTIONS, ACTIONS_VALUE, TILE_ACTION
from .favour import has_tile
from .notes import TURN_BEGAN, TURN_ENDED, note
from .stack import push
from .state import State

IN_FINISH, IN_GAIN = 13, 16


def begin_action(s: State) -> None:
    """TURN-3: counted with its first decision; END-4 is judged when all of it is done."""
    s.actions_left -= 1
    s.acted = 1
    push(s, IN_FINISH, s.active)


def begin_effect(s: State) -> None:
    """MARKER-USE-2: using a marker costs no action; END-4 is judged after it too."""
    push(s, IN_FINISH, s.active)


def begin_turn(s: State, player: int) -> None:
    """TURN-2: as many actions as the skill shows, one more with FAVOUR-ACTION-1."""
    s.active = player
    s.actions_left = ACTIONS_VALUE[s.skills[5 * player + ACTIONS]]
    if has_tile(s, player, TILE_ACTION):
        s.actions_left += 1
    s.acted = 0
    s.walked = 0
    s.closed = 0
    s.bought = 0
    s.fee = 0
    s.touched = 0
    for k in range(s.n_permissions_used):
        s.permissions_used[k] = 0
    s.n_permissions_used = 0
    note(s, TURN_BEGAN, player, s.actions_left)


def next_turn(s: State) -> None:
    """TURN-1: clockwise."""
    note(s, TURN_ENDED, s.active)
    s.turn += 1
    begin_turn(s, (s.active + 1) % s.players)
