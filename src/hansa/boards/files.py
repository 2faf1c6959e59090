"""The board files: one JSON file a side, found in this folder and in extensions.

No list of boards is written anywhere: a file makes a board. `order` says where it stands in lists
and `wave` with which boards its places were numbered (see slots.py).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any

from hansa import extensions
from hansa.errors import InvalidSetup

__all__ = ["BOARD_IDS", "FAMILIES", "data", "side", "sides"]


def _texts() -> dict[str, str]:
    """The text of every board file by its id."""
    own = [f for f in resources.files("hansa.boards").iterdir() if f.name.endswith(".json")]
    found = [*own, *extensions.files("boards", "*.json")]
    return {f.name.removesuffix(".json"): f.read_text("utf-8") for f in found}


@cache
def _all() -> dict[str, dict[str, Any]]:
    """Every board file, one that is `like` another with what it takes over from it."""
    given = {name: json.loads(text) for name, text in _texts().items()}
    whole = {name: _completed(given, entry) for name, entry in given.items()}
    return dict(sorted(whole.items(), key=lambda item: (item[1]["order"], item[0])))


def _completed(given: Mapping[str, Any], entry: dict[str, Any]) -> dict[str, Any]:
    """What a side does not say itself is as on the side it is like."""
    if "like" not in entry:
        return {"scene": {}, **entry}
    base = given[entry["like"]]
    scene = {**base["scene"], **entry.get("scene", {})}
    for key in ("nudges", "badges"):
        scene[key] = {**base["scene"][key], **entry.get("scene", {}).get(key, {})}
    return {**base, **entry, "scene": scene}


BOARD_IDS = tuple(_all())
FAMILIES = tuple(dict.fromkeys(entry["family"] for entry in _all().values()))
"""What both sides of a board have in common: `hansa`, `east`, `britannia`."""


def data(board_id: str) -> dict[str, Any]:
    """The facts of a board file; raises InvalidSetup for an unknown id."""
    if board_id not in BOARD_IDS:
        raise InvalidSetup(f"unknown board {board_id!r}: one of {', '.join(BOARD_IDS)}")
    return _all()[board_id]


def sides(family: str) -> tuple[str, ...]:
    """The file ids of all sides of a board."""
    return tuple(name for name, entry in _all().items() if entry["family"] == family)


@cache
def side(family: str, players: int) -> str:
    """SETUP-1: the side for the number of players; a duel is played on the one for fewest."""
    found = sides(family)
    if not found:
        raise InvalidSetup(f"unknown board {family!r}: one of {', '.join(FAMILIES)}")

    def distance(name: str) -> int:
        return min(abs(players - int(number)) for number in _all()[name]["players"])

    return min(found, key=distance)
