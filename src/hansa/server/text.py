"""Text that people type: cleaned once, at the border."""

from __future__ import annotations

import re
import unicodedata

from hansa.server.errors import TableError

__all__ = ["alike", "clean", "name"]

#: Letters that cannot be seen but turn or hide what stands beside them.
_UNSEEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
_JOINERS = "\u200d\u200c"
#: Letters of other alphabets, and figures, that look like Latin ones.
_LOOKS = str.maketrans(
    "авеікмнорстухѕјԁɡһӏαβεικνορτυχ01|ıł",
    "abeikmhopctyxsjdghlabeiknoptuxollil",
)


def alike(one: str, other: str) -> bool:
    """Whether two names look the same at a glance."""
    return _skeleton(one) == _skeleton(other) != ""


def _skeleton(text: str) -> str:
    # The great i and the small l are one stroke: decided before case is lost.
    text = unicodedata.normalize("NFKD", text.replace("I", "l")).casefold()
    letters = "".join(letter for letter in text if letter.isalnum() or letter == "|")
    return letters.translate(_LOOKS)


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
