"""A table in memory where searches play, decision by decision, without views or texts."""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from hansa import compiled
from hansa.bots import compiling
from hansa.bots.judge.fitted import kind_of, weights_of
from hansa.bots.learned.files import read
from hansa.bots.learned.network import Network
from hansa.bots.thinking import SOFTNESS, explore_of
from hansa.bots.tree.layout import Lookahead, Node
from hansa.rules.capacity import MAX_LEGAL
from hansa.rules.codes import MAX_PLAYERS
from hansa.rules.numbering import ACTION_IDS
from hansa.setup import Setup

NODES = 60_000
SLICE = 16
"""Simulations between two looks at the clock."""
WIDER = 6
"""Decisions that no judgement names, tried beside those it does where noise is asked for."""
NOISE, NOISE_SHARE = 0.4, 0.2
MOST = 3000
"""Decisions after which a game counts as it then stands."""


@dataclass(frozen=True)
class Searcher:
    """How one seat searches."""

    weights: Path | None = None
    """The file of the networks; without one, the judgement serves."""
    horizon: float | None = None
    """Turns played on before judging; by default a round, in duels two."""
    simulations: int = 200
    seconds: float = 0.0
    """Not 0: search so long instead."""
    explore: int | None = None
    """In hundredths; by default as the bots do."""
    softness: int = SOFTNESS
    promise: bool = True
    """Whether decisions are rated by the network too."""

    def turns(self, players: int) -> int:
        """Turns after the root's in which playing on stops."""
        if self.horizon is None:
            return players * (2 if players == 2 else 1)
        return int(self.horizon)


@cache
def kernels() -> Any:
    """The rules, compiled: only what is needed here."""
    module = compiled._twin()["kernels"]  # noqa: SLF001  # the others take a minute to compile
    compiled.ready(module, "legal_many", "apply_many", "results_many")
    return module


@cache
def _networks(weights: Path) -> dict[str, Network]:
    return read(weights.read_text("utf-8"))


@cache
def network_record(weights: Path | None, kind: str, *, promise: bool) -> Any:
    """A network as compiled code reads it."""
    network = _networks(weights).get(kind) if weights else None
    record = compiled.records([network or Network()])
    if not promise:
        record["has_promise"] = 0
    return record


class Table:
    """One game in compiled memory."""

    def __init__(self, setup: Setup, chance: np.random.Generator) -> None:
        self.setup = setup
        self.chance = chance
        self.kind = kind_of(setup.board, setup.players)
        self._board = compiled.board_record(setup.board_id)
        self._weights = compiled.records([weights_of(self.kind)])
        self.states = np.repeat(compiled.state_records([setup.new_state()]), 2)
        self._looks = np.zeros(1, compiled.record_dtype(Lookahead))
        self._look = self._looks.view(np.recarray)[0]
        self._nodes = np.zeros(NODES, compiled.record_dtype(Node))
        self._buf = np.zeros(MAX_LEGAL, np.int64)
        self._mask = np.zeros(ACTION_IDS, np.bool_)
        self._action = np.zeros(2, np.int64)
        self._cards = [
            [setup.city_numbers[city] + 1 for city in card] for card in setup.board_data.missions
        ]

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return bool(self.states["over"][0])

    @property
    def player(self) -> int:
        """Who decides."""
        return int(self.states["player"][0])

    def legal(self) -> Any:
        """Ids of the legal decisions."""
        kernels().legal_many(self._board, self.states, 0, 1, self._buf, self._mask)
        return np.flatnonzero(self._mask)

    def play(self, action: int) -> None:
        """Carry a decision out."""
        self._action[0] = action
        kernels().apply_many(self._board, self.states, 0, 1, self._action)

    def results(self) -> tuple[Any, Any]:
        """Everybody's share of the win, and points."""
        totals, winners = np.zeros(2 * MAX_PLAYERS, np.int64), np.zeros(2 * MAX_PLAYERS, np.int64)
        kernels().results_many(self._board, self.states, 0, 1, totals, winners)
        wins = winners[:MAX_PLAYERS] * (np.arange(MAX_PLAYERS) < self.setup.players)
        return wins / wins.sum(), totals[:MAX_PLAYERS]

    def search(
        self, how: Searcher, simulations: int, *, noise: bool = False, legal: Any = None
    ) -> tuple[Any, Any, Any]:
        """Decisions looked at, how often, and everybody's share of the win so far."""
        true = self.states[0].copy()
        self._deal_missions()
        look = self._look
        look.seed = int(self.chance.integers(1, 2**31 - 2))
        look.roots, look.done, look.stop, look.nodes = 1, 0, 0, 1
        players = self.setup.players
        look.horizon, look.viewer = how.turns(players), int(true["player"])
        self._nodes[0] = 0
        self._nodes["first"][0] = -1
        network = network_record(how.weights, self.kind, promise=how.promise)
        learned = bool(network["has_promise"][0])
        look.explore = how.explore or explore_of(players, learned=learned)
        look.softness = how.softness
        memory = (
            self._board, self.states, self._weights, network, self._looks, self._nodes, self._buf,
        )  # fmt: skip
        simulate = compiling.simulate()
        begun = time.perf_counter()
        simulate(*memory, 1)
        if noise:
            self._widen(legal)
        if how.seconds:
            while time.perf_counter() - begun < how.seconds:
                simulate(*memory, SLICE)
        else:
            simulate(*memory, simulations - 1)
        self.states[0] = true
        first, count = int(self._nodes["first"][0]), int(self._nodes["count"][0])
        children = self._nodes[first : first + count]
        visits = children["visits"].astype(np.int64)
        return (
            children["action"].astype(np.int64),
            visits,
            children["sums"].sum(0) / max(int(visits.sum()), 1),
        )

    def _widen(self, legal: Any) -> None:
        """Try some other decisions too, and all with some chance."""
        nodes = self._nodes
        first, count = int(nodes["first"][0]), int(nodes["count"][0])
        known = set(nodes["action"][first : first + count].tolist())
        others = [one for one in legal.tolist() if one not in known]
        extra = self.chance.permutation(np.array(others, np.int64))[:WIDER]
        every = count + len(extra)
        nodes[first + count : first + every] = 0
        nodes["first"][first + count : first + every] = -1
        nodes["action"][first + count : first + every] = extra
        lots = self.chance.dirichlet(np.full(every, NOISE))
        priors = nodes["prior"][first : first + every]
        nodes["prior"][first : first + every] = (1 - NOISE_SHARE) * priors + NOISE_SHARE * lots
        nodes["count"][0] = every
        self._look.nodes = first + every

    def _deal_missions(self) -> None:
        """Other players' cards are unknown: deal them anew."""
        if not self.setup.missions:
            return
        cards = self.states["missions"][0].reshape(MAX_PLAYERS, -1)
        mine = sorted(cards[self.player].tolist())
        others = [card for card in self._cards if sorted(card) != mine]
        order = self.chance.permutation(len(others))
        rivals = [seat for seat in range(self.setup.players) if seat != self.player]
        for seat, number in zip(rivals, order, strict=False):
            cards[seat] = others[number]
