"""Chance: every legal decision is as likely as any other."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import ClassVar

from hansa.action import Action

from .protocol import View
from .seeds import seed_of
from .settings import Setting

__all__ = ["Random"]


class Random:
    """Decides by lot; the same view and seed give the same lot."""

    settings: ClassVar[Mapping[str, Setting]] = {
        "seed": Setting.whole(0, 2**31 - 1, "other lots"),
    }

    def __init__(self, seed: int = 0) -> None:
        self.name = "random"
        self._seed = seed

    def choose(self, view: View, legal: Sequence[Action], clock: float | None = None) -> Action:  # noqa: ARG002  # the protocol names it
        """Any of the legal decisions."""
        return random.Random(seed_of(view, self._seed)).choice(list(legal))
