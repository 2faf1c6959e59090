"""Reviews of finished games: worked out once, turn by turn in the background, then kept."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import msgspec
import sqlalchemy as sa
import structlog

from hansa.bots.turns import turns_of
from hansa.server import replay
from hansa.server.errors import TableError
from hansa.server.heavy import Turns
from hansa.server.model import now_ms
from hansa.server.schema import reviews
from hansa.server.wire.reviews import JudgedTurn, Review, ReviewState
from hansa.server.written import squeezed, unsqueezed

if TYPE_CHECKING:
    from collections.abc import Coroutine

    import hansa
    from hansa.server.config import Config
    from hansa.server.heavy import Heavy
    from hansa.server.model import Meta
    from hansa.server.store import Store
    from hansa.server.study import Study
    from hansa.server.table import Table

__all__ = ["Reviews", "keep", "kept"]

_log = structlog.get_logger()
#: Seconds before a turn is asked for again where too much is being studied; and how often.
_PAUSE = 2.0
_TRIES = 30
#: Reviews of one address that wait for the one that is being worked out.
_WAITING = 10
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
        spawn: Callable[[Coroutine[Any, Any, None]], object],
    ) -> None:
        self._store, self._study, self._heavy = store, study, heavy
        self._bot, self._spawn = config.review_bot, spawn
        self._under_way: dict[str, ReviewState] = {}
        # One after the other: whoever had a hundred games reviewed at once stopped all analyses.
        self._turns = Turns("reviews", 1, _WAITING)

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
        self._turns.check(address)
        # Noted before anything is waited for: whoever asks meanwhile joins in.
        state = self._under_way[table.id] = ReviewState(state="working")
        self._spawn(self._work_out(table.meta, table.number, state, address, person))
        return state

    async def _work_out(
        self, meta: Meta, number: int, state: ReviewState, address: str, person: str | None
    ) -> None:
        stored = False
        try:
            async with self._turns.of(address):
                # Those before it may have cost all there was.
                self._heavy.check_thought(address, person)
                review = await self._weighed(meta, number, state, address, person)
            await self._store.write(lambda connection: keep(connection, meta.id, review))
            stored = True
        except TableError as error:
            _log.warning("review failed", game=meta.id, error=error.message)
        finally:
            if stored:
                del self._under_way[meta.id]
            else:  # whoever asks next has it tried again
                state.state = "failed"

    async def _weighed(
        self, meta: Meta, number: int, state: ReviewState, address: str, person: str | None
    ) -> Review:
        """All turns of a game, one after the other; `state` tells how far it is."""

        def work(connection: sa.Connection) -> list[Turn]:
            return [_sent(*turn) for turn in turns_of(replay.whole(connection, meta, number))]

        turns = await self._heavy.read(address, person, work, begun=True)
        state.total = len(turns)
        pay, found = partial(self._heavy.pay_thought, address, person), list[JudgedTurn]()
        for turn in turns:
            found.append(await self._judged(*turn, pay))
            state.done += 1
        return Review(bot=self._bot, turns=found)

    async def _judged(
        self,
        position: dict[str, Any],
        number: int,
        played: list[str],
        pay: Callable[[float], None],
    ) -> JudgedTurn:
        """One turn; analyses of others come in between, so it waits where they are many."""
        for _ in range(_TRIES):
            try:
                return await self._study.judge(self._bot, position, number, played, pay)
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
