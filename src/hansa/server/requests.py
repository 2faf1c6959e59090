"""What clients may send, by shape: HTTP bodies and WebSocket messages (docs/protocol.md)."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from hansa.server.model import Clock

__all__ = [
    "Act",
    "Analyse",
    "AnySeat",
    "ClientMessage",
    "Fork",
    "NewTable",
    "SeatChange",
    "SeatRequest",
    "Setup",
]

Name = Annotated[str, Meta(max_length=200)]
SeatName = Annotated[str, Meta(pattern="^p[1-5]$")]
BotName = Annotated[str, Meta(max_length=100)]
Count = Annotated[int, Meta(ge=0, le=10_000_000)]
Decision = Annotated[str, Meta(min_length=1, max_length=200)]
Reference = Annotated[str, Meta(max_length=40)]


class Setup(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """The contract's set-up; without a seed a secret one is drawn."""

    board: Annotated[str, Meta(max_length=40)] = "hansa"
    players: int = 4
    edition: Annotated[str, Meta(max_length=40)] = "bigbox"
    missions: bool = False
    favours: bool = False
    promos: Annotated[list[Annotated[str, Meta(max_length=40)]], Meta(max_length=20)] = []
    duel: Annotated[str, Meta(max_length=40)] | None = None
    border_fee: bool = False
    seed: Annotated[int, Meta(ge=0, lt=2**53)] | None = None


class SeatRequest(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """Who shall sit there."""

    kind: Literal["me", "bot", "open"]
    name: Name | None = None
    bot: BotName | None = None


class TableOptions(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """What every way to open a table shares."""

    name: Name | None = None
    visibility: Literal["unlisted", "open"] = "unlisted"
    watchers: bool = True
    undo: bool = True
    order: Literal["draw", "fixed"] = "draw"
    bot_delay: Annotated[float, Meta(ge=0, le=10)] | None = None
    clock: Clock | None = None
    start: bool = False


class NewTable(TableOptions, forbid_unknown_fields=True, kw_only=True):
    """`POST /api/games`."""

    setup: Setup
    seats: Annotated[list[SeatRequest], Meta(max_length=5)]


class Fork(TableOptions, forbid_unknown_fields=True, kw_only=True):
    """`POST /api/games/{id}/fork`: seats as for a new table."""

    number: Count
    seats: Annotated[list[SeatRequest], Meta(max_length=5)]


class SeatChange(SeatRequest, forbid_unknown_fields=True, kw_only=True):
    """`PUT /api/games/{id}/seats/{seat}`."""


class AnySeat(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """A seat, or none for the only possible one, and a name to sit there with."""

    seat: SeatName | None = None
    name: Name | None = None


class ActRequest(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """`POST /api/games/{id}/act`."""

    number: Count
    decision: Decision
    revision: Count | None = None
    seat: SeatName | None = None


class UndoRequest(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """`POST /api/games/{id}/undo`."""

    number: Count
    to: Count | None = None
    ask: bool = False


class Analyse(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """`POST /api/games/{id}/analysis`."""

    number: Count
    bot: BotName | None = None


class RecordUpload(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """`POST /api/records`."""

    record: Annotated[str, Meta(max_length=500_000)]
    name: Name | None = None


# Over the WebSocket


class _Message(msgspec.Struct, tag_field="type", kw_only=True):
    re: Reference | None = None


class Act(_Message, tag="act", kw_only=True):
    """Decide."""

    number: Count
    decision: Decision
    revision: Count | None = None
    seat: SeatName | None = None


class Undo(_Message, tag="undo", kw_only=True):
    """Take back."""

    number: Count
    to: Count | None = None
    ask: bool = False


class Propose(_Message, tag="propose", kw_only=True):
    """Ask the others."""

    kind: Literal["undo", "standin", "end"]
    to: Count | None = None
    seat: SeatName | None = None
    bot: BotName | None = None


class Vote(_Message, tag="vote", kw_only=True):
    """Answer the others."""

    proposal: Count
    yes: bool


class Return(_Message, tag="return", kw_only=True):
    """Take the seat back from its stand-in."""


class Concede(_Message, tag="concede", kw_only=True):
    """Give up."""

    seat: SeatName | None = None


class Chat(_Message, tag="chat", kw_only=True):
    """Talk."""

    text: Annotated[str, Meta(max_length=2000)]


class Look(_Message, tag="look", kw_only=True):
    """Choose whose view to get."""

    seat: Annotated[str, Meta(pattern="^(auto|p[1-5])$")] | None = "auto"


class Ping(_Message, tag="ping", kw_only=True):
    """Is anybody there?"""


ClientMessage = Act | Undo | Propose | Vote | Return | Concede | Chat | Look | Ping
