"""Text that people type: cleaned once, at the border."""

from __future__ import annotations

import re
import unicodedata

from hansa.server.errors import TableError

__all__ = ["clean", "name"]

#: Letters that cannot be seen but turn or hide what stands beside them.
_UNSEEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
_JOINERS = "\u200d\u200c"


def clean(text: str) -> str:
    """One line of plain text: composed letters, single spaces, nothing invisible."""
    text = unicodedata.normalize("NFC", re.sub(r"[\r\n\t]", " ", text))
    kept = "".join(
        letter
        for letter in text
        if letter in _JOINERS or unicodedata.category(letter) not in _UNSEEN
    )
    return re.sub(r" +", " ", kept).strip()


def name(text: str, longest: int = 40) -> str:
    """A name to show.

    Raises:
        TableError: `bad_name` if nothing visible is left, or too much.
    """
    cleaned = clean(text)
    if not 1 <= len(cleaned) <= longest or not cleaned.strip(_JOINERS):
        raise TableError("bad_name", f"A name has 1 to {longest} characters that can be seen.")
    return cleaned
