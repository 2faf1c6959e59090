"""A turn that is prepared while others decide."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from hansa.server.wire.answers import Why
from hansa.server.wire.reviews import Line
from hansa.server.wire.words import Count, Decision, Seat

__all__ = ["Prepared", "PreparedWish"]


class PreparedWish(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """Decisions of one's own next turn, as if it began in that position."""

    number: Annotated[Count, Meta(description="of the position they are prepared in")]
    seat: Seat
    decisions: Annotated[list[Decision], Meta(max_length=100)]


class Prepared(Line, kw_only=True):
    """How far they could be played there, as their player sees it; nothing is stored."""

    refused: Annotated[
        Why | None, Meta(description="why the decision after the last of `entries` is not allowed")
    ]
