"""One game as an environment plays it: decisions by id, observations and masks as arrays."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from hansa import compiled
from hansa.action import ACTIONS
from hansa.errors import IllegalAction
from hansa.game import Game
from hansa.rules.capacity import MAX_LEGAL
from hansa.rules.state import pack, unpack
from hansa.setup import Setup

from . import preparing
from .deals import Dealer
from .layout import Layout, layout, where

__all__ = ["SingleGame", "runs_compiled"]


def runs_compiled(jit: bool | None) -> bool:
    """Whether to run compiled; None: if that is ready. True compiles where it is not."""
    if jit is None:
        return preparing.is_ready()
    if jit and not compiled.is_available():
        raise RuntimeError("jit=True needs numba: pip install 'hansa[fast]'")
    if jit:
        preparing.prepare()
    return jit


class SingleGame:
    """A game in arrays, compiled or interpreted with the same results."""

    def __init__(
        self, setup: Setup, *, jit: bool | None = None, reward: int = 0, version: int = 1
    ) -> None:
        self.jit = runs_compiled(jit)
        self.setup = setup
        self.layout: Layout = layout(setup.board, version)
        self._kernels = preparing.kernels(jit=self.jit)
        self._where = where(setup, version, jit=self.jit)
        self._reward = reward
        self._rewards = np.zeros(setup.players, np.float32)
        self._dealer = Dealer(setup)
        self._boards: Any = [setup.tables]
        self._buffer: Any = [0] * MAX_LEGAL
        if self.jit:
            self._boards = compiled.board_record(setup.board_id)
            self._buffer = np.zeros(MAX_LEGAL, np.int64)
        self._record = compiled.state_records([setup.new_state()])
        self._states: Any = self._record
        self._history: list[int] = []
        self.deal(setup.seed)

    def deal(self, seed: int) -> None:
        """Begin the game of this seed."""
        self.setup = self.setup.with_seed(seed)
        if self.jit:
            self._dealer.deal(self._kernels, self._record, np.zeros(1, np.int64), np.array([seed]))
        else:
            self._states = [self._dealer.state(seed)]
        self._history = []
        self._look_up()

    def _look_up(self) -> None:
        state = self._states[0]
        if self.jit:
            self.player, self.over = int(state["player"]), bool(state["over"])
        else:
            self.player, self.over = state.player, bool(state.over)
        self._mask: npt.NDArray[np.int8] | None = None

    @property
    def history(self) -> list[int]:
        """The ids of the decisions so far."""
        return self._history[:]

    @property
    def decisions(self) -> int:
        """How many decisions have been made."""
        return len(self._history)

    def mask(self) -> npt.NDArray[np.int8]:
        """1 for every legal decision; shared until the next decision, so not to be changed."""
        if self._mask is None:
            self._mask = np.zeros(ACTIONS, np.int8)
            self._kernels.mark(self._boards, self._states, 0, self._buffer, self._mask, 0)
        return self._mask

    def observe(self, viewer: int) -> npt.NDArray[np.int8]:
        """What a player sees, in an array of its own."""
        seen = np.zeros(self.layout.size, np.int8)
        self._kernels.look(self._boards, self._states, 0, viewer, self._where, seen, 0)
        return seen

    def is_legal(self, action: int) -> bool:
        """Whether the decision of this id may be made now."""
        return 0 <= action < ACTIONS and self.mask()[action] != 0

    def play(self, action: int) -> list[float]:
        """Make a decision; what each seat gets for it. Raises IllegalAction, nothing changed."""
        if not self.is_legal(action):
            self.game().play(action)  # says what is wrong and what would be allowed
            raise IllegalAction(f"id {action} is not legal now")
        self._kernels.play(self._boards, self._states, 0, action, self._reward, self._rewards, 0)
        self._history.append(action)
        self._look_up()
        return self._rewards.tolist()

    def copy(self) -> SingleGame:
        """An independent copy; what never changes is shared."""
        twin = SingleGame.__new__(SingleGame)
        vars(twin).update(vars(self))
        twin._rewards, twin._history = self._rewards.copy(), self._history[:]
        # As bytes: numpy takes six times as long to copy a record field by field.
        twin._record = self._record.view(np.uint8).copy().view(self._record.dtype)
        twin._states = twin._record if self.jit else [self._states[0].copy()]
        return twin

    def __deepcopy__(self, _: Any) -> SingleGame:
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        packed = self._record.tobytes() if self.jit else pack(self._states[0])
        return _restored, (
            self.setup, self._reward, self.layout.version, packed, self._history,
        )  # fmt: skip

    def game(self) -> Game:
        """The position as a `Game` of its own, without the decisions that led to it."""
        state = unpack(self._record.tobytes()) if self.jit else self._states[0].copy()
        return Game(self.setup, state, patched=True)

    def replay(self) -> Game:
        """The whole game from its beginning, e.g. for its record."""
        game = Game(self.setup, self.setup.new_state())
        for action in self._history:
            game.play(action)
        return game


@lru_cache(maxsize=16)
def _prototype(setup: Setup, reward: int, version: int) -> SingleGame:
    """OpenSpiel pickles at every observation: what never changes is made once."""
    return SingleGame(setup, reward=reward, version=version)


def _restored(
    setup: Setup, reward: int, version: int, packed: bytes, history: list[int]
) -> SingleGame:
    """From a pickle; compiled where that is ready there."""
    single = _prototype(setup.with_seed(0), reward, version).copy()
    single.setup, single._history = setup, history
    single._record[:] = np.frombuffer(packed, single._record.dtype)
    single._states = single._record if single.jit else [unpack(packed)]
    single._look_up()
    return single
