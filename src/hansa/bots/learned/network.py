"""The networks of one kind of game: everybody's chance to win, and how promising a decision is."""

from __future__ import annotations

from math import exp

from hansa.bots.judge.survey import Survey
from hansa.bots.judge.weights import Weights
from hansa.bots.learned.decisions import ABOUT, NAMED, NAMES_EACH, Option, describe
from hansa.bots.learned.inputs import OWN, Sight, look, see_decider
from hansa.bots.record import part, real, record, whole
from hansa.rules.codes import MAX_PLAYERS
from hansa.rules.state import State
from hansa.rules.tables import Tables

WIDE, NARROW = 64, 32
"""Units of the two hidden layers that chances come from."""
UNITS = 32
"""Units of the hidden layer that promise comes from."""


@record
class Network:
    """The numbers of both networks; never changed while one plays."""

    has_chances: int = whole()
    """0: there are none, and the judgement's evaluation serves."""
    direct: list[float] = real(OWN)
    """What each input adds to a player's strength by itself."""
    first: list[float] = real(OWN * WIDE)
    """By input, WIDE a row."""
    first_bias: list[float] = real(WIDE)
    second: list[float] = real(WIDE * NARROW)
    """By unit of the first layer, NARROW a row."""
    second_bias: list[float] = real(NARROW)
    third: list[float] = real(NARROW)
    has_promise: int = whole()
    """0: there is none, and the judgement's ratings serve."""
    own: list[float] = real(OWN * UNITS)
    """By input of whoever decides, UNITS a row."""
    own_bias: list[float] = real(UNITS)
    about: list[float] = real(ABOUT * UNITS)
    names: list[float] = real(NAMED * UNITS)
    promise: list[float] = real(UNITS)
    promise_direct: list[float] = real(ABOUT)


@record
class Layers:
    """What the networks work on."""

    first: list[float] = real(WIDE)
    second: list[float] = real(NARROW)
    shares: list[float] = real(MAX_PLAYERS)
    """Everybody's chance to win."""
    common: list[float] = real(UNITS)
    """What is the same for all decisions of a position."""
    units: list[float] = real(UNITS)
    sight: Sight = part(Sight)
    option: Option = part(Option)


def expect(b: Tables, s: State, w: Weights, v: Survey, net: Network, layers: Layers) -> None:
    """Everybody's chance to win, written into the shares; they add up to one."""
    shares = layers.shares
    look(b, s, w, v, layers.sight)
    best = -1.0e9
    for p in range(s.players):
        shares[p] = strength(net, layers, OWN * p)
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


def prepare_promise(
    b: Tables, s: State, w: Weights, v: Survey, net: Network, layers: Layers
) -> None:
    """See with the eyes of whoever decides; his decisions have been rated."""
    see_decider(b, s, w, v, layers.sight)
    x = layers.sight.seen
    common = layers.common
    rows = net.own
    for j in range(UNITS):
        common[j] = net.own_bias[j]
    for k in range(OWN):
        value = x[k]
        if value != 0.0:
            row = UNITS * k
            for j in range(UNITS):
                common[j] += value * rows[row + j]


def promise_of(
    b: Tables,
    s: State,
    v: Survey,
    net: Network,
    layers: Layers,
    action: int,
    score: int,
    best: int,
) -> float:
    """How promising a decision is: the logarithm of how often a search would try it."""
    o = layers.option
    describe(b, s, v, o, action, score, best)
    units = layers.units
    rows = net.about
    result = 0.0
    for j in range(UNITS):
        units[j] = layers.common[j]
    for k in range(ABOUT):
        value = o.about[k]
        if value != 0.0:
            result += net.promise_direct[k] * value
            row = UNITS * k
            for j in range(UNITS):
                units[j] += value * rows[row + j]
    rows = net.names
    for k in range(NAMES_EACH):
        if o.names[k] >= 0:
            row = UNITS * o.names[k]
            for j in range(UNITS):
                units[j] += rows[row + j]
    for j in range(UNITS):
        if units[j] > 0.0:
            result += units[j] * net.promise[j]
    return result
