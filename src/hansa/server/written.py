"""How the store writes down the log and positions: by the server, and by the process that reads records."""

from __future__ import annotations

import zlib
from typing import Any

import msgspec

from hansa.server.model import Entry

__all__ = ["squeezed", "to_row", "unsqueezed"]


def to_row(entry: Entry) -> dict[str, Any]:
    """A line of the log as the store keeps it, but for the game it belongs to."""
    return {
        "revision": entry.revision,
        "number": entry.number,
        "kind": entry.kind,
        "player": entry.player,
        "text": entry.text,
        "turn": entry.turn,
        "at": entry.at,
        "by": entry.by,
        "events": msgspec.json.encode(entry.events).decode(),
        "clocks": _numbers(entry.clocks),
        "points": _numbers(entry.points),
        "next_player": entry.next_player,
        "next_turn": entry.next_turn,
        "shown": entry.shown,
    }


def _numbers(values: dict[str, int] | None) -> str | None:
    return None if values is None else msgspec.json.encode(values).decode()


def squeezed(long: Any) -> bytes:
    """A position, or whatever else is long."""
    return zlib.compress(msgspec.json.encode(long), 6)


def unsqueezed(data: bytes) -> bytes:
    """The JSON of it."""
    return zlib.decompress(data)
