"""What a table is made of, as plain records; read and written by `archive`, shown by `faces`."""

from __future__ import annotations

import hashlib
import secrets
import time
from typing import Any, Literal

import msgspec

from hansa.server import votes
from hansa.server.hooks import Hook
from hansa.server.wire.events import GameEvent
from hansa.server.wire.log import By, EntryKind, LogEntry
from hansa.server.wire.table import ForkedFrom, Proposal, TableOptions, Visibility
from hansa.server.wire.words import TableStatus

__all__ = [
    "CANCELLED",
    "MOVES",
    "NOBODY",
    "Entry",
    "Meta",
    "Options",
    "Person",
    "Seat",
    "id_of",
    "new_id",
    "now_ms",
]

#: What stands where the name of somebody was who deleted his data.
NOBODY = "–"
_LETTERS = "123456789abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ"


def new_id(length: int = 12) -> str:
    """A name nobody can guess (58 ** 12 is over 70 bits), without letters that look alike."""
    return "".join(secrets.choice(_LETTERS) for _ in range(length))


def id_of(words: str) -> str:
    """A name like these, the same for the same words."""
    number, letters = int.from_bytes(hashlib.sha256(words.encode()).digest()), ""
    while len(letters) < 12:
        number, letter = divmod(number, len(_LETTERS))
        letters += _LETTERS[letter]
    return letters


def now_ms() -> int:
    """Milliseconds since 1970."""
    return time.time_ns() // 1_000_000


class Person(msgspec.Struct, kw_only=True, frozen=True):
    """Somebody who plays: a guest until `account` is set."""

    id: str
    name: str
    account: str | None = None
    mail: str | None = None
    admin: bool = False
    #: Until when; None: not.
    banned: int | None = None

    def is_banned(self) -> bool:
        """Whether this person may only look."""
        return self.banned is not None and self.banned > now_ms()


class Options(TableOptions, kw_only=True):
    """What the host chose besides the set-up, and what the table remembers of its making."""

    host_name: str
    bot_delay: float = 0.4
    seeded: bool = False
    forked_from: ForkedFrom | None = None
    board: str = ""
    hook: Hook | None = None


class Seat(msgspec.Struct, kw_only=True):
    """One place at the table."""

    seat: str
    kind: Literal["human", "bot", "open"]
    name: str
    person: str | None = None
    bot: str | None = None
    invite: str | None = None
    standin: str | None = None
    conceded: bool = False
    away: int | None = None
    colour: str | None = None

    def player_bot(self) -> str | None:
        """The bot that decides here now, if one does."""
        return self.bot if self.kind == "bot" else self.standin


class Meta(msgspec.Struct, kw_only=True):
    """A table without its log."""

    id: str
    name: str
    status: TableStatus
    visibility: Visibility
    host: str
    setup: dict[str, Any]
    options: Options
    rules: str
    created: int
    seats: list[Seat]
    origin: dict[str, Any] | None = None
    started: int | None = None
    ended: int | None = None
    result: dict[str, Any] | None = None
    proposals: list[Proposal] = []
    rematch: str | None = None
    code: str | None = None
    version: int = 0

    def absence(self) -> float:
        """Seconds that somebody who is away keeps the seat."""
        chosen = self.options.absence
        return votes.absence(self.options.clock) if chosen is None else chosen

    def seats_of(self, person: Person | None) -> list[str]:
        """The seats this person sits on, in turn order."""
        if person is None:
            return []
        return [s.seat for s in self.seats if s.person == person.id]

    def decided_by(self, person: Person | None) -> list[str]:
        """The seats a person decides for now: not those given up or lent to a stand-in."""
        if person is None:
            return []
        return [
            s.seat
            for s in self.seats
            if s.person == person.id and s.kind == "human" and not s.conceded and not s.standin
        ]

    def seat(self, name: str) -> Seat | None:
        """The seat of that name."""
        return next((s for s in self.seats if s.seat == name), None)


#: Lines of the log that bring the game to another position.
MOVES = ("decision", "undo")
#: What the text of an undo ends with where an action half done was left.
CANCELLED = " cancelled"


class Entry(msgspec.Struct, kw_only=True):
    """One line of the append-only log."""

    revision: int
    number: int
    kind: EntryKind
    player: str | None
    text: str
    turn: int
    at: int
    by: By
    events: list[GameEvent] = []
    clocks: dict[str, int] | None = None
    points: dict[str, int] | None = None
    #: Whose decision follows, and in which turn.
    next_player: str | None = None
    next_turn: int | None = None
    #: Whether it showed somebody what was hidden.
    shown: bool = False

    def face(self) -> LogEntry:
        """The entry as it is shown; everybody may see all events."""
        return LogEntry(
            revision=self.revision,
            number=self.number,
            kind=self.kind,
            player=self.player,
            text=self.text,
            turn=self.turn,
            at=self.at,
            by=self.by,
            events=self.events,
            undone=self._undone() if self.kind == "undo" else msgspec.UNSET,
            cancelled=True if self.text.endswith(CANCELLED) else msgspec.UNSET,
        )

    def _undone(self) -> int:
        return int(self.text.removesuffix(CANCELLED))
