"""The pawn duel on the board: soldiers, province numbers, the pawn and the roads it opens."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hansa.svg.curves import num
from hansa.svg.document import place, text
from hansa.svg.furniture import figure

if TYPE_CHECKING:
    from hansa.svg.state import Position

__all__ = ["pawn_layer", "pawn_roads"]


def pawn_roads(geo: dict[str, Any], position: Position | None) -> str:
    """The routes that bound the pawn's province (DUEL-PAWN-7), under a soft brass band."""
    if position is None or position.pawn is None:
        return ""
    province = next(item for item in geo["provinces"] if item["id"] == position.pawn)
    path = "".join(geo["routes"][name]["path"] for name in province["routes"])
    return (
        f'<path d="{path}" fill="none" stroke="var(--brass)" stroke-width="13" stroke-opacity=".42" '
        'stroke-linecap="round" stroke-linejoin="round"/>'
    )


def pawn_layer(geo: dict[str, Any], position: Position | None) -> str:
    """Borders that are no roads, a number in each province, the pawn."""
    if position is None or not position.is_pawn_duel:
        return ""
    out = ""
    for border in geo["soldiers"]:
        (x1, y1), (x2, y2) = border["ends"]
        first, last = (geo["cities"][name]["name"] for name in border["cities"])
        out += (
            f"<g><title>{text(f'Border {first}|{last}')}</title>"
            f'<path d="M{num(x1)} {num(y1)}L{num(x2)} {num(y2)}" stroke="var(--ink-2)" stroke-width="1.4" '
            f'stroke-dasharray="5 3"/>{place("soldier", border["x"], border["y"])}</g>'
        )
    for province in geo["provinces"]:
        x, y = province["x"], province["y"]
        here = province["id"] == position.pawn
        out += f"<g><title>Province {province['id']}: {text(province['name'])}</title>"
        if here:
            out += place("pawn", x, y, 1.25)
        else:
            out += (
                f'<circle cx="{num(x)}" cy="{num(y)}" r="8.5" fill="var(--land)" fill-opacity=".7" stroke="var(--ink-3)" '
                f'stroke-width=".8" stroke-opacity=".7"/>{figure(x, y, province["id"], 9.5, "var(--ink-3)")}'
            )
        out += "</g>"
    return f"<g>{out}</g>"
