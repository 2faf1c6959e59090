"""Establish and what it gains, and laying a marker: why not at this route."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from hansa.names import PRESTIGE_SPACES, SHAPES
from hansa.reasons.case import PIECES, PRIVILEGES, Case, Reason, away, full_skill
from hansa.rules.codes import AT_MARKERS, ENGLAND, MERCHANT, PRIVILEGE
from hansa.rules.establish import EXTRA_OFFICE, ends_in, is_shown
from hansa.rules.offices import free_house, has_free_end, has_occupied_house
from hansa.rules.pieces import holds_shape, is_empty, is_mine
from hansa.rules.pool import find

__all__ = ["establish", "lay"]


def establish(case: Case) -> Reason | None:
    """ROUTE-1, then what the gain asks for."""
    b, s = case.b, case.s
    posts = s.post[b.route_first[case.route] : b.route_first[case.route + 1]]
    own = sum(is_mine(piece, case.player) for piece in posts)
    if own < len(posts):
        are = "is" if own == 1 else "are"
        text = f"On {case.route_name} {own} of {len(posts)} posts {are} yours; all must be."
        values: dict[str, str | int] = {"n": own, "m": len(posts)}
        return Reason("route", "ROUTE-1", text, {"route": str(case.action.route), **values})
    gain = GAINS.get(str(case.action.gain))
    return away(case) or (gain(case) if gain else None)


def _reach(case: Case) -> int:
    return case.s.skills[5 * case.player + PRIVILEGE]


def _office(case: Case) -> Reason | None:
    b, s, city = case.b, case.s, {"city": str(case.action.city)}
    if b.city_green[case.city]:
        text = f"In {case.city_name} only the Extra office marker founds an office."
        return Reason("green", "EAST-6", text, city)
    house = free_house(b, s, case.city)
    if house < 0:
        return Reason("complete", "OFFICE-1", f"Every house of {case.city_name} is taken.", city)
    colour, reach = PRIVILEGES[b.house_privilege[house]], PRIVILEGES[_reach(case)]
    if b.house_privilege[house] > _reach(case):
        text = f"The next house of {case.city_name} is {colour}; your privilege reaches {reach}."
        return Reason("privilege", "OFFICE-3", text, {**city, "colour": colour, "reach": reach})
    need = b.house_shape[house]
    if not holds_shape(b, s, case.route, need):
        text = f"The next house of {case.city_name} takes a {PIECES[need]}, and the route has none."
        return Reason("house-shape", "OFFICE-2", text, {**city, "shape": SHAPES[need]})
    return None


def _extra(case: Case) -> Reason | None:
    b, s = case.b, case.s
    if find(s, AT_MARKERS + 3 * case.player, EXTRA_OFFICE) < 0:
        text = "You have no Extra office marker."
        return Reason("no-marker", "MARKER-EXTRA-1", text, {"marker": "extra-office"})
    if not b.city_green[case.city] and not has_occupied_house(b, s, case.city):
        text = f"{case.city_name} has no office yet beside which an extra one could stand."
        return Reason("no-office", "MARKER-EXTRA-2", text, {"city": str(case.action.city)})
    if not holds_shape(b, s, case.route, case.shape):
        text = f"The route has no {PIECES[case.shape]}."
        return Reason("route-shape", "MARKER-EXTRA-1", text, {"shape": SHAPES[case.shape]})
    return None


def _skill(case: Case) -> Reason | None:
    if not is_shown(case.b, case.route, case.skill):
        text = f"No end of {case.route_name} develops this skill."
        values = {"route": str(case.action.route), "skill": str(case.action.skill)}
        return Reason("no-skill", "ROUTE-SKILL-1", text, values)
    return full_skill(case)


def _prestige(case: Case) -> Reason | None:
    b, s = case.b, case.s
    city = case.board.city(case.board.prestige_city)
    if not ends_in(b, case.route, b.prestige_city):
        text = f"Only routes that end in {city.name} lead to the prestige spaces."
        return Reason("no-prestige", "PRESTIGE-1", text, {"city": city.id})
    if case.action.prestige not in PRESTIGE_SPACES:
        return None
    space = PRESTIGE_SPACES.index(case.action.prestige)
    if s.prestige[space]:
        return Reason("prestige-taken", "PRESTIGE-3", "This space is taken.")
    if not holds_shape(b, s, case.route, MERCHANT):
        text = "A prestige space takes a merchant, and the route has none."
        return Reason("prestige-shape", "PRESTIGE-1", text)
    if space > _reach(case):
        values = {"colour": PRIVILEGES[space], "reach": PRIVILEGES[_reach(case)]}
        text = f"This space is {values['colour']}; your privilege reaches {values['reach']}."
        return Reason("prestige-privilege", "PRESTIGE-2", text, values)
    return None


GAINS: Mapping[str, Callable[[Case], Reason | None]] = {
    "office": _office,
    "extra": _extra,
    "skill": _skill,
    "prestige": _prestige,
}


def lay(case: Case) -> Reason | None:
    """MARKER-PUT-2 to -6."""
    b, s, route = case.b, case.s, case.route
    if b.route_permanent[route] or b.route_region[route] != ENGLAND:
        return Reason("never", "MARKER-PUT-6", "Markers are never laid at this route.")
    if s.route_marker[route]:
        return Reason("has-marker", "MARKER-PUT-2", "A marker lies there already.")
    if not is_empty(b, s, route):
        return Reason("has-pieces", "MARKER-PUT-3", "Every post of the route must be empty.")
    if has_free_end(b, s, route):
        return None
    return Reason("no-house", "MARKER-PUT-4", "No house at either end is free.")
