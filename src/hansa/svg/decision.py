"""A decision shown on the board: what it touches is lit, what it brings stands as a ghost."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hansa.action import Action
from hansa.errors import MalformedAction
from hansa.svg.curves import num
from hansa.svg.data import text_width
from hansa.svg.document import place, text
from hansa.svg.highlight import arrow, lit, ring, spot
from hansa.svg.town import green_slots

if TYPE_CHECKING:
    from hansa.svg.state import Position

__all__ = ["CAPTION", "PICTURES", "caption", "card_body", "decision_layers"]

CAPTION = 34.0


@dataclass(frozen=True)
class Scene:
    """A decision, the board and position it is shown on, and the colour of who decides."""

    geo: dict[str, Any]
    position: Position
    action: Action
    colour: str

    @property
    def k(self) -> float:
        """The scale of the board's elements."""
        return float(self.geo["scale"])

    def lit(self, places: list[str], arrows: list[tuple[str, str]]) -> Layers:
        """These places lit, arrows between them."""
        return lit(self.geo, self.position, places, arrows, self.colour)

    def at(self, place_: str | None) -> tuple[float, float]:
        """Where a place is; raises ValueError for one that is not on this board."""
        return spot(self.geo, self.position, str(place_))

    def piece(self, shape: str | None) -> str:
        """The symbol of a piece of who decides."""
        return f"piece-{shape}-{self.position.player}"


Layers = tuple[str, str]
"""What is drawn under and over the pieces."""


def decision_layers(geo: dict[str, Any], position: Position, action: str) -> Layers:
    """What the picture of a decision draws under and over the pieces; raises MalformedAction."""
    decision = Action(action)
    scene = Scene(geo, position, decision, f"var(--{position.player})")
    try:
        return PICTURES[decision.verb](scene)
    except ValueError as error:
        if isinstance(error, MalformedAction):
            raise
        raise MalformedAction(f"{action!r}: {error}") from error


def _words(scene: Scene) -> Layers:
    """It changes nothing on the map, or nothing more than it names: words tell the rest."""
    action = scene.action
    named = [place_ for place_ in (action.route, action.city) if place_ is not None]
    return scene.lit(named, []) if named else ("", "")


def _arriving(scene: Scene) -> Layers:
    action, k = scene.action, scene.k
    x, y = scene.at(action.post)
    over, ghost = ring(x, y, k, scene.colour, wide=True), scene.piece(action.shape)
    if action.verb == "displace" or action.post in scene.position.posts:
        above = (x - 20 * k, y - 30 * k)
        over += arrow(above, (x, y), 0.8 * k, scene.colour, short=12 * k) + place(ghost, *above, k)
    else:
        over += place(ghost, x, y, k, ' opacity=".8"')
    return "", over


def _leaving(scene: Scene) -> Layers:
    if scene.action.post is None:  # a piece of the stock
        return "", ""
    (x, y), k = scene.at(scene.action.post), scene.k
    away = arrow((x, y - 10 * k), (x + 16 * k, y - 38 * k), 0.8 * k, scene.colour)
    return "", ring(x, y, k, scene.colour) + away


def _pawn(scene: Scene) -> Layers:
    goal = f"province:{scene.action.province}"
    return scene.lit([goal], [("pawn", goal)] if scene.position.pawn is not None else [])


def _first_free(geo: dict[str, Any], position: Position, city: str) -> str:
    offices = position.offices.get(city, [])
    free = next((i for i, piece in enumerate(offices, 1) if piece is None), len(offices))
    return f"{city}:{max(free, 1)}" if geo["cities"][city]["houses"] else city


def _route(scene: Scene) -> str:
    """The route it names; raises ValueError for one that is not on this board."""
    route = str(scene.action.route)
    if route not in scene.geo["routes"]:
        raise ValueError(f"{route!r} is no route of {scene.geo['board']}")
    return route


def _office(scene: Scene, colour: str) -> Layers:
    route, city, geo = _route(scene), str(scene.action.city), scene.geo
    if city not in geo["routes"][route]["cities"]:
        raise ValueError(f"{city!r} is no end of the route {route!r}")
    goal, k = _first_free(geo, scene.position, city), scene.k
    under, over = lit(geo, scene.position, [route, city], [], colour)
    x, y = scene.at(goal)
    over += arrow(scene.at(route), (x, y), k, colour, short=17 * k)
    if ":" in goal:
        house = geo["cities"][city]["houses"][int(goal.partition(":")[2]) - 1]
        owner = colour.removeprefix("var(--").removesuffix(")")
        over += ring(x, y, 0.85 * k, colour)
        over += place(f"piece-{house['shape'][0]}-{owner}", x, y, 0.93 * k)
    return under, over


def _skill(scene: Scene) -> Layers:
    route, skill = _route(scene), scene.action.skill
    ends = scene.geo["routes"][route]["cities"]
    goals = [
        f"{city}:{skill}"
        for city in ends
        if any(badge["skill"] == skill for badge in scene.geo["cities"][city]["badges"])
    ]
    if not goals:
        raise ValueError(f"neither end of {route} develops {skill!r}")
    return scene.lit([route, *goals], [(route, goals[0])])


def _prestige(scene: Scene) -> Layers:
    goal = f"prestige:{scene.action.prestige}"
    return scene.lit([_route(scene), goal], [(_route(scene), goal)])


def _extra(scene: Scene) -> Layers:
    """A piece of the route goes left of everything else in the city (MARKER-EXTRA-1)."""
    route, city, k = _route(scene), str(scene.action.city), scene.k
    if scene.geo["cities"].get(city, {}).get("green"):
        return scene.lit([route], [(route, city)])
    x, y = scene.at(f"{city}:extra")
    under, over = scene.lit([route], [])
    over += arrow(scene.at(route), (x, y), k, scene.colour, short=15 * k)
    over += ring(x, y, 0.8 * k, scene.colour)
    return under, over + place(scene.piece(scene.action.shape), x, y, 0.86 * k)


_GAINS: Mapping[str, Callable[[Scene], Layers]] = {
    "none": lambda scene: scene.lit([_route(scene)], []),
    "office": lambda scene: _office(scene, scene.colour),
    "extra": _extra,
    "skill": _skill,
    "prestige": _prestige,
}


def _established(scene: Scene) -> Layers:
    return _GAINS[str(scene.action.gain)](scene)


def _used(scene: Scene) -> Layers:
    """Using a marker: what it swaps, where it is laid, or what it names."""
    action, k = scene.action, scene.k
    if action.marker == "swap":
        left, right = f"{action.city}:{action.house}", f"{action.city}:{int(action.house or 0) + 1}"
        return scene.lit([str(action.city)], [(left, right), (right, left)])
    if action.route is None:
        return _words(scene)
    route = _route(scene)
    under, over = scene.lit([route], [])
    taken = len(scene.position.laid.get(route, []))
    spare = scene.geo["routes"][route]["laid"][min(1, taken)]
    over += place(f"marker-{action.marker}", spare["x"], spare["y"], 0.78 * k)
    return under, over + place(scene.piece("t"), spare["x"] + 9.5 * k, spare["y"] + 8 * k, 0.6 * k)


def _green(scene: Scene) -> Layers:
    city, geo, k = str(scene.action.city), scene.geo, scene.k
    if not geo["cities"].get(city, {}).get("green"):
        raise ValueError(f"{city!r} is no green city of {geo['board']}")
    count = len(scene.position.offices.get(city, []))
    x = green_slots(geo["cities"][city], count + 1, k)[count]
    y = geo["cities"][city]["rows"][0]["y"] - 9 * k
    under, over = scene.lit([city], [])
    over += ring(x, y, 0.8 * k, scene.colour)
    return under, over + place(scene.piece(scene.action.shape), x, y, 0.9 * k)


def _laid(scene: Scene) -> Layers:
    route, k = _route(scene), scene.k
    under, over = scene.lit([route], [])
    at = scene.geo["routes"][route]["marker"]
    over += ring(at["x"], at["y"], 1.2 * k, scene.colour)
    return under, over + place(f"marker-{scene.action.marker}", at["x"], at["y"], k)


PICTURES: Mapping[str, Callable[[Scene], Layers]] = {
    **dict.fromkeys(("income", "pay", "spend", "favour", "fee", "end", "done"), _words),
    **dict.fromkeys(("place", "put", "displace"), _arriving),
    **dict.fromkeys(("lift", "take"), _leaving),
    **dict.fromkeys(("pawn", "walk"), _pawn),
    "establish": _established,
    "use": _used,
    "green": _green,
    "neutral": lambda scene: _office(scene, "var(--n)"),
    "lay": _laid,
}
"""How each verb is drawn; a test asks for every one there is."""


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
    decision = Action(action)
    if decision.marker is not None and decision.gain is None:
        sign = place(f"marker-{decision.marker}", 26, 24, 1.05)
    elif decision.tile is not None:
        sign = place(f"favour-{decision.tile}", 26, 25, 1.1)
    else:
        sign = (
            '<g transform="translate(11 9) scale(1.25)" color="var(--ink)">'
            f'<use href="#icon-ui-{_ICONS.get(decision.verb, "check")}"/></g>'
        )
    width = 64 + text_width(action, 19)
    return (
        (
            f'<rect x=".75" y=".75" width="{num(width - 1.5)}" height="46.5" rx="8" fill="var(--raise)" stroke="var(--line-2)" '
            f'stroke-width="1.5"/>{sign}<text x="52" y="30.5" font-family="var(--font-ui)" font-weight="500" font-size="19" '
            f'fill="var(--ink)">{text(action)}</text>'
        ),
        width,
    )
