"""Lit places and arrows: posts, routes, cities, houses, prestige spaces and provinces."""

from __future__ import annotations

from math import hypot
from typing import TYPE_CHECKING, Any

from hansa.svg.curves import Point, num
from hansa.svg.document import place, text
from hansa.svg.town import row_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hansa.svg.state import Position

__all__ = ["arrow", "frame", "in_hand", "lit", "ring", "road", "spot"]


def spot(geo: dict[str, Any], position: Position, name: str) -> Point:
    """The middle of a place; raises ValueError for a name that is none.

    Places: `groningen-emden/2` a post, `groningen-emden` a route, `emden` a city, `emden:1` a
    house, `emden:extra` the next stall, `emden:keys` a badge, `prestige:8`, `province:7`, `pawn`.
    """
    head, _, rest = name.partition(":")
    route, _, number = name.partition("/")
    if number and route in geo["routes"]:
        for post in geo["routes"][route]["posts"]:
            if post["id"] == name:
                return post["x"], post["y"]
    elif name in geo["routes"]:
        x, y = geo["routes"][name]["middle"]
        return x, y
    elif head in geo["cities"]:
        found = _in_city(geo, position, head, rest)
        if found:
            return found
    elif head == "prestige":
        for space in geo["prestige"]["spaces"]:
            if str(space["points"]) == rest:
                return space["x"], space["y"]
    elif head == "province" or (name == "pawn" and position.pawn is not None):
        wanted = str(position.pawn) if name == "pawn" else rest
        for province in geo["provinces"]:
            if str(province["id"]) == wanted:
                return province["x"], province["y"]
    raise ValueError(
        f"{name!r} is no place of {geo['board']}: write a post (route/1), a route, a city, a house (city:1), "
        "prestige:7 or province:7"
    )


def _in_city(geo: dict[str, Any], position: Position, name: str, what: str) -> Point | None:
    town, k = geo["cities"][name], geo["scale"]
    row = row_of(town, len(position.extra.get(name, [])))
    if not what:
        return town["x"], town["y"]
    if what.isdigit() and 1 <= int(what) <= len(row["houses"]):
        return row["houses"][int(what) - 1] + 12 * k, row["y"] - 11 * k
    if what == "extra" and not town["green"]:
        x, y, _ = row_of(town, len(position.extra.get(name, [])) + 1)["extra"][0]
        return x, y
    return next(
        ((b["x"] + row["shift"], b["y"]) for b in town["badges"] if b["skill"] == what), None
    )


def ring(x: float, y: float, k: float, colour: str, *, wide: bool = True) -> str:
    """The halo and ring of a post; wide around a piece."""
    radius = (14.5 if wide else 9.6) * k
    halo = "".join(
        f'<circle cx="{num(x)}" cy="{num(y)}" r="{num(radius + away * k)}" fill="none" stroke="{colour}" '
        f'stroke-width="{num(4 * k)}" opacity="{opacity}"/>'
        for away, opacity in ((3.8, ".34"), (7.4, ".16"))
    )
    return halo + (
        f'<circle cx="{num(x)}" cy="{num(y)}" r="{num(radius)}" fill="none" stroke="var(--glow-edge)" stroke-width="{num(4 * k)}"/>'
        f'<circle cx="{num(x)}" cy="{num(y)}" r="{num(radius)}" fill="none" stroke="{colour}" stroke-width="{num(2.4 * k)}"/>'
    )


def road(geo: dict[str, Any], route: str, colour: str) -> str:
    """A route lit along its whole length."""
    path, k = geo["routes"][route]["path"], geo["scale"]
    return (
        '<g fill="none" stroke-linecap="round" stroke-linejoin="round">'
        f'<path d="{path}" stroke="var(--glow-edge)" stroke-width="{num(11 * k)}"/>'
        f'<path d="{path}" stroke="{colour}" stroke-width="{num(8.5 * k)}"/>'
        f'<path d="{path}" stroke="var(--raise)" stroke-width="{num(2 * k)}" stroke-dasharray="{num(10 * k)} {num(12 * k)}"/></g>'
    )


def frame(geo: dict[str, Any], city: str, position: Position, colour: str) -> str:
    """The rounded frame around a city's row."""
    k, row = geo["scale"], row_of(geo["cities"][city], len(position.extra.get(city, [])))
    x, y, w, h = geo["cities"][city]["frame"]
    left = min(x, row["plinth"][0] - 4 * k)
    right = max(x + w, row["plinth"][0] + row["plinth"][2] + 4 * k)
    box = f'x="{num(left)}" y="{num(y)}" width="{num(right - left)}" height="{num(h)}" rx="{num(8 * k)}" fill="none"'
    return (
        f'<rect {box} stroke="var(--glow-edge)" stroke-width="{num(3.6 * k)}"/>'
        f'<rect {box} stroke="{colour}" stroke-width="{num(2.2 * k)}"/>'
    )


def arrow(start: Point, end: Point, k: float, colour: str, *, short: float = 0.0) -> str:
    """A curved arrow with a dark edge; `short` stops it before its end."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    far = max(hypot(dx, dy), 1.0)
    bend = min(0.18 * far, 40 * k) * (1 if dx >= 0 else -1)
    middle = ((start[0] + end[0]) / 2 + dy / far * bend, (start[1] + end[1]) / 2 - dx / far * bend)
    tx, ty = end[0] - middle[0], end[1] - middle[1]
    length = max(hypot(tx, ty), 1.0)
    ux, uy = tx / length, ty / length
    tip = (end[0] - ux * short, end[1] - uy * short)
    neck = (tip[0] - ux * 8 * k, tip[1] - uy * 8 * k)
    body = f"M{num(start[0])} {num(start[1])}Q{num(middle[0])} {num(middle[1])} {num(neck[0])} {num(neck[1])}"
    head = (
        f"M{num(tip[0])} {num(tip[1])}L{num(neck[0] - uy * 6 * k - ux * 2 * k)} {num(neck[1] + ux * 6 * k - uy * 2 * k)}"
        f"L{num(neck[0] + uy * 6 * k - ux * 2 * k)} {num(neck[1] - ux * 6 * k - uy * 2 * k)}Z"
    )
    return (
        f'<g stroke-linecap="round" stroke-linejoin="round"><path d="{body}" fill="none" stroke="var(--glow-edge)" '
        f'stroke-width="{num(6 * k)}"/><path d="{head}" fill="{colour}" stroke="var(--glow-edge)" stroke-width="{num(3 * k)}"/>'
        f'<path d="{body}" fill="none" stroke="{colour}" stroke-width="{num(3.4 * k)}"/><path d="{head}" fill="{colour}"/></g>'
    )


def lit(
    geo: dict[str, Any],
    position: Position,
    places: Iterable[str],
    arrows: Iterable[tuple[str, str]],
    colour: str,
) -> tuple[str, str]:
    """What lies under the posts (roads) and what lies over everything (rings, frames, arrows)."""
    k, under, over = geo["scale"], "", ""
    for name in places:
        x, y = spot(geo, position, name)
        if name in geo["routes"]:
            under += road(geo, name, colour)
        elif name in geo["cities"]:
            over += frame(geo, name, position, colour)
        else:
            over += ring(x, y, k, colour, wide="/" not in name or name in position.posts)
    for start, end in arrows:
        over += arrow(spot(geo, position, start), spot(geo, position, end), k, colour, short=15 * k)
    return under, over


def in_hand(geo: dict[str, Any], position: Position) -> str:
    """Pieces in somebody's hand: lifted above the post or route they come from."""
    k, out = geo["scale"], ""
    seen: dict[str, int] = {}
    for (shape, owner), name in position.hand:
        if not name:
            continue
        x, y = spot(geo, position, name)
        step = seen[name] = seen.get(name, -1) + 1
        left, top = x + (4 + 12 * step) * k, y - 17 * k
        out += (
            f"<g><title>{text(f'{owner}:{shape} in hand, from {name}')}</title>"
            f'<ellipse cx="{num(x)}" cy="{num(y + 2 * k)}" rx="{num(8 * k)}" ry="{num(4 * k)}" fill="var(--shadow)"/>'
            f'<path d="M{num(x)} {num(y)}L{num(left)} {num(top)}" stroke="var(--ink-2)" stroke-width="{num(1.2 * k)}" '
            f'stroke-dasharray="{num(2 * k)} {num(2.4 * k)}"/>{place(f"piece-{shape}-{owner}", left, top, 1.06 * k)}</g>'
        )
    return out
