"""The game for Gymnasium: one learner against bots, registered as `Hansa-v1` and `Hansa-v2`.

The second one differs by its observations, which tell all that a view tells.

>>> import gymnasium
>>> import hansa.envs.gymnasium
>>> env = gymnasium.make("Hansa-v2", players=3, opponents="random")
>>> seen, info = env.reset(seed=7)
>>> sorted(seen)
['action_mask', 'observation']
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Unpack

import numpy as np
import numpy.typing as npt

from hansa.bots import Bot, create
from hansa.errors import InvalidSetup
from hansa.game import Game
from hansa.names import PLAYERS
from hansa.setup import Options, Setup

try:
    import gymnasium
except ImportError as error:
    raise ImportError("hansa.envs.gymnasium needs Gymnasium: pip install 'hansa[rl]'") from error

from .deals import SEEDS, checked_seed
from .layout import VERSIONS, layout
from .opponents import choice
from .rendering import MODES, checked_mode, show
from .rewards import NO_LIMIT, checked_limit, reward_code
from .single import SingleGame
from .spaces import action_space, observation_space

__all__ = ["HansaEnv"]

ILLEGAL_REWARD = -1.0
Observation = dict[str, npt.NDArray[np.int8]]


class HansaEnv(gymnasium.Env[Observation, np.int64]):
    """A seat at a table of bots.

    `opponents` are texts as in `hansa.bots.create`, or bots: one for all other seats, or one for
    each in turn order. `seat` is the learner's (`p1` …), None: drawn anew for every game. An
    illegal decision ends the game with a reward of -1. `version` is that of the observations. The other options are those of
    `hansa.envs.pettingzoo.hansa_v1`. Raises InvalidSetup, or UnknownBot for an opponent.
    """

    metadata = {"render_modes": MODES, "render_fps": 2}  # noqa: RUF012  # as the interface has it

    def __init__(
        self,
        *,
        opponents: str | Bot | Sequence[str | Bot] = "greedy",
        seat: str | None = "p1",
        reward: str = "win",
        max_decisions: int | None = 10_000,
        render_mode: str | None = None,
        jit: bool | None = None,
        version: int = 1,
        **options: Unpack[Options],
    ) -> None:
        setup = Setup(**options)
        players = setup.players
        self.render_mode = checked_mode(render_mode)
        self._most = checked_limit(max_decisions)
        self._bots = _bots(opponents, players - 1)
        if seat is not None and seat not in PLAYERS[:players]:
            raise InvalidSetup(
                f"seat must be one of {', '.join(PLAYERS[:players])} or None, not {seat!r}"
            )
        self._fixed_seat = seat
        self._seat = 0
        self._single = SingleGame(setup, jit=jit, reward=reward_code(reward), version=version)
        self._done = True
        self.layout = layout(setup.board, version)
        self.action_space = action_space()
        self.observation_space: gymnasium.spaces.Space[Any] = observation_space(self.layout)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin the game of this seed; without one, the next game of the last seed given."""
        super().reset(seed=None if seed is None else checked_seed(seed), options=options)
        drawn = int(self.np_random.integers(SEEDS))
        place = int(self.np_random.integers(self._single.setup.players))
        self._seat = place if self._fixed_seat is None else PLAYERS.index(self._fixed_seat)
        self._single.deal(drawn if seed is None else seed)
        self._done = False
        self._answer(NO_LIMIT)
        self._show()
        return self._seen(), self._info()

    def step(self, action: np.int64 | int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """The learner's decision, then those of the bots until it is his again."""
        if self._done:
            raise gymnasium.error.ResetNeeded("the game is over: call reset()")
        if not self._single.is_legal(int(action)):
            self._done = True
            return self._seen(), ILLEGAL_REWARD, True, False, {**self._info(), "illegal": True}
        earned = self._single.play(int(action))[self._seat] + self._answer(self._most)
        over = self._single.over
        truncated = not over and self._single.decisions >= self._most
        self._done = over or truncated
        self._show()
        return self._seen(), earned, over, truncated, self._info()

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """The legal decisions, as maskable learners ask for them."""
        return self._single.mask().astype(np.bool_)

    def render(self) -> Any:
        """The position as text (`ansi`), picture (`svg`) or on the terminal (`human`)."""
        return None if self.render_mode is None else show(self._single.game(), self.render_mode)

    def game(self) -> Game:
        """The whole game so far, e.g. for `record()`."""
        return self._single.replay()

    def _answer(self, most: int) -> float:
        """Let the bots decide until the learner must; what he gets meanwhile."""
        earned = 0.0
        single = self._single
        while not single.over and single.player != self._seat and single.decisions < most:
            game = single.game()
            bot = self._bots[(single.player - self._seat) % single.setup.players - 1]
            earned += single.play(choice(bot, game))[self._seat]
        return earned

    def _seen(self) -> Observation:
        return {
            "observation": self._single.observe(self._seat),
            "action_mask": self._single.mask().copy(),
        }

    def _info(self) -> dict[str, Any]:
        return {"seat": PLAYERS[self._seat], "seed": self._single.setup.seed}

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()


def _bots(given: str | Bot | Sequence[str | Bot], seats: int) -> list[Bot]:
    """A bot for every other seat, counted clockwise from the learner."""
    one = isinstance(given, str) or not isinstance(given, Sequence)
    wanted: Any = [given] * seats if one else given
    if len(wanted) != seats:
        raise InvalidSetup(f"opponents: one bot for all, or {seats} of them, not {len(wanted)}")
    return [create(bot) if isinstance(bot, str) else bot for bot in wanted]


for _version in VERSIONS:
    if f"Hansa-v{_version}" not in gymnasium.registry:
        gymnasium.register(
            f"Hansa-v{_version}",
            entry_point="hansa.envs.gymnasium:HansaEnv",
            vector_entry_point="hansa.envs.vector:HansaVectorEnv",
            kwargs={"version": _version},
        )
