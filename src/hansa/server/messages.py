"""What the server sends over the WebSocket, by shape: published by `GET /api/protocol`.

The sender writes plain dictionaries for speed; a test reads every message back through these.
"""

from __future__ import annotations

from typing import Any

import msgspec

from hansa.server.model import Message

__all__ = ["ServerMessage"]


class UndoFace(msgspec.Struct, kw_only=True):
    """Whether the viewer may take back without asking."""

    free: bool
    to: int | None
    reason: str | None


class Position(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """Protocol, section 5."""

    revision: int
    number: int
    seat: str | None
    view: dict[str, Any]
    turn: int
    active: str
    player: str
    phase: str
    actions_left: int
    stock: dict[str, dict[str, int]]
    control: dict[str, str | None]
    completed: int
    scores: dict[str, dict[str, int | None]]
    legal: list[str] | None
    undo: UndoFace
    over: bool
    end_reason: str | None
    winners: list[str]


class LogEntry(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """One line of the log as the receiver may see it."""

    revision: int
    number: int
    kind: str
    player: str | None
    text: str
    turn: int
    at: int
    by: str
    events: list[dict[str, Any]]
    undone: int | None = None


class SeatFace(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """One place at the table."""

    seat: str
    kind: str
    name: str
    bot: str | None
    present: bool
    yours: bool
    host: bool
    conceded: bool
    standin: str | None
    invite: str | None
    remaining: int | None


class You(msgspec.Struct, kw_only=True):
    """The viewer."""

    seats: list[str]
    host: bool
    name: str | None


class TableFace(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """Protocol, section 4."""

    protocol: int
    id: str
    name: str
    status: str
    setup: dict[str, Any]
    board: str
    seeded: bool
    rules: str
    visibility: str
    watchers: bool
    undo: bool
    order: str
    bot_delay: float
    clock: dict[str, Any] | None
    host: str
    created: int
    started: int | None
    ended: int | None
    seats: list[SeatFace]
    you: You
    watching: int
    version: int
    revision: int | None
    number: int | None
    result: dict[str, Any] | None
    rematch: str | None
    forked_from: dict[str, Any] | None
    watch: str
    previews: bool
    proposals: list[dict[str, Any]] = []
    clock_at: int | None = None
    ticking: str | None = None


class _Message(msgspec.Struct, tag_field="type", kw_only=True, forbid_unknown_fields=True):
    pass


class Snapshot(_Message, tag="snapshot", kw_only=True):
    """The first message of a fresh connection."""

    protocol: int
    now: int
    table: TableFace
    position: Position | None
    log: list[LogEntry]
    log_from: int
    chat: list[Message]
    look: str | None


class Update(_Message, tag="update", kw_only=True, rename={"since": "from"}):
    """The position changed."""

    now: int
    since: int
    revision: int
    number: int
    entries: list[LogEntry]
    position: Position | None


class TableChanged(_Message, tag="table", kw_only=True):
    """The table object changed."""

    now: int
    table: TableFace


class Chat(_Message, tag="chat", kw_only=True):
    """New lines."""

    messages: list[Message]


class Ack(_Message, tag="ack", kw_only=True):
    """A message was carried out and stored."""

    re: str | None
    now: int
    revision: int
    number: int


class Pong(_Message, tag="pong", kw_only=True):
    """Somebody is there."""

    re: str | None
    now: int
    revision: int
    number: int


class Error(_Message, tag="error", kw_only=True):
    """A message was refused; nothing changed."""

    re: str | None
    code: str
    message: str
    detail: dict[str, Any]


class Bye(_Message, tag="bye", kw_only=True):
    """The server goes away; come back after `retry` seconds."""

    reason: str
    retry: float


ServerMessage = Snapshot | Update | TableChanged | Chat | Ack | Pong | Error | Bye
