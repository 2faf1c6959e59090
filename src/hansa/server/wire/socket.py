"""The WebSocket: what clients say, what the server says, and why it closes."""

from __future__ import annotations

from enum import IntEnum
from typing import Annotated, Any, Literal, Self

import msgspec
from msgspec import Meta

from hansa.server.wire.errors import ErrorCode
from hansa.server.wire.log import ChatLine, LogEntry
from hansa.server.wire.positions import Position
from hansa.server.wire.table import ProposalKind, TableFace
from hansa.server.wire.words import Count, Decision, Millis, Seat

__all__ = [
    "Ack",
    "Act",
    "Bye",
    "Chat",
    "ClientMessage",
    "Close",
    "Concede",
    "Error",
    "Look",
    "Ping",
    "Pong",
    "Propose",
    "Return",
    "Say",
    "ServerMessage",
    "Snapshot",
    "TableChanged",
    "Undo",
    "Update",
    "Vote",
]

Reference = Annotated[str, Meta(max_length=40)]


class _Asked(msgspec.Struct, tag_field="type", kw_only=True):
    re: Annotated[
        Reference | None, Meta(description="comes back in the `ack`, `pong` or `error`")
    ] = None


class Act(_Asked, tag="act", kw_only=True):
    """Decide."""

    number: Annotated[Count, Meta(description="the table's present number")]
    decision: Decision
    revision: Annotated[
        Count | None,
        Meta(description="recommended: after an undo the number alone could be right by chance"),
    ] = None
    seat: Annotated[
        Seat | None, Meta(description="left out: the deciding seat, if it is yours")
    ] = None


class Undo(_Asked, tag="undo", kw_only=True):
    """Take back. Free within one's own turn; otherwise `undo_needs_consent`."""

    number: Count
    to: Annotated[Count | None, Meta(description="null: the last decision")] = None
    ask: Annotated[bool, Meta(description="where consent is needed: propose it to everybody")] = (
        False
    )


class Propose(_Asked, tag="propose", kw_only=True):
    """Ask the others; the table of votes says what may be asked for, and when."""

    kind: ProposalKind
    to: Annotated[Count | None, Meta(description="of `undo`")] = None
    seat: Annotated[Seat | None, Meta(description="of `standin`")] = None


class Vote(_Asked, tag="vote", kw_only=True):
    """Answer the others. One no ends it; it is carried out when all who are asked said yes.

    Whoever asked takes the question back with no, and a yes can become a no until then.
    """

    proposal: Count
    yes: bool


class Return(_Asked, tag="return", kw_only=True):
    """Take one's seat back from its stand-in."""


class Concede(_Asked, tag="concede", kw_only=True):
    """Give up."""

    seat: Seat | None = None


class Say(_Asked, tag="chat", kw_only=True):
    """Talk: 1 to 500 characters, a person five times in ten seconds."""

    text: Annotated[str, Meta(max_length=2000)]


class Look(_Asked, tag="look", kw_only=True):
    """Choose whose view to get. Answered by an `update` with no entries."""

    seat: Annotated[
        Annotated[str, Meta(pattern="^(auto|p[1-5])$")] | None,
        Meta(description="`auto`, one of your seats, or null: as a watcher"),
    ] = "auto"


class Ping(_Asked, tag="ping", kw_only=True):
    """Is anybody there?"""


ClientMessage = Act | Undo | Propose | Vote | Return | Concede | Say | Look | Ping


class _Said(msgspec.Struct, tag_field="type", kw_only=True):
    pass


class Snapshot(_Said, tag="snapshot", kw_only=True):
    """The first message of a fresh connection."""

    protocol: int
    now: Millis
    table: TableFace
    position: Position | None
    log: Annotated[
        list[LogEntry],
        Meta(description="the last 100 decisions that stand, and what else happened among them"),
    ]
    log_from: Annotated[int, Meta(description="how many earlier decisions are left out")]
    chat: Annotated[list[ChatLine], Meta(description="the last 100 lines")]
    look: str | None


class Update(_Said, tag="update", kw_only=True, rename={"since": "from"}):
    """The position changed.

    A slow connection gets several entries at once, never a queue of old positions; a client
    animates `entries` in order and then shows `position`.
    """

    now: Millis
    since: Annotated[
        int,
        Meta(description="the revision the client had; another one: connect anew without `after`"),
    ]
    revision: int
    number: int
    entries: list[LogEntry]
    position: Position | None


class TableChanged(_Said, tag="table", kw_only=True):
    """Seats, presence, clocks, proposals, status, result or rematch changed.

    At the start of the game it comes before the first `update`, which has no entries.
    """

    now: Millis
    table: TableFace


class Chat(_Said, tag="chat", kw_only=True):
    """New lines."""

    messages: list[ChatLine]


class Ack(_Said, tag="ack", kw_only=True):
    """A message was carried out, and what it decided is stored.

    The `update` may come before or after it. `revision` and `number` of an `act` or `undo` are
    those of its own entry.
    """

    re: str | None
    now: Millis
    revision: int
    number: int


class Pong(_Said, tag="pong", kw_only=True):
    """Somebody is there."""

    re: str | None
    now: Millis
    revision: int
    number: int


class Error(_Said, tag="error", kw_only=True):
    """A message was refused; nothing changed, and the connection stays open."""

    re: str | None
    code: ErrorCode
    message: str
    detail: dict[str, Any]


class Bye(_Said, tag="bye", kw_only=True):
    """The server goes away; the socket closes."""

    reason: Literal["restart"]
    retry: Annotated[float, Meta(description="come back after so many seconds, with `after`")]


ServerMessage = Snapshot | Update | TableChanged | Chat | Ack | Pong | Error | Bye


class Close(IntEnum):
    """Why the server closes a connection."""

    NO_TEXT = 1007, "a message that is no UTF-8"
    TOO_LARGE = 1009, "message too large"
    INTERNAL = 1011, "something went wrong here"
    RESTART = 1012, "restarting, or the store does not answer just now: come back"
    UNREADABLE = (
        4400,
        "unreadable messages (not JSON, unknown type) repeated too often, or a table that cannot be shown",
    )
    SIGNED_OUT = 4401, "cookie or token is no longer good"
    NOT_ALLOWED = 4403, "cross-site, or not (or no longer) allowed to watch"
    NOT_FOUND = 4404, "no such table, or it was removed"
    TOO_SLOW = 4408, "too slow: nothing was read for 30 seconds"
    TOO_MANY = 4429, "too many connections, messages or frames"

    meaning: str

    def __new__(cls, code: int, meaning: str) -> Self:
        """A code with what it means."""
        made = int.__new__(cls, code)
        made._value_ = code
        made.meaning = meaning
        return made
