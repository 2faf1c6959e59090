"""Keeping what a tree knows when its root moves on to one of the decisions below it."""

from __future__ import annotations

from collections.abc import Sequence

from hansa.bots.tree.layout import Lookahead, Node

ABSENT = -1


def keep_below(
    looks: Sequence[Lookahead], nodes: Sequence[Node], moved: list[int], parents: list[int], at: int
) -> None:
    """The tree below a node becomes the whole tree, at the front of the nodes.

    Children lie behind their parents and side by side, so ascending passes meet parents first.
    `moved` and `parents` are room to work in, as long as the nodes.
    """
    last = looks[0].nodes
    for k in range(last):
        moved[k] = ABSENT
        parents[k] = ABSENT
    moved[at] = 0
    for k in range(at, last):
        first = nodes[k].first
        if moved[k] != ABSENT and first >= 0:
            parents[first] = k
            for child in range(first, first + nodes[k].count):
                moved[child] = 0  # where to, the next pass knows
    copy_node(nodes, at, 0)
    used = 1
    for first in range(at + 1, last):
        parent = parents[first]
        if parent == ABSENT:
            continue
        node = nodes[moved[parent]]
        node.first = used
        for k in range(node.count):
            moved[first + k] = used + k
            copy_node(nodes, first + k, used + k)
        used += node.count
    looks[0].nodes = used


def copy_node(nodes: Sequence[Node], here: int, there: int) -> None:
    """Field by field, because interpreted nodes are objects."""
    one = nodes[here]
    other = nodes[there]
    other.first = one.first
    other.count = one.count
    other.action = one.action
    other.visits = one.visits
    other.prior = one.prior
    for p in range(len(one.sums)):
        other.sums[p] = one.sums[p]
