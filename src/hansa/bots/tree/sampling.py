"""Sampling what a player cannot know: markers that lie face down (INFO-1 to -3)."""

from __future__ import annotations

from hansa.bots.tree.layout import Lookahead
from hansa.rules.information import hidden_markers
from hansa.rules.state import State

PRIME = 2147483647
STEP = 48271


def next_seed(seed: int) -> int:
    """The next number of a simple sequence of random ones."""
    return seed % (PRIME - 1) * STEP % PRIME + 1


def reshuffle(s: State, look: Lookahead) -> None:
    """Deal the face-down markers anew over supply and plates."""
    n = hidden_markers(s, look.viewer, look.hidden)
    for k in range(n - 1):
        look.seed = next_seed(look.seed)
        one = look.hidden[k]
        other = look.hidden[k + look.seed // 7 % (n - k)]
        marker = s.mark[one]
        s.mark[one] = s.mark[other]
        s.mark[other] = marker
