"""One simulation after the other: sample, descend, play on, judge, learn."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp

from hansa.bots.judge.evaluation import evaluate
from hansa.bots.judge.policy import choose
from hansa.bots.judge.weights import CALM, UNCERTAIN
from hansa.bots.judge.worth import percent_left
from hansa.bots.tree.layout import (
    DONE_SIMULATIONS,
    HORIZON,
    NODES,
    PATH,
    PLAYERS,
    ROOTS,
    SEED,
    STOP,
    VIEWER,
)
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
    w: list[int],
    buf: list[int],
    keys: list[int],
    path: list[int],
    numbers: list[int],
    first: list[int],
    count: list[int],
    action: list[int],
    prior: list[float],
    visits: list[int],
    sums: list[float],
    utility: list[float],
    simulations: int,
) -> None:
    """Run so many simulations, fewer if told to stop."""
    b = boards[0]
    slot = numbers[ROOTS]
    for _ in range(simulations):
        # The first is always run: who is stopped early has an answer too.
        if numbers[STOP] != 0 and numbers[DONE_SIMULATIONS] > 0:
            return
        states[slot] = states[numbers[DONE_SIMULATIONS] % slot]  # type: ignore[index]  # an array of records, or a list that copies
        s = states[slot]
        numbers[SEED] = reshuffle(s, numbers[VIEWER], keys, numbers[SEED])
        last = s.turn + numbers[HORIZON]
        length = descend(
            b, s, w, buf, keys, path, numbers, first, count, action, prior, visits, sums
        )
        numbers[SEED] = next_seed(numbers[SEED])
        play_on(b, s, w, buf, numbers[SEED], last)
        judge_all(b, s, w, utility)
        for k in range(length):
            visits[path[k]] += 1
            for p in range(s.players):
                sums[PLAYERS * path[k] + p] += utility[p]
        numbers[DONE_SIMULATIONS] += 1


def descend(
    b: Tables,
    s: State,
    w: list[int],
    buf: list[int],
    keys: list[int],
    path: list[int],
    numbers: list[int],
    first: list[int],
    count: list[int],
    action: list[int],
    prior: list[float],
    visits: list[int],
    sums: list[float],
) -> int:
    """Down the tree to a node not opened yet; the length of the path."""
    node = 0
    path[0] = 0
    length = 1
    while length < PATH:
        n = legal(b, s, buf)
        if n == 0:
            return length
        if n == 1 and node != 0:  # the root's only decision is an answer like any other
            apply(b, s, buf[0])
            continue
        if first[node] < 0:
            if node != 0 and visits[node] == 0:
                return length  # the first visit only judges it
            if numbers[NODES] + 2 > len(first):
                return length
            open_node(b, s, w, buf, n, keys, numbers, first, count, action, prior, node)
        child = select(numbers, first, count, action, prior, visits, sums, node, s.player, buf, n)
        if child < 0:
            return length
        apply(b, s, action[child])
        node = child
        path[length] = node
        length += 1
    return length


def play_on(b: Tables, s: State, w: list[int], buf: list[int], seed: int, last: int) -> None:
    """By judgement until the turn `last` begins, or the end."""
    for played in range(LONGEST):
        if s.turn >= last:
            return
        n = legal(b, s, buf)
        if n == 0:
            return
        apply(b, s, buf[choose(b, s, w, buf, n, seed + 7919 * played)])


def judge_all(b: Tables, s: State, w: list[int], utility: list[float]) -> None:
    """Everybody's share of the win: sure at the end, by what may be expected before it."""
    weight = 0.0
    if s.over != 0:
        for p in range(s.players):
            utility[p] = 1.0 if is_winner(b, s, p) else 0.0
            weight += utility[p]
    else:
        calm = w[CALM] + w[UNCERTAIN] * percent_left(b, s) / 100.0
        best = -1000000
        for p in range(s.players):
            worth = evaluate(b, s, w, p)
            utility[p] = worth
            best = max(worth, best)
        for p in range(s.players):
            utility[p] = exp((utility[p] - best) / calm)
            weight += utility[p]
    for p in range(s.players):
        utility[p] /= weight
