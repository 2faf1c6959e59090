"""Cities: a survey of control, networks and the link, and what an office is worth there."""

from __future__ import annotations

from hansa.bots.judge.weights import (
    FLOW,
    GUARD,
    KEYS_LATER,
    KNOBS,
    LINK_SCALE,
    MISSION,
    PERMISSION,
    REGION,
    SEED_SHARE,
)
from hansa.bots.judge.work import (
    CONTROL,
    DEGREE,
    EXTRA,
    FAR,
    FROM_A,
    FROM_B,
    KEYS_WORTH,
    LARGEST,
    LEFT,
    LINK_MISSING,
    LINK_REWARD,
    MINE,
    NETWORK,
    NETWORK_ID,
    OFFICE,
    ON_BOARD,
    PRESENCE,
)
from hansa.bots.judge.worth import percent_left
from hansa.rules.codes import (
    AT_MARKERS,
    BITS,
    EXTRA_OFFICE,
    KEYS,
    KEYS_VALUE,
    SCOTLAND,
    TILE_CITY,
    WALES,
)
from hansa.rules.favour import has_tile
from hansa.rules.offices import control, offices_of, spread
from hansa.rules.pieces import is_mine
from hansa.rules.pool import find
from hansa.rules.state import State
from hansa.rules.tables import Tables

LINK_POINTS = (700, 400, 200, 0, 0, 0)
LINK_SHARE = (100, 52, 34, 23, 15, 10, 6, 4, 2, 1)
"""By cities still missing: how much of the reward is as good as won."""


def survey(b: Tables, s: State, w: list[int], p: int) -> None:
    """What the judgements about this position for this player need to know."""
    left = percent_left(b, s)
    w[LEFT] = left
    w[KEYS_WORTH] = 100 * KEYS_VALUE[s.skills[5 * p + KEYS]]
    w[KEYS_WORTH] += left * w[KNOBS + KEYS_LATER] // 100
    bits = 0
    for city in range(b.n_cities):
        w[DEGREE + city] = 0
        w[CONTROL + city] = control(b, s, city)
        w[MINE + city] = offices_of(b, s, city, p)
        if w[MINE + city] > 0:
            bits |= BITS[city]
    w[PRESENCE] = bits
    for end in range(2 * b.n_routes):
        w[DEGREE + b.route_city[end]] += 1
    survey_networks(b, w, bits)
    survey_link(b, s, w, p)
    own = 0
    for post in range(b.n_posts):
        if is_mine(s.post[post], p):
            own += 1
    w[ON_BOARD] = own
    survey_offices(b, s, w, p)


def survey_offices(b: Tables, s: State, w: list[int], p: int) -> None:
    """What an office is worth, city by city."""
    extra = find(s, AT_MARKERS + 3 * p, EXTRA_OFFICE) >= 0
    for city in range(b.n_cities):
        w[OFFICE + city] = office_worth(b, s, w, p, city, 0)
        if extra:
            w[EXTRA + city] = office_worth(b, s, w, p, city, 1)


def survey_networks(b: Tables, w: list[int], bits: int) -> None:
    """SCORE-F-1: the connected sets of cities with own offices."""
    largest = 0
    for city in range(b.n_cities):
        w[NETWORK + city] = 0
        w[NETWORK_ID + city] = 0
    left = bits
    for city in range(b.n_cities):
        if left & BITS[city] == 0:
            continue
        network = spread(b, BITS[city], left)
        size = 0
        for member in range(b.n_cities):
            if network & BITS[member] != 0:
                size += w[MINE + member]
        for member in range(b.n_cities):
            if network & BITS[member] != 0:
                w[NETWORK + member] = size
                w[NETWORK_ID + member] = city
        if size > largest:
            largest = size
        left ^= network
    w[LARGEST] = largest


def survey_link(b: Tables, s: State, w: list[int], p: int) -> None:
    """LINK-2, LINK-4: how far the link is, and what it brings."""
    w[LINK_REWARD] = LINK_POINTS[s.n_linked]
    for k in range(s.n_linked):
        if s.linked[k] == p + 1:
            w[LINK_REWARD] = 0
    w[LINK_MISSING] = FAR
    if w[LINK_REWARD] == 0:
        return
    steps_from(b, w, b.link_a, FROM_A)
    steps_from(b, w, b.link_b, FROM_B)
    w[LINK_MISSING] = w[FROM_A + b.link_b]


def steps_from(b: Tables, w: list[int], start: int, at: int) -> None:
    """The fewest cities without own office on the way from the start to each city."""
    for city in range(b.n_cities):
        w[at + city] = FAR
    w[at + start] = 0 if w[MINE + start] > 0 else 1
    changed = True
    while changed:
        changed = False
        for route in range(b.n_routes):
            one = b.route_city[2 * route]
            other = b.route_city[2 * route + 1]
            to_other = w[at + one] + (0 if w[MINE + other] > 0 else 1)
            to_one = w[at + other] + (0 if w[MINE + one] > 0 else 1)
            if to_other < w[at + other]:
                w[at + other] = to_other
                changed = True
            if to_one < w[at + one]:
                w[at + one] = to_one
                changed = True


def office_worth(b: Tables, s: State, w: list[int], p: int, city: int, extra: int) -> int:
    """What one more own office in the city is worth; `extra`: left of the houses."""
    worth = network_worth(b, w, city) + control_worth(b, s, w, p, city, extra)
    worth += link_worth(w, city)
    if w[MINE + city] == 0:
        worth += mission_worth(s, w, p, city)
    if b.has_regions != 0:
        worth += region_worth(b, s, w, p, city)
    return worth


def network_worth(b: Tables, w: list[int], city: int) -> int:
    """By how much the largest network grows; half as much for a seed of a later one."""
    size = 1
    if w[MINE + city] > 0:
        size += w[NETWORK + city]
    else:
        joined = 0
        near = b.city_adjacent[city] & w[PRESENCE]
        for other in range(b.n_cities):
            if near & BITS[other] != 0 and joined & BITS[w[NETWORK_ID + other]] == 0:
                joined |= BITS[w[NETWORK_ID + other]]
                size += w[NETWORK + other]
    if size > w[LARGEST]:
        return (size - w[LARGEST]) * w[KEYS_WORTH]
    return w[KEYS_WORTH] * w[LEFT] * w[KNOBS + SEED_SHARE] // 10000


def control_worth(b: Tables, s: State, w: list[int], p: int, city: int, extra: int) -> int:
    """SCORE-E-1 and the points of routes to come, if the office wins control or guards it."""
    each = 400 if has_tile(s, p, TILE_CITY) else 200
    flow = w[KNOBS + FLOW] * w[DEGREE + city]
    if b.city_skills[city] != 0:
        flow *= 2
    flow = flow * w[LEFT] // 100
    owner = w[CONTROL + city]
    if owner == p:
        return w[KNOBS + GUARD] + flow // 4
    if owner < 0:
        return each + flow
    rival = offices_of(b, s, city, owner)
    mine = w[MINE + city] + 1
    if mine > rival or (mine == rival and extra == 0):
        return each + flow + (each // 2 + flow) // s.players
    return flow // 4


def link_worth(w: list[int], city: int) -> int:
    """What the city adds to the chain between the link cities."""
    if w[LINK_REWARD] == 0 or w[MINE + city] > 0:
        return 0
    through = w[FROM_A + city] + w[FROM_B + city] - 1
    missing = w[LINK_MISSING]
    if through > missing or missing > 8:
        return 0
    gain = LINK_SHARE[missing - 1] - LINK_SHARE[missing]
    return w[LINK_REWARD] * gain * w[KNOBS + LINK_SCALE] // 10000


def mission_worth(s: State, w: list[int], p: int, city: int) -> int:
    """MISSION-4, -5: a city of the own card."""
    for k in range(3 * p, 3 * p + 3):
        if s.missions[k] == city + 1:
            return w[KNOBS + MISSION]
    return 0


def region_worth(b: Tables, s: State, w: list[int], p: int, city: int) -> int:
    """BRIT-SCORE-1: rank in a country; BRIT-PERM-6: the permission of a city."""
    worth = 0
    for region in (WALES, SCOTLAND):
        if b.city_regions[city] & BITS[region] != 0:
            worth += w[KNOBS + REGION]
            if w[CONTROL + city] != p:
                worth += w[KNOBS + REGION] * 3 // 4
    for k in range(b.n_permissions):
        if b.permission_city[k] == city:
            worth += w[KNOBS + PERMISSION] * w[LEFT] // 100
    return worth
