"""Two players with neutral traders: full neutral routes are established at once (NEUTRAL)."""

from __future__ import annotations

from .codes import AT_DISCARDED, NEUTRAL, NEUTRAL_TRADER
from .declare import Decision
from .ids import AT_ROUTE
from .notes import DISCARDED, ESTABLISHED, IN_HOUSE, IN_STOCK, MOVED, ON_POST, note
from .offices import found, free_house, has_free_end, score_control
from .pool import add, draw
from .reaction import ask_tribute
from .state import State
from .tables import Tables

NEUTRAL_CITY = AT_ROUTE + 18

NO_CITY = -1


def is_neutral_full(b: Tables, s: State, route: int) -> bool:
    """NEUTRAL-10: all posts neutral."""
    for post in range(b.route_first[route], b.route_first[route + 1]):
        if s.post[post] != NEUTRAL_TRADER:
            return False
    return True


def resolve_full(b: Tables, s: State) -> int:
    """RULING-50: resolve what needs no choice. 0: nothing is full, 1: go on, 2: ask."""
    options = 0
    only_route = 0
    only_end = 0
    for route in range(b.n_routes):
        if not is_neutral_full(b, s, route):
            continue
        if not has_free_end(b, s, route):
            establish_neutral(b, s, route, NO_CITY)
            return 1
        for end in range(2):
            if free_house(b, s, b.route_city[2 * route + end]) >= 0:
                options += 1
                only_route = route
                only_end = end
    if options == 0:
        return 0
    if options > 1:
        return 2
    establish_neutral(b, s, only_route, b.route_city[2 * only_route + only_end])
    return 1


def legal_neutral(b: Tables, s: State, buf: list[int]) -> int:
    """NEUTRAL-13: the active player chooses route and city."""
    n = 0
    for route in range(b.n_routes):
        if is_neutral_full(b, s, route):
            for end in range(2):
                if free_house(b, s, b.route_city[2 * route + end]) >= 0:
                    buf[n] = NEUTRAL_CITY + end + b.route_step[route]
                    n += 1
    return n


def apply_neutral(b: Tables, s: State, action: int) -> None:
    """NEUTRAL-13."""
    route = b.id_route[action]
    establish_neutral(b, s, route, b.route_city[2 * route + b.id_end[action]])


def establish_neutral(b: Tables, s: State, route: int, city: int) -> None:
    """NEUTRAL-11 to -16: points, marker, office, and one trader stays at a special city."""
    note(s, ESTABLISHED, NEUTRAL, route)
    score_control(b, s, route)
    marker = s.route_marker[route]
    if marker != 0:
        s.route_marker[route] = 0
        add(s, AT_DISCARDED, marker)
        note(s, DISCARDED, marker, route + 1, s.active)
        draw(s, s.active)
    clear_neutral(b, s, route, city)
    if city != NO_CITY:
        found(b, s, city, NEUTRAL_TRADER)
        ask_tribute(s, city)


def clear_neutral(b: Tables, s: State, route: int, city: int) -> None:
    """NEUTRAL-15, -16, RULING-52: the rest leaves; one stays on the first ordinary post."""
    stays = b.route_ordinary[route] if b.route_special[route] != 0 else -1
    founds = city != NO_CITY
    for post in range(b.route_first[route], b.route_first[route + 1]):
        if post == stays:
            continue
        s.post[post] = 0
        target = IN_STOCK + NEUTRAL
        if founds:
            target = IN_HOUSE + city
            founds = False
        note(s, MOVED, NEUTRAL_TRADER, ON_POST + post, target)


DECISIONS = (Decision(NEUTRAL_CITY, "neutral {route} {end}"),)
