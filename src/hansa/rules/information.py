"""What is hidden from whom (INFO): the face-down supply, plates, and others' missions.

This is the one home of that knowledge; `hansa.information` tells it of positions as data, and
observations, sampling, views and undo ask here or there.
"""

from __future__ import annotations

from .codes import AT_PLATE, AT_SUPPLY
from .plate import IN_PLATE
from .state import State


def sees_plate(s: State, viewer: int, owner: int) -> bool:
    """INFO-2, -3: a plate is seen by its owner alone, and only while he lays its markers."""
    if viewer != owner or s.over != 0 or s.depth == 0:
        return False
    return s.frame_kind[s.depth - 1] == IN_PLATE and s.player == viewer


def sees_mission(s: State, viewer: int, owner: int) -> bool:
    """INFO-6: one's own, and everybody's once the game is over."""
    return viewer == owner or s.over != 0


def is_hidden(s: State, viewer: int, segment: int) -> bool:
    """INFO-1 to -4: whether the viewer cannot know the markers in this segment of the pool."""
    if segment == AT_SUPPLY:
        return True
    if segment < AT_PLATE or (segment - AT_PLATE) % 3 != 0:
        return False
    return not sees_plate(s, viewer, (segment - AT_PLATE) // 3)
