"""The five boards, read from their files and checked."""

from hansa.boards.board import BOARD_IDS, Board, City, House, Post, Province, Route, load

__all__ = ["BOARD_IDS", "Board", "City", "House", "Post", "Province", "Route", "load"]
