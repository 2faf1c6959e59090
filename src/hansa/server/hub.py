"""Everything one server process is made of, started and stopped together."""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter, deque
from typing import TYPE_CHECKING, Any
from weakref import WeakValueDictionary

import sqlalchemy as sa
import structlog

from hansa.server import logbook, referee
from hansa.server.absence import Absence
from hansa.server.accounts import Accounts
from hansa.server.again import Again
from hansa.server.decisions import Decisions
from hansa.server.door import Door
from hansa.server.errors import TableError
from hansa.server.fanout import Fanout
from hansa.server.following import Following
from hansa.server.hall import Hall
from hansa.server.heavy import Heavy, Kept, Turns
from hansa.server.housekeeping import Housekeeping
from hansa.server.keys import Keys
from hansa.server.letters import Letters
from hansa.server.limits import PEOPLE, Allowance, Budget, Company, Limiter, Pace, Purse
from hansa.server.lobby import Lobby
from hansa.server.mailing import mailbox
from hansa.server.manners import Manners
from hansa.server.memory import Keeper
from hansa.server.metrics import CONNECTIONS_MOST, QUEUE
from hansa.server.model import Entry, Person
from hansa.server.notify import Notifier
from hansa.server.own import Farewell
from hansa.server.players import BotPlayers
from hansa.server.postman import Postman
from hansa.server.presence import Presence
from hansa.server.quick import SILENT, QuickGames
from hansa.server.rating import Raters
from hansa.server.reviews import Reviews
from hansa.server.standing import Standing
from hansa.server.store import Store
from hansa.server.stored import Stored
from hansa.server.study import Study
from hansa.server.timers import Timers
from hansa.server.typed import make_ready
from hansa.server.voting import Voting
from hansa.server.wire.answers import Trouble
from hansa.server.wire.socket import Close

if TYPE_CHECKING:
    from collections.abc import Awaitable

    from hansa.server.config import Config
    from hansa.server.realtime import Connection
    from hansa.server.table import Table
    from hansa.server.wire.calls import Lang

__all__ = ["Hub"]

_log = structlog.get_logger()
_HOUR = 3600.0
#: Invitations that one person sends in an hour.
_INVITATIONS = 60
#: Bytes of records that are kept.
_RECORDS = 16_000_000
#: Analyses and records of one address that wait for the one that is worked out.
_STUDYING = 10
#: Long polls of one address at one table that wait at the same time.
_POLLS = 20
#: Watchers who are told something in one turn of the event loop: a tenth of a millisecond each.
_GALLERY = 8
#: Seconds that a new connection, or a message, may wait for its turn: browsers and programs wait longer.
_PATIENCE = 8.0
#: Seconds in which a store must answer for this server to be of use.
_PROMPT = 2.0


class Hub:
    """The parts and what connects them."""

    def __init__(self, config: Config) -> None:
        make_ready()
        self.config = config
        self.store = Store(config.url(), fsync=config.fsync)
        self.keys = Keys(self.store)
        self.accounts = Accounts(self.store, self.keys)
        self.hall = Hall(self.store, config)
        self.lobby = Lobby(self.hall)
        self.quick = QuickGames(self.lobby)
        self.study = Study(config.study_workers)
        self.again = Again(self.lobby, self.study)
        self.decisions = Decisions(self.hall)
        self.manners = Manners(self.hall)
        self.farewell = Farewell(self.accounts, self.hall, self.lobby, self.manners)
        self.voting = Voting(self.decisions, self.manners, self.again)
        self.bots = BotPlayers(self.decisions)
        self.raters = Raters(self.hall)
        self.letters = Letters(self.store)
        self.postman = Postman(self.store, config, self.letters)
        self.notifier = Notifier(self.hall, self.postman, self.opened)
        self.timers = Timers(self)
        self.presence = Presence(self)
        self.standing = Standing(self)
        self.following = Following(self)
        self.absence = Absence(self)
        self.housekeeping = Housekeeping(self)
        self.keeper = Keeper()
        self.connections: set[Connection] = set()
        self.gallery = Door(_GALLERY)
        self.addresses: Counter[str] = Counter()
        self.fanout = (
            Fanout(self.store, self.following.heard, self.following.deaf)
            if self.store.shared
            else None
        )
        self.ready = False
        #: The store is away, and others may have it: whoever comes is sent on to them.
        self.cut_off = False
        self._tasks: set[asyncio.Task[Any]] = set()
        self.requests = Limiter("requests", config.requests_per_second, config.requests_burst)
        # Whoever comes for the first time asks for fifty: a class that opens the page for thirty times that.
        self.files = Limiter(
            "files", PEOPLE * config.requests_per_second, PEOPLE * config.requests_burst
        )
        # The page's files and the boards cost hardly anything but the line, which is everybody's.
        self.answers = Budget("bytes of answers", config.answers_share, config.answers_burst)
        # One of a megabyte takes 25 ms of the event loop, whatever it is refused for in the end.
        self.bodies = Budget("bytes of requests", config.bodies_share, config.bodies_burst)
        # Opening a socket takes about a millisecond of the event loop, to be refused no less.
        self.openings = Pace("new connections", config.requests_per_second, _PATIENCE)
        self.messages = Pace("messages", PEOPLE * config.messages_per_second, _PATIENCE)
        self.guests = Limiter.of("new guests", config.guests_per_hour, _HOUR)
        # Guests who have all blocked each other would fill the places of those who are looked at.
        self.seekers = Company("people who wait", config.seekers_per_address, SILENT / 1000)
        self._tables = Allowance("tables", config.tables_per_hour, _HOUR)
        # Each line is told to all who look: a crowd of new guests must not make many of them.
        self._talk = Allowance("lines of chat", config.chat_count, config.chat_seconds)
        self._hooks = Allowance("webhooks", config.letters_per_hour, _HOUR)
        self.invitations = Allowance("invitations", _INVITATIONS, _HOUR)
        self.codes = Limiter.of("codes", config.codes_per_minute, 60)
        wrong = config.wrong_codes_per_hour
        self.wrong_codes = Budget("wrong codes", wrong / _HOUR, wrong)
        self.mails = Limiter.of("letters", config.letters_per_hour, _HOUR)
        self._letters_of_address = Limiter.of("letters", PEOPLE * config.letters_per_hour, _HOUR)
        self._registrations = Limiter.of("accounts", config.accounts_per_hour, _HOUR)
        self._offers = Limiter.of("names", PEOPLE * config.accounts_per_hour, _HOUR)
        self.reports = Limiter.of("reports", config.reports_per_day, 24 * _HOUR)
        self.analyses = Limiter.of("analyses", config.analyses_per_minute, 60)
        self.uploads = Limiter.of("records", config.uploads_per_hour, _HOUR)
        self.logins = Limiter.of("attempts", config.logins_per_minute, 60)
        self._logins_of_address = Limiter.of("attempts", PEOPLE * config.logins_per_minute, 60)
        self.heavy = Heavy(self.store, config)
        self.stored = Stored(self.store, config)
        self.reviews = Reviews(self.store, self.study, self.heavy, config, self.spawn)
        self.studies = Turns("analyses", 1, _STUDYING)
        # Not that of reviews: whoever had a game reviewed must be able to look through it.
        self.studied = Purse("analyses", config.review_share, config.review_burst)
        # One by one, so that between two of somebody's tables others have their turn.
        self.founding = Turns("new tables", 1, 60)
        # All are answered when something happens: each takes as long as opening the table.
        self.polls = Turns("long polls", _POLLS, 0)
        #: Whose own data are being sent: in memory until he has read them.
        self.downloads: WeakValueDictionary[str, deque[bytes]] = WeakValueDictionary()
        self.records = Kept(_RECORDS)

    async def start(self) -> None:
        """Open the store and begin.

        Raises:
            StoreError: it cannot be used.
        """
        await asyncio.to_thread(self.store.migrate)
        self.store.start()
        try:
            await self.hall.pauses.begin()
            key = await self.keys.start()
            self.accounts.naming.start(key)
            self.letters.start(key)
            await self.postman.start()
            if self.fanout is not None:
                await self.fanout.start()
                # From now on the others know of it.
                await self.hall.pauses.beat()
        except TableError as error:
            raise self.store.useless(error.__cause__) from error
        self.spawn(self.housekeeping.go_round())
        self.spawn(self.housekeeping.keep_time())
        self.spawn(self.housekeeping.make_sure())
        self.spawn(self.housekeeping.cool())
        self.spawn(self.housekeeping.tidy())
        self.spawn(self.housekeeping.watch_loop())
        self.spawn(self.study.draw_all())
        self.spawn(asyncio.to_thread(referee.prepare))
        self._count_queues()
        self.ready = True
        _log.info("ready", store=self.store.kind, process=self.hall.process)

    def _count_queues(self) -> None:
        """Looked at whenever somebody asks for the metrics."""
        lengths = {
            "commits": lambda: self.store.waiting,
            "expensive reads": lambda: self.heavy.length,
            "bots": lambda: self.bots.busy,
            "analyses": lambda: self.study.busy,
            "passwords": lambda: self.accounts.passwords.waiting,
            "new tables": lambda: self.founding.length,
        }
        for name, length in lengths.items():
            QUEUE.labels(name).set_function(length)
        CONNECTIONS_MOST.set(self.config.connections)

    async def say_goodbye(self) -> None:
        """Finish what is under way and send everybody home."""
        self.ready = False
        await self.hall.finish()
        # Whoever waits for a long thought is told at once, and nobody waits for it.
        await asyncio.to_thread(self.study.close)
        for connection in list(self.connections):
            connection.leave(Close.RESTART, "restart")
        for _ in range(40):
            if not self.connections:
                break
            await asyncio.sleep(0.05)

    async def stop(self) -> None:
        """Close everything."""
        await self.say_goodbye()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self.fanout is not None:
            await self.fanout.stop()
        await asyncio.to_thread(self.bots.close)
        self.notifier.close()
        await self.postman.close()
        self.heavy.close()
        self.accounts.close()
        with contextlib.suppress(TableError):
            await self.hall.pauses.beat()
        await self.presence.forget()
        await asyncio.to_thread(self.store.close)
        self.keeper.end()
        _log.info("stopped")

    def spawn(self, work: Any) -> asyncio.Task[Any]:
        """Run beside everything else until the end."""
        task: asyncio.Task[Any] = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    # Coming and going

    def arrived(self, connection: Connection) -> None:
        """A client is at its table."""
        self.connections.add(connection)
        table = connection.table
        table.neighbours.came(table.meta, connection.person, connection.address)
        self.presence.changed(table, connection.person, came=True)
        self.absence.consider(connection.table)
        # A game among bots goes on when somebody watches.
        self.bots.consider(connection.table, mine=True)

    def left(self, connection: Connection) -> None:
        """A client is gone."""
        self.connections.discard(connection)
        self.keeper.ended += 1
        if connection.table.id in self.hall.live:
            self.presence.changed(connection.table, connection.person, came=False)
            self.absence.consider(connection.table)
            if connection.person is not None and not self.hall.closing:
                self.notifier.left(connection.table, connection.person)

    async def opened(self, game: str) -> Table:
        """A table, with who is at it through other processes."""
        # Who finds it being read comes too late for that: it may lack what he has seen elsewhere.
        fresh = game not in self.hall.live and not self.hall.is_loading(game)
        table = await self.hall.open(game)
        if not fresh and self.store.shared:
            await self.hall.catch_up(table)
        # Another process may have gone on with it meanwhile, and it was let go here.
        return table if self.hall.live.get(game) is table else await self.opened(game)

    # Answers that several callers need

    def check_login(self, address: str, account: str) -> None:
        """Whether somebody may try a password: who guesses locks himself out, not the owner."""
        self.logins.check(f"{address} {account}")
        self._logins_of_address.check(address)

    def check_password(self, address: str, person: Person) -> None:
        """Whether somebody who is signed in may say his password once more."""
        self.logins.check(person.id)
        self._logins_of_address.check(address)

    def check_registration(self, address: str) -> None:
        """Whether one more account may be made from there."""
        self._registrations.check(address)

    def check_offer(self, address: str) -> None:
        """Whether one more name may be drawn from there: so nobody waits for a certain one."""
        self._offers.check(address)

    def check_recovery(self, address: str, known: str) -> None:
        """Whether a code may be asked for: by source, and for what somebody named."""
        self._letters_of_address.check(address)
        self.mails.check(f"recovery of {mailbox(known)}")

    async def recover(self, known: str, lang: Lang) -> None:
        """Send whoever reads the mail of an account, or of that address, the way to a new password.

        Counted by mailbox too, without a word: the answer is the same for everybody.
        """
        for person in await self.accounts.reached(known):
            mail, account = str(person.mail), str(person.account)
            with contextlib.suppress(TableError):
                self.mails.check(f"recovery at {mailbox(mail)}")
                code = await self.accounts.reset_code(account)
                await self.postman.send_code(mail, account, str(code), lang)

    def check_letter(self, person: Person, address: str, mail: str) -> None:
        """Whether a letter nobody has agreed to may go out: by person, by source, by mailbox."""
        self.check_trial(person, address)
        self.mails.check(mailbox(mail))

    def check_trial(self, person: Person, address: str) -> None:
        """Whether somebody may have a message sent at once: guests do not multiply those either."""
        self._letters_of_address.check(address)
        self.mails.check(person.id)

    def check_hook(self, person: Person, address: str) -> None:
        """Whether one more webhook may be named, and called: by source, and by person."""
        self._hooks.check(address, person.id)

    def check_talk(self, person: Person, address: str) -> None:
        """Whether this person, and all people of this address, may say one more thing."""
        self._talk.check(address, person.id)

    async def check_new_table(self, person: Person, address: str, *, over: bool = False) -> None:
        """Whether this person, and all people of this address, may make one more table; one that is
        `over` from the beginning is not counted among those that wait or run.
        """
        self._tables.check(address, person.id)
        await self.stored.check_room(person)
        if not over:
            await self.lobby.check_quota(person)

    async def troubles(self) -> list[Trouble]:
        """Why people cannot play here just now; nothing: they can."""
        if not self.ready or self.hall.closing:
            return ["stopping" if self.hall.closing else "starting"]
        reads, writes = await asyncio.gather(
            _works(self.store.read(lambda connection: connection.scalar(sa.select(1)))),
            _works(self.hall.pauses.beat()),
        )
        hears = self.fanout is None or self.fanout.ready.is_set()
        found: dict[Trouble, bool] = {"reading": reads, "writing": writes, "listening": hears}
        return [name for name, works in found.items() if not works]

    async def told(self, table: Table, first: int, last: int) -> list[Entry]:
        """Decisions of the log that stand now, whatever happens while they are read, and what else
        happened among them.
        """
        number, revision = table.number, table.revision
        last = min(last, number)
        if last < first > 1:
            return []
        return await self.store.read(
            lambda connection: logbook.told(
                connection, table.id, first, last, number, revision=revision
            )
        )

    async def undo(
        self, table: Table, person: Person | None, number: int, to: int | None, *, ask: bool
    ) -> list[Entry]:
        """Take back, or ask the others where that is needed and wanted."""
        try:
            return await self.decisions.undo(table, person, number, to)
        except TableError as error:
            if not ask or error.code not in {"undo_needs_consent", "undo_off"}:
                raise
        await self.voting.propose(table, person, "undo", to=to)
        return []


async def _works(asked: Awaitable[object]) -> bool:
    try:
        async with asyncio.timeout(_PROMPT):
            await asked
    except (TableError, sa.exc.SQLAlchemyError, TimeoutError):
        return False
    return True
