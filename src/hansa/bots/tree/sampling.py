"""Sampling what a player cannot know: markers that lie face down (INFO-1 to -3)."""

from __future__ import annotations

from hansa.bots.tree.layout import Lookahead
from hansa.rules.codes import SEGMENTS
from hansa.rules.information import is_hidden
from hansa.rules.state import State

PRIME = 2147483647
STEP = 48271


def next_seed(seed: int) -> int:
    """The next number of a simple sequence of random ones."""
    return seed % (PRIME - 1) * STEP % PRIME + 1


def reshuffle(s: State, look: Lookahead) -> None:
    """Deal the face-down markers anew over supply and plates."""
    n = 0
    for segment in range(SEGMENTS):
        if is_hidden(s, look.viewer, segment):
            for k in range(s.mark_start[segment], s.mark_start[segment + 1]):
                look.hidden[n] = k
                n += 1
    for k in range(n - 1):
        look.seed = next_seed(look.seed)
        one = look.hidden[k]
        other = look.hidden[k + look.seed // 7 % (n - k)]
        marker = s.mark[one]
        s.mark[one] = s.mark[other]
        s.mark[other] = marker
