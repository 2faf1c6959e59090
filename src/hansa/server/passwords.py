"""Passwords: argon2 hashes, made and checked one at a time beside everything else, in turns for each
address.
"""

from __future__ import annotations

import asyncio
import secrets
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import Argon2Error, InvalidHashError

from hansa.server.errors import TableError
from hansa.server.metrics import LOGINS
from hansa.server.queues import ASKED_FROM, Queue

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Passwords"]

#: Passwords that wait to be checked, of all people (some seconds) and of one address.
_MOST_WAITING, _OF_ONE = 200, 20
T = TypeVar("T")


class Passwords:
    """Hashing takes a processor for a while: one at a time, whoever floods it waits in line."""

    def __init__(self) -> None:
        self._hasher = PasswordHasher()
        self._threads = ThreadPoolExecutor(1, thread_name_prefix="passwords")
        self._queue = Queue(1)
        #: Those that wait or are being checked.
        self.waiting = 0
        #: The hash of no password at all, with the parameters of real ones.
        self._nobody = ""

    def close(self) -> None:
        """Check no more."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def hash(self, password: str) -> str:
        """What is stored instead of a password.

        Raises:
            TableError: `bad_password`, or `busy`.
        """
        if not 8 <= len(password) <= 200:
            raise TableError("bad_password", "A password has 8 to 200 characters.")
        return await self.apart(self._hasher.hash, password)

    async def fits(self, hashed: str | None, password: str) -> bool:
        """Whether this is the password; an unknown account takes as long as a wrong one.

        So names cannot be probed.
        """
        # Also for an account that there is: whoever asks first would wait twice as long for one only.
        if not self._nobody:
            self._nobody = await self.apart(self._hasher.hash, secrets.token_hex(16))
        try:
            return await self.apart(self._hasher.verify, hashed or self._nobody, password)
        except (Argon2Error, InvalidHashError):
            return False

    async def apart(self, work: Callable[..., T], *given: str) -> T:
        """Do `work` in the one thread, unless too many wait for it."""
        whose = ASKED_FROM.get()
        if self.waiting >= _MOST_WAITING or self._queue.count(whose) >= _OF_ONE:
            LOGINS.labels("sent away").inc()
            raise TableError("busy", "Too many people sign in just now; try again in a moment.")
        self.waiting += 1
        try:
            async with self._queue.turn(whose):
                loop = asyncio.get_running_loop()
                return await loop.run_in_executor(self._threads, work, *given)
        finally:
            self.waiting -= 1
