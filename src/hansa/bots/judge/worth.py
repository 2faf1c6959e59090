"""What skills, markers and tiles are worth, by how much of the game is left."""

from __future__ import annotations

from hansa.bots.judge.weights import STEP_FIRST, Weights
from hansa.rules.codes import (
    ACTIONS,
    ACTIONS_VALUE,
    AT_MARKERS,
    AT_SUPPLY,
    AT_USED,
    KEYS,
    PRESTIGE_TO_END,
    SKILL_STEPS,
    TILE_ACTION,
    TILE_CITY,
    TILE_DOUBLE,
    TILE_SKILL,
)
from hansa.rules.establish import EXTRA_OFFICE
from hansa.rules.favour import has_tile
from hansa.rules.pool import count
from hansa.rules.skills import SKILL_MARKER
from hansa.rules.state import State
from hansa.rules.swap import SWAP
from hansa.rules.tables import Tables

TURNS = 17
"""Turns of each player in a whole game, about."""
MARKER_STEP = (100, 170, 120, 170, 150, 220, 190, 270, 240, 300, 100)
LATE = 12
"""Percent left below which little more will be done."""


def percent_left(b: Tables, s: State) -> int:
    """The end is as near as the nearest of its triggers."""
    most = 0
    for owner in range(len(s.points)):
        if s.points[owner] > most:
            most = s.points[owner]
    done = 100 * most // PRESTIGE_TO_END
    cities = 100 * s.completed // b.cities_to_end
    if cities > done:
        done = cities
    supply = 100 - 100 * count(s, AT_SUPPLY) // 12
    if supply > done:
        done = supply
    by_time = 100 * s.turn // (30 * s.players)
    if by_time > 90:
        by_time = 90
    if by_time > done:
        done = by_time
    if done > 100:
        done = 100
    return 100 - done


def full_bonus(s: State, p: int) -> int:
    """SCORE-B-1, FAVOUR-SKILL-1: what a full track will score."""
    return 700 if has_tile(s, p, TILE_SKILL) else 400


def skill_worth(s: State, w: Weights, p: int, skill: int, left: int, network: int) -> int:
    """What the next step of the skill is worth to the player."""
    level = s.skills[5 * p + skill]
    if level >= SKILL_STEPS[skill]:
        return 0
    step = w.steps[STEP_FIRST[skill] + level]
    if skill == KEYS:
        return step * (100 * network + w.network_growth * left) // 100
    worth = step * left // 100
    if skill == ACTIONS and ACTIONS_VALUE[level + 1] > ACTIONS_VALUE[level] and p == s.active:
        worth += w.action  # SKILL-6: counts in this turn already
    steps = SKILL_STEPS[skill] - level
    share = 100
    if steps == 2:
        share = w.full_near
    elif steps > 2:
        share = w.full_far
    return worth + full_bonus(s, p) * share // 100


def marker_step(s: State, w: Weights, p: int) -> int:
    """SCORE-C-1, smoothed: what one more marker owned scores."""
    owned = count(s, AT_MARKERS + 3 * p) + count(s, AT_USED + 3 * p)
    return MARKER_STEP[min(owned, 10)] * w.marker_scale // 100


def use_worth(w: Weights, marker: int, left: int) -> int:
    """What using a marker of this kind is worth."""
    worth = w.use[marker - 1]
    if left <= LATE and marker != SWAP and marker != EXTRA_OFFICE:
        return worth // 3
    if marker == SKILL_MARKER:
        return 150 + worth * left // 100
    return worth


def tile_worth(w: Weights, tile: int, left: int) -> int:
    """What a tile of the Emperor's Favour brings in the rest of the game."""
    turns = TURNS * left // 100
    if tile == TILE_ACTION:
        return turns * w.action * 85 // 100
    if tile == TILE_CITY:
        return 600
    if tile == TILE_SKILL:
        return 350
    if tile == TILE_DOUBLE:
        return turns * 18
    return turns * 14
