"""What version 2 of the observations adds to version 1, in the style of the rules.

Version 1 stops counting at 127, does not tell the promo markers of the set-up, which of the offices
beside a city's houses stands furthest right (CONTROL-2), nor what waits below the decision under way.
With this, a row tells all that a view tells: `decoding.py` reads it back.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hansa.envs.encoder import (
    CITY_SLOT,
    MARKERS,
    MOST,
    N_CITIES,
    OWNERS,
    PROMOS,
    VERSION,
    columns_of,
    encode,
    encode_piece,
    relative,
    size_of,
)
from hansa.envs.renewing import renew
from hansa.rules.codes import MAX_PLAYERS, NEUTRAL
from hansa.rules.information import sees_mission
from hansa.rules.pieces import owner_of, shape_of
from hansa.rules.state import CHANGED, FRAME_FIELDS, HAND, STACK, State
from hansa.rules.tables import Tables

if TYPE_CHECKING:
    from hansa.envs.encoder import Row, Where

DIGITS = ("/ 16384", "/ 128 % 128", "% 128")
"""A number in three or two signed bytes: turns to two millions, points to 16,383."""
BASE = MOST + 1
ENDS = 3
STACK_FIELDS = FRAME_FIELDS

# How many numbers each block holds, a row.
MORE_SIZE = MARKERS + 3 + 1 + 2 + ENDS
MORE_SEAT_SIZE = 2 + 3
MORE_CITY_SIZE = 2 * OWNERS
FRAME_SIZE = 2 + len(STACK_FIELDS)
PLACED_SIZE = OWNERS + 1 + 2


def row_size(where: Where) -> int:
    """How many numbers an observation of the wanted version has."""
    size = size_of(where)
    if where[VERSION] == 1:
        return size
    return (
        size
        + MORE_SIZE
        + MAX_PLAYERS * MORE_SEAT_SIZE
        + where[N_CITIES] * MORE_CITY_SIZE
        + STACK * FRAME_SIZE
        + (HAND + CHANGED) * PLACED_SIZE
    )


def observe(b: Tables, s: State, viewer: int, where: Where, out: Row, base: int) -> None:
    """Write what the viewer sees, in the wanted version, into `out`, from `base` on."""
    encode(b, s, viewer, where, out, base)
    if where[VERSION] > 1:
        complete(b, s, viewer, where, out, base)


def observe_again(
    b: Tables, s: State, was: State, viewer: int, where: Where, out: Row, base: int
) -> None:
    """`observe`, where `out` holds what the same viewer saw when the state was `was`."""
    renew(b, s, was, viewer, where, out, base)
    if where[VERSION] > 1:
        complete(b, s, viewer, where, out, base)


def complete(b: Tables, s: State, viewer: int, where: Where, out: Row, base: int) -> None:
    """What version 2 adds to a row of version 1 that begins at `base`."""
    at = base + size_of(where)
    out[at : base + row_size(where)] = 0
    encode_more(s, where, out, at)
    at += MORE_SIZE
    for player in range(s.players):
        row = at + MORE_SEAT_SIZE * relative(s.players, player, viewer)
        encode_number(s.points[player], 2, out, row)
        if sees_mission(s, viewer, player):
            encode_mission(s, player, where, out, row + 2)
    at += MAX_PLAYERS * MORE_SEAT_SIZE
    for city in range(b.n_cities):
        if s.annex_start[city + 1] > s.annex_start[city]:
            row = at + MORE_CITY_SIZE * where[CITY_SLOT + city]
            encode_beside(s, city, viewer, out, row)
    at += where[N_CITIES] * MORE_CITY_SIZE
    for d in range(s.depth):
        encode_frame(s, d, viewer, out, at + FRAME_SIZE * d)
    at += STACK * FRAME_SIZE
    columns = columns_of(viewer, where)
    for k in range(s.n_hand):
        row = at + PLACED_SIZE * k
        encode_piece(s.hand[k], columns, out, row)
        encode_number(s.hand_post[k] + 1, 2, out, row + OWNERS + 1)
    at += HAND * PLACED_SIZE
    for k in range(s.n_changed):
        row = at + PLACED_SIZE * k
        encode_piece(s.changed_piece[k], columns, out, row)
        encode_number(s.changed_post[k] + 1, 2, out, row + OWNERS + 1)


def encode_number(number: int, digits: int, out: Row, at: int) -> None:
    """A number to the base of 128, the highest digit first."""
    for k in range(digits):
        out[at + digits - 1 - k] = number % BASE
        number //= BASE


def encode_more(s: State, where: Where, out: Row, at: int) -> None:
    """Promo markers of the set-up, and what version 1 cuts off."""
    for k in range(MARKERS):
        out[at + k] = where[PROMOS + k]
    encode_number(s.turn, 3, out, at + MARKERS)
    out[at + MARKERS + 3] = min(s.actions_left, MOST)
    encode_number(s.points[NEUTRAL], 2, out, at + MARKERS + 4)
    if s.end_reason > 0:
        out[at + MARKERS + 6 + s.end_reason - 1] = 1


def encode_mission(s: State, player: int, where: Where, out: Row, at: int) -> None:
    """The cities of a card that the viewer may see, as rows of the block of cities, from 1."""
    for k in range(3):
        city = s.missions[3 * player + k]
        if city > 0:
            out[at + k] = where[CITY_SLOT + city - 1] + 1


def encode_beside(s: State, city: int, viewer: int, out: Row, at: int) -> None:
    """Who stands furthest right (1), next (2), …: among equals that decides; then merchants."""
    rank = 0
    last = s.annex_start[city + 1] - 1
    for k in range(s.annex_start[city + 1] - s.annex_start[city]):
        piece = s.annex[last - k]
        owner = relative(s.players, owner_of(piece), viewer)
        if out[at + owner] == 0:
            rank += 1
            out[at + owner] = rank
        out[at + OWNERS + owner] += shape_of(piece)


def encode_frame(s: State, d: int, viewer: int, out: Row, at: int) -> None:
    """One of the decisions that wait on each other; its numbers are those of the rules, plus 1."""
    out[at] = s.frame_kind[d]
    out[at + 1] = relative(s.players, s.frame_player[d], viewer) + 1
    out[at + 2] = s.frame_count[d] + 1
    out[at + 3] = s.frame_waiting[d] + 1
    out[at + 4] = s.frame_added[d] + 1
    out[at + 5] = s.frame_route[d] + 1
    out[at + 6] = s.frame_left[d] + 1
    out[at + 7] = s.frame_made[d] + 1
    out[at + 8] = s.frame_by[d] + 1
    out[at + 9] = s.frame_t[d] + 1
    out[at + 10] = s.frame_m[d] + 1
    out[at + 11] = s.frame_to[d] + 1
    out[at + 12] = s.frame_asked[d] + 1
    out[at + 13] = s.frame_marker[d] + 1
    out[at + 14] = s.frame_gain[d] + 1
