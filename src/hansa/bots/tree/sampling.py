"""Sampling what a player cannot know: markers that lie face down (INFO-1 to -3)."""

from __future__ import annotations

from hansa.rules.codes import AT_PLATE, AT_SUPPLY, IN_PLATE
from hansa.rules.state import State

PRIME = 2147483647
STEP = 48271


def next_seed(seed: int) -> int:
    """The next number of a simple sequence of random ones."""
    return seed % (PRIME - 1) * STEP % PRIME + 1


def reshuffle(s: State, viewer: int, keys: list[int], seed: int) -> int:
    """Deal the face-down markers anew over supply and plates; the next seed."""
    n = 0
    for k in range(s.mark_start[AT_SUPPLY], s.mark_start[AT_SUPPLY + 1]):
        keys[n] = k
        n += 1
    looks = s.depth > 0 and s.frame_kind[s.depth - 1] == IN_PLATE and s.player == viewer
    for player in range(s.players):
        if looks and player == viewer:
            continue
        plate = AT_PLATE + 3 * player
        for k in range(s.mark_start[plate], s.mark_start[plate + 1]):
            keys[n] = k
            n += 1
    for k in range(n - 1):
        seed = next_seed(seed)
        other = k + seed // 7 % (n - k)
        marker = s.mark[keys[k]]
        s.mark[keys[k]] = s.mark[keys[other]]
        s.mark[keys[other]] = marker
    return seed
