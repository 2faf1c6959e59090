"""The space of ids: where each area of it lies. It may grow at its end, nothing in it ever moves."""

from __future__ import annotations

AT_POST = 381
"""Here begin the decisions that name a post: a block of POST_OPS ids for each slot of a post."""
POST_OPS = 8
AT_ROUTE = 1405
"""Here begin those that name a route: a block of ROUTE_OPS ids for each slot of a route."""
ROUTE_OPS = 32
NEW = 2749
"""The next free id: a new kind of decision begins here, then raise this number by its size."""
