"""A position as one viewer sees it: the contract's section 4, and what is derived from it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal, NotRequired, TypedDict, TypeVar, cast

import msgspec
from msgspec import Meta

from hansa.names import CATEGORIES, SKILLS
from hansa.rules.catalogue import FRAMES
from hansa.server.wire.log import LogEntry
from hansa.server.wire.setups import GameSetup
from hansa.server.wire.words import BY_SEAT, Owner, Phase, Seat, Shape
from hansa.typed import CityData, NeutralData, RouteData

__all__ = [
    "CityView",
    "Frame",
    "NeutralView",
    "PastPosition",
    "Pending",
    "Pieces",
    "PlayerView",
    "Position",
    "RouteView",
    "Score",
    "Skills",
    "UndoFace",
    "UndoReason",
    "View",
    "packed",
]

T = TypeVar("T")


class Pieces(TypedDict):
    """Pieces by shape: traders and merchants."""

    t: int
    m: int


if TYPE_CHECKING:
    Skills = dict[str, int]
    Score = dict[str, int | None]
else:
    Skills = TypedDict("Skills", dict.fromkeys(SKILLS, int))
    Skills.__doc__ = "The level of every skill: pieces already taken off its track."
    Score = TypedDict(
        "Score",
        {
            **dict.fromkeys(CATEGORIES, int),
            "missions": Annotated[
                int | None,
                Meta(
                    description="null while the viewer may not know; then `total` leaves them out"
                ),
            ],
            "total": int,
        },
    )
    Score.__doc__ = "Points by account, as if the game ended now."


class PlayerView(TypedDict):
    """A player's desk. Hidden entries are `?`, so that counts stay."""

    points: int
    supply: Pieces
    skills: Skills
    markers: list[str]
    used: list[str]
    plate: list[str]
    favours: list[str]
    mission: list[str] | None


class NeutralView(NeutralData):
    """The neutral colour of the neutral duel."""


class RouteView(RouteData):
    """A route: its posts from its first city, the marker at its tavern, promo markers for good."""


class CityView(CityData):
    """A city: one entry a house from the left, and its extra offices."""


_NUMBERS = {"count", "traders", "merchants"}


def _meant(meaning: str) -> Any:
    """How a field of a pending decision travels, by what its number means."""
    if meaning in _NUMBERS:
        return int
    return Shape | None if meaning == "waiting" else str


if TYPE_CHECKING:
    Frame = dict[str, Any]
else:
    Frame = TypedDict(
        "Frame",
        {"what": str, "player": Seat}
        | {
            name: NotRequired[_meant(meaning)]
            for frame in FRAMES
            for name, meaning in frame.fields.items()
        },
    )
    Frame.__doc__ = "Something begun that is still to be decided; its keys depend on `what`."


class Pending(TypedDict):
    """In the middle of an action: what waits on what, the next decision last."""

    stack: list[Frame]
    hand: Annotated[list[tuple[str, str]], Meta(description="piece and the post it came from")]
    touched: Annotated[
        list[tuple[str, str | None]], Meta(description="post and what stood there before a Move")
    ]
    short: bool


class View(TypedDict):
    """All keys of the contract's section 4; what the viewer may not know is `?`."""

    game: GameSetup
    turn: int
    active: Seat
    player: Seat
    phase: Phase
    actions_left: int
    acted: bool
    flags: list[str]
    permissions_used: list[str]
    players: Annotated[dict[str, PlayerView], BY_SEAT]
    neutral: NeutralView | None
    routes: dict[str, RouteView]
    cities: dict[str, CityView]
    prestige: dict[str, Owner | None]
    east_west: list[Owner]
    pawn: int | None
    favours: list[str]
    supply: list[str]
    discarded: list[str]
    over: bool
    end_reason: str | None
    pending: Pending | None


UndoReason = Literal[
    "off", "nothing", "hidden", "other_player", "standin", "over", "history", "preview"
]


class UndoFace(msgspec.Struct, kw_only=True, frozen=True):
    """Whether the viewer may take back, and without asking."""

    free: bool
    to: Annotated[int | None, Meta(description="the number the table would go back to")]
    reason: Annotated[UndoReason | None, Meta(description="why not")]
    ask: Annotated[
        int | None,
        Meta(
            description="where not free: the number before one's own last decision, for which the "
            "others can be asked; null where nothing is to be asked for, or something hidden has "
            "been shown since"
        ),
    ] = None


class Position(msgspec.Struct, kw_only=True):
    """A position with everything derived that a viewer may know."""

    revision: int
    number: int
    seat: Annotated[Seat | None, Meta(description="whose view this is; null: a watcher's")]
    view: View
    turn: int
    active: Seat
    player: Annotated[Seat, Meta(description="whose decision it is")]
    phase: Phase
    actions_left: int
    stock: Annotated[dict[str, Pieces], BY_SEAT]
    control: dict[str, Owner | None]
    completed: Annotated[int, Meta(description="how many cities are completed")]
    scores: Annotated[dict[str, Score], BY_SEAT]
    legal: Annotated[
        list[str] | None,
        Meta(
            description="the decisions as texts, in the engine's order; null unless the viewing "
            "seat is the one that decides"
        ),
    ]
    undo: UndoFace
    over: bool
    end_reason: str | None
    winners: list[Seat]


class PastPosition(Position, kw_only=True):
    """A position of the past; nothing is legal there."""

    entry: Annotated[LogEntry | None, Meta(description="the entry of the log that led there")]


def packed(value: T) -> T:
    """The same, written as JSON: a tenth of the memory, and every message shares it.

    It can be sent, but nobody reads its parts any more.
    """
    return cast("T", msgspec.Raw(msgspec.json.encode(value)))
