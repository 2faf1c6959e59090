"""What msgspec knows of our types, made before anybody asks for it.

It is made when a type is first read into, and kept with the type while it is still being made: a second
thread that reads into the same type in that moment finds half of it, and the process dies. So all of it
is made while there is one thread.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["make_ready", "structs"]


def make_ready() -> None:
    """Look at every type of ours once; what was looked at before costs nothing."""
    for each in structs():
        msgspec.json.Decoder(each)


def structs(base: type = msgspec.Struct) -> Iterator[type]:
    """All types of ours that are known by now."""
    each: type
    for each in base.__subclasses__():
        if each.__module__.startswith("hansa."):
            yield each
        yield from structs(each)
