"""The words of the page in each language, as its sources have them: names of markers, skills, boards.

The documents name things as the page does; nothing is written twice.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

__all__ = ["LANGUAGES", "name_of", "named", "words"]

SOURCES = Path(__file__).parents[2] / "web" / "src" / "i18n"
#: English first: the others follow it.
LANGUAGES = ("en", *sorted({file.stem for file in SOURCES.glob("??.ts")} - {"en"}))
#: `'marker.swap': 'Swap offices',` as Prettier writes it: on one line or on two, in either kind of quotes.
ENTRY = re.compile(
    r"""^  '([^']+)':\s+(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"),$""", re.MULTILINE
)
CODE = re.compile(r"`([^`]+)`")


@cache
def words(language: str) -> dict[str, str]:
    """Every text of the page by its key."""
    source = (SOURCES / f"{language}.ts").read_text(encoding="utf-8")
    return {key: (one or two).replace("\\'", "'") for key, one, two in ENTRY.findall(source)}


def name_of(code: str, language: str) -> str:
    """What people call a marker, an edition, a duel or a board; empty for any other code."""
    said = words(language)
    board, _, side = code.partition("-")
    keys = (f"marker.{code}", f"new.{code.removeprefix('duel-')}", f"board.{board}")
    name = next((said[key] for key in keys if key in said), "")
    return f"{name} {side[0]}–{side[1]}" if f"board.{board}" in said and side else name


def named(text: str, language: str) -> str:
    """The text with names in place of codes."""
    return CODE.sub(
        lambda found: f"*{name}*" if (name := name_of(found[1], language)) else found[0], text
    )
