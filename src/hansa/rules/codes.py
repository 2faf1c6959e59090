"""Numbers for names: pieces, skills, tiles, editions, countries, and where markers lie.

Decisions, frames and markers are numbered where they are declared.
"""

from __future__ import annotations

# Owners and pieces. A piece on the board is 2 * owner + shape + 1; 0 is nobody.
MAX_PLAYERS = 5
NEUTRAL = 5
TRADER, MERCHANT = 0, 1
NEUTRAL_TRADER = 2 * NEUTRAL + 1
MAX_TRADERS, MAX_MERCHANTS = 27, 4

# Skills (SKILL-1): what each field of a track is worth.
KEYS, ACTIONS, PRIVILEGE, BOOK, BANK = 0, 1, 2, 3, 4
SKILL_STEPS = (4, 5, 3, 3, 3)
KEYS_VALUE = (1, 2, 2, 3, 4)
ACTIONS_VALUE = (2, 3, 3, 4, 4, 5)
BOOK_VALUE = (2, 3, 4, 5)
BANK_VALUE = (3, 5, 7, MAX_TRADERS + MAX_MERCHANTS)

# Emperor's Favour; 0 is no tile.
TILE_ANYWHERE, TILE_ACTION, TILE_INCOME, TILE_DOUBLE, TILE_CITY, TILE_SKILL = 1, 2, 3, 4, 5, 6
TILES = 6

# Editions, duels, countries, reasons of the end.
CLASSIC, BIGBOX = 0, 1
NO_DUEL, DUEL_PAWN, DUEL_NEUTRAL = 0, 1, 2
ENGLAND, WALES, SCOTLAND = 0, 1, 2
END_PRESTIGE, END_MARKERS, END_CITIES = 1, 2, 3
PRESTIGE_TO_END = 20

# Where markers lie when not at a route: segments of one pool, see pool.py.
AT_SUPPLY, AT_DISCARDED = 0, 1
AT_MARKERS, AT_USED, AT_PLATE = 2, 3, 4  # + 3 * player
SEGMENTS = 2 + 3 * MAX_PLAYERS

BITS = tuple(1 << k for k in range(62))
