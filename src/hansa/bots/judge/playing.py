"""Games played by judgement, each player with weights of his own, to fit evaluation.py from."""

from __future__ import annotations

from collections.abc import Sequence

from hansa.bots.judge.evaluation import FEATURES, features
from hansa.bots.judge.policy import choose
from hansa.bots.judge.weights import FEATURE, WORK_SIZE
from hansa.rules.engine import apply, legal
from hansa.rules.scoring import total
from hansa.rules.state import State
from hansa.rules.tables import Tables

ROW = FEATURES + 3
MOST = 6000
"""Decisions after which a game counts as never ending."""


def work_of(works: list[int], player: int) -> list[int]:
    """The player's part of the work lists, which follow each other."""
    return works[WORK_SIZE * player : WORK_SIZE * (player + 1)]


def collect(
    boards: Sequence[Tables],
    states: Sequence[State],
    works: list[int],
    own: list[int],
    buf: list[int],
    seeds: Sequence[int],
    rows: list[int],
    most: int,
) -> int:
    """Play all states and note features at the start of every other turn; how many rows.

    The players' weights are in `works`, those that the features are seen with in `own`. A row
    holds the features, the game, the player and his total in the end.
    """
    b = boards[0]
    used = 0
    for i in range(len(states)):
        s = states[i]
        first = used
        turn = 0
        for played in range(MOST):
            if s.depth == 0 and s.turn > turn and s.touched == 0 and used + 5 < most:
                turn = s.turn + 1
                for p in range(s.players):
                    features(b, s, own, p)
                    for k in range(FEATURES):
                        rows[ROW * used + k] = own[FEATURE + k]
                    rows[ROW * used + FEATURES] = i
                    rows[ROW * used + FEATURES + 1] = p
                    used += 1
            n = legal(b, s, buf)
            if n == 0:
                break
            k = choose(b, s, work_of(works, s.player), buf, n, seeds[i] + 7919 * played)
            apply(b, s, buf[k])
        for row in range(first, used):
            rows[ROW * row + FEATURES + 2] = total(b, s, rows[ROW * row + FEATURES + 1])
    return used
