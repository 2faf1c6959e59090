"""What a player sees as numbers, written in the style of the rules.

Plain functions over the board `b` and the state `s`, so that the same text runs interpreted and
compiled. Owners are counted from the viewer: 0 is himself, 1 the next in turn order, …, 5 the
neutral colour. Hidden things (INFO-1 to -7) are never read: not the supply's order, not a plate
but one's own while laying its markers, not another's mission.

`where` tells what the set-up decides: the four numbers of posts, routes, cities and houses, the
version of observations, the promo markers chosen, the column of every piece in each viewer's eyes,
then the slot of each city of this board and where, in its block, each house, route and post begins
(see `layout.py`, which also names every feature in the order in which it is written here). Version 1
is written here; what later versions add is in `complete.py`.

Much of a batch's time is spent here, hence two habits. Places are written whether or not something
stands there, because wrong guesses of the processor cost more than writing. And each function gets
the part of the row that it writes, from 0 on, because for every place that might be negative the
compiler would ask whether it counts from the end; `where` has no signs for the same reason.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from hansa.rules import catalogue
from hansa.rules.capacity import MAX_CITIES, MAX_HOUSES, MAX_POSTS, MAX_PROVINCES, MAX_ROUTES
from hansa.rules.codes import (
    AT_DISCARDED,
    AT_MARKERS,
    AT_PLATE,
    AT_SUPPLY,
    AT_USED,
    BIGBOX,
    DUEL_NEUTRAL,
    DUEL_PAWN,
    MAX_PLAYERS,
    NEUTRAL,
    TILES,
)
from hansa.rules.displace import IN_DISPLACED, IN_NEUTRAL_PUT
from hansa.rules.information import sees_plate
from hansa.rules.move import IN_MOVE
from hansa.rules.numbering import FIELDS
from hansa.rules.offices import control, has_occupied_house
from hansa.rules.pieces import owner_of, shape_of
from hansa.rules.pool import count
from hansa.rules.promo import TRIBUTE
from hansa.rules.reaction import IN_REACTION
from hansa.rules.state import State
from hansa.rules.tables import Tables

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Row = npt.NDArray[np.int8]
    Where = Sequence[int]
    """Compiled an array of unsigned numbers, interpreted a list."""

MARKERS = len(catalogue.MARKERS)
PROVINCES = max(MAX_PROVINCES, FIELDS["province"])
OWNERS = MAX_PLAYERS + 1
PIECE_CODES = 2 * OWNERS + 1
"""Codes of pieces; the first is none."""
CODE_BITS = 15
"""All that a code has: said to the compiler, which then knows that it is not negative."""
KINDS = 1 + max(frame.number for frame in catalogue.FRAMES if frame.legal is not None)
MODES = 3
PUTTING = (IN_DISPLACED, IN_NEUTRAL_PUT)
MOST = 127
"""Numbers are signed bytes; what could be larger (points, turn) stops here."""
MOST_ACTIONS = 31

# How many numbers each block holds, a row; the first one is set-up, turn and what is pending.
SETUP_SIZE = 10
TURN_SIZE = 11 + 2 * MARKERS + TILES + PROVINCES + 2
PENDING_SIZE = KINDS + 1 + MODES + 4 + 1 + OWNERS + 1
GAME_SIZE = SETUP_SIZE + TURN_SIZE + PENDING_SIZE
DESK_SIZE = 13
SEAT_SIZE = DESK_SIZE + 2 * MARKERS + 1 + TILES + 4 + 1
CITY_SIZE = 2 * OWNERS + 3
HOUSE_SIZE = OWNERS + 1
ROUTE_SIZE = MARKERS + 2 * MAX_PLAYERS + 1
POST_SIZE = OWNERS + 3

# Where in `where` the numbers and the lists are.
N_POSTS, N_ROUTES, N_CITIES, N_HOUSES, VERSION, PROMOS = 0, 1, 2, 3, 4, 5
COLUMN = PROMOS + MARKERS
CITY_SLOT = COLUMN + MAX_PLAYERS * PIECE_CODES
HOUSE_AT = CITY_SLOT + MAX_CITIES
ROUTE_AT = HOUSE_AT + MAX_HOUSES
POST_AT = ROUTE_AT + MAX_ROUTES
WHERE_SIZE = POST_AT + MAX_POSTS


def size_of(where: Where) -> int:
    """How many numbers an observation of version 1 has."""
    return (
        GAME_SIZE
        + MAX_PLAYERS * SEAT_SIZE
        + where[N_CITIES] * CITY_SIZE
        + where[N_HOUSES] * HOUSE_SIZE
        + where[N_ROUTES] * ROUTE_SIZE
        + where[N_POSTS] * POST_SIZE
    )


def encode(b: Tables, s: State, viewer: int, where: Where, out: Row, base: int) -> None:
    """Write what the viewer sees into `out`, from `base` on."""
    row = out[base : base + size_of(where)]
    row[:] = 0
    encode_setup(s, row)
    encode_turn(s, viewer, row[SETUP_SIZE:])
    encode_pending(s, viewer, where, row[SETUP_SIZE + TURN_SIZE :])
    at = GAME_SIZE
    for player in range(s.players):
        encode_seat(s, player, row[at + SEAT_SIZE * relative(s.players, player, viewer) :])
    at += MAX_PLAYERS * SEAT_SIZE
    encode_cities(b, s, viewer, where, row[at:])
    at += where[N_CITIES] * CITY_SIZE
    encode_houses(b, s, viewer, where, row[at:])
    at += where[N_HOUSES] * HOUSE_SIZE
    encode_routes(b, s, viewer, where, row[at:])
    at += where[N_ROUTES] * ROUTE_SIZE
    encode_posts(b, s, viewer, where, row[at:])


def relative(players: int, owner: int, viewer: int) -> int:
    """The owner as the viewer counts: himself 0, then clockwise; the neutral colour 5."""
    seat = owner - viewer
    seat = seat + players if seat < 0 else seat
    return NEUTRAL if owner == NEUTRAL else seat  # a choice of values, not of ways: no branch


def columns_of(viewer: int, where: Where) -> Where:
    """The column of every piece in the viewer's eyes."""
    return where[COLUMN + PIECE_CODES * viewer : COLUMN + PIECE_CODES * (viewer + 1)]


def encode_piece(piece: int, columns: Where, out: Row, at: int) -> None:
    """Whose piece it is, and whether a merchant."""
    if piece != 0:
        out[at + columns[piece]] = 1
        out[at + OWNERS] = shape_of(piece)


def set_piece(piece: int, columns: Where, out: Row, at: int) -> None:
    """As `encode_piece` on a place that shows none, without a branch.

    The column of no piece is the merchant's, where a 0 then follows.
    """
    out[at + OWNERS] = 1 - (piece & 1)
    out[at + columns[piece & CODE_BITS]] = piece != 0


def encode_pieces(pieces: list[int], number: int, columns: Where, places: Where, out: Row) -> None:
    """The first so many, each at its place."""
    for k in range(number):
        set_piece(pieces[k], columns, out, places[k])


def encode_setup(s: State, out: Row) -> None:
    """The set-up."""
    out[s.players - 2] = 1
    out[4] = s.edition == BIGBOX
    out[5] = s.duel == DUEL_PAWN
    out[6] = s.duel == DUEL_NEUTRAL
    out[7] = s.favours != 0
    out[8] = s.border_fee != 0
    out[9] = s.missions[0] != 0


def encode_turn(s: State, viewer: int, out: Row) -> None:
    """The turn, and what lies beside the board."""
    out[0] = min(s.turn, MOST)
    out[1] = min(s.actions_left, MOST_ACTIONS)
    out[2] = s.acted
    out[3] = s.walked
    out[4] = s.closed
    out[5] = s.bought
    out[6] = s.fee
    out[7] = s.touched
    out[8] = s.short
    out[9] = s.completed
    out[10] = count(s, AT_SUPPLY)
    encode_markers(s, AT_DISCARDED, out, 11)
    for k in range(TILES):
        if s.display[k] != 0:
            out[11 + MARKERS + s.display[k] - 1] = 1
    pawn = 11 + MARKERS + TILES
    if s.pawn != 0:
        out[pawn + s.pawn - 1] = 1
    out[pawn + PROVINCES] = min(s.points[NEUTRAL], MOST)
    out[pawn + PROVINCES + 1] = link_rank(s, NEUTRAL)
    if sees_plate(s, viewer, viewer):
        encode_markers(s, AT_PLATE + 3 * viewer, out, pawn + PROVINCES + 2)


def encode_markers(s: State, segment: int, out: Row, at: int) -> None:
    """How many markers of each kind."""
    for k in range(s.mark_start[segment], s.mark_start[segment + 1]):
        out[at + s.mark[k] - 1] += 1


def link_rank(s: State, owner: int) -> int:
    """Who connected East and West as which, from 1; 0: not yet."""
    for k in range(s.n_linked):
        if s.linked[k] == owner + 1:
            return k + 1
    return 0


def encode_pending(s: State, viewer: int, where: Where, out: Row) -> None:
    """What is being decided, and the pieces in hand."""
    if s.over != 0:
        out[KINDS] = 1
        return
    if s.depth == 0:
        out[0] = 1
    else:
        d = s.depth - 1
        kind = s.frame_kind[d]
        out[kind] = 1
        if kind == IN_MOVE:
            out[KINDS + 1 + s.frame_by[d]] = 1
        encode_amounts(s, d, out, KINDS + MODES + 1)
    hand = KINDS + 1 + MODES + 4
    out[hand] = s.n_hand
    if s.n_hand > 0:
        encode_piece(s.hand[0], columns_of(viewer, where), out, hand + 1)


def encode_amounts(s: State, d: int, out: Row, at: int) -> None:
    """What is left to do or allowed, traders and merchants that wait, and what is made.

    A frame has at most one number of each sort; those it does not use are 0.
    """
    out[at] = s.frame_left[d] + s.frame_count[d] + s.frame_added[d]
    out[at + 1] = s.frame_t[d]
    out[at + 2] = s.frame_m[d]
    if s.frame_waiting[d] != 0:
        out[at + s.frame_waiting[d]] = 1
    out[at + 3] = s.frame_made[d]


def encode_seat(s: State, player: int, out: Row) -> None:
    """A player's desk."""
    encode_desk(s, player, out)
    encode_belongings(s, player, out[DESK_SIZE:])


def encode_desk(s: State, player: int, out: Row) -> None:
    """Whose desk it is, points, pieces and skills."""
    out[0] = player + 1
    out[1] = s.player == player
    out[2] = s.active == player
    out[3] = min(s.points[player], MOST)
    for shape in range(2):
        out[4 + shape] = s.supply[2 * player + shape]
        out[6 + shape] = s.stock[2 * player + shape]
    for skill in range(5):
        out[8 + skill] = s.skills[5 * player + skill]


def encode_belongings(s: State, player: int, out: Row) -> None:
    """Markers, tiles, prestige and link."""
    encode_markers(s, AT_MARKERS + 3 * player, out, 0)
    encode_markers(s, AT_USED + 3 * player, out, MARKERS)
    rest = 2 * MARKERS
    out[rest] = count(s, AT_PLATE + 3 * player)
    for tile in range(TILES):
        out[rest + 1 + tile] = s.tiles[TILES * player + tile] != 0
    for space in range(4):
        out[rest + 1 + TILES + space] = s.prestige[space] == player + 1
    out[rest + 5 + TILES] = link_rank(s, player)


def encode_cities(b: Tables, s: State, viewer: int, where: Where, out: Row) -> None:
    """Control, offices beside the houses, the viewer's mission, what is under way."""
    for city in range(b.n_cities):
        beside = s.annex_start[city + 1] - s.annex_start[city]
        if beside == 0 and not has_occupied_house(b, s, city):
            continue
        row = CITY_SIZE * where[CITY_SLOT + city]
        owner = control(b, s, city)
        if owner >= 0:
            out[row + relative(s.players, owner, viewer)] = 1
        for k in range(s.annex_start[city], s.annex_start[city + 1]):
            out[row + OWNERS + relative(s.players, owner_of(s.annex[k]), viewer)] += 1
    flags = 2 * OWNERS
    for k in range(3 * viewer, 3 * viewer + 3):
        if s.missions[k] > 0:
            out[flags + CITY_SIZE * where[CITY_SLOT + s.missions[k] - 1]] = 1
    for k in range(s.n_permissions_used):
        city = b.permission_city[s.permissions_used[k] - 1]
        out[flags + 1 + CITY_SIZE * where[CITY_SLOT + city]] = 1
    cause = reaction_city(s)
    if cause >= 0:
        out[flags + 2 + CITY_SIZE * where[CITY_SLOT + cause]] = 1


def reaction_city(s: State) -> int:
    """The city whose new office is being answered; -1: none."""
    if s.depth == 0 or s.frame_kind[s.depth - 1] != IN_REACTION:
        return -1
    return s.frame_to[s.depth - 1]


def encode_houses(b: Tables, s: State, viewer: int, where: Where, out: Row) -> None:
    """The offices in the houses."""
    number = b.city_first[b.n_cities]
    encode_pieces(s.house, number, columns_of(viewer, where), where[HOUSE_AT:], out)


def encode_routes(b: Tables, s: State, viewer: int, where: Where, out: Row) -> None:
    """Markers that lie at the routes, and the route a piece was displaced from."""
    for route in range(b.n_routes):
        marker = s.route_marker[route]
        out[where[ROUTE_AT + route] + max(marker - 1, 0)] = marker != 0
    for k in range(s.n_laid):  # tributes, then blocks, by whoever laid them
        row = where[ROUTE_AT + s.laid_route[k]] + MARKERS
        kind = 0 if s.laid_kind[k] == TRIBUTE else MAX_PLAYERS
        out[row + kind + relative(s.players, s.laid_owner[k], viewer)] += 1
    displaced = displaced_route(s)
    if displaced >= 0:
        out[where[ROUTE_AT + displaced] + MARKERS + 2 * MAX_PLAYERS] = 1


def displaced_route(s: State) -> int:
    """The route whose displaced piece is being put; -1: none."""
    if s.depth == 0:
        return -1
    kind = s.frame_kind[s.depth - 1]
    return s.frame_route[s.depth - 1] if kind in PUTTING else -1


def encode_posts(b: Tables, s: State, viewer: int, where: Where, out: Row) -> None:
    """The pieces on the posts, the posts this effect has changed, and where the hand came from."""
    columns = columns_of(viewer, where)
    encode_pieces(s.post, b.n_posts, columns, where[POST_AT:], out)
    mark_posts(s, where, out)


def mark_posts(s: State, where: Where, out: Row) -> None:
    """The posts this effect has changed, and where the hand came from."""
    changes = OWNERS + 1
    for k in range(s.n_changed):
        out[changes + where[POST_AT + s.changed_post[k]]] = 1
    for k in range(s.n_hand):
        out[changes + 1 + where[POST_AT + s.hand_post[k]]] += 1
