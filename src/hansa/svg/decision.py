"""A decision shown on the board: what it touches is lit, what it brings stands as a ghost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hansa.errors import MalformedAction
from hansa.svg.curves import num
from hansa.svg.data import text_width
from hansa.svg.document import place, text
from hansa.svg.highlight import arrow, lit, ring, spot
from hansa.svg.symbols import FAVOURS, MARKERS, OWNERS
from hansa.svg.town import green_slots

if TYPE_CHECKING:
    from hansa.svg.state import Position

__all__ = ["CAPTION", "caption", "card_body", "decision_layers"]

CAPTION = 34.0

# Decisions that change nothing on the map; they are told by their words.
_WORDS = {"income", "pay", "spend", "favour", "fee", "end", "done"}


def decision_layers(geo: dict[str, Any], position: Position, action: str) -> tuple[str, str]:
    """What the picture of a decision draws under and over the pieces; raises MalformedAction."""
    words = action.split()
    if not words:
        raise MalformedAction("an empty text is no decision")
    verb, rest = words[0], words[1:]
    colour = f"var(--{position.player})"
    try:
        if verb in {"place", "put", "displace"} and len(rest) == 2:
            return _arriving(geo, position, verb, rest, colour)
        if verb in {"lift", "take"} and len(rest) == 1:
            return _leaving(geo, position, rest[0], colour)
        if verb == "establish" and len(rest) >= 2:
            return _established(geo, position, rest, colour)
        if verb in {"pawn", "walk"} and len(rest) == 1:
            start = [("pawn", f"province:{rest[0]}")] if position.pawn is not None else []
            return lit(geo, position, [f"province:{rest[0]}"], start, colour)
        if verb == "use" and rest:
            return _used(geo, position, rest, colour)
        if verb == "green" and len(rest) == 2:
            return _green(geo, position, rest, colour)
        if verb == "neutral" and len(rest) == 2:
            return _office(geo, position, rest[0], rest[1], "var(--n)")
        if verb == "lay" and len(rest) == 2 and rest[0] in MARKERS:
            return _laid(geo, position, rest[0], rest[1], colour)
    except ValueError as error:
        if isinstance(error, MalformedAction):
            raise
        raise MalformedAction(f"{action!r}: {error}") from error
    if verb in _WORDS:
        return "", ""
    raise MalformedAction(f"{action!r} is no decision: see the table of decisions for its spelling")


def _shape(value: str) -> str:
    if value not in {"t", "m"}:
        raise ValueError(f"{value!r} is no shape; write t or m")
    return value


def _arriving(
    geo: dict[str, Any], position: Position, verb: str, rest: list[str], colour: str
) -> tuple[str, str]:
    shape, post = _shape(rest[0]), rest[1]
    (x, y), k = spot(geo, position, post), geo["scale"]
    over = ring(x, y, k, colour, wide=True)
    ghost = f"piece-{shape}-{position.player}"
    if verb == "displace" or post in position.posts:
        above = (x - 20 * k, y - 30 * k)
        over += arrow(above, (x, y), 0.8 * k, colour, short=12 * k) + place(ghost, *above, k)
    else:
        over += place(ghost, x, y, k, ' opacity=".8"')
    return "", over


def _leaving(geo: dict[str, Any], position: Position, post: str, colour: str) -> tuple[str, str]:
    if post in {"t", "m"}:
        return "", ""
    (x, y), k = spot(geo, position, post), geo["scale"]
    return "", ring(x, y, k, colour) + arrow(
        (x, y - 10 * k), (x + 16 * k, y - 38 * k), 0.8 * k, colour
    )


def _first_free(geo: dict[str, Any], position: Position, city: str) -> str:
    offices = position.offices.get(city, [])
    free = next((i for i, piece in enumerate(offices, 1) if piece is None), len(offices))
    return f"{city}:{max(free, 1)}" if geo["cities"][city]["houses"] else city


def _office(
    geo: dict[str, Any], position: Position, route: str, city: str, colour: str
) -> tuple[str, str]:
    if city not in geo["routes"].get(route, {"cities": []})["cities"]:
        raise ValueError(f"{city!r} is no end of the route {route!r}")
    goal, k = _first_free(geo, position, city), geo["scale"]
    under, over = lit(geo, position, [route, city], [], colour)
    x, y = spot(geo, position, goal)
    over += arrow(spot(geo, position, route), (x, y), k, colour, short=17 * k)
    if ":" in goal:
        house = geo["cities"][city]["houses"][int(goal.partition(":")[2]) - 1]
        owner = colour.removeprefix("var(--").removesuffix(")")
        over += ring(x, y, 0.85 * k, colour) + place(
            f"piece-{house['shape'][0]}-{owner}", x, y, 0.93 * k
        )
    return under, over


def _established(
    geo: dict[str, Any], position: Position, rest: list[str], colour: str
) -> tuple[str, str]:
    route, what, *more = rest
    if route not in geo["routes"]:
        raise ValueError(f"{route!r} is no route of {geo['board']}")
    if what == "none" and not more:
        return lit(geo, position, [route], [], colour)
    if what == "office" and len(more) == 1:
        return _office(geo, position, route, more[0], colour)
    if what == "extra" and len(more) == 2:
        return _extra(geo, position, route, more[0], _shape(more[1]), colour)
    if what == "skill" and len(more) == 1:
        ends = geo["routes"][route]["cities"]
        goals = [
            f"{c}:{more[0]}"
            for c in ends
            if any(b["skill"] == more[0] for b in geo["cities"][c]["badges"])
        ]
        if not goals:
            raise ValueError(f"neither end of {route} develops {more[0]!r}")
        return lit(geo, position, [route, *goals], [(route, goals[0])], colour)
    if what == "prestige" and len(more) == 1:
        return lit(
            geo, position, [route, f"prestige:{more[0]}"], [(route, f"prestige:{more[0]}")], colour
        )
    raise ValueError(
        "after the route write none, office CITY, extra CITY S, skill SKILL or prestige N"
    )


def _extra(
    geo: dict[str, Any], position: Position, route: str, city: str, shape: str, colour: str
) -> tuple[str, str]:
    """A piece of the route goes left of everything else in the city (MARKER-EXTRA-1)."""
    if geo["cities"].get(city, {}).get("green"):
        return lit(geo, position, [route], [(route, city)], colour)
    (x, y), k = spot(geo, position, f"{city}:extra"), geo["scale"]
    under, over = lit(geo, position, [route], [], colour)
    over += arrow(spot(geo, position, route), (x, y), k, colour, short=15 * k)
    return under, over + ring(x, y, 0.8 * k, colour) + place(
        f"piece-{shape}-{position.player}", x, y, 0.86 * k
    )


def _used(geo: dict[str, Any], position: Position, rest: list[str], colour: str) -> tuple[str, str]:
    kind, *more = rest
    if kind not in MARKERS:
        raise ValueError(f"{kind!r} is no marker")
    if kind == "swap" and len(more) == 2 and more[1].isdigit():
        left, right = f"{more[0]}:{more[1]}", f"{more[0]}:{int(more[1]) + 1}"
        return lit(geo, position, [more[0]], [(left, right), (right, left)], colour)
    if kind in {"tribute", "block"} and len(more) == 1:
        under, over = lit(geo, position, [more[0]], [], colour)
        if more[0] not in geo["routes"]:
            raise ValueError(f"{more[0]!r} is no route of {geo['board']}")
        spare = geo["routes"][more[0]]["laid"][min(1, len(position.laid.get(more[0], [])))]
        k = geo["scale"]
        ghost = place(f"marker-{kind}", spare["x"], spare["y"], 0.78 * k)
        return under, over + ghost + place(
            f"piece-t-{position.player}", spare["x"] + 9.5 * k, spare["y"] + 8 * k, 0.6 * k
        )
    if kind == "exchange" and not (len(more) == 2 and more[0] in OWNERS and more[1] in MARKERS):
        raise ValueError("write use exchange PLAYER MARKER")
    return "", ""


def _green(
    geo: dict[str, Any], position: Position, rest: list[str], colour: str
) -> tuple[str, str]:
    city, shape = rest[0], _shape(rest[1])
    if not geo["cities"].get(city, {}).get("green"):
        raise ValueError(f"{city!r} is no green city of {geo['board']}")
    k, count = geo["scale"], len(position.offices.get(city, []))
    x = green_slots(geo["cities"][city], count + 1, k)[count]
    y = geo["cities"][city]["rows"][0]["y"] - 9 * k
    under, over = lit(geo, position, [city], [], colour)
    return under, over + ring(x, y, 0.8 * k, colour) + place(
        f"piece-{shape}-{position.player}", x, y, 0.9 * k
    )


def _laid(
    geo: dict[str, Any], position: Position, kind: str, route: str, colour: str
) -> tuple[str, str]:
    if route not in geo["routes"]:
        raise ValueError(f"{route!r} is no route of {geo['board']}")
    under, over = lit(geo, position, [route], [], colour)
    marker, k = geo["routes"][route]["marker"], geo["scale"]
    return under, over + ring(marker["x"], marker["y"], 1.2 * k, colour) + place(
        f"marker-{kind}", marker["x"], marker["y"], k
    )


def caption(position: Position, action: str) -> str:
    """The decision in its own words above the map, beside who decides."""
    name = position.names.get(position.player, position.player)
    return (
        place(f"piece-t-{position.player}", 26, -14)
        + f'<text x="42" y="-8.5" font-family="var(--font-head)" font-size="17" fill="var(--ink)">'
        f'<tspan font-weight="800">{text(name)}</tspan><tspan dx="8" font-family="var(--font-ui)" font-weight="500" '
        f'fill="var(--ink-2)">{text(action)}</tspan></text>'
    )


_ICONS = {
    "income": "income",
    "place": "place",
    "displace": "displace",
    "lift": "move",
    "put": "place",
    "take": "move",
    "establish": "establish",
    "green": "establish",
    "neutral": "establish",
    "pawn": "move",
    "walk": "move",
    "pay": "coin",
}


def card_body(action: str) -> tuple[str, float]:
    """A decision without a board: its icon and its words; and how wide that is. Raises MalformedAction."""
    words = action.split()
    if not words:
        raise MalformedAction("an empty text is no decision")
    verb, first = words[0], words[1] if len(words) > 1 else ""
    if verb in {"use", "lay", "spend", "fee"} and first in MARKERS:
        sign = place(f"marker-{first}", 26, 24, 1.05)
    elif verb == "favour" and first in FAVOURS:
        sign = place(f"favour-{first}", 26, 25, 1.1)
    elif verb in _ICONS or verb in _WORDS:
        sign = (
            '<g transform="translate(11 9) scale(1.25)" color="var(--ink)">'
            f'<use href="#icon-ui-{_ICONS.get(verb, "check")}"/></g>'
        )
    else:
        raise MalformedAction(f"{action!r} is no decision")
    width = 64 + text_width(action, 19)
    return (
        (
            f'<rect x=".75" y=".75" width="{num(width - 1.5)}" height="46.5" rx="8" fill="var(--raise)" stroke="var(--line-2)" '
            f'stroke-width="1.5"/>{sign}<text x="52" y="30.5" font-family="var(--font-ui)" font-weight="500" font-size="19" '
            f'fill="var(--ink)">{text(action)}</text>'
        ),
        width,
    )
