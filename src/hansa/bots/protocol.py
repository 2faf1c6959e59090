"""What a bot is: something that chooses one of the legal decisions, knowing only its view."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

from hansa.action import Action
from hansa.errors import HansaError

__all__ = ["Bot", "BotError", "UnknownBot", "View"]

View = Mapping[str, Any]
"""What `game.view(seat)` gives: the position without what the seat may not know."""


class BotError(HansaError):
    """A bot that cannot be made or cannot go on; the message says what to do."""


class UnknownBot(BotError):
    """A name or a setting that no bot has."""


@runtime_checkable
class Bot(Protocol):
    """A player that is a program.

    `choose` gets the view of the seat whose decision it is, the legal decisions in the engine's
    order, and how many seconds are left on the seat's clock (None: no clock). It returns one of
    the legal decisions, or its text. A bot keeps nothing between decisions that it could not
    read from the view, so one bot may serve several games one after the other.
    """

    name: str

    def choose(self, view: View, legal: Sequence[Action], clock: float | None = None) -> Action:
        """The decision of this bot."""
        ...
