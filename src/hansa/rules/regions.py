"""Britannia: permissions for Wales and Scotland, and what each country scores."""

from __future__ import annotations

from .codes import BITS, ENGLAND
from .notes import PERMISSION, note
from .offices import control, offices_of, rightmost_owner
from .state import State
from .tables import Tables

PLACE_POINTS = (7, 4, 2, 0, 0, 0)


def permission(b: Tables, s: State, player: int, region: int) -> int:
    """BRIT-PERM-2 to -7: a permission the player can use there now, or -1.

    RULING-34: the board lists London last, so the more flexible one is kept.
    """
    for k in range(b.n_permissions):
        if b.permission_regions[k] & BITS[region] == 0:
            continue
        if is_used(s, k) or rightmost_owner(b, s, b.permission_city[k]) != player:
            continue
        return k
    return -1


def is_used(s: State, k: int) -> bool:
    """RULING-33: a city's permission is used at most once a turn."""
    for i in range(s.n_permissions_used):
        if s.permissions_used[i] == k + 1:
            return True
    return False


def may_enter(b: Tables, s: State, player: int, route: int) -> bool:
    """BRIT-PERM-1, -2: free in England, elsewhere by permission; BORDER-FEE-1 lifts it."""
    region = b.route_region[route]
    return region == ENGLAND or s.fee != 0 or permission(b, s, player, region) >= 0


def use_permission(b: Tables, s: State, player: int, route: int) -> None:
    """BRIT-PERM-2: each Place or Displace abroad uses one up."""
    region = b.route_region[route]
    if region == ENGLAND or s.fee != 0:
        return
    k = permission(b, s, player, region)
    s.permissions_used[s.n_permissions_used] = k + 1
    s.n_permissions_used += 1
    note(s, PERMISSION, player, b.permission_city[k])


def region_rank(b: Tables, s: State, region: int, owner: int) -> int:
    """BRIT-SCORE-1, -2, -5: cities controlled, then offices, as one number; 0: not ranked."""
    cities = 0
    offices = 0
    for city in range(b.n_cities):
        if b.city_regions[city] & BITS[region] != 0:
            offices += offices_of(b, s, city, owner)
            if control(b, s, city) == owner:
                cities += 1
    return 1000 * cities + offices


def region_points(b: Tables, s: State, region: int, player: int) -> int:
    """BRIT-SCORE-3, -4: equals share the places they cover, rounded down."""
    mine = region_rank(b, s, region, player)
    if mine == 0:
        return 0
    ahead = 0
    equal = 0
    for owner in range(6):
        rank = region_rank(b, s, region, owner)
        if rank > mine:
            ahead += 1
        elif rank == mine:
            equal += 1
    total = 0
    for place in range(ahead, ahead + equal):
        total += PLACE_POINTS[place]
    return total // equal
