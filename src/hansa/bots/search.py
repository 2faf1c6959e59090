"""Search: looks ahead in many sampled futures, for as long as it may."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import ClassVar

from hansa.action import Action
from hansa.game import Game

from . import compiling
from .protocol import View
from .seeds import seed_of
from .settings import Setting
from .thinking import Tree

__all__ = ["Option", "Search", "Thought", "is_fast", "sample"]

DEFAULT_TIME = 0.5
CLOCK_SHARE = 25
"""A decision takes at most this fraction of what is left on the clock."""
RESERVE = 0.008
"""Seconds kept back to give the answer in time."""
SLICE = 0.004
"""Seconds between two looks at the clock."""
COUNTED = 32
"""Simulations between two looks whether the answer is settled, where no clock is looked at."""
SAMPLES = 4
"""Positions sampled where more than the order of markers is hidden."""
SLOW_SIMULATIONS = 40
"""The most that are tried interpreted, unless a number is asked for."""


@dataclass(frozen=True)
class Option:
    """One decision a search has looked at."""

    action: Action
    visits: int
    shares: tuple[float, ...]
    """The share of the win that each player may expect after it."""
    expected: tuple[int, ...] = ()
    """The ids of the decisions that would follow it."""


@dataclass(frozen=True)
class Thought:
    """What a search found: its options, the most visited first."""

    options: tuple[Option, ...]
    simulations: int
    seconds: float


class Search:
    """Tree search with sampled hidden information and policy-guided, truncated playouts."""

    _settles = False
    """Whether it answers as soon as the answer is settled."""
    settings: ClassVar[Mapping[str, Setting]] = {
        "time": Setting.seconds(0.01, 600, "seconds for a decision, 0.5 by default"),
        "simulations": Setting.whole(1, 10_000_000, "simulations for a decision"),
        "threads": Setting.whole(1, 64, "trees searched side by side, 1 by default"),
        "seed": Setting.whole(0, 2**31 - 1, "other samples"),
        "rounds": Setting.whole(1, 20, "rounds played on before judging; by default 1, in duels 2"),
    }

    def __init__(
        self,
        time: float | None = None,
        simulations: int | None = None,
        threads: int = 1,
        seed: int = 0,
        rounds: int | None = None,
    ) -> None:
        self.name = "search"
        self._time = time if time is not None or simulations is not None else DEFAULT_TIME
        self._simulations = simulations
        self._threads = threads
        self._seed = seed
        self._rounds = rounds
        self._trees: list[Tree] = []
        self._stopped = False
        self._lock = threading.Lock()

    def choose(self, view: View, legal: Sequence[Action], clock: float | None = None) -> Action:
        """The decision most simulations went through."""
        if len(legal) == 1:
            return legal[0]
        return self.think(view, legal, clock).options[0].action

    def stop(self) -> None:
        """Answer at once with what has been found; may be called from another thread."""
        with self._lock:
            self._stopped = True
            for tree in self._trees:
                tree.stop()

    def think(self, view: View, legal: Sequence[Action], clock: float | None = None) -> Thought:
        """Search within the budget and tell about every decision looked at."""
        begun = time.monotonic()
        self._stopped = False
        deadline = self._deadline(begun, self._time, clock)
        seed = seed_of(view, self._seed)
        roots, fast = sample(view, seed), is_fast(deadline)
        threads = self._threads if fast else 1
        trees = [self._plant(roots, seed + 7919 * k, fast=fast) for k in range(threads)]
        return self._harvest(trees, legal, begun, deadline, fast=fast)

    def _plant(self, roots: Sequence[Game], seed: int, *, fast: bool) -> Tree:
        return Tree(roots, seed, fast=fast, turns=self._turns(roots[0]))

    def _turns(self, game: Game) -> int:
        """Turns played on before a position is judged."""
        players = len(game.players)
        return players * (self._rounds or (2 if players == 2 else 1))

    def _harvest(
        self,
        trees: list[Tree],
        legal: Sequence[Action],
        begun: float,
        deadline: float | None,
        *,
        fast: bool,
    ) -> Thought:
        """Let the trees grow within the budget and see what they bear."""
        with self._lock:
            self._trees = trees
            if self._stopped:  # while the trees were planted
                for tree in trees:
                    tree.stop()
        try:
            self._run(trees, deadline, fast=fast)
        finally:
            with self._lock:
                self._trees = []
        options = _merge(trees, legal)
        done = sum(tree.simulations for tree in trees)
        return Thought(options, done, time.monotonic() - begun)

    @staticmethod
    def _deadline(begun: float, seconds: float | None, clock: float | None) -> float | None:
        if clock is not None:
            share = max(clock / CLOCK_SHARE, 0.02)
            seconds = share if seconds is None else min(seconds, share)
        return None if seconds is None else begun + seconds - RESERVE

    def _run(self, trees: list[Tree], deadline: float | None, *, fast: bool) -> None:
        budget = self._simulations
        if budget is None and not fast:
            budget = SLOW_SIMULATIONS
        shares = [None] * len(trees) if budget is None else _split(budget, len(trees))
        if len(trees) == 1:
            _fill(trees[0], shares[0], deadline, settles=self._settles)
            return
        with ThreadPoolExecutor(len(trees)) as pool:
            for future in [
                pool.submit(_fill, tree, share, deadline)
                for tree, share in zip(trees, shares, strict=True)
            ]:
                future.result()


def sample(view: View, seed: int) -> list[Game]:
    """Positions that look like the view."""
    samples = SAMPLES if _hides_more(view) else 1
    return [Game.from_view(view, seed + k) for k in range(samples)]


def is_fast(deadline: float | None) -> bool:
    """Whether simulations are compiled."""
    fast = compiling.load()
    if not fast and deadline is None and compiling.is_ready():
        compiling.simulate()  # nobody counts the seconds
        fast = True
    return fast


def _hides_more(view: View) -> bool:
    return bool(view["game"]["missions"] or view["game"]["promos"])


def _split(budget: int, parts: int) -> list[int | None]:
    return [max(1, budget // parts + (k < budget % parts)) for k in range(parts)]


def _fill(tree: Tree, budget: int | None, deadline: float | None, *, settles: bool = False) -> None:
    """Simulate until the budget is used, the time is up, or somebody says stop.

    If it `settles`, it ends when what is left could not change the answer any more.
    """
    now = time.monotonic()
    tree.run(1)  # there is an answer, however short the time
    if deadline is None and budget is not None:
        _count(tree, budget, settles=settles)
        return
    slice_size = 1
    while budget is None or tree.simulations < budget:
        before, now = now, time.monotonic()
        each = max((now - before) / slice_size, 1e-6)
        if deadline is not None and now + 1.5 * each > deadline:
            return
        slice_size = max(1, min(2 * slice_size, int(SLICE / each)))
        if budget is not None:
            slice_size = min(slice_size, budget - tree.simulations)
        if deadline is not None:
            slice_size = max(1, min(slice_size, int((deadline - now) / each / 1.5)))
        if settles and tree.lead() > _left(tree, budget, deadline, now, each):
            return
        done = tree.simulations
        tree.run(slice_size)
        if tree.simulations - done < slice_size:
            return


def _count(tree: Tree, budget: int, *, settles: bool) -> None:
    """Without a clock: however busy the machine is, the same tree comes of it.

    A tree that stays for the next decision makes it matter where this one ended.
    """
    done = 0
    while done < tree.simulations < budget:  # one that does not grow was stopped
        left = budget - tree.simulations
        if settles and tree.lead() > left:
            return
        done = tree.simulations
        tree.run(min(COUNTED, left) if settles else left)


def _left(tree: Tree, budget: int | None, deadline: float | None, now: float, each: float) -> float:
    """Simulations that budget and time still allow."""
    left = math.inf if budget is None else budget - tree.simulations
    return left if deadline is None else min(left, (deadline - now) / each)


def _merge(trees: Sequence[Tree], legal: Sequence[Action]) -> tuple[Option, ...]:
    """The roots of all trees together, the most visited first, among equals the better rated."""
    by_id = {action.id: action for action in legal}
    visits: dict[int, int] = {}
    sums: dict[int, list[float]] = {}
    most: dict[int, tuple[int, Tree]] = {}  # the tree that looked at a decision most
    for tree in trees:
        for number, seen, shares in tree.options():
            if number not in most or seen > most[number][0]:
                most[number] = seen, tree
            visits[number] = visits.get(number, 0) + seen
            known = sums.setdefault(number, [0.0] * tree.players)
            sums[number] = [a + b for a, b in zip(known, shares, strict=True)]
    options = [
        Option(
            by_id[number],
            seen,
            tuple(share / max(seen, 1) for share in sums[number]),
            tuple(most[number][1].expected(number)),
        )
        for number, seen in visits.items()
    ]
    options.sort(key=lambda option: -option.visits)
    return tuple(options)
