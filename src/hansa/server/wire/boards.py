"""A board and how to draw it: its file, and the geometry of `hansa.svg` (1000 units wide)."""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired, TypedDict

import msgspec
from msgspec import Meta

from hansa.server.wire.words import Skill

__all__ = [
    "BadgePlace",
    "BoardAnswer",
    "BoardFile",
    "CityFile",
    "CityPlace",
    "CountryPlace",
    "Geometry",
    "HouseFile",
    "HousePlace",
    "LabelPlace",
    "LinkFile",
    "LinkPlace",
    "PermissionFile",
    "PermitPlace",
    "PointsPlace",
    "PostFile",
    "PostPlace",
    "PrestigeFile",
    "PrestigePlace",
    "PrestigeSpace",
    "PrestigeSpacePlace",
    "Privilege",
    "ProvinceFile",
    "ProvincePlace",
    "RibbonPlace",
    "RouteFile",
    "RoutePlace",
    "RowPlaces",
    "SealPlace",
    "SoldierPlace",
    "Spot",
    "TrackPlace",
    "TwoPlayers",
]

Privilege = Literal["white", "orange", "pink", "black"]
HouseShape = Literal["trader", "merchant"]
Point = tuple[float, float]
Rect = Annotated[tuple[float, float, float, float], Meta(description="left, top, width and height")]


class HouseFile(TypedDict):
    """A house of a city."""

    shape: HouseShape
    privilege: Privilege
    coin: NotRequired[int]


class CityFile(TypedDict):
    """A city of the board's file."""

    id: str
    name: str
    xy: Point
    houses: list[HouseFile]
    skills: list[Skill]
    green: NotRequired[bool]
    regions: NotRequired[list[str]]


class PostFile(TypedDict):
    """A post of a route."""

    xy: Point
    ship: NotRequired[bool]


class RouteFile(TypedDict):
    """A route of the board's file."""

    id: str
    cities: tuple[str, str]
    posts: list[PostFile]
    tavern: NotRequired[bool]
    permanent: NotRequired[str]
    region: NotRequired[str]


class LinkFile(TypedDict):
    """The two cities to be linked, and the points for the first, second, …"""

    cities: tuple[str, str]
    points: list[int]


class PrestigeSpace(TypedDict):
    """A prestige space."""

    privilege: Privilege
    points: int


class PrestigeFile(TypedDict):
    """The city with the prestige spaces."""

    city: str
    spaces: list[PrestigeSpace]
    xy: Point


class PermissionFile(TypedDict):
    """A city that permits actions in other countries."""

    city: str
    regions: list[str]


class ProvinceFile(TypedDict):
    """A province of the pawn duel."""

    id: int
    name: str
    xy: Point
    routes: list[str]


class TwoPlayers(TypedDict):
    """The pawn duel's borders and provinces."""

    soldiers: list[tuple[str, str]]
    provinces: list[ProvinceFile]


class BoardFile(TypedDict):
    """The board's file, as far as a client needs it."""

    id: str
    family: Annotated[str, Meta(description="what all sides of the board have in common")]
    name: str
    size: Point
    completed_cities_end: int
    east_west: LinkFile
    prestige: PrestigeFile
    regions: list[str]
    permissions: list[PermissionFile]
    cities: list[CityFile]
    routes: list[RouteFile]
    two_player: NotRequired[TwoPlayers]


class Spot(TypedDict):
    """A place."""

    x: float
    y: float


class HousePlace(TypedDict):
    """A house as it is drawn."""

    shape: HouseShape
    privilege: Privilege
    coin: int


class RowPlaces(TypedDict):
    """The houses of a city for one number of extra offices."""

    shift: float
    y: float
    houses: list[float]
    stalls: list[float]
    shared: bool
    extra: list[tuple[float, float, float]]
    plinth: Rect


class LabelPlace(Spot):
    """A city's name."""

    text: str
    size: float
    width: float
    plate: Literal["link", "green", "brass"] | None
    rect: Rect


class BadgePlace(Spot):
    """A skill that a city develops."""

    skill: Skill


class PermitPlace(Spot):
    """A country that a city permits actions in."""

    region: str


class CityPlace(Spot):
    """A city."""

    name: str
    green: bool
    houses: list[HousePlace]
    rows: list[RowPlaces]
    rect: Rect
    frame: Rect
    label: LabelPlace
    badges: list[BadgePlace]
    permits: list[PermitPlace]
    regions: list[str]


class PostPlace(Spot):
    """A post."""

    id: str
    ship: bool


class SealPlace(Spot):
    """The marker at a route, and the thread it hangs on."""

    tether: tuple[float, float, float, float]


class RoutePlace(TypedDict):
    """A route."""

    cities: tuple[str, str]
    path: str
    posts: list[PostPlace]
    sea: bool
    region: str | None
    tavern: bool
    permanent: str | None
    marker: SealPlace
    laid: list[Spot]
    middle: Point


class PrestigeSpacePlace(Spot):
    """A prestige space."""

    points: int
    privilege: Privilege


class PrestigePlace(TypedDict):
    """The prestige spaces."""

    rect: Rect
    spaces: list[PrestigeSpacePlace]


class TrackPlace(TypedDict):
    """The track of completed cities."""

    rect: Rect
    cells: list[Point]


class PointsPlace(Spot):
    """Points for a link."""

    points: int


class LinkPlace(TypedDict):
    """The plaque of the link."""

    rect: Rect
    places: list[PointsPlace]


class RibbonPlace(Spot):
    """The score track."""

    w: float
    h: float
    pin_y: float


class CountryPlace(TypedDict):
    """A country's name."""

    region: str
    name: str
    rect: Rect


class ProvincePlace(Spot):
    """A province."""

    id: int
    name: str
    routes: list[str]


class SoldierPlace(Spot):
    """A soldier between two cities."""

    cities: tuple[str, str]
    ends: tuple[Point, Point]


class Geometry(TypedDict):
    """Where everything of a board lies."""

    board: str
    name: str
    size: Point
    view: Rect
    scale: float
    panel_scale: float
    cities: dict[str, CityPlace]
    routes: dict[str, RoutePlace]
    prestige: PrestigePlace
    completed: TrackPlace
    link: LinkPlace
    ribbon: RibbonPlace
    countries: list[CountryPlace]
    favours: Point
    provinces: list[ProvincePlace]
    soldiers: list[SoldierPlace]


class BoardAnswer(msgspec.Struct, kw_only=True):
    """A board's data and how to draw it."""

    id: str
    data: BoardFile
    geometry: Geometry
    ground: Annotated[
        str, Meta(description="SVG that takes its colours from the page's custom properties")
    ]
    defs: Annotated[str, Meta(description="the symbols it uses, as SVG")]
