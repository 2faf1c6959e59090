"""The game for OpenSpiel, registered as `hansa` and `hansa_v2` when this module is imported.

The second has the observations of version 2.

>>> import pyspiel
>>> import hansa.envs.openspiel
>>> game = pyspiel.load_game("hansa(board=east,players=3)")
>>> game.num_players(), game.num_distinct_actions() == hansa.ACTIONS
(3, True)

Chance acts once, before the first decision: it draws one of `deals` seeds, from `seed` on, and
with it the markers at the taverns, the supply's order, missions and favours. A game that is not
over after `max_decisions` ends as a draw.
"""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import numpy as np
import numpy.typing as npt

from hansa.action import ACTIONS, actions_of
from hansa.errors import InvalidSetup
from hansa.names import PLAYERS
from hansa.setup import Setup

from .layout import layout
from .rendering import as_line
from .rewards import checked_limit, reward_code
from .single import SingleGame

try:
    import pyspiel
except ImportError as error:
    raise ImportError(
        "hansa.envs.openspiel needs OpenSpiel: pip install 'hansa[openspiel]'"
    ) from error

__all__ = ["HansaGame", "HansaGame2", "HansaObserver", "HansaState"]

PARAMETERS: dict[str, Any] = {
    **{option.name: option.default or "" for option in fields(Setup) if option.name != "seed"},
    **dict.fromkeys(("missions", "favours", "border_fee"), False),
    "seed": 0,
    "deals": 100,
    "max_decisions": 10_000,
}
"""With their defaults; several promo markers are joined by `+`, an empty duel is the usual one."""


def _game_type(short_name: str) -> Any:
    return pyspiel.GameType(
        short_name=short_name,
        long_name="Hansa Teutonica",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=5,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=True,
        parameter_specification=PARAMETERS,
    )


def _setup(params: dict[str, Any]) -> Setup:
    given = {option.name: params[option.name] for option in fields(Setup)}
    given |= {
        "promos": tuple(filter(None, params["promos"].split("+"))),
        "duel": params["duel"] or None,
    }
    return Setup(**given)


class HansaGame(pyspiel.Game):  # type: ignore[misc]  # OpenSpiel ships no types
    """A set-up as OpenSpiel loads it; raises InvalidSetup."""

    version = 1
    kind = _game_type("hansa")

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = {**PARAMETERS, **(params or {})}
        self.setup = _setup(given)
        self.most = checked_limit(given["max_decisions"])
        self.deals: int = given["deals"]
        if not 1 <= self.deals <= 1_000_000:
            raise InvalidSetup(f"deals must be from 1 to 1000000, not {self.deals}")
        self.start = SingleGame(self.setup, reward=reward_code("win"), version=self.version)
        info = pyspiel.GameInfo(
            num_distinct_actions=ACTIONS,
            max_chance_outcomes=self.deals,
            num_players=self.setup.players,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=self.most,
        )
        super().__init__(self.kind, info, params or {})

    def new_initial_state(self) -> HansaState:
        """Before the deal."""
        return HansaState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> HansaObserver:
        """What OpenSpiel calls an observer; it takes no parameters."""
        if params:
            raise ValueError(f"observers of hansa take no parameters, not {params}")
        wanted = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        return HansaObserver(self, wanted)


class HansaGame2(HansaGame):
    """The same with observations of version 2."""

    version = 2
    kind = _game_type("hansa_v2")


class HansaState(pyspiel.State):  # type: ignore[misc]  # OpenSpiel ships no types
    """A position, or the moment before the deal."""

    def __init__(self, game: HansaGame) -> None:
        super().__init__(game)
        self.single = game.start.copy()
        self.dealt = False
        self._first, self._deals, self._most = game.setup.seed, game.deals, game.most
        self._returns = [0.0] * game.setup.players

    def current_player(self) -> int:
        """Whose decision it is."""
        if not self.dealt:
            return int(pyspiel.PlayerId.CHANCE)
        if self.is_terminal():
            return int(pyspiel.PlayerId.TERMINAL)
        return self.single.player

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The deals, each as likely as any other."""
        return [(deal, 1.0 / self._deals) for deal in range(self._deals)]

    def is_terminal(self) -> bool:
        """Whether the game is over, or as long as it may be."""
        return self.single.over or self.single.decisions >= self._most

    def returns(self) -> list[float]:
        """The reward `win` of every seat; 0 until the end, and after a draw by length."""
        return self._returns

    def _legal_actions(self, player: int) -> list[int]:
        if player != self.single.player:
            return []
        return np.flatnonzero(self.single.mask()).tolist()

    def _apply_action(self, action: int) -> None:
        if self.dealt:
            self._returns = self.single.play(action)
        else:
            self.single.deal(self._first + action)
            self.dealt = True

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"deal {action}"
        names = actions_of(self.single.setup.board)
        return names[action].text if action in names else f"id {action}"

    def __str__(self) -> str:
        return as_line(self.single.game().to_dict()) if self.dealt else "before the deal"


class HansaObserver:
    """What a player sees: the encoder's numbers between 0 and 1, and the view as text.

    The information state is every decision so far and the view; private is the own mission and,
    while its markers are laid, the own plate.
    """

    def __init__(self, game: HansaGame, wanted: Any) -> None:
        self._layout = layout(game.setup.board, game.version)
        self._recall = wanted.perfect_recall
        self._public = wanted.public_info
        self._private = wanted.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        self.tensor: npt.NDArray[np.float32] | None = None
        self.dict: dict[str, npt.NDArray[np.float32]] = {}
        if self._public and self._private and not self._recall:
            self.tensor = np.zeros(self._layout.size, np.float32)
            self.dict = {"observation": self.tensor}

    def set_from(self, state: HansaState, player: int) -> None:
        """Write what the player sees into `tensor`."""
        if self.tensor is not None:
            seen = state.single.observe(player) if state.dealt else 0
            np.divide(seen, self._layout.maxima, out=self.tensor, dtype=np.float32)

    def string_from(self, state: HansaState, player: int) -> str:
        """What the player sees as text."""
        if not state.dealt:
            return "before the deal"
        seat, game = PLAYERS[player], state.single.game()
        own = game.view(seat)
        if not self._public:
            desk = own["players"][seat]
            known = {"mission": desk["mission"], "plate": desk["plate"]} if self._private else {}
            return as_line(known)
        text = as_line(own if self._private else game.view(None))
        if self._recall:
            text = f"{seat} {' '.join(map(str, state.single.history))} {text}"
        return text


for _game in (HansaGame, HansaGame2):
    pyspiel.register_game(_game.kind, _game)
