"""The network: everybody's chance to win, from what it sees of each player."""

from __future__ import annotations

from math import exp

from hansa.bots.judge.survey import Survey
from hansa.bots.judge.weights import Weights
from hansa.bots.learned.inputs import OWN, SEEN, Sight, look
from hansa.bots.record import part, real, record, whole
from hansa.rules.codes import MAX_PLAYERS
from hansa.rules.state import State
from hansa.rules.tables import Tables

WIDE, NARROW = 64, 32
"""Units of the two hidden layers."""


@record
class Network:
    """The numbers of a network for one kind of game; never changed while one plays."""

    present: int = whole()
    """0: there is none, and the judgement's evaluation serves."""
    direct: list[float] = real(OWN)
    """What each input adds to the strength by itself."""
    first: list[float] = real(OWN * WIDE)
    """By input, WIDE a row."""
    first_bias: list[float] = real(WIDE)
    second: list[float] = real(WIDE * NARROW)
    """By unit of the first layer, NARROW a row."""
    second_bias: list[float] = real(NARROW)
    third: list[float] = real(NARROW)


@record
class Layers:
    """What a network works on."""

    first: list[float] = real(WIDE)
    second: list[float] = real(NARROW)
    shares: list[float] = real(MAX_PLAYERS)
    """Everybody's chance to win."""
    sight: Sight = part(Sight)


def expect(b: Tables, s: State, w: Weights, v: Survey, net: Network, layers: Layers) -> None:
    """Everybody's chance to win, written into the shares; they add up to one."""
    shares = layers.shares
    look(b, s, w, v, layers.sight)
    best = -1.0e9
    for p in range(s.players):
        shares[p] = strength(net, layers, SEEN * p)
        best = max(best, shares[p])
    together = 0.0
    for p in range(s.players):
        shares[p] = exp(shares[p] - best)
        together += shares[p]
    for p in range(s.players):
        shares[p] /= together


def strength(net: Network, layers: Layers, at: int) -> float:
    """How well the player stands whose inputs begin there."""
    x = layers.sight.seen
    one = layers.first
    two = layers.second
    rows = net.first
    result = 0.0
    for j in range(WIDE):
        one[j] = net.first_bias[j]
    for k in range(OWN):
        value = x[at + k]
        if value != 0.0:
            result += net.direct[k] * value
            row = WIDE * k
            for j in range(WIDE):
                one[j] += value * rows[row + j]
    rows = net.second
    for j in range(NARROW):
        two[j] = net.second_bias[j]
    for k in range(WIDE):
        value = one[k]
        if value > 0.0:
            row = NARROW * k
            for j in range(NARROW):
                two[j] += value * rows[row + j]
    for j in range(NARROW):
        if two[j] > 0.0:
            result += two[j] * net.third[j]
    return result
