"""Where the weights of the judgement stand in the work list; `fitted.py` has their values."""

from __future__ import annotations

from hansa.bots.judge.work import SCORES
from hansa.rules.codes import MAX_LEGAL

# Places of the weights, from the start of their part of the work list.
STEP = 0
"""What each step of a skill is worth with the whole game ahead: keys, actions, privilege, book, bank."""
STEP_FIRST = (0, 4, 9, 12, 15)
FULL_NEAR = 18
FULL_FAR = 19
MARKER_SCALE = 20
USE = 21
NETWORK_GROWTH = 33
KEYS_LATER = 34
SEED_SHARE = 35
FLOW = 36
GUARD = 37
LINK_SCALE = 38
GIFT = 39
RISK = 40
MOVE_COST = 41
PIECE_COST = 42
SHORT_COST = 43
SHORT_FIXED = 44
FOR_OTHERS = 45
INCOME_RICH = 46
INCOME_POOR = 47
PRESTIGE_SCALE = 48
IN_WAY = 49
LAY_LENGTH = 50
EXTRA_KEPT = 51
WINNING_END = 52
LOSING_END = 53
MISSION = 54
REGION = 55
PERMISSION = 56
ACTION = 57
COMPLETES = 58
MOVE_FROM = 59

KNOBS = SCORES + MAX_LEGAL
"""Where the weights begin in the work list."""
FEATURE = KNOBS + 64
"""Where the features of a position are written."""
EVAL = FEATURE + 64
"""Where the weights of the features begin."""
CALM = EVAL + 62
"""Hundredths of a point that count little even at the very end."""
UNCERTAIN = EVAL + 63
"""Hundredths of them more for each percent of the game that is left."""
WORK_SIZE = EVAL + 64
