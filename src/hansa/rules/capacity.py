"""How large a board can be: as large as the largest one there is, so that no number is ever full."""

from __future__ import annotations

from hansa.boards import BOARD_IDS, load

_BOARDS = [load(board_id) for board_id in BOARD_IDS]

MAX_CITIES = max(len(board.cities) for board in _BOARDS)
MAX_ROUTES = max(len(board.routes) for board in _BOARDS)
MAX_POSTS = max(sum(len(route.posts) for route in board.routes) for board in _BOARDS)
MAX_HOUSES = max(sum(len(city.houses) for city in board.cities) for board in _BOARDS)
MAX_GREEN = max(sum(city.green for city in board.cities) for board in _BOARDS)
MAX_PERMISSIONS = max(len(board.permissions) for board in _BOARDS)
MAX_PROVINCES = max(len(board.provinces) for board in _BOARDS)
MAX_LEGAL = 512 + 2 * MAX_POSTS + 12 * MAX_ROUTES
"""Legal decisions of one position: two a post, those of the routes 31 pieces can fill, markers."""

# The width of numbers that name a post or count pieces of the board.
POST_TYPE = "i1" if MAX_POSTS < 128 else "i2"
