"""Bots at the table: they think in worker threads and decide through the same authority."""

from __future__ import annotations

import asyncio
import random
import threading
import time
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import msgspec
import structlog

from hansa import bots
from hansa.bots.analysis import analyse
from hansa.server import engine
from hansa.server.errors import TableError
from hansa.server.metrics import BOT_SECONDS
from hansa.server.table import clocks_now

if TYPE_CHECKING:
    import hansa
    from hansa.server.table import Table
    from hansa.server.tables import Tables

__all__ = ["BotPlayers", "catalogue", "checked", "choose"]

_log = structlog.get_logger()
#: The process that applied the last decision thinks first; if it died, another does.
_PATIENCE = 5.0
_made = threading.local()


def catalogue() -> list[dict[str, Any]]:
    """The bots that can take a seat."""
    return [dict(entry) for entry in bots.catalogue()]


#: What one decision of a bot may cost this server.
_MOST = {"time": 10.0, "simulations": 20_000.0}


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


def choose(spec: str, game: hansa.Game, seat: str, seconds: float | None) -> str:
    """What the bot decides, knowing only what its seat may know. For worker threads."""
    if not hasattr(_made, "bots"):
        _made.bots = {}
    if spec not in _made.bots:
        _made.bots[spec] = bots.create(spec)
    return str(_made.bots[spec].choose(game.view(seat), game.legal_actions(), seconds))


def _analyse(spec: str, game: hansa.Game, seat: str) -> dict[str, Any]:
    try:
        options = [msgspec.to_builtins(option) for option in analyse(game, spec).options]
    except bots.UnknownBot:
        # Only a search weighs all choices; any other bot names its own.
        return {"decision": choose(spec, game, seat, None), "options": []}
    return {"decision": options[0]["decision"], "options": options}


class BotPlayers:
    """Watches the tables and lets a bot think wherever one has to decide."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._threads = ThreadPoolExecutor(tables.config.bot_workers, thread_name_prefix="bot")
        tables.watchers.append(self.consider)

    def close(self) -> None:
        """Stop thinking."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    def analyse(self, bot: str, game: hansa.Game, seat: str) -> Future[dict[str, Any]]:
        """What the bot would do here and, where it can tell, how it values the choices."""
        return self._threads.submit(_analyse, bot, game, seat)

    def consider(self, table: Table, mine: bool) -> None:
        """Start the bot whose decision it is; `mine`: this process applied the last decision."""
        idle = table.bot_task is None or table.bot_task.done()
        if idle and self._bot_of(table) is not None and not self._tables.closing:
            table.bot_task = asyncio.ensure_future(self._play(table, mine))

    def _bot_of(self, table: Table) -> str | None:
        seat = table.meta.seat(table.decider or "")
        if seat is None:
            return None
        # A game among bots waits until somebody watches it.
        if not table.listeners and all(s.kind == "bot" for s in table.meta.seats):
            return None
        return seat.player_bot()

    async def _play(self, table: Table, mine: bool) -> None:
        if not mine and self._tables.store.shared:
            await asyncio.sleep(_PATIENCE + random.random())
        while (bot := self._bot_of(table)) is not None:
            try:
                await self._decide(table, bot)
            except TableError as error:
                if error.code == "shutting_down":
                    return
                _log.warning("bot decision refused", game=table.id, bot=bot, code=error.code)
                await asyncio.sleep(1.0)

    async def _decide(self, table: Table, bot: str) -> None:
        revision, game, seat = table.revision, table.game, table.decider
        if game is None or seat is None:
            return
        left = clocks_now(table)
        seconds = left[seat] / 1000 if left else None
        began = time.monotonic()
        loop = asyncio.get_running_loop()
        text = await loop.run_in_executor(
            self._threads, self._think, bot, game.copy(), seat, seconds, table.id
        )
        took = time.monotonic() - began
        BOT_SECONDS.observe(took)
        await asyncio.sleep(max(0.0, table.meta.options.bot_delay - took))
        place = table.meta.seat(seat)
        by = "bot" if place is not None and place.kind == "bot" else "standin"
        await self._tables.act_bot(table, text, revision, by)

    @staticmethod
    def _think(bot: str, game: hansa.Game, seat: str, seconds: float | None, table: str) -> str:
        try:
            text = choose(bot, game, seat, seconds)
            engine.played(game, engine.parse(text))
        except Exception:  # noqa: BLE001 - bots come from other packages too
            # A broken bot must not hold up the people at its table.
            _log.exception("bot failed, deciding at random for it", game=table, bot=bot)
            return str(random.choice(game.legal_actions()))
        return text
