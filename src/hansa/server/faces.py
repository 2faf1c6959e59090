"""The table object (protocol, section 4): one table as one viewer sees it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from hansa.server import PROTOCOL
from hansa.server.colours import worn
from hansa.server.text import alike
from hansa.server.wire.ratings import Rating
from hansa.server.wire.table import (
    ListedTable,
    Proposal,
    Result,
    SeatFace,
    TableFace,
    TableOptions,
    You,
)

if TYPE_CHECKING:
    from hansa.server.model import Meta, Person, Seat

__all__ = ["Live", "face", "row"]


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
    #: For each seat those of other people who came from the same address.
    near: Mapping[str, list[str]] = {}
    #: When the others may ask for a stand-in of the one who decides.
    deadline: int | None = None
    #: Open votes, each until the moment at which silence counts.
    proposals: list[Proposal] = []
    #: Of people, in the pool of this table.
    ratings: Mapping[str | None, Rating] = {}


def face(meta: Meta, person: Person | None, live: Live) -> TableFace:
    """The table for one viewer."""
    return TableFace(**_shared(meta, person, live), proposals=live.proposals)


def row(meta: Meta, person: Person | None, live: Live) -> ListedTable:
    """The table in a list, with whose turn it is."""
    decider, mine = _decider(meta, live), meta.seats_of(person)
    return ListedTable(
        **_shared(meta, person, live),
        turn=live.turn if meta.status == "running" else None,
        player=decider,
        your_turn=decider is not None and decider in meta.decided_by(person),
        ratings=_ratings(meta, live),
        asks=[p for p in live.proposals if any(seat in mine for seat in p.waiting)],
    )


def _ratings(meta: Meta, live: Live) -> dict[str, Rating]:
    return {s.seat: live.ratings[s.person] for s in meta.seats if s.person in live.ratings}


def _shared(meta: Meta, person: Person | None, live: Live) -> dict[str, Any]:
    options, dress = meta.options, worn(meta)
    is_host = person is not None and person.id == meta.host
    show_seed = options.seeded or meta.status == "over"
    shown: dict[str, Any] = {
        name: getattr(options, name) for name in TableOptions.__struct_fields__
    }
    shown["absence"] = meta.absence()
    shown |= {
        "protocol": PROTOCOL,
        "id": meta.id,
        "name": meta.name,
        "status": meta.status,
        "setup": {**meta.setup, "seed": meta.setup["seed"] if show_seed else None},
        "board": options.board,
        "seeded": options.seeded,
        "rules": meta.rules,
        "visibility": meta.visibility,
        "bot_delay": options.bot_delay,
        "host": next((s.name for s in meta.seats if s.person == meta.host), options.host_name),
        "code": meta.code if meta.status != "over" else None,
        "created": meta.created,
        "started": meta.started,
        "ended": meta.ended,
        "seats": [
            _seat(meta, seat, person, live, is_host=is_host, colour=dress[seat.seat])
            for seat in meta.seats
        ],
        "you": You(seats=meta.seats_of(person), host=is_host, name=person.name if person else None),
        "watching": live.watching,
        "version": meta.version,
        "revision": live.revision,
        "number": live.number,
        "result": Result(**meta.result) if meta.result is not None else None,
        "rematch": meta.rematch,
        "forked_from": options.forked_from,
        "watch": f"/g/{meta.id}",
        "previews": True,
        "hook": options.hook.service if options.hook is not None else None,
    }
    if live.clocks is not None:
        shown |= {"clock_at": live.clock_at, "ticking": _decider(meta, live)}
    return shown


def _decider(meta: Meta, live: Live) -> str | None:
    return live.player if meta.status == "running" else None


def _imitates(meta: Meta, seat: Seat) -> bool:
    """Whether somebody sits there under a name that looks like another person's."""
    if seat.person is None:
        return False
    if seat.person == meta.host and alike(seat.name, meta.options.host_name):
        # Was here first, under this name; a seat that the host names otherwise is like any other.
        return False
    return any(
        other.person not in {None, seat.person} and alike(other.name, seat.name)
        for other in meta.seats
    )


def _seat(
    meta: Meta, seat: Seat, person: Person | None, live: Live, *, is_host: bool, colour: str | None
) -> SeatFace:
    return SeatFace(
        seat=seat.seat,
        kind=seat.kind,
        name=seat.name,
        bot=seat.bot,
        person=seat.person,
        present=seat.kind == "bot" or seat.person in live.present,
        yours=person is not None and seat.person == person.id,
        host=seat.person == meta.host,
        colour=colour,
        imitates=_imitates(meta, seat),
        # For those who play with them; who lives with whom is nobody else's affair.
        near=live.near.get(seat.seat, []) if is_host or meta.seats_of(person) else [],
        conceded=seat.conceded,
        standin=seat.standin,
        invite=f"/i/{seat.invite}" if is_host and seat.invite else None,
        remaining=(live.clocks or {}).get(seat.seat),
        away=None if seat.person in live.present else seat.away,
        deadline=live.deadline if seat.seat == _decider(meta, live) else None,
    )
