"""Order in the house: reports, what admins see and do, and one's own data."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from hansa.server.wire.words import Millis, Name, Seat

__all__ = [
    "Deed",
    "DeedKind",
    "Deeds",
    "Done",
    "Farewell",
    "MyData",
    "Report",
    "ReportWish",
    "Reports",
    "Resident",
    "Residents",
    "Sentence",
]

DeedKind = Literal["mute", "ban", "rename", "close", "settle", "appoint", "dismiss"]


class ReportWish(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """What is wrong, at which table, and with whom: a seat, or whoever wrote a line of chat."""

    reason: Annotated[str, Meta(min_length=1, max_length=500)]
    game: Name | None = None
    seat: Seat | None = None
    person: Name | None = None


class Sentence(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """For how long; null: for ever, 0: no longer."""

    hours: Annotated[float, Meta(ge=0, le=100_000)] | None


class Farewell(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """Whoever has an account says its password once more."""

    password: Annotated[str, Meta(max_length=400)] = ""


class Report(msgspec.Struct, kw_only=True):
    """What somebody reported."""

    id: str
    at: Millis
    by: str
    by_name: str
    about: str | None
    about_name: str | None
    game: str | None
    table: str | None
    reason: str


class Reports(msgspec.Struct, kw_only=True):
    """Reports that nobody has settled, the oldest first."""

    reports: list[Report]


class Resident(msgspec.Struct, kw_only=True):
    """Somebody as admins see him."""

    id: str
    name: str
    account: str | None
    admin: bool
    muted: Annotated[Millis | None, Meta(description="until when; null: not")]
    banned: Annotated[Millis | None, Meta(description="until when; null: not")]
    created: Millis


class Residents(msgspec.Struct, kw_only=True):
    """People, the newest first, at most a hundred."""

    people: list[Resident]


class Deed(msgspec.Struct, kw_only=True):
    """What an admin did."""

    at: Millis
    by: Annotated[str, Meta(description="an account, or `command line`")]
    what: DeedKind
    subject: Annotated[str, Meta(description="the id of a person, a table or a report")]
    detail: str


class Deeds(msgspec.Struct, kw_only=True):
    """The newest hundred."""

    deeds: list[Deed]


class Done(msgspec.Struct, kw_only=True):
    """It is done."""

    done: Literal[True] = True


class MyData(msgspec.Struct, kw_only=True):
    """Everything that is stored about whoever asks, but for secrets, of which only hashes are kept."""

    person: dict[str, Any]
    tables: list[dict[str, Any]]
    reports: Annotated[list[dict[str, Any]], Meta(description="those one made")]
    invitations: list[dict[str, Any]]
    devices: list[dict[str, Any]]
    tokens: list[dict[str, Any]]
    sessions: list[dict[str, Any]]
    chat: list[dict[str, Any]]
    told: Annotated[list[dict[str, Any]], Meta(description="of what one was told, and when")]
    archived: list[dict[str, Any]]
    searches: Annotated[list[dict[str, Any]], Meta(description="for a quick game")]
    circle: Annotated[list[dict[str, Any]], Meta(description="whom one follows or blocks")]
    ratings: list[dict[str, Any]]
    studies: list[dict[str, Any]]
