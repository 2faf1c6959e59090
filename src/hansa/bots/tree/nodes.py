"""Nodes of the tree: opening one by judgement, choosing among its children, learning."""

from __future__ import annotations

from math import exp, sqrt

from hansa.bots.judge.policy import rate_all
from hansa.bots.judge.work import SCORES
from hansa.bots.tree.layout import CHILDREN, EXPLORE, NODES, PLAYERS, SOFTNESS
from hansa.rules.codes import AT_POST, AT_ROUTE, POST_OPS
from hansa.rules.state import State
from hansa.rules.tables import Tables

WORST = -1000000000
UNSEEN_PENALTY = 0.04


def likeness(b: Tables, s: State, action: int) -> int:
    """Equal for decisions that differ only in which of several like posts they name."""
    if action < AT_POST or action >= AT_ROUTE:
        return -1 - action
    post = b.slot_post[(action - AT_POST) // POST_OPS]
    op = (action - AT_POST) % POST_OPS
    kind = (b.post_route[post] * POST_OPS + op) * 16 + s.post[post]
    return 2 * kind + b.post_ship[post]


def open_node(
    b: Tables,
    s: State,
    w: list[int],
    buf: list[int],
    n: int,
    keys: list[int],
    numbers: list[int],
    first: list[int],
    count: list[int],
    action: list[int],
    prior: list[float],
    node: int,
) -> None:
    """Give the node its most promising decisions as children, unlike ones only."""
    rate_all(b, s, w, buf, n)
    start = numbers[NODES]
    room = min(numbers[CHILDREN], len(first) - start)
    made = 0
    best = 0
    weight = 0.0
    for _ in range(n):
        if made == room:
            break
        k = best_of(w, n)
        score = w[SCORES + k]
        w[SCORES + k] = WORST
        if score == WORST:
            break
        if made == 0:
            best = score
        elif best - score > 6 * numbers[SOFTNESS]:
            break
        key = likeness(b, s, buf[k])
        if is_among(keys, made, key):
            continue
        keys[made] = key
        child = start + made
        first[child] = -1
        count[child] = 0
        action[child] = buf[k]
        prior[child] = exp((score - best) / numbers[SOFTNESS])
        weight += prior[child]
        made += 1
    for child in range(start, start + made):
        prior[child] /= weight
    first[node] = start
    count[node] = made
    numbers[NODES] = start + made


def best_of(w: list[int], n: int) -> int:
    """The place of the decision rated best."""
    best = 0
    for k in range(1, n):
        if w[SCORES + k] > w[SCORES + best]:
            best = k
    return best


def is_among(keys: list[int], n: int, key: int) -> bool:
    """Whether the key has been seen."""
    for k in range(n):
        if keys[k] == key:
            return True
    return False


def is_legal(buf: list[int], n: int, action: int) -> bool:
    """Whether the decision is among the legal ones, which ascend."""
    low = 0
    high = n
    while low < high:
        middle = (low + high) // 2
        if buf[middle] < action:
            low = middle + 1
        else:
            high = middle
    return low < n and buf[low] == action


def select(
    numbers: list[int],
    first: list[int],
    count: list[int],
    action: list[int],
    prior: list[float],
    visits: list[int],
    sums: list[float],
    node: int,
    player: int,
    buf: list[int],
    n: int,
) -> int:
    """The child to follow: good so far, promising, or little tried; -1 if none is legal here."""
    seen = max(visits[node], 1)
    explore = numbers[EXPLORE] / 100.0 * sqrt(seen)
    unseen = sums[PLAYERS * node + player] / seen - UNSEEN_PENALTY
    chosen = -1
    most = -1.0e9
    for child in range(first[node], first[node] + count[node]):
        if not is_legal(buf, n, action[child]):
            continue
        value = unseen
        if visits[child] > 0:
            value = sums[PLAYERS * child + player] / visits[child]
        value += explore * prior[child] / (1 + visits[child])
        if value > most:
            most = value
            chosen = child
    return chosen
