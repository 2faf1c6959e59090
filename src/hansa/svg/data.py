"""Board files, scenes and text widths: the facts the drawing reads, each read once."""

from __future__ import annotations

from functools import cache
from importlib.resources import files as package_files
from typing import Any

from hansa.boards import FAMILIES, files, side
from hansa.errors import InvalidPosition

__all__ = [
    "board_data",
    "board_file_id",
    "panel_scale",
    "read_art",
    "scale",
    "scene",
    "text_width",
]

PLAIN: dict[str, Any] = {
    **{what: [] for what in ("seas", "isles", "rivers", "lakes", "relief", "hills", "woods")},
    "sealbl": [],
    "badges": {},
    "nudges": {},
    "element_scale": 1,
}
"""The lie of the land of a board that says nothing of it."""


@cache
def read_art(name: str) -> str:
    """The text of a file of `hansa.art`."""
    return package_files("hansa.art").joinpath(name).read_text(encoding="utf-8")


@cache
def board_data(board_id: str) -> dict[str, Any]:
    """The facts of the board file without its scene; raises InvalidSetup for an unknown id."""
    return {key: value for key, value in files.data(board_id).items() if key != "scene"}


@cache
def scene(board_id: str) -> dict[str, Any]:
    """The lie of the land."""
    size = files.data(board_id)["size"]
    places = {"rose": [size[0] - 60, size[1] - 60, 26], "track": [34, 26], "linkp": [34, 60]}
    return {**PLAIN, **places, **files.data(board_id)["scene"]}


def scale(board_id: str) -> float:
    """The scale of the board's elements: each is drawn so large about its own place."""
    return float(scene(board_id)["element_scale"])


def panel_scale(board_id: str) -> float:
    """The scale of plaques, tracks and the score ribbon: larger where the whole board is seen from afar."""
    info = scene(board_id)
    return float(info.get("panel_scale", info["element_scale"]))


def board_file_id(board: str, players: int) -> str:
    """The file of a board's side for so many players; raises InvalidPosition."""
    if board not in FAMILIES:
        boards = ", ".join(FAMILIES)
        raise InvalidPosition(f"game.board: {board!r} is no board; use one of {boards}")
    if not 2 <= players <= 5:  # every number has its side; two play a duel (CFG-1 to -5)
        raise InvalidPosition(f"game.players: {players} on {board}; 2 to 5 can play")
    return side(board, players)


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
