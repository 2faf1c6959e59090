"""Panels and posts: completed track, link plaque, prestige niches, score ribbon, roads, posts, markers."""

from __future__ import annotations

from math import ceil, sqrt
from typing import TYPE_CHECKING, Any

from hansa.svg.curves import num
from hansa.svg.document import place, text

if TYPE_CHECKING:
    from hansa.svg.state import Position

__all__ = [
    "completed_track",
    "countries",
    "link_plaque",
    "markers",
    "pins",
    "posts",
    "prestige",
    "ribbon",
    "roads",
    "spread",
]

Pin = tuple[str, float, float, float]
"""Whose, where it stands, where its figure is, how high above the lowest pin."""

_HEAD = 'font-family="var(--font-head)"'


def figure(x: float, y: float, value: object, size: float, colour: str) -> str:
    """A numeral, centred on x, its middle at y."""
    return (
        f'<text x="{num(x)}" y="{num(y + size * 0.34)}" text-anchor="middle" {_HEAD} font-weight="800" '
        f'font-size="{num(size)}" fill="{colour}">{text(value)}</text>'
    )


def roads(geo: dict[str, Any]) -> str:
    """All roads: edges first, then fillings, so that they join; sea routes are one dashed line."""
    out, board = "", geo["board"]
    for region in dict.fromkeys(route["region"] for route in geo["routes"].values()):
        own = [route for route in geo["routes"].values() if route["region"] == region]
        edge, fill, sea = "var(--road-edge)", "var(--road)", "var(--sea-road)"
        if region in {"wales", "scotland"}:
            edge, fill, sea = (
                f"var(--rg-{region}-e)",
                f"var(--rg-{region}-r)",
                f"var(--rg-{region}-e)",
            )
        elif region == "england":
            sea = "var(--rg-england-e)"
        land = "".join(route["path"] for route in own if not route["sea"])
        ident = f"roads-{region or 'all'}-{board}"
        k = geo["scale"]
        if land:
            out += (
                f'<path id="{ident}" d="{land}" stroke="{edge}" stroke-width="{num(7.2 * k)}"/>'
                f'<path d="{land}" stroke="{fill}" stroke-width="{num(5 * k)}"/>'
            )
        wet = "".join(route["path"] for route in own if route["sea"])
        if wet:
            out += (
                f'<path d="{wet}" stroke="var(--sea)" stroke-opacity=".55" stroke-width="{num(6.4 * k)}"/>'
                f'<path d="{wet}" stroke="{sea}" stroke-width="{num(3.4 * k)}" stroke-dasharray="{num(7 * k)} {num(5 * k)}" '
                'stroke-linecap="butt"/>'
            )
    return f'<g fill="none" stroke-linecap="round" stroke-linejoin="round">{out}</g>'


def posts(geo: dict[str, Any], position: Position | None) -> str:
    """Posts and ships with their pieces, one group a route."""
    k, out = geo["scale"], ""
    ordered = sorted(
        geo["routes"].items(), key=lambda item: min(post["y"] for post in item[1]["posts"])
    )
    for name, route in ordered:
        first, last = (geo["cities"][city]["name"] for city in route["cities"])
        group = f"<title>{text(f'{first}–{last}')}</title>"
        suffix = f"-{route['region']}" if route["region"] in {"wales", "scotland"} else ""
        for post in route["posts"]:
            group += place(("ship" if post["ship"] else "post") + suffix, post["x"], post["y"], k)
            piece = position.posts.get(post["id"]) if position else None
            if piece:
                group += place(f"piece-{piece[0]}-{piece[1]}", post["x"], post["y"], k)
        out += f'<g id="route-{name}">{group}</g>'
    return out


def markers(geo: dict[str, Any], position: Position | None) -> str:
    """Bonus markers, permanent markers, empty taverns and laid promo markers, each tied to its road."""
    k, out = geo["scale"], ""
    for name, route in geo["routes"].items():
        kind = route["permanent"] or (position.markers.get(name) if position else None)
        symbol = f"marker-{kind}" if kind else "tavern" if route["tavern"] else None
        spot = route["marker"]
        if symbol:
            x1, y1, x2, y2 = spot["tether"]
            out += (
                f'<path d="M{num(x1)} {num(y1)}L{num(x2)} {num(y2)}" stroke="var(--ink-2)" stroke-width="{num(1.1 * k)}" '
                f'stroke-dasharray="0 {num(3 * k)}" stroke-linecap="round"/>'
            )
            title = f"<title>{text((kind or 'tavern') + ', ' + name)}</title>"
            out += f"<g>{title}{place(symbol, spot['x'], spot['y'], k)}</g>"
        out += _laid(position.laid.get(name, []) if position else [], name, route["laid"], k)
    return out


def _laid(laid: list[tuple[str, str]], route: str, spots: list[dict[str, float]], k: float) -> str:
    """Promo markers by turns at the two spots beside the route; several at a spot stand smaller, in rows."""
    out = ""
    for i, (owner, promo) in enumerate(laid):
        spot, nth = spots[i % 2], i // 2
        side = ceil(sqrt((len(laid) - i % 2 + 1) // 2))
        size, step = 0.78 * k / side, 23.4 * k / side
        x = spot["x"] + (nth % side - (side - 1) / 2) * step
        y = spot["y"] + (nth // side - (side - 1) / 2) * step
        out += (
            f"<g><title>{text(f'{promo} of {owner}, {route}')}</title>{place(f'marker-{promo}', x, y, size)}"
            f"{place(f'piece-t-{owner}', x + 12.2 * size, y + 10.3 * size, 0.77 * size)}</g>"
        )
    return out


def _panel(rect: list[float], radius: float, fill: str, k: float) -> str:
    x, y, w, h = rect
    box = f'x="{num(x)}" width="{num(w)}" height="{num(h)}" rx="{num(radius * k)}"'
    return (
        f'<rect {box} y="{num(y + 1.6 * k)}" fill="var(--shadow-2)"/>'
        f'<rect {box} y="{num(y)}" fill="{fill}" stroke="var(--house-edge)" stroke-width="{num(1.1 * k)}"/>'
    )


def completed_track(geo: dict[str, Any], count: int) -> str:
    """A gable for each number of completed cities, brass up to the counter, the last one red."""
    k, cells = geo["panel_scale"], geo["completed"]["cells"]
    out = f"<title>Completed cities: {count}, the game ends at {len(cells) - 1}</title>"
    out += _panel(geo["completed"]["rect"], 5, "var(--panel)", k)
    gable = (
        f"v{num(-18 * k)}l{num(9.5 * k)} {num(-10 * k)}l{num(9.5 * k)} {num(10 * k)}v{num(18 * k)}Z"
    )
    for number, (x, y) in enumerate(cells):
        fill, ink = "var(--panel-3)", "var(--ink-2)"
        if number == len(cells) - 1:
            fill, ink = "var(--link)", "var(--on-link)"
        elif 0 < number <= count:
            fill, ink = "var(--brass-2)", "var(--on-brass)"
        out += (
            f'<path d="M{num(x - 9.5 * k)} {num(y)}{gable}" fill="{fill}" stroke="var(--house-edge)" '
            f'stroke-width="{num(k)}" stroke-linejoin="round"/>'
        )
        if number == min(count, len(cells) - 1):
            out += (
                f'<rect x="{num(x - 7.5 * k)}" y="{num(y - 17.5 * k)}" width="{num(15 * k)}" height="{num(15 * k)}" '
                f'rx="{num(3 * k)}" fill="var(--counter)" stroke="var(--raise)" stroke-width="{num(1.2 * k)}"/>'
            )
            ink = "var(--counter-on)"
        out += figure(x, y - 9.8 * k, number, 11 * k, ink)
    return f"<g>{out}</g>"


def link_plaque(geo: dict[str, Any], position: Position | None, pair: tuple[str, str]) -> str:
    """The red plaque: points for linking the two cities, claimed places show the owner's trader."""
    k = geo["panel_scale"]
    out = f"<title>{text(f'Link of {pair[0]} and {pair[1]}')}</title>"
    out += _panel(geo["link"]["rect"], 13, "var(--link)", k)
    claimed = position.link if position else []
    for i, spot in enumerate(geo["link"]["places"]):
        out += (
            f'<circle cx="{num(spot["x"])}" cy="{num(spot["y"])}" r="{num(9.5 * k)}" fill="var(--raise)" '
            f'stroke="var(--house-edge)" stroke-width="{num(0.9 * k)}"/>'
        )
        if i < len(claimed):
            out += place(f"piece-t-{claimed[i]}", spot["x"], spot["y"], 0.78 * k)
        else:
            out += figure(spot["x"], spot["y"], spot["points"], 12.5 * k, "var(--ink)")
    return f"<g>{out}</g>"


def countries(geo: dict[str, Any]) -> str:
    """A plaque for each country with its own scoring: points for first, second and third."""
    k, out = geo["panel_scale"], ""
    for item in geo["countries"]:
        (x, y, w, _), edge = item["rect"], f"var(--rg-{item['region']}-e)"
        middle, low = x + w / 2, y + 28 * k
        out += (
            f"<g><title>{text(item['name'])}: 7, 4 and 2 points</title>"
            + _panel(item["rect"], 6, f"var(--rg-{item['region']})", k)
            + f'<text x="{num(middle)}" y="{num(y + 15.5 * k)}" text-anchor="middle" {_HEAD} font-weight="700" '
            f'font-size="{num(14 * k)}" fill="var(--ink)">{text(item["name"])}</text>'
            + "".join(
                f'<circle cx="{num(middle + 22 * k * i)}" cy="{num(low)}" r="{num(8 * k)}" fill="var(--raise)" '
                f'stroke="{edge}" stroke-width="{num(1.2 * k)}"/>'
                f"{figure(middle + 22 * k * i, low, value, 11 * k, 'var(--ink)')}"
                for i, value in ((-1, 7), (0, 4), (1, 2))
            )
            + "</g>"
        )
    return out


def prestige(geo: dict[str, Any], position: Position | None) -> str:
    """Four pointed niches; the value moves into the arch when the space is taken."""
    k, (x, y, w, h) = geo["panel_scale"], geo["prestige"]["rect"]
    out = "<title>Prestige spaces</title>" + _panel(geo["prestige"]["rect"], 5, "var(--brass-3)", k)
    out += (
        f'<rect x="{num(x + 2.5 * k)}" y="{num(y + 2.5 * k)}" width="{num(w - 5 * k)}" height="{num(h - 5 * k)}" '
        f'rx="{num(3 * k)}" fill="none" stroke="var(--brass)" stroke-width="{num(0.9 * k)}"/>'
    )
    for space in geo["prestige"]["spaces"]:
        colour, ink = f"var(--pv-{space['privilege']})", f"var(--pv-{space['privilege']}-on)"
        taken = position.prestige.get(space["points"]) if position else None
        out += f'<g transform="translate({num(space["x"])} {num(space["y"])}) scale({num(k)})">'
        out += (
            f'<path d="M-13 12.5v-25c0-8 7-12 13-15.5 6 3.5 13 7.5 13 15.5v25Z" fill="{colour}" '
            'stroke="var(--house-edge)" stroke-width="1.1" stroke-linejoin="round"/>'
            f'<circle r="10" fill="var(--win-{space["privilege"]})" stroke="{ink}" stroke-width="1.2"/>'
        )
        if taken:
            out += place(f"piece-m-{taken}", 0, 0.2) + figure(0, -16.6, space["points"], 10.5, ink)
        else:
            out += figure(0, 0, space["points"], 14, ink)
        out += "</g>"
    return f"<g>{out}</g>"


def spread(wanted: list[float], gap: float, low: float, high: float) -> list[float]:
    """Places as near as possible to the wanted ones (ascending), `gap` apart, within low … high."""
    groups: list[list[float]] = []
    for value in wanted:
        groups.append([value])
        while len(groups) > 1 and _centre(groups[-2], gap, low, high) + (
            (len(groups[-2]) + len(groups[-1])) / 2
        ) * gap > _centre(groups[-1], gap, low, high):
            groups[-2:] = [groups[-2] + groups[-1]]
    return [
        _centre(group, gap, low, high) + (i - (len(group) - 1) / 2) * gap
        for group in groups
        for i in range(len(group))
    ]


def _centre(group: list[float], gap: float, low: float, high: float) -> float:
    half = (len(group) - 1) / 2 * gap
    return min(max(sum(group) / len(group), low + half), high - half)


def pins(points: dict[str, int], unit: float, low: float, high: float, k: float) -> list[Pin]:
    """Each player's pin: whoever has the same score stands on the other, the rest keep apart."""
    heaps: dict[int, list[str]] = {}
    for player in sorted(points):
        heaps.setdefault(points[player], []).append(player)
    scores = sorted(heaps)
    spots = spread([low + score * unit for score in scores], 16.0 * k, low - 22, high + 22)
    return [
        (player, x, low + score * unit, i * 10.5 * k)
        for score, x in zip(scores, spots, strict=True)
        for i, player in enumerate(heaps[score])
    ]


def ribbon(geo: dict[str, Any], points: dict[str, int]) -> str:
    """The chart's scale bar with a pin for each player; 0–30, then in tens as far as needed."""
    bar, k = geo["ribbon"], geo["panel_scale"]
    top = max(30, -(-max(points.values(), default=0) // 10) * 10)
    x0, y, high, unit = bar["x"], bar["y"], bar["h"], bar["w"] / top
    step = 1 if top <= 40 else 2
    ticks = range(0, top + 1, 5 if top <= 60 else 10)
    dark = "".join(
        f"M{num(x0 + i * unit)} {num(y + (high / 2 if i // step % 2 else 0))}h{num(unit * step, 2)}"
        f"v{num(high / 2, 2)}h{num(-unit * step, 2)}z"
        for i in range(0, top, step)
    )
    out = (
        f'<rect x="{num(x0)}" y="{num(y)}" width="{num(bar["w"])}" height="{num(high)}" fill="var(--raise)" stroke="var(--ink)"/>'
        f'<path d="{dark}" fill="var(--ink)"/>'
        f'<path d="{"".join(f"M{num(x0 + t * unit)} {num(y + high)}v{num(2.5 * k)}" for t in ticks)}" stroke="var(--ink)"/>'
        f'<g text-anchor="middle" {_HEAD} font-weight="700" font-size="{num(11 * k)}" fill="var(--ink-2)">'
        + "".join(
            f'<text x="{num(x0 + t * unit)}" y="{num(y + 17.5 * k)}">{t}</text>' for t in ticks
        )
        + "</g>"
    )
    for player, x, tick, rise in pins(points, unit, x0, x0 + bar["w"], k):
        foot = "" if rise else _needle(player, x, tick, bar, k)
        out += (
            f"<g><title>{text(f'{player}: {points[player]} points')}</title>{foot}"
            f"{place(f'piece-t-{player}', x, bar['pin_y'] - rise, 0.86 * k)}</g>"
        )
    return f"<g>{out}</g>"


def _needle(player: str, x: float, tick: float, bar: dict[str, float], k: float) -> str:
    """From the lowest pin of a heap to its figure."""
    y, pin = bar["y"], bar["pin_y"]
    return (
        f'<path d="M{num(tick)} {num(y + 3 * k)}L{num(x)} {num(pin + 4 * k)}" stroke="var(--house-edge)" stroke-width="{num(1.4 * k)}"/>'
        f'<path d="M{num(tick)} {num(y)}L{num(x - 4.5 * k)} {num(pin + 6 * k)}h{num(9 * k)}z" fill="var(--{player}-d)"/>'
    )
