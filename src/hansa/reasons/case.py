"""A position, a decision that is not legal in it, and what a reason is made of.

Reasons ask the rules: each looks at the state with the functions that list what is legal.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from hansa.action import Action
from hansa.boards import Board
from hansa.boards.board import PRIVILEGES
from hansa.game import Game
from hansa.names import SHAPES, SKILLS
from hansa.rules.codes import MERCHANT, TRADER
from hansa.rules.place import is_around_pawn
from hansa.rules.skills import is_full
from hansa.rules.state import State
from hansa.rules.tables import Tables

__all__ = ["PIECES", "PRIVILEGES", "Case", "Reason", "away", "from_supply", "full_skill"]

PIECES = ("trader", "merchant")


@dataclass(frozen=True, slots=True)
class Reason:
    """Why something is not possible: a short code, the rule, a sentence, and what fills it in."""

    code: str
    rule: str
    message: str
    values: Mapping[str, str | int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Case:
    """A game, and a decision that is not legal in it."""

    game: Game
    action: Action

    @property
    def board(self) -> Board:
        """The board as people see it."""
        return self.game.board

    @property
    def b(self) -> Tables:
        """The board as the rules read it."""
        return self.game.setup.tables

    @property
    def s(self) -> State:
        """The state."""
        return self.game.state

    @property
    def player(self) -> int:
        """Who would decide."""
        return self.s.player

    @property
    def post(self) -> int:
        """The number of the post that is named."""
        return self.game.setup.post_numbers[str(self.action.post)]

    @property
    def route(self) -> int:
        """The number of the route that is named, or of the post's."""
        return self.game.setup.route_numbers[str(self.action.route)]

    @property
    def city(self) -> int:
        """The number of the city that is named."""
        return self.game.setup.city_numbers[str(self.action.city)]

    @property
    def shape(self) -> int:
        """The shape that is named."""
        return SHAPES.index(str(self.action.shape))

    @property
    def skill(self) -> int:
        """The skill that is named."""
        return SKILLS.index(str(self.action.skill))

    @property
    def route_name(self) -> str:
        """The route as a person would call it."""
        first, second = self.board.route(str(self.action.route)).cities
        return f"{self.board.city(first).name}–{self.board.city(second).name}"

    @property
    def city_name(self) -> str:
        """The city as a person would call it."""
        return self.board.city(str(self.action.city)).name


def away(case: Case) -> Reason | None:
    """DUEL-PAWN-7."""
    if is_around_pawn(case.b, case.s, case.route):
        return None
    return Reason("pawn", "DUEL-PAWN-7", "The pawn stands in another province.")


def from_supply(case: Case, ship: int) -> Reason | None:
    """INCOME-4, PLACE-3: whether the supply has the piece, and the post takes it."""
    supply = case.s.supply[2 * case.player : 2 * case.player + 2]
    if sum(supply) == 0:
        return Reason("no-supply", "INCOME-4", "Your supply is empty: take Income first.")
    if ship and supply[MERCHANT] == 0:
        text = "A ship takes merchants only, and you have none in your supply."
        return Reason("ship", "PLACE-3", text)
    if ship and case.shape == TRADER:
        return Reason("ship-shape", "PLACE-3", "A ship takes merchants only.")
    if supply[case.shape] == 0:
        text = f"You have no {PIECES[case.shape]} in your supply."
        return Reason("no-shape", "INCOME-4", text, {"shape": SHAPES[case.shape]})
    return None


def full_skill(case: Case) -> Reason | None:
    """SKILL-4."""
    if not is_full(case.s, case.player, case.skill):
        return None
    return Reason("skill-full", "SKILL-4", "This skill is full.", {"skill": str(case.action.skill)})
