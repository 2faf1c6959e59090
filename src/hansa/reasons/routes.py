"""Establish and what it gains, and laying a marker: why not at this route."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from hansa.names import PRESTIGE_SPACES
from hansa.reasons.case import PIECES, PRIVILEGES, Case, Reason, is_away, is_full

__all__ = ["establish", "lay"]


@dataclass(frozen=True, slots=True)
class Claim:
    """A full route, the shapes on it, and what is to be gained by it."""

    case: Case
    route: str
    shapes: set[str]
    what: str = ""
    shape: str = ""


def establish(case: Case, words: list[str]) -> Reason | None:
    """ROUTE-1, then what the gain asks for."""
    route, gain, *rest = words
    posts = case.posts(route)
    own = sum(piece is not None and piece.startswith(f"{case.player}:") for piece in posts)
    if own < len(posts):
        name = case.route_name(route)
        text = f"On {name} {own} of {len(posts)} posts are yours; all must be."
        return Reason("route", "ROUTE-1", text, {"route": route, "n": own, "m": len(posts)})
    away = is_away(case, route)
    if away:
        return away
    shapes = {piece.split(":")[1] for piece in posts if piece}
    return GAINS[gain](Claim(case, route, shapes, *rest)) if gain in GAINS else None


def _office(claim: Claim) -> Reason | None:
    case = claim.case
    city = case.board.city(claim.what)
    if city.green:
        text = f"In {city.name} only the Extra office marker founds an office."
        return Reason("green", "EAST-6", text, {"city": city.id})
    taken = sum(piece is not None for piece in case.position["cities"][city.id]["offices"])
    if taken == len(city.houses):
        return Reason(
            "complete", "OFFICE-1", f"Every house of {city.name} is taken.", {"city": city.id}
        )
    house = city.houses[taken]
    reach = PRIVILEGES[case.me["skills"]["privilege"]]
    if PRIVILEGES.index(house.privilege) > PRIVILEGES.index(reach):
        text = (
            f"The next house of {city.name} is {house.privilege}; your privilege reaches {reach}."
        )
        values = {"city": city.id, "colour": house.privilege, "reach": reach}
        return Reason("privilege", "OFFICE-3", text, values)
    need = house.shape[0]
    if need not in claim.shapes:
        text = f"The next house of {city.name} takes a {house.shape}, and the route has none."
        return Reason("house-shape", "OFFICE-2", text, {"city": city.id, "shape": need})
    return None


def _extra(claim: Claim) -> Reason | None:
    case = claim.case
    city, shape = case.board.city(claim.what), claim.shape
    if "extra-office" not in case.me["markers"]:
        return Reason(
            "no-marker",
            "MARKER-EXTRA-1",
            "You have no Extra office marker.",
            {"marker": "extra-office"},
        )
    if not city.green and not any(case.position["cities"][city.id]["offices"]):
        text = f"{city.name} has no office yet beside which an extra one could stand."
        return Reason("no-office", "MARKER-EXTRA-2", text, {"city": city.id})
    if shape not in claim.shapes:
        name = PIECES[shape]
        return Reason(
            "route-shape", "MARKER-EXTRA-1", f"The route has no {name}.", {"shape": shape}
        )
    return None


def _skill(claim: Claim) -> Reason | None:
    case = claim.case
    ends = case.board.route(claim.route).cities
    if not any(claim.what in case.board.city(end).skills for end in ends):
        text = f"No end of {case.route_name(claim.route)} develops this skill."
        return Reason(
            "no-skill", "ROUTE-SKILL-1", text, {"route": claim.route, "skill": claim.what}
        )
    return is_full(case, claim.what)


def _prestige(claim: Claim) -> Reason | None:
    case = claim.case
    city = case.board.city(case.board.prestige_city)
    if city.id not in case.board.route(claim.route).cities:
        text = f"Only routes that end in {city.name} lead to the prestige spaces."
        return Reason("no-prestige", "PRESTIGE-1", text, {"city": city.id})
    if case.position["prestige"].get(claim.what):
        return Reason("prestige-taken", "PRESTIGE-3", "This space is taken.")
    if "m" not in claim.shapes:
        return Reason(
            "prestige-shape",
            "PRESTIGE-1",
            "A prestige space takes a merchant, and the route has none.",
        )
    level = case.me["skills"]["privilege"]
    space = PRESTIGE_SPACES.index(int(claim.what)) if int(claim.what) in PRESTIGE_SPACES else 0
    if space > level:
        values = {"colour": PRIVILEGES[space], "reach": PRIVILEGES[level]}
        text = f"This space is {PRIVILEGES[space]}; your privilege reaches {PRIVILEGES[level]}."
        return Reason("prestige-privilege", "PRESTIGE-2", text, values)
    return None


GAINS: Mapping[str, Callable[[Claim], Reason | None]] = {
    "office": _office,
    "extra": _extra,
    "skill": _skill,
    "prestige": _prestige,
}


def lay(case: Case, words: list[str]) -> Reason | None:
    """MARKER-PUT-2 to -6."""
    route = words[1]
    place, state = case.board.route(route), case.position["routes"][route]
    if place.permanent or place.region in {"wales", "scotland"}:
        return Reason("never", "MARKER-PUT-6", "Markers are never laid at this route.")
    if state["marker"]:
        return Reason("has-marker", "MARKER-PUT-2", "A marker lies there already.")
    if any(state["posts"]):
        return Reason("has-pieces", "MARKER-PUT-3", "Every post of the route must be empty.")
    return Reason("no-house", "MARKER-PUT-4", "No house at either end is free.")
