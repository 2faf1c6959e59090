"""Board files, scenes and text widths: the facts the drawing reads, each read once."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any

from hansa.errors import InvalidPosition

__all__ = ["BOARDS", "board_data", "board_file_id", "read_art", "scale", "scene", "text_width"]

BOARDS = ("hansa-23", "hansa-45", "east", "britannia-23", "britannia-45")


@cache
def read_art(name: str) -> str:
    """The text of a file of `hansa.art`."""
    return files("hansa.art").joinpath(name).read_text(encoding="utf-8")


@cache
def board_data(board_id: str) -> dict[str, Any]:
    """The board file as it lies there; raises ValueError for an unknown id."""
    if board_id not in BOARDS:
        raise ValueError(f"unknown board {board_id!r}: use one of {', '.join(BOARDS)}")
    text = files("hansa.boards").joinpath(f"{board_id}.json").read_text(encoding="utf-8")
    data: dict[str, Any] = json.loads(text)
    return data


@cache
def scene(board_id: str) -> dict[str, Any]:
    """The lie of the land; the 2–3 sides stand on the scene of the 4–5 sides."""
    scenes: dict[str, dict[str, Any]] = json.loads(read_art("scenes.json"))
    own = scenes[board_id]
    base = own.get("like")
    if base is None:
        return own
    merged = {**scenes[base], **own}
    for key in ("nudges", "badges"):
        merged[key] = {**scenes[base][key], **own.get(key, {})}
    return merged


def scale(board_id: str) -> float:
    """The scale of the board's elements: each is drawn so large about its own place."""
    return float(scene(board_id)["element_scale"])


def board_file_id(board: str, players: int) -> str:
    """The file of a board's side for so many players; raises InvalidPosition."""
    name = board if board == "east" else f"{board}-{'23' if players <= 3 else '45'}"
    if name not in BOARDS:
        raise InvalidPosition(f"game.board: {board!r} is no board; use hansa, east or britannia")
    if not 2 <= players <= 5:  # every number has its side; two play a duel (CFG-1 to -5)
        raise InvalidPosition(f"game.players: {players} on {board}; 2 to 5 can play")
    return name


# Advance widths of Alegreya 700 in thousandths of the type size.
_WIDTHS = {
    **dict(
        zip(
            "ABCDEFGHIJKLM",
            (625, 627, 616, 694, 596, 531, 654, 747, 365, 332, 657, 530, 841),
            strict=True,
        )
    ),
    **dict(
        zip(
            "NOPQRSTUVWXYZ",
            (728, 675, 576, 680, 641, 539, 567, 657, 624, 962, 681, 594, 580),
            strict=True,
        )
    ),
    **dict(
        zip(
            "abcdefghijklm",
            (483, 513, 431, 537, 462, 341, 510, 543, 292, 273, 517, 263, 838),
            strict=True,
        )
    ),
    **dict(
        zip(
            "nopqrstuvwxyz",
            (562, 516, 537, 517, 411, 408, 332, 546, 466, 737, 496, 464, 458),
            strict=True,
        )
    ),
    **dict(zip("äöüß -–", (479, 503, 546, 637, 174, 355, 536), strict=True)),
}


def text_width(text: str, size: float) -> float:
    """Width of a text in Alegreya 700; unknown signs count as an n."""
    return sum(_WIDTHS.get(sign, 562) for sign in text) * size / 1000
