"""The policy: rate every legal decision, choose the best."""

from __future__ import annotations

from hansa.rules.state import State
from hansa.rules.tables import Tables

from .inside import rate_inside
from .plans import plan_all
from .turns import rate_turn
from .work import SCORES

PRIME = 2147483647
STEP = 48271


def rate_all(b: Tables, s: State, w: list[int], buf: list[int], n: int) -> None:
    """Write how good each of the n legal decisions in `buf` is into `w` from SCORES on."""
    plan_all(b, s, w, s.player)
    for k in range(n):
        if s.depth == 0:
            w[SCORES + k] = rate_turn(b, s, w, buf[k])
        else:
            w[SCORES + k] = rate_inside(b, s, w, buf[k])


def choose(b: Tables, s: State, w: list[int], buf: list[int], n: int, seed: int) -> int:
    """The place in `buf` of the best decision; the seed decides among equals."""
    if n == 1:
        return 0
    rate_all(b, s, w, buf, n)
    best = 0
    most = -1000000000
    noise = seed % PRIME + 1
    for k in range(n):
        noise = noise * STEP % PRIME
        score = 8 * w[SCORES + k] + noise % 8
        if score > most:
            most = score
            best = k
    return best
