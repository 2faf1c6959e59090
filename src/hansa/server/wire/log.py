"""The log and the chat of a table."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from hansa.server.wire.events import GameEvent
from hansa.server.wire.words import Millis, Seat

__all__ = ["By", "ChatLine", "EntryKind", "LogEntry"]

EntryKind = Literal[
    "decision", "undo", "concede", "standin", "return", "timeout", "over", "refused", "lapsed"
]
By = Literal["person", "bot", "standin", "clock", "host"]


class LogEntry(msgspec.Struct, kw_only=True):
    """One line of the log as the receiver may see it."""

    revision: int
    number: Annotated[
        int, Meta(description="how many decisions stand with it; of an `undo` the one gone back to")
    ]
    kind: Annotated[
        EntryKind,
        Meta(description="all but `decision`, `undo` and `over` leave the position as it is"),
    ]
    player: Seat | None
    text: Annotated[
        str,
        Meta(
            description="the decision; of `undo` how many, of `standin` the bot, of `over` and `timeout` why, of a vote "
            "that was `refused` (by `player`) or `lapsed` (asked for by `player`) its kind"
        ),
    ]
    turn: int
    at: Millis
    by: Annotated[
        By, Meta(description="`clock`: a bank ran out; `host`: a repair; `standin`: for the absent")
    ]
    events: Annotated[list[GameEvent], Meta(description="what it brought about, in order")]
    undone: Annotated[
        int | UnsetType, Meta(description="of an `undo`: how many decisions were taken back")
    ] = UNSET
    cancelled: Annotated[
        bool | UnsetType,
        Meta(description="of an `undo`: an action half done was left; nobody needs to be told"),
    ] = UNSET


class ChatLine(msgspec.Struct, kw_only=True):
    """One line of chat. Its text is plain: show it as text, never as HTML."""

    id: int
    at: Millis
    person: Annotated[str | None, Meta(description="who said it, as an id")]
    seat: Seat | None
    name: str
    text: str
