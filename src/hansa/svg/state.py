"""A position as the drawing needs it: what stands where, who owns what."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from hansa.svg.data import board_data

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["COLOUR_NAMES", "TRACKS", "Desk", "Piece", "Position", "completed", "controller"]

COLOUR_NAMES = {
    "p1": "Red",
    "p2": "Blue",
    "p3": "Gold",
    "p4": "Green",
    "p5": "Purple",
    "n": "Neutral",
}

# SKILL-1: the fields of the five tracks; book holds merchants, the others traders.
TRACKS: dict[str, tuple[str, ...]] = {
    "keys": ("1", "2", "2", "3", "4"),
    "actions": ("2", "3", "3", "4", "4", "5"),
    "privilege": ("white", "orange", "pink", "black"),
    "book": ("2", "3", "4", "5"),
    "bank": ("3", "5", "7", "all"),
}

Piece = tuple[str, str]


@dataclass
class Desk:
    """What lies before a player; `mission` is three city names, or None where it is secret."""

    points: int = 0
    supply: dict[str, int] = field(default_factory=lambda: {"t": 0, "m": 0})
    stock: dict[str, int] | None = None
    skills: dict[str, int] = field(default_factory=lambda: dict.fromkeys(TRACKS, 0))
    markers: list[tuple[str, str]] = field(default_factory=list)
    favours: list[str] = field(default_factory=list)
    has_mission: bool = False
    mission: list[str] | None = None


@dataclass
class Position:
    """What stands where. Pieces are (shape, owner), e.g. ("t", "p1").

    `hand` are pieces off the board in the middle of something, each with the post it was lifted
    from or the route it was displaced from.
    """

    board_id: str
    names: dict[str, str]
    turn: int = 1
    active: str = "p1"
    player: str = "p1"
    is_pawn_duel: bool = False
    permissions_used: list[str] = field(default_factory=list)
    posts: dict[str, Piece] = field(default_factory=dict)
    markers: dict[str, str] = field(default_factory=dict)
    laid: dict[str, list[tuple[str, str]]] = field(default_factory=dict)
    offices: dict[str, list[Piece | None]] = field(default_factory=dict)
    extra: dict[str, list[Piece]] = field(default_factory=dict)
    prestige: dict[int, str] = field(default_factory=dict)
    link: list[str] = field(default_factory=list)
    pawn: int | None = None
    favours: list[str] = field(default_factory=list)
    desks: dict[str, Desk] = field(default_factory=dict)
    neutral_points: int | None = None
    control: dict[str, str | None] = field(default_factory=dict)
    completed: int = 0
    hand: list[tuple[Piece, str]] = field(default_factory=list)

    @property
    def board(self) -> dict[str, Any]:
        """The board file."""
        return board_data(self.board_id)

    @property
    def points(self) -> dict[str, int]:
        """Who has how many points on the track."""
        out = {name: desk.points for name, desk in self.desks.items()}
        return out if self.neutral_points is None else {**out, "n": self.neutral_points}

    def board_places(self) -> Iterator[str]:
        """Every route and every post by its name."""
        for route in self.board["routes"]:
            yield route["id"]
            yield from (f"{route['id']}/{k}" for k in range(1, len(route["posts"]) + 1))

    def stock(self, player: str) -> dict[str, int]:
        """What is left of a player's 27 traders and 4 merchants, unless the data say it."""
        desk = self.desks[player]
        if desk.stock is not None:
            return desk.stock
        out = {"t": 27 - 1, "m": 4}  # one trader stands on the score track
        for skill, fields in TRACKS.items():
            out["m" if skill == "book" else "t"] -= len(fields) - 1 - desk.skills[skill]
        for shape, count in desk.supply.items():
            out[shape] -= count
        for shape, owner in self._standing():
            if owner == player:
                out[shape] -= 1
        return {shape: max(count, 0) for shape, count in out.items()}

    def _standing(self) -> Iterator[Piece]:
        """Every piece off the desks: posts, offices, prestige, laid markers, hands."""
        yield from self.posts.values()
        for row in self.offices.values():
            yield from (piece for piece in row if piece)
        for stalls in self.extra.values():
            yield from stalls
        yield from (("m", owner) for owner in self.prestige.values())
        yield from (("t", owner) for laid in self.laid.values() for owner, _ in laid)
        yield from (piece for piece, _ in self.hand)


def controller(offices: list[Piece | None], extra: list[Piece]) -> str | None:
    """Who controls a city: most offices (CONTROL-1), on a tie whose rightmost office is further right (CONTROL-2)."""
    row = [piece[1] for piece in (*extra, *offices) if piece is not None]
    if not row:
        return None
    most = max(row.count(owner) for owner in row)
    return next(owner for owner in reversed(row) if row.count(owner) == most)


def completed(position: Position, city: dict[str, Any]) -> bool:
    """A city counts as completed with its last house filled; a green city with its first office (EAST-9)."""
    offices = position.offices.get(city["id"], [])
    return bool(offices) and all(piece is not None for piece in offices)
