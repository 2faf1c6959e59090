"""What the parts of the arena share."""

from __future__ import annotations

from collections.abc import Callable, Generator

from hansa.bots.match import Result
from hansa.errors import HansaError

from .pairing import Pairing

__all__ = ["ArenaError", "Progress", "Results", "Tell"]

Progress = Callable[[int, int], None]
"""Called with how many games are played and how many there will be."""
Tell = Callable[[str], None]
"""Called with what is going on besides games."""
Results = Generator[tuple[Pairing, Result], None, None]
"""Games as they come in."""


class ArenaError(HansaError):
    """A tournament that cannot be held; the message says what to change."""
