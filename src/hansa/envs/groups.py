"""The games of a batch by set-up: each set-up has its board, its places and its deals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from hansa import compiled
from hansa.setup import Setup

from .deals import Dealer
from .layout import layout, where

__all__ = ["Group", "grouped"]


class Group:
    """The rows of one set-up, and what the loops must know of it."""

    def __init__(
        self, setup: Setup, rows: Sequence[int], games: int, version: int, *, jit: bool
    ) -> None:
        self.setup = setup
        self.layout = layout(setup.board, version)
        self.where = where(setup, version, jit=jit)
        self.dealer = Dealer(setup)
        self.boards: Any = compiled.board_record(setup.board_id) if jit else [setup.tables]
        self.rows = np.array(rows, np.int64)
        self._is_mine = np.zeros(games, np.bool_)
        self._is_mine[self.rows] = True

    def __contains__(self, row: int) -> bool:
        return bool(self._is_mine[row])

    def of(self, rows: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Those of the rows that have this set-up."""
        return rows if len(self.rows) == len(self._is_mine) else rows[self._is_mine[rows]]


def grouped(
    games: int, setups: Sequence[Setup | Mapping[str, Any]], version: int, *, jit: bool
) -> list[Group]:
    """The set-ups, dealt out over the games in turn; raises InvalidSetup."""
    rows: dict[Setup, list[int]] = {}
    made = [one if isinstance(one, Setup) else Setup(**one) for one in setups]
    for row in range(games):
        rows.setdefault(made[row % len(made)].with_seed(0), []).append(row)
    return [Group(setup, mine, games, version, jit=jit) for setup, mine in rows.items()]
