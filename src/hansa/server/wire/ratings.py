"""Ratings, the ladder, and what somebody has played."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from hansa.server.wire.words import Millis, Seat

__all__ = [
    "Change",
    "GameRatings",
    "Ladder",
    "LadderRow",
    "MachineRating",
    "Opponent",
    "PersonName",
    "Played",
    "PlayedGame",
    "Pool",
    "PoolRating",
    "Rating",
    "RatingPoint",
    "Stats",
    "Tally",
]

#: Duels are rated apart from games of three to five.
Pool = Literal["duel", "table"]


class Rating(msgspec.Struct, kw_only=True, frozen=True):
    """How good somebody is: 1500 is the machine called Journeyman, and a newcomer."""

    value: int
    uncertainty: Annotated[int, Meta(description="half of the 95 % interval")]
    provisional: Annotated[bool, Meta(description="too uncertain for a place on the ladder")]


class PersonName(msgspec.Struct, kw_only=True):
    """Somebody."""

    id: str
    name: str


class LadderRow(msgspec.Struct, kw_only=True):
    """One person on the ladder."""

    place: Annotated[int | None, Meta(description="null while the rating is provisional")]
    person: PersonName
    rating: Rating
    games: Annotated[int, Meta(description="rated games of this kind")]
    last: Annotated[Millis, Meta(description="the end of the last of them")]


class MachineRating(msgspec.Struct, kw_only=True):
    """A machine's rating, which never changes."""

    bot: str
    level: int
    title: str
    value: int


class Ladder(msgspec.Struct, kw_only=True):
    """Who is how good: the best first, then those whose rating is provisional."""

    pool: Pool
    rows: list[LadderRow]
    machines: Annotated[list[MachineRating], Meta(description="the best first")]


class RatingPoint(msgspec.Struct, kw_only=True):
    """A rating after a game."""

    at: Millis
    game: str
    value: int
    uncertainty: int


class PoolRating(msgspec.Struct, kw_only=True):
    """Somebody's rating of one kind, and how it came to be."""

    pool: Pool
    rating: Rating
    games: int
    history: Annotated[list[RatingPoint], Meta(description="the last 300, the oldest first")]


class Tally(msgspec.Struct, kw_only=True):
    """Games of one kind."""

    games: int = 0
    wins: int = 0


class Stats(msgspec.Struct, kw_only=True):
    """Finished games of a person, as far as whoever asks may see them.

    A hot seat with oneself is neither won nor lost, and not counted.
    """

    person: PersonName
    guest: bool
    since: Annotated[Millis, Meta(description="when this person came first")]
    games: int
    wins: int
    mean_score: float | None
    boards: Annotated[dict[str, Tally], Meta(description="by board")]
    players: Annotated[dict[str, Tally], Meta(description="by number of players")]
    seats: Annotated[dict[str, Tally], Meta(description="by seat, in turn order")]
    ratings: list[PoolRating]


class Opponent(msgspec.Struct, kw_only=True):
    """Somebody else at a table that is over."""

    seat: Seat
    name: str
    person: Annotated[str | None, Meta(description="null: a machine")]
    bot: str | None
    rating: Annotated[
        Rating | None, Meta(description="after the game; null: a machine, or not rated")
    ]
    rank: int
    points: int


class PlayedGame(msgspec.Struct, kw_only=True):
    """A finished game of a person."""

    id: str
    ended: Millis
    board: str
    players: int
    rated: bool
    seat: Seat
    rank: int
    points: int
    reason: Annotated[str, Meta(description="as in `Result`")]
    left: Annotated[bool, Meta(description="this person did not play to the end")]
    gain: Annotated[int | None, Meta(description="what it did to the rating; null: not rated")]
    opponents: list[Opponent]


class Played(msgspec.Struct, kw_only=True):
    """Finished games of a person, the newest first."""

    games: list[PlayedGame]
    next: Annotated[str | None, Meta(description="`before` of the next page; null: that was all")]


class Change(msgspec.Struct, kw_only=True):
    """What a game did to a rating."""

    seat: Seat
    person: str
    rating: Rating
    gain: int


class GameRatings(msgspec.Struct, kw_only=True):
    """What a game did to the ratings of those who played it."""

    changes: list[Change]
