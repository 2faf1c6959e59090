"""What systemd is told: that the server is ready, that it still turns, that it stops.

A process that hangs as a whole cannot end itself, and to everybody else its port looks open. systemd
ends one that has said nothing for `WatchdogSec`, and starts it anew. Elsewhere nobody listens.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket

__all__ = ["READY", "STOPPING", "keep_telling", "tell"]

READY, STOPPING, _TURNS = "READY=1", "STOPPING=1", "WATCHDOG=1"


def tell(word: str) -> None:
    """Say one word to whoever supervises this process; nobody waits for it."""
    where = os.environ.get("NOTIFY_SOCKET")
    if not where:
        return
    # What begins with @ is a name in memory, no file.
    address = f"\0{where[1:]}" if where.startswith("@") else where
    with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
        line.setblocking(False)
        line.sendto(word.encode(), address)


async def keep_telling() -> None:
    """For ever, three times in each span that systemd waits: the event loop still turns."""
    wanted = os.environ.get("WATCHDOG_USEC", "")
    of_another = os.environ.get("WATCHDOG_PID", str(os.getpid())) != str(os.getpid())
    if not wanted.isdecimal() or not int(wanted) or of_another:
        return
    while True:
        tell(_TURNS)
        await asyncio.sleep(int(wanted) / 3e6)
