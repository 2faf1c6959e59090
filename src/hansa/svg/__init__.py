"""Pictures of boards, positions, decisions and scores as SVG, in the project's own look."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hansa.svg import state
from hansa.svg.board import board_body
from hansa.svg.data import board_data
from hansa.svg.document import document
from hansa.svg.duel import pawn_roads
from hansa.svg.geometry import geometry, shared_geometry
from hansa.svg.ground import ground_markup
from hansa.svg.symbols import symbols
from hansa.svg.theme import fixed

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["board", "defs", "geometry", "ground", "position"]


def board(board_id: str, *, theme: str = "light", size: float | None = None) -> str:
    """The empty board as an SVG document."""
    data = board_data(board_id)
    view = shared_geometry(board_id)["view"]
    return document(board_body(board_id, None), tuple(view), title=f"{data['name']}, {data['side']}", theme=theme, size=size)


def position(data: dict[str, Any], *, theme: str = "light", size: float | None = None, letters: bool = False,
             names: Mapping[str, str] | None = None, control: Mapping[str, str | None] | None = None) -> str:
    pos = state.read(data, names, control)
    geo = shared_geometry(pos.board_id)
    return document(board_body(pos.board_id, pos, under=pawn_roads(geo, pos)), tuple(geo["view"]), title=geo["name"], theme=theme, size=size, letters=letters)


def ground(board_id: str, theme: str = "auto") -> str:
    """The ground as a `<g>` for a drawing that holds `defs()`; `auto` colours it by custom properties."""
    return ground_markup(board_id) if theme == "auto" else fixed(ground_markup(board_id), theme)


def defs() -> str:
    """Every symbol as `<defs>`, coloured by custom properties."""
    return "<defs>" + "".join(symbols().values()) + "</defs>"
