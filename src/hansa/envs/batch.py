"""Thousands of games in place: every array is allocated once and written over at every step.

>>> from hansa.envs.batch import BatchEnv
>>> env = BatchEnv(4, board="east", players=3, seed=1, jit=False)
>>> env.observations.shape, env.legal.shape == (4, hansa.ACTIONS)
((4, 2725), True)
>>> for _ in range(20):
...     env.step(env.sample())
>>> env.decisions.tolist()
[20, 20, 20, 20]

A learner against opponents that decide inside the batch:

>>> env = BatchEnv(2, players=3, opponents="greedy", seat="p2", reward=("win", "gain"), jit=False)
>>> env.players.tolist(), env.rewards.shape
([1, 1], (2, 3, 2))
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Self, Unpack

import numpy as np
import numpy.typing as npt

from hansa import compiled
from hansa.action import ACTIONS
from hansa.errors import IllegalAction, InvalidSetup
from hansa.game import Game
from hansa.names import PLAYERS
from hansa.rules.state import pack
from hansa.setup import MAX_SEED, Options, Setup

from . import kernels as k
from .deals import checked_seed
from .groups import Group, grouped
from .opponents import Opponent, Opponents
from .preparing import Desk
from .rewards import checked_limit
from .single import runs_compiled
from .stage import Stage

__all__ = ["BatchEnv"]

STREAMS = 2**31 - 2
POLICIES = {"uniform": k.RANDOM, "sensible": k.SENSIBLE, "greedy": k.GREEDY}


class BatchEnv(Stage):
    """Games stepped together; compiled in threads that do not hold the interpreter.

    After `reset` and `step` these arrays, always the same ones, tell where the games stand:

    - `observations` (games, size): what the deciding player of each game sees
    - `legal` (games, ACTIONS): his legal decisions; none where a game has ended
    - `legal_ids` (games, most), `legal_counts` (games): the same as lists
    - `players` (games): who he is, from 0
    - `learners` (games): the learner's seat among `opponents`, -1 without any
    - `rewards` (games, players): what each seat got; with several kinds one axis more
    - `terminated`, `truncated` (games): whether that ended the game, or the limit did
    - `final_observations`, `final_scores`: the last ones of the game that ended last in this row
    - `decisions` (games): how many decisions the game in play has seen
    - `seeds` (games): its seed, as `hansa.Game.new` takes it

    With `auto_reset` a game that ends is at once followed by the next, and what can be seen is
    already that one; without, it stands still until `reset(rows)`. Game `i` begins with seed
    `seed + i`, its next has `games` more, and so on.

    `opponents` decide for all seats but `seat` (None: another in every game): one for all, or one
    for each clockwise; `greedy`, `random` and `sensible` inside compiled code, a bot (or its text)
    or a policy from Python. A step then is one of the learner's decisions and all that follow it.
    `skip_forced` takes decisions without a choice by itself. `setups` deals several set-ups in turn
    over the games. `illegal_reward` ends a game by an illegal decision instead of raising. `masks`
    False leaves `legal` out. `version` is that of the observations. `jit` None compiles where numba
    is installed, which takes minutes the first time. Options as in `hansa_v1`; raises InvalidSetup.
    """

    def __init__(
        self,
        games: int,
        *,
        seed: int = 0,
        reward: str | Sequence[str] = "win",
        max_decisions: int | None = 10_000,
        version: int = 1,
        opponents: Opponent | Sequence[Opponent] | None = None,
        seat: str | None = "p1",
        setups: Sequence[Setup | Mapping[str, Any]] | None = None,
        skip_forced: bool = False,
        masks: bool = True,
        illegal_reward: float | None = None,
        auto_reset: bool = True,
        threads: int | None = None,
        jit: bool | None = None,
        **options: Unpack[Options],
    ) -> None:
        self._made: dict[str, Any] = {
            "reward": reward, "max_decisions": max_decisions, "version": version,
            "opponents": opponents, "seat": seat, "setups": setups, "skip_forced": skip_forced,
            "masks": masks, "illegal_reward": illegal_reward, "auto_reset": auto_reset,
            "threads": threads, "jit": jit, **options,
        }  # fmt: skip
        number: Any = games
        if isinstance(number, bool) or not isinstance(number, int) or number < 1:
            raise InvalidSetup(f"games must be a whole number from 1 on, not {games!r}")
        if setups is not None and options:
            raise InvalidSetup(f"give setups, or {', '.join(options)}, not both")
        self.auto_reset = auto_reset
        compiles = runs_compiled(compiled.is_available() if jit is None else jit)
        super().__init__(
            games,
            grouped(games, setups or [Setup(**options)], version, jit=compiles),
            reward,
            checked_limit(max_decisions),
            skip_forced=skip_forced,
            masks=masks,
            threads=threads,
            jit=compiles,
        )
        self._opponents = None if opponents is None else Opponents(opponents)
        self._seat = self._checked_seat(seat)
        self._illegal = illegal_reward
        self.reset(seed=seed)

    def _checked_seat(self, seat: str | None) -> int | None:
        fewest = min(group.setup.players for group in self._groups)
        if seat is not None and seat not in PLAYERS[:fewest]:
            seats = ", ".join(PLAYERS[:fewest])
            raise InvalidSetup(f"seat must be one of {seats} or None, not {seat!r}")
        if self._opponents is not None:
            for group in self._groups:
                self._opponents.codes(group.setup.players)
        return None if seat is None else PLAYERS.index(seat)

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
            self._book[:, k.STREAM] = (first * len(self) + self._all) % STREAMS + 1
            chosen = self._all
        else:
            chosen = self._all if rows is None else self._rows(rows)
            self.seeds[chosen] += len(self)
        self._ended[:, chosen] = False
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
        """Put fresh games into the rows and bring them to the first decision from outside."""
        for group in self._groups:
            mine = group.of(rows)
            if self.jit:
                group.dealer.deal(self._kernels, self._records, mine, self.seeds[mine])
            else:
                for row in mine:
                    self._states[row] = group.dealer.state(int(self.seeds[row]))
        self._begin(rows)

    def _begin(self, rows: npt.NDArray[np.int64]) -> None:
        self.decisions[rows] = 0
        for group in self._groups:
            self._seat_down(group, group.of(rows))
        self._advance(k.BEGIN, rows)

    def _seat_down(self, group: Group, rows: npt.NDArray[np.int64]) -> None:
        """Who decides for which seat in these games."""
        players = group.setup.players
        if self._opponents is None:
            self._book[rows, k.EYES] = -1
            return
        seats = self.seeds[rows] % players if self._seat is None else np.full(len(rows), self._seat)
        self._book[rows, k.EYES] = seats
        self._book[rows, k.BY + seats] = k.OUTSIDE
        for turn, code in enumerate(self._opponents.codes(players), 1):
            self._book[rows, k.BY + (seats + turn) % players] = code

    # Playing.

    def step(self, actions: npt.ArrayLike) -> None:
        """One decision in each game; raises IllegalAction, naming the game, nothing changed.

        What is given for a game that has ended is not looked at.
        """
        given = np.asarray(actions)
        if given.shape != (len(self),) or given.dtype.kind not in "iu":
            raise ValueError(f"actions: {len(self)} whole numbers, not {given.shape} {given.dtype}")
        goes_on = self._all if self.auto_reset else np.flatnonzero(~self._ended.any(axis=0))
        self._actions[:] = given
        wrong = self._illegal_rows(goes_on)
        if self.auto_reset:
            self._ended[:] = False
        self.rewards[:] = 0.0
        if len(wrong):
            self.terminated[wrong] = True
            self.rewards[wrong, self.players[wrong]] = self._illegal
            goes_on = np.setdiff1d(goes_on, wrong)
        self._advance(k.STEP, goes_on)
        if not self._ended.any():
            return
        ended = np.flatnonzero(self._ended.any(axis=0))
        self._keep_last(np.intersect1d(ended, np.union1d(goes_on, wrong)))
        if self.auto_reset:
            self.seeds[ended] += len(self)
            self._deal(ended)

    def _illegal_rows(self, rows: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """The games whose decision is not legal; raises IllegalAction unless they are to end."""
        wrong: list[int] = []
        at = -1
        while True:
            at = self._kernels.first_illegal(
                rows, at + 1, self._actions, self._book, self.legal_ids.reshape(-1)
            )
            if at < 0:
                return np.array(wrong, np.int64)
            row = int(rows[at])
            if self._illegal is None:
                given = self._actions[row]
                raise IllegalAction(f"game {row} of the batch: id {given} is not legal now")
            wrong.append(row)

    def _keep_last(self, ended: npt.NDArray[np.int64]) -> None:
        """The last observation and the scores of games that have just ended."""
        if len(ended):
            self.final_observations[ended] = self.observations[ended]
            self._score(ended, self.final_scores)

    def _advance(self, mode: int, rows: npt.NDArray[np.int64]) -> None:
        """Go on until a decision of the learner, asking opponents of Python on the way."""
        self._run_all(mode, rows)
        while self._opponents is not None:
            by = self._book[self._all, k.BY + self.players]
            waits = (by >= k.CALLED) & ~self._ended.any(axis=0)
            waiting = rows[waits[rows]]
            if len(waiting) == 0:
                return
            for code in np.unique(by[waiting]):
                self._ask(self._opponents, int(code), waiting[by[waiting] == code])
            rows = waiting
            self._run_all(k.STEP if mode == k.STEP else k.OPENING, rows)

    def _ask(self, opponents: Opponents, code: int, rows: npt.NDArray[np.int64]) -> None:
        legal = np.zeros((len(rows), ACTIONS), np.bool_)
        for mask, row in zip(legal, rows, strict=True):
            mask[self.legal_ids[row, : self.legal_counts[row]]] = True
        chosen = opponents.decide(
            code, self.observations[rows], legal, lambda: [self.game(row) for row in rows]
        )
        inside = (chosen >= 0) & (chosen < ACTIONS)
        wrong = np.flatnonzero(~(inside & legal[np.arange(len(rows)), np.where(inside, chosen, 0)]))
        if len(wrong):
            row, given = rows[wrong[0]], chosen[wrong[0]]
            raise IllegalAction(f"game {row} of the batch: an opponent's id {given} is not legal")
        self._actions[rows] = chosen

    def sample(self, policy: str = "uniform") -> npt.NDArray[np.int64]:
        """A legal decision for each game: `uniform`, `sensible` as playouts draw them, or `greedy`.

        Drawn from streams of random numbers that begin anew with `reset(seed=…)`; 0 where a
        game has ended. Uniform play hardly ever ends a game, sensible play does.
        """
        if policy not in POLICIES:
            raise ValueError(f"unknown policy {policy!r}: one of {', '.join(POLICIES)}")
        actions = np.zeros(len(self), np.int64)

        def task(desk: Desk, group: Group, rows: Any, first: int, last: int) -> None:
            self._kernels.sample_many(
                group.boards, self._states, self._weights, desk.surveys,
                rows, first, last, desk.ids, POLICIES[policy],
                self.legal_ids.reshape(-1), self._book, actions,
            )  # fmt: skip

        self._run(task, self._all)
        return actions

    # Keeping.

    @classmethod
    def from_games(cls, games: Sequence[Game], **options: Any) -> Self:
        """A batch that goes on from these positions; options as for a new one, but its set-ups.

        The row of a game that ends is dealt anew with the same set-up. Raises ValueError for a game
        that is over.
        """
        for number, game in enumerate(games):
            if game.over:
                raise ValueError(f"game {number} is over: nothing can be decided there")
        env = cls(len(games), setups=[game.setup for game in games], **options)
        for row, game in enumerate(games):
            env._put(row, pack(game.state))
            env.seeds[row] = game.setup.seed
        env._begin(env._all)
        return env

    def copy(self) -> Self:
        """A batch of its own that stands where this one does."""
        twin = type(self)(len(self), **self._made)
        twin.restore(self.save())
        return twin
