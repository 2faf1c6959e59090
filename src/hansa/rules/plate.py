"""The plate: markers drawn in the turn go to routes at its end (MARKER-PUT, NEUTRAL-18 to -20)."""

from __future__ import annotations

from .codes import AT_PLATE, BITS, DUEL_NEUTRAL, ENGLAND, NEUTRAL, NEUTRAL_TRADER
from .declare import Decision, Frame
from .ids import AT_ROUTE
from .notes import IN_STOCK, LAID, MOVED, ON_POST, note
from .offices import has_free_end
from .pieces import is_empty
from .pool import count, find, kinds, remove
from .stack import pop, push
from .state import State
from .tables import Tables
from .turn import next_turn

IN_PLATE = 15
END = 1
LAY = AT_ROUTE + 20


def legal_end(b: Tables, s: State, buf: list[int], n: int) -> int:
    """TURN-10: always."""
    buf[n] = END
    return n + 1


def end_turn(b: Tables, s: State) -> None:
    """MARKER-PUT-1: first the plate, then the next player."""
    push(s, IN_PLATE, s.active)


def may_receive(b: Tables, s: State, route: int) -> bool:
    """MARKER-PUT-2, -4, -6: all conditions but that of the posts."""
    if s.route_marker[route] != 0 or b.route_permanent[route] != 0:
        return False
    return b.route_region[route] == ENGLAND and has_free_end(b, s, route)


def has_lone_neutral(b: Tables, s: State, route: int) -> bool:
    """NEUTRAL-20: exactly one neutral trader and no other piece."""
    pieces = 0
    neutral = 0
    for post in range(b.route_first[route], b.route_first[route + 1]):
        if s.post[post] != 0:
            pieces += 1
        if s.post[post] == NEUTRAL_TRADER:
            neutral += 1
    return pieces == 1 and neutral == 1


def has_empty_route(b: Tables, s: State) -> bool:
    """Whether a route satisfies MARKER-PUT-2 to -6."""
    for route in range(b.n_routes):
        if may_receive(b, s, route) and is_empty(b, s, route):
            return True
    return False


def takes_marker(b: Tables, s: State, route: int, empty: bool) -> bool:
    """Whether a plate marker may go there, `empty` telling whether empty routes exist."""
    if not may_receive(b, s, route):
        return False
    if empty:
        return is_empty(b, s, route)
    return s.duel == DUEL_NEUTRAL and has_lone_neutral(b, s, route)


def settle_plate(b: Tables, s: State) -> bool:
    """MARKER-PUT-8: compulsory while a legal route exists; RULING-24: else it stays."""
    if count(s, AT_PLATE + 3 * s.active) > 0:
        empty = has_empty_route(b, s)
        for route in range(b.n_routes):
            if takes_marker(b, s, route, empty):
                return True
    pop(s)
    next_turn(s)
    return False


def legal_plate(b: Tables, s: State, buf: list[int]) -> int:
    """MARKER-PUT-7: any kind on the plate, any legal route."""
    held = kinds(s, AT_PLATE + 3 * s.active)
    empty = has_empty_route(b, s)
    n = 0
    for route in range(b.n_routes):
        if takes_marker(b, s, route, empty):
            for marker in range(1, b.n_markers + 1):
                if held & BITS[marker] != 0:
                    buf[n] = b.lay_id[marker] + b.route_step[route]
                    n += 1
    return n


def apply_plate(b: Tables, s: State, action: int) -> None:
    """NEUTRAL-19: an empty route that gets a marker gets a neutral trader too."""
    route = b.id_route[action]
    marker = b.id_marker[action]
    plate = AT_PLATE + 3 * s.active
    remove(s, plate, find(s, plate, marker))
    s.route_marker[route] = marker
    note(s, LAID, s.active, marker, route)
    if s.duel == DUEL_NEUTRAL and is_empty(b, s, route):
        post = b.route_ordinary[route]
        s.post[post] = NEUTRAL_TRADER
        note(s, MOVED, NEUTRAL_TRADER, IN_STOCK + NEUTRAL, ON_POST + post)


DECISIONS = (
    Decision(END, "end", legal_end, end_turn, shows_hidden=True),
    Decision(LAY, "lay {marker} {route}", shows_hidden=True),
)
FRAMES = (Frame(IN_PLATE, "plate", {}, settle_plate, legal_plate, apply_plate, on=("",)),)
