"""A search tree in memory: numpy arrays for compiled simulations, lists for interpreted ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from hansa import compiled
from hansa.game import Game
from hansa.names import PLAYERS as NAMES
from hansa.rules import codes
from hansa.rules.state import State

from . import compiling
from .judge.fitted import kind_of, new_work
from .tree import kernel, layout

__all__ = ["Tree"]

CHILDREN = 12
EXPLORE = 90
SOFTNESS = 70
NODES_FAST = 60_000
NODES_SLOW = 4_000


class _Slots(list[State]):
    """States that are copied when assigned, as the records of an array are."""

    def __setitem__(self, k: Any, state: Any) -> None:
        super().__setitem__(k, state.copy())


class Tree:
    """One tree of simulations from sampled positions that look alike to whoever decides."""

    def __init__(
        self,
        roots: Sequence[Game],
        seed: int,
        *,
        fast: bool,
        rounds: int = 1,
    ) -> None:
        game = roots[0]
        self.players = len(game.players)
        self._numbers: Any = [0] * layout.NUMBERS
        self._numbers[layout.NODES] = 1
        self._numbers[layout.SEED] = seed % 2147483646 + 1
        self._numbers[layout.ROOTS] = len(roots)
        self._numbers[layout.HORIZON] = rounds * self.players
        self._numbers[layout.VIEWER] = NAMES.index(game.player)
        self._numbers[layout.CHILDREN] = CHILDREN
        self._numbers[layout.EXPLORE] = EXPLORE
        self._numbers[layout.SOFTNESS] = SOFTNESS
        self._work: Any = new_work(kind_of(game.setup.board, self.players))
        self._simulate: Callable[..., None]
        if fast:
            self._set_up_fast(roots)
        else:
            self._set_up_slow(roots)
        self._first[0] = -1

    def _set_up_slow(self, roots: Sequence[Game]) -> None:
        states = _Slots(game._state.copy() for game in roots)  # noqa: SLF001  # searching works on states
        states.append(states[0].copy())
        self._boards: Any = [roots[0].setup.tables]
        self._states: Any = states
        nodes = NODES_SLOW
        self._buf: Any = [0] * codes.MAX_LEGAL
        self._keys: Any = [0] * layout.KEYS
        self._path: Any = [0] * layout.PATH
        self._first: Any = [0] * nodes
        self._count: Any = [0] * nodes
        self._action: Any = [0] * nodes
        self._prior: Any = [0.0] * nodes
        self._visits: Any = [0] * nodes
        self._sums: Any = [0.0] * (layout.PLAYERS * nodes)
        self._utility: Any = [0.0] * layout.PLAYERS
        self._simulate = kernel.simulate

    def _set_up_fast(self, roots: Sequence[Game]) -> None:
        import numpy as np  # noqa: PLC0415  # only where numba is

        self._simulate = compiling.simulate()
        packed = b"".join(game.pack() for game in [*roots, roots[0]])
        self._boards = compiled.board_record(roots[0].setup.board_id)
        self._states = np.frombuffer(packed, compiled.state_dtype()).copy()
        nodes = NODES_FAST
        self._numbers = np.array(self._numbers, np.int64)
        self._work = np.array(self._work, np.int64)
        self._buf = np.zeros(codes.MAX_LEGAL, np.int64)
        self._keys = np.zeros(layout.KEYS, np.int64)
        self._path = np.zeros(layout.PATH, np.int64)
        self._first = np.zeros(nodes, np.int64)
        self._count = np.zeros(nodes, np.int64)
        self._action = np.zeros(nodes, np.int64)
        self._prior = np.zeros(nodes, np.float64)
        self._visits = np.zeros(nodes, np.int64)
        self._sums = np.zeros(layout.PLAYERS * nodes, np.float64)
        self._utility = np.zeros(layout.PLAYERS, np.float64)

    @property
    def simulations(self) -> int:
        """How many simulations have been run."""
        return int(self._numbers[layout.DONE_SIMULATIONS])

    def stop(self) -> None:
        """No further simulation begins; may be called from another thread."""
        self._numbers[layout.STOP] = 1

    def run(self, simulations: int) -> None:
        """Run so many simulations; compiled, other threads go on meanwhile."""
        self._simulate(
            self._boards, self._states, self._work, self._buf, self._keys, self._path,
            self._numbers, self._first, self._count, self._action, self._prior, self._visits,
            self._sums, self._utility, simulations,
        )  # fmt: skip

    def options(self) -> list[tuple[int, int, list[float]]]:
        """The root's decisions: id, visits, and the sum of each player's share of the win."""
        start = int(self._first[0])
        if start < 0:
            return []
        found = []
        for child in range(start, start + int(self._count[0])):
            at = layout.PLAYERS * child
            shares = [float(share) for share in self._sums[at : at + self.players]]
            found.append((int(self._action[child]), int(self._visits[child]), shares))
        return found
