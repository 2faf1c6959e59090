"""The games of a batch where they stand: their arrays, looked at and kept."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from operator import index
from typing import Any, Self, SupportsIndex

import numpy as np
import numpy.typing as npt

from hansa import compiled
from hansa.action import ACTIONS
from hansa.game import Game
from hansa.names import PLAYERS
from hansa.rules.capacity import MAX_LEGAL
from hansa.rules.state import pack, unpack
from hansa.setup import Setup

from . import kernels as k
from . import preparing
from .groups import Group
from .keeping import restored, saved
from .preparing import Desk
from .rewards import reward_code

__all__ = ["Stage"]

SAVED = (
    *("_book", "_ended", "final_observations", "final_scores"),
    *("legal", "legal_ids", "observations", "rewards"),
)
"""The arrays that a saved batch has beside the states."""


class Stage:
    """States, what is seen of them and what is written in the book, a row for each game."""

    def __init__(
        self,
        games: int,
        groups: list[Group],
        reward: str | Sequence[str],
        most: int,
        *,
        skip_forced: bool,
        masks: bool,
        threads: int | None,
        jit: bool,
    ) -> None:
        self.jit = jit
        self._groups = groups
        self.setup, self.layout = groups[0].setup, groups[0].layout
        self._kernels = preparing.kernels(jit=jit)
        self._weights = preparing.weights(jit=jit)
        self._allocate(games, reward, most, skips=skip_forced, masks=masks)
        self._workers = max(1, min(threads or os.cpu_count() or 1, games)) if self.jit else 1
        self._pool = ThreadPoolExecutor(self._workers) if self._workers > 1 else None
        #: Made once, since that takes as long as twenty games' decisions; one for each part.
        self._desks: list[Desk] = []

    def _allocate(
        self, games: int, reward: str | Sequence[str], most: int, *, skips: bool, masks: bool
    ) -> None:
        kinds = [reward_code(name) for name in ([reward] if isinstance(reward, str) else reward)]
        seats = max(group.setup.players for group in self._groups)
        width = max(group.layout.size for group in self._groups)
        several = () if isinstance(reward, str) else (len(kinds),)
        self.observations = np.zeros((games, width), np.int8)
        self.legal = np.zeros((games, ACTIONS if masks else 0), np.bool_)
        self.rewards = np.zeros((games, seats, *several), np.float32)
        self.final_observations = np.zeros((games, width), np.int8)
        self.final_scores = np.zeros((games, seats), np.int32)
        self.legal_ids = np.zeros((games, MAX_LEGAL), np.int16)
        self._ended = np.zeros((2, games), np.bool_)
        self.terminated, self.truncated = self._ended
        self._book = np.zeros((games, k.COLUMNS), np.int64)
        self.players, self.decisions = self._book[:, k.PLAYER], self._book[:, k.AGE]
        self.learners = self._book[:, k.EYES]
        self.seeds, self.legal_counts = self._book[:, k.SEED], self._book[:, k.LEGAL]
        wanted = {k.MOST: most, k.SKIPS: skips, k.SEATS: seats, k.WIDTH: width, k.MASKS: masks}
        self._wanted = np.array([*([0] * k.PAID), *kinds], np.int64)
        for place, value in wanted.items():
            self._wanted[place] = value
        self._wanted[k.TOTALS] = k.GAIN in kinds
        self._wanted[k.RUNNING] = k.GAIN in kinds or k.POINTS in kinds
        self._records = np.zeros(games, compiled.state_dtype())
        self._states: Any = self._records if self.jit else [None] * games
        self._actions = np.zeros(games, np.int64)
        self._all = np.arange(games)
        self._shown = np.full(games, -1, np.int8)

    def __len__(self) -> int:
        return len(self.players)

    # Running.

    def _run_all(self, mode: int, rows: npt.NDArray[np.int64]) -> None:
        def task(desk: Desk, group: Group, rows: Any, first: int, last: int) -> None:
            self._kernels.advance_many(
                group.boards, self._states, self._weights, desk.surveys, desk.room, self._shown,
                rows, first, last, mode, self._actions, desk.ids, group.where,
                self._wanted, self._book, self.observations.reshape(-1),
                self.legal.reshape(-1).view(np.int8), self.legal_ids.reshape(-1),
                self.rewards.reshape(-1), self.terminated.view(np.int8),
                self.truncated.view(np.int8),
            )  # fmt: skip

        self._run(task, rows)

    def _run(
        self, task: Callable[[Desk, Group, Any, int, int], None], rows: npt.NDArray[np.int64]
    ) -> None:
        """Run a task over the rows of each set-up, cut into one part a thread."""
        parts: list[tuple[Desk, Group, Any, int, int]] = []
        for group in self._groups:
            mine = group.of(rows)
            workers = min(self._workers, len(mine))
            edges = [len(mine) * w // max(workers, 1) for w in range(workers + 1)]
            for first, last in pairwise(edges):
                if len(parts) == len(self._desks):
                    self._desks.append(Desk(jit=self.jit))
                parts.append((self._desks[len(parts)], group, mine, first, last))
        if self._pool is None or len(parts) < 2:
            for part in parts:
                task(*part)
            return
        for running in [self._pool.submit(task, *part) for part in parts]:
            running.result()

    def look(self) -> None:
        """Write observations, masks and players anew, should a learner have written into them.

        A step changes them only where a game has changed.
        """
        self._run_all(k.LOOK, self._all)

    def observe(self, seat: str | SupportsIndex | npt.ArrayLike) -> npt.NDArray[np.int8]:
        """What a seat (`p1`, or a number; or one for each game) sees, in an array of its own."""
        number: Any = PLAYERS.index(seat) if isinstance(seat, str) and seat in PLAYERS else seat
        viewers = np.broadcast_to(np.asarray(number, np.int64), (len(self),)).copy()
        for group in self._groups:
            mine = viewers[group.rows]
            if len(mine) and not (mine.min() >= 0 and mine.max() < group.setup.players):
                raise ValueError(f"seats are p1 to p{group.setup.players}, not {seat!r}")
        seen = np.zeros_like(self.observations)

        def task(_desk: Desk, group: Group, rows: Any, first: int, last: int) -> None:
            self._kernels.see_many(
                group.boards, self._states, rows, first, last, viewers, group.where,
                seen.shape[1], seen.reshape(-1),
            )  # fmt: skip

        self._run(task, self._all)
        return seen

    def scores(self) -> npt.NDArray[np.int32]:
        """Everybody's points as if the games ended now, in an array of its own."""
        found = np.zeros_like(self.final_scores)
        self._score(self._all, found)
        return found

    def _score(self, rows: npt.NDArray[np.int64], into: npt.NDArray[np.int32]) -> None:
        def task(_desk: Desk, group: Group, rows: Any, first: int, last: int) -> None:
            self._kernels.score_many(
                group.boards, self._states, rows, first, last, into.shape[1], into.reshape(-1)
            )

        self._run(task, rows)

    def setup_of(self, row: SupportsIndex) -> Setup:
        """The set-up of one game, with its seed."""
        i = index(row)
        if not 0 <= i < len(self):
            raise ValueError(f"games have the numbers 0 to {len(self) - 1}, not {i}")
        group = next(group for group in self._groups if i in group)
        return group.setup.with_seed(int(self.seeds[i]))

    def game(self, row: SupportsIndex) -> Game:
        """The position of one game, as a `Game` of its own."""
        setup, i = self.setup_of(row), index(row)
        packed = self._records[i : i + 1]
        state = unpack(packed.tobytes()) if self.jit else self._states[i].copy()
        return Game(setup, state, patched=True)

    def _put(self, row: int, packed: bytes) -> None:
        if self.jit:
            self._records[row : row + 1] = np.frombuffer(packed, self._records.dtype)
        else:
            self._states[row] = unpack(packed)

    def _arrays(self) -> dict[str, npt.NDArray[Any]]:
        """All that changes in the course of the games."""
        if not self.jit:
            for i, state in enumerate(self._states):
                self._records[i : i + 1] = np.frombuffer(pack(state), self._records.dtype)
        kept = {name: getattr(self, name) for name in SAVED}
        return {**kept, "states": self._records.view(np.uint8)}

    def save(self) -> bytes:
        """Where all games stand, for `restore` of a batch made with the same options."""
        return saved(self._arrays())

    def restore(self, data: bytes) -> None:
        """Go back to where `save` was called; raises ValueError, nothing changed."""
        restored(data, self._arrays())
        self._shown[:] = -1
        if not self.jit:
            for i in range(len(self)):
                self._states[i] = unpack(self._records[i : i + 1].tobytes())

    def close(self) -> None:
        """Let the threads go."""
        if self._pool is not None:
            self._pool.shutdown()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
