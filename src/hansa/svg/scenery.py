"""Hills, woods and the names of waters, placed so that they never disturb the game."""

from __future__ import annotations

from bisect import bisect_left
from functools import cache
from math import cos, inf, pi, sin, sqrt
from random import Random

from hansa.svg import cities, places, stalls
from hansa.svg.curves import Point, catmull_rom, lengths, num, sample
from hansa.svg.data import board_data, scale, scene

__all__ = ["names", "scenery"]

_HILL, _TREE = 9.0, 5.0


@cache
def _keep_clear(board_id: str) -> tuple[places.Obstacles, list[Point]]:
    """Everything scenery stays away from: obstacles, a stall's space, markers, borders; and the roads."""
    base, out = places.obstacles(board_id), places.Obstacles(board_data(board_id)["size"])
    k = scale(board_id)
    out.circles = [
        *base.circles,
        *((p, places.MARKER * k) for p in places.marker_places(board_id).values()),
    ]
    x, y, radius = scene(board_id)["rose"]
    out.circles.append(((x, y), radius * 1.1))
    out.circles += [((x, y), max(rx, ry)) for x, y, rx, ry in scene(board_id)["lakes"]]
    out.rects = list(base.rects)
    for item in board_data(board_id)["cities"]:
        if not item.get("green"):
            out.rects.append(stalls.first_stall(board_id, item["id"]))
    for border in board_data(board_id).get("two_player", {}).get("soldiers", []):
        upper, lower = (cities.city(board_id, name)["xy"] for name in border)
        out.circles.append((((upper[0] + lower[0]) / 2, (upper[1] + lower[1]) / 2), 24.0))
    roads = sorted(
        p
        for r in board_data(board_id)["routes"]
        for p in sample(places.route_points(board_id, r["id"]), 8)
    )
    return out, roads


def _waters(board_id: str) -> list[Point]:
    return sorted(
        p
        for _, _, points in scene(board_id)["rivers"]
        for p in sample([(x, y) for x, y in points], 8)
    )


def _shore(board_id: str) -> list[list[Point]]:
    info = scene(board_id)
    out: list[list[Point]] = []
    for sea in info["seas"]:
        out += [
            [(x, y) for x, y in ring] for ring in (sea["holes"] if isinstance(sea, dict) else [sea])
        ]
    return out + [[(x, y) for x, y in ring] for ring in (*info.get("lands", []), *info["isles"])]


def _on_land(board_id: str, point: Point, rings: list[list[Point]]) -> bool:
    crossings = any(isinstance(sea, dict) for sea in scene(board_id)["seas"])
    for ring in rings:
        for (x1, y1), (x2, y2) in zip(ring, [*ring[1:], ring[0]], strict=True):
            if (y1 > point[1]) != (y2 > point[1]) and point[0] < x1 + (point[1] - y1) * (
                x2 - x1
            ) / (y2 - y1):
                crossings = not crossings
    return not crossings


def _away(point: Point, points: list[Point], reach: float) -> bool:
    """Whether none of the points, sorted by x, lies in the square around this one."""
    first = bisect_left(points, (point[0] - reach, -inf))
    for k in range(first, len(points)):
        x, y = points[k]
        if x > point[0] + reach:
            break
        if abs(y - point[1]) <= reach:
            return False
    return True


@cache
def scenery(board_id: str) -> str:
    """Hills 9 and trees 5 units away from everything that is played on; left out where there is no room."""
    info, (things, roads) = scene(board_id), _keep_clear(board_id)
    rings, waters = _shore(board_id), _waters(board_id)
    random = Random(f"scenery of {board_id}")
    placed: list[tuple[Point, str]] = []
    for kind, areas, gap, size, spread in (
        ("hill", info["hills"], _HILL, 13.0, 15.0),
        ("tree", info["woods"], _TREE, 4.0, 7.0),
    ):
        for area in areas:
            for point in _scatter(area, random):
                centre = (point[0], point[1] - 4)
                if (
                    _away(centre, roads, gap + size * 0.75)
                    and _away(centre, waters, size * 0.7 + 7)
                    and things.clearance(centre) > gap + size * 0.8
                    and all(
                        abs(q[0] - point[0]) > spread or abs(q[1] - point[1]) > spread * 0.42
                        for q, _ in placed
                    )
                    and all(
                        _on_land(board_id, (point[0] + d, point[1]), rings)
                        for d in (-size, 0.0, size)
                    )
                    and all(
                        _on_land(board_id, (point[0], point[1] + d), rings) for d in (-9.0, 6.0)
                    )
                ):
                    placed.append((point, f"{kind}{1 + int(random.random() * 3)}"))
    placed.sort(key=lambda item: item[0][1])
    return "".join(
        f'<use href="#{kind}" x="{num(x, 0)}" y="{num(y, 0)}"/>' for (x, y), kind in placed
    )


def _scatter(area: list[float], random: Random) -> list[Point]:
    """Candidates spread over an ellipse: six tries for each one wanted."""
    x, y, rx, ry, wanted = area
    out: list[Point] = []
    for _ in range(int(wanted) * 6):
        radius, angle = sqrt(random.random()), random.random() * 2 * pi
        out.append((round(x + cos(angle) * radius * rx), round(y + sin(angle) * radius * ry)))
    return out


def names(board_id: str) -> str:
    """Seas by the scene; each river's name along its clearest stretch, or not at all."""
    k = scale(board_id)
    out = "".join(
        f'<text x="{x}" y="{y}" text-anchor="middle" font-family="var(--font-head)" font-style="italic" font-weight="500" fill="var(--river-ink)" '
        f'font-size="{num(16 * k)}" letter-spacing="{num(6 * k)}">{text}</text>'
        for text, x, y, _ in scene(board_id)["sealbl"]
    )
    taken: list[Point] = []
    for index, (name, _, points) in enumerate(scene(board_id)["rivers"]):
        stretch = _clear_stretch(board_id, name, [(x, y) for x, y in points], taken)
        if stretch:
            taken = sorted(taken + stretch)
            ident = f"river-{index}-{board_id}"
            out += (
                f'<path id="{ident}" d="{catmull_rom(stretch)}" fill="none"/><text font-family="var(--font-head)" '
                f'font-style="italic" font-weight="500" fill="var(--river-ink)" font-size="{num(10 * k)}" letter-spacing="{num(1.6 * k)}">'
                f'<textPath href="#{ident}" startOffset="50%" text-anchor="middle">{name}</textPath></text>'
            )
    return out


def _clear_stretch(
    board_id: str, name: str, points: list[Point], taken: list[Point]
) -> list[Point]:
    """A stretch of the river long enough for its name, the clearest and straightest, read left to right."""
    k, (things, roads) = scale(board_id), _keep_clear(board_id)
    line = sample(points, 10)
    marks = lengths(line)
    span = (len(name) * 6.6 + 6) * k
    rings = _shore(board_id)
    best: tuple[float, list[Point]] = (0.0, [])
    for start in range(0, len(line), 2):
        end = next((i for i in range(start, len(line)) if marks[i] - marks[start] >= span), None)
        if end is None:
            break
        piece = _beside(line[start : end + 1], 4.2 * k)
        middle = [_beside(line[start : end + 1], 7.5 * k)[i] for i in range(0, end - start + 1, 2)]
        if any(not _away(p, roads, 9 * k) or not _on_land(board_id, p, rings) for p in middle):
            continue
        room = min(min(things.clearance(p) for p in middle) - 6 * k, 14 * k)
        if room <= 0 or any(not _away(p, taken, 30) for p in middle):
            continue
        chord = sqrt((piece[-1][0] - piece[0][0]) ** 2 + (piece[-1][1] - piece[0][1]) ** 2)
        slope = abs(piece[-1][1] - piece[0][1]) / max(chord, 1)
        score = room + 60 * (chord / span - 1) - 4 * slope
        if score > best[0] - 100 and chord / span > 0.93 and (not best[1] or score > best[0]):
            best = (score, piece)
    piece = best[1]
    return (
        [piece[0], piece[len(piece) // 3], piece[2 * len(piece) // 3], piece[-1]] if piece else []
    )


def _beside(line: list[Point], away: float) -> list[Point]:
    """The stretch moved to the side the text stands on, running from left to right."""
    run = line if line[-1][0] >= line[0][0] else line[::-1]
    out = []
    for i, (x, y) in enumerate(run):
        (ax, ay), (bx, by) = run[max(i - 1, 0)], run[min(i + 1, len(run) - 1)]
        far = max(sqrt((bx - ax) ** 2 + (by - ay) ** 2), 1e-6)
        out.append((round(x + (by - ay) / far * away, 1), round(y - (bx - ax) / far * away, 1)))
    return out
