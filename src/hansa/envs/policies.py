"""A small policy in numpy, its file, and the bot that plays by it.

A network of one hidden layer sees the observation; what a decision is worth depends on what it
names (`hansa.envs.actions`), so that all decisions about a route or a skill learn from each other.
`examples/learn.py` trains one.
"""

from __future__ import annotations

import zipfile
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from hansa.action import Action
from hansa.bots import View
from hansa.bots.protocol import BotError
from hansa.bots.settings import Setting

from .layout import layout
from .meanings import actions
from .observing import encode

__all__ = ["PolicyBot", "PolicyNetwork", "features"]

Floats = npt.NDArray[np.float32]
NEVER = np.float32(-1e9)
PARTS = ("hidden", "bias", "meaning")
"""Weights of the hidden layer, its bias, and what the features of decisions weigh."""


@cache
def features(board: str) -> Floats:
    """What every id names, a column for each name, number and a constant: (ACTIONS, features)."""
    table = actions(board)
    columns: list[npt.NDArray[Any]] = [np.ones(len(table.numbers))]
    for place, name in enumerate(table.columns):
        numbers = table.numbers[:, place]
        if name in table.words:
            columns += [numbers == k for k in range(len(table.words[name]))]
        else:
            columns.append(np.maximum(numbers, 0) / max(int(numbers.max()), 1))
    return np.stack(columns, axis=1).astype(np.float32)


class PolicyNetwork:
    """Chances of decisions from observations of one board.

    Called with rows of observations and masks it gives the best legal decision of each, as
    opponents of a `BatchEnv` do.

    >>> from hansa.envs.batch import BatchEnv
    >>> network = PolicyNetwork.fresh("hansa", hidden=8, seed=1)
    >>> env = BatchEnv(2, players=3, opponents=network, version=2, jit=False)
    >>> env.step(network(env.observations, env.legal))
    >>> env.players.tolist()
    [0, 0]
    """

    def __init__(self, board: str, version: int, weights: Mapping[str, Floats]) -> None:
        self.board, self.version = board, version
        self.layout = layout(board, version)
        self.weights = {name: weights[name] for name in PARTS}
        self._kept: Floats | None = None
        units = self.weights["bias"].shape[0]
        shapes = (self.layout.size, units), (units,), (features(board).shape[1], units)
        if tuple(self.weights[name].shape for name in PARTS) != shapes:
            raise ValueError(f"weights of another shape than {shapes}")

    @classmethod
    def fresh(
        cls, board: str, *, hidden: int = 64, version: int = 2, seed: int = 0
    ) -> PolicyNetwork:
        """A network that knows nothing yet: all decisions are nearly alike to it."""
        chance = np.random.default_rng(seed)
        size, named = layout(board, version).size, features(board).shape[1]

        def drawn(*shape: int) -> Floats:
            return (chance.standard_normal(shape) * 0.05).astype(np.float32)

        weights = drawn(size, hidden), np.zeros(hidden, np.float32), drawn(named, hidden)
        return cls(board, version, dict(zip(PARTS, weights, strict=True)))

    def units(self, observations: npt.NDArray[np.int8]) -> tuple[Floats, Floats]:
        """The observations as the network sees them, and its hidden units."""
        seen = self.layout.normalised(observations)
        hidden: Floats = np.maximum(seen @ self.weights["hidden"] + self.weights["bias"], 0)
        return seen, hidden

    def embedded(self) -> Floats:
        """What each decision weighs: (ACTIONS, units)."""
        if self._kept is not None:
            return self._kept
        return features(self.board) @ self.weights["meaning"]

    def logits(self, observations: npt.NDArray[np.int8], legal: npt.NDArray[np.bool_]) -> Floats:
        """How promising each decision is; those that are not legal never."""
        return np.where(legal, self.units(observations)[1] @ self.embedded().T, NEVER)

    def __call__(
        self, observations: npt.NDArray[np.int8], legal: npt.NDArray[np.bool_]
    ) -> npt.NDArray[np.int64]:
        """The best legal decision of each row."""
        best: npt.NDArray[np.int64] = self.logits(observations, legal).argmax(axis=1)
        return best

    def sample(
        self,
        observations: npt.NDArray[np.int8],
        legal: npt.NDArray[np.bool_],
        chance: np.random.Generator,
    ) -> npt.NDArray[np.int64]:
        """A legal decision of each row, drawn by its chance."""
        noise = chance.gumbel(size=legal.shape).astype(np.float32)
        drawn: npt.NDArray[np.int64] = (self.logits(observations, legal) + noise).argmax(axis=1)
        return drawn

    def frozen(self) -> PolicyNetwork:
        """A copy that learns no more, and so decides quicker: an opponent, or a bot."""
        weights = {name: part.copy() for name, part in self.weights.items()}
        twin = PolicyNetwork(self.board, self.version, weights)
        twin._kept = twin.embedded()
        return twin

    def save(self, path: Path) -> None:
        """Write the weights in half precision, with what they are for."""
        halves: dict[str, Any] = {
            name: part.astype(np.float16) for name, part in self.weights.items()
        }
        with open(path, "wb") as file:
            np.savez_compressed(file, board=self.board, version=self.version, **halves)

    @classmethod
    def load(cls, path: Path) -> PolicyNetwork:
        """Read what `save` wrote; raises BotError with what is wrong."""
        try:
            with np.load(path, allow_pickle=False) as kept:
                weights = {name: kept[name].astype(np.float32) for name in PARTS}
                return cls(str(kept["board"]), int(kept["version"]), weights)
        except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
            raise BotError(f"{path}: no weights of a policy: {error}") from None


class PolicyBot:
    """Plays by a network from a file: `policy:weights=net.npz`."""

    settings: ClassVar[Mapping[str, Setting]] = {
        "weights": Setting.file("the network, as `PolicyNetwork.save` writes it"),
    }

    def __init__(self, weights: Path | PolicyNetwork | None = None, name: str = "policy") -> None:
        if weights is None:
            raise BotError("the bot 'policy' needs its network: policy:weights=FILE")
        self.name = name
        network = weights if isinstance(weights, PolicyNetwork) else PolicyNetwork.load(weights)
        self._network = network.frozen()

    def choose(
        self,
        view: View,
        legal: Sequence[Action],
        clock: float | None = None,  # noqa: ARG002  # the protocol names it
    ) -> Action:
        """The decision that the network finds best; raises BotError on a board it was not made for."""
        network = self._network
        if view["game"]["board"] != network.board:
            raise BotError(
                f"{self.name} learned board {network.board}, not {view['game']['board']}"
            )
        if len(legal) == 1:
            return legal[0]
        row = encode(view, view["player"], version=network.version)
        ids = [action.id for action in legal]
        promise = network.embedded()[ids] @ network.units(row[None])[1][0]
        return legal[int(promise.argmax())]
