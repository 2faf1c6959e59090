"""Reviews of finished games: worked out once, turn by turn in the background, then kept."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import msgspec
import sqlalchemy as sa
import structlog

from hansa.bots.turns import turns_of
from hansa.server import replay
from hansa.server.errors import TableError
from hansa.server.model import now_ms
from hansa.server.schema import reviews
from hansa.server.wire.reviews import JudgedTurn, Review, ReviewState
from hansa.server.written import squeezed, unsqueezed

if TYPE_CHECKING:
    from collections.abc import Coroutine

    import hansa
    from hansa.server.config import Config
    from hansa.server.heavy import Heavy
    from hansa.server.store import Store
    from hansa.server.study import Study
    from hansa.server.table import Table

__all__ = ["Reviews", "keep", "kept"]

_log = structlog.get_logger()
#: Seconds before a turn is asked for again where too much is being studied; and how often.
_PAUSE = 2.0
_TRIES = 30
Turn = tuple[dict[str, Any], int, list[str]]
Reading = Callable[[Callable[[sa.Connection], Any]], Awaitable[Any]]


class Reviews:
    """One review a game, whoever asks for it."""

    def __init__(
        self,
        store: Store,
        study: Study,
        heavy: Heavy,
        config: Config,
        spawn: Callable[[Coroutine[Any, Any, None]], None],
    ) -> None:
        self._store, self._study, self._heavy = store, study, heavy
        self._bot, self._spawn = config.review_bot, spawn
        self._under_way: dict[str, ReviewState] = {}

    async def look(self, table: Table, read: Reading) -> ReviewState:
        """How far the review of this table is; one that is there is read with `read`."""
        under_way = self._under_way.get(table.id)
        if under_way is not None and under_way.state == "working":
            return under_way
        found = await read(lambda connection: kept(connection, table.id))
        if found is not None:
            count = len(found.turns)
            return ReviewState(state="done", done=count, total=count, review=found)
        return under_way or ReviewState(state="none")

    async def begin(self, table: Table, address: str, person: str | None) -> ReviewState:
        """Have it worked out, unless it is there or under way, at the expense of whoever asks."""
        if table.meta.status != "over":
            raise TableError("not_over", "A game is reviewed when it is over.")
        self._heavy.check(address, person)
        known = await self.look(table, partial(self._heavy.read, address, person))
        if known.state in {"working", "done"}:
            return known
        self._heavy.check_thought(address, person)
        # Noted before anything is waited for: whoever asks meanwhile joins in.
        state = self._under_way[table.id] = ReviewState(state="working")
        meta, number = table.meta, table.number

        def work(connection: sa.Connection) -> list[Turn]:
            return [_sent(*turn) for turn in turns_of(replay.whole(connection, meta, number))]

        try:
            turns = await self._heavy.read(address, person, work)
        except BaseException:
            del self._under_way[table.id]
            raise
        state.total = len(turns)
        self._spawn(self._work_out(table.id, state, turns, address, person))
        return state

    async def _work_out(
        self, game: str, state: ReviewState, turns: list[Turn], address: str, person: str | None
    ) -> None:
        found, stored = [], False
        try:
            for position, number, played in turns:
                began = time.monotonic()
                found.append(await self._judged(position, number, played))
                self._heavy.pay_thought(address, person, time.monotonic() - began)
                state.done += 1
            review = Review(bot=self._bot, turns=found)
            await self._store.write(lambda connection: keep(connection, game, review))
            stored = True
        except TableError as error:
            _log.warning("review failed", game=game, error=error.message)
        finally:
            if stored:
                del self._under_way[game]
            else:  # whoever asks next has it tried again
                state.state = "failed"

    async def _judged(self, position: dict[str, Any], number: int, played: list[str]) -> JudgedTurn:
        """One turn; analyses of others come in between, so it waits where they are many."""
        for _ in range(_TRIES):
            try:
                return await self._study.judge(self._bot, position, number, played)
            except TableError as error:
                if error.code != "busy":
                    raise
                await asyncio.sleep(_PAUSE)
        raise TableError("busy", "Too much is being studied just now; try again later.")


def _sent(start: hansa.Game, number: int, played: list[Any]) -> Turn:
    return {**start.to_dict()}, number, [str(action) for action in played]


def kept(connection: sa.Connection, game: str) -> Review | None:
    """The stored review of a game."""
    data = connection.execute(sa.select(reviews.c.data).where(reviews.c.game == game)).scalar()
    return None if data is None else msgspec.json.decode(unsqueezed(data), type=Review)


def keep(connection: sa.Connection, game: str, review: Review) -> None:
    """Store a review; two processes may have worked it out at once: the later one counts."""
    connection.execute(reviews.delete().where(reviews.c.game == game))
    data = squeezed(review)
    connection.execute(reviews.insert(), {"game": game, "made": now_ms(), "data": data})
