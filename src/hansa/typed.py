"""The form of a position as plain data (CONTRACT section 4), for those who check their types.

They are plain dictionaries at run time: `game.to_dict()["players"]["p1"]["points"]`.
"""

from __future__ import annotations

from typing import Any, TypedDict

__all__ = [
    "CityData",
    "NeutralData",
    "PendingData",
    "PlayerData",
    "PositionData",
    "RouteData",
    "SetupData",
]


class SetupData(TypedDict):
    """The set-up, everything resolved."""

    board: str
    players: int
    edition: str
    seed: Any
    """A whole number; in a view `?`, since it decides what is hidden."""
    missions: bool
    favours: bool
    promos: list[str]
    duel: str | None
    border_fee: bool


class PlayerData(TypedDict):
    """A player's desk. In a view hidden entries are `?`, so that counts stay."""

    points: int
    supply: dict[str, int]
    skills: dict[str, int]
    markers: list[str]
    used: list[str]
    plate: list[str]
    favours: list[str]
    mission: list[str] | None


class NeutralData(TypedDict):
    """The neutral colour of the neutral duel."""

    points: int


class RouteData(TypedDict):
    """A route: its posts from its first city, the marker at its tavern, promo markers for good."""

    posts: list[str | None]
    marker: str | None
    laid: list[str]


class CityData(TypedDict):
    """A city: one entry a house from the left, and its extra offices."""

    offices: list[str | None]
    extra: list[str]


class PendingData(TypedDict):
    """In the middle of an action: what waits on what, the next decision last."""

    stack: list[dict[str, Any]]
    hand: list[list[str]]
    touched: list[list[str | None]]
    short: bool


class PositionData(TypedDict):
    """A whole position, what `Game.to_dict` and `Game.view` give."""

    game: SetupData
    turn: int
    active: str
    player: str
    phase: str
    actions_left: int
    acted: bool
    flags: list[str]
    permissions_used: list[str]
    players: dict[str, PlayerData]
    neutral: NeutralData | None
    routes: dict[str, RouteData]
    cities: dict[str, CityData]
    prestige: dict[str, str | None]
    east_west: list[str]
    pawn: int | None
    favours: list[str]
    supply: list[str]
    discarded: list[str]
    over: bool
    end_reason: str | None
    pending: PendingData | None
