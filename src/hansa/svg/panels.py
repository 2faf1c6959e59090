"""The board's fixed panels: completed track, link plaque, prestige niches, score ribbon."""

from __future__ import annotations

from typing import Any

from hansa.svg.curves import Rect
from hansa.svg.data import board_data, panel_scale, scene

__all__ = ["completed_track", "countries", "link_plaque", "panel_rects", "prestige", "ribbon"]


def completed_track(board_id: str) -> dict[str, Any]:
    """A small gable for each number of completed cities; `cells` are their base-line centres."""
    k, end = panel_scale(board_id), board_data(board_id)["completed_cities_end"]
    x, y = scene(board_id)["track"]
    return {
        "rect": [x, y, round((22 * (end + 1) + 14) * k, 2), 40 * k],
        "cells": [[round(x + (18 + 22 * i) * k, 2), round(y + 35 * k, 2)] for i in range(end + 1)],
    }


def link_plaque(board_id: str) -> dict[str, Any]:
    """The red pill with the points for linking the two cities; `places` are the circles."""
    k, points = panel_scale(board_id), board_data(board_id)["east_west"]["points"]
    x, y = scene(board_id)["linkp"]
    return {
        "rect": [x, y, 78 * k, 26 * k],
        "places": [
            {"points": value, "x": round(x + (14 + 25 * i) * k, 2), "y": round(y + 13 * k, 2)}
            for i, value in enumerate(points)
        ],
    }


def prestige(board_id: str) -> dict[str, Any]:
    """The four niches; x, y of a space is where its merchant stands."""
    k, info = panel_scale(board_id), board_data(board_id)["prestige"]
    x, y = scene(board_id).get("prestige") or info["xy"]
    return {
        "rect": [round(x - 70 * k, 2), round(y - 25 * k, 2), 140 * k, 50 * k],
        "spaces": [
            {
                "points": space["points"],
                "privilege": space["privilege"],
                "x": round(x + (32 * i - 48) * k, 2),
                "y": round(y + 7.5 * k, 2),
            }
            for i, space in enumerate(info["spaces"])
        ],
    }


def countries(board_id: str) -> list[dict[str, Any]]:
    """Plaques of the countries that are scored by themselves (BRIT-SCORE-3)."""
    spots: dict[str, list[float]] = scene(board_id).get("countries", {})
    k = panel_scale(board_id)
    return [
        {"region": region, "name": region.capitalize(), "rect": [*spots[region], 78 * k, 40 * k]}
        for region in board_data(board_id)["regions"]
        if region in spots
    ]


def ribbon(board_id: str) -> dict[str, float]:
    """The scale bar below the map: 0 at `x`, the greatest score at `x + w`; `y` is its top edge."""
    width, height = board_data(board_id)["size"]
    k = panel_scale(board_id)
    return {
        "x": 40,
        "y": round(height + 19 * k, 2),
        "w": width - 80,
        "h": 7 * k,
        "pin_y": round(height + 8 * k, 2),
    }


def panel_rects(board_id: str) -> list[Rect]:
    """What the panels cover."""
    parts = (completed_track(board_id), link_plaque(board_id), prestige(board_id))
    return [Rect(*part["rect"]) for part in (*parts, *countries(board_id))]
