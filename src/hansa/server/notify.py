"""Tells people who are away that it is their turn, through apprise: a webhook, an e-mail, …"""

from __future__ import annotations

import asyncio
import contextlib
import re
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING
from urllib.parse import quote

import apprise
import structlog

from hansa.server.accounts import load_person
from hansa.server.errors import TableError
from hansa.server.letters import Letter, Letters
from hansa.server.metrics import NOTIFICATIONS
from hansa.server.outward import public_only

if TYPE_CHECKING:
    from collections.abc import Coroutine

    from hansa.server.config import Config
    from hansa.server.hall import Hall
    from hansa.server.model import Person
    from hansa.server.table import Table

__all__ = ["Notifier", "check_address", "is_mail"]

_log = structlog.get_logger()
_MAIL = re.compile(r"[\w.+'-]{1,64}@[A-Za-z0-9-]{1,63}(\.[A-Za-z0-9-]{1,63}){1,6}", re.ASCII)
#: Their servers stand in the address's settings, where nobody looks whether they are private.
_MAIL_SCHEMES = {"mailto", "mailtos"}
#: Seconds between the tries to deliver one message.
_TRIES = (0.0, 2.0, 60.0)
_TIMEOUT = 5.0


def is_mail(address: str) -> bool:
    """Whether the address is one to send e-mail to."""
    return _MAIL.fullmatch(address) is not None


def check_address(address: str, config: Config) -> str:
    """An address that the host allows.

    Raises:
        TableError: `not_allowed` or `bad_request`, saying what is allowed.
    """
    if len(address) > 500 or not address.isprintable():
        raise TableError("bad_request", "An address has at most 500 characters.")
    if is_mail(address) and config.notify_mail:
        return address
    scheme = address.partition("://")[0].lower()
    allowed = [name for name in config.notify_schemes if name not in _MAIL_SCHEMES]
    if scheme not in allowed:
        kinds = [f"{name}://…" for name in allowed]
        if config.notify_mail:
            kinds.insert(0, "an e-mail address")
        raise TableError("not_allowed", f"The host allows: {', '.join(kinds) or 'nothing'}.")
    if not _is_understood(address):
        raise TableError("bad_request", "This is not an address that apprise understands.")
    return address


def _is_understood(address: str) -> bool:
    try:
        return apprise.Apprise.instantiate(address) is not None
    except ValueError:
        # Brackets that are no address of the sixth version.
        return False


class Notifier:
    """Looks at each change: did the decision pass to somebody who is not there?"""

    def __init__(self, hall: Hall, letters: Letters) -> None:
        self._hall, self._letters = hall, letters
        self._config = hall.config
        self._threads = ThreadPoolExecutor(4, thread_name_prefix="notify")
        #: Who need not be told again before somebody else has decided.
        self._told: dict[str, str] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        hall.watchers.append(self.consider)

    @property
    def enabled(self) -> bool:
        """Whether the host allows any kind of message."""
        return bool(self._config.notify_schemes or self._config.notify_mail)

    def close(self) -> None:
        """Send nothing more."""
        for task in self._tasks:
            task.cancel()
        self._threads.shutdown(wait=False, cancel_futures=True)

    # When

    def consider(self, table: Table, mine: bool) -> None:
        """Tell the decider if he is away and has not been told since he last decided."""
        if self.enabled and mine:
            person = self._decider(table)
            if self._told.get(table.id) != person:
                self._told.pop(table.id, None)
            if person is not None and person not in table.present():
                self._tell(table, person)

    def left(self, table: Table, person: Person) -> None:
        """Somebody closed his last window: if he is still away in a while, he is told."""
        if self.enabled and self._decider(table) == person.id and person.id not in table.present():
            self._begin(self._tell_later(table, person.id))

    def _decider(self, table: Table) -> str | None:
        seat = table.meta.seat(table.decider or "")
        return None if seat is None or seat.player_bot() is not None else seat.person

    def _tell(self, table: Table, person: str) -> None:
        if self._told.get(table.id) != person:
            self._told[table.id] = person
            self._begin(self._send(table, person))

    def _begin(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _tell_later(self, table: Table, person: str) -> None:
        await asyncio.sleep(self._config.notify_after)
        table = self._hall.live.get(table.id, table)
        if self._decider(table) == person and person not in table.present():
            self._tell(table, person)

    # What

    async def _send(self, table: Table, person: str) -> None:
        found = await self._hall.store.read(lambda connection: load_person(connection, person))
        if found is None or found.notify is None:
            return
        body = f"{table.meta.name}\n{self._config.public_url}/g/{table.id}"
        if is_mail(found.notify):
            stop = self._link(person, found.notify, on=False)
            body += f"\n\nNo more such messages: {stop}"
        await self._deliver(found.notify, "Hansa: it is your turn", body)

    def _link(self, person: str, address: str, *, on: bool) -> str:
        token = self._letters.write(Letter(person=person, address=address, on=on))
        return f"{self._config.public_url}/api/notify/{token}"

    async def ask_to_confirm(self, person: Person, address: str) -> None:
        """Write to an e-mail address: only who reads it there can have it used."""
        link = self._link(person.id, address, on=True)
        body = (
            f"{person.name} wants to be told at this address when it is his or her turn.\n\n"
            f"If that is you: {link}\n\nIf not, nothing more will come."
        )
        self._begin(self._deliver(address, "Hansa: shall we write to you?", body))

    async def _deliver(self, address: str, title: str, body: str) -> None:
        loop = asyncio.get_running_loop()
        for wait in _TRIES:
            await asyncio.sleep(wait)
            sent = await loop.run_in_executor(self._threads, self._post, address, title, body)
            if sent is not False:
                NOTIFICATIONS.labels("sent" if sent else "refused").inc()
                return
        NOTIFICATIONS.labels("given up").inc()
        _log.warning("notification given up")

    def _post(self, address: str, title: str, body: str) -> bool | None:
        """True when sent, False when it may work later, None when it never will."""
        mail = is_mail(address)
        if mail:
            joint = "&" if "?" in self._config.notify_mail else "?"
            address = f"{self._config.notify_mail}{joint}to={quote(address, safe='')}"
        plugin = apprise.Apprise.instantiate(address)
        if plugin is None:
            _log.warning("notification address not understood", mail=mail)
            return None
        # The address may ask for other habits, but it is our thread and our network.
        plugin.redirects = False
        plugin.socket_connect_timeout = plugin.socket_read_timeout = _TIMEOUT
        messenger = apprise.Apprise()
        messenger.add(plugin)
        # The mail server is the host's own; whatever people name, this server is not their tool.
        free = mail or self._config.notify_private
        with contextlib.nullcontext() if free else public_only() as door:
            sent = messenger.notify(title=title, body=body, body_format=apprise.NotifyFormat.TEXT)
        if door is not None and door.refused:
            _log.warning("notification to a private address refused")
            return None
        _log.info("notified", sent=bool(sent), mail=mail)
        return bool(sent)
