"""The state of a game: ONE fixed-size record, under 1 KiB.

Interpreted it is a small object with lists, compiled a numpy record with the same fields in the
same order; `pack` and `unpack` go between the object and the record's bytes.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any

from .capacity import (
    MAX_CITIES,
    MAX_HOUSES,
    MAX_PERMISSIONS,
    MAX_POSTS,
    MAX_ROUTES,
    POST_TYPE,
)
from .codes import MAX_PLAYERS, SEGMENTS, TILES

__all__ = [
    "FRAME_FIELDS",
    "STATE_FIELDS",
    "STATE_SIZE",
    "Slots",
    "State",
    "flat",
    "pack",
    "unpack",
]

STACK = 6
"""How many frames can wait on each other."""
MAX_ANNEX = 155
"""Extra offices and offices of green cities: no more than there are pieces."""
MAX_MARKERS = 120
MAX_LAID = 40
HAND = 5
CHANGED = 10

# What a frame may have to remember, by name; frames share these lists, and declare what they use.
FRAME_FIELDS = (
    "count",
    "waiting",
    "added",
    "route",
    "left",
    "made",
    "by",
    "t",
    "m",
    "to",
    "asked",
    "marker",
    "gain",
)

# name, numpy type, length (0: a single number).
_FIELDS: tuple[tuple[str, str, int], ...] = (
    ("turn", "i4", 0),
    ("points", "i2", MAX_PLAYERS + 1),
    ("actions_left", "i2", 0),
    ("annex_start", "i2", MAX_CITIES + 1),
    # The set-up.
    ("players", "i1", 0),
    ("edition", "i1", 0),
    ("duel", "i1", 0),
    ("favours", "i1", 0),
    ("border_fee", "i1", 0),
    # Whose turn and decision it is.
    ("active", "i1", 0),
    ("player", "i1", 0),
    ("acted", "i1", 0),
    ("walked", "i1", 0),
    ("closed", "i1", 0),
    ("bought", "i1", 0),
    ("fee", "i1", 0),
    ("touched", "i1", 0),
    ("n_permissions_used", "i1", 0),
    ("permissions_used", "i1", MAX_PERMISSIONS),
    ("over", "i1", 0),
    ("end_reason", "i1", 0),
    ("short", "i1", 0),
    # Players.
    ("stock", "i1", 2 * MAX_PLAYERS),
    ("supply", "i1", 2 * MAX_PLAYERS),
    ("skills", "i1", 5 * MAX_PLAYERS),
    ("tiles", "i1", TILES * MAX_PLAYERS),
    ("missions", "i1", 3 * MAX_PLAYERS),
    # The board.
    ("post", "i1", MAX_POSTS),
    ("house", "i1", MAX_HOUSES),
    ("annex", "i1", MAX_ANNEX),
    ("route_marker", "i1", MAX_ROUTES),
    ("n_laid", "i1", 0),
    ("laid_route", "i1", MAX_LAID),
    ("laid_kind", "i1", MAX_LAID),
    ("laid_owner", "i1", MAX_LAID),
    ("prestige", "i1", 4),
    ("completed", "i1", 0),
    ("n_linked", "i1", 0),
    ("linked", "i1", MAX_PLAYERS + 1),
    ("pawn", "i1", 0),
    ("display", "i1", TILES),
    ("mark", "i1", MAX_MARKERS),
    ("mark_start", "i1", SEGMENTS + 1),
    # Pending decisions: a stack of frames, the pieces in hand, the posts changed by a Move.
    ("depth", "i1", 0),
    ("frame_kind", "i1", STACK),
    ("frame_player", "i1", STACK),
    *((f"frame_{name}", "i1", STACK) for name in FRAME_FIELDS),
    ("n_hand", "i1", 0),
    ("hand", "i1", HAND),
    ("hand_post", POST_TYPE, HAND),
    ("n_changed", "i1", 0),
    ("changed_post", POST_TYPE, CHANGED),
    ("changed_piece", "i1", CHANGED),
)


def _filled(fields: tuple[tuple[str, str, int], ...]) -> tuple[tuple[str, str, int], ...]:
    """Wide fields first and the rest filled up: padding would have no defined bytes."""
    ordered = sorted(fields, key=lambda field: -int(field[1][1:]))
    size = sum(int(kind[1:]) * (length or 1) for _, kind, length in ordered)
    return (*ordered, ("spare", "i1", 4 - size % 4))


STATE_FIELDS = _filled(_FIELDS)
_CODES = {"i1": "b", "i2": "h", "i4": "i"}
_RECORD = struct.Struct(
    "<" + "".join(f"{length or 1}{_CODES[kind]}" for _, kind, length in STATE_FIELDS)
)
STATE_SIZE = _RECORD.size


class State:
    """A state as lists of small integers.

    Players are 0 … 4 and neutral is 5; lists by player and shape are flat (`supply[2 * p + shape]`).
    """

    __slots__ = (*(name for name, _, _ in STATE_FIELDS), "events")

    turn: int
    points: list[int]
    actions_left: int
    annex_start: list[int]
    players: int
    edition: int
    duel: int
    favours: int
    border_fee: int
    active: int
    player: int
    acted: int
    walked: int
    closed: int
    bought: int
    fee: int
    touched: int
    n_permissions_used: int
    permissions_used: list[int]
    """Numbers of the board's permissions used this turn, in order of time."""
    over: int
    end_reason: int
    short: int
    """END-2: a marker was taken and no replacement could be drawn."""
    stock: list[int]
    supply: list[int]
    skills: list[int]
    tiles: list[int]
    missions: list[int]
    """City numbers + 1."""
    post: list[int]
    house: list[int]
    annex: list[int]
    """Extra offices and all offices of green cities, from the left, city after city."""
    route_marker: list[int]
    n_laid: int
    laid_route: list[int]
    laid_kind: list[int]
    laid_owner: list[int]
    prestige: list[int]
    """Owner + 1 of each prestige space."""
    completed: int
    n_linked: int
    linked: list[int]
    pawn: int
    display: list[int]
    mark: list[int]
    mark_start: list[int]
    depth: int
    frame_kind: list[int]
    frame_player: list[int]
    frame_count: list[int]
    """Pieces of a fee still to be paid."""
    frame_waiting: list[int]
    """Shape + 1 of the displaced piece; 0: it stands."""
    frame_added: list[int]
    """Pieces that may be added."""
    frame_route: list[int]
    frame_left: list[int]
    """How often more."""
    frame_made: list[int]
    """How often already."""
    frame_by: list[int]
    """What pieces are moved by, see move.py."""
    frame_t: list[int]
    frame_m: list[int]
    """Traders and merchants held."""
    frame_to: list[int]
    """What is reacted to, see reaction.py."""
    frame_asked: list[int]
    """Players asked so far."""
    frame_marker: list[int]
    frame_gain: list[int]
    """What Establish is to gain in step 3, see establish.py."""
    n_hand: int
    hand: list[int]
    hand_post: list[int]
    n_changed: int
    changed_post: list[int]
    changed_piece: list[int]
    """The posts this effect has changed, and what stood there before."""
    spare: list[int]
    events: list[tuple[int, int, int, int, int]] | None
    """Where `events.note` writes; not part of the state."""

    def __init__(self) -> None:
        for name, _, length in STATE_FIELDS:
            setattr(self, name, [0] * length if length else 0)
        self.events = None

    def copy(self) -> State:
        """An independent copy, without the events."""
        twin = State.__new__(State)
        _fill(twin, self)
        twin.events = None
        return twin


class Slots(list[State]):
    """States that are copied when assigned, as the records of an array are."""

    def __setitem__(self, k: Any, state: Any) -> None:
        super().__setitem__(k, state.copy())


def _written(head: str, *lines: str) -> Callable[..., Any]:
    """A function over all fields, each written out: half the time of a loop over their names."""
    made: dict[str, Any] = {}
    exec("\n    ".join([f"def made{head}:", *lines]), made)  # noqa: S102  # the fields above
    function: Callable[..., Any] = made["made"]
    return function


_fill = _written(
    "(twin, s)",
    *(f"twin.{name} = s.{name}{'[:]' if length else ''}" for name, _, length in STATE_FIELDS),
)
_flat = _written(
    "(s)",
    f"return ({', '.join(('*' if length else '') + f's.{name}' for name, _, length in STATE_FIELDS)})",
)


def flat(s: State) -> tuple[int, ...]:
    """All its numbers in the order of the record: equal states have equal ones."""
    numbers: tuple[int, ...] = _flat(s)
    return numbers


def pack(s: State) -> bytes:
    """The bytes of the record: equal states have equal bytes."""
    return _RECORD.pack(*_flat(s))


def unpack(data: bytes) -> State:
    """The state of these bytes."""
    s = State.__new__(State)
    values = _RECORD.unpack(data)
    at = 0
    for name, _, length in STATE_FIELDS:
        if length:
            setattr(s, name, list(values[at : at + length]))
            at += length
        else:
            setattr(s, name, values[at])
            at += 1
    s.events = None
    return s
