"""Many games at once: legal masks, decisions and playouts over arrays of states."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from hansa import compiled
from hansa.action import ACTIONS
from hansa.errors import IllegalAction, InvalidSetup
from hansa.game import Game
from hansa.names import PLAYERS
from hansa.rules import kernels as interpreted
from hansa.rules.capacity import MAX_LEGAL
from hansa.rules.codes import MAX_PLAYERS
from hansa.rules.state import STATE_SIZE, pack, unpack
from hansa.setup import Setup

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = ["Batch"]


class Batch:
    """Games of one set-up, their states side by side in one array.

    Compiled where numba is installed (the first use compiles), in threads that do not hold the
    interpreter; otherwise, or with `jit=False`, by the interpreted rules with the same results.

    >>> batch = Batch.new(hansa.Setup(board="east", players=3), seeds=range(4), jit=False)
    >>> batch.legal_masks().shape == (4, hansa.ACTIONS)
    True
    >>> batch.playout(seeds=[1, 2, 3, 4], most=20).tolist()
    [20, 20, 20, 20]
    """

    def __init__(
        self,
        setups: Sequence[Setup],
        states: npt.NDArray[Any],
        *,
        jit: bool | None = None,
        threads: int | None = None,
    ) -> None:
        if len({setup.with_seed(0) for setup in setups}) != 1:
            raise InvalidSetup("a batch needs at least one game, all of one set-up but the seed")
        self.setups = list(setups)
        self.states = states
        self.jit = compiled.is_available() if jit is None else jit
        self.threads = threads or os.cpu_count() or 1

    @classmethod
    def new(
        cls,
        setup: Setup,
        seeds: Iterable[int],
        *,
        jit: bool | None = None,
        threads: int | None = None,
    ) -> Batch:
        """Fresh games, one a seed."""
        setups = [setup.with_seed(seed) for seed in seeds]
        states = compiled.state_records(one.new_state() for one in setups)
        return cls(setups, states, jit=jit, threads=threads)

    @classmethod
    def from_games(
        cls, games: Sequence[Game], *, jit: bool | None = None, threads: int | None = None
    ) -> Batch:
        """The positions of these games."""
        states = compiled.state_records(game.state for game in games)
        return cls([game.setup for game in games], states, jit=jit, threads=threads)

    def __len__(self) -> int:
        return len(self.states)

    def copy(self) -> Batch:
        """An independent copy: one copy of bytes."""
        return Batch(self.setups, self.states.copy(), jit=self.jit, threads=self.threads)

    def game(self, i: int) -> Game:
        """One position as a Game."""
        return Game(self.setups[i], unpack(self.states[i : i + 1].tobytes()), patched=True)

    @property
    def over(self) -> npt.NDArray[np.bool_]:
        """Which games have ended."""
        import numpy as np

        return np.asarray(self.states["over"] != 0)

    @property
    def players(self) -> npt.NDArray[np.int8]:
        """Whose decision it is in each game, from 0."""
        import numpy as np

        return np.asarray(self.states["player"])

    def legal_masks(self, out: npt.NDArray[np.bool_] | None = None) -> npt.NDArray[np.bool_]:
        """A row of ACTIONS truth values a game; all False where it is over."""
        import numpy as np

        masks = np.zeros((len(self), ACTIONS), np.bool_) if out is None else out
        flat = masks.reshape(-1)

        def run(kernel: Any, boards: Any, states: Any, first: int, last: int, buf: Any) -> None:
            kernel.legal_many(boards, states, first, last, buf, flat)

        self._run(run, changes=False)
        return masks

    def apply(self, actions: npt.ArrayLike) -> None:
        """One decision in each game that is not over, by id; raises IllegalAction, nothing changed."""
        import numpy as np

        ids = np.ascontiguousarray(actions, np.int64)
        if ids.shape != (len(self),):
            raise ValueError(f"one action a game: expected {len(self)}, got {ids.shape}")
        legal = self.legal_masks()
        inside = (ids >= 0) & (ids < ACTIONS)
        allowed = inside & legal[np.arange(len(self)), np.where(inside, ids, 0)]
        wrong = np.flatnonzero(~self.over & ~allowed)
        if len(wrong):
            first = int(wrong[0])
            raise IllegalAction(f"game {first} of the batch: id {ids[first]} is not legal now")
        self.apply_trusted(ids)

    def apply_trusted(self, ids: npt.NDArray[np.int64]) -> None:
        """The same for ids known to be legal, e.g. drawn from `legal_masks`."""

        def run(kernel: Any, boards: Any, states: Any, first: int, last: int, _: Any) -> None:
            kernel.apply_many(boards, states, first, last, ids)

        self._run(run, changes=True)

    def playout(self, seeds: Sequence[int], most: int) -> npt.NDArray[np.int64]:
        """Play each game on by the playout policy, to its end or `most` decisions; the lengths."""
        import numpy as np

        chance = np.ascontiguousarray(seeds, np.int64) % (2**31 - 2) + 1
        played = np.zeros(len(self), np.int64)

        def run(kernel: Any, boards: Any, states: Any, first: int, last: int, buf: Any) -> None:
            kernel.play_many(boards, states, first, last, buf, chance, most, played)

        self._run(run, changes=True)
        return played

    def results(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Totals and wins of the seats as if the games ended now: two arrays, a row a game."""
        import numpy as np

        totals = np.zeros((len(self), MAX_PLAYERS), np.int64)
        wins = np.zeros((len(self), MAX_PLAYERS), np.int64)

        def run(kernel: Any, boards: Any, states: Any, first: int, last: int, _: Any) -> None:
            kernel.results_many(boards, states, first, last, totals.reshape(-1), wins.reshape(-1))

        self._run(run, changes=False)
        return totals, wins

    def names(self) -> tuple[str, ...]:
        """The players of every game, in the order of the columns of `results`."""
        return PLAYERS[: self.setups[0].players]

    def _run(self, task: Callable[..., None], *, changes: bool) -> None:
        """Run a kernel over all states, compiled in threads or interpreted."""
        import numpy as np

        if not self.jit:
            self._interpret(task, changes=changes)
            return
        kernel = compiled.kernels()
        boards = compiled.board_record(self.setups[0].board_id)
        workers = max(1, min(self.threads, len(self)))
        edges = [len(self) * k // workers for k in range(workers + 1)]

        def part(k: int) -> None:
            task(kernel, boards, self.states, edges[k], edges[k + 1], np.zeros(MAX_LEGAL, np.int64))

        if workers == 1:
            part(0)
            return
        with ThreadPoolExecutor(workers) as pool:
            list(pool.map(part, range(workers)))

    def _interpret(self, task: Callable[..., None], *, changes: bool) -> None:
        import numpy as np

        rows = self.states.view(np.uint8).reshape(len(self), STATE_SIZE)
        states = [unpack(row.tobytes()) for row in rows]
        task(interpreted, [self.setups[0].tables], states, 0, len(self), [0] * MAX_LEGAL)
        if changes:
            for row, state in zip(rows, states, strict=True):
                row[:] = np.frombuffer(pack(state), np.uint8)
