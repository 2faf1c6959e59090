"""Bots at the table: they think in worker processes and decide through the same authority."""

from __future__ import annotations

import asyncio
import random
import time
from typing import TYPE_CHECKING, Any

import structlog

from hansa import bots
from hansa.bots.registry import is_search
from hansa.bots.search import CLOCK_SHARE
from hansa.server import referee
from hansa.server.config import ConfigError
from hansa.server.errors import TableError
from hansa.server.limits import Purse
from hansa.server.metrics import BOT_SECONDS
from hansa.server.queues import ASKED_FROM
from hansa.server.ratings import MACHINES
from hansa.server.stored import ENTRY
from hansa.server.table import clocks_now
from hansa.server.wire.log import By
from hansa.server.wire.setups import BotFace
from hansa.server.workers import WorkerFailed, WorkerRefused, Workers

if TYPE_CHECKING:
    import hansa
    from hansa.server.config import Config
    from hansa.server.decisions import Decisions
    from hansa.server.table import Table

__all__ = ["BotPlayers", "catalogue", "checked"]

_log = structlog.get_logger()
#: The process that applied the last decision thinks first; if it died, another does.
_PATIENCE = 5.0
#: Seconds until a bot tries again where its decision could not be stored.
_AGAIN = 1.0
#: What one decision of a bot may cost this server.
_MOST = {"time": 10.0, "simulations": 20_000.0, "threads": 2.0, "rounds": 4.0}
#: Seconds after which a bot is taken to hang; more than any allowed setting needs.
_HANGS = 30.0
#: Seconds that people should wait at most for a bot where many want to think at once.
_CROWDED = 5.0
#: Seconds of a thought that takes the last process: so long others wait for one.
_LAST = 2.0
#: Seconds for a decision of bots whose host has had his share of thinking.
_HURRIED = 0.05


def catalogue() -> list[BotFace]:
    """The bots that can take a seat."""
    rated = MACHINES["duel"]
    return [BotFace(**entry, rated=entry["spec"] in rated) for entry in bots.catalogue()]


def _check_settings(config: Config) -> None:
    """Likewise a stand-in that cannot play, or a review that nobody can make."""
    for name, spec in (("default_bot", config.default_bot), ("review_bot", config.review_bot)):
        try:
            bots.create(spec)
        except bots.BotError as error:
            raise ConfigError(f"settings: {name}: {error}") from error
    if not is_search(config.review_bot):
        raise ConfigError(f"settings: review_bot: {config.review_bot} is no search")


def checked(spec: str) -> str:
    """The name of a bot that exists, can be made and does not think for ever.

    Raises:
        TableError: `unknown_bot`, naming those there are.
    """
    try:
        bots.create(spec)
    except bots.BotError as error:
        raise TableError("unknown_bot", str(error)) from error
    for setting in spec.partition(":")[2].split(","):
        name, _, value = setting.partition("=")
        if name in _MOST and float(value) > _MOST[name]:
            raise TableError("unknown_bot", f"{spec}: {name} is at most {_MOST[name]:g} here.")
    return spec


class BotPlayers:
    """Watches the tables and lets a bot think wherever one has to decide."""

    def __init__(self, decisions: Decisions) -> None:
        catalogue()  # HANSA_BOTS that nobody can read stops the start, not a game
        _check_settings(decisions.hall.config)
        self._decisions, self._hall = decisions, decisions.hall
        self._workers = Workers(self._hall.config.bot_workers, "bot")
        config = self._hall.config
        # Of the host and of the address where it was set going: hosts that are guests cost nothing.
        self._thinking = Purse("decisions of bots", config.bot_share, config.bot_burst)
        # A game among bots that decide by chance never ends, and its log grows as fast as they play.
        self._writing = Purse("decisions of bots", config.bytes_share, config.bytes_burst)
        self._warmed: set[str] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._hall.watchers.append(self.consider)

    @property
    def busy(self) -> int:
        """Decisions that are being thought about, or wait for that."""
        return self._workers.busy

    def close(self) -> None:
        """Stop thinking."""
        self._workers.close()

    def consider(self, table: Table, mine: bool) -> None:
        """Start the bot whose decision it is; `mine`: this process applied the last decision."""
        if self._hall.closing:
            return
        table.led_here = mine
        if table.meta.status != "over":
            self._warm(table)
        idle = table.bot_task is None or table.bot_task.done()
        if idle and self._bot_of(table) is not None:
            table.bot_task = asyncio.ensure_future(self._play(table))

    def _warm(self, table: Table) -> None:
        """Whoever sits at a table shall not have to be fetched when his turn comes, whatever his settings."""
        names = {seat.bot.partition(":")[0] for seat in table.meta.seats if seat.bot}
        for name in names - self._warmed:
            self._warmed.add(name)
            task = asyncio.ensure_future(self._warm_one(name))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _warm_one(self, spec: str) -> None:
        try:
            await self._workers.ask("warm", _HANGS, spec=spec)
        except (WorkerFailed, WorkerRefused) as error:
            if not self._hall.closing:
                _log.warning("bot cannot be made ready", bot=spec, error=str(error))

    def _bot_of(self, table: Table) -> str | None:
        seat = table.meta.seat(table.decider or "")
        if seat is None:
            return None
        # A game among bots waits until somebody watches it.
        if not table.listeners and all(s.kind == "bot" for s in table.meta.seats):
            return None
        return seat.player_bot()

    async def _play(self, table: Table) -> None:
        while (bot := self._bot_of(table)) is not None and not self._hall.closing:
            if not table.led_here and self._hall.store.shared:
                seen = table.revision
                await asyncio.sleep(_PATIENCE + random.random())
                if table.revision != seen:
                    continue
            try:
                await self._decide(table, bot)
            except TableError as error:
                if error.code == "shutting_down":
                    return
                _log.warning("bot decision refused", game=table.id, bot=bot, code=error.code)
                await asyncio.sleep(_AGAIN)
            except Exception:  # noqa: BLE001 - whatever it was, people wait for this bot
                _log.exception("bot decision failed", game=table.id, bot=bot)
                await asyncio.sleep(_AGAIN)

    async def _decide(self, table: Table, bot: str) -> None:
        revision, game, seat = table.revision, table.game, table.decider
        if game is None or seat is None:
            return
        left = clocks_now(table)
        seconds = left[seat] / 1000 if left else None
        began = time.monotonic()
        text = await self._think(table, bot, game, seat, seconds)
        took = time.monotonic() - began
        BOT_SECONDS.observe(took)
        payers = _payers(table)
        pause = max(table.meta.options.bot_delay, self._writing.debt(*payers))
        await asyncio.sleep(max(0.0, pause - took))
        place = table.meta.seat(seat)
        by: By = "bot" if place is not None and place.kind == "bot" else "standin"
        await self._decisions.act_bot(table, text, revision, by)
        self._writing.charge(*payers, ENTRY)

    async def _think(
        self, table: Table, bot: str, game: hansa.Game, seat: str, seconds: float | None
    ) -> str:
        legal = referee.legal(game)
        if len(legal) == 1:
            return legal[0]
        payers = _payers(table)
        given: dict[str, Any] = {
            "whose": payers[0],
            "pay": lambda took: self._thinking.charge(*payers, took),
            "view": game.view(seat),
            "legal": legal,
            "clock": self._hurry(seconds, *payers),
        }
        try:
            text = await self._workers.ask("choose", _HANGS, spec=bot, **given)
        except (WorkerFailed, WorkerRefused) as error:
            if self._hall.closing:
                raise TableError("shutting_down", "The server is restarting.") from error
            # A broken bot must not hold up the people at its table.
            _log.error(
                "bot failed, deciding at random for it", game=table.id, bot=bot, error=str(error)
            )
            return random.choice(legal)
        return str(text)

    def _hurry(self, seconds: float | None, address: str, host: str) -> float | None:
        """The clock a bot is shown: where many wait, or its host's have thought much, less."""
        if self._thinking.debt(address, host) > 0:
            return CLOCK_SHARE * _HURRIED
        queue, count = self._workers.queue, self._workers.count
        limits = [] if seconds is None else [seconds]
        if (waiting := queue.crowd(address)) > count:
            limits.append(CLOCK_SHARE * _CROWDED * count / waiting)
        if queue.length + 1 >= count > 1:
            limits.append(CLOCK_SHARE * _LAST)
        return min(limits, default=None)


def _payers(table: Table) -> tuple[str, str]:
    """The address and the host at whose expense a bot plays: who set it going by a decision, or by
    looking on; after a restart, when nobody has, the host alone.
    """
    host = table.meta.host
    return ASKED_FROM.get() or host, host
