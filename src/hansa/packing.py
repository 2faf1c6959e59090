"""A position as bytes: quick to keep and compare, for one and the same version of the package.

The set-up as `lines.py` writes it, then the bytes of the state, whose layout a mark tells.
"""

from __future__ import annotations

import zlib
from typing import Any

from hansa.errors import HansaError, InvalidPosition
from hansa.lines import read_setup, write_setup
from hansa.notation import read_position, write_position
from hansa.rules.state import STATE_FIELDS, STATE_SIZE, State, pack, unpack
from hansa.setup import Setup

__all__ = ["read_packed", "write_packed"]

_LAYOUT = zlib.crc32(repr(STATE_FIELDS).encode()).to_bytes(4, "big")


def write_packed(setup: Setup, s: State) -> bytes:
    """The bytes of a position."""
    return _LAYOUT + write_setup(setup.to_dict()).encode("ascii") + b" " + pack(s)


def read_packed(data: Any) -> tuple[Setup, State]:
    """The position of these bytes, checked like any from outside; raises InvalidPosition."""
    if not isinstance(data, bytes | bytearray | memoryview):
        raise InvalidPosition("a packed position is made of bytes")
    given = bytes(data)
    text, space, rest = given[len(_LAYOUT) :].partition(b" ")
    if given[: len(_LAYOUT)] != _LAYOUT or not space or len(rest) != STATE_SIZE:
        raise InvalidPosition("no packed position, or one of another version of hansa")
    try:
        setup = Setup.from_dict(read_setup(text.decode("ascii")))
        _, s = read_position(write_position(setup, unpack(rest)))
    except HansaError:
        raise
    except (ValueError, LookupError) as error:
        raise InvalidPosition(f"damaged packed position: {error!r}") from None
    if pack(s) != rest:
        raise InvalidPosition("damaged packed position: it contradicts itself")
    return setup, s
