"""A board with or without a position on it: the layers in their order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hansa.svg import furniture, town
from hansa.svg.crop import View, within
from hansa.svg.data import board_data
from hansa.svg.document import place
from hansa.svg.duel import pawn_layer
from hansa.svg.geometry import shared_geometry
from hansa.svg.ground import ground_markup
from hansa.svg.state import completed

if TYPE_CHECKING:
    from hansa.svg.state import Position

__all__ = ["board_body"]


def board_body(
    board_id: str,
    position: Position | None,
    under: str = "",
    over: str = "",
    frame: View | None = None,
) -> str:
    """Ground, roads, markers, panels, cities by y, posts; `under` lies on the roads, `over` on everything.

    With a `frame` only what stands in that part of the board, and without the ground.
    """
    whole, data = shared_geometry(board_id), board_data(board_id)
    geo = whole if frame is None else within(whole, frame)
    pair = tuple(whole["cities"][name]["name"] for name in data["east_west"]["cities"])
    count = position.completed if position else 0
    order = sorted(
        (item for item in data["cities"] if item["id"] in geo["cities"]),
        key=lambda item: (item["xy"][1], item["id"]),
    )
    towns = "".join(
        town.city(geo, item["id"], position, position is not None and completed(position, item))
        for item in order
    )
    layers = [
        ground_markup(board_id) if frame is None else "",
        furniture.roads(geo),
        under,
        furniture.completed_track(geo, count) if geo["completed"] else "",
        furniture.link_plaque(geo, position, (pair[0], pair[1])) if geo["link"] else "",
        furniture.prestige(geo, position) if geo["prestige"] else "",
        furniture.countries(geo),
        _favours(geo, position),
        pawn_layer(geo, position),
        furniture.markers(geo, position),
        towns,
        furniture.posts(geo, position),
        over,
        furniture.ribbon(geo, position.points if position else {}) if geo["ribbon"] else "",
    ]
    return "".join(layers)


def _favours(geo: dict[str, Any], position: Position | None) -> str:
    """The tiles of the Emperor's Favour still on display."""
    if position is None or not position.favours:
        return ""

    (x, y), k = geo["favours"], geo["panel_scale"]
    tiles = "".join(
        f"<g><title>Favour: {tile}</title>{place(f'favour-{tile}', x + (15 + 31 * i) * k, y + 16 * k, k)}</g>"
        for i, tile in enumerate(position.favours)
    )
    return f"<g>{tiles}</g>"
