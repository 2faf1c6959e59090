"""Thousands of games in place: every array is allocated once and written over at every step.

>>> from hansa.envs.batch import BatchEnv
>>> env = BatchEnv(4, board="east", players=3, seed=1, jit=False)
>>> env.observations.shape, env.legal.shape == (4, hansa.ACTIONS)
((4, 2725), True)
>>> for _ in range(20):
...     env.step(env.sample())
>>> env.decisions.tolist()
[20, 20, 20, 20]
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from operator import index
from typing import Any, Self, SupportsIndex, Unpack

import numpy as np
import numpy.typing as npt

from hansa import compiled
from hansa.action import ACTIONS
from hansa.errors import IllegalAction, InvalidSetup
from hansa.game import Game
from hansa.rules.capacity import MAX_LEGAL
from hansa.rules.state import unpack
from hansa.setup import MAX_SEED, Options, Setup

from . import preparing
from .deals import Dealer, checked_seed
from .layout import layout, where
from .rewards import checked_limit, reward_code
from .single import runs_compiled

__all__ = ["BatchEnv"]

STREAMS = 2**31 - 2


class BatchEnv:
    """Games of one set-up, stepped together; compiled in threads that do not hold the interpreter.

    After `reset` and `step` these arrays, always the same ones, tell where the games stand:

    - `observations` (games, size): what the deciding player of each game sees
    - `legal` (games, ACTIONS): his legal decisions; none where a game has ended
    - `players` (games): who he is, from 0
    - `rewards` (games, players): what each seat got for the last decision
    - `terminated`, `truncated` (games): whether that decision ended the game, or the limit did
    - `decisions` (games): how many decisions the game in play has seen
    - `seeds` (games): its seed, as `hansa.Game.new` takes it

    With `auto_reset` a game that ends is at once followed by the next, and what can be seen is
    already that one; without, it stands still until `reset(rows)`. Game `i` begins with seed
    `seed + i`, its next has `games` more, and so on. `jit` None compiles where numba is
    installed, which takes minutes the first time. Options as in `hansa_v1`; raises InvalidSetup.
    """

    def __init__(
        self,
        games: int,
        *,
        seed: int = 0,
        reward: str = "win",
        max_decisions: int | None = 10_000,
        version: int = 1,
        auto_reset: bool = True,
        threads: int | None = None,
        jit: bool | None = None,
        **options: Unpack[Options],
    ) -> None:
        number: Any = games
        if isinstance(number, bool) or not isinstance(number, int) or number < 1:
            raise InvalidSetup(f"games must be a whole number from 1 on, not {games!r}")
        self.setup = Setup(**options)
        self.layout = layout(self.setup.board, version)
        self.auto_reset = auto_reset
        self.jit = runs_compiled(compiled.is_available() if jit is None else jit)
        self._reward, self._most = reward_code(reward), checked_limit(max_decisions)
        self._allocate(games)
        self._kernels, self._where = preparing.kernels(jit=self.jit), where(self.setup, version)
        self._dealer = Dealer(self.setup)
        self._boards: Any = [self.setup.tables]
        self._states: Any = [self.setup.new_state()] * games
        if self.jit:
            self._boards = compiled.board_record(self.setup.board_id)
            self._states = self._records
        self._workers = max(1, min(threads or os.cpu_count() or 1, games)) if self.jit else 1
        self._pool = ThreadPoolExecutor(self._workers) if self._workers > 1 else None
        self.reset(seed=seed)

    def _allocate(self, games: int) -> None:
        self.observations = np.zeros((games, self.layout.size), np.int8)
        self.legal = np.zeros((games, ACTIONS), np.bool_)
        self.players = np.zeros(games, np.int64)
        self.rewards = np.zeros((games, self.setup.players), np.float32)
        self.terminated = np.zeros(games, np.bool_)
        self.truncated = np.zeros(games, np.bool_)
        self.decisions = np.zeros(games, np.int64)
        self.seeds = np.zeros(games, np.int64)
        self._records = np.zeros(games, compiled.state_dtype())
        self._streams = np.ones(games, np.int64)
        self._actions = np.zeros(games, np.int64)
        self._ids = np.zeros(games * MAX_LEGAL, np.int16)
        self._counts = np.zeros(games, np.int64)
        self._all = np.arange(games)

    def __len__(self) -> int:
        return len(self.players)

    # Beginning.

    def reset(self, rows: npt.ArrayLike | None = None, *, seed: int | None = None) -> None:
        """Begin the next games in these rows (numbers or truth values), or in all.

        With a seed, all games begin as if the environment had been made with it.
        """
        if seed is not None:
            if rows is not None:
                raise ValueError("a seed resets all games: leave the rows out")
            first = checked_seed(seed)
            if first > MAX_SEED - len(self):
                raise ValueError(f"the seed must leave room for {len(self)} games below {MAX_SEED}")
            self.seeds[:] = first + self._all
            self._streams[:] = (first * len(self) + self._all) % STREAMS + 1
            chosen = self._all
        else:
            chosen = self._all if rows is None else self._rows(rows)
            self.seeds[chosen] += len(self)
        self.terminated[chosen] = self.truncated[chosen] = False
        self.rewards[chosen] = 0.0
        self._deal(chosen)

    def _rows(self, rows: npt.ArrayLike) -> npt.NDArray[np.int64]:
        given = np.asarray(rows)
        if given.dtype == np.bool_:
            if given.shape != (len(self),):
                raise ValueError(f"rows: {len(self)} truth values, not {given.shape}")
            return np.flatnonzero(given)
        if given.ndim != 1 or (given.size and not np.issubdtype(given.dtype, np.integer)):
            raise ValueError("rows: a list of numbers of games, or of truth values")
        chosen = np.unique(given.astype(np.int64))
        if chosen.size and not (chosen[0] >= 0 and chosen[-1] < len(self)):
            raise ValueError(f"rows: numbers from 0 to {len(self) - 1}")
        return chosen

    def _deal(self, rows: npt.NDArray[np.int64]) -> None:
        """Put fresh games into the rows and look at them."""
        for row in rows:
            self._dealer.deal(self._records, row, int(self.seeds[row]))
            if not self.jit:
                self._states[row] = unpack(self._records[row : row + 1].tobytes())
        self.decisions[rows] = 0
        self._look(rows)

    def look(self) -> None:
        """Write observations, masks and players anew, should a learner have written into them."""
        self._look(self._all)

    def _look(self, rows: npt.NDArray[np.int64]) -> None:
        def task(first: int, last: int, buffer: Any) -> None:
            self._kernels.look_many(
                self._boards, self._states, rows, first, last, buffer, self._where,
                self.observations.reshape(-1), self.legal.reshape(-1).view(np.int8),
                self._ids, self._counts, self.players,
            )  # fmt: skip

        self._run(task, len(rows))

    # Playing.

    def step(self, actions: npt.ArrayLike) -> None:
        """One decision in each game; raises IllegalAction, naming the game, nothing changed.

        What is given for a game that has ended is not looked at.
        """
        given = np.asarray(actions)
        if given.shape != (len(self),) or not np.issubdtype(given.dtype, np.integer):
            raise ValueError(f"actions: {len(self)} whole numbers, not {given.shape} {given.dtype}")
        if self.auto_reset:
            self.terminated[:] = self.truncated[:] = False
        self._check(given)
        self._actions[:] = given
        self._run(self._step_part, len(self))
        if self.auto_reset:
            ended = np.flatnonzero(self.terminated | self.truncated)
            if len(ended):
                self.seeds[ended] += len(self)
                self._deal(ended)

    def _check(self, actions: npt.NDArray[Any]) -> None:
        inside = (actions >= 0) & (actions < ACTIONS)
        allowed = self.legal[self._all, np.where(inside, actions, 0)] & inside
        wrong = np.flatnonzero(~(allowed | self.terminated | self.truncated))
        if len(wrong):
            row = int(wrong[0])
            raise IllegalAction(f"game {row} of the batch: id {actions[row]} is not legal now")

    def _step_part(self, first: int, last: int, buffer: Any) -> None:
        self._kernels.step_many(
            self._boards, self._states, first, last, self._actions, buffer, self._where,
            self._reward, self._most, self.setup.players, self.decisions,
            self.observations.reshape(-1), self.legal.reshape(-1).view(np.int8),
            self._ids, self._counts, self.players,
            self.rewards.reshape(-1), self.terminated.view(np.int8), self.truncated.view(np.int8),
        )  # fmt: skip

    def sample(self, policy: str = "uniform") -> npt.NDArray[np.int64]:
        """A legal decision for each game: `uniform`, or `sensible` as playouts draw them.

        Drawn from streams of random numbers that begin anew with `reset(seed=…)`; 0 where a
        game has ended. Uniform play hardly ever ends a game, sensible play does.
        """
        if policy not in {"uniform", "sensible"}:
            raise ValueError(f"unknown policy {policy!r}: uniform or sensible")
        actions = np.zeros(len(self), np.int64)

        def task(first: int, last: int, buffer: Any) -> None:
            self._kernels.sample_many(
                self._boards, self._states, first, last, buffer, int(policy == "sensible"),
                self._ids, self._counts, self._streams, actions,
            )  # fmt: skip

        self._run(task, len(self))
        return actions

    def _run(self, task: Callable[[int, int, Any], None], number: int) -> None:
        """Run a task over the numbers 0 … number - 1, cut into one part a thread."""
        workers = min(self._workers, number)
        if self._pool is None or workers < 2:
            task(0, number, np.zeros(MAX_LEGAL, np.int64) if self.jit else [0] * MAX_LEGAL)
            return
        edges = [number * k // workers for k in range(workers + 1)]
        parts = [
            self._pool.submit(task, edges[k], edges[k + 1], np.zeros(MAX_LEGAL, np.int64))
            for k in range(workers)
        ]
        for part in parts:
            part.result()

    # Looking closer.

    def game(self, row: SupportsIndex) -> Game:
        """The position of one game, as a `Game` of its own."""
        i = index(row)
        if not 0 <= i < len(self):
            raise ValueError(f"games have the numbers 0 to {len(self) - 1}, not {i}")
        packed = self._records[i : i + 1]
        state = unpack(packed.tobytes()) if self.jit else self._states[i].copy()
        return Game(self.setup.with_seed(int(self.seeds[i])), state, patched=True)

    def close(self) -> None:
        """Let the threads go."""
        if self._pool is not None:
            self._pool.shutdown()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
