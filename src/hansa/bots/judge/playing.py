"""Games played by judgement, each player with weights of his own, to fit evaluation.py from."""

from __future__ import annotations

from collections.abc import Sequence

from hansa.bots.judge.evaluation import features
from hansa.bots.judge.policy import choose
from hansa.bots.judge.survey import Sample, Survey
from hansa.bots.judge.weights import Weights
from hansa.rules.codes import MAX_PLAYERS
from hansa.rules.engine import apply, legal
from hansa.rules.scoring import total
from hansa.rules.state import State
from hansa.rules.tables import Tables

MOST = 6000
"""Decisions after which a game counts as never ending."""


def collect(
    boards: Sequence[Tables],
    states: Sequence[State],
    weights: Sequence[Weights],
    surveys: Sequence[Survey],
    buf: list[int],
    seeds: Sequence[int],
    samples: Sequence[Sample],
) -> int:
    """Play all states and note features at the start of every other turn; how many samples.

    The first of the weights are those that features are seen with, the others the players' own.
    """
    b = boards[0]
    v = surveys[0]
    used = 0
    for i in range(len(states)):
        s = states[i]
        first = used
        turn = 0
        for played in range(MOST):
            is_fresh = s.depth == 0 and s.turn > turn and s.touched == 0
            if is_fresh and used + MAX_PLAYERS < len(samples):
                turn = s.turn + 1
                for p in range(s.players):
                    sample = samples[used]
                    features(b, s, weights[0], v, sample.features, p)
                    sample.player = p
                    used += 1
            n = legal(b, s, buf)
            if n == 0:
                break
            w = weights[1 + s.player]
            apply(b, s, buf[choose(b, s, w, v, buf, n, seeds[i] + 7919 * played)])
        for k in range(first, used):
            samples[k].total = total(b, s, samples[k].player)
    return used
