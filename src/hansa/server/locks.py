"""A lock that knows who waits for it."""

from __future__ import annotations

import asyncio
from typing import Literal

__all__ = ["Lock"]


class Lock(asyncio.Lock):
    """Python's own is free for a moment between two who want it, and looks as if nobody did."""

    def __init__(self) -> None:
        super().__init__()
        #: How many have it or wait for it.
        self.wanted = 0

    async def acquire(self) -> Literal[True]:
        """Wait for it."""
        self.wanted += 1
        try:
            return await super().acquire()
        except asyncio.CancelledError:
            self.wanted -= 1
            raise

    def release(self) -> None:
        """Let the next one have it."""
        super().release()
        self.wanted -= 1
