"""Which tables may be rated, and who sees to it that finished ones are."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import structlog

from hansa.server import ladder
from hansa.server.errors import TableError
from hansa.server.ratings import MACHINES, pool_of

if TYPE_CHECKING:
    from hansa.server.hall import Hall
    from hansa.server.model import Meta, Person
    from hansa.server.table import Table

__all__ = ["Raters", "check"]

_log = structlog.get_logger()
#: How often one tries while another process reckons, and the seconds in between.
_TRIES, _PAUSE = 40, 0.05


def check(meta: Meta, person: Person) -> None:
    """Whether a table may be rated with `person`, who has just sat down or arranges it.

    Raises:
        TableError: `needs_account`, or `not_rated` with what to change.
    """
    if not meta.options.rated:
        return
    if person.account is None:
        raise TableError(
            "needs_account",
            "A rated game is for people with an account: make one in your profile, or sign in.",
        )
    people = [seat.person for seat in meta.seats if seat.kind == "human"]
    if len(set(people)) < len(people):
        raise TableError("not_rated", "In a rated game everybody has one seat.")
    if meta.options.seeded or meta.origin is not None:
        raise TableError("not_rated", "A rated game begins anew, with a seed that nobody chose.")
    known = MACHINES[pool_of(len(meta.seats))]
    for seat in meta.seats:
        if seat.bot is not None and seat.bot not in known:
            raise TableError(
                "not_rated",
                f"{seat.bot} has no rating. Rated games take these machines: {', '.join(known)}.",
            )


class Raters:
    """Lets the ladder be reckoned whenever a rated game ends, here or in a process that died."""

    def __init__(self, hall: Hall) -> None:
        self._hall = hall
        self._tasks: set[asyncio.Task[None]] = set()
        hall.watchers.append(self._consider)

    def _consider(self, table: Table, mine: bool) -> None:
        if mine and table.meta.status == "over" and table.meta.options.rated:
            task = asyncio.ensure_future(self._settle_quietly())
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _settle_quietly(self) -> None:
        try:
            await self.settle()
        except TableError as error:
            # The lines are there: whoever looks next, or the next round, reckons them.
            _log.warning("ratings wait", code=error.code)

    async def settle(self) -> None:
        """Return when every game that has ended is reckoned."""
        for _ in range(_TRIES):
            if not await self._hall.store.read(ladder.is_behind):
                return
            if not await self._hall.store.write(ladder.settle_if_free):
                await asyncio.sleep(_PAUSE)
