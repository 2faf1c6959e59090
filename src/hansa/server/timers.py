"""Clocks that run out while nobody does anything."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from hansa.server.errors import TableError
from hansa.server.table import clocks_now

if TYPE_CHECKING:
    from hansa.server.hub import Hub
    from hansa.server.table import Table

__all__ = ["Timers"]

#: Seconds between two tries where the store does not answer.
_AGAIN = 1.0
_TRIES = 60


class Timers:
    """One timer for each table whose decider can run out of time."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        hub.hall.watchers.append(self.set)

    def set(self, table: Table, _mine: bool) -> None:
        """Wake up when the decider's bank is empty."""
        if table.clock_timer is not None:
            table.clock_timer.cancel()
            table.clock_timer = None
        clock, seat, left = table.meta.options.clock, table.decider, clocks_now(table)
        if clock is None or seat is None or left is None or clock.consequence == "none":
            return
        place = table.meta.seat(seat)
        if place is None or place.player_bot() is not None:
            return
        loop = asyncio.get_running_loop()
        table.clock_timer = loop.call_later(
            left[seat] / 1000 + 0.02, lambda: self._hub.spawn(self._ring(table, seat))
        )

    async def _ring(self, table: Table, seat: str) -> None:
        for _ in range(_TRIES):
            try:
                # Should one hang, whoever was led there could not decide; nobody has noted that yet.
                await self._hub.following.hear_all()
                if self._hub.hall.live.get(table.id) is not table:
                    return  # let go meanwhile: whoever opens it sets its clock
                await self._hub.manners.time_is_up(table, seat)
            except TableError as error:
                if error.code == "shutting_down":
                    return
                # Another process was faster, or the store is away: what holds then is looked up.
                await asyncio.sleep(_AGAIN)
            else:
                # Nobody's time was up where the clock was set back, or the machine slept meanwhile.
                self.set(table, False)
                return
