"""The boards, read once from their files."""

from hansa.boards.board import Board, City, House, Post, Province, Route, load
from hansa.boards.files import BOARD_IDS, FAMILIES, side, sides

__all__ = [
    "BOARD_IDS",
    "FAMILIES",
    "Board",
    "City",
    "House",
    "Post",
    "Province",
    "Route",
    "load",
    "side",
    "sides",
]
