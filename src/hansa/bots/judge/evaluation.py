"""How a player stands: the points he may expect in the end, from features with fitted weights."""

from __future__ import annotations

from hansa.bots.judge.cities import LINK_SHARE
from hansa.bots.judge.plans import plan_all
from hansa.bots.judge.survey import Survey
from hansa.bots.judge.weights import STEPS, Features, Weights
from hansa.bots.judge.worth import tile_worth
from hansa.rules.codes import AT_MARKERS, MERCHANT, SKILL_STEPS, TILES, TRADER
from hansa.rules.scoring import total
from hansa.rules.state import State
from hansa.rules.tables import Tables


def evaluate(b: Tables, s: State, w: Weights, v: Survey, player: int) -> int:
    """The points the player may expect in the end, in hundredths."""
    if s.over != 0:
        return 100 * total(b, s, player)
    features(b, s, w, v, v.features, player)
    return weighted(v.features, w.evaluation) // 1000


def weighted(f: Features, e: Features) -> int:
    """The sum of all features, each as much as it counts."""
    worth = f.constant * e.constant + f.total * e.total
    for k in range(STEPS):
        worth += f.steps[k] * e.steps[k]
    worth += f.supply * e.supply + f.merchants * e.merchants + f.posts * e.posts
    worth += f.nearest * e.nearest + f.near * e.near + f.link * e.link
    for k in range(len(f.unused)):
        worth += f.unused[k] * e.unused[k]
    worth += f.offices * e.offices + f.network * e.network + f.wait * e.wait
    worth += f.ahead * e.ahead + f.cities * e.cities + f.tile * e.tile
    return worth + f.later * e.later + f.stock * e.stock


def features(b: Tables, s: State, w: Weights, v: Survey, f: Features, p: int) -> None:
    """Survey the position and write what is worth knowing of it, in hundredths."""
    plan_all(b, s, w, v, p)
    note_features(b, s, w, v, f, p)


def note_features(b: Tables, s: State, w: Weights, v: Survey, f: Features, p: int) -> None:
    """The same of a position that has been surveyed and planned already."""
    left = v.left
    f.constant = 100
    f.total = 100 * total(b, s, p)
    at = 0
    for skill in range(len(SKILL_STEPS)):
        for step in range(SKILL_STEPS[skill]):
            f.steps[at] = left if s.skills[5 * p + skill] > step else 0
            at += 1
    merchants = s.supply[2 * p + MERCHANT]
    f.supply = 100 * min(s.supply[2 * p + TRADER] + merchants, 8)
    f.merchants = 100 * merchants
    f.posts = 100 * v.on_board
    f.stock = 100 * min(s.stock[2 * p] + s.stock[2 * p + 1], 8)
    plan_features(b, v, f)
    f.link = 0
    if v.link_reward > 0 and v.link_missing < len(LINK_SHARE) - 1:
        f.link = v.link_reward * LINK_SHARE[v.link_missing] // 100
    for k in range(b.n_markers):
        f.unused[k] = 0
    own = AT_MARKERS + 3 * p
    for k in range(s.mark_start[own], s.mark_start[own + 1]):
        f.unused[s.mark[k] - 1] += 100
    city_features(b, v, f, p)
    f.wait = 100 * ((p - s.active + s.players) % s.players)
    f.ahead = left
    f.later = left * left // 100
    f.tile = 0
    for k in range(TILES * p, TILES * p + TILES):
        if s.tiles[k] != 0:
            f.tile += tile_worth(w, s.tiles[k], left)


def city_features(b: Tables, v: Survey, f: Features, p: int) -> None:
    """Offices, network and controlled cities: they will grow while the game lasts."""
    offices = 0
    cities = 0
    for city in range(b.n_cities):
        offices += v.mine[city]
        if v.control[city] == p:
            cities += 1
    f.offices = v.left * offices
    f.network = v.left * v.largest
    f.cities = v.left * cities


def plan_features(b: Tables, v: Survey, f: Features) -> None:
    """How near the plans are to their reward: the best one, and the others together."""
    f.nearest = 0
    others = 0
    for route in range(b.n_routes):
        whole = 100 * (b.route_first[route + 1] - b.route_first[route] + 1)
        cost = v.cost[route]
        if v.value[route] > 0 and cost < whole:
            gain = v.value[route] * (whole - cost) // whole
            if route == v.best:
                f.nearest = gain
            else:
                others += gain
    f.near = others
