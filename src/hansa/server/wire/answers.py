"""What the server answers over HTTP about tables, and about itself."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from hansa.server.wire.events import GameEvent
from hansa.server.wire.log import LogEntry
from hansa.server.wire.positions import Position, Score
from hansa.server.wire.table import ListedTable, TableFace
from hansa.server.wire.words import BY_SEAT, Seat

__all__ = [
    "Acted",
    "Alive",
    "Analysis",
    "Chart",
    "ChartPoint",
    "Deleted",
    "Found",
    "Games",
    "Health",
    "Invitation",
    "Log",
    "Preview",
    "Protocol",
    "Shelved",
    "State",
    "Trouble",
    "Weighed",
    "Why",
]


class Games(msgspec.Struct, kw_only=True):
    """A list of tables, the newest first."""

    games: list[ListedTable]
    next: Annotated[str | None, Meta(description="`before` of the next page; null: that was all")]


class Found(msgspec.Struct, kw_only=True):
    """The table that a code leads to."""

    game: str


class Invitation(msgspec.Struct, kw_only=True):
    """What an invite link is for."""

    game: TableFace
    seat: Seat


class Deleted(msgspec.Struct, kw_only=True):
    """It is gone."""

    deleted: Literal[True] = True


class Shelved(msgspec.Struct, kw_only=True):
    """Whether a table is out of one's own list."""

    archived: bool


class Acted(msgspec.Struct, kw_only=True):
    """A decision or its undoing, stored."""

    revision: int
    number: int
    entries: list[LogEntry]


class State(msgspec.Struct, kw_only=True):
    """A table, its position and the end of its log."""

    table: TableFace
    position: Annotated[Position | None, Meta(description="null before the start")]
    log: list[LogEntry]
    log_from: Annotated[int, Meta(description="how many earlier decisions are left out")]


class Log(msgspec.Struct, kw_only=True, rename={"since": "from"}):
    """Decisions that stand."""

    log: list[LogEntry]
    since: int
    number: int


class Preview(msgspec.Struct, kw_only=True):
    """What a decision would bring about, as far as the one who decides can know."""

    events: list[GameEvent]
    position: Position | None
    late: Annotated[
        Literal[True] | UnsetType, Meta(description="the position asked for has passed")
    ] = UNSET


class Why(msgspec.Struct, kw_only=True):
    """Why a decision is not allowed: a sentence, and the same for other languages."""

    allowed: bool
    message: str
    reason: Annotated[str | UnsetType, Meta(description="a code of `hansa.reasons`")] = UNSET
    rule: str | UnsetType = UNSET
    values: Annotated[
        dict[str, str | int] | UnsetType, Meta(description="what fills in the sentence")
    ] = UNSET


class ChartPoint(msgspec.Struct, kw_only=True):
    """Everybody's total at the end of a turn."""

    number: int
    turn: int
    scores: Annotated[dict[str, int], BY_SEAT]


class Chart(msgspec.Struct, kw_only=True):
    """Totals at the end of every turn; while the game runs without missions."""

    points: list[ChartPoint]


class Weighed(msgspec.Struct, kw_only=True):
    """One decision as a search values it."""

    decision: str
    visits: int
    value: Annotated[float, Meta(description="the share of the win the deciding player may expect")]
    shares: Annotated[dict[str, float], BY_SEAT]


class Analysis(msgspec.Struct, kw_only=True):
    """What a bot would do and, where it can tell, how it values the choices."""

    number: int
    player: Seat
    bot: str
    decision: str
    options: Annotated[list[Weighed], Meta(description="the best first")]
    turn: Annotated[
        list[str],
        Meta(
            description="that decision and the rest of the turn as the bot expects it, everybody's "
            "decisions in it, as records write them: `p1> place t a-b/1`"
        ),
    ]
    scores: Annotated[dict[str, Score], BY_SEAT]


class Protocol(msgspec.Struct, kw_only=True):
    """JSON schemas of every WebSocket message."""

    protocol: int
    client: dict[str, Any]
    server: dict[str, Any]


#: Why people cannot play just now.
Trouble = Literal["starting", "stopping", "reading", "writing", "listening"]


class Alive(msgspec.Struct, kw_only=True):
    """The process answers."""

    status: Literal["ok"] = "ok"


class Health(msgspec.Struct, kw_only=True):
    """How the server does."""

    status: Literal["ok", "unavailable"]
    troubles: list[Trouble]
    version: str
    contract: int
    protocol: int
    store: Literal["sqlite", "postgresql"]
    tables: int
    connections: int
