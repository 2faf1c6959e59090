"""A table's code: four syllables that can be said aloud and typed in any language."""

from __future__ import annotations

import secrets

__all__ = ["new_code", "read_code"]

#: No two of them sound or look alike in English, German or Japanese.
_CONSONANTS = "bdfgkmnprst"
_VOWELS = "aeiou"
_LENGTH = 8


def new_code() -> str:
    """Nine million codes: with a limit on wrong ones nobody finds a table by trying. At sixty an hour it
    takes one address a week to find one of a thousand.
    """
    return "".join(secrets.choice(_CONSONANTS) + secrets.choice(_VOWELS) for _ in range(4))


def read_code(text: str) -> str | None:
    """The code that somebody typed, however he wrote it; None: it cannot be one.

    >>> read_code(" Bado-Kimu ")
    'badokimu'
    """
    letters = "".join(c for c in text.lower() if c.isalpha())
    right = len(letters) == _LENGTH and all(
        letter in (_VOWELS if place % 2 else _CONSONANTS) for place, letter in enumerate(letters)
    )
    return letters if right else None
