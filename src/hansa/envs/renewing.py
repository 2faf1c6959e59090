"""A row of an observation brought from one state to a later one, in the style of the rules.

A decision changes a post or two and a few numbers of a desk, so most of a row that the same viewer
saw before it is still true. What changes with nearly every decision is written anew; of the rest
a block is, if something that it shows differs between the two states. The result is byte for byte
what `encode` writes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hansa.envs.encoder import (
    CITY_SIZE,
    CODE_BITS,
    DESK_SIZE,
    GAME_SIZE,
    HOUSE_SIZE,
    MARKERS,
    N_CITIES,
    N_HOUSES,
    N_ROUTES,
    OWNERS,
    POST_AT,
    ROUTE_AT,
    ROUTE_SIZE,
    SEAT_SIZE,
    SETUP_SIZE,
    TURN_SIZE,
    columns_of,
    displaced_route,
    encode_belongings,
    encode_cities,
    encode_desk,
    encode_houses,
    encode_pending,
    encode_routes,
    encode_turn,
    mark_posts,
    reaction_city,
    relative,
    set_piece,
    size_of,
)
from hansa.rules.codes import MAX_PLAYERS, NEUTRAL, SEGMENTS, TILES
from hansa.rules.state import State
from hansa.rules.tables import Tables

if TYPE_CHECKING:
    from hansa.envs.encoder import Row, Where


def renew(b: Tables, s: State, was: State, viewer: int, where: Where, out: Row, base: int) -> None:
    """Write what the viewer sees over what he saw when the state was `was`, from `base` on."""
    row = out[base : base + size_of(where)]
    row[SETUP_SIZE:GAME_SIZE] = 0
    encode_turn(s, viewer, row[SETUP_SIZE:])
    encode_pending(s, viewer, where, row[SETUP_SIZE + TURN_SIZE :])
    at = GAME_SIZE
    renew_seats(s, was, viewer, row[at:])
    at += MAX_PLAYERS * SEAT_SIZE
    cities = row[at : at + where[N_CITIES] * CITY_SIZE]
    at += where[N_CITIES] * CITY_SIZE
    houses = row[at : at + where[N_HOUSES] * HOUSE_SIZE]
    at += where[N_HOUSES] * HOUSE_SIZE
    offices = differs(s.house, was.house, b.city_first[b.n_cities])
    if offices:
        houses[:] = 0
        encode_houses(b, s, viewer, where, houses)
    if offices or has_new_annex(b, s, was) or marks_cities(s) or marks_cities(was):
        cities[:] = 0
        encode_cities(b, s, viewer, where, cities)
    renew_routes(b, s, was, viewer, where, row[at : at + where[N_ROUTES] * ROUTE_SIZE])
    at += where[N_ROUTES] * ROUTE_SIZE
    renew_posts(b, s, was, viewer, where, row[at:])


def differs(one: list[int], other: list[int], number: int) -> bool:
    """Whether the first so many are not the same; all are compared at once, not one by one."""
    bits = 0
    for k in range(number):
        bits |= one[k] ^ other[k]
    return bits != 0


def renew_seats(s: State, was: State, viewer: int, out: Row) -> None:
    """The desks; what lies beside their numbers changes seldom."""
    for player in range(s.players):
        encode_desk(s, player, out[SEAT_SIZE * relative(s.players, player, viewer) :])
    if has_new_belongings(s, was):
        for player in range(s.players):
            at = SEAT_SIZE * relative(s.players, player, viewer)
            seat = out[at + DESK_SIZE : at + SEAT_SIZE]
            seat[:] = 0
            encode_belongings(s, player, seat)


def has_new_belongings(s: State, was: State) -> bool:
    """Whether a marker, a tile, a prestige space or a link has changed hands."""
    return (
        differs(s.mark_start, was.mark_start, SEGMENTS + 1)
        or differs(s.mark, was.mark, s.mark_start[SEGMENTS])
        or differs(s.prestige, was.prestige, len(s.prestige))
        or differs(s.linked, was.linked, NEUTRAL + 1)
        or (s.favours != 0 and differs(s.tiles, was.tiles, TILES * s.players))
    )


def has_new_annex(b: Tables, s: State, was: State) -> bool:
    """Whether an office beside the houses is new."""
    number = s.annex_start[b.n_cities]
    return number != was.annex_start[b.n_cities] or (
        number > 0
        and (
            differs(s.annex_start, was.annex_start, b.n_cities)
            or differs(s.annex, was.annex, number)
        )
    )


def marks_cities(s: State) -> bool:
    """Whether a city is marked for what is under way."""
    return s.n_permissions_used > 0 or reaction_city(s) >= 0


def renew_routes(b: Tables, s: State, was: State, viewer: int, where: Where, out: Row) -> None:
    """Markers come and go seldom, the route a piece was displaced from often."""
    if s.n_laid + was.n_laid > 0 or differs(s.route_marker, was.route_marker, b.n_routes):
        out[:] = 0
        encode_routes(b, s, viewer, where, out)
        return
    place = MARKERS + 2 * MAX_PLAYERS
    before, now = displaced_route(was), displaced_route(s)
    if before >= 0:
        out[place + where[ROUTE_AT + before]] = 0
    if now >= 0:
        out[place + where[ROUTE_AT + now]] = 1


def renew_posts(b: Tables, s: State, was: State, viewer: int, where: Where, out: Row) -> None:
    """The posts on which something else stands, and those that are marked."""
    columns = columns_of(viewer, where)
    for post in range(b.n_posts):
        piece = s.post[post]
        before = was.post[post]
        if piece != before:
            at = where[POST_AT + post]
            out[at + columns[before & CODE_BITS]] = 0
            set_piece(piece, columns, out, at)
    marks = OWNERS + 1
    for k in range(was.n_changed):
        out[marks + where[POST_AT + was.changed_post[k]]] = 0
    for k in range(was.n_hand):
        out[marks + 1 + where[POST_AT + was.hand_post[k]]] = 0
    mark_posts(s, where, out)
