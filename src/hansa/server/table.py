"""A table in memory: the position everybody at it shares, and who may do what there."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from typing import TYPE_CHECKING, Any, Protocol

import msgspec

from hansa.server import clocks, faces, referee, votes
from hansa.server.locks import Lock
from hansa.server.model import MOVES, NOBODY, Entry, Meta, Person, now_ms
from hansa.server.neighbours import Neighbours
from hansa.server.tail import Tail
from hansa.server.views import Seen
from hansa.server.wire.log import ChatLine
from hansa.server.wire.table import Proposal, TableFace

if TYPE_CHECKING:
    from collections.abc import Callable

    import hansa
    from hansa.server.wire.positions import UndoReason

__all__ = ["RECENT", "Known", "Listener", "Loaded", "News", "Table"]

#: Entries kept in memory; who missed more gets them from the store.
RECENT = 6


class Listener(Protocol):
    """A connection that wants to hear of changes."""

    person: Person | None

    def wake(self) -> bool:
        """Something changed: look again. Whether that is done, and nothing is left to be told."""


class Loaded(msgspec.Struct, kw_only=True):
    """What the store knows of a table."""

    meta: Meta
    game: Any
    revision: int
    number: int
    #: When the game came to this position; None: nothing has been decided yet.
    reached_at: int | None
    #: Who decided before, where it went back to it.
    back_from: str | None
    recent: list[Entry]
    #: The last decisions that stand.
    tail: list[Entry]
    clocks: dict[str, int] | None
    clock_at: int
    chat: list[ChatLine]


class Known(msgspec.Struct, kw_only=True):
    """How much of a table is in memory."""

    game: str
    version: int
    revision: int
    #: The last line of chat.
    chat: int
    started: bool


class News(msgspec.Struct, kw_only=True):
    """What another process added to a table; `meta` where its description changed."""

    meta: Meta | None
    entries: list[Entry]
    chat: list[ChatLine]


class Table:
    """The live state; only the `Hall` changes it, always under `lock` and after storing."""

    def __init__(self, loaded: Loaded) -> None:
        self.lock = Lock()
        self.listeners: set[Listener] = set()
        #: People connected through other processes.
        self.elsewhere: set[str] = set()
        self.neighbours = Neighbours()
        #: Grows with every change of the table object that somebody may see.
        self.stamp = 0
        #: A write ended in doubt: read everything again before the next one.
        self.doubtful = False
        #: The host took the table away: whoever listens is sent home.
        self.removed = False
        self.used_at = time.monotonic()
        #: When somebody last asked for it here; it changes without that too.
        self.asked_at = self.used_at
        self.bot_task: asyncio.Task[None] | None = None
        #: The last decision was stored by this process: its bots are the first to answer.
        self.led_here = False
        #: A moment put later by the pauses since (`Pauses.moved`); the hall knows them.
        self.moved: Callable[[int], int] = _unmoved
        self.clock_timer: asyncio.TimerHandle | None = None
        self.absence_timer: asyncio.TimerHandle | None = None
        self._waiting: set[asyncio.Future[None]] = set()
        self._crowd: tuple[int, int, int, set[str]] | None = None
        #: What strangers see of the table, and when that was.
        self._stranger: tuple[tuple[int, int, int, int], TableFace] | None = None
        self.take(loaded)
        #: How far it was when this process last told the others of it; that may have been before it
        #: was opened anew.
        self.told = self.revision

    def take(self, loaded: Loaded) -> None:
        """Replace everything by what the store says."""
        self.meta: Meta = loaded.meta
        self.game: hansa.Game | None = loaded.game
        self.revision = loaded.revision
        self.number = loaded.number
        self._reached_at, self._back_from = loaded.reached_at, loaded.back_from
        self.recent: deque[Entry] = deque(loaded.recent, maxlen=RECENT)
        self.tail = Tail(loaded.tail)
        self.clocks = loaded.clocks
        self._clock_at = loaded.clock_at
        self.chat: deque[ChatLine] = deque(loaded.chat, maxlen=100)
        self.doubtful = False
        #: What was written for those who look: see `views`.
        self.seen = Seen()

    @property
    def id(self) -> str:
        """The game's id."""
        return self.meta.id

    @property
    def clock_at(self) -> int:
        """When the clock that runs was set going; a pause since is nobody's thinking time."""
        return self.moved(self._clock_at)

    @property
    def is_timed(self) -> bool:
        """Whether a clock runs, or the time for which somebody who is away keeps his seat."""
        return self.clocks is not None or any(seat.away is not None for seat in self.meta.seats)

    @property
    def decider(self) -> str | None:
        """The seat whose decision it is."""
        if self.game is None or self.meta.status != "running":
            return None
        return self.game.player

    def known(self) -> Known:
        """How much of it is here."""
        return Known(
            game=self.id,
            version=self.meta.version,
            revision=self.revision,
            chat=self.chat[-1].id if self.chat else 0,
            started=self.game is not None,
        )

    def follow(self, news: News) -> None:
        """Take over what another process stored."""
        if not (news.entries or news.chat or news.meta):
            return
        decided = any(entry.kind == "decision" for entry in news.entries)
        game = None
        if decided and self.game is not None:
            game = referee.replayed(self.game.copy(), news.entries)
        self.chat.extend(news.chat)
        self.advance(news.entries, news.meta, game)

    def unsay(self, people: set[str]) -> None:
        """Forget what these people said, as the store has."""
        if any(line.person in people for line in self.chat):
            lines = [
                msgspec.structs.replace(line, name=NOBODY, text="…")
                if line.person in people
                else line
                for line in self.chat
            ]
            self.chat = deque(lines, maxlen=self.chat.maxlen)

    def advance(self, entries: list[Entry], meta: Meta | None, game: hansa.Game | None) -> None:
        """Take over what has just been stored."""
        for entry in entries:
            self.recent.append(entry)
            self.revision = entry.revision
            self.number = entry.number
            if entry.kind in MOVES:
                self._reached_at = entry.at
                self._back_from = self.decider if entry.kind == "undo" else None
            if entry.clocks is not None:
                self.clocks, self._clock_at = entry.clocks, entry.at
        if meta is not None:
            self.meta = meta
            self._start_clock()
            # Whoever deleted his data did so in any process; his seat tells it everywhere.
            self.unsay({s.person for s in meta.seats if s.person and s.name == NOBODY})
        if game is not None:
            self.game = game
            self.tail.follow(entries)
        if game is not None or entries or meta is not None:
            self.cool()
        # Whose decision it is decides whose clock runs, and whose deadline.
        self.changed(face=meta is not None or self.is_timed)

    def _start_clock(self) -> None:
        clock, started = self.meta.options.clock, self.meta.started
        if clock is not None and started is not None and self.clocks is None:
            self.clocks = clocks.full(clock, [seat.seat for seat in self.meta.seats])
            self._clock_at = started

    def cool(self) -> None:
        """Forget what was written for those who have heard it by now; it can be made again."""
        self.seen.forget()
        self._stranger = None

    def changed(self, *, face: bool) -> None:
        """Tell every connection and everybody who waits; `face`: the table object differs too."""
        if face:
            self.stamp += 1
        self.used_at = time.monotonic()
        told = [listener.wake() for listener in self.listeners]
        if all(told) and not self._waiting:
            self.cool()
        self.answer_all()

    def answer_all(self) -> None:
        """Whoever waits for a change waits no longer."""
        for future in self._waiting:
            if not future.done():
                future.set_result(None)
        self._waiting.clear()

    async def wait(self, seconds: float) -> None:
        """Until the next change, at most `seconds`."""
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.add(future)
        try:
            await asyncio.wait_for(future, seconds)
        except TimeoutError:
            pass
        finally:
            self._waiting.discard(future)

    @property
    def waited_for(self) -> bool:
        """Whether somebody waits for the next change without a socket."""
        return bool(self._waiting)

    # What people may do

    def owned(self, person: Person | None) -> list[str]:
        """The seats a person decides for now: not those given up or lent to a stand-in."""
        return self.meta.decided_by(person)

    def may_watch(self, person: Person | None) -> bool:
        """Whether this person may see the table at all."""
        if self.meta.options.watchers or (person and person.id == self.meta.host):
            return True
        if self.meta.status == "open" and self.meta.visibility == "open":
            # Listed, and nothing is to be seen but who sits there: anybody may join.
            return True
        return bool(self.meta.seats_of(person))

    def undo_limit(self, seats: list[str]) -> tuple[int, UndoReason | None]:
        """How far back these seats may take without asking, and what stops them."""
        if self.meta.status != "running":
            return self.number, "over" if self.meta.status == "over" else "nothing"
        if not self.meta.options.undo:
            return self.number, "off"
        turn = referee.turn(self.game) if self.game is not None else 0
        limit, reason = self.tail.begin_of(seats, turn, self.number)
        return limit, None if limit < self.number else reason

    def shown_up_to(self) -> int:
        """The last decision that showed somebody what was hidden: nobody goes back behind it."""
        return self.tail.shown_up_to(self.number)

    def undo_by_asking(self, seats: list[str]) -> int | None:
        """The number before the last decision of these seats, if the others can be asked for it."""
        own = self.tail.last_of(seats)
        owner = self.meta.seat(seats[0]) if seats else None
        if self.meta.status != "running" or own <= self.shown_up_to() or owner is None:
            return None
        asked = votes.asked(self.meta, "undo", owner.person, None)
        return None if votes.lacks_company(self.meta, "undo", asked) else own - 1

    # Being away

    def waiting_since(self) -> int | None:
        """Since when everybody waits for the one who decides."""
        if self.decider is None:
            return None
        # Not when the last decision that stands was made: it may have come back to him since.
        return self.meta.started if self._reached_at is None else self._reached_at

    def passed_on(self, person: str) -> int:
        """When it became this person's decision, forward or back: that moment names his turn."""
        own = {s.seat for s in self.meta.seats if s.person == person}
        if self._back_from is not None and self._back_from not in own:
            # Perhaps in the middle of his turn, after decisions of his own.
            return self.waiting_since() or 0
        return self.tail.last_of_others(own) or self.meta.started or 0

    def deadline(self, seat: str) -> int | None:
        """From when on the others may ask for a stand-in; None: nobody waits for an absent one."""
        place, since = self.meta.seat(seat), self.waiting_since()
        if place is None or since is None or seat != self.decider:
            return None
        if place.person in self.present():
            return None
        at = votes.deadline(self.meta, place, since)
        # Who could not come back while nobody could play has not been away for so long.
        return None if at is None else at + self.paused(max(place.away or 0, since))

    def paused(self, since: int) -> int:
        """Milliseconds since then in which nobody could play."""
        return self.moved(since) - since

    def proposals(self) -> list[Proposal]:
        """The open votes, each until the moment at which silence counts."""
        return votes.put_off(self.meta, self.moved)

    def view_seat(self, person: Person | None, look: str | None) -> str | None:
        """Whose view a person gets: the seat looked at, or with `auto` the one that matters."""
        seats = self.meta.seats_of(person)
        if look is None or not seats:
            return None
        if look in seats:
            return look
        if self.game is not None and self.game.player in seats:
            return self.game.player
        for entry in reversed(self.recent):
            if entry.player in seats:
                return entry.player
        return seats[0]

    # Who is told

    def recalls(self, since: int) -> bool:
        """Whether memory holds all of the log above that revision."""
        return since >= self.revision or bool(self.recent and self.recent[0].revision <= since + 1)

    def count_of(self, person: Person | None) -> int:
        """How often somebody is connected here."""
        if person is None:
            return 0
        return sum(one.person is not None and one.person.id == person.id for one in self.listeners)

    def present(self) -> set[str]:
        """Ids of the people who are connected."""
        return self._counted()[3]

    def _counted(self) -> tuple[int, int, int, set[str]]:
        """Watchers and people: counted once for everybody who is told, not by each of them."""
        key = self.stamp, len(self.listeners) + len(self.elsewhere)
        if self._crowd is None or self._crowd[:2] != key:
            here = {listener.person.id for listener in self.listeners if listener.person}
            watching = sum(not self.meta.seats_of(listener.person) for listener in self.listeners)
            self._crowd = *key, watching, here | self.elsewhere
        return self._crowd

    def face(self, person: Person | None) -> TableFace:
        """The table object for one viewer; for strangers, who may be hundreds, made once."""
        if person is not None:
            return faces.face(self.meta, person, self.live())
        key = *self._counted()[:2], self.revision, self.meta.version
        if self._stranger is None or self._stranger[0] != key:
            self._stranger = key, faces.face(self.meta, None, self.live())
        return self._stranger[1]

    def live(self) -> faces.Live:
        """How far the table is and who is at it."""
        return faces.Live(
            revision=self.revision,
            number=self.number,
            player=self.decider,
            watching=self.watching(),
            clocks=self.clocks,
            clock_at=self.clock_at,
            present=self.present(),
            near=self.neighbours.of(self.meta),
            deadline=self.deadline(self.decider) if self.decider is not None else None,
            proposals=self.proposals(),
        )

    def watching(self) -> int:
        """How many look on without a seat."""
        return self._counted()[2]


def _unmoved(at: int) -> int:
    return at


def clocks_now(table: Table, at: int | None = None) -> dict[str, int] | None:
    """The banks at this moment."""
    if table.clocks is None or table.decider is None:
        return table.clocks
    elapsed = (now_ms() if at is None else at) - table.clock_at
    return clocks.run_down(table.clocks, table.decider, elapsed)
