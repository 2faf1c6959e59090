"""The table object (protocol, section 4): one table as one viewer sees it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from hansa.server import PROTOCOL

if TYPE_CHECKING:
    from hansa.server.model import Meta, Person

__all__ = ["Live", "face"]


class Live(msgspec.Struct, kw_only=True):
    """How far a table is, and who is at it: what its description does not say."""

    revision: int = 0
    number: int = 0
    #: The turn and whose decision it is; None before the start and after the end.
    turn: int | None = None
    player: str | None = None
    watching: int = 0
    #: Milliseconds of every seat, as of `clock_at`.
    clocks: dict[str, int] | None = None
    clock_at: int | None = None
    present: set[str] = msgspec.field(default_factory=set)


def face(meta: Meta, person: Person | None, live: Live, *, brief: bool = False) -> dict[str, Any]:
    """The table for one viewer; `brief`: a row of a list, with whose turn it is."""
    options = meta.options
    is_host = person is not None and person.id == meta.host
    show_seed = options.seeded or meta.status == "over"
    shown = {
        "protocol": PROTOCOL,
        "id": meta.id,
        "name": meta.name,
        "status": meta.status,
        "setup": {**meta.setup, "seed": meta.setup["seed"] if show_seed else None},
        "board": options.board,
        "seeded": options.seeded,
        "rules": meta.rules,
        "visibility": meta.visibility,
        "watchers": options.watchers,
        "undo": options.undo,
        "order": options.order,
        "bot_delay": options.bot_delay,
        "clock": msgspec.to_builtins(options.clock),
        "host": options.host_name,
        "created": meta.created,
        "started": meta.started,
        "ended": meta.ended,
        "seats": _seats(meta, person, live, is_host=is_host),
        "you": {
            "seats": meta.seats_of(person),
            "host": is_host,
            "name": person.name if person else None,
        },
        "watching": live.watching,
        "version": meta.version,
        "revision": live.revision,
        "number": live.number,
        "result": meta.result,
        "rematch": meta.rematch,
        "forked_from": options.forked_from,
        "watch": f"/g/{meta.id}",
        "previews": True,
    }
    if brief:
        shown |= _whose_turn(meta, person, live)
    else:
        shown["proposals"] = msgspec.to_builtins(meta.proposals)
    if live.clocks is not None:
        shown |= {"clock_at": live.clock_at, "ticking": _decider(meta, live)}
    return shown


def _decider(meta: Meta, live: Live) -> str | None:
    return live.player if meta.status == "running" else None


def _whose_turn(meta: Meta, person: Person | None, live: Live) -> dict[str, Any]:
    decider = _decider(meta, live)
    return {
        "turn": live.turn if meta.status == "running" else None,
        "player": decider,
        "your_turn": decider is not None and decider in meta.decided_by(person),
    }


def _seats(meta: Meta, person: Person | None, live: Live, *, is_host: bool) -> list[dict[str, Any]]:
    left = live.clocks or {}
    return [
        {
            "seat": seat.seat,
            "kind": seat.kind,
            "name": seat.name,
            "bot": seat.bot,
            "present": seat.kind == "bot" or seat.person in live.present,
            "yours": person is not None and seat.person == person.id,
            "host": seat.person == meta.host,
            "conceded": seat.conceded,
            "standin": seat.standin,
            "invite": f"/i/{seat.invite}" if is_host and seat.invite else None,
            "remaining": left.get(seat.seat),
        }
        for seat in meta.seats
    ]
