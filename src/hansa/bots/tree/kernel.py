"""One simulation after the other: sample, descend, play on, judge, learn."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp

from hansa.bots.judge.evaluation import evaluate
from hansa.bots.judge.policy import choose
from hansa.bots.judge.survey import Survey
from hansa.bots.judge.weights import Weights
from hansa.bots.judge.worth import percent_left
from hansa.bots.learned.network import Network, expect
from hansa.bots.tree.layout import PATH, Lookahead, Node
from hansa.bots.tree.nodes import open_node, select
from hansa.bots.tree.sampling import next_seed, reshuffle
from hansa.rules.engine import apply, legal
from hansa.rules.scoring import is_winner
from hansa.rules.state import State
from hansa.rules.tables import Tables

LONGEST = 400
"""Decisions after which playing on stops wherever it is."""


def simulate(
    boards: Sequence[Tables],
    states: Sequence[State],
    weights: Sequence[Weights],
    nets: Sequence[Network],
    looks: Sequence[Lookahead],
    nodes: Sequence[Node],
    buf: list[int],
    simulations: int,
) -> None:
    """Run so many simulations, fewer if told to stop."""
    b = boards[0]
    w = weights[0]
    look = looks[0]
    slot = look.roots
    for _ in range(simulations):
        # The first is always run: who is stopped early has an answer too.
        if look.stop != 0 and look.done > 0:
            return
        states[slot] = states[look.done % slot]  # type: ignore[index]  # an array of records, or a list that copies
        s = states[slot]
        reshuffle(s, look)
        last = s.turn + look.horizon
        length = descend(b, s, w, nets[0], look, nodes, buf)
        look.seed = next_seed(look.seed)
        play_on(b, s, w, look.survey, buf, look.seed, last)
        judge_all(b, s, w, nets[0], look)
        for k in range(length):
            node = nodes[look.path[k]]
            node.visits += 1
            for p in range(s.players):
                node.sums[p] += look.utility[p]
        look.done += 1


def descend(
    b: Tables,
    s: State,
    w: Weights,
    net: Network,
    look: Lookahead,
    nodes: Sequence[Node],
    buf: list[int],
) -> int:
    """Down the tree to a node not opened yet; the length of the path."""
    at = 0
    look.path[0] = 0
    length = 1
    while length < PATH:
        n = legal(b, s, buf)
        if n == 0:
            return length
        if n == 1 and at != 0:  # the root's only decision is an answer like any other
            apply(b, s, buf[0])
            continue
        if nodes[at].first < 0:
            if at != 0 and nodes[at].visits == 0:
                return length  # the first visit only judges it
            if look.nodes + 2 > len(nodes):
                return length
            open_node(b, s, w, net, look, nodes, at, buf, n)
        at = select(look, nodes, at, s.player, buf, n)
        if at < 0:
            return length
        apply(b, s, nodes[at].action)
        look.path[length] = at
        length += 1
    return length


def play_on(
    b: Tables, s: State, w: Weights, v: Survey, buf: list[int], seed: int, last: int
) -> None:
    """By judgement until the turn `last` begins, or the end."""
    for played in range(LONGEST):
        if s.turn >= last:
            return
        n = legal(b, s, buf)
        if n == 0:
            return
        apply(b, s, buf[choose(b, s, w, v, buf, n, seed + 7919 * played)])


def judge_all(b: Tables, s: State, w: Weights, net: Network, look: Lookahead) -> None:
    """Everybody's share of the win: sure at the end, by what may be expected before it."""
    weight = 0.0
    if s.over != 0:
        for p in range(s.players):
            look.utility[p] = 1.0 if is_winner(b, s, p) else 0.0
            weight += look.utility[p]
    elif net.has_chances != 0:
        expect(b, s, w, look.survey, net, look.layers)
        for p in range(s.players):
            look.utility[p] = look.layers.shares[p]
        return
    else:
        calm = w.calm + w.uncertain * percent_left(b, s) / 100.0
        best = -1000000
        for p in range(s.players):
            worth = evaluate(b, s, w, look.survey, p)
            look.utility[p] = worth
            best = max(worth, best)
        for p in range(s.players):
            look.utility[p] = exp((look.utility[p] - best) / calm)
            weight += look.utility[p]
    for p in range(s.players):
        look.utility[p] /= weight
