"""The players' desks beside the board: tracks, supply, stock, markers, favours, mission."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from hansa.svg.curves import num
from hansa.svg.document import place, text
from hansa.svg.furniture import figure
from hansa.svg.state import TRACKS

if TYPE_CHECKING:
    from hansa.svg.state import Desk, Position

__all__ = ["STORES_HEIGHT", "WIDTH", "WORDS", "desk", "desk_height", "desks", "stores"]

WIDTH, GAP = 316.0, 12.0
STORES_HEIGHT = 36.0
WORDS = {
    **{skill: skill.capitalize() for skill in TRACKS},
    "all": "all",
    "supply": "Supply",
    "stock": "Stock",
    "no-markers": "no markers",
    "mission": "Mission",
    "secret": "secret",
}
"""What is written on a desk, and may be given in another language."""
_UI = 'font-family="var(--font-ui)"'
_HEAD = 'font-family="var(--font-head)"'


def desks(geo: dict[str, Any], position: Position) -> tuple[str, tuple[float, float, float, float]]:
    """The desks drawn, and the view that holds board and desks: below a wide board, right of a tall one."""
    players = list(position.desks)
    if not players:
        return "", geo["view"]
    height = desk_height(position)
    x0, y0, width, depth = geo["view"]
    out = ""
    if geo["size"][1] > geo["size"][0]:
        scale = min(1.1, (depth - 24) / len(players) / (height + GAP))
        for i, player in enumerate(players):
            out += _at(
                width + 4, 12 + i * (height + GAP) * scale, scale, desk(position, player, height)
            )
        return out, (x0, y0, width + 8 + WIDTH * scale + 8, depth)
    columns = 3 if len(players) in {3, 5} else len(players)
    scale = (width - 24 - GAP * (columns - 1)) / columns / WIDTH if columns != 2 else 1.3
    rows = -(-len(players) // columns)
    for i, player in enumerate(players):
        line = players[i // columns * columns : (i // columns + 1) * columns]
        span = len(line) * WIDTH * scale + (len(line) - 1) * GAP
        left = (width - span) / 2 + (i % columns) * (WIDTH * scale + GAP)
        out += _at(
            left,
            depth + 8 + (i // columns) * (height * scale + GAP),
            scale,
            desk(position, player, height),
        )
    return out, (x0, y0, width, depth + 8 + rows * (height * scale + GAP))


def _at(x: float, y: float, scale: float, body: str) -> str:
    return f'<g transform="translate({num(x)} {num(y)}) scale({num(scale, 3)})">{body}</g>'


def desk_height(position: Position) -> float:
    """As high as the fullest desk needs: a line for favours, one for the mission."""
    desks = position.desks.values()
    tiles, missions = any(desk.favours for desk in desks), any(desk.has_mission for desk in desks)
    return 252.0 + (34.0 if tiles else 0.0) + (26.0 if missions else 0.0)


def desk(position: Position, player: str, height: float, words: Mapping[str, str] = WORDS) -> str:
    """One desk at the origin, 316 wide."""
    item = position.desks[player]
    name, colour = position.names.get(player, player), f"var(--{player})"
    active = position.active == player
    out = (
        f"<title>{text(f'Desk of {name}')}</title>"
        f'<rect width="{num(WIDTH)}" height="{num(height)}" rx="10" fill="var(--panel-2)" stroke="var(--line-2)"/>'
        f'<path d="M.5 8V10A9.5 9.5 0 0 1 10 .5H{num(WIDTH - 10)}a9.5 9.5 0 0 1 9.5 9.5V8Z" fill="{colour}"/>'
        + (
            f'<rect x="1" y="8" width="{num(WIDTH - 2)}" height="30" fill="var(--{player}-t)"/>'
            if active
            else ""
        )
        + place(f"piece-t-{player}", 22, 23)
        + f'<text x="40" y="29" {_HEAD} font-weight="800" font-size="18" fill="var(--ink)">{text(name)}</text>'
        f'<text x="{num(WIDTH - 14)}" y="30" text-anchor="end" {_HEAD} font-weight="800" font-size="21" fill="var(--ink)">'
        f"{item.points}</text>"
    )
    for i, (skill, fields) in enumerate(TRACKS.items()):
        out += _track(player, skill, fields, item.skills[skill], 46 + 25 * i, words)
    out += _stores(position, player, 174.0, words)
    out += _markers(item, words)
    out += "".join(place(f"favour-{tile}", 27 + 30 * i, 266) for i, tile in enumerate(item.favours))
    if item.has_mission:
        out += _mission(item, height - 14, words)
    return f"<g>{out}</g>"


def stores(position: Position, player: str, words: Mapping[str, str] = WORDS) -> str:
    """Supply and stock of a player alone, as wide as a desk."""
    return f"<g>{_stores(position, player, 0.0, words)}</g>"


def _stores(position: Position, player: str, y: float, words: Mapping[str, str]) -> str:
    supply, stock = position.desks[player].supply, position.stock(player)
    return _store(player, words["supply"], supply, (12, y), "var(--raise)", 1.0) + _store(
        player, words["stock"], stock, (162, y), "var(--panel-3)", 0.7
    )


def _track(
    player: str,
    skill: str,
    fields: tuple[str, ...],
    level: int,
    y: float,
    words: Mapping[str, str],
) -> str:
    out = (
        f'<g transform="translate(11 {num(y + 1.5)}) scale(.75)" color="var(--ink-2)"><use href="#icon-skill-{skill}"/></g>'
        f'<text x="35" y="{num(y + 15)}" {_UI} font-weight="500" font-size="13.5" fill="var(--ink-2)">{text(words[skill])}</text>'
    )
    for i, value in enumerate(fields):
        x = 103 + 34 * i
        fill, edge = (
            ("var(--brass-2)", "var(--brass)") if i == level else ("var(--raise)", "var(--line)")
        )
        if i > level:
            fill, edge = "var(--panel-3)", "none"
        out += f'<rect x="{num(x)}" y="{num(y)}" width="31" height="21" rx="4" fill="{fill}" stroke="{edge}"/>'
        if i > level:
            out += place(
                f"piece-{'m' if skill == 'book' else 't'}-{player}", x + 15.5, y + 10.5, 0.86
            )
        elif skill == "privilege":
            out += place(f"house-trader-{value}", x + 10, y + 18.2, 0.46)
        else:
            out += figure(
                x + 15.5,
                y + 10.5,
                words.get(value, value),
                13.5,
                "var(--on-brass)" if i == level else "var(--ink-2)",
            )
    return out


def _store(
    player: str,
    title: str,
    counts: dict[str, int],
    at: tuple[float, float],
    fill: str,
    opacity: float,
) -> str:
    x, y = at
    out = (
        f'<rect x="{num(x)}" y="{num(y)}" width="142" height="{num(STORES_HEIGHT)}" rx="6" fill="{fill}" stroke="var(--line)"/>'
        f'<text x="{num(x + 8)}" y="{num(y + 22)}" {_UI} font-weight="700" font-size="10.5" letter-spacing=".9" '
        f'fill="var(--ink-3)">{text(title.upper())}</text>'
    )
    for i, shape in enumerate(("t", "m")):
        left = x + 70 + 41 * i
        out += place(
            f"piece-{shape}-{player}",
            left,
            y + 17.5,
            0.9,
            f' opacity="{num(opacity)}"' if opacity < 1 else "",
        )
        out += (
            f'<text x="{num(left + 11)}" y="{num(y + 23.5)}" {_HEAD} font-weight="800" font-size="16" fill="var(--ink)">'
            f"{counts[shape]}</text>"
        )
    return out


def _markers(item: Desk, words: Mapping[str, str]) -> str:
    """Unused markers as seals, the plate's in a dashed ring, used ones as ghosts."""
    if not item.markers:
        return f'<text x="12" y="236" {_UI} font-weight="500" font-size="12.5" fill="var(--ink-3)">{text(words["no-markers"])}</text>'
    pitch = min(34.0, 280.0 / len(item.markers))
    out = ""
    for i, (kind, key) in enumerate(item.markers):
        x = 27 + pitch * i
        out += place(f"marker-{kind}", x, 231, 0.92, ' opacity=".38"' if key == "used" else "")
        if key == "plate":
            out += f'<circle cx="{num(x)}" cy="231" r="16.2" fill="none" stroke="var(--ink)" stroke-dasharray="2 2.4"/>'
    return out


def _mission(item: Desk, y: float, words: Mapping[str, str]) -> str:
    cities = words["secret"] if item.mission is None else " · ".join(item.mission)
    return (
        f'<text x="12" y="{num(y)}" {_UI} font-weight="500" font-size="13" fill="var(--ink-2)">'
        f'<tspan font-weight="700" fill="var(--ink-3)">{text(words["mission"])} </tspan>{text(cities)}</text>'
    )
