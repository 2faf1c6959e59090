"""Nodes of the tree: opening one by judgement, choosing among its children, learning."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, sqrt

from hansa.bots.judge.policy import rate_all
from hansa.bots.judge.survey import Survey
from hansa.bots.judge.weights import Weights
from hansa.bots.learned.network import Network, prepare_promise, promise_of
from hansa.bots.tree.layout import CHILDREN, Lookahead, Node
from hansa.rules.ids import AT_POST, AT_ROUTE, POST_OPS
from hansa.rules.state import State
from hansa.rules.tables import Tables

WORST = -1000000000
UNSEEN_PENALTY = 0.04


def likeness(b: Tables, s: State, action: int) -> int:
    """Equal for decisions that differ only in which of several like posts they name."""
    verb = b.id_verb[action]
    if verb < AT_POST or verb >= AT_ROUTE:
        return -1 - action
    post = b.id_post[action]
    op = verb - AT_POST + b.id_shape[action]
    kind = (b.post_route[post] * POST_OPS + op) * 16 + s.post[post]
    return 2 * kind + b.post_ship[post]


def open_node(
    b: Tables,
    s: State,
    w: Weights,
    net: Network,
    look: Lookahead,
    nodes: Sequence[Node],
    at: int,
    buf: list[int],
    n: int,
) -> None:
    """Give the node its most promising decisions as children, unlike ones only."""
    v = look.survey
    rate_all(b, s, w, v, buf, n)
    if net.has_promise != 0:
        prepare_promise(b, s, w, v, net, look.layers)
    start = look.nodes
    room = min(CHILDREN, len(nodes) - start)
    made = 0
    best = 0
    for _ in range(n):
        if made == room:
            break
        k = best_of(v, n)
        score = v.scores[k]
        v.scores[k] = WORST
        if score == WORST:
            break
        if made == 0:
            best = score
        elif best - score > 6 * look.softness:
            break
        kind = likeness(b, s, buf[k])
        if is_seen(look, made, kind):
            continue
        look.seen[made] = kind
        child = nodes[start + made]
        child.first = -1
        child.count = 0
        child.action = buf[k]
        child.visits = 0
        child.prior = (score - best) / look.softness
        if net.has_promise != 0:
            child.prior = promise_of(b, s, v, net, look.layers, buf[k], score, best)
        for p in range(s.players):
            child.sums[p] = 0.0
        made += 1
    soften(nodes, start, made)
    nodes[at].first = start
    nodes[at].count = made
    look.nodes = start + made


def soften(nodes: Sequence[Node], start: int, made: int) -> None:
    """Priors that are logarithms become shares of one."""
    best = -1.0e9
    for k in range(start, start + made):
        best = max(best, nodes[k].prior)
    weight = 0.0
    for k in range(start, start + made):
        nodes[k].prior = exp(nodes[k].prior - best)
        weight += nodes[k].prior
    for k in range(start, start + made):
        nodes[k].prior /= weight


def best_of(v: Survey, n: int) -> int:
    """The place of the decision rated best."""
    best = 0
    for k in range(1, n):
        if v.scores[k] > v.scores[best]:
            best = k
    return best


def is_seen(look: Lookahead, n: int, kind: int) -> bool:
    """Whether one of the first n children is of the same kind."""
    for k in range(n):
        if look.seen[k] == kind:
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
    look: Lookahead, nodes: Sequence[Node], at: int, player: int, buf: list[int], n: int
) -> int:
    """The child to follow: good so far, promising, or little tried; -1 if none is legal here."""
    node = nodes[at]
    seen = max(node.visits, 1)
    explore = look.explore / 100.0 * sqrt(seen)
    unseen = node.sums[player] / seen - UNSEEN_PENALTY
    chosen = -1
    most = -1.0e9
    for k in range(node.first, node.first + node.count):
        child = nodes[k]
        if not is_legal(buf, n, child.action):
            continue
        value = unseen
        if child.visits > 0:
            value = child.sums[player] / child.visits
        value += explore * child.prior / (1 + child.visits)
        if value > most:
            most = value
            chosen = k
    return chosen
