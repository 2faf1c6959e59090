"""A search tree in memory: records of numpy for compiled simulations, objects for interpreted ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from hansa import compiled
from hansa.game import Game
from hansa.names import PLAYERS as NAMES
from hansa.rules.capacity import MAX_LEGAL
from hansa.rules.state import Slots

from . import compiling
from .judge.fitted import kind_of, weights_of
from .learned.network import Network
from .tree import keeping, kernel
from .tree.layout import Lookahead, Node

__all__ = ["Tree"]

EXPLORE = 90
EXPLORE_LEARNED, EXPLORE_LEARNED_DUEL = 40, 60
"""Measured in docs/training.md."""
SOFTNESS = 70
NODES_FAST = 60_000
NODES_SLOW = 4_000
FOLLOWED = 3
"""Simulations through a decision without which it is chance rather than expectation."""


@cache
def _weights(kind: str) -> Any:
    """The weights as a record array, shared by all trees: no simulation changes them."""
    return compiled.records([weights_of(kind)])


NONE = Network()
"""Without one, the judgement's evaluation serves."""
_arrays: dict[int, tuple[Network, Any]] = {}


def _networks(network: Network) -> Any:
    """A network as a record array, made once for each."""
    known = _arrays.get(id(network))
    if known is None:
        known = _arrays[id(network)] = (network, compiled.records([network]))
    return known[1]


def explore_of(players: int, *, learned: bool) -> int:
    """How much a search explores, in hundredths; less where promise is learned."""
    if not learned:
        return EXPLORE
    return EXPLORE_LEARNED_DUEL if players == 2 else EXPLORE_LEARNED


class Tree:
    """One tree of simulations from sampled positions that look alike to whoever decides.

    Simulations play on for so many turns, a round by default, before a position is judged.
    """

    def __init__(
        self,
        roots: Sequence[Game],
        seed: int,
        *,
        fast: bool,
        turns: int | None = None,
        network: Network | None = None,
    ) -> None:
        game = roots[0]
        self.players = len(game.players)
        self._kind = kind_of(game.setup.board, self.players)
        self._network = network or NONE
        self._memory: tuple[Any, ...]
        self._look: Any
        self._nodes: Any
        self._simulate: Callable[..., None]
        self._keep: Callable[..., None]
        self._room: tuple[Any, Any]
        self.fast = fast
        if fast:
            self._set_up_fast(roots)
        else:
            self._set_up_slow(roots)
        self._look.seed = seed % 2147483646 + 1
        self._look.roots = len(roots)
        self._look.horizon = self.players if turns is None else turns
        self._look.viewer = NAMES.index(game.player)
        self._look.explore = explore_of(self.players, learned=self._network.has_promise != 0)
        self._look.softness = SOFTNESS
        self._look.nodes = 1
        self._nodes[0].first = -1

    def _set_up_slow(self, roots: Sequence[Game]) -> None:
        states = Slots(game.state.copy() for game in roots)
        states.append(states[0].copy())
        self._look, self._nodes = Lookahead(), [Node() for _ in range(NODES_SLOW)]
        self._memory = (
            [roots[0].setup.tables], states, [weights_of(self._kind)], [self._network],
            [self._look], self._nodes, [0] * MAX_LEGAL,
        )  # fmt: skip
        self._simulate, self._keep = kernel.simulate, keeping.keep_below
        self._room = [0] * NODES_SLOW, [0] * NODES_SLOW

    def _set_up_fast(self, roots: Sequence[Game]) -> None:
        import numpy as np  # noqa: PLC0415  # only where numba is

        states = compiled.state_records(game.state for game in [*roots, roots[0]])
        looks = np.zeros(1, compiled.record_dtype(Lookahead))
        nodes = np.zeros(NODES_FAST, compiled.record_dtype(Node))
        # Seen as records their fields have names in Python too; the memory is the same.
        self._look, self._nodes = looks.view(np.recarray)[0], nodes.view(np.recarray)
        self._memory = (
            compiled.board_record(roots[0].setup.board_id), states, _weights(self._kind),
            _networks(self._network), looks, nodes, np.zeros(MAX_LEGAL, np.int64),
        )  # fmt: skip
        self._simulate, self._keep = compiling.simulate(), compiling.keep_below()
        self._room = np.zeros(NODES_FAST, np.int64), np.zeros(NODES_FAST, np.int64)

    @property
    def simulations(self) -> int:
        """How many simulations have been run."""
        return int(self._look.done)

    def stop(self) -> None:
        """No further simulation begins; may be called from another thread."""
        self._look.stop = 1

    def run(self, simulations: int) -> None:
        """Run so many simulations; compiled, other threads go on meanwhile."""
        self._simulate(*self._memory, simulations)

    def follow(self, roots: Sequence[Game], action: int) -> bool:
        """Go on from what came of a decision of the root; False: it knows too little of that.

        What follows a decision may depend on what is hidden: then other decisions were looked at
        than are legal now, and the tree is worth nothing.
        """
        at = self._child(0, lambda child: child.action == action)
        if at is None:
            return False
        self._keep(*self._memory[4:6], *self._room, at)
        legal = set(roots[0].legal_ids())
        if any(number not in legal for number, _, _ in self.options()):
            return False
        states = self._memory[1]
        for slot, game in enumerate(roots):
            states[slot] = compiled.state_records([game.state])[0] if self.fast else game.state
        self._look.done = 0
        self._look.stop = 0
        return True

    def lead(self) -> int:
        """By how many simulations the root's most visited decision leads."""
        visits = sorted((seen for _, seen, _ in self.options()), reverse=True)
        return visits[0] - visits[1] if len(visits) > 1 else 1

    def options(self) -> list[tuple[int, int, list[float]]]:
        """The root's decisions: id, visits, and the sum of each player's share of the win."""
        root = self._nodes[0]
        if root.first < 0:
            return []
        found = []
        for k in range(int(root.first), int(root.first + root.count)):
            child = self._nodes[k]
            shares = [float(share) for share in child.sums[: self.players]]
            found.append((int(child.action), int(child.visits), shares))
        return found

    def expected(self, action: int) -> list[int]:
        """How the simulations mostly went on after a decision of the root."""
        found: list[int] = []
        at = self._child(0, lambda child: child.action == action)
        while at is not None:
            at = self._child(at, lambda child: child.visits >= FOLLOWED)
            if at is not None:
                found.append(int(self._nodes[at].action))
        return found

    def _child(self, at: int, wanted: Callable[[Any], bool]) -> int | None:
        """The most visited child of a node among those wanted."""
        node = self._nodes[at]
        children = range(int(node.first), int(node.first + node.count)) if node.first >= 0 else ()
        found = [k for k in children if wanted(self._nodes[k])]
        return max(found, key=lambda k: int(self._nodes[k].visits), default=None)
