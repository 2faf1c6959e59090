"""A position and who asks; what a reason is made of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from hansa.boards import Board

__all__ = ["PIECES", "PRIVILEGES", "Case", "Reason", "from_supply", "is_away", "is_full"]

PRIVILEGES = ("white", "orange", "pink", "black")
PIECES = {"t": "trader", "m": "merchant"}
FIELDS = {"keys": 4, "actions": 5, "privilege": 3, "book": 3, "bank": 3}
"""SKILL-1: pieces on a track that is not yet developed."""


@dataclass(frozen=True, slots=True)
class Reason:
    """Why something is not possible: a short code, the rule, a sentence, and what fills it in."""

    code: str
    rule: str
    message: str
    values: Mapping[str, str | int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Case:
    """A position and who asks."""

    board: Board
    position: Mapping[str, Any]
    player: str
    stock: Mapping[str, int]

    @property
    def me(self) -> Mapping[str, Any]:
        """What the one who asks has."""
        return dict(self.position["players"][self.player])

    def posts(self, route: str) -> list[str | None]:
        """The pieces on a route, post by post."""
        return list(self.position["routes"][route]["posts"])

    def route_name(self, route: str) -> str:
        """As a person would call it."""
        first, second = self.board.route(route).cities
        return f"{self.board.city(first).name}–{self.board.city(second).name}"


def is_away(case: Case, route: str) -> Reason | None:
    """DUEL-PAWN-7: Place, Displace and Establish only around the pawn's province."""
    here = next((x for x in case.board.provinces if x.id == case.position["pawn"]), None)
    if case.position["game"]["duel"] == "pawn" and here is not None and route not in here.routes:
        return Reason("pawn", "DUEL-PAWN-7", "The pawn stands in another province.")
    return None


def from_supply(case: Case, shape: str, ship: bool) -> Reason | None:
    """INCOME-4, PLACE-3."""
    supply = case.me["supply"]
    if supply["t"] + supply["m"] == 0:
        return Reason("no-supply", "INCOME-4", "Your supply is empty: take Income first.")
    if ship and supply["m"] == 0:
        return Reason(
            "ship", "PLACE-3", "A ship takes merchants only, and you have none in your supply."
        )
    if ship and shape == "t":
        return Reason("ship-shape", "PLACE-3", "A ship takes merchants only.")
    if supply[shape] == 0:
        name = PIECES[shape]
        return Reason(
            "no-shape", "INCOME-4", f"You have no {name} in your supply.", {"shape": shape}
        )
    return None


def is_full(case: Case, skill: str) -> Reason | None:
    """SKILL-4."""
    if case.me["skills"][skill] == FIELDS[skill]:
        return Reason("skill-full", "SKILL-4", "This skill is full.", {"skill": skill})
    return None
