"""How a player stands: the points he may expect in the end, from features with fitted weights."""

from __future__ import annotations

from hansa.bots.judge.cities import LINK_SHARE
from hansa.bots.judge.plans import plan_all
from hansa.bots.judge.weights import EVAL, FEATURE
from hansa.bots.judge.work import (
    BEST,
    CONTROL,
    COST,
    LARGEST,
    LEFT,
    LINK_MISSING,
    LINK_REWARD,
    MINE,
    ON_BOARD,
    VALUE,
)
from hansa.bots.judge.worth import tile_worth
from hansa.rules.codes import AT_MARKERS, MERCHANT, SKILL_STEPS, TILES, TRADER
from hansa.rules.scoring import total
from hansa.rules.state import State
from hansa.rules.tables import Tables

# Places of the features.
CONSTANT, TOTAL, STEPS, SUPPLY, MERCHANTS, POSTS, NEAREST, NEAR = 0, 1, 2, 20, 21, 22, 23, 24
LINK, UNUSED, OFFICES, NETWORK, WAIT, AHEAD, CITIES, TILE, LATER, STOCK = (
    25, 26, 37, 38, 39, 40, 41, 42, 43, 44,
)  # fmt: skip
FEATURES = 45


def evaluate(b: Tables, s: State, w: list[int], player: int) -> int:
    """The points the player may expect in the end, in hundredths."""
    if s.over != 0:
        return 100 * total(b, s, player)
    features(b, s, w, player)
    worth = 0
    for k in range(FEATURES):
        worth += w[FEATURE + k] * w[EVAL + k]
    return worth // 1000


def features(b: Tables, s: State, w: list[int], p: int) -> None:
    """Write what is worth knowing of the player's position, in hundredths."""
    plan_all(b, s, w, p)
    left = w[LEFT]
    for k in range(FEATURES):
        w[FEATURE + k] = 0
    w[FEATURE + CONSTANT] = 100
    w[FEATURE + TOTAL] = 100 * total(b, s, p)
    at = FEATURE + STEPS
    for skill in range(5):
        for step in range(SKILL_STEPS[skill]):
            if s.skills[5 * p + skill] > step:
                w[at] = left
            at += 1
    merchants = s.supply[2 * p + MERCHANT]
    w[FEATURE + SUPPLY] = 100 * min(s.supply[2 * p + TRADER] + merchants, 8)
    w[FEATURE + MERCHANTS] = 100 * merchants
    w[FEATURE + POSTS] = 100 * w[ON_BOARD]
    w[FEATURE + STOCK] = 100 * min(s.stock[2 * p] + s.stock[2 * p + 1], 8)
    plan_features(b, w)
    if w[LINK_REWARD] > 0 and w[LINK_MISSING] < 9:
        w[FEATURE + LINK] = w[LINK_REWARD] * LINK_SHARE[w[LINK_MISSING]] // 100
    own = AT_MARKERS + 3 * p
    for k in range(s.mark_start[own], s.mark_start[own + 1]):
        w[FEATURE + UNUSED + s.mark[k] - 1] += 100
    city_features(b, s, w, p)
    w[FEATURE + WAIT] = 100 * ((p - s.active + s.players) % s.players)
    w[FEATURE + AHEAD] = left
    w[FEATURE + LATER] = left * left // 100
    for k in range(TILES * p, TILES * p + TILES):
        if s.tiles[k] != 0:
            w[FEATURE + TILE] += tile_worth(w, s.tiles[k], left)


def city_features(b: Tables, s: State, w: list[int], p: int) -> None:
    """Offices, network and controlled cities: they will grow while the game lasts."""
    offices = 0
    cities = 0
    for city in range(b.n_cities):
        offices += w[MINE + city]
        if w[CONTROL + city] == p:
            cities += 1
    w[FEATURE + OFFICES] = w[LEFT] * offices
    w[FEATURE + NETWORK] = w[LEFT] * w[LARGEST]
    w[FEATURE + CITIES] = w[LEFT] * cities


def plan_features(b: Tables, w: list[int]) -> None:
    """How near the plans are to their reward: the best one, and the others together."""
    others = 0
    for route in range(b.n_routes):
        whole = 100 * (b.route_first[route + 1] - b.route_first[route] + 1)
        cost = w[COST + route]
        if w[VALUE + route] > 0 and cost < whole:
            gain = w[VALUE + route] * (whole - cost) // whole
            if route == w[BEST]:
                w[FEATURE + NEAREST] = gain
            else:
                others += gain
    w[FEATURE + NEAR] = others
