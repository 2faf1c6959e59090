"""Markers that do not lie at a route: one pool cut into segments.

Supply, discarded, and each player's unused, used and plate markers follow each other in `mark`;
segment k is `mark[mark_start[k]] … mark[mark_start[k + 1] - 1]`, in the order they came.
"""

from __future__ import annotations

from .codes import AT_DISCARDED, AT_MARKERS, AT_PLATE, AT_SUPPLY, AT_USED, BITS, SEGMENTS
from .notes import DISCARDED, DRAWN, SHORT, USED, note
from .state import State


def count(s: State, segment: int) -> int:
    """How many markers lie there."""
    return s.mark_start[segment + 1] - s.mark_start[segment]


def add(s: State, segment: int, marker: int) -> None:
    """Put a marker last into a segment."""
    at = s.mark_start[segment + 1]
    k = s.mark_start[SEGMENTS]
    while k > at:
        s.mark[k] = s.mark[k - 1]
        k -= 1
    s.mark[at] = marker
    for later in range(segment + 1, SEGMENTS + 1):
        s.mark_start[later] += 1


def remove(s: State, segment: int, at: int) -> int:
    """Take the marker at this place of the pool, which lies in the segment."""
    marker = s.mark[at]
    last = s.mark_start[SEGMENTS] - 1
    for k in range(at, last):
        s.mark[k] = s.mark[k + 1]
    s.mark[last] = 0
    for later in range(segment + 1, SEGMENTS + 1):
        s.mark_start[later] -= 1
    return marker


def find(s: State, segment: int, marker: int) -> int:
    """The place of the first such marker in the segment, or -1."""
    for k in range(s.mark_start[segment], s.mark_start[segment + 1]):
        if s.mark[k] == marker:
            return k
    return -1


def transfer(s: State, marker: int, source: int, target: int) -> None:
    """Move the first such marker of one segment to the end of another."""
    remove(s, source, find(s, source, marker))
    add(s, target, marker)


def kinds(s: State, segment: int) -> int:
    """The kinds of markers in the segment, as bits."""
    bits = 0
    for k in range(s.mark_start[segment], s.mark_start[segment + 1]):
        bits |= BITS[s.mark[k]]
    return bits


def use(s: State, marker: int) -> None:
    """MARKER-USE-4: the active player's first such marker is turned face down and kept."""
    transfer(s, marker, AT_MARKERS + 3 * s.active, AT_USED + 3 * s.active)
    note(s, USED, s.active, marker)


def draw(s: State, player: int) -> None:
    """MARKER-TAKE-2: a marker from the supply, unseen, onto the plate; MARKER-TAKE-4 without."""
    if count(s, AT_SUPPLY) == 0:
        s.short = 1
        note(s, SHORT, player)
        return
    marker = remove(s, AT_SUPPLY, s.mark_start[AT_SUPPLY])
    add(s, AT_PLATE + 3 * player, marker)
    note(s, DRAWN, player)


def discard_plates(s: State) -> None:
    """END-7: markers on plates belong to nobody."""
    for player in range(s.players):
        plate = AT_PLATE + 3 * player
        while count(s, plate) > 0:
            marker = remove(s, plate, s.mark_start[plate])
            add(s, AT_DISCARDED, marker)
            note(s, DISCARDED, marker, -1, player)
