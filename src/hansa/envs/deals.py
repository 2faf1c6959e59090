"""Fresh games by the thousand: the starting position of a seed without building it anew.

Only what chance decides differs between the games of a set-up, so a template is copied and that
part is written into it. The result is the position of `Setup.with_seed(seed).new_state()`.
"""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import numpy as np

from hansa.grammar import MARKER_NAMES
from hansa.names import FAVOURS
from hansa.rules.state import State, pack
from hansa.setup import MAX_SEED, Setup, marker_mix

from .dealing import WORDS, WORK, deal, first_words

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


def _hand(setup: Setup) -> list[int]:
    """What is dealt, as `dealing.py` reads it."""
    tables = setup.tables
    codes = {name: k + 1 for k, name in enumerate(MARKER_NAMES)}
    taverns = [r for r in range(tables.n_routes) if tables.route_tavern[r]]
    starts = [codes[marker] for marker in setup.start_markers]
    mix = marker_mix(setup) - Counter(setup.start_markers)
    others = [codes[marker] for marker in sorted(mix.elements())]
    promos = [codes[marker] for marker in setup.promos]
    deck = setup.board_data.missions if setup.missions else ()
    cards = [setup.city_numbers[city] + 1 for card in deck for city in card]
    tiles = len(FAVOURS) if setup.favours else 0
    words = [0] * WORDS
    first_words(words)
    numbers = len(starts), len(others), len(promos), len(deck), tiles, setup.players
    return [*words, *numbers, *taverns, *starts, *others, *promos, *cards]


class Dealer:
    """Starting positions of one set-up, as states or as records."""

    def __init__(self, setup: Setup) -> None:
        self._template = setup.new_state()
        self._hand = _hand(setup)
        self._record = np.frombuffer(pack(self._template), np.uint8)
        self.hand = np.array(self._hand, np.int64)

    def state(self, seed: int) -> State:
        """The position of a seed."""
        s = self._template.copy()
        deal(s, self._hand, seed, [0] * (WORDS + 1), [0] * WORK)
        return s

    def lay_out(self, records: Any, rows: Any) -> None:
        """Copy the template into rows of a record array, for a compiled deal."""
        # As bytes: numpy takes six times as long to copy a record field by field.
        records.view(np.uint8).reshape(len(records), -1)[rows] = self._record

    def deal(self, run: Any, records: Any, rows: Any, seeds: Any) -> None:
        """Compiled: write the games of these seeds into rows of a record array."""
        self.lay_out(records, rows)
        words, work = np.zeros(WORDS + 1, np.int64), np.zeros(WORK, np.int64)
        run.deal_many(records, rows, seeds, self.hand, words, work)
