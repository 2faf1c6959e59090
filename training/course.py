"""The course of learning: first from many games of the judgement, then from those of the search."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch

from training.learning import Chances, Lesson, Promise, by_kind, learn
from training.seeing import Seen

torch.set_float32_matmul_precision("high")


class Course:
    """Learns step by step and tells how surprised it still is."""

    def __init__(self, device: str, tell: Callable[[str], None]) -> None:
        self._device = device
        self._tell = tell
        torch.manual_seed(1)
        self._chances = Chances().to(device)
        self._promise = Promise().to(device)

    def load(self, path: Path) -> None:
        """Go on where another course ended."""
        saved = torch.load(path, map_location=self._device, weights_only=True)
        self._chances.load_state_dict(saved["chances"])
        self._promise.load_state_dict(saved["promise"])

    def save(self, path: Path) -> None:
        """For `load`."""
        torch.save(
            {"chances": self._chances.state_dict(), "promise": self._promise.state_dict()}, path
        )

    def begin(self, seen: Seen) -> None:
        """From games of the judgement, of which there are many."""
        lesson = Lesson(seen, Chances, self._device)
        curve = learn(self._chances, lesson, passes=8, rate=2e-3, seconds=150)
        self._tell(f"Chances from the judgement: {_curve(curve)}")

    def go_on(self, seen: Seen) -> dict[str, dict[str, Any]]:
        """From games of the search: for all kinds together, then for each."""
        lesson = Lesson(seen, Chances, self._device)
        curve = learn(self._chances, lesson, passes=4, rate=4e-4, seconds=40)
        self._tell(f"Chances from the search: {_curve(curve)}")
        chances = by_kind(self._chances, lesson, self._tell, passes=4, rate=2e-4, seconds=15)
        rated = Lesson(seen, Promise, self._device)
        curve = learn(self._promise, rated, passes=12, rate=3e-3, seconds=60)
        self._tell(f"Promise: {_curve(curve)}")
        promises = by_kind(self._promise, rated, self._tell, passes=6, rate=5e-4, seconds=15)
        return {kind: {**chances[kind].numbers(), **promises[kind].numbers()} for kind in chances}


def _curve(values: list[float]) -> str:
    return " ".join(f"{value:.4f}" for value in values)
