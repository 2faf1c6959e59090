"""What a search keeps between simulations: the tree, node by node, and one look ahead."""

from __future__ import annotations

from hansa.bots.judge.survey import Survey
from hansa.bots.learned.network import Layers
from hansa.bots.record import part, real, record, whole
from hansa.rules.codes import MAX_PLAYERS
from hansa.rules.state import MAX_MARKERS

PATH = 512
"""No simulation goes through more nodes of the tree."""
CHILDREN = 12
"""At most so many decisions are looked at in a node."""


@record
class Node:
    """A decision and what has come of it; 64 bytes, a line of the processor's cache."""

    first: int = whole(kind="i4")
    """The first child; the others follow. -1 until the node is opened."""
    count: int = whole(kind="i4")
    """How many children."""
    action: int = whole(kind="i4")
    """The decision that leads here."""
    visits: int = whole(kind="i4")
    prior: float = real()
    """How promising the judgement finds it, among its siblings."""
    sums: list[float] = real(MAX_PLAYERS)
    """Of each player's share of the win, over all visits."""


@record
class Lookahead:
    """How a search looks ahead, how far it has come, and what it works on meanwhile."""

    seed: int = whole()
    roots: int = whole()
    """Slots 0 … of the states hold so many sampled roots; the next slot is to work on."""
    horizon: int = whole()
    """Turns after the root's in which playing on stops."""
    viewer: int = whole()
    """Whose decision is searched: he knows what he may know."""
    explore: int = whole()
    """How much is explored, in hundredths."""
    softness: int = whole()
    """How far a decision may be rated below the best one, in hundredths of a point, and still count."""
    nodes: int = whole()
    """Nodes in use."""
    done: int = whole()
    """Simulations run."""
    stop: int = whole()
    """Not 0: no further simulation begins."""
    path: list[int] = whole(PATH)
    """The nodes of this simulation, from the root on."""
    seen: list[int] = whole(CHILDREN)
    """Likenesses of the decisions that a node being opened has got already."""
    hidden: list[int] = whole(MAX_MARKERS)
    """Where the markers lie that are dealt anew."""
    utility: list[float] = real(MAX_PLAYERS)
    """What this simulation came to: each player's share of the win."""
    survey: Survey = part(Survey)
    layers: Layers = part(Layers)
