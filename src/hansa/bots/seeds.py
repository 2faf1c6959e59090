"""Randomness of bots: from the view and the bot's own seed alone, so that games can be repeated."""

from __future__ import annotations

import json
import zlib

from .protocol import View

__all__ = ["seed_of"]


def seed_of(view: View, seed: int) -> int:
    """A number that two equal views share and unequal ones hardly ever do."""
    text = json.dumps(view, sort_keys=True, default=str)
    return zlib.crc32(text.encode(), seed & 0xFFFFFFFF) & 0x7FFFFFFF
