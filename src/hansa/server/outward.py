"""The door outward: into which networks a thread may connect, looked at where it connects.

Python asks its audit hooks with the very address that is about to be used. So it does not matter
how the text of an address is taken apart, nor what a name server answers the second time.
"""

from __future__ import annotations

import contextlib
import ipaddress
import sys
import threading
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Door", "PrivateAddress", "public_only"]


class PrivateAddress(OSError):
    """A connection into a private network, refused before its first byte."""


class Door:
    """What happened at the door while it was watched."""

    refused = False


_here = threading.local()


@contextlib.contextmanager
def public_only() -> Iterator[Door]:
    """Within, this thread connects to addresses of the public network only."""
    _here.door = door = Door()
    try:
        yield door
    finally:
        _here.door = None


def _look(event: str, arguments: tuple[Any, ...]) -> None:
    if event != "socket.connect":
        return
    door: Door | None = getattr(_here, "door", None)
    if door is not None and not _is_public(arguments[1]):
        door.refused = True
        raise PrivateAddress("this address leads into a private network")


def _is_public(address: Any) -> bool:
    if not isinstance(address, tuple):
        return False  # a socket of this machine's file system
    try:
        found = ipaddress.ip_address(address[0])
    except ValueError:
        return False  # a name: whoever connects would resolve it behind our back
    mapped = found.ipv4_mapped if isinstance(found, ipaddress.IPv6Address) else None
    return (mapped or found).is_global


sys.addaudithook(_look)
