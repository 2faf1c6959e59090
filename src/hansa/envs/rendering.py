"""Positions for people who watch an environment: as text, or as a picture."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from typing import Any

from hansa import svg
from hansa.errors import InvalidSetup
from hansa.game import Game

__all__ = ["MODES", "as_line", "as_text", "checked_mode", "show"]

MODES = ["ansi", "svg", "human"]
_NOTHING: tuple[Any, ...] = (None, 0, [], {})
_COLOURS = {"p1": 31, "p2": 34, "p3": 32, "p4": 33, "p5": 35, "n": 37}


def checked_mode(mode: str | None) -> str | None:
    """A mode of rendering, or None; raises InvalidSetup."""
    if mode is not None and mode not in MODES:
        raise InvalidSetup(f"unknown render_mode {mode!r}: one of {', '.join(MODES)}")
    return mode


def show(game: Game, mode: str) -> str | None:
    """The position in this mode; `human` prints it and gives None."""
    if mode == "svg":
        return svg.position(game.view(None), desks=True)
    text = as_text(game.view(None))
    if mode == "ansi":
        return text
    sys.stdout.write(text + "\n")
    sys.stdout.flush()
    return None


def as_text(view: Mapping[str, Any]) -> str:
    """What a watcher sees, with colours: desks, then routes and cities where something stands."""
    lines = [_headline(view)]
    for player, desk in view["players"].items():
        skills = " ".join(f"{name} {level}" for name, level in desk["skills"].items())
        supply = f"supply {desk['supply']['t']}t {desk['supply']['m']}m"
        markers = " ".join(desk["markers"]) or "no markers"
        points = f"{desk['points']} points"
        lines.append(f"{_coloured(player)}: {points}, {supply}, {skills}, {markers}")
    for name, route in view["routes"].items():
        if any(route["posts"]) or route["marker"] or route["laid"]:
            posts = " ".join(_piece(piece) for piece in route["posts"])
            beside = " ".join(filter(None, [route["marker"], *route["laid"]]))
            lines.append(f"  {name}: {posts} {beside}".rstrip())
    for name, city in view["cities"].items():
        if any(city["offices"]) or city["extra"]:
            row = [*city["extra"], "|", *city["offices"]] if city["extra"] else city["offices"]
            lines.append(f"  {name}: " + " ".join(_piece(piece) for piece in row))
    return "\n".join(lines)


def as_line(view: Mapping[str, Any]) -> str:
    """All that a view tells, in one line: JSON without what is empty, absent or 0."""
    return json.dumps(_filled(view), separators=(",", ":"))


def _filled(value: Any) -> Any:
    if isinstance(value, Mapping):
        found = {key: _filled(part) for key, part in value.items()}
        return {key: part for key, part in found.items() if part not in _NOTHING}
    if isinstance(value, list | tuple):
        return [] if all(part is None for part in value) else [_filled(part) for part in value]
    return value


def _headline(view: Mapping[str, Any]) -> str:
    if view["over"]:
        return f"Turn {view['turn']}: the game is over ({view['end_reason']})"
    return (
        f"Turn {view['turn']} of {_coloured(view['active'])}, {view['actions_left']} actions left; "
        f"{_coloured(view['player'])} decides ({view['phase']})"
    )


def _piece(piece: str | None) -> str:
    return "·" if piece is None else _coloured(piece)


def _coloured(text: str) -> str:
    colour = _COLOURS.get(text.partition(":")[0])
    return f"\x1b[{colour}m{text}\x1b[0m" if colour else text
