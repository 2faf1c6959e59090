"""The position at the start (SETUP, NEUTRAL-1 to -3); chance has already spoken."""

from __future__ import annotations

from collections.abc import Sequence

from .codes import AT_SUPPLY, DUEL_NEUTRAL, DUEL_PAWN, NEUTRAL_TRADER, SEGMENTS, TRADER
from .duel import ask_setup
from .state import State
from .tables import Tables
from .turn import begin_turn

SPARE_TRADERS = 11
"""SETUP-10: what 15 on the desk and one on the track leave of 27."""


def fresh(
    b: Tables,
    *,
    players: int,
    edition: int,
    duel: int,
    favours: bool,
    border_fee: bool,
    starts: Sequence[int],
    supply: Sequence[int],
    missions: Sequence[Sequence[int]],
    display: Sequence[int],
) -> State:
    """A new game with these markers at the taverns and in the supply, cards and tiles."""
    s = State()
    s.players, s.edition, s.duel = players, edition, duel
    s.favours, s.border_fee = int(favours), int(border_fee)
    s.turn = 1
    for player in range(players):
        s.supply[2 * player] = 5 + player
        s.supply[2 * player + 1] = 1
        s.stock[2 * player + TRADER] = SPARE_TRADERS - 5 - player
    taverns = [route for route in range(b.n_routes) if b.route_tavern[route]]
    for route, marker in zip(taverns, starts, strict=True):
        s.route_marker[route] = marker
    s.mark[: len(supply)] = list(supply)
    s.mark_start = [0] * (AT_SUPPLY + 1) + [len(supply)] * (SEGMENTS - AT_SUPPLY)
    for player, card in enumerate(missions):
        s.missions[3 * player : 3 * player + 3] = list(card)
    s.display[: len(display)] = list(display)
    if duel == DUEL_NEUTRAL:
        _set_neutral(b, s)
    begin_turn(s, 0)
    if duel == DUEL_PAWN:
        ask_setup(s)
    return s


def _set_neutral(b: Tables, s: State) -> None:
    """NEUTRAL-1, -2: one trader a route, even if two reasons apply (RULING-49)."""
    for route in range(b.n_routes):
        if b.route_special[route] or b.route_tavern[route]:
            s.post[b.route_ordinary[route]] = NEUTRAL_TRADER
