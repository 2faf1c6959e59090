"""What happened, noted while the rules run: the raw form of events.

The compiled engine replaces `note` by nothing, so searching costs no notes.
"""

from __future__ import annotations

from .state import State

# Kinds of notes with their four numbers.
MOVED = 1  # piece, from, to
POINTS = 2  # owner, amount, reason, city
TAKEN = 3  # player, marker, route
DRAWN = 4  # player
SHORT = 5  # player: nothing left to draw (END-2)
USED = 6  # player, marker
LAID = 7  # player, marker, route: from the plate
PROMO_LAID = 8  # player, marker, route
DISCARDED = 9  # marker, from: route + 1, or 0 for a fee, -1 for a plate; player
DEVELOPED = 10  # player, skill, new level, actions gained
COMPLETED = 11  # city, counter
LINKED = 12  # owner, rank from 1
FOUNDED = 13  # owner, city, piece, house from 1 (0: extra, -1: right end of a green city)
ESTABLISHED = 14  # owner, route
TURN_ENDED = 15  # player
TURN_BEGAN = 16  # player, actions
ENDED = 17  # reason
PAWN_MOVED = 18  # from, to, free
BOUGHT = 19  # player, tile
EXCHANGED = 20  # player, other, marker
PERMISSION = 21  # player, city
SWAPPED = 22  # city, house from 1
ACTIONS_GAINED = 23  # player, number
PAID_FEE = 24  # player, marker

# Reasons of points.
FOR_CONTROL, FOR_COIN, FOR_LINK = 1, 2, 3

# Places of a piece: one of these times 1000, plus a number.
ON_POST, IN_STOCK, IN_SUPPLY, IN_HAND, IN_HOUSE, IN_ANNEX, ON_PRESTIGE, ON_TRACK, ON_LAID = (
    1000,
    2000,
    3000,
    4000,
    5000,
    6000,
    7000,
    8000,
    9000,
)


def note(s: State, kind: int, a: int = 0, b: int = 0, c: int = 0, d: int = 0) -> None:
    """Write an event down if somebody listens."""
    if s.events is not None:
        s.events.append((kind, a, b, c, d))
