"""Events: what a decision brought about, rich enough for a log in words and an animation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import cache
from typing import Any, ClassVar

from hansa.boards import Board, load
from hansa.grammar import MARKER_NAMES as MARKERS
from hansa.names import END_REASONS, FAVOURS, OWNERS, PRESTIGE_SPACES, SHAPES, SKILLS
from hansa.rules import notes

__all__ = [
    "ActionsGained",
    "BorderFeePaid",
    "CityCompleted",
    "Event",
    "FavourBought",
    "GameEnded",
    "Linked",
    "MarkerDiscarded",
    "MarkerDrawn",
    "MarkerExchanged",
    "MarkerLaid",
    "MarkerTaken",
    "MarkerUsed",
    "NothingToDraw",
    "OfficeFounded",
    "OfficesSwapped",
    "PawnMoved",
    "PermissionUsed",
    "PieceMoved",
    "PointsGained",
    "PromoLaid",
    "RouteEstablished",
    "SkillDeveloped",
    "TurnBegan",
    "TurnEnded",
    "events_of",
]


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened; everybody may see it (drawn markers stay unnamed)."""

    type: ClassVar[str] = "event"

    def to_dict(self) -> dict[str, Any]:
        """Plain data, `type` first."""
        return {"type": self.type, **asdict(self)}


@dataclass(frozen=True, slots=True)
class PieceMoved(Event):
    """A piece went from one place to another.

    Places: `post:<post>`, `stock:<player>`, `supply:<player>`, `hand:<player>`, `city:<city>`,
    `extra:<city>`, `prestige:<value>`, `track:<skill>`, `laid:<route>`.
    """

    type: ClassVar[str] = "piece-moved"
    piece: str
    source: str
    target: str


@dataclass(frozen=True, slots=True)
class PointsGained(Event):
    """Prestige on the track, for `control`, `coin` or `link`."""

    type: ClassVar[str] = "points-gained"
    player: str
    points: int
    reason: str
    city: str


@dataclass(frozen=True, slots=True)
class MarkerTaken(Event):
    """A marker taken from an established route."""

    type: ClassVar[str] = "marker-taken"
    player: str
    marker: str
    route: str


@dataclass(frozen=True, slots=True)
class MarkerDrawn(Event):
    """A marker drawn unseen onto the plate."""

    type: ClassVar[str] = "marker-drawn"
    player: str


@dataclass(frozen=True, slots=True)
class NothingToDraw(Event):
    """The supply is empty: the game ends after this action (END-2)."""

    type: ClassVar[str] = "nothing-to-draw"
    player: str


@dataclass(frozen=True, slots=True)
class MarkerUsed(Event):
    """A marker used, or turned face down to pay for a tile."""

    type: ClassVar[str] = "marker-used"
    player: str
    marker: str


@dataclass(frozen=True, slots=True)
class MarkerLaid(Event):
    """A marker from the plate laid at a route."""

    type: ClassVar[str] = "marker-laid"
    player: str
    marker: str
    route: str


@dataclass(frozen=True, slots=True)
class PromoLaid(Event):
    """A tribute or block laid at a route for good."""

    type: ClassVar[str] = "promo-laid"
    player: str
    marker: str
    route: str


@dataclass(frozen=True, slots=True)
class MarkerDiscarded(Event):
    """A marker out of the game: `neutral`, `fee`, or `plate` at the end (then unnamed)."""

    type: ClassVar[str] = "marker-discarded"
    player: str
    marker: str | None
    reason: str
    route: str | None


@dataclass(frozen=True, slots=True)
class MarkerExchanged(Event):
    """A used marker of another player taken for an exchange."""

    type: ClassVar[str] = "marker-exchanged"
    player: str
    other: str
    marker: str


@dataclass(frozen=True, slots=True)
class BorderFeePaid(Event):
    """A marker given up to ignore borders this turn."""

    type: ClassVar[str] = "border-fee-paid"
    player: str
    marker: str


@dataclass(frozen=True, slots=True)
class SkillDeveloped(Event):
    """One step of a skill; `actions` are gained at once."""

    type: ClassVar[str] = "skill-developed"
    player: str
    skill: str
    level: int
    actions: int


@dataclass(frozen=True, slots=True)
class ActionsGained(Event):
    """Actions from `plus3` or `plus4`."""

    type: ClassVar[str] = "actions-gained"
    player: str
    actions: int


@dataclass(frozen=True, slots=True)
class OfficeFounded(Event):
    """An office: in a house (from 1), or extra (`house` null) at the left or right end."""

    type: ClassVar[str] = "office-founded"
    player: str
    city: str
    piece: str
    house: int | None
    side: str


@dataclass(frozen=True, slots=True)
class OfficesSwapped(Event):
    """The offices of houses `house` and `house` + 1 changed places."""

    type: ClassVar[str] = "offices-swapped"
    city: str
    house: int


@dataclass(frozen=True, slots=True)
class CityCompleted(Event):
    """A city completed; `completed` is the counter now."""

    type: ClassVar[str] = "city-completed"
    city: str
    completed: int


@dataclass(frozen=True, slots=True)
class Linked(Event):
    """The link made, as the first, second, …"""

    type: ClassVar[str] = "linked"
    player: str
    rank: int


@dataclass(frozen=True, slots=True)
class RouteEstablished(Event):
    """A route established, by a player or by neutral."""

    type: ClassVar[str] = "route-established"
    player: str
    route: str


@dataclass(frozen=True, slots=True)
class PermissionUsed(Event):
    """A city's permission used up for this turn."""

    type: ClassVar[str] = "permission-used"
    player: str
    city: str


@dataclass(frozen=True, slots=True)
class PawnMoved(Event):
    """The pawn moved; `source` is null when it is first placed."""

    type: ClassVar[str] = "pawn-moved"
    source: int | None
    target: int
    free: bool


@dataclass(frozen=True, slots=True)
class FavourBought(Event):
    """A tile bought."""

    type: ClassVar[str] = "favour-bought"
    player: str
    tile: str


@dataclass(frozen=True, slots=True)
class TurnEnded(Event):
    """A turn is over."""

    type: ClassVar[str] = "turn-ended"
    player: str


@dataclass(frozen=True, slots=True)
class TurnBegan(Event):
    """A turn begins with this many actions."""

    type: ClassVar[str] = "turn-began"
    player: str
    actions: int


@dataclass(frozen=True, slots=True)
class GameEnded(Event):
    """The game is over: `prestige`, `markers` or `cities`."""

    type: ClassVar[str] = "game-ended"
    reason: str


_REASONS = {notes.FOR_CONTROL: "control", notes.FOR_COIN: "coin", notes.FOR_LINK: "link"}


class _Words:
    """Names for the numbers in notes, on one board."""

    def __init__(self, board: Board) -> None:
        self.cities = [city.id for city in board.cities]
        self.routes = [route.id for route in board.routes]
        self.posts = [post.id for route in board.routes for post in route.posts]

    def piece(self, code: int) -> str:
        return f"{OWNERS[(code - 1) >> 1]}:{SHAPES[(code - 1) & 1]}"

    def place(self, code: int) -> str:
        kind, number = code // 1000 * 1000, code % 1000
        if kind == notes.ON_POST:
            return f"post:{self.posts[number]}"
        if kind in (notes.IN_HOUSE, notes.IN_ANNEX):
            return f"{'city' if kind == notes.IN_HOUSE else 'extra'}:{self.cities[number]}"
        if kind == notes.ON_PRESTIGE:
            return f"prestige:{PRESTIGE_SPACES[number]}"
        if kind == notes.ON_TRACK:
            return f"track:{SKILLS[number]}"
        if kind == notes.ON_LAID:
            return f"laid:{self.routes[number]}"
        where = {notes.IN_STOCK: "stock", notes.IN_SUPPLY: "supply", notes.IN_HAND: "hand"}
        return f"{where[kind]}:{OWNERS[number]}"


@cache
def _words(board_id: str) -> _Words:
    return _Words(load(board_id))


def events_of(board: Board, noted: list[tuple[int, int, int, int, int]]) -> list[Event]:
    """The notes of the rules as typed events, in order."""
    words = _words(board.id)
    return [_event(words, *one) for one in noted]


def _event(words: _Words, kind: int, a: int, b: int, c: int, d: int) -> Event:
    if kind == notes.MOVED:
        return PieceMoved(words.piece(a), words.place(b), words.place(c))
    if kind == notes.POINTS:
        return PointsGained(OWNERS[a], b, _REASONS[c], words.cities[d])
    if kind == notes.FOUNDED:
        side = "right" if d == -1 else "left" if d == 0 else "house"
        return OfficeFounded(OWNERS[a], words.cities[b], words.piece(c), d if d > 0 else None, side)
    if kind == notes.DISCARDED:
        reason = "neutral" if b > 0 else "fee" if b == 0 else "plate"
        route = words.routes[b - 1] if b > 0 else None
        return MarkerDiscarded(OWNERS[c], MARKERS[a - 1] if b >= 0 else None, reason, route)
    if kind in (notes.COMPLETED, notes.SWAPPED):
        city = words.cities[a]
        return CityCompleted(city, b) if kind == notes.COMPLETED else OfficesSwapped(city, b)
    if kind == notes.PAWN_MOVED:
        return PawnMoved(a or None, b, bool(c))
    if kind == notes.ENDED:
        return GameEnded(str(END_REASONS[a]))
    return _player_event(words, kind, OWNERS[a], b, c, d)


def _player_event(words: _Words, kind: int, player: str, b: int, c: int, d: int) -> Event:
    if kind in _BY_MARKER_AND_ROUTE:
        return _BY_MARKER_AND_ROUTE[kind](player, MARKERS[b - 1], words.routes[c])
    if kind in _BY_MARKER:
        return _BY_MARKER[kind](player, MARKERS[b - 1])
    if kind in _BY_NUMBER:
        return _BY_NUMBER[kind](player, b)
    if kind in _BY_PLAYER:
        return _BY_PLAYER[kind](player)
    if kind == notes.DEVELOPED:
        return SkillDeveloped(player, SKILLS[b], c, d)
    if kind == notes.ESTABLISHED:
        return RouteEstablished(player, words.routes[b])
    if kind == notes.PERMISSION:
        return PermissionUsed(player, words.cities[b])
    if kind == notes.BOUGHT:
        return FavourBought(player, FAVOURS[b - 1])
    return MarkerExchanged(player, OWNERS[b], MARKERS[c - 1])


_BY_MARKER_AND_ROUTE: dict[int, Callable[[str, str, str], Event]] = {
    notes.TAKEN: MarkerTaken,
    notes.LAID: MarkerLaid,
    notes.PROMO_LAID: PromoLaid,
}
_BY_MARKER: dict[int, Callable[[str, str], Event]] = {
    notes.USED: MarkerUsed,
    notes.PAID_FEE: BorderFeePaid,
}
_BY_NUMBER: dict[int, Callable[[str, int], Event]] = {
    notes.LINKED: Linked,
    notes.TURN_BEGAN: TurnBegan,
    notes.ACTIONS_GAINED: ActionsGained,
}
_BY_PLAYER: dict[int, Callable[[str], Event]] = {
    notes.DRAWN: MarkerDrawn,
    notes.SHORT: NothingToDraw,
    notes.TURN_ENDED: TurnEnded,
}
