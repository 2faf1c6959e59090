"""What clients send over HTTP about tables."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from hansa.server.wire.setups import SetupWish
from hansa.server.wire.table import TableOptions, Visibility
from hansa.server.wire.words import BotName, Count, Decision, Name, Seat

__all__ = [
    "ActWish",
    "AnalysisWish",
    "ColourWish",
    "ForkWish",
    "Move",
    "NewTable",
    "RecordUpload",
    "RoomWish",
    "SeatWish",
    "Shelving",
    "Sitting",
    "TableWish",
    "UndoWish",
]


class SeatWish(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """Who shall sit there."""

    kind: Annotated[
        Literal["me", "bot", "open"],
        Meta(
            description="`me`: whoever asks, several are a hot seat; `open`: whoever comes through "
            "the invite link or the lobby"
        ),
    ]
    name: Name | None = None
    bot: Annotated[BotName | None, Meta(description="names the bot where the kind is `bot`")] = None


class TableWish(TableOptions, forbid_unknown_fields=True, kw_only=True):
    """What every way to open a table shares."""

    name: Name | None = None
    visibility: Annotated[
        Visibility, Meta(description="`unlisted`: whoever has the link; `open`: in the lobby")
    ] = "unlisted"
    bot_delay: Annotated[float, Meta(ge=0, le=10)] | None = None
    start: Annotated[bool, Meta(description="start at once when no seat is open")] = False


class NewTable(TableWish, forbid_unknown_fields=True, kw_only=True):
    """A new table: exactly as many seats as players."""

    setup: SetupWish
    seats: Annotated[list[SeatWish], Meta(max_length=5)]


class ForkWish(TableWish, forbid_unknown_fields=True, kw_only=True):
    """A new table from a position of a finished game; seats as for a new table."""

    number: Count
    seats: Annotated[list[SeatWish], Meta(max_length=5)]


class Sitting(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """A seat, or none for the only possible one, and a name to sit there with."""

    seat: Seat | None = None
    name: Name | None = None


class Move(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """Another seat to go to."""

    to: Seat


class ColourWish(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """A colour by the seat that has it in the box; null: whichever is left."""

    colour: Seat | None


class RoomWish(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """What the host may change before the start."""

    auto_start: bool


class Shelving(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """Whether one wants to see a table among one's own."""

    archived: bool


class ActWish(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """A decision for the present number, and revision where it is given."""

    number: Count
    decision: Decision
    revision: Count | None = None
    seat: Annotated[
        Seat | None, Meta(description="left out: the deciding seat, if it is yours")
    ] = None


class UndoWish(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """Back to `to`, or by one decision; `ask` the others where that is needed."""

    number: Count
    to: Count | None = None
    ask: bool = False


class AnalysisWish(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """What a bot would do after so many decisions."""

    number: Count
    bot: BotName | None = None


class RecordUpload(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """A record as text, and a name for its table."""

    record: Annotated[str, Meta(max_length=500_000)]
    name: Name | None = None
