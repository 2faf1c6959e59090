"""Points, smooth lines and short numbers: the small geometry everything else is drawn with."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from math import dist, hypot
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

Point = tuple[float, float]

__all__ = [
    "Point",
    "Rect",
    "along",
    "catmull_rom",
    "lengths",
    "num",
    "polyline",
    "sample",
    "smooth_closed",
]


@dataclass(frozen=True, slots=True)
class Rect:
    """An upright rectangle: left, top, width, height."""

    x: float
    y: float
    w: float
    h: float

    def grown(self, by: float) -> Rect:
        """The rectangle with a margin on all four sides."""
        return Rect(self.x - by, self.y - by, self.w + 2 * by, self.h + 2 * by)

    def distance(self, point: Point) -> float:
        """How far a point is outside; 0 inside."""
        dx = max(self.x - point[0], 0.0, point[0] - self.x - self.w)
        dy = max(self.y - point[1], 0.0, point[1] - self.y - self.h)
        return hypot(dx, dy)

    def overlaps(self, other: Rect) -> bool:
        """Whether the two share more than an edge."""
        return (
            self.x < other.x + other.w
            and other.x < self.x + self.w
            and self.y < other.y + other.h
            and other.y < self.y + self.h
        )

    def as_list(self) -> list[float]:
        """[x, y, width, height], rounded for JSON."""
        return [round(self.x, 2), round(self.y, 2), round(self.w, 2), round(self.h, 2)]


def num(value: float, digits: int = 1) -> str:
    """A number as short as SVG allows: `-.5`, `12`, `3.2`."""
    text = f"{value:.{digits}f}"
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    if text in {"-0", ""}:
        return "0"
    if text.startswith("0."):
        return text[1:]
    if text.startswith("-0."):
        return "-" + text[2:]
    return text


def _join(numbers: Iterable[str]) -> str:
    """Numbers side by side; a minus sign separates as well as a blank."""
    out = ""
    for text in numbers:
        out += text if not out or text.startswith("-") else " " + text
    return out


def polyline(points: Sequence[Point], *, closed: bool = False, digits: int = 1) -> str:
    """Straight lines through the points."""
    head, *rest = points
    body = "".join("L" + _join((num(x, digits), num(y, digits))) for x, y in rest)
    return (
        "M" + _join((num(head[0], digits), num(head[1], digits))) + body + ("Z" if closed else "")
    )


def catmull_rom(points: Sequence[Point], digits: int = 1) -> str:
    """A smooth open line through all points, as cubic curves."""
    if len(points) < 3:
        return polyline(points, digits=digits)
    out = "M" + _join((num(points[0][0], digits), num(points[0][1], digits)))
    for i in range(len(points) - 1):
        p0, p1 = points[max(i - 1, 0)], points[i]
        p2, p3 = points[i + 1], points[min(i + 2, len(points) - 1)]
        c1 = (p1[0] + (p2[0] - p0[0]) / 6, p1[1] + (p2[1] - p0[1]) / 6)
        c2 = (p2[0] - (p3[0] - p1[0]) / 6, p2[1] - (p3[1] - p1[1]) / 6)
        out += "C" + _join(num(v, digits) for v in (*c1, *c2, *p2))
    return out


def sample(points: Sequence[Point], steps: int = 12) -> list[Point]:
    """Points on the curve that `catmull_rom` draws, `steps` to a stretch."""
    out: list[Point] = [points[0]]
    for i in range(len(points) - 1):
        p0, p1 = points[max(i - 1, 0)], points[i]
        p2, p3 = points[i + 1], points[min(i + 2, len(points) - 1)]
        for step in range(1, steps + 1):
            t = step / steps
            out.append(
                (_spline(p0[0], p1[0], p2[0], p3[0], t), _spline(p0[1], p1[1], p2[1], p3[1], t))
            )
    return out


def _spline(a: float, b: float, c: float, d: float, t: float) -> float:
    return 0.5 * (
        2 * b
        + (c - a) * t
        + (2 * a - 5 * b + 4 * c - d) * t * t
        + (3 * b - a - 3 * c + d) * t * t * t
    )


def lengths(points: Sequence[Point]) -> list[float]:
    """Distance from the start at each point of a polyline."""
    out = [0.0]
    for a, b in itertools.pairwise(points):
        out.append(out[-1] + dist(a, b))
    return out


def along(points: Sequence[Point], where: float) -> tuple[Point, Point]:
    """Point and direction (unit vector) at the share `where` (0 … 1) of a polyline's length."""
    marks = lengths(points)
    goal = where * marks[-1]
    i = next((k for k in range(1, len(marks)) if marks[k] >= goal), len(marks) - 1)
    a, b = points[i - 1], points[i]
    span = max(marks[i] - marks[i - 1], 1e-9)
    t = (goal - marks[i - 1]) / span
    direction = ((b[0] - a[0]) / span, (b[1] - a[1]) / span)
    return (a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t), direction


def smooth_closed(points: Sequence[Point]) -> str:
    """A closed smooth outline with the points as controls, in relative numbers: short."""
    grid = [(round(x * 10), round(y * 10)) for x, y in points]
    middle = [
        (round((a[0] + b[0]) / 2), round((a[1] + b[1]) / 2))
        for a, b in zip(grid, [*grid[1:], grid[0]], strict=True)
    ]
    start = middle[-1]
    out = f"M{num(start[0] / 10)} {num(start[1] / 10)}"
    here = start
    parts: list[str] = []
    for control, end in zip(grid, middle, strict=True):
        parts += [
            num((control[0] - here[0]) / 10),
            num((control[1] - here[1]) / 10),
            num((end[0] - here[0]) / 10),
            num((end[1] - here[1]) / 10),
        ]
        here = end
    return out + "q" + _join(parts) + "Z"
