"""Numbers for names: shapes, skills, markers, tiles, frames, and the space of decision ids."""

from __future__ import annotations

from hansa.boards.slots import POST_SLOTS, ROUTE_SLOTS, SWAP_SLOTS

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

# Ordinary and promo markers; 0 is none.
EXTRA_OFFICE, SWAP, SKILL_MARKER, PLUS3, PLUS4, REMOVE3, REPLACE3, MOVE3 = 1, 2, 3, 4, 5, 6, 7, 8
EXCHANGE, TRIBUTE, BLOCK = 9, 10, 11
MARKERS = 11

# Permanent markers; 0 is none.
PERM_MOVE2, PERM_PRIVILEGE, PERM_GREEN, PERM_PLACE2_ROUTE, PERM_PLACE2_ABROAD = 1, 2, 3, 4, 5

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

# What is being decided: kinds of frames on the stack of pending decisions. 0 is the turn itself.
IN_TURN, IN_SETUP, IN_PAY, IN_DISPLACED, IN_NEUTRAL_PUT, IN_MOVE = 0, 1, 2, 3, 4, 5
IN_REMOVE3, IN_REPLACE3, IN_GREEN, IN_PLACE2, IN_ABROAD, IN_REACTION = 6, 7, 8, 9, 10, 11
IN_SPEND, IN_FINISH, IN_PERMANENT, IN_PLATE = 12, 13, 14, 15
FRAMES = 6

# Modes of lifting and putting (IN_MOVE): the action, the marker, the permanent marker.
BY_BOOK, BY_MOVE3, BY_PERM_MOVE2 = 0, 1, 2

# Ids of decisions, ascending: the order in which legal decisions are listed.
DONE, END = 0, 1
PAY = 2  # + shape
TAKE = 4  # + shape
INCOME = 6  # + 5 * traders + merchants
PAWN = INCOME + 5 * (MAX_TRADERS + 1)  # + province - 1
PROVINCES = 16
WALK = PAWN + PROVINCES
FAVOUR = WALK + PROVINCES  # + tile - 1
SPEND = FAVOUR + TILES  # + marker - 1
FEE = SPEND + MARKERS
USE_PLUS3 = FEE + MARKERS
USE_PLUS4 = USE_PLUS3 + 1
USE_SKILL = USE_PLUS4 + 1  # + skill
USE_REMOVE3 = USE_SKILL + 5
USE_REPLACE3 = USE_REMOVE3 + 1
USE_MOVE3 = USE_REPLACE3 + 1
USE_SWAP = USE_MOVE3 + 1  # + slot of the two houses
USE_EXCHANGE = USE_SWAP + SWAP_SLOTS  # + 11 * player + marker - 1
GREEN = USE_EXCHANGE + MARKERS * MAX_PLAYERS  # + 2 * green city + shape
AT_POST = GREEN + 2 * 3  # + 8 * post slot + one of the following
PLACE, DISPLACE, LIFT, PUT, TAKE_POST = 0, 2, 4, 5, 7  # PLACE, DISPLACE, PUT: + shape
POST_OPS = 8
AT_ROUTE = AT_POST + POST_OPS * POST_SLOTS  # + 32 * route slot + one of the following
EST_NONE, EST_OFFICE, EST_EXTRA, EST_SKILL, EST_PRESTIGE = 0, 1, 3, 7, 12
# EST_OFFICE + end; EST_EXTRA + 2 * end + shape; EST_SKILL + skill; EST_PRESTIGE + space
LAY_TRIBUTE, LAY_BLOCK, NEUTRAL_CITY, LAY = 16, 17, 18, 20  # NEUTRAL_CITY + end; LAY + marker - 1
ROUTE_OPS = 32
ACTION_IDS = AT_ROUTE + ROUTE_OPS * ROUTE_SLOTS
MAX_LEGAL = 1024

BITS = tuple(1 << k for k in range(40))
