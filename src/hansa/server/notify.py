"""Tells people who are away that it is their turn, through apprise (webhook, e-mail, …)."""

from __future__ import annotations

import asyncio
import ipaddress
import socket
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import apprise
import structlog

from hansa.server.accounts import load_person
from hansa.server.errors import TableError

if TYPE_CHECKING:
    from hansa.server.config import Config
    from hansa.server.table import Table
    from hansa.server.tables import Tables

__all__ = ["Notifier", "check_address"]

_log = structlog.get_logger()


def check_address(address: str, config: Config) -> str:
    """An address that the host allows.

    Raises:
        TableError: `not_allowed` or `bad_request`, saying what is allowed.
    """
    scheme = urlsplit(address).scheme.lower()
    if scheme not in config.notify_schemes:
        allowed = ", ".join(config.notify_schemes) or "none"
        raise TableError("not_allowed", f"The host allows these kinds of addresses: {allowed}.")
    if len(address) > 500 or not address.isprintable() or not apprise.Apprise().add(address):
        raise TableError("bad_request", "This is not an address that apprise understands.")
    return address


def _is_private(address: str) -> bool:
    """Whether the address leads into a private network: then this server would be the tool."""
    host = urlsplit(address).hostname
    if host is None:
        return True
    try:
        found = socket.getaddrinfo(host, None)
    except OSError:
        return True
    return any(not ipaddress.ip_address(info[4][0]).is_global for info in found)


class Notifier:
    """Looks at each change: did the decision pass to somebody who is not there?"""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._threads = ThreadPoolExecutor(1, thread_name_prefix="notify")
        self._told: dict[str, str | None] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        tables.watchers.append(self.consider)

    def close(self) -> None:
        """Send nothing more."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    def consider(self, table: Table, mine: bool) -> None:
        """Notify the decider if he is absent and has not been told since he last decided."""
        if not self._tables.config.notify_schemes or not mine:
            return
        seat = table.meta.seat(table.decider or "")
        before = self._told.get(table.id)
        if seat is None or seat.person is None or seat.player_bot() is not None:
            self._told.pop(table.id, None)
            return
        self._told[table.id] = seat.person
        if before != seat.person and seat.person not in table.present():
            task = asyncio.ensure_future(self._send(table, seat.person))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _send(self, table: Table, person: str) -> None:
        found = await self._tables.store.read(lambda connection: load_person(connection, person))
        if found is None or found.notify is None:
            return
        link = f"{self._tables.config.public_url}/g/{table.id}"
        loop = asyncio.get_running_loop()
        await loop.run_in_executor(
            self._threads, self._deliver, found.notify, table.meta.name, link
        )

    def _deliver(self, address: str, name: str, link: str) -> None:
        if not self._tables.config.notify_private and _is_private(address):
            _log.warning("notification to a private address refused")
            return
        messenger = apprise.Apprise()
        messenger.add(address)
        sent = messenger.notify(title="Hansa: it is your turn", body=f"{name}\n{link}")
        _log.info("notified", sent=bool(sent))
