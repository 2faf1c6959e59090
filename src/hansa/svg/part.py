"""A part of a board, as a book shows it: the places spoken of, and below them what the players have."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hansa.svg import highlight as lights
from hansa.svg.board import board_body
from hansa.svg.crop import View, around
from hansa.svg.curves import num
from hansa.svg.desks import STORES_HEIGHT, WIDTH, WORDS, desk, desk_height, stores
from hansa.svg.document import document
from hansa.svg.duel import pawn_roads
from hansa.svg.geometry import shared_geometry
from hansa.svg.ground import ground_markup
from hansa.svg.reading import read
from hansa.svg.state import Position

__all__ = ["Part", "part"]

GAP = 8.0
LARGEST = 1.2
"""What players have is drawn at most so large, in board units for a unit of a desk."""


@dataclass(frozen=True)
class Part:
    """A drawing that still needs its ground, which many drawings of a board may share."""

    board: str
    view: View
    """Of the whole drawing."""
    frame: View | None
    """The part of the board; None: no board, only what players have."""
    furniture: str
    below: str

    def markup(self, ground: str | None = None) -> str:
        """The drawing in custom properties, for a page that holds `defs()`.

        `ground`: what stands for the ground, e.g. a `<use>` of one that the page holds already.
        """
        if self.frame is None:
            return self.below
        x, y, width, height = map(num, self.frame)
        inside = (ground_markup(self.board) if ground is None else ground) + self.furniture
        return (
            f'<svg x="{x}" y="{y}" width="{width}" height="{height}" '
            f'viewBox="{x} {y} {width} {height}">{inside}</svg>{self.below}'
        )

    def document(self, title: str, *, theme: str = "light") -> str:
        """The drawing as an SVG document of its own; raises ValueError for an unknown theme."""
        return document(self.markup(), self.view, title=title, theme=theme)


def part(
    data: Mapping[str, Any],
    show: Sequence[str] | None = (),
    *,
    highlight: Iterable[str] = (),
    arrows: Iterable[tuple[str, str]] = (),
    control: Mapping[str, str | None] | None = None,
    names: Mapping[str, str] | None = None,
    stores_of: Sequence[str] = (),
    desks_of: Sequence[str] = (),
    words: Mapping[str, str] | None = None,
) -> Part:
    """A position as far as it is spoken of.

    `show`: the cities, routes and panels (`prestige`, `completed`, `link`) to be seen; empty: the
    whole board; None: no board. Below it supply and stock of the players in `stores_of`, and the
    desks of those in `desks_of`, by their `names`, with `words` in place of the English ones of
    `desks.WORDS`.
    Raises InvalidPosition, or ValueError for a place that is none.
    """
    pos = read(data, names, control)
    geo = shared_geometry(pos.board_id)
    rows = _rows(pos, stores_of, desks_of, {**WORDS, **(words or {})})
    if show is None:
        view, below = _stacked(rows, (0.0, 0.0, WIDTH, -GAP))
        return Part(pos.board_id, view, None, "", below)
    width, height = geo["size"]
    frame: View = around(geo, show) if show else (0.0, 0.0, width, height)
    under, over = lights.lit(geo, pos, highlight, arrows, f"var(--{pos.player})")
    furniture = board_body(
        pos.board_id,
        pos,
        under=pawn_roads(geo, pos) + under,
        over=lights.in_hand(geo, pos) + over,
        frame=frame,
    )
    view, below = _stacked(rows, frame)
    return Part(pos.board_id, view, frame, furniture, below)


def _rows(
    pos: Position, stores_of: Sequence[str], desks_of: Sequence[str], words: Mapping[str, str]
) -> list[tuple[str, float]]:
    """What players have, each with its height; all as wide as a desk."""
    height = desk_height(pos)
    return [
        *((stores(pos, player, words), STORES_HEIGHT) for player in stores_of),
        *((desk(pos, player, height, words), height) for player in desks_of),
    ]


def _stacked(rows: list[tuple[str, float]], above: View) -> tuple[View, str]:
    """The rows one below the other, in the middle below what stands above."""
    x, y, width, height = above
    if not rows:
        return above, ""
    scale = min(LARGEST, width / WIDTH)
    left, top, out = x + (width - WIDTH * scale) / 2, y + height, ""
    for markup, high in rows:
        top += GAP * scale
        out += (
            f'<g transform="translate({num(left)} {num(top)}) scale({num(scale, 3)})">{markup}</g>'
        )
        top += high * scale
    return (x, y, width, top + GAP * scale - y), out
