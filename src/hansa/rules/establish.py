"""Establish a route: points, marker, one of office / skill / prestige space (ROUTE, PRESTIGE)."""

from __future__ import annotations

from .codes import AT_MARKERS, BITS, MERCHANT, PRIVILEGE, TRADER
from .declare import ACTION, Decision, Frame, Marker
from .ids import AT_ROUTE
from .notes import (
    ESTABLISHED,
    IN_ANNEX,
    IN_HAND,
    IN_HOUSE,
    IN_STOCK,
    MOVED,
    ON_POST,
    ON_PRESTIGE,
    TAKEN,
    note,
)
from .offices import found, found_beside, free_house, has_occupied_house, score_control
from .permanent import PERM_PLACE2_ROUTE, ask_permanent, hold_for_place2, is_step2
from .pieces import holds_shape, is_full_of, is_mine, piece_of, pieces_of, shape_of
from .place import is_around_pawn
from .pool import add, count, draw, find, use
from .promo import BLOCK, TRIBUTE, lay_promo
from .reaction import ask_tribute
from .skills import develop, is_full
from .stack import pop, push
from .state import State
from .tables import Tables
from .turn import IN_GAIN

EXTRA_OFFICE = 1

# What step 3 may gain: OFFICE + end, EXTRA + 2 * end + shape, SKILL + skill, PRESTIGE + space.
NONE, OFFICE, EXTRA, SKILL, PRESTIGE = 0, 1, 3, 7, 12
EST_NONE, EST_OFFICE, EST_EXTRA = AT_ROUTE + NONE, AT_ROUTE + OFFICE, AT_ROUTE + EXTRA
EST_SKILL, EST_PRESTIGE = AT_ROUTE + SKILL, AT_ROUTE + PRESTIGE
LAY_TRIBUTE, LAY_BLOCK = AT_ROUTE + 16, AT_ROUTE + 17

NO_SHAPE = -1


def can_establish(b: Tables, s: State, route: int) -> bool:
    """ROUTE-1, DUEL-PAWN-7; the first post tells most routes apart quickly."""
    if not is_mine(s.post[b.route_first[route]], s.active):
        return False
    if not is_around_pawn(b, s, route):
        return False
    return is_full_of(b, s, route, s.active)


def house_takes(b: Tables, s: State, route: int, city: int) -> bool:
    """OFFICE-1 to -4: leftmost free house, its shape among the route's pieces, its colour covered."""
    house = free_house(b, s, city)
    if house < 0 or b.house_privilege[house] > s.skills[5 * s.active + PRIVILEGE]:
        return False
    return holds_shape(b, s, route, b.house_shape[house])


def legal_routes(b: Tables, s: State, buf: list[int], n: int) -> int:
    """Establish, and promo markers that are laid at a route: route by route, so that ids ascend."""
    tribute = False
    block = False
    if s.supply[2 * s.active] > 0 and count(s, AT_MARKERS + 3 * s.active) > 0:  # RULING-63
        tribute = find(s, AT_MARKERS + 3 * s.active, TRIBUTE) >= 0
        block = find(s, AT_MARKERS + 3 * s.active, BLOCK) >= 0
    acts = s.actions_left > 0
    own = pieces_of(s.active)
    for route in range(b.n_routes):
        first = s.post[b.route_first[route]]
        last = s.post[b.route_first[route + 1] - 1]
        # Both ends without a branch between them: few routes pass, so the guess is mostly right.
        if (own >> first) & (own >> last) & 1 != 0 and acts and can_establish(b, s, route):
            n = legal_establish(b, s, route, buf, n)
        if tribute:
            buf[n] = LAY_TRIBUTE + b.route_step[route]
            n += 1
        if block:
            buf[n] = LAY_BLOCK + b.route_step[route]
            n += 1
    return n


def is_shown(b: Tables, route: int, skill: int) -> bool:
    """ROUTE-SKILL-1: whether an end of the route develops the skill."""
    shown = b.city_skills[b.route_city[2 * route]] | b.city_skills[b.route_city[2 * route + 1]]
    return shown & BITS[skill] != 0


def ends_in(b: Tables, route: int, city: int) -> bool:
    """Whether the route ends there."""
    return b.route_city[2 * route] == city or b.route_city[2 * route + 1] == city


def legal_establish(b: Tables, s: State, route: int, buf: list[int], n: int) -> int:
    """ROUTE-7: none, or one of the alternatives of step 3."""
    step = b.route_step[route]
    buf[n] = EST_NONE + step
    n += 1
    for end in range(2):
        if house_takes(b, s, route, b.route_city[2 * route + end]):
            buf[n] = EST_OFFICE + end + step
            n += 1
    if find(s, AT_MARKERS + 3 * s.active, EXTRA_OFFICE) >= 0:
        n = legal_extra(b, s, route, buf, n)
    for skill in range(5):
        if is_shown(b, route, skill) and not is_full(s, s.active, skill):
            buf[n] = EST_SKILL + skill + step
            n += 1
    return legal_prestige(b, s, route, buf, n)


def legal_extra(b: Tables, s: State, route: int, buf: list[int], n: int) -> int:
    """MARKER-EXTRA-2, -3: an occupied house, or a green city (EAST-7); either shape."""
    for end in range(2):
        city = b.route_city[2 * route + end]
        if b.city_green[city] == 0 and not has_occupied_house(b, s, city):
            continue
        for shape in range(2):
            if holds_shape(b, s, route, shape):
                buf[n] = EST_EXTRA + 2 * end + shape + b.route_step[route]
                n += 1
    return n


def legal_prestige(b: Tables, s: State, route: int, buf: list[int], n: int) -> int:
    """PRESTIGE-1 to -3: a merchant of the route on any free space that privilege covers."""
    if not ends_in(b, route, b.prestige_city):
        return n
    if not holds_shape(b, s, route, MERCHANT):
        return n
    for space in range(4):
        if s.prestige[space] == 0 and space <= s.skills[5 * s.active + PRIVILEGE]:
            buf[n] = EST_PRESTIGE + space + b.route_step[route]
            n += 1
    return n


def establish(b: Tables, s: State, route: int, gain: int) -> None:
    """ROUTE-2: steps 1 and 2, points and marker, then step 3."""
    note(s, ESTABLISHED, s.active, route)
    score_control(b, s, route)
    take_marker(s, route)
    if b.route_permanent[route] != 0 and is_step2(b, s):
        d = push(s, IN_GAIN, s.active)  # BRIT-MARK-10: declared now, carried out afterwards
        s.frame_route[d] = route
        s.frame_gain[d] = gain
        ask_permanent(s, b.route_permanent[route])
        return
    carry_out(b, s, route, gain)


def settle_gain(b: Tables, s: State) -> bool:
    """BRIT-MARK-7: the permanent marker has taken effect; now step 3."""
    route = s.frame_route[s.depth - 1]
    gain = s.frame_gain[s.depth - 1]
    pop(s)
    carry_out(b, s, route, gain)
    return False


def carry_out(b: Tables, s: State, route: int, gain: int) -> None:
    """ROUTE-7: one of the alternatives of step 3; what follows waits on the stack."""
    if gain == NONE:
        clear_route(b, s, route, NO_SHAPE, 0)
    elif gain < EXTRA:
        found_office(b, s, route, b.route_city[2 * route + gain - OFFICE])
    elif gain < SKILL:
        end = (gain - EXTRA) >> 1
        found_extra(b, s, route, b.route_city[2 * route + end], (gain - EXTRA) & 1)
    elif gain < PRESTIGE:
        clear_route(b, s, route, NO_SHAPE, 0)
        develop(s, gain - SKILL)
    else:
        s.prestige[gain - PRESTIGE] = s.active + 1
        clear_route(b, s, route, MERCHANT, ON_PRESTIGE + gain - PRESTIGE)


def take_marker(s: State, route: int) -> None:
    """MARKER-TAKE-1, -2: face up to the player, a new one unseen to his plate."""
    marker = s.route_marker[route]
    if marker == 0:
        return
    s.route_marker[route] = 0
    add(s, AT_MARKERS + 3 * s.active, marker)
    note(s, TAKEN, s.active, marker, route)
    draw(s, s.active)


def found_office(b: Tables, s: State, route: int, city: int) -> None:
    """OFFICE-1, -4: with a piece of the route."""
    shape = b.house_shape[free_house(b, s, city)]
    clear_route(b, s, route, shape, IN_HOUSE + city)
    found(b, s, city, piece_of(s.active, shape))
    ask_tribute(s, city)


def found_extra(b: Tables, s: State, route: int, city: int, shape: int) -> None:
    """MARKER-EXTRA-1: the marker used is the oldest (RULING-21: never the one just taken)."""
    use(s, EXTRA_OFFICE)
    clear_route(b, s, route, shape, IN_ANNEX + city)
    found_beside(b, s, city, piece_of(s.active, shape), 0)
    ask_tribute(s, city)


def establish_none(b: Tables, s: State, route: int) -> None:
    """ROUTE-7: points and marker only."""
    establish(b, s, route, NONE)


def establish_office(b: Tables, s: State, route: int, end: int) -> None:
    """ROUTE-7: an office at this end."""
    establish(b, s, route, OFFICE + end)


def establish_extra(b: Tables, s: State, route: int, end: int, shape: int) -> None:
    """ROUTE-7: an extra office at this end with a piece of this shape."""
    establish(b, s, route, EXTRA + 2 * end + shape)


def establish_skill(b: Tables, s: State, route: int, skill: int) -> None:
    """ROUTE-7: one step of a skill."""
    establish(b, s, route, SKILL + skill)


def establish_prestige(b: Tables, s: State, route: int, space: int) -> None:
    """ROUTE-7: a merchant on a prestige space."""
    establish(b, s, route, PRESTIGE + space)


def clear_route(b: Tables, s: State, route: int, shape: int, target: int) -> None:
    """ROUTE-8: all pieces to stock but the one of this shape; step 4 waits for its turn."""
    traders = 0
    merchants = 0
    hold = b.route_permanent[route] == PERM_PLACE2_ROUTE  # EAST-18: instead of going to stock
    for post in range(b.route_first[route], b.route_first[route + 1]):
        piece = s.post[post]
        s.post[post] = 0
        if shape_of(piece) == shape:
            shape = NO_SHAPE
            note(s, MOVED, piece, ON_POST + post, target)
            continue
        if shape_of(piece) == TRADER:
            traders += 1
        else:
            merchants += 1
        note(s, MOVED, piece, ON_POST + post, (IN_HAND if hold else IN_STOCK) + s.active)
    if hold:
        hold_for_place2(s, traders, merchants)
        return
    s.stock[2 * s.active + TRADER] += traders
    s.stock[2 * s.active + MERCHANT] += merchants
    if b.route_permanent[route] != 0 and not is_step2(b, s):
        ask_permanent(s, b.route_permanent[route])


def use_tribute(b: Tables, s: State, route: int) -> None:
    """PROMO-TRIBUTE-1."""
    lay_promo(s, TRIBUTE, route)


def use_block(b: Tables, s: State, route: int) -> None:
    """PROMO-BLOCK-1."""
    lay_promo(s, BLOCK, route)


MARKERS = (
    Marker(
        EXTRA_OFFICE,
        "extra-office",
        "MARKER-EXTRA-1",
        {"classic": 5, "bigbox": 4},
        starts=("classic", "bigbox"),
    ),
)
DECISIONS = (
    Decision(EST_NONE, "establish {route} none", legal_routes, establish_none, ACTION),
    Decision(EST_OFFICE, "establish {route} office {end}", legal_routes, establish_office, ACTION),
    Decision(
        EST_EXTRA, "establish {route} extra {end} {shape}", legal_routes, establish_extra, ACTION
    ),
    Decision(EST_SKILL, "establish {route} skill {skill}", legal_routes, establish_skill, ACTION),
    Decision(
        EST_PRESTIGE, "establish {route} prestige {space}", legal_routes, establish_prestige, ACTION
    ),
    Decision(LAY_TRIBUTE, "use tribute {route}", legal_routes, use_tribute, TRIBUTE),
    Decision(LAY_BLOCK, "use block {route}", legal_routes, use_block, BLOCK),
)
FRAMES = (
    Frame(
        IN_GAIN,
        "gain",
        {"route": "route", "gain": "gain"},
        settle_gain,
    ),
)
