"""The layout of the work list: what one survey of a position leaves for the judgements after it."""

from __future__ import annotations

from hansa.rules.tables import MAX_CITIES, MAX_ROUTES

# Single numbers.
LEFT = 0
"""How much of the game is left, in percent."""
KEYS_WORTH = 1
"""What one more office in the network is worth."""
LARGEST = 2
"""Size of the largest network."""
LINK_MISSING = 3
"""Cities still missing for the link."""
LINK_REWARD = 4
"""What the link is worth now; 0 when it is had, or all rewards are gone."""
PRESENCE = 5
"""Cities with own offices, as bits."""
BEST = 6
"""The route with the best plan, -1 without any."""
BEST_RANK = 7
ON_BOARD = 8
"""Own pieces on posts."""
LEAD = 9
"""Own total less the best other total, if the game ended now."""

# By city.
CONTROL = 20
"""Owner, -1 for nobody."""
MINE = CONTROL + MAX_CITIES
"""Own offices."""
NETWORK = MINE + MAX_CITIES
"""Size of the own network the city belongs to."""
NETWORK_ID = NETWORK + MAX_CITIES
"""Its first city."""
FROM_A = NETWORK_ID + MAX_CITIES
"""Cities missing on the way from the first link city, this one included."""
FROM_B = FROM_A + MAX_CITIES
DEGREE = FROM_B + MAX_CITIES
"""Routes that end in the city."""
OFFICE = DEGREE + MAX_CITIES
"""What one more own office in a house is worth."""
EXTRA = OFFICE + MAX_CITIES
"""What an extra office is worth; filled in only for who holds such a marker."""

# By route.
VALUE = EXTRA + MAX_CITIES
"""What establishing the route would bring."""
COST = VALUE + MAX_ROUTES
"""Actions until then, in hundredths."""
RANK = COST + MAX_ROUTES
"""Value an action; what plans are compared by."""
WANTS = RANK + MAX_ROUTES
"""1: the plan wants a merchant on the route, 2: and none stands there yet."""
MISSING = WANTS + MAX_ROUTES
"""Posts not yet own."""
BY_MOVE = MISSING + MAX_ROUTES
"""Posts that one Move would fill."""

SCORES = BY_MOVE + MAX_ROUTES
"""From here on: one number for each legal decision."""

FAR = 99
