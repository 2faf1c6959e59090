"""Greedy: rates every legal decision by hand-written judgement and takes the best."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import ClassVar

from hansa.action import Action
from hansa.game import Game

from .judge import policy
from .judge.fitted import weights_of
from .judge.styles import STYLES, style_of
from .judge.survey import Survey
from .protocol import View
from .seeds import seed_of
from .settings import Setting

__all__ = ["Greedy"]


class Greedy:
    """Never looks ahead; `care` below 100 lets it take a lesser decision now and then."""

    settings: ClassVar[Mapping[str, Setting]] = {
        "seed": Setting.whole(0, 2**31 - 1, "decides among equally good decisions"),
        "care": Setting.whole(0, 100, "percent of decisions taken with care, 100 by default"),
        "style": Setting.one_of(STYLES, "another idea of what counts"),
    }

    def __init__(self, seed: int = 0, care: int = 100, style: str | None = None) -> None:
        self.name = "greedy"
        self._seed = seed
        self._care = care
        self._weights = weights_of() if style is None else style_of(style)

    def choose(self, view: View, legal: Sequence[Action], clock: float | None = None) -> Action:  # noqa: ARG002  # the protocol names it
        """The decision rated best."""
        if len(legal) == 1:
            return legal[0]
        seed = seed_of(view, self._seed)
        game = Game.from_view(view, seed)
        ids = game.legal_ids()
        del ids[policy.with_pieces_left(game.setup.tables, game.state, ids, len(ids)) :]
        place = self._place(game, ids, seed)
        by_id = {action.id: action for action in legal}
        return by_id[ids[place]]

    def _place(self, game: Game, ids: list[int], seed: int) -> int:
        chance = random.Random(seed)
        w, v = self._weights, Survey()
        b, s = game.setup.tables, game.state
        if chance.random() * 100 >= self._care:
            policy.rate_all(b, s, w, v, ids, len(ids))
            good = sorted(range(len(ids)), key=lambda k: -v.scores[k])[: 2 + len(ids) // 6]
            return chance.choice(good)
        return policy.choose(b, s, w, v, ids, len(ids), seed)
