"""What a network sees of a position: names, order and bounds of its inputs, and the way to them.

Each player is seen by himself, in inputs that mean the same on every board. Nothing hidden is among
them but what the judged position itself holds; a search deals that anew in every simulation.
"""

from __future__ import annotations

from dataclasses import dataclass

from hansa.bots.judge.evaluation import features, note_features
from hansa.bots.judge.plans import plan_all
from hansa.bots.judge.policy import needs_plan
from hansa.bots.judge.survey import Survey
from hansa.bots.judge.weights import Features, Weights
from hansa.bots.record import real, record, whole
from hansa.grammar import MARKER_NAMES
from hansa.names import SKILLS
from hansa.rules.codes import (
    ACTIONS,
    ACTIONS_VALUE,
    AT_MARKERS,
    AT_PLATE,
    AT_SUPPLY,
    AT_USED,
    CLASSIC,
    MAX_PLAYERS,
    MERCHANT,
    SKILL_STEPS,
    TRADER,
)
from hansa.rules.pool import count
from hansa.rules.scoring import marker_points, prestige_points, total
from hansa.rules.state import State
from hansa.rules.tables import Tables


@dataclass(frozen=True)
class Input:
    """One number a network sees."""

    name: str
    low: float
    high: float
    """Bounds that it never leaves."""


def _steps(prefix: str) -> list[Input]:
    return [
        Input(f"{prefix} {skill} {step + 1}", 0, 1)
        for skill, steps in zip(SKILLS, SKILL_STEPS, strict=True)
        for step in range(steps)
    ]


def _many(names: str, low: float = 0, high: float = 1) -> list[Input]:
    return [Input(name, low, high) for name in names.split()]


INPUTS: tuple[Input, ...] = (
    # What the judgement's evaluation knows.
    Input("total", 0, 4),
    *_steps("ahead"),
    *_many("supply merchants posts nearest near link", 0, 8),
    *(Input(f"unused {name}", 0, 3) for name in MARKER_NAMES),
    *_many("offices-ahead network-ahead cities-ahead tile", 0, 8),
    # The same without regard to how much is left, and points by account.
    *_steps("has"),
    *_many("track markers-score prestige cities-score network-score", 0, 4),
    *_many("markers-owned offices network cities", 0, 4),
    *_many("supply-traders supply-merchants stock-traders stock-merchants", 0, 3),
    # Turn.
    *_many("active decides acted"),
    *_many("actions actions-next wait plate", 0, 4),
    # Link and plans.
    *_many("link-missing linked"),
    *_many("best-rank best-value best-cost second-rank third-rank", 0, 4),
    *_many("full-routes full-value reach-value reach-second", 0, 4),
    # Against the others.
    Input("lead", -2, 2),
    Input("lead-late", -2, 2),
    *_many("above"),
    # The same for everybody.
    *_many("left left-squared turn markers-left completed most-track"),
    *_many("best-total mean-total", 0, 4),
    *_many("classic favours missions fee inside players"),
)
OWN = len(INPUTS)
"""Inputs of each player."""
COMMON = 17
"""Those from `lead` on."""
KEY_SHARE = (0.1, 0.2, 0.2, 0.3, 0.4)
"""KEYS_VALUE in tenths of a point."""


@record
class Sight:
    """What a network sees of one position, player by player."""

    seen: list[float] = real(MAX_PLAYERS * OWN)
    totals: list[int] = whole(MAX_PLAYERS)
    """Points if the game ended now."""


def look(b: Tables, s: State, w: Weights, v: Survey, sight: Sight) -> None:
    """See the position with the eyes of everybody."""
    for p in range(s.players):
        features(b, s, w, v, v.features, p)
        sight.totals[p] = v.features.total // 100
        at = look_at_player(b, s, v, v.features, sight, p, OWN * p)
        look_at_plans(b, s, v, sight, p, at)
    compare(b, s, v, sight)


def see_decider(b: Tables, s: State, w: Weights, v: Survey, sight: Sight) -> None:
    """See with the eyes of whoever decides, written as the first player's; his decisions are rated."""
    p = s.player
    if not needs_plan(s):
        plan_all(b, s, w, v, p)
    note_features(b, s, w, v, v.features, p)
    at = look_at_player(b, s, v, v.features, sight, p, 0)
    look_at_plans(b, s, v, sight, p, at)
    best = 0
    most = 0
    together = 0
    above = 0
    mine = v.features.total // 100
    for other in range(s.players):
        points = mine if other == p else total(b, s, other)
        together += points
        most = max(most, s.points[other])
        if other != p:
            best = max(best, points)
            if points > mine:
                above += 1
    lead = min(max((mine - best) / 10.0, -2.0), 2.0)
    look_at_game(b, s, v, sight, OWN - COMMON, lead, above)
    at = OWN - COMMON + 8
    sight.seen[at] = min(most / 20.0, 1.0)
    sight.seen[at + 1] = min(max(best, mine) / 40.0, 4.0)
    sight.seen[at + 2] = min(together / s.players / 40.0, 4.0)


def look_at_player(
    b: Tables, s: State, v: Survey, f: Features, sight: Sight, p: int, at: int
) -> int:
    """What he has; the place of the next input."""
    x = sight.seen
    x[at] = f.total / 4000.0
    at += 1
    for k in range(len(f.steps)):
        x[at] = f.steps[k] / 100.0
        at += 1
    x[at] = f.supply / 400.0
    x[at + 1] = f.merchants / 200.0
    x[at + 2] = f.posts / 500.0
    x[at + 3] = min(f.nearest / 500.0, 8.0)
    x[at + 4] = min(f.near / 2000.0, 8.0)
    x[at + 5] = f.link / 400.0
    at += 6
    for k in range(len(f.unused)):
        x[at] = min(f.unused[k] / 100.0, 3.0)
        at += 1
    x[at] = min(f.offices / 500.0, 8.0)
    x[at + 1] = min(f.network / 500.0, 8.0)
    x[at + 2] = min(f.cities / 300.0, 8.0)
    x[at + 3] = min(f.tile / 500.0, 8.0)
    at += 4
    for skill in range(len(SKILL_STEPS)):
        for step in range(SKILL_STEPS[skill]):
            x[at] = 1.0 if s.skills[5 * p + skill] > step else 0.0
            at += 1
    return look_at_score(b, s, v, sight, p, at)


def look_at_score(b: Tables, s: State, v: Survey, sight: Sight, p: int, at: int) -> int:
    """Points by account, offices, pieces, and whether it is his turn."""
    x = sight.seen
    offices = 0
    cities = 0
    for city in range(b.n_cities):
        offices += v.mine[city]
        if v.control[city] == p:
            cities += 1
    markers = count(s, AT_MARKERS + 3 * p) + count(s, AT_USED + 3 * p)
    x[at] = min(s.points[p] / 10.0, 4.0)
    x[at + 1] = marker_points(s, p) / 10.0
    x[at + 2] = min(prestige_points(s, p) / 10.0, 4.0)
    x[at + 3] = min(cities / 5.0, 4.0)
    x[at + 4] = min(v.largest * KEY_SHARE[s.skills[5 * p]], 4.0)
    x[at + 5] = min(markers / 5.0, 4.0)
    x[at + 6] = min(offices / 8.0, 4.0)
    x[at + 7] = min(v.largest / 6.0, 4.0)
    x[at + 8] = min(cities / 4.0, 4.0)
    x[at + 9] = min(s.supply[2 * p + TRADER] / 6.0, 3.0)
    x[at + 10] = min(s.supply[2 * p + MERCHANT] / 2.0, 3.0)
    x[at + 11] = min(s.stock[2 * p + TRADER] / 6.0, 3.0)
    x[at + 12] = min(s.stock[2 * p + MERCHANT] / 2.0, 3.0)
    active = p == s.active
    x[at + 13] = 1.0 if active else 0.0
    x[at + 14] = 1.0 if p == s.player else 0.0
    x[at + 15] = 1.0 if active and s.acted != 0 else 0.0
    x[at + 16] = min(s.actions_left / 3.0, 4.0) if active else 0.0
    x[at + 17] = ACTIONS_VALUE[s.skills[5 * p + ACTIONS]] / 3.0
    x[at + 18] = (p - s.active + s.players) % s.players / 2.0
    x[at + 19] = min(count(s, AT_PLATE + 3 * p) / 2.0, 4.0)
    return at + 20


def look_at_plans(b: Tables, s: State, v: Survey, sight: Sight, p: int, at: int) -> None:
    """Link and plans: the best ones, those carried out, and those within one turn's reach."""
    x = sight.seen
    linked = 0.0
    for k in range(s.n_linked):
        if s.linked[k] == p + 1:
            linked = 1.0
    x[at] = min(v.link_missing, 9) / 9.0 if v.link_reward > 0 else 1.0
    x[at + 1] = linked
    actions = ACTIONS_VALUE[s.skills[5 * p + ACTIONS]]
    if p == s.active:
        actions = s.actions_left
    second = 0
    third = 0
    full = 0
    full_value = 0
    reach = 0
    reach_second = 0
    for route in range(b.n_routes):
        rank = v.rank[route]
        if route != v.best and rank > third:
            third = rank
            if third > second:
                third = second
                second = rank
        if v.missing[route] == 0:
            full += 1
            full_value = max(full_value, v.value[route])
        if v.cost[route] <= 100 * actions + 60 and v.value[route] > reach_second:
            reach_second = v.value[route]
            if reach_second > reach:
                reach_second = reach
                reach = v.value[route]
    x[at + 2] = min(v.best_rank / 200.0, 4.0)
    x[at + 3] = min(max(v.value[v.best], 0) / 500.0, 4.0) if v.best >= 0 else 0.0
    x[at + 4] = min(v.cost[v.best] / 400.0, 4.0) if v.best >= 0 else 4.0
    x[at + 5] = min(second / 200.0, 4.0)
    x[at + 6] = min(third / 200.0, 4.0)
    x[at + 7] = min(full / 1.0, 4.0)
    x[at + 8] = min(full_value / 500.0, 4.0)
    x[at + 9] = min(reach / 500.0, 4.0)
    x[at + 10] = min(reach_second / 500.0, 4.0)


def compare(b: Tables, s: State, v: Survey, sight: Sight) -> None:
    """Everybody against the others, and what is the same for everybody."""
    best = 0
    second = 0
    most = 0
    together = 0
    for p in range(s.players):
        points = sight.totals[p]
        together += points
        most = max(most, s.points[p])
        if points > best:
            second = best
            best = points
        elif points > second:
            second = points
    for p in range(s.players):
        rival = best
        if sight.totals[p] == best:
            rival = second
        above = 0
        for other in range(s.players):
            if sight.totals[other] > sight.totals[p]:
                above += 1
        lead = min(max((sight.totals[p] - rival) / 10.0, -2.0), 2.0)
        look_at_game(b, s, v, sight, OWN * (p + 1) - COMMON, lead, above)
        at = OWN * (p + 1) - COMMON + 9
        sight.seen[at] = min(best / 40.0, 4.0)
        sight.seen[at + 1] = min(together / s.players / 40.0, 4.0)
        sight.seen[at - 1] = min(most / 20.0, 1.0)


def look_at_game(
    b: Tables, s: State, v: Survey, sight: Sight, at: int, lead: float, above: int
) -> None:
    """How far the game has come."""
    x = sight.seen
    left = v.left / 100.0
    x[at] = lead
    x[at + 1] = lead * (1.0 - left)
    x[at + 2] = above / 4.0
    x[at + 3] = left
    x[at + 4] = left * left
    x[at + 5] = min(s.turn / (20.0 * s.players), 1.0)
    x[at + 6] = min(count(s, AT_SUPPLY) / 16.0, 1.0)
    x[at + 7] = min(s.completed / b.cities_to_end, 1.0)
    x[at + 11] = 1.0 if s.edition == CLASSIC else 0.0
    x[at + 12] = s.favours
    x[at + 13] = 1.0 if s.missions[0] > 0 else 0.0
    x[at + 14] = s.border_fee
    x[at + 15] = 1.0 if s.depth > 0 else 0.0
    x[at + 16] = (s.players - 2) / 3.0
