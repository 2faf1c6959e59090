"""Pictures of boards, positions, decisions and scores as SVG, in the project's own look.

Whole documents: `board`, `position`, `action`, `card`, `prestige_chart`, `score_chart`; a part of a board
with what players have: `part`. For a page that draws by itself: `geometry`, `ground`, `defs`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hansa.svg import decision
from hansa.svg import highlight as lights
from hansa.svg.board import board_body
from hansa.svg.charts import prestige_chart, score_chart
from hansa.svg.data import board_data
from hansa.svg.desks import desks as draw_desks
from hansa.svg.document import document
from hansa.svg.duel import pawn_roads
from hansa.svg.geometry import geometry, shared_geometry
from hansa.svg.ground import ground_markup
from hansa.svg.part import Part, part
from hansa.svg.reading import read
from hansa.svg.symbols import symbols
from hansa.svg.theme import fixed

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from hansa.svg.state import Position

__all__ = [
    "Part",
    "action",
    "board",
    "card",
    "defs",
    "geometry",
    "ground",
    "part",
    "position",
    "prestige_chart",
    "score_chart",
]


def board(board_id: str, *, theme: str = "light", size: float | None = None) -> str:
    """The empty board as an SVG document.

    `theme`: `light`, `dark`, `print`, or `auto` to follow the reader's system; `size`: width in
    pixels. Raises ValueError for an unknown board, theme or size.

    >>> board("east").startswith('<svg xmlns="http://www.w3.org/2000/svg"')
    True
    """
    data, geo = board_data(board_id), shared_geometry(board_id)
    return document(
        board_body(board_id, None),
        geo["view"],
        title=f"{data['name']}, {data['side']}",
        description=f"{len(geo['cities'])} cities and {len(geo['routes'])} routes, empty",
        theme=theme,
        size=size,
    )


def position(
    data: Mapping[str, Any],
    *,
    theme: str = "light",
    size: float | None = None,
    desks: bool = False,
    highlight: Iterable[str] | None = None,
    arrows: Iterable[tuple[str, str]] | None = None,
    letters: bool = False,
    names: Mapping[str, str] | None = None,
    control: Mapping[str, str | None] | None = None,
) -> str:
    """A position as an SVG document; `data` is `game.to_dict()` or a player's view of it.

    `desks` adds the players' desks; `highlight` lights places and `arrows` joins them (posts
    `groningen-emden/2`, routes, cities, houses `emden:1`, `prestige:8`, `province:7`), in the
    colour of who decides; `letters` puts letters on the pieces instead of house marks; `names`
    maps players to their names; `control` says who controls a city where it is known better
    than by the offices (CONTROL-1, -2). Raises InvalidPosition, naming the place, or ValueError.
    """
    pos = read(data, names, control)
    geo = shared_geometry(pos.board_id)
    lit_under, lit_over = lights.lit(
        geo, pos, highlight or (), arrows or (), f"var(--{pos.player})"
    )
    return _picture(pos, lit_under, lit_over, theme=theme, size=size, desks=desks, letters=letters)


def action(
    data: Mapping[str, Any],
    action_text: str,
    *,
    theme: str = "light",
    size: float | None = None,
    letters: bool = False,
    names: Mapping[str, str] | None = None,
) -> str:
    """A decision shown on the position it is taken in, with its words above the map.

    Raises InvalidPosition, or MalformedAction for a text that is no decision on this board.
    """
    pos = read(data, names)
    geo = shared_geometry(pos.board_id)
    under, over = decision.decision_layers(geo, pos, str(action_text))
    words = decision.caption(pos, str(action_text))
    return _picture(
        pos, under, over + words, theme=theme, size=size, letters=letters, head=decision.CAPTION
    )


def card(action_text: str, *, theme: str = "light") -> str:
    """A decision by itself, as a notebook shows it: its icon and its words. Raises MalformedAction.

    >>> "place t groningen-emden/1" in card("place t groningen-emden/1")
    True
    """
    body, width = decision.card_body(str(action_text))
    return document(body, (0, 0, width, 48), title=str(action_text), theme=theme, size=width)


def _picture(
    pos: Position,
    under: str,
    over: str,
    *,
    theme: str,
    size: float | None,
    letters: bool,
    desks: bool = False,
    head: float = 0.0,
) -> str:
    geo = shared_geometry(pos.board_id)
    body = board_body(
        pos.board_id, pos, under=pawn_roads(geo, pos) + under, over=lights.in_hand(geo, pos) + over
    )
    x, y, width, height = geo["view"]
    if desks:
        drawn, (x, y, width, height) = draw_desks(geo, pos)
        body += drawn
    points = ", ".join(f"{pos.names.get(name, name)} {value}" for name, value in pos.points.items())
    return document(
        body,
        (x, y - head, width, height + head),
        title=f"{geo['name']}, turn {pos.turn}",
        description=f"Points: {points}" if points else "",
        theme=theme,
        size=size,
        letters=letters,
    )


def ground(board_id: str, theme: str = "auto") -> str:
    """The ground as a `<g>` for a drawing that holds `defs()`; `auto` colours it by custom properties.

    Raises ValueError for an unknown board or theme.
    """
    return ground_markup(board_id) if theme == "auto" else fixed(ground_markup(board_id), theme)


def defs() -> str:
    """Every symbol as `<defs>`, coloured by custom properties."""
    return "<defs>" + "".join(symbols().values()) + "</defs>"
