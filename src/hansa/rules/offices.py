"""Offices: control, founding, completed cities and the link (CONTROL, OFFICE, LINK)."""

from __future__ import annotations

from .codes import BITS
from .notes import COMPLETED, FOR_COIN, FOR_CONTROL, FOR_LINK, FOUNDED, LINKED, POINTS, note
from .pieces import owner_of
from .state import State
from .tables import Tables

LINK_POINTS = (7, 4, 2, 0, 0, 0)


def offices_of(b: Tables, s: State, city: int, owner: int) -> int:
    """How many offices the owner has in the city, extra offices included."""
    number = 0
    for house in range(b.city_first[city], b.city_first[city + 1]):
        if s.house[house] != 0 and owner_of(s.house[house]) == owner:
            number += 1
    for k in range(s.annex_start[city], s.annex_start[city + 1]):
        if owner_of(s.annex[k]) == owner:
            number += 1
    return number


def control(b: Tables, s: State, city: int) -> int:
    """CONTROL-1: most offices; CONTROL-2: among equals whoever stands further right; -1: nobody."""
    best = -1
    most = 0
    first = b.city_first[city]
    for k in range(b.city_first[city + 1] - first):
        piece = s.house[b.city_first[city + 1] - 1 - k]
        if piece != 0 and owner_of(piece) != best:
            number = offices_of(b, s, city, owner_of(piece))
            if number > most:
                best = owner_of(piece)
                most = number
    last = s.annex_start[city + 1]
    for k in range(last - s.annex_start[city]):
        owner = owner_of(s.annex[last - 1 - k])
        if owner != best:
            number = offices_of(b, s, city, owner)
            if number > most:
                best = owner
                most = number
    return best


def rightmost_owner(b: Tables, s: State, city: int) -> int:
    """BRIT-PERM-6: the owner of the rightmost office, whoever controls the city; -1: none."""
    for k in range(b.city_first[city + 1] - b.city_first[city]):
        piece = s.house[b.city_first[city + 1] - 1 - k]
        if piece != 0:
            return owner_of(piece)
    if s.annex_start[city + 1] > s.annex_start[city]:
        return owner_of(s.annex[s.annex_start[city + 1] - 1])
    return -1


def free_house(b: Tables, s: State, city: int) -> int:
    """OFFICE-1: the leftmost free house, or -1."""
    for house in range(b.city_first[city], b.city_first[city + 1]):
        if s.house[house] == 0:
            return house
    return -1


def has_free_end(b: Tables, s: State, route: int) -> bool:
    """MARKER-PUT-4: an end city with a free house; EAST-19: green cities never have one."""
    return (
        free_house(b, s, b.route_city[2 * route]) >= 0
        or free_house(b, s, b.route_city[2 * route + 1]) >= 0
    )


def has_occupied_house(b: Tables, s: State, city: int) -> bool:
    """MARKER-EXTRA-2: houses fill from the left, so the first one tells."""
    first = b.city_first[city]
    return b.city_first[city + 1] > first and s.house[first] != 0


def presence(b: Tables, s: State, owner: int) -> int:
    """The cities in which the owner has an office, as bits."""
    bits = 0
    for city in range(b.n_cities):
        if offices_of(b, s, city, owner) > 0:
            bits |= BITS[city]
    return bits


def spread(b: Tables, start: int, within: int) -> int:
    """The cities of `within` reachable from the start over neighbours, all as bits."""
    reached = start & within
    while True:
        grown = reached
        for city in range(b.n_cities):
            if reached & BITS[city] != 0:
                grown |= b.city_adjacent[city] & within
        if grown == reached:
            return reached
        reached = grown


def has_link(b: Tables, s: State, owner: int) -> bool:
    """LINK-2: an unbroken chain of neighbouring cities with own offices."""
    within = presence(b, s, owner)
    return spread(b, BITS[b.link_a], within) & BITS[b.link_b] != 0


def score_control(b: Tables, s: State, route: int) -> None:
    """ROUTE-4: a point for control of each end, both judged before anything changes."""
    one = b.route_city[2 * route]
    other = b.route_city[2 * route + 1]
    first = control(b, s, one)
    second = control(b, s, other)
    if first >= 0:
        gain(s, first, 1, FOR_CONTROL, one)
    if second >= 0:
        gain(s, second, 1, FOR_CONTROL, other)


def gain(s: State, owner: int, amount: int, reason: int, city: int) -> None:
    """Prestige on the track (END-9)."""
    s.points[owner] += amount
    note(s, POINTS, owner, amount, reason, city)


def found(b: Tables, s: State, city: int, piece: int) -> None:
    """OFFICE-1, -6, -8, -10: into the leftmost free house, then coin, counter, link."""
    house = free_house(b, s, city)
    s.house[house] = piece
    note(s, FOUNDED, owner_of(piece), city, piece, house - b.city_first[city] + 1)
    if b.house_coin[house] > 0:
        gain(s, owner_of(piece), b.house_coin[house], FOR_COIN, city)
    if house == b.city_first[city + 1] - 1:
        complete(s, city)
    check_link(b, s, owner_of(piece))


def found_beside(b: Tables, s: State, city: int, piece: int, right: int) -> None:
    """MARKER-EXTRA-1, EAST-7: left of everything; EAST-8: right of all others."""
    at = s.annex_start[city + 1] if right != 0 else s.annex_start[city]
    k = s.annex_start[b.n_cities]
    while k > at:
        s.annex[k] = s.annex[k - 1]
        k -= 1
    s.annex[at] = piece
    for later in range(city + 1, len(s.annex_start)):
        s.annex_start[later] += 1
    note(s, FOUNDED, owner_of(piece), city, piece, -1 if right != 0 else 0)
    if b.city_green[city] != 0 and s.annex_start[city + 1] - s.annex_start[city] == 1:
        complete(s, city)  # EAST-9: the first office completes a green city
    check_link(b, s, owner_of(piece))


def complete(s: State, city: int) -> None:
    """OFFICE-8, EAST-9: one more completed city."""
    s.completed += 1
    note(s, COMPLETED, city, s.completed)


def check_link(b: Tables, s: State, owner: int) -> None:
    """LINK-4 to -7: a reward for the first three, once each."""
    for k in range(s.n_linked):
        if s.linked[k] == owner + 1:
            return
    if not has_link(b, s, owner):
        return
    amount = LINK_POINTS[s.n_linked]
    s.linked[s.n_linked] = owner + 1
    s.n_linked += 1
    note(s, LINKED, owner, s.n_linked)
    if amount > 0:
        gain(s, owner, amount, FOR_LINK, b.link_b)
