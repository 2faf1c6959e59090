"""The text of decisions, written and read by the forms that the rules declare.

A form such as `place {shape} {post}` says which words follow which. Writing fills in the names of a
board; reading takes names of any board, because a decision may be well-formed and still illegal.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from hansa.boards import BOARD_IDS, load
from hansa.boards.slots import slots, swap_pairs
from hansa.errors import MalformedAction
from hansa.names import FAVOURS, PLAYERS, PRESTIGE_SPACES, SHAPES, SKILLS
from hansa.rules.capacity import MAX_PROVINCES
from hansa.rules.catalogue import DECISIONS, MARKERS
from hansa.rules.declare import Decision
from hansa.rules.numbering import FIELDS, fields_of, numbered

__all__ = ["FORMS", "MARKER_NAMES", "NEVER", "Form", "named", "read", "texts"]

NEVER = -1
"""The id of a well-formed decision that no board can ever offer."""
MARKER_NAMES = tuple(marker.name for marker in MARKERS)
_NUMBER = re.compile(r"0|[1-9][0-9]*")
SHOWN = 80


@dataclass(frozen=True)
class Word:
    """One word of a form: a fixed one, or one that names something."""

    field: str
    """What it names; empty: the word is fixed."""
    label: str
    check: Callable[[str], str | None]
    """What is wrong with a word in this place; None: nothing."""


@dataclass(frozen=True)
class Form:
    """The words of one kind of decision."""

    decision: Decision
    words: tuple[Word, ...]


# What each field looks like.


def _one_of(names: tuple[str, ...], what: str) -> Callable[[str], str | None]:
    def check(word: str) -> str | None:
        return None if word in names else f"{word} is no {what}: one of {', '.join(names)}"

    return check


def _is_number(word: str) -> str | None:
    return None if _NUMBER.fullmatch(word) else f"{word} is no number"


def _is_province(word: str) -> str | None:
    most = max(MAX_PROVINCES, FIELDS["province"])
    if _NUMBER.fullmatch(word) and 1 <= int(word) <= most:
        return None
    return _is_number(word) or f"{word} is no province: one of 1 to {most}"


@cache
def _places(what: str) -> frozenset[str]:
    boards = [load(board_id) for board_id in BOARD_IDS]
    if what == "city":
        return frozenset(city.id for board in boards for city in board.cities)
    if what == "route":
        return frozenset(route.id for board in boards for route in board.routes)
    return frozenset(post.id for board in boards for r in board.routes for post in r.posts)


def _place(what: str) -> Callable[[str], str | None]:
    def check(word: str) -> str | None:
        return None if word in _places(what) else f"{word} is no {what} of any board"

    return check


_CITY = Word("city", "CITY", _place("city"))
_WORDS: Mapping[str, tuple[Word, ...]] = {
    "shape": (Word("shape", "t|m", _one_of(SHAPES, "shape")),),
    "traders": (Word("traders", "T", _is_number),),
    "merchants": (Word("merchants", "M", _is_number),),
    "province": (Word("province", "PROVINCE", _is_province),),
    "tile": (Word("tile", "TILE", _one_of(FAVOURS, "tile")),),
    "marker": (Word("marker", "MARKER", _one_of(MARKER_NAMES, "marker")),),
    "skill": (Word("skill", "SKILL", _one_of(SKILLS, "skill")),),
    "house": (_CITY, Word("house", "K", _is_number)),
    "player": (Word("player", "PLAYER", _one_of(PLAYERS, "player")),),
    "green": (_CITY,),
    "end": (_CITY,),
    "space": (Word("prestige", "N", _is_number),),
    "post": (Word("post", "POST", _place("post")),),
    "route": (Word("route", "ROUTE", _place("route")),),
}


def _fixed(word: str) -> Word:
    return Word("", word, lambda given: None if given == word else f"{given} is not {word}")


def _form(decision: Decision) -> Form:
    words: list[Word] = []
    for word in decision.text.split(" "):
        words += _WORDS[word[1:-1]] if word.startswith("{") else (_fixed(word),)
    return Form(decision, tuple(words))


FORMS = {decision.text: _form(decision) for decision in DECISIONS}


# Writing.


def _names(family: str) -> dict[str, tuple[str, ...]]:
    """The words of every slot of a field, on a board."""
    places = slots(family)
    return {
        "shape": SHAPES,
        "tile": FAVOURS,
        "marker": MARKER_NAMES,
        "skill": SKILLS,
        "house": tuple(f"{city} {k}" for city, k in swap_pairs()),
        "player": PLAYERS,
        "green": places.green,
        "space": tuple(str(value) for value in PRESTIGE_SPACES),
        "post": tuple(places.posts),
        "route": tuple(places.routes),
        "province": tuple(str(k + 1) for k in range(max(MAX_PROVINCES, FIELDS["province"]))),
        "traders": tuple(map(str, range(FIELDS["traders"]))),
        "merchants": tuple(map(str, range(FIELDS["merchants"]))),
    }


def texts(family: str) -> Iterator[tuple[int, str]]:
    """Every decision of a board: its id and its text."""
    names, ends = _names(family), tuple(slots(family).ends.values())
    for entry in numbered(family):
        fields = fields_of(entry.decision)
        values = dict(zip(fields, entry.values, strict=True))
        words = {
            field: ends[values["route"]][slot] if field == "end" else names[field][slot]
            for field, slot in values.items()
        }
        yield entry.id, entry.decision.text.format(**words)


# Reading.


def read(text: Any) -> tuple[Form, dict[str, str]]:
    """The form of a text and the words that name things; raises MalformedAction."""
    if not isinstance(text, str):
        raise MalformedAction(f"{text!r}: a decision is a text")
    given = text.split(" ")
    forms = [form for form in FORMS.values() if form.words[0].check(given[0]) is None]
    if not forms:
        verbs = ", ".join(sorted({form.words[0].label for form in FORMS.values()}))
        raise MalformedAction(f"{_shown(text)}: no decision begins so; one of {verbs}")
    for k, word in enumerate(given[1:], 1):
        longer = [form for form in forms if len(form.words) > k]
        fitting = [form for form in longer if form.words[k].check(word) is None]
        if not fitting:
            raise MalformedAction(f"{_shown(text)}: {_unfit(longer, k, word)}")
        forms = fitting
    whole = [form for form in forms if len(form.words) == len(given)]
    if not whole:
        raise MalformedAction(f"{_shown(text)}: expected {_rest(forms, len(given))}")
    form = whole[0]
    return form, {w.field: word for w, word in zip(form.words, given, strict=True) if w.field}


def _shown(text: str) -> str:
    return repr(text if len(text) <= SHOWN else text[: SHOWN - 3] + "...")


def _unfit(forms: list[Form], k: int, word: str) -> str:
    """Why no form takes this word as its k-th."""
    if not forms:
        return "expected no further word"
    for form in forms:
        if form.words[k].field:
            return str(form.words[k].check(word))
    return f"{word} is not one of {', '.join(dict.fromkeys(form.words[k].label for form in forms))}"


def _rest(forms: list[Form], k: int) -> str:
    """What could follow."""
    return " or ".join(dict.fromkeys(" ".join(w.label for w in f.words[k:]) for f in forms))


# Naming.


def named(text: Any) -> Mapping[str, str]:
    """What a decision names: its words, and what follows from them; raises MalformedAction."""
    form, words = read(text)
    found = dict(words)
    if "post" in found:
        found["route"] = found["post"].rpartition("/")[0]
    fixed = [word.label for word in form.words if not word.field]
    if fixed[0] == "establish":
        found["gain"] = fixed[1]
        if fixed[1] == "extra":
            found["marker"] = "extra-office"
    if fixed[0] == "use":
        if "marker" in found:
            found["takes"] = found["marker"]
        found["marker"] = fixed[1]
    return found
