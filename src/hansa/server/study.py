"""Work that is nobody's turn: analyses, uploaded records, boards to draw; one at a time for each address."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import msgspec
import structlog

from hansa.boards import BOARD_IDS
from hansa.server import drawing, referee
from hansa.server.blobs import Blob
from hansa.server.errors import TableError
from hansa.server.queues import ASKED_FROM
from hansa.server.wire.answers import Weighed
from hansa.server.wire.reviews import JudgedTurn
from hansa.server.workers import WorkerFailed, WorkerRefused, Workers

if TYPE_CHECKING:
    from collections.abc import Callable

    import hansa

__all__ = ["Studied", "Study"]

_log = structlog.get_logger()
#: Requests that may wait; who comes after them is told to come again.
_QUEUE = 30
_SECONDS = 30.0


class Studied(msgspec.Struct):
    """What a bot would do, and how it values the choices where it can tell."""

    decision: str
    options: list[Weighed]
    turn: list[str]


class Study:
    """Worker processes beside those of the bots, so that no player waits for a student."""

    def __init__(self, processes: int) -> None:
        # Of one address one at a time: an analysis takes ten seconds, a hint next to none.
        self._workers = Workers(processes, "study", each=1)
        self._boards: dict[str, asyncio.Future[Blob]] = {}

    @property
    def busy(self) -> int:
        """Requests that wait or are worked on."""
        return self._workers.busy

    def close(self) -> None:
        """Stop."""
        self._workers.close()

    async def _ask(self, task: str, seconds: float = _SECONDS, **given: Any) -> Any:
        if self._workers.busy >= _QUEUE:
            raise TableError("busy", "Too much is being studied just now; try again in a minute.")
        try:
            return await self._workers.ask(task, seconds, whose=ASKED_FROM.get(), **given)
        except WorkerFailed as error:
            if not self._workers.closed:
                _log.warning("study failed", task=task, error=str(error))
            raise TableError("busy", "This could not be worked out; try again.") from error

    async def analyse(self, bot: str, game: hansa.Game, pay: Callable[[float], None]) -> Studied:
        """What the bot would do here and, where it can tell, how it values the choices; `pay` is told
        how long that took.
        """
        view = game.view(game.player)
        given: dict[str, Any] = {"spec": bot, "view": view, "legal": referee.legal(game)}
        try:
            found = await self._ask("analyse", pay=pay, **given)
        except WorkerRefused as error:
            raise TableError("unknown_bot", str(error)) from error
        return msgspec.convert(found, Studied)

    async def judge(
        self,
        bot: str,
        position: dict[str, Any],
        number: int,
        played: list[str],
        pay: Callable[[float], None],
    ) -> JudgedTurn:
        """A turn of a game, weighed as a whole; `pay` is told how long that took."""
        given: dict[str, Any] = {
            "spec": bot,
            "position": position,
            "number": number,
            "played": played,
            "pay": pay,
        }
        try:
            found = await self._ask("judge", **given)
        except WorkerRefused as error:
            raise TableError("unknown_bot", str(error)) from error
        return msgspec.convert(found, JudgedTurn)

    async def record(self, text: str, every: int) -> dict[str, Any]:
        """A record read and replayed."""
        try:
            read: dict[str, Any] = await self._ask("record", written=text, every=every)
        except WorkerRefused as error:
            raise TableError("invalid_record", str(error)) from error
        return read

    async def board(self, board_id: str) -> Blob:
        """A board's data and how to draw it."""
        if board_id not in self._boards:
            self._boards[board_id] = asyncio.ensure_future(self._draw(board_id))
        drawing_it = self._boards[board_id]
        try:
            return await asyncio.shield(drawing_it)
        except TableError:
            # Not for good: whoever asks next has it tried again.
            if self._boards.get(board_id) is drawing_it:
                del self._boards[board_id]
            raise

    async def _draw(self, board_id: str) -> Blob:
        drawn = await asyncio.to_thread(drawing.kept, board_id)
        if drawn is not None:
            return await asyncio.to_thread(Blob, drawn, "application/json")
        value = await self._ask("board", board_id=board_id)
        return await asyncio.to_thread(Blob.of_json, value)

    async def draw_all(self) -> None:
        """Have every board ready before somebody asks for it."""
        for board_id in BOARD_IDS:
            try:
                await self.board(board_id)
            except TableError:
                return  # whoever needs it has it tried again
