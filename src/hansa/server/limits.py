"""How much one address or person may ask for."""

from __future__ import annotations

import asyncio
import ipaddress
import time
from collections import OrderedDict
from functools import lru_cache

from hansa.server.errors import TableError
from hansa.server.metrics import LIMITED

__all__ = [
    "PEOPLE",
    "Allowance",
    "Bucket",
    "Budget",
    "Company",
    "Limiter",
    "Pace",
    "Purse",
    "counted",
    "too_many",
]

#: A club behind one address may do as much as so many people.
PEOPLE = 5


@lru_cache(maxsize=4096)
def counted(host: str) -> str:
    """One household: of the sixth version everybody has more addresses than could be counted, and most
    have 256 networks of them (a /56).
    """
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host
    if address.version == 4:
        return host
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(ipaddress.ip_network((address, 56), strict=False))


def too_many(what: str, message: str, wait: float | None = None) -> TableError:
    """What whoever asks for too much is told; the host sees how often, and of what."""
    LIMITED.labels(what).inc()
    when = {} if wait is None else {"retry_after": max(0.1, round(wait, 1))}
    return TableError("too_many", message, **when)


def _one_more(what: str, wait: float) -> TableError:
    return too_many(what, f"Too many {what}; wait {max(0.1, wait):.1f} seconds.", wait)


class Bucket:
    """Fills at `rate` a second up to `burst`; each use takes one."""

    __slots__ = ("_at", "_burst", "_level", "_rate")

    def __init__(self, rate: float, burst: float) -> None:
        self._rate, self._burst, self._level = rate, burst, burst
        self._at = time.monotonic()

    def take(self) -> float:
        """0 if allowed, else the seconds to wait."""
        now = time.monotonic()
        self._level = min(self._burst, self._level + (now - self._at) * self._rate)
        self._at = now
        if self._level >= 1:
            self._level -= 1
            return 0.0
        return (1 - self._level) / self._rate


class Budget:
    """What is paid for afterwards: it fills at `rate` a second up to `burst`; who is in debt waits."""

    def __init__(self, what: str, rate: float, burst: float, keys: int = 20_000) -> None:
        self._what, self._rate, self._burst, self._keys = what, rate, burst, keys
        #: What each has left, and when that was.
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def left(self, key: str) -> float:
        """What `key` has left now."""
        level, at = self._left.get(key, (self._burst, 0.0))
        return min(self._burst, level + (time.monotonic() - at) * self._rate)

    def debt(self, key: str) -> float:
        """Seconds until `key` has paid it off."""
        return max(0.0, -self.left(key) / self._rate)

    def check(self, key: str) -> None:
        """Raise `too_many` when `key` is in debt."""
        if self.left(key) <= 0:
            raise _one_more(self._what, self.debt(key))

    def charge(self, key: str, cost: float) -> None:
        """Take that much, be it more than is left."""
        left = self.left(key) - cost
        self._left.pop(key, None)
        self._left[key] = (left, time.monotonic())
        if len(self._left) > self._keys:
            self._left.popitem(last=False)


class Purse:
    """Two budgets for the same things: a person's, and that of all people of an address."""

    def __init__(self, what: str, rate: float, burst: float) -> None:
        self._person = Budget(what, rate, burst)
        self._address = Budget(what, PEOPLE * rate, PEOPLE * burst)

    def check(self, address: str, person: str | None) -> None:
        """Raise `too_many` where either is in debt."""
        self._address.check(address)
        if person is not None:
            self._person.check(person)

    def debt(self, address: str, person: str) -> float:
        """Seconds until both are paid off."""
        return max(self._address.debt(address), self._person.debt(person))

    def charge(self, address: str, person: str | None, cost: float) -> None:
        """Take that much from both."""
        self._address.charge(address, cost)
        if person is not None:
            self._person.charge(person, cost)


class Limiter:
    """A bucket for each key; the longest unused are forgotten first."""

    def __init__(self, what: str, rate: float, burst: float, keys: int = 20_000) -> None:
        self._what, self._rate, self._burst, self._keys = what, rate, burst, keys
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    @classmethod
    def of(cls, what: str, count: float, seconds: float) -> Limiter:
        """So many at once, and again in that time."""
        return cls(what, count / seconds, count)

    def check(self, key: str) -> None:
        """Raise `too_many` when the bucket of `key` is empty."""
        bucket = self._buckets.pop(key, None) or Bucket(self._rate, self._burst)
        self._buckets[key] = bucket
        if len(self._buckets) > self._keys:
            self._buckets.popitem(last=False)
        wait = bucket.take()
        if wait:
            raise _one_more(self._what, wait)


class Allowance:
    """Two limiters for the same things: a person's, and that of all people of an address.

    Guests cost nothing: whoever makes many of them still has one address.
    """

    def __init__(self, what: str, count: float, seconds: float) -> None:
        self._person = Limiter.of(what, count, seconds)
        self._address = Limiter.of(what, PEOPLE * count, seconds)

    def check(self, address: str, person: str) -> None:
        """Raise `too_many` where either is used up."""
        self._person.check(person)
        self._address.check(address)


class Company:
    """So many people of one address at the same time; whoever does not ask again has gone."""

    def __init__(self, what: str, most: int, silent: float, keys: int = 20_000) -> None:
        self._what, self._most, self._silent, self._keys = what, most, silent, keys
        #: When each was seen last.
        self._here: OrderedDict[str, dict[str, float]] = OrderedDict()

    def check(self, address: str, person: str) -> None:
        """Note that he is here; raise `too_many` where he would be one too many."""
        now = time.monotonic()
        before = self._here.pop(address, {})
        here = {one: seen for one, seen in before.items() if now - seen < self._silent}
        self._here[address] = here
        if person not in here and len(here) >= self._most:
            raise _one_more(self._what, self._silent)
        here[person] = now
        if len(self._here) > self._keys:
            self._here.popitem(last=False)

    def leave(self, address: str, person: str) -> None:
        """He makes room for another one."""
        self._here.get(address, {}).pop(person, None)


class Pace:
    """So many a second of each key, one after the other: who comes with a crowd waits for his turn."""

    def __init__(self, what: str, rate: float, patience: float, keys: int = 20_000) -> None:
        self._what, self._step, self._patience, self._keys = what, 1 / rate, patience, keys
        #: When the last one of each key has had its time; the first second's crowd comes in at once.
        self._until: OrderedDict[str, float] = OrderedDict()

    async def turn(self, key: str) -> None:
        """Wait for one's turn.

        Raises:
            TableError: `too_many` where that would take too long.
        """
        now = time.monotonic()
        until = max(now, self._until.pop(key, 0.0))
        wait = until - now - 1.0
        late = wait > self._patience
        self._until[key] = until if late else until + self._step
        if len(self._until) > self._keys:
            self._until.popitem(last=False)
        if late:
            raise too_many(self._what, f"Too many {self._what}.", wait)
        if wait > 0:
            await asyncio.sleep(wait)
