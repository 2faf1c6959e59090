"""A table as one viewer sees it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from hansa.names import END_REASONS
from hansa.server.wire.calls import HookService
from hansa.server.wire.positions import Score
from hansa.server.wire.ratings import Rating
from hansa.server.wire.setups import GameSetup
from hansa.server.wire.words import BY_SEAT, Millis, Seat, TableStatus

__all__ = [
    "Clock",
    "EndReason",
    "ForkedFrom",
    "ListedTable",
    "Order",
    "Proposal",
    "ProposalKind",
    "Result",
    "SeatFace",
    "TableFace",
    "TableOptions",
    "Visibility",
    "You",
]

Visibility = Literal["unlisted", "open"]
Order = Literal["draw", "fixed"]
ProposalKind = Literal["undo", "standin", "end", "rematch"]
if TYPE_CHECKING:
    EndReason = str
else:
    EndReason = Literal[
        (*filter(None, END_REASONS), "conceded", "abandoned", "agreed", "closed", "unfinished")
    ]


class Clock(msgspec.Struct, kw_only=True, frozen=True, forbid_unknown_fields=True):
    """Seconds to think: a bank, and an increment whenever the decision passes on."""

    bank: float
    increment: float = 0.0
    consequence: Annotated[
        Literal["none", "bot", "lose"],
        Meta(
            description="when a bank is empty: only shown, a bot takes the seat over, or the seat "
            "concedes"
        ),
    ] = "none"


class TableOptions(msgspec.Struct, kw_only=True):
    """What the host may choose besides the set-up: asked for, kept and shown alike."""

    watchers: Annotated[
        bool, Meta(description="false: once the game runs only seated people may look")
    ] = True
    undo: Annotated[bool, Meta(description="false: taking back always needs asking")] = True
    order: Annotated[
        Order,
        Meta(
            description="`draw`: the starting player is drawn by lot; `fixed`: the first seat starts"
        ),
    ] = "draw"
    clock: Clock | None = None
    auto_start: Annotated[
        bool, Meta(description="the game begins by itself as soon as no seat is open")
    ] = False
    rated: Annotated[
        bool,
        Meta(
            description="the result counts for the ratings; everybody at the table has an account"
        ),
    ] = False
    absence: Annotated[
        float | None,
        Meta(
            description="seconds that somebody who is away keeps the seat while the table waits for "
            "him; null: as long as the clock's bank (five minutes to a week), a day without a clock"
        ),
    ] = None


class SeatFace(msgspec.Struct, kw_only=True):
    """One place at the table."""

    seat: Seat
    kind: Literal["human", "bot", "open"]
    name: str
    bot: str | None
    person: Annotated[str | None, Meta(description="whose games and rating can be looked up")]
    present: bool
    yours: bool
    host: bool
    colour: Annotated[
        Seat | None,
        Meta(description="whose pieces are used; null while the order is still to be drawn"),
    ]
    imitates: Annotated[
        bool, Meta(description="the name looks like that of another person at the table")
    ]
    near: Annotated[
        list[Seat],
        Meta(
            description="seats of other people who came from the same address, as far as is known; "
            "told to those who sit here and to the host alone"
        ),
    ]
    conceded: bool
    standin: Annotated[str | None, Meta(description="the bot that plays for an absent person")]
    invite: Annotated[str | None, Meta(description="the invite link, shown to the host only")]
    remaining: Annotated[
        int | None, Meta(description="the clock's rest in milliseconds; null without a clock")
    ]
    away: Annotated[Millis | None, Meta(description="since when this person is not at the table")]
    deadline: Annotated[
        Millis | None,
        Meta(
            description="while the table waits for somebody who is away: from when on the others may "
            "ask for a stand-in"
        ),
    ]


class You(msgspec.Struct, kw_only=True):
    """The viewer."""

    seats: list[Seat]
    host: bool
    name: str | None


class Proposal(msgspec.Struct, kw_only=True):
    """A vote that is open. A further decision ends an open `undo` or `standin`."""

    id: int
    kind: ProposalKind
    by: Seat
    number: int
    yes: list[Seat]
    waiting: list[Seat]
    until: Annotated[Millis, Meta(description="when silence counts as the table of votes says")] = 0
    to: int | None = None
    seat: Seat | None = None
    bot: str | None = None


class Result(msgspec.Struct, kw_only=True):
    """How a game ended."""

    reason: Annotated[
        EndReason,
        Meta(
            description="of the rules, or what people did; `closed`: by the admins; `unfinished`: a "
            "record that stops early"
        ),
    ]
    winners: list[Seat]
    scores: Annotated[dict[str, Score], BY_SEAT]
    conceded: list[Seat]
    left: Annotated[
        list[Seat],
        Meta(
            description="who did not play to the end: gave up, ran out of time, was replaced by a "
            "machine, or let the game lapse"
        ),
    ] = []


class ForkedFrom(msgspec.Struct, kw_only=True):
    """The position a table began from."""

    game: str
    number: int


class _Table(TableOptions, kw_only=True):
    absence: Annotated[
        float,
        Meta(
            description="seconds that somebody who is away keeps the seat while the table waits for him"
        ),
    ]
    protocol: int
    id: str
    name: str
    status: TableStatus
    setup: Annotated[
        GameSetup, Meta(description="its seed is null until the game is over, unless `seeded`")
    ]
    board: Annotated[str, Meta(description="the id of the board's side")]
    seeded: Annotated[
        bool, Meta(description="somebody chose the seed, and may know what is hidden")
    ]
    rules: Annotated[str, Meta(description="the behaviour of the rules it is played by")]
    visibility: Visibility
    bot_delay: Annotated[float, Meta(description="seconds a bot waits before it decides")]
    host: str
    code: Annotated[str | None, Meta(description="four syllables to say aloud; they lead here")]
    created: Millis
    started: Millis | None
    ended: Millis | None
    seats: list[SeatFace]
    you: You
    watching: Annotated[int, Meta(description="how many look on without a seat")]
    version: Annotated[int, Meta(description="grows with each change of the table")]
    revision: Annotated[int, Meta(description="how many entries the log has")]
    number: Annotated[int, Meta(description="how many decisions stand")]
    result: Result | None
    rematch: Annotated[str | None, Meta(description="the id of the table that followed")]
    forked_from: ForkedFrom | None
    watch: Annotated[str, Meta(description="the address of its page, which is the watch link too")]
    previews: Annotated[bool, Meta(description="the server tells what a decision would do")]
    hook: Annotated[
        HookService | None, Meta(description="the service that is told what happens here")
    ]
    clock_at: Annotated[
        int | UnsetType, Meta(description="with a clock: the moment `remaining` was written down")
    ] = UNSET
    ticking: Annotated[
        Seat | UnsetType | None, Meta(description="with a clock: the seat whose clock runs")
    ] = UNSET


class TableFace(_Table, kw_only=True):
    """The table object."""

    proposals: list[Proposal]


class ListedTable(_Table, kw_only=True):
    """A table in a list: whose turn it is, and of its proposals those that wait for the viewer."""

    turn: Annotated[int | None, Meta(description="the number of the turn, while it runs")]
    player: Annotated[Seat | None, Meta(description="the seat that decides, while it runs")]
    your_turn: Annotated[
        bool,
        Meta(
            description="whoever asks decides for that seat now: not after conceding, nor while a "
            "stand-in plays"
        ),
    ]
    asks: Annotated[list[Proposal], Meta(description="votes that wait for whoever looks")]
    ratings: Annotated[
        dict[str, Rating],
        BY_SEAT,
        Meta(description="while it waits for players: how good those are who have a rating"),
    ]
