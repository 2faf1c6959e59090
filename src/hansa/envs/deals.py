"""Fresh games by the thousand: the starting position of a seed without building it anew.

Only what chance decides differs between the games of a set-up, so a template is copied and that
part is written into it. The result is the position of `Setup.with_seed(seed).new_state()`.
"""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import numpy as np

from hansa import compiled
from hansa.grammar import MARKER_NAMES
from hansa.names import FAVOURS
from hansa.setup import MAX_SEED, Setup, marker_mix, shuffled

__all__ = ["Dealer", "checked_seed", "next_seed"]

SEEDS = 2**31 - 1
"""Seeds drawn by an environment stay below, so that they are easy to write down."""


def checked_seed(seed: Any) -> int:
    """A seed from outside as a number; raises ValueError."""
    number = isinstance(seed, int | np.integer) and not isinstance(seed, bool)
    if not number or not 0 <= int(seed) <= MAX_SEED:
        raise ValueError(f"a seed is a whole number from 0 to {MAX_SEED}, not {seed!r}")
    return int(seed)


def next_seed(chance: random.Random) -> int:
    """The seed of the next game."""
    return int(chance.random() * SEEDS)


class Dealer:
    """Starting positions of one set-up as records."""

    def __init__(self, setup: Setup) -> None:
        self._setup = setup
        self._template = compiled.state_records([setup.new_state()])
        tables = setup.tables
        self._taverns = [r for r in range(tables.n_routes) if tables.route_tavern[r]]
        self._codes = {name: k + 1 for k, name in enumerate(MARKER_NAMES)}
        self._others = sorted((marker_mix(setup) - Counter(setup.start_markers)).elements())
        cities = {city.id: k + 1 for k, city in enumerate(setup.board_data.cities)}
        deck = setup.board_data.missions if setup.missions else ()
        self._cards = [[cities[c] for c in card] for card in deck]

    def deal(self, states: Any, row: int, seed: int) -> None:
        """Write the game of this seed into a row of a record array (RANDOM-2 to -6)."""
        setup, codes = self._setup, self._codes
        chance = random.Random(seed)
        states[row] = self._template[0]
        starts = shuffled(chance, setup.start_markers)
        states["route_marker"][row, self._taverns] = [codes[marker] for marker in starts]
        kept = shuffled(chance, self._others)[len(setup.promos) :]
        supply = shuffled(chance, [*kept, *setup.promos])
        states["mark"][row, : len(supply)] = [codes[marker] for marker in supply]
        if setup.missions:
            cards = shuffled(chance, self._cards)[: setup.players]
            states["missions"][row, : 3 * setup.players] = [c for card in cards for c in card]
        if setup.favours:
            tiles = shuffled(chance, range(1, len(FAVOURS) + 1))[: setup.players]
            states["display"][row, : len(tiles)] = tiles
