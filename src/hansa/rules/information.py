"""What is hidden from whom (INFO): the face-down supply, plates, and others' missions.

This is the one home of that knowledge; `hansa.information` tells it of positions as data, and
observations, sampling, views and undo ask here or there.
"""

from __future__ import annotations

from .codes import AT_PLATE, AT_SUPPLY
from .plate import IN_PLATE
from .state import State


def looks_at_plate(s: State, viewer: int) -> bool:
    """INFO-3: a plate is seen by its owner alone, and only while he lays its markers."""
    if s.over != 0 or s.depth == 0:
        return False
    return s.frame_kind[s.depth - 1] == IN_PLATE and s.player == viewer


def sees_mission(s: State, viewer: int, owner: int) -> bool:
    """INFO-6: one's own, and everybody's once the game is over."""
    return viewer == owner or s.over != 0


def hidden_markers(s: State, viewer: int, places: list[int]) -> int:
    """INFO-1, -2: write the places in the pool of all markers the viewer cannot know; how many."""
    n = 0
    for k in range(s.mark_start[AT_SUPPLY], s.mark_start[AT_SUPPLY + 1]):
        places[n] = k
        n += 1
    for player in range(s.players):
        if player == viewer and looks_at_plate(s, viewer):
            continue
        plate = AT_PLATE + 3 * player
        for k in range(s.mark_start[plate], s.mark_start[plate + 1]):
            places[n] = k
            n += 1
    return n
