"""Names of CONTRACT section 1 that are fixed, in the order of the numbers the rules use.

Markers are named where they are declared, boards in their files.
"""

from __future__ import annotations

PLAYERS = ("p1", "p2", "p3", "p4", "p5")
OWNERS = (*PLAYERS, "n")
SHAPES = ("t", "m")
SKILLS = ("keys", "actions", "privilege", "book", "bank")
FAVOURS = ("anywhere", "action", "income", "double", "city", "skill")
EDITIONS = ("classic", "bigbox")
DUELS = (None, "pawn", "neutral")
END_REASONS = (None, "prestige", "markers", "cities")
PRESTIGE_SPACES = (7, 8, 9, 11)
CATEGORIES = (
    "track",
    "skills",
    "markers",
    "prestige",
    "cities",
    "network",
    "missions",
    "regions",
)
