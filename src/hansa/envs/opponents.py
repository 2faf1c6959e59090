"""Who decides for the seats of a batch that the learner does not hold.

`greedy`, `random` and `sensible` decide inside the compiled loops; `greedy` is the bot's judgement,
among equals drawn from the batch's own stream. Anything else is asked from Python: a policy, which
gets the observations and masks of all games that wait for it at once, or a bot.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from hansa.action import Action
from hansa.bots import Bot, create
from hansa.errors import InvalidSetup
from hansa.game import Game

from .kernels import CALLED, GREEDY, RANDOM, SENSIBLE

__all__ = ["Opponent", "Opponents", "Policy", "choice"]

Policy = Callable[[npt.NDArray[np.int8], npt.NDArray[np.bool_]], npt.ArrayLike]
"""From rows of observations and of legal decisions to an id for each row."""
Opponent = str | Bot | Policy
INSIDE = {"random": RANDOM, "sensible": SENSIBLE, "greedy": GREEDY}


class Opponents:
    """Opponents counted clockwise from the learner, and how each is asked."""

    def __init__(self, given: Opponent | Sequence[Opponent]) -> None:
        one = isinstance(given, str) or not isinstance(given, Sequence)
        self._one = one
        self._called: list[Any] = []
        wanted: Any = [given] if one else given
        self._codes = [self._code(opponent) for opponent in wanted]

    def _code(self, opponent: Opponent) -> int:
        if isinstance(opponent, str) and opponent in INSIDE:
            return INSIDE[opponent]
        made: Any = create(opponent) if isinstance(opponent, str) else opponent
        if not callable(made) and not hasattr(made, "choose"):
            raise InvalidSetup(
                f"an opponent is a text as 'greedy', a bot, or a policy to call, not {opponent!r}"
            )
        if made not in self._called:
            self._called.append(made)
        return CALLED + self._called.index(made)

    def codes(self, players: int) -> list[int]:
        """Who decides for the seats after the learner's; raises InvalidSetup."""
        if not self._one and len(self._codes) != players - 1:
            raise InvalidSetup(
                f"opponents: one for all, or {players - 1} of them, not {len(self._codes)}"
            )
        return self._codes * (players - 1) if self._one else self._codes

    def decide(
        self,
        code: int,
        observations: npt.NDArray[np.int8],
        legal: npt.NDArray[np.bool_],
        games: Callable[[], list[Game]],
    ) -> npt.NDArray[np.int64]:
        """The decisions of an opponent of Python in all games that wait for it."""
        asked = self._called[code - CALLED]
        if hasattr(asked, "choose"):
            return np.array([choice(asked, game) for game in games()], np.int64)
        answer = np.asarray(asked(observations, legal))
        if answer.shape != (len(legal),) or not np.issubdtype(answer.dtype, np.integer):
            raise ValueError(
                f"a policy gives {len(legal)} whole numbers, not {answer.shape} {answer.dtype}"
            )
        return answer.astype(np.int64)


def choice(bot: Bot, game: Game) -> int:
    """The id of a bot's decision, which knows only its view."""
    action: Any = bot.choose(game.view(game.player), game.legal_actions())
    return action.id if isinstance(action, Action) else Action(action).id
