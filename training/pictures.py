"""Pictures of what training came to: whether chances come true, and how learning went."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from hansa.svg import plots
from hansa.svg.curves import num
from hansa.svg.document import text
from training.calibration import Reliability

LEFT, RIGHT, TOP, BOTTOM = 76.0, 620.0, 40.0, 300.0
HALF = 440.0
"""Of two plots beside each other the second begins here."""
SQUARE = LEFT + BOTTOM - TOP
"""Where a plot ends at the right whose both sides mean the same."""
COLOURS = ("skills", "cities", "prestige", "network", "markers", "track")
"""Accounts whose colours lines have, one after the other."""
FEW = 30
"""A tenth that was told less often says nothing."""
CURVE = re.compile(r"^ *[\d.]+ s +((?:Chances|Promise)\b[^:]*): ((?:[\d.]+ ?)+)$")
HELD = "surprise about games held out, in nats"


@dataclass(frozen=True)
class Line:
    """Points to be joined, by name; large points mean much."""

    name: str
    points: Sequence[tuple[float, float]]
    sizes: Sequence[float] = ()


@dataclass(frozen=True)
class Scale:
    """What the sides of a plot mean."""

    last: float
    """At the right; 0 is at the left."""
    low: float
    high: float
    right: float = RIGHT

    def x(self, value: float) -> float:
        """Where a value is from left to right."""
        return LEFT + value / self.last * (self.right - LEFT)

    def y(self, value: float) -> float:
        """Where a value is from top to bottom."""
        return BOTTOM - (value - self.low) / (self.high - self.low) * (BOTTOM - TOP)

    def ticks(self) -> list[float]:
        """Round values from bottom to top, three to seven of them."""
        size = 10 ** math.floor(math.log10(self.high - self.low))
        step = next(s * size for s in (0.2, 0.5, 1, 2) if (self.high - self.low) / (s * size) <= 6)
        first, last = math.ceil(self.low / step - 1e-9), math.floor(self.high / step + 1e-9)
        return [k * step for k in range(first, last + 1)]


def reliability(found: Mapping[int, Reliability], *, theme: str = "light") -> str:
    """For each number of players what was told against what came true, as an SVG document."""
    drawn = [_reliability(players, one) for players, one in found.items()]
    panels = [
        plots.Panel(
            "".join(
                f'<g transform="translate({num(k * HALF)} 0)">{body}</g>'
                for k, body in enumerate(pair)
            ),
            BOTTOM + 44,
        )
        for pair in (drawn[k : k + 2] for k in range(0, len(drawn), 2))
    ]
    return plots.sheet(
        "Chances told, and how often they came true",
        "By tenths; on the broken line they come true just as often as told.",
        panels,
        theme=theme,
    )


def _reliability(players: int, one: Reliability) -> str:
    seen = [
        (told, true, 3 + 7 * (n / max(one.counts)) ** 0.5)
        for told, true, n in zip(one.told, one.true, one.counts, strict=True)
        if n >= FEW
    ]
    line = Line("told, came true", [(a, b) for a, b, _ in seen], [size for *_, size in seen])
    title = f"{players} players: error {100 * one.error:.1f} % of {sum(one.counts):,} chances"
    scale = Scale(1, 0, 1, SQUARE)
    return (
        plots.heading(title, 14)
        + _grid(scale, "told")
        + f'<path d="M{num(LEFT)} {num(BOTTOM)}L{num(SQUARE)} {num(TOP)}" '
        'stroke="var(--brass)" stroke-width="1.8" stroke-dasharray="5 4"/>'
        + _line(line, scale, "var(--ac-skills)")
    )


def curves(reports: Sequence[Path], *, theme: str = "light") -> str:
    """The learning curves that reports tell of, as an SVG document.

    Raises ValueError where there is none.
    """
    panels = [
        _curves(f"{path.parent.name}: {HELD}", group)
        for path in reports
        for group in _alike(_read(path))
    ]
    if not panels:
        raise ValueError(
            f"no learning in {', '.join(map(str, reports))}: name report.txt of learn or iterate"
        )
    about = "Beside what it was before the first pass; less is better."
    return plots.sheet("How learning went", about, panels, theme=theme)


def _read(path: Path) -> list[Line]:
    """Curves with the surprise at the end in their names, each beginning at 0."""
    found = filter(None, map(CURVE.match, path.read_text("utf-8").splitlines()))
    told = [(one[1], [float(value) for value in one[2].split()]) for one in found]
    return [
        Line(f"{name}: {min(values):.3f}", [(k, v - values[0]) for k, v in enumerate(values)])
        for name, values in told
    ]


def _alike(lines: Sequence[Line]) -> Iterator[list[Line]]:
    """What is drawn together: the first lessons, which teach most, would hide the others."""
    for wanted in (r"judgement", r"Chances (?!.*judgement)", r"Promise"):
        group = [line for line in lines if re.search(wanted, line.name)]
        if group:
            yield group


def _curves(title: str, lines: Sequence[Line]) -> plots.Panel:
    values = [y for line in lines for _, y in line.points]
    room = 0.05 * (max(values) - min(values)) or 0.01
    passes = max(len(line.points) for line in lines) - 1
    scale = Scale(max(passes, 1), min(values) - room, max(values) + room)
    body = plots.heading(title, 14) + _grid(scale, "passes over the games")
    for k, (line, colour) in enumerate(zip(lines, itertools.cycle(COLOURS), strict=False)):
        body += _line(line, scale, f"var(--ac-{colour})")
        body += _name(line.name, f"var(--ac-{colour})", TOP + 14 + 24 * k)
    return plots.Panel(body, BOTTOM + 44)


def _grid(scale: Scale, axis: str) -> str:
    out = ""
    for value in scale.ticks():
        y = scale.y(value)
        said = f"{value:.3f}".rstrip("0").rstrip(".").replace("-", "−")
        out += (
            f'<path d="M{num(LEFT)} {num(y)}H{num(scale.right)}" stroke="var(--line)"/>'
            f'<text x="{num(LEFT - 8)}" y="{num(y + 4)}" text-anchor="end" {plots.UI} '
            f'font-size="12.5" fill="var(--ink-2)">{said}</text>'
        )
    for value in scale.ticks() if scale.last <= 1 else range(int(scale.last) + 1):
        out += (
            f'<text x="{num(scale.x(value))}" y="{num(BOTTOM + 18)}" text-anchor="middle" {plots.UI} '
            f'font-size="12.5" fill="var(--ink-2)">{value:.3g}</text>'
        )
    return out + (
        f'<text x="{num(scale.right)}" y="{num(BOTTOM + 36)}" text-anchor="end" {plots.UI} '
        f'font-size="12.5" fill="var(--ink-3)">{text(axis)}</text>'
    )


def _line(line: Line, scale: Scale, colour: str) -> str:
    """Its points, joined."""
    at = [(scale.x(a), scale.y(b)) for a, b in line.points]
    path = "L".join(f"{num(a)} {num(b)}" for a, b in at)
    out = f'<path d="M{path}" stroke="{colour}" stroke-width="2.2" fill="none"/>' if at else ""
    sizes = line.sizes or [3.5] * len(at)
    for (a, b), (first, second), size in zip(at, line.points, sizes, strict=True):
        said = f"{line.name}: {first:.3g}, {second:.3g}"
        out += (
            f'<circle cx="{num(a)}" cy="{num(b)}" r="{num(size)}" fill="{colour}" '
            f'stroke="var(--panel)"><title>{text(said)}</title></circle>'
        )
    return out


def _name(name: str, colour: str, y: float) -> str:
    """A line's name, at the right."""
    x = RIGHT + 20
    return (
        f'<path d="M{num(x)} {num(y - 4)}h16" stroke="{colour}" stroke-width="4"/>'
        f'<text x="{num(x + 24)}" y="{num(y)}" {plots.UI} font-size="13" fill="var(--ink)">'
        f"{plots.fitted(name, 13, plots.RIGHT - x - 24)}</text>"
    )
