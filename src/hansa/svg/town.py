"""Cities: houses, offices, stalls, walls, plinths, names and badges."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hansa.svg.curves import num
from hansa.svg.document import place, text
from hansa.svg.furniture import figure

if TYPE_CHECKING:
    from hansa.svg.state import Position

__all__ = ["city", "green_slots", "row_of"]

_PLATES = {
    "link": ("var(--link)", "var(--on-link)"),
    "green": ("var(--green-city)", "var(--on-green)"),
    "brass": ("var(--brass-2)", "var(--on-brass)"),
}


def row_of(town: dict[str, Any], stalls: int) -> dict[str, Any]:
    """The row with so many extra offices; the last row serves for more."""
    rows: list[dict[str, Any]] = town["rows"]
    return rows[min(stalls, len(rows) - 1)]


def green_slots(town: dict[str, Any], count: int, k: float) -> list[float]:
    """X of a green city's offices from the left: three slots, or more and closer."""
    n = max(3, count)
    pitch = min(22.0, 92 / n) * k
    return [town["x"] + (i - (n - 1) / 2) * pitch for i in range(n)]


def city(geo: dict[str, Any], name: str, position: Position | None, done: bool) -> str:
    """One city with everything that stands in it."""
    town, k = geo["cities"][name], geo["scale"]
    offices = position.offices.get(name, []) if position else []
    extra = position.extra.get(name, []) if position else []
    row = row_of(town, len(extra))
    owner = position.control.get(name) if position else None
    x, y, w, h = row["plinth"]
    out = f"<title>{text(_title(town, position, name))}</title>"
    out += f'<ellipse cx="{num(x + w / 2)}" cy="{num(y + h)}" rx="{num(w / 2 + 2 * k)}" ry="{num(2.6 * k)}" fill="var(--shadow-2)"/>'
    out += _green(town, offices, row["y"], k) if town["green"] else _houses(town, offices, row, k)
    spent = position is not None and name in position.permissions_used
    for flag in town["permits"]:
        faded = ' opacity=".35"' if spent else ""
        out += place(f"permit-{flag['region']}", flag["x"] + row["shift"], flag["y"], k, faded)
    out += _stalls(row, extra, k)
    out += _label(town["label"], k)  # below the plinth, whose edge its halo would wipe out
    out += (
        f'<rect x="{num(x)}" y="{num(y)}" width="{num(w)}" height="{num(h)}" rx="{num(0.8 * k)}" '
        f'fill="var(--{owner or "plinth"})" stroke="var(--house-edge)" stroke-width="{num(0.9 * k)}"/>'
    )
    if done:
        out += place("done", x - k, y - 0.5 * k, k)
    out += "".join(
        place(f"badge-{b['skill']}", b["x"] + row["shift"], b["y"], k) for b in town["badges"]
    )
    return f'<g id="city-{name}">{out}</g>'


def _title(town: dict[str, Any], position: Position | None, name: str) -> str:
    if position is None:
        return str(town["name"])
    held = [
        piece for piece in (*position.extra.get(name, []), *position.offices.get(name, [])) if piece
    ]
    words = ", ".join(
        f"{position.names.get(owner, owner)} {'trader' if s == 't' else 'merchant'}"
        for s, owner in held
    )
    return f"{town['name']}: {words}" if words else str(town["name"])


def _houses(town: dict[str, Any], offices: list[Any], row: dict[str, Any], k: float) -> str:
    out, y = "", row["y"]
    for i, (x, house) in enumerate(zip(row["houses"], town["houses"], strict=True)):
        out += place(f"house-{house['shape']}-{house['privilege']}", x, y, k)
        piece = offices[i] if i < len(offices) else None
        if piece:
            out += place(f"piece-{piece[0]}-{piece[1]}", x + 12 * k, y - 11 * k, 0.93 * k)
        elif house["coin"]:
            out += place("coin", x + 12 * k, y - 34.5 * k, k)
            out += figure(x + 12 * k, y - 34.5 * k, house["coin"], 9 * k, "#4A2E04")
    return out


def _stalls(row: dict[str, Any], extra: list[Any], k: float) -> str:
    """The extra offices, the newest outermost; those past the last place are counted on the roof."""
    out = "".join(
        place("hall" if row["shared"] and i == 0 else "stall", x, row["y"], k)
        for i, x in enumerate(row["stalls"])
    )
    for (x, y, size), (shape, owner) in zip(
        row["extra"], extra[max(len(extra) - len(row["extra"]), 0) :], strict=True
    ):
        out += place(f"piece-{shape}-{owner}", x, y, size)
    more = len(extra) - len(row["extra"])
    if more > 0:
        x, y = row["stalls"][0] + 11 * k, row["y"] - 24 * k
        out += (
            f'<rect x="{num(x - 9 * k)}" y="{num(y - 5 * k)}" width="{num(18 * k)}" height="{num(10 * k)}" '
            f'rx="{num(5 * k)}" fill="var(--raise)" stroke="var(--house-edge)" stroke-width="{num(k)}"/>'
            + figure(x, y, f"+{more}", 8.5 * k, "var(--ink)")
        )
    return out


def _green(town: dict[str, Any], offices: list[Any], y: float, k: float) -> str:
    out = place("green-city", town["x"] - 59 * k, y, k)
    slots = green_slots(town, len(offices), k)
    size = min(0.9, 92 / len(slots) / 20) * k
    for i, x in enumerate(slots):
        piece = offices[i] if i < len(offices) else None
        if piece:
            out += place(f"piece-{piece[0]}-{piece[1]}", x, y - 9 * k, size)
        else:
            out += place("green-slot", x, y - 9 * k, k)
    return out


def _label(label: dict[str, Any], k: float) -> str:
    x, y = label["x"], label["y"]
    style = (
        f'x="{num(x)}" y="{num(y)}" text-anchor="middle" font-family="var(--font-head)" font-weight="700" '
        f'font-size="{num(label["size"])}" textLength="{num(label["width"])}" lengthAdjust="spacingAndGlyphs"'
    )
    if not label["plate"]:
        return (
            f'<text {style} fill="var(--ink)" stroke="var(--land)" stroke-width="{num(3.4 * k)}" '
            f'stroke-linejoin="round" paint-order="stroke">{text(label["text"])}</text>'
        )
    fill, ink = _PLATES[label["plate"]]
    _, top, w, h = label["rect"]
    half, tail = num(h / 2, 2), num(3.6 * k, 2)
    plate = (
        f'<path d="M{num(x - w / 2)} {num(top)}h{num(w)}l-{tail} {half} {tail} {half}h{num(-w)}l{tail}-{half}Z" fill="{fill}" '
        f'stroke="var(--house-edge)" stroke-width="{num(k)}" stroke-linejoin="round"/>'
    )
    return f'{plate}<text {style} fill="{ink}">{text(label["text"])}</text>'
