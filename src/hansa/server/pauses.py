"""Times in which nobody could play, so that no clock counts them.

While a server runs it notes every few seconds that it does, and the others hear of each note. Where
the last note is older than that, no server was there, or the store was away, or the machine slept, or
its clock was set forward: a pause. So is the time in which one of several fell silent and nobody had
noticed it yet. All pauses are kept in the store, and every process reckons with the same ones.
"""

from __future__ import annotations

import asyncio
import secrets
from bisect import bisect_right
from itertools import accumulate
from operator import itemgetter
from typing import TYPE_CHECKING

import msgspec
import sqlalchemy as sa

from hansa.server.lines import is_alone
from hansa.server.model import now_ms
from hansa.server.schema import entries, games, settings

if TYPE_CHECKING:
    from collections.abc import Callable

    from hansa.server.store import Store

__all__ = ["BEAT", "Pauses"]

#: Seconds between two notes.
BEAT = 3.0
#: Milliseconds without a note that make a pause: fewer than the shortest clock has.
_PAUSE = 8_000
#: Milliseconds by which one that goes on is noted to be longer: everybody at a clock is told each time.
_FURTHER = 1_000
#: Milliseconds of a pause that one of several servers had for itself: after that the others have its
#: games, and the proxy leads people to them.
_ALONE = 60_000
#: A note of another machine may lie a little ahead; one that lies further was made by a clock that
#: has been set back since.
_SET_BACK = 600_000
#: Longer than any clock runs.
_KEPT = 400 * 86_400_000
_ALIVE, _PAUSES = "alive", "pauses"
#: Bytes of a long decision.
_ROOM = 1900
Span = tuple[int, int]
_END = itemgetter(1)


class Pauses:
    """Writes the notes, and knows when there were none."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.spans = []
        #: When this process last noted that it is here.
        self._noted = 0
        self._looking: asyncio.Future[None] | None = None
        #: A decision could not be stored: the next note must need as much room as one.
        self.refused = False
        #: Told of the pauses that are new to this process.
        self.found: Callable[[list[Span]], None] = _ignored
        #: Tells the other servers, with a note, that this one is here.
        self.tell: Callable[[sa.Connection], None] = _ignored

    @property
    def spans(self) -> list[Span]:
        """All of them, from the oldest to the youngest."""
        return self._spans

    @spans.setter
    def spans(self, spans: list[Span]) -> None:
        self._spans = spans
        #: How long all before each of them lasted: clocks are looked at more often than there are
        #: pauses, and a server may have had thousands.
        self._before = list(accumulate((end - begin for begin, end in spans), initial=0))

    async def look(self) -> None:
        """Find out whether there was a pause just now: however many ask, it is looked once."""
        if now_ms() - self._noted <= _PAUSE:
            return
        if self._looking is None or self._looking.done():
            self._looking = asyncio.ensure_future(self.beat())
        await asyncio.shield(self._looking)

    async def begin(self) -> None:
        """Where nobody else can have been here, whatever lies behind the last note is a pause."""
        self.spans = await self._write_down(
            lambda connection: _note(connection, alone=is_alone(connection))
        )

    async def beat(self) -> None:
        """Note that a server is here; where none was for a while, that is found out now."""
        mine, refused = self._noted, self.refused

        def note(connection: sa.Connection) -> list[Span]:
            if refused:
                _need_room(connection)
            spans = _note(connection, mine)
            self.tell(connection)
            return spans

        self._take(await self._write_down(note))
        self.refused = False

    async def silence(self, since: float, until: float = 0.0) -> None:
        """Another server said nothing from so many seconds ago until so many seconds ago.

        Should it be dead, whoever was there is at another one by now; should it hang, he waited for
        its answers all the time. Nobody can tell the two apart, so all clocks stood still.
        """
        begin, end = (now_ms() - round(1000 * seconds) for seconds in (since, until))
        end = min(end, begin + _ALONE)
        self._take(await self._store.write(lambda connection: _lost(connection, begin, end)))

    def _take(self, spans: list[Span]) -> None:
        if spans != self.spans:
            known = set(self.spans)
            new = [span for span in spans if span not in known]
            self.spans = spans
            self.found(new)

    async def _write_down(self, note: Callable[[sa.Connection], list[Span]]) -> list[Span]:
        spans = await self._store.write(note)
        self._noted = now_ms()
        return spans

    def moved(self, at: int) -> int:
        """When a clock that was set going at `at` would have been, but for the pauses since."""
        first = bisect_right(self.spans, at, key=_END)
        if first == len(self.spans):
            return at
        within = max(0, at - self.spans[first][0])
        return at + self._before[-1] - self._before[first] - within

    def ago(self, span: int) -> int:
        """The moment from which on there were so many milliseconds in which people could play."""
        moment = now_ms() - span
        for begin, end in reversed(self.spans):
            if end <= moment:
                break
            moment -= end - begin
        return moment


def _ignored(_said: object) -> None:
    """Nobody asks."""


def _note(connection: sa.Connection, mine: int = 0, *, alone: bool = False) -> list[Span]:
    """Note that a server is here: any, and the one whose own last note is `mine`."""
    _try_to_write(connection)
    alive = int(_value(connection, _ALIVE) or 0)
    spans = _known(connection)
    # Not when it was asked for: it may have waited here for as long as the store was away.
    at = now_ms()
    known = spans
    # Its own, or that of nobody who is still here, was not made by a clock that merely differs.
    ahead = 0 if alone or alive <= mine else _SET_BACK
    if alive > at + ahead:
        spans = [(begin, min(end, at)) for begin, end in spans if begin < at]
        alive = at
    elif alive and at - alive > (0 if alone else _PAUSE):
        spans = _longer(spans, alive, at)
    elif mine:
        # Others were here, and whoever is at this one's games could not play.
        spans = _longer(spans, mine, min(at, mine + _ALONE), _PAUSE)
    if spans != known:
        _keep(connection, spans)
    # Else never back: clocks of several machines differ, and that would make a pause of each beat.
    _set(connection, _ALIVE, str(max(at, alive)))
    return spans


def _lost(connection: sa.Connection, begin: int, end: int) -> list[Span]:
    # Whoever notes anything holds this one: several notice the same silence.
    _value(connection, _ALIVE)
    spans = _known(connection)
    longer = _longer(spans, begin, end, _PAUSE)
    if longer != spans:
        _keep(connection, longer)
    return longer


def _longer(spans: list[Span], begin: int, end: int, least: int = 0) -> list[Span]:
    """With one pause more; several servers notice the same one, and it is counted once.

    One that goes on is noted again and again: `least` is asked of all of it.
    """
    if end - begin <= least:
        return spans
    begin = max([begin, *(known for _, known in spans[-1:])])
    if end - begin <= min(least, _FURTHER):
        return spans
    kept = [span for span in spans if span[1] > end - _KEPT]
    if kept and kept[-1][1] == begin:
        # Where each note comes too late, all of it is one pause.
        begin, _ = kept.pop()
    return [*kept, (begin, end)]


def _known(connection: sa.Connection) -> list[Span]:
    return msgspec.json.decode(_value(connection, _PAUSES) or "[]", type=list[Span])


def _keep(connection: sa.Connection, spans: list[Span]) -> None:
    _set(connection, _PAUSES, msgspec.json.encode(spans).decode())


def _try_to_write(connection: sa.Connection) -> None:
    """Fail where a decision would: PostgreSQL lets strangers lock these and not the notes."""
    if connection.dialect.name == "postgresql":
        locked = f"{games.name}, {entries.name}"
        connection.exec_driver_sql(f"LOCK TABLE {locked} IN ROW EXCLUSIVE MODE")


def _need_room(connection: sa.Connection) -> None:
    """Fail where the disk is full: a note takes the place of the one before, and needs none."""
    # Any game that nobody holds.
    unheld = sa.select(games.c.id).with_for_update(read=True, key_share=True, skip_locked=True)
    game = connection.execute(unheld.limit(1)).scalar()
    if game is None:
        return
    # Nobody sees it: logs begin with 1, and it is gone again with this transaction.
    line = {"game": game, "revision": 0, "number": 0, "kind": "probe", "text": "", "turn": 0}
    room = {"at": 0, "by": "clock", "events": secrets.token_hex(_ROOM // 2)}
    connection.execute(entries.insert(), {**line, **room})
    connection.execute(
        entries.delete().where(entries.c.game == game, entries.c.revision == line["revision"])
    )


def _value(connection: sa.Connection, name: str) -> str | None:
    query = sa.select(settings.c.value).where(settings.c.name == name).with_for_update()
    return connection.execute(query).scalar()


def _set(connection: sa.Connection, name: str, value: str) -> None:
    done = connection.execute(
        settings.update().where(settings.c.name == name).values(value=value).returning(1)
    )
    if done.first() is None:
        connection.execute(settings.insert(), {"name": name, "value": value})
