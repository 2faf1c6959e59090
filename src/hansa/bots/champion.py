"""Champion: a search that learned from its own games what wins and what is worth trying."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from hansa.action import Action
from hansa.game import Game

from .judge.fitted import kind_of
from .learned.files import network_of
from .protocol import View
from .search import Search, Thought, is_fast, sample
from .seeds import seed_of
from .settings import Setting
from .thinking import Tree

__all__ = ["Champion"]

DEFAULT_TIME = 1.0
DECISION_SHARE = 0.4
"""A decision takes at most this part of what is left for the turn; the tree stays for the next."""
LEAST_SHARE = 0.05
"""And at least this part of the whole turn's time."""


@dataclass
class _Kept:
    """What is known from the decision before, if the same turn goes on."""

    game: Game
    """The position before the decision, as it was sampled."""
    action: Action
    trees: list[Tree]
    left: float | None
    """Seconds left for the turn."""

    def leads_to(self, view: View) -> bool:
        """Whether the decision, and forced ones after it, make just this position."""
        if view["turn"] != self.game.turn or view["player"] != self.game.player:
            return False
        after = self.game.copy()
        after.play(self.action)
        while after.player == view["player"] and not after.over:
            if after.view(after.player) == view:
                return True
            legal = after.legal_actions()
            if len(legal) != 1:
                return False
            after.play(legal[0])
        return False


class Champion(Search):
    """Search by learned chances and promise; it plans turns, and keeps its tree during them."""

    settings: ClassVar[Mapping[str, Setting]] = {
        "time": Setting.seconds(0.01, 600, "seconds for a turn, 1 by default"),
        "simulations": Setting.whole(1, 10_000_000, "simulations for a decision"),
        "threads": Setting.whole(1, 64, "trees searched side by side, 1 by default"),
        "seed": Setting.whole(0, 2**31 - 1, "other samples"),
    }
    _settles = True

    def __init__(
        self,
        time: float | None = None,
        simulations: int | None = None,
        threads: int = 1,
        seed: int = 0,
    ) -> None:
        if time is None and simulations is None:
            time = DEFAULT_TIME
        super().__init__(time, simulations, threads, seed)
        self.name = "champion"
        self._kept: _Kept | None = None

    def choose(self, view: View, legal: Sequence[Action], clock: float | None = None) -> Action:
        """The decision most simulations went through, those of the turn so far included."""
        if len(legal) == 1:
            return legal[0]
        begun = time.monotonic()
        self._stopped = False
        kept, self._kept = self._kept, None
        if kept is not None and not kept.leads_to(view):
            kept = None
        left = self._time if kept is None else kept.left
        deadline = self._deadline(begun, self._share(left), clock)
        seed = seed_of(view, self._seed)
        roots, fast = sample(view, seed), is_fast(deadline)
        trees = self._trees_for(kept, roots, seed, fast=fast)
        thought = self._harvest(trees, legal, begun, deadline, fast=fast)
        action = thought.options[0].action
        if left is not None:
            left -= time.monotonic() - begun
        self._kept = _Kept(roots[0], action, trees, left)
        return action

    def think(self, view: View, legal: Sequence[Action], clock: float | None = None) -> Thought:
        """Search within the budget of a whole turn and tell about every decision looked at."""
        self._settles = False
        try:
            return super().think(view, legal, clock)
        finally:
            self._settles = True

    def _share(self, left: float | None) -> float | None:
        """Seconds for a decision, of those left for the turn."""
        if left is None or self._time is None:
            return None
        return max(DECISION_SHARE * left, LEAST_SHARE * self._time)

    def _trees_for(
        self, kept: _Kept | None, roots: list[Game], seed: int, *, fast: bool
    ) -> list[Tree]:
        if kept is not None and all(
            tree.fast == fast and tree.follow(roots, kept.action.id) for tree in kept.trees
        ):
            return kept.trees
        threads = self._threads if fast else 1
        return [self._plant(roots, seed + 7919 * k, fast=fast) for k in range(threads)]

    def _plant(self, roots: Sequence[Game], seed: int, *, fast: bool) -> Tree:
        kind = kind_of(roots[0].setup.board, len(roots[0].players))
        return Tree(roots, seed, fast=fast, turns=self._turns(roots[0]), network=network_of(kind))
