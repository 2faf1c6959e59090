"""The ground of a board: land, sea, coast, rivers, relief, rose; computed once, the same on every machine."""

from __future__ import annotations

from functools import cache
from math import atan2, cos, dist, hypot, pi, sin
from random import Random
from typing import TYPE_CHECKING, Any

from hansa.svg.curves import Point, catmull_rom, num, polyline, sample, smooth_closed
from hansa.svg.data import board_data, scene
from hansa.svg.scenery import names, scenery

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["ground_markup"]

_WATERLINES = ((30, 0.28), (22, 0.4), (15, 0.55), (9, 0.72), (4.5, 0.9))


@cache
def ground_markup(board_id: str) -> str:
    """The ground as a `<g>`, coloured by the tokens' custom properties; ids end in the board's id."""
    data, info = board_data(board_id), scene(board_id)
    width, height = data["size"]
    box = f'x="12" y="12" width="{num(width - 24)}" height="{num(height - 24)}"'
    sea = _sea_path(board_id)
    parts = [
        f'<clipPath id="map-{board_id}"><rect {box}/></clipPath>',
        f'<path id="sea-{board_id}" d="{sea}"/>',
        f'<clipPath id="water-{board_id}"><use href="#sea-{board_id}" clip-rule="evenodd"/></clipPath>',
    ]
    layers = [
        f'<rect {box} fill="var(--land)"/>',
        _tints(info, data["regions"]),
        f'<rect {box} fill="url(#grain)" opacity="var(--grain,1)"/>',
        *(
            f'<use href="#relief" transform="translate({num(x)} {num(y)}) scale({num(rx)} {num(ry)})"/>'
            for x, y, rx, ry in info["relief"]
        ),
        _rivers(info),
        *(
            f'<ellipse cx="{x}" cy="{y}" rx="{rx}" ry="{ry}" fill="var(--river)" stroke="var(--river-ink)" stroke-width=".6"/>'
            for x, y, rx, ry in info["lakes"]
        ),
        _water(board_id),
        _rhumbs(info, width, height),
        scenery(board_id),
        f'<use href="#rose" transform="translate({info["rose"][0]} {info["rose"][1]}) scale({num(info["rose"][2] / 28, 2)})"/>',
        names(board_id),
        f'<rect {box} fill="url(#vignette)" opacity="var(--vignette,1)"/>',
    ]
    frame = (
        f'<rect x="8" y="8" width="{num(width - 16)}" height="{num(height - 16)}" rx="5" fill="none" stroke="var(--ink)" stroke-width=".7"/>'
        f'<rect x="9.7" y="9.7" width="{num(width - 19.4)}" height="{num(height - 19.4)}" fill="none"'
        f' stroke="var(--ink)" stroke-width="2.6" stroke-dasharray="{num((width - 19.4) / 40, 2)}"'
        ' opacity=".55"/>'
        f'<rect {box} rx="2" fill="none" stroke="var(--ink)" stroke-width="1.6"/>'
    )
    return (
        f'<g class="ground"><defs>{"".join(parts)}</defs>'
        f'<g clip-path="url(#map-{board_id})">{"".join(layers)}</g>{frame}</g>'
    )


def _sea_path(board_id: str) -> str:
    """All shores in one path, filled by the even-odd rule: islands and lands are holes in the sea."""
    info = scene(board_id)
    random = Random(f"coast of {info.get('like', board_id)}")
    width, height = board_data(board_id)["size"]
    outlines: list[Sequence[Point]] = []
    sheet = ""
    for sea in info["seas"]:
        if isinstance(sea, dict):
            sheet = f"M-50-50H{num(width + 50)}V{num(height + 50)}H-50Z"
            outlines += sea["holes"]
        else:
            outlines.append(sea)
    outlines += info.get("lands", [])
    outlines += info["isles"]
    return sheet + "".join(smooth_closed(_rough(points, random)) for points in outlines)


def _rough(points: Sequence[Point], random: Random) -> list[Point]:
    """A drawn outline made natural: a point every 9 units, each moved by up to 2.4."""
    small = max(dist(points[0], p) for p in points) < 60
    step, jitter = (5.0, 1.0) if small else (9.0, 2.4)
    out: list[Point] = []
    for a, b in zip(points, [*points[1:], points[0]], strict=True):
        outside = all(p[0] < -5 or p[1] < -5 or p[0] > 1005 for p in (a, b))
        count = 1 if outside else max(1, round(dist(a, b) / step))
        for i in range(count):
            t = i / count
            push = (random.random() * 2 - 1) * jitter, (random.random() * 2 - 1) * jitter
            out.append((a[0] + (b[0] - a[0]) * t + push[0], a[1] + (b[1] - a[1]) * t + push[1]))
    return out


def _water(board_id: str) -> str:
    """Wash along the shore, the sea, its waterlining (pairs of strokes, clipped to the sea), the coast."""
    use = f'<use href="#sea-{board_id}"'
    wash = "".join(
        f'{use} fill="none" stroke="var(--land-3)" stroke-width="{width}" opacity="{opacity}"/>'
        for width, opacity in ((44, ".16"), (28, ".2"), (14, ".26"))
    )
    lines = "".join(
        f'{use} stroke="var(--sea-line)" stroke-width="{num(2 * d + 0.9)}" opacity="{num(opacity, 2)}"/>'
        f'{use} stroke="var(--sea)" stroke-width="{num(2 * d - 0.9)}"/>'
        for d, opacity in _WATERLINES
    )
    return (
        f'<g stroke-linejoin="round">{wash}{use} fill="var(--sea)" fill-rule="evenodd"/>'
        f'<g fill="none" clip-path="url(#water-{board_id})">{lines}</g>'
        f'{use} fill="none" stroke="var(--coast)" stroke-width="1.3"/></g>'
    )


def _rivers(info: dict[str, Any]) -> str:
    """Each river swells from its spring to its mouth."""
    bands = "".join(
        _river_band([(x, y) for x, y in points], width) for _, width, points in info["rivers"]
    )
    return f'<path d="{bands}" fill="var(--river)" stroke="var(--river-ink)" stroke-width=".45" stroke-opacity=".55"/>'


def _river_band(points: list[Point], width: float) -> str:
    line = sample(points, 5)
    left: list[Point] = []
    right: list[Point] = []
    for i, (x, y) in enumerate(line):
        (ax, ay), (bx, by) = line[max(i - 1, 0)], line[min(i + 1, len(line) - 1)]
        angle = atan2(by - ay, bx - ax) + pi / 2
        half = width / 2 * (0.3 + 0.8 * (i / len(line)) ** 0.7)
        left.append((x + cos(angle) * half, y + sin(angle) * half))
        right.append((x - cos(angle) * half, y - sin(angle) * half))
    return polyline(left + right[::-1], closed=True)


def _tints(info: dict[str, Any], regions: Sequence[str]) -> str:
    """The countries: ground tint at half strength and a dashed border."""
    out = ""
    for region, points in info.get("tints", []):
        if region not in regions:
            continue
        path = catmull_rom([(x, y) for x, y in points]) + "Z"
        out += (
            f'<path d="{path}" fill="var(--rg-{region})" fill-opacity=".5" stroke="var(--rg-{region}-e)" '
            f'stroke-width="1.3" stroke-dasharray="6 4" stroke-opacity=".6"/>'
        )
    return out


def _rhumbs(info: dict[str, Any], width: float, height: float) -> str:
    """Thirty-two rhumb lines from the rose."""
    x, y, radius = info["rose"]
    reach = hypot(width, height)
    path = "".join(
        f"M{num(x + cos(a) * radius * 1.1)} {num(y + sin(a) * radius * 1.1)}"
        f"L{num(x + cos(a) * reach, 0)} {num(y + sin(a) * reach, 0)}"
        for a in (2 * pi * i / 32 for i in range(32))
    )
    return f'<path d="{path}" stroke="var(--ink-3)" stroke-width=".5" opacity=".22"/>'
