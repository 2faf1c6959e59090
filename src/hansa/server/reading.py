"""A record read and replayed: everything a table is made of, as plain data."""

from __future__ import annotations

import base64
from typing import Any

import msgspec

import hansa
from hansa.records import parse_record
from hansa.server import referee, text
from hansa.server.model import Entry
from hansa.server.written import squeezed, to_row

__all__ = ["MOST_DECISIONS", "packed", "record"]

#: No game that people play comes near; uniformly random play could fill a disk.
MOST_DECISIONS = 5000


def record(written: str, every: int) -> dict[str, Any]:
    """Replay a record, with a position at every so many decisions.

    Raises:
        InvalidRecord: what is wrong with it, naming the line.
    """
    parsed = parse_record(written)
    if len(parsed.decisions) > MOST_DECISIONS:
        raise hansa.InvalidRecord(
            f"a record has at most {MOST_DECISIONS} decisions here, not {len(parsed.decisions)}"
        )
    finished = hansa.Game.from_record(written)
    setup = dict(finished.to_dict()["game"])
    origin = None
    if parsed.position is not None:
        # As the engine writes it, not as it was typed.
        origin = hansa.Game.from_dict({**parsed.position, "game": setup}).to_dict()
    entries, snapshots = [], []
    game = referee.start(setup, origin)
    for number, action in enumerate(finished.history, start=1):
        player, turn = game.player, referee.turn(game)
        events = referee.told(game.play(action))
        entries.append(
            {
                "revision": number,
                "number": number,
                "kind": "decision",
                "player": player,
                "text": str(action),
                "turn": turn,
                "by": "person",
                "events": events,
                "points": referee.points_after(turn, game),
                "next_player": game.player,
                "next_turn": referee.turn(game),
            }
        )
        if number % every == 0:
            snapshots.append((number, game.to_dict()))
    return {
        "setup": setup,
        "origin": origin,
        "seats": {seat: text.clean(name)[:40] for seat, name in finished.seats.items()},
        "entries": entries,
        "snapshots": snapshots,
        "result": {
            "reason": finished.end_reason or "unfinished",
            "winners": list(finished.winners),
            "scores": {player: dict(parts) for player, parts in finished.scores().items()},
            "conceded": [],
        },
    }


def packed(written: str, every: int) -> dict[str, Any]:
    """The same with rows as the store keeps them: thousands of them are nothing for a server that plays.

    Which table they belong to, and when that was made, is for the server to say.

    Raises:
        InvalidRecord: as above.
    """
    read = record(written, every)
    read["entries"] = [
        to_row(msgspec.convert({**entry, "at": 0}, Entry)) for entry in read["entries"]
    ]
    read["snapshots"] = [
        {"number": number, "data": base64.b64encode(squeezed(position)).decode()}
        for number, position in read["snapshots"]
    ]
    return read
