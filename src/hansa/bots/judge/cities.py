"""Cities: a survey of control, networks and the link, and what an office is worth there."""

from __future__ import annotations

from hansa.bots.judge.survey import FAR, FROM_A, FROM_B, Survey
from hansa.bots.judge.weights import Weights
from hansa.bots.judge.worth import percent_left
from hansa.rules.codes import (
    AT_MARKERS,
    BITS,
    KEYS,
    KEYS_VALUE,
    SCOTLAND,
    TILE_CITY,
    WALES,
)
from hansa.rules.establish import EXTRA_OFFICE
from hansa.rules.favour import has_tile
from hansa.rules.offices import control, offices_of, spread
from hansa.rules.pieces import is_mine
from hansa.rules.pool import find
from hansa.rules.state import State
from hansa.rules.tables import Tables

LINK_POINTS = (700, 400, 200, 0, 0, 0)
LINK_SHARE = (100, 52, 34, 23, 15, 10, 6, 4, 2, 1)
"""By cities still missing: how much of the reward is as good as won."""


def survey(b: Tables, s: State, w: Weights, v: Survey, p: int) -> None:
    """What the judgements about this position for this player need to know."""
    left = percent_left(b, s)
    v.left = left
    v.keys_worth = 100 * KEYS_VALUE[s.skills[5 * p + KEYS]]
    v.keys_worth += left * w.keys_later // 100
    bits = 0
    for city in range(b.n_cities):
        v.degree[city] = 0
        v.control[city] = control(b, s, city)
        v.mine[city] = offices_of(b, s, city, p)
        if v.mine[city] > 0:
            bits |= BITS[city]
    v.presence = bits
    for end in range(2 * b.n_routes):
        v.degree[b.route_city[end]] += 1
    survey_networks(b, v, bits)
    survey_link(b, s, v, p)
    own = 0
    for post in range(b.n_posts):
        if is_mine(s.post[post], p):
            own += 1
    v.on_board = own
    survey_offices(b, s, w, v, p)


def survey_offices(b: Tables, s: State, w: Weights, v: Survey, p: int) -> None:
    """What an office is worth, city by city."""
    extra = find(s, AT_MARKERS + 3 * p, EXTRA_OFFICE) >= 0
    for city in range(b.n_cities):
        v.office[city] = office_worth(b, s, w, v, p, city, 0)
        if extra:
            v.extra[city] = office_worth(b, s, w, v, p, city, 1)


def survey_networks(b: Tables, v: Survey, bits: int) -> None:
    """SCORE-F-1: the connected sets of cities with own offices."""
    largest = 0
    for city in range(b.n_cities):
        v.network[city] = 0
        v.network_id[city] = 0
    left = bits
    for city in range(b.n_cities):
        if left & BITS[city] == 0:
            continue
        network = spread(b, BITS[city], left)
        size = 0
        for member in range(b.n_cities):
            if network & BITS[member] != 0:
                size += v.mine[member]
        for member in range(b.n_cities):
            if network & BITS[member] != 0:
                v.network[member] = size
                v.network_id[member] = city
        if size > largest:
            largest = size
        left ^= network
    v.largest = largest


def survey_link(b: Tables, s: State, v: Survey, p: int) -> None:
    """LINK-2, LINK-4: how far the link is, and what it brings."""
    v.link_reward = LINK_POINTS[s.n_linked]
    for k in range(s.n_linked):
        if s.linked[k] == p + 1:
            v.link_reward = 0
    v.link_missing = FAR
    if v.link_reward == 0:
        return
    steps_from(b, v, b.link_a, FROM_A)
    steps_from(b, v, b.link_b, FROM_B)
    v.link_missing = v.link_steps[FROM_A + b.link_b]


def steps_from(b: Tables, v: Survey, start: int, row: int) -> None:
    """The fewest cities without own office on the way from the start to each city."""
    for city in range(b.n_cities):
        v.link_steps[row + city] = FAR
    v.link_steps[row + start] = 0 if v.mine[start] > 0 else 1
    changed = True
    while changed:
        changed = False
        for route in range(b.n_routes):
            one = b.route_city[2 * route]
            other = b.route_city[2 * route + 1]
            to_other = v.link_steps[row + one] + (0 if v.mine[other] > 0 else 1)
            to_one = v.link_steps[row + other] + (0 if v.mine[one] > 0 else 1)
            if to_other < v.link_steps[row + other]:
                v.link_steps[row + other] = to_other
                changed = True
            if to_one < v.link_steps[row + one]:
                v.link_steps[row + one] = to_one
                changed = True


def office_worth(b: Tables, s: State, w: Weights, v: Survey, p: int, city: int, extra: int) -> int:
    """What one more own office in the city is worth; `extra`: left of the houses."""
    worth = network_worth(b, w, v, city) + control_worth(b, s, w, v, p, city, extra)
    worth += link_worth(w, v, city)
    if v.mine[city] == 0:
        worth += mission_worth(s, w, p, city)
    if b.has_regions != 0:
        worth += region_worth(b, s, w, v, p, city)
    return worth


def network_worth(b: Tables, w: Weights, v: Survey, city: int) -> int:
    """By how much the largest network grows; half as much for a seed of a later one."""
    size = 1
    if v.mine[city] > 0:
        size += v.network[city]
    else:
        joined = 0
        near = b.city_adjacent[city] & v.presence
        for other in range(b.n_cities):
            if near & BITS[other] != 0 and joined & BITS[v.network_id[other]] == 0:
                joined |= BITS[v.network_id[other]]
                size += v.network[other]
    if size > v.largest:
        return (size - v.largest) * v.keys_worth
    return v.keys_worth * v.left * w.seed_share // 10000


def control_worth(b: Tables, s: State, w: Weights, v: Survey, p: int, city: int, extra: int) -> int:
    """SCORE-E-1 and the points of routes to come, if the office wins control or guards it."""
    each = 400 if has_tile(s, p, TILE_CITY) else 200
    flow = w.flow * v.degree[city]
    if b.city_skills[city] != 0:
        flow *= 2
    flow = flow * v.left // 100
    owner = v.control[city]
    if owner == p:
        return w.guard + flow // 4
    if owner < 0:
        return each + flow
    rival = offices_of(b, s, city, owner)
    mine = v.mine[city] + 1
    if mine > rival or (mine == rival and extra == 0):
        return each + flow + (each // 2 + flow) // s.players
    return flow // 4


def link_worth(w: Weights, v: Survey, city: int) -> int:
    """What the city adds to the chain between the link cities."""
    if v.link_reward == 0 or v.mine[city] > 0:
        return 0
    through = v.link_steps[FROM_A + city] + v.link_steps[FROM_B + city] - 1
    missing = v.link_missing
    if through > missing or missing > 8:
        return 0
    gain = LINK_SHARE[missing - 1] - LINK_SHARE[missing]
    return v.link_reward * gain * w.link_scale // 10000


def mission_worth(s: State, w: Weights, p: int, city: int) -> int:
    """MISSION-4, -5: a city of the own card."""
    for k in range(3 * p, 3 * p + 3):
        if s.missions[k] == city + 1:
            return w.mission
    return 0


def region_worth(b: Tables, s: State, w: Weights, v: Survey, p: int, city: int) -> int:
    """BRIT-SCORE-1: rank in a country; BRIT-PERM-6: the permission of a city."""
    worth = 0
    for region in (WALES, SCOTLAND):
        if b.city_regions[city] & BITS[region] != 0:
            worth += w.region
            if v.control[city] != p:
                worth += w.region * 3 // 4
    for k in range(b.n_permissions):
        if b.permission_city[k] == city:
            worth += w.permission * v.left // 100
    return worth
