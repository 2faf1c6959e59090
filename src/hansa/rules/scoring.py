"""Final scoring and ties (SCORE, TIE, BRIT-SCORE, MISSION, FAVOUR-CITY, FAVOUR-SKILL)."""

from __future__ import annotations

from .codes import (
    ACTIONS,
    AT_MARKERS,
    AT_USED,
    BIGBOX,
    BITS,
    KEYS,
    KEYS_VALUE,
    SCOTLAND,
    SKILL_STEPS,
    TILE_CITY,
    TILE_SKILL,
    WALES,
)
from .favour import has_tile
from .offices import control, offices_of, presence, spread
from .pool import count
from .regions import region_points
from .state import State
from .tables import Tables

MARKER_POINTS = (0, 1, 3, 3, 6, 6, 10, 10, 15, 15, 21)
SPACE_POINTS = (7, 8, 9, 11)

# Categories in the order in which they are reported.
TRACK, SKILLS, MARKERS_OWNED, PRESTIGE, CITIES, NETWORK, MISSIONS, REGIONS = 0, 1, 2, 3, 4, 5, 6, 7
CATEGORIES = 8


def skill_points(s: State, player: int) -> int:
    """SCORE-B-1, FAVOUR-SKILL-1: full tracks but keys."""
    each = 7 if has_tile(s, player, TILE_SKILL) else 4
    points = 0
    for skill in range(1, 5):
        if s.skills[5 * player + skill] == SKILL_STEPS[skill]:
            points += each
    return points


def marker_points(s: State, player: int) -> int:
    """SCORE-C-1, PROMO-2: markers owned, used, or laid."""
    owned = count(s, AT_MARKERS + 3 * player) + count(s, AT_USED + 3 * player)
    for k in range(s.n_laid):
        if s.laid_owner[k] == player:
            owned += 1
    return MARKER_POINTS[min(owned, 10)]


def prestige_points(s: State, player: int) -> int:
    """SCORE-D-1: the figures of the spaces held."""
    points = 0
    for space in range(4):
        if s.prestige[space] == player + 1:
            points += SPACE_POINTS[space]
    return points


def city_points(b: Tables, s: State, player: int) -> int:
    """SCORE-E-1, FAVOUR-CITY-1: cities controlled."""
    each = 4 if has_tile(s, player, TILE_CITY) else 2
    points = 0
    for city in range(b.n_cities):
        if control(b, s, city) == player:
            points += each
    return points


def largest_network(b: Tables, s: State, player: int) -> int:
    """SCORE-F-1, -2: offices in the best connected set of cities."""
    left = presence(b, s, player)
    best = 0
    for city in range(b.n_cities):
        if left & BITS[city] == 0:
            continue
        network = spread(b, BITS[city], left)
        size = 0
        for member in range(b.n_cities):
            if network & BITS[member] != 0:
                size += offices_of(b, s, member, player)
        if size > best:
            best = size
        left ^= network
    return best


def network_points(b: Tables, s: State, player: int) -> int:
    """SCORE-F-3: size times keys value."""
    return largest_network(b, s, player) * KEYS_VALUE[s.skills[5 * player + KEYS]]


def mission_points(b: Tables, s: State, player: int) -> int:
    """MISSION-4: one a city with an office; MISSION-5: five more for control of all three."""
    if s.missions[3 * player] <= 0:
        return 0
    points = 0
    controlled = 0
    for k in range(3 * player, 3 * player + 3):
        city = s.missions[k] - 1
        if offices_of(b, s, city, player) > 0:
            points += 1
        if control(b, s, city) == player:
            controlled += 1
    return points + 5 if controlled == 3 else points


def all_region_points(b: Tables, s: State, player: int) -> int:
    """SCORE-G-1: Wales, and Scotland where it is on the board."""
    if b.has_regions == 0:
        return 0
    return region_points(b, s, WALES, player) + region_points(b, s, SCOTLAND, player)


def category(b: Tables, s: State, player: int, which: int) -> int:
    """The points of a player in one category, as if the game ended now."""
    if which == TRACK:
        return s.points[player]
    if which == SKILLS:
        return skill_points(s, player)
    if which == MARKERS_OWNED:
        return marker_points(s, player)
    if which == PRESTIGE:
        return prestige_points(s, player)
    if which == CITIES:
        return city_points(b, s, player)
    if which == NETWORK:
        return network_points(b, s, player)
    if which == MISSIONS:
        return mission_points(b, s, player)
    return all_region_points(b, s, player)


def total(b: Tables, s: State, player: int) -> int:
    """All categories together."""
    points = 0
    for which in range(CATEGORIES):
        points += category(b, s, player, which)
    return points


def standing(b: Tables, s: State, player: int) -> int:
    """TIE-1 to -5 as one number: the highest wins, equals share.

    Total, then (`bigbox`) fewest actions steps, then most network points.
    """
    points = total(b, s, player)
    if s.edition != BIGBOX:
        return points
    steps = s.skills[5 * player + ACTIONS]
    return (points * 10 + 5 - steps) * 1000 + network_points(b, s, player)


def is_winner(b: Tables, s: State, player: int) -> bool:
    """Whether nobody stands higher."""
    mine = standing(b, s, player)
    for other in range(s.players):
        if standing(b, s, other) > mine:
            return False
    return True
