"""Every symbol of the drawing, in board units around its own origin: used through `<use>`."""

from __future__ import annotations

import re
from functools import cache
from math import cos, pi, sin
from random import Random

from hansa import extensions
from hansa.boards.board import PRIVILEGES
from hansa.grammar import MARKER_NAMES
from hansa.names import FAVOURS, OWNERS, SKILLS
from hansa.rules.catalogue import PERMANENTS
from hansa.svg.curves import num
from hansa.svg.data import read_art

__all__ = ["LETTERS", "icon_names", "icon_paths", "symbols"]

LETTERS = {"p1": "R", "p2": "B", "p3": "Y", "p4": "G", "p5": "P", "n": "–"}
GABLES = {
    "trader": "M0 0V-22L12-35L24-22V0Z",
    "merchant": "M0 0V-22H3.2V-26H6.4V-30H9.4V-34.5H14.6V-30H17.6V-26H20.8V-22H24V0Z",
}

_SYMBOL = re.compile(r'<symbol id="([\w-]+)" viewBox="0 0 24 24">(.*?)</symbol>')


@cache
def _icons() -> dict[str, str]:
    texts = [
        read_art("icons.svg"),
        *(p.read_text("utf-8") for p in extensions.files("icons", "*.svg")),
    ]
    return dict(pair for text in texts for pair in _SYMBOL.findall(text))


def icon_names() -> tuple[str, ...]:
    """The names of all 24 × 24 icons: `skill-keys`, `marker-plus3`, `ui-income`, `mark-p1`, …"""
    return tuple(_icons())


def icon_paths(name: str, holes: str = "var(--ih,#fff)") -> str:
    """The shapes of an icon in `currentColor`; `holes` is the colour of the ground below."""
    return _icons()[name].replace("var(--ih,#fff)", holes)


def _icon_at(name: str, size: float, colour: str, holes: str, y: float = 0.0) -> str:
    """An icon centred on the origin."""
    half, scale = num(-size / 2, 2), num(size / 24, 4)
    return (
        f'<g transform="translate({half} {num(y - size / 2, 2)}) scale({scale})" color="{colour}">'
        f"{icon_paths(name, holes)}</g>"
    )


def _mark(owner: str, size: float, y: float, letters: bool | None) -> str:
    """House mark, letter, or both with a switch (`--mark`, `--letter`) for the page."""
    ink = f"var(--{owner}-on)"
    mark = _icon_at(f"mark-{owner}", size, ink, "none", y)
    letter = (
        f'<text y="{num(y + 3.7)}" text-anchor="middle" font-family="var(--font-ui)" font-weight="800" '
        f'font-size="11" fill="{ink}">{LETTERS[owner]}</text>'
    )
    if letters is None:
        return f'<g visibility="var(--mark,visible)">{mark}</g><g visibility="var(--letter,hidden)">{letter}</g>'
    return letter if letters else mark


def _trader(owner: str, letters: bool | None) -> str:
    return (
        '<rect x="-8.1" y="-6.5" width="16.6" height="19.2" rx="3.4" fill="var(--shadow)"/>'
        f'<rect x="-8.3" y="-9.3" width="16.6" height="19.2" rx="3" fill="var(--{owner}-d)" '
        'stroke="var(--piece-edge)" stroke-width="1.2"/>'
        f'<rect x="-7.8" y="-8.8" width="15.6" height="15.2" rx="2.6" fill="var(--{owner})"/>'
        '<path d="M-6.9 5.3V-6.5a1.6 1.6 0 0 1 1.6-1.6H5.3" fill="none" stroke="#fff" stroke-opacity=".38" '
        'stroke-linecap="round"/>' + _mark(owner, 10.6, -0.9, letters)
    )


def _merchant(owner: str, letters: bool | None) -> str:
    return (
        '<ellipse cx=".2" cy="3" rx="10" ry="9.4" fill="var(--shadow)"/>'
        f'<path d="M-9.4-1v2.4a9.4 9.4 0 0 0 18.8 0v-2.4z" fill="var(--{owner}-d)" '
        'stroke="var(--piece-edge)" stroke-width="1.2"/>'
        f'<circle cy="-1" r="9.4" fill="var(--{owner})" stroke="var(--piece-edge)" stroke-width="1.2"/>'
        f'<circle cy="-1" r="7.4" fill="none" stroke="var(--{owner}-on)" stroke-opacity=".55" stroke-width=".9"/>'
        + _mark(owner, 9.2, -1, letters)
    )


def _house(shape: str, colour: str) -> str:
    gable, ink = GABLES[shape], f"var(--pv-{colour}-on)"
    pips = PRIVILEGES.index(colour)
    dots = "".join(
        f'<circle cx="{num(12 + 4.1 * (i - (pips - 1) / 2), 2)}" cy="-25.2" r="1.35" fill="{ink}"/>'
        for i in range(pips)
    )
    rim = (
        f'<path d="{gable}" fill="none" stroke="var(--black-rim)" stroke-width="1.1" '
        'transform="translate(.84 -1.19) scale(.93)" stroke-linejoin="round"/>'
        if colour == "black"
        else ""
    )
    if shape == "trader":
        window = (
            f'<rect x="4.4" y="-18.8" width="15.2" height="15.2" rx="1.2" fill="var(--win-{colour})" stroke="{ink}" '
            f'stroke-width="1.3"/><path d="M12-18v13.6M5-11.2h14" stroke="{ink}" stroke-opacity=".35" stroke-width=".9"/>'
        )
    else:
        window = (
            f'<circle cx="12" cy="-11.2" r="8.4" fill="var(--win-{colour})" stroke="{ink}" stroke-width="1.3"/>'
            f'<circle cx="12" cy="-11.2" r="4.6" fill="none" stroke="{ink}" stroke-opacity=".35" stroke-width=".9"/>'
        )
    return (
        f'<path d="{gable}" fill="var(--pv-{colour})" stroke="var(--house-edge)" stroke-width="1.3" '
        f'stroke-linejoin="round"/><path d="{gable}" fill="url(#house-shade)"/>{rim}{dots}{window}'
    )


def _stall() -> str:
    edge = "var(--house-edge)"
    stripes = "M3-26.5H6.2L4.1-19H-.5ZM9.4-26.5H12.6L13.3-19H8.7ZM15.8-26.5H19L22.5-19H17.9Z"
    scallop = "".join(
        f'<path d="M{num(-0.5 + 4.6 * i)}-19a2.3 2.3 0 0 0 4.6 0" fill="var(--{"raise" if i % 2 else "brass"})"/>'
        for i in range(5)
    )
    return (
        f'<rect x="1.5" y="-19" width="19" height="19" fill="var(--land-2)" stroke="{edge}" stroke-width="1.3"/>'
        f'<path d="M-.5-19L3-26.5H19L22.5-19Z" fill="var(--raise)" stroke="{edge}" stroke-width="1.2" '
        f'stroke-linejoin="round"/><path d="{stripes}" fill="var(--brass)"/><g stroke="{edge}" stroke-width=".7">{scallop}</g>'
    )


def _hall() -> str:
    """A stall that several share: the same ground, a flat roof, more room below it."""
    edge = "var(--house-edge)"
    stripes = "".join(f"M{num(-0.5 + 4.6 * i)}-22.4v-3.1h4.6v3.1z" for i in (0, 2, 4))
    return (
        f'<rect x="1" y="-23" width="20" height="23" fill="var(--land-2)" stroke="{edge}" stroke-width="1.3"/>'
        f'<rect x="-.5" y="-25.5" width="23" height="3.1" fill="var(--raise)"/><path d="{stripes}" fill="var(--brass)"/>'
        f'<rect x="-.5" y="-25.5" width="23" height="3.1" fill="none" stroke="{edge}" stroke-width="1.2" stroke-linejoin="round"/>'
    )


def _green_city() -> str:
    """Wall 118 wide with two towers; its left end at the origin, base line at y 0."""
    style = 'fill="var(--green-city-2)" stroke="var(--house-edge)" stroke-width="1.2" stroke-linejoin="round"'
    wall = "M18 0V-20" + "h5v4h5v-4" * 7 + "h5v4H100V0Z"
    tower = (
        f'<path d="M0 0V-32h4.4v4h4.4v-4h4.4v4h4.4v-4h4.4V0Z" {style}/>'
        '<path d="M8.5-14v-6a2.5 2.5 0 0 1 5 0v6z" fill="var(--house-edge)" opacity=".75"/>'
        '<path d="M11-32v-9" stroke="var(--house-edge)" stroke-width="1.1"/>'
        '<path d="M11.5-41l9 2.6-9 2.6z" fill="var(--green-city)"/>'
    )
    return f'<path d="{wall}" {style}/>{tower}<g transform="translate(96 0)">{tower}</g>'


def _seal(kind: str) -> str:
    points = [(15 * cos(2 * pi * i / 16), 15 * sin(2 * pi * i / 16)) for i in range(16)]
    ring = (
        "M15 0"
        + "".join(f"A3.3 3.3 0 0 1 {num(x, 2)} {num(y, 2)}" for x, y in (*points[1:], points[0]))
        + "Z"
    )
    if kind == "?":
        face = (
            '<text y="7" text-anchor="middle" font-family="var(--font-head)" font-weight="800" font-size="20" '
            'fill="var(--seal-ink)">?</text>'
        )
    else:
        face = _icon_at(f"marker-{kind}", 18.9, "var(--seal-ink)", "var(--seal-2)")
    return (
        f'<circle cy="2" r="15" fill="var(--shadow)"/><path d="{ring}" fill="var(--seal)" stroke="var(--house-edge)" '
        'stroke-width="1.2"/><circle r="13.05" fill="var(--seal-2)" stroke="var(--seal-3)"/>' + face
    )


def _octagon(kind: str) -> str:
    outer, inner = (
        " ".join(
            f"{num(r * cos(pi / 8 + pi * i / 4), 2)},{num(r * sin(pi / 8 + pi * i / 4), 2)}"
            for i in range(8)
        )
        for r in (15.5, 12.7)
    )
    return (
        '<circle cy="2" r="14" fill="var(--shadow)"/>'
        f'<polygon points="{outer}" fill="var(--perm-2)" stroke="var(--house-edge)" stroke-width="1.2"/>'
        f'<polygon points="{inner}" fill="none" stroke="var(--perm)"/>'
        + _icon_at(f"marker-{kind}", 17.9, "var(--perm-ink)", "var(--perm-2)")
    )


def _badge(skill: str) -> str:
    return (
        '<circle cy="1.5" r="14.5" fill="var(--shadow-2)"/>'
        '<circle r="14.5" fill="var(--brass-3)" stroke="var(--house-edge)" stroke-width="1.2"/>'
        '<circle r="12.2" fill="none" stroke="var(--brass)" stroke-width=".9"/>'
        + _icon_at(f"skill-{skill}", 17.7, "var(--badge-ink)", "var(--brass-3)")
    )


def _favour(tile: str) -> str:
    """An imperial tile: a banner 26 wide with a crowned head."""
    return (
        '<path d="M-13-11.5H13V15l-13-4-13 4Z" fill="var(--shadow)"/>'
        '<path d="M-13-13H13V13.5l-13-4-13 4Z" fill="var(--brass-2)" stroke="var(--house-edge)" stroke-width="1.2" '
        'stroke-linejoin="round"/><path d="M-10.6-10.6H10.6V10.3l-10.6-3.3-10.6 3.3Z" fill="var(--brass-3)" '
        'stroke="var(--brass)" stroke-width=".8"/>'
        + _icon_at(f"favour-{tile}", 15, "var(--badge-ink)", "var(--brass-3)", -2.6)
    )


_SHIP = (
    '<path d="M0-17.5V6" stroke="var(--ship-dark)" stroke-width="1.8"/><path d="M.5-17.5l8 2.2-8 2.4z" fill="var(--link)"/>'
    '<path d="M-17 5.5c1 6.5 5 11 9.5 11.5h15c4.5-.5 8.5-5 9.5-11.5l-5 2.3h-24z" fill="var(--ship)" '
    'stroke="var(--house-edge)" stroke-width="1.1" stroke-linejoin="round"/>'
    '<path d="M-12.5 11.8h25" stroke="var(--ship-dark)" stroke-width="1.1"/>'
    '<circle r="10.2" fill="var(--sail)" stroke="var(--post-edge)" stroke-width="1.5"/>'
    '<circle r="7.4" fill="none" stroke="var(--post-dot)"/>'
)
_PAWN = (
    '<ellipse cy="11.5" rx="10" ry="3.6" fill="var(--shadow)"/>'
    '<path d="M-8.5 10.5c0-3.5 2.6-4.3 4-6.5 1.3-2.1 1.6-4.6 1.5-7h6c-.1 2.4.2 4.9 1.5 7 1.4 2.2 4 3 4 6.5Z" '
    'fill="var(--counter)" stroke="var(--raise)" stroke-width="1.3" stroke-linejoin="round"/>'
    '<circle cy="-7.5" r="5.6" fill="var(--counter)" stroke="var(--raise)" stroke-width="1.3"/>'
    '<path d="M-2.6-9.6a3.3 3.3 0 0 1 2.6-1.2" fill="none" stroke="var(--raise)" stroke-width="1.1" stroke-linecap="round"/>'
)
_SOLDIER = (
    '<circle r="9.6" fill="var(--raise)" stroke="var(--ink-2)" stroke-width="1.1"/>'
    '<g fill="none" stroke="var(--ink-2)" stroke-width="1.4" stroke-linecap="round" stroke-linejoin="round">'
    '<path d="M-4.6 5.4c0-3.4 1.5-5 3.6-5s3.6 1.6 3.6 5" /><circle cx="-1" cy="-2.6" r="2.1"/>'
    '<path d="M5 6.2V-6.6M3.7-4.8L5-7.2l1.3 2.4"/></g>'
)


def _rose() -> str:
    """The compass rose, radius 28."""
    light = dark = ""
    for i in range(16):
        reach = 28.0 if i % 4 == 0 else 21.8 if i % 2 == 0 else 15.7
        angle = pi * i / 8
        tip = f"{num(sin(angle) * reach)} {num(-cos(angle) * reach)}"
        for side in (-1, 1):
            turn = angle + side * pi / (4 if i % 4 == 0 else 7)
            waist = f"{num(sin(turn) * 4.2)} {num(-cos(turn) * 4.2)}"
            ray = f"M0 0L{waist}L{tip}Z"
            if side < 0:
                light += ray
            else:
                dark += ray
    return (
        '<g opacity=".5" stroke="var(--ink-2)" stroke-width=".6" stroke-linejoin="round">'
        '<circle r="17.4" fill="none" stroke-width=".8"/><circle r="15.7" fill="none" stroke-width=".5"/>'
        f'<path d="{light}" fill="var(--land)"/><path d="{dark}" fill="var(--ink-2)"/>'
        '<text y="-31" text-anchor="middle" font-family="var(--font-head)" font-weight="700" font-size="9" '
        'fill="var(--ink-2)" stroke="none">N</text></g>'
    )


def _hill(size: float) -> str:
    return (
        f'<g transform="scale({size})" fill="none" stroke="var(--relief)" stroke-width=".9" stroke-linecap="round" '
        'stroke-linejoin="round"><path d="M-13 0C-7.2-2.5-3.9-10-.7-10C3.2-10 6.5-2 13 0" fill="var(--land-2)"/>'
        '<path d="M-.7-10C3.2-10 6.5-2 13 0H3.2C3.9-4 1.6-7-.7-10" fill="var(--relief)" fill-opacity=".28" stroke="none"/>'
        '<path d="M2.6-7.2l1 5.5M5.2-4.6l1 3.8M7.8-2.4l.8 2" stroke-width=".7"/></g>'
    )


def _tree(size: float) -> str:
    return (
        f'<g transform="scale({size})" fill="none" stroke="var(--wood)" stroke-width=".9" stroke-linecap="round" '
        'stroke-linejoin="round"><path d="M0 0v-2.5"/><path d="M-2.6-2c-2-1.4-1.4-4.2.6-4.6.2-2.9 3.8-2.9 4 0 '
        '2 .4 2.6 3.2.6 4.6z" fill="var(--wood-fill)"/></g>'
    )


def _grain() -> str:
    random = Random("grain")
    marks = "".join(
        f"M{num(random.random() * 174)} {num(random.random() * 180)}l{num(1 + random.random() * 4.6)} "
        f"{num(random.random() * 3 - 1.5)}"
        for _ in range(70)
    )
    return (
        f'<pattern id="grain" width="180" height="180" patternUnits="userSpaceOnUse"><path d="{marks}" '
        'stroke="var(--land-3)" stroke-width=".55" fill="none" opacity=".55" stroke-linecap="round"/></pattern>'
    )


def _gradients() -> dict[str, str]:
    """Shades in fixed black and white, so that they serve every theme on one page."""
    return {
        "house-shade": '<linearGradient id="house-shade"><stop stop-color="#fff" stop-opacity=".16"/>'
        '<stop offset=".5" stop-color="#fff" stop-opacity="0"/><stop offset="1" stop-opacity=".12"/></linearGradient>',
        "coin-shine": '<radialGradient id="coin-shine" cx=".38" cy=".3" r=".9"><stop stop-color="#FFF0B8"/>'
        '<stop offset=".55" stop-color="#E9BE4E"/><stop offset="1" stop-color="#B07A1C"/></radialGradient>',
        "vignette": '<radialGradient id="vignette" cy=".46" r=".75"><stop offset=".62" stop-opacity="0"/>'
        '<stop offset="1" stop-color="#2A1A00" stop-opacity=".13"/></radialGradient>',
        "grain": _grain(),
    }


def _small() -> dict[str, str]:
    edge = "var(--house-edge)"
    return {
        "post": '<ellipse cy="1.6" rx="10.4" ry="10" fill="var(--shadow-2)"/><circle r="9.6" fill="var(--post)" '
        'stroke="var(--post-edge)" stroke-width="1.4"/><circle r="2" fill="var(--post-dot)"/>',
        **{
            f"post-{region}": '<ellipse cy="1.6" rx="10.4" ry="10" fill="var(--shadow-2)"/><circle r="9.6" '
            f'fill="var(--post)" stroke="var(--rg-{region}-e)" stroke-width="1.4"/>'
            f'<circle r="2" fill="var(--rg-{region}-e)"/>'
            for region in ("wales", "scotland")
        },
        "ship": _SHIP,
        **{
            f"ship-{region}": _SHIP.replace("var(--post-edge)", f"var(--rg-{region}-e)").replace(
                "var(--post-dot)", f"var(--rg-{region}-e)"
            )
            for region in ("wales", "scotland")
        },
        "coin": '<circle r="6.8" fill="url(#coin-shine)" stroke="var(--coin-edge)" stroke-width="1.1"/>'
        '<circle r="4.9" fill="none" stroke="#8A5C10" stroke-opacity=".5" stroke-width=".6"/>',
        "tavern": '<circle r="12.5" fill="none" stroke="var(--ink-3)" stroke-dasharray="2.6 2.6"/>'
        + _icon_at("ui-tavern", 13, "var(--ink-3)", "none"),
        "done": f'<circle cy="1" r="5.6" fill="var(--shadow)"/><circle r="5.6" fill="var(--brass)" stroke="{edge}" '
        'stroke-width="1"/>' + _icon_at("ui-check", 8.6, "var(--on-ink)", "none"),
        "stall": _stall(),
        "hall": _hall(),
        "green-city": _green_city(),
        "green-slot": '<rect x="-7.5" y="-7.5" width="15" height="15" rx="3" fill="var(--land)" '
        'stroke="var(--green-city)" stroke-width="1.1" stroke-dasharray="2.4 2"/>',
        **{
            f"permit-{region}": '<path d="M0 0V-14.5" stroke="var(--house-edge)" stroke-width="1.2"/>'
            f'<path d="M.5-14.5h11.5l-3 3.6 3 3.6H.5Z" fill="var(--rg-{region}-e)" stroke="var(--house-edge)" '
            'stroke-width=".8" stroke-linejoin="round"/>'
            for region in ("wales", "scotland")
        },
        "pawn": _PAWN,
        "soldier": _SOLDIER,
        "rose": _rose(),
        "relief": "".join(
            f'<circle r="{num(1 - i / 8, 3)}" fill="var(--land-3)" opacity=".07"/>'
            for i in range(7)
        ),
        **{f"hill{i}": _hill(size) for i, size in ((1, 1.0), (2, 0.82), (3, 1.15))},
        **{f"tree{i}": _tree(size) for i, size in ((1, 1.0), (2, 0.85), (3, 1.15))},
    }


@cache
def symbols(letters: bool | None = None) -> dict[str, str]:
    """Id → definition. `letters`: None for both with a switch, True for letters, False for house marks."""
    groups = _small()
    for owner in OWNERS:
        groups[f"piece-t-{owner}"] = _trader(owner, letters)
        groups[f"piece-m-{owner}"] = _merchant(owner, letters)
    for colour in PRIVILEGES:
        for shape in GABLES:
            groups[f"house-{shape}-{colour}"] = _house(shape, colour)
    groups |= {f"marker-{kind}": _seal(kind) for kind in MARKER_NAMES}
    groups["marker-unknown"] = _seal("?")
    groups |= {f"marker-{marker.name}": _octagon(marker.name) for marker in PERMANENTS}
    groups |= {f"badge-{skill}": _badge(skill) for skill in SKILLS}
    groups |= {f"favour-{tile}": _favour(tile) for tile in FAVOURS}
    groups |= {f"icon-{name}": icon_paths(name) for name in icon_names()}
    return {**_gradients(), **{name: f'<g id="{name}">{body}</g>' for name, body in groups.items()}}
