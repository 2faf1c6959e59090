"""Times in which nobody could play, so that no clock counts them.

While a server runs it notes every few seconds that it does. Where the last note is older than that,
no server was there, or the store was away, or the machine slept, or its clock was set forward: a
pause. All pauses are kept in the store, and every process reckons with the same ones.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
import sqlalchemy as sa

from hansa.server.model import now_ms
from hansa.server.schema import settings

if TYPE_CHECKING:
    from hansa.server.store import Store

__all__ = ["BEAT", "Pauses"]

#: Seconds between two notes.
BEAT = 5.0
#: Milliseconds without a note that make a pause.
_PAUSE = 20_000
#: Longer than any clock runs.
_KEPT = 90 * 86_400_000
_ALIVE, _PAUSES = "alive", "pauses"
Span = tuple[int, int]


class Pauses:
    """Writes the notes, and knows when there were none."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.spans: list[Span] = []
        #: When this process last noted that it is here.
        self._noted = 0

    def is_late(self) -> bool:
        """Whether there may have been a pause that this process does not know of yet."""
        return now_ms() - self._noted > _PAUSE

    async def begin(self) -> None:
        """Where nobody else can have been here, whatever lies behind the last note is a pause."""
        await self.beat(0 if not self._store.shared else _PAUSE)

    async def beat(self, most: int = _PAUSE) -> list[Span]:
        """Note that a server is here; gives the pauses that are new to this process."""
        at = now_ms()
        spans = await self._store.write(lambda connection: _note(connection, at, most))
        new = [span for span in spans if span not in self.spans]
        self.spans, self._noted = spans, at
        return new

    def moved(self, at: int, spans: list[Span] | None = None) -> int:
        """When a clock that was set going at `at` would have been, but for the pauses since."""
        known = self.spans if spans is None else spans
        return at + sum(end - max(begin, at) for begin, end in known if end > at)


def _note(connection: sa.Connection, at: int, most: int) -> list[Span]:
    alive = _value(connection, _ALIVE)
    spans = msgspec.json.decode(_value(connection, _PAUSES) or "[]", type=list[Span])
    if alive is not None and at - int(alive) > most:
        spans = [span for span in spans if span[1] > at - _KEPT]
        spans.append((int(alive), at))
        _set(connection, _PAUSES, msgspec.json.encode(spans).decode())
    # Never back: a clock that was set back would make a pause of what was played.
    _set(connection, _ALIVE, str(max(at, int(alive or 0))))
    return spans


def _value(connection: sa.Connection, name: str) -> str | None:
    query = sa.select(settings.c.value).where(settings.c.name == name).with_for_update()
    return connection.execute(query).scalar()


def _set(connection: sa.Connection, name: str, value: str) -> None:
    done = connection.execute(
        settings.update().where(settings.c.name == name).values(value=value).returning(1)
    )
    if done.first() is None:
        connection.execute(settings.insert(), {"name": name, "value": value})
