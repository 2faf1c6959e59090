"""What a search keeps between simulations: the tree as flat lists, and a few numbers."""

from __future__ import annotations

# Places in the list of numbers.
NODES = 0
"""Nodes in use."""
SEED = 1
DONE_SIMULATIONS = 2
ROOTS = 3
"""Slots 0 … of the states hold so many sampled roots; the next slot is to work on."""
HORIZON = 4
"""Turns after the root's in which playing on stops."""
VIEWER = 5
CHILDREN = 6
"""At most so many decisions are looked at in a node."""
EXPLORE = 7
"""How much is explored, in hundredths."""
SOFTNESS = 8
"""How far a decision may be rated below the best one, in hundredths of a point, and still count."""
STOP = 9
"""Not 0: no further simulation begins."""
NUMBERS = 16

PLAYERS = 5
PATH = 512
"""No simulation goes through more nodes of the tree."""
KEYS = 128
"""Places to note what has been seen, while a node is opened or a position sampled."""
