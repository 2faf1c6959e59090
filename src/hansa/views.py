"""Views: a position without what a player may not know (INFO-1 to -11)."""

from __future__ import annotations

from typing import Any

__all__ = ["HIDDEN", "view_of"]

HIDDEN = "?"


def view_of(position: dict[str, Any], viewer: str | None) -> dict[str, Any]:
    """The position without what the viewer (None: a watcher) may not know (INFO-1 to -11).

    Hidden entries are "?", so that counts stay. The seed is hidden too: it decides the rest.
    """
    over = position["over"]
    view = {**position, "game": {**position["game"], "seed": HIDDEN}}
    view["supply"] = [HIDDEN] * len(position["supply"])
    looks = position["phase"] == "plate" and viewer == position["player"]  # INFO-3
    view["players"] = {}
    for name, player in position["players"].items():
        shown = dict(player)
        if not (looks and name == viewer):
            shown["plate"] = [HIDDEN] * len(player["plate"])
        if player["mission"] is not None and name != viewer and not over:
            shown["mission"] = [HIDDEN] * 3
        view["players"][name] = shown
    return view
