"""Decisions as text and as ids (CONTRACT section 3); the parser stands beside the writer."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from typing import Any

from hansa.boards import BOARD_IDS, load
from hansa.boards.slots import FAMILIES, Slots, slots, swap_pairs
from hansa.errors import MalformedAction
from hansa.names import FAVOURS, MARKERS, PLAYERS, PRESTIGE_SPACES, SHAPES, SKILLS
from hansa.rules import codes as c

__all__ = ["ACTIONS", "Action", "actions_of"]

ACTIONS = c.ACTION_IDS
"""The size of the space of ids: ids are 0 … ACTIONS - 1 on every board."""

NEVER = -1
"""The id of a well-formed decision that no board can ever offer."""
_NUMBER = re.compile(r"0|[1-9][0-9]*")


class Action:
    """A decision: its text, and its id in one space for all boards.

    Equal texts are equal actions. A route, post or city has the same id on both sides of its
    board; different boards use the same ids for different places.

    >>> action = hansa.Action.parse("place t groningen-emden/1")
    >>> str(action), action == hansa.Action.parse("place t groningen-emden/1")
    ('place t groningen-emden/1', True)
    >>> hansa.Action.parse("place t nowhere/1")
    Traceback (most recent call last):
    hansa.errors.MalformedAction: 'place t nowhere/1': nowhere/1 is no post of any board
    """

    __slots__ = ("id", "text")

    id: int
    text: str

    def __init__(self, text: str) -> None:
        self.text = text
        self.id = parse_id(text)

    @classmethod
    def parse(cls, text: str) -> Action:
        """The decision of this text; raises MalformedAction."""
        return cls(text)

    @property
    def verb(self) -> str:
        """The first word."""
        return self.text.split(" ", 1)[0]

    def _repr_svg_(self) -> str:
        """How a notebook shows the decision; by name, since pictures may know decisions."""
        return str(import_module("hansa.svg").card(self.text, theme="auto"))

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Action({self.text!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Action) and self.text == other.text

    def __hash__(self) -> int:
        return hash(self.text)

    def __reduce__(self) -> tuple[Any, ...]:
        return (Action, (self.text,))


def parse_id(text: str) -> int:
    """The id of a text, NEVER if no board can offer it; raises MalformedAction."""
    if not isinstance(text, str):
        raise MalformedAction(f"{text!r}: a decision is a text")
    known = _all_ids().get(text)
    if known is not None:
        return known
    words = text.split(" ")
    reader = _READERS.get(words[0])
    if reader is None:
        verbs = ", ".join(sorted(_READERS))
        raise MalformedAction(f"{_shown(text)}: no decision begins so; one of {verbs}")
    try:
        reader(words[1:])
    except _Wrong as wrong:
        raise MalformedAction(f"{_shown(text)}: {wrong}") from None
    return NEVER


def _shown(text: str) -> str:
    return repr(text if len(text) <= 80 else text[:77] + "...")


@cache
def actions_of(family: str) -> dict[int, Action]:
    """Every decision of a board by its id."""
    found = {}
    for text, number in _texts(family):
        action = Action.__new__(Action)
        action.text, action.id = text, number
        found[number] = action
    return found


@cache
def _all_ids() -> dict[str, int]:
    return {text: number for family in FAMILIES for text, number in _texts(family)}


# Writing: all texts with their ids.


def _texts(family: str) -> Iterator[tuple[str, int]]:
    places = slots(family)
    yield from _plain()
    for (city, k), slot in swap_pairs().items():
        yield f"use swap {city} {k}", c.USE_SWAP + slot
    for k, city in enumerate(places.green):
        for shape, letter in enumerate(SHAPES):
            yield f"green {city} {letter}", c.GREEN + 2 * k + shape
    for post, slot in places.posts.items():
        base = c.AT_POST + c.POST_OPS * slot
        for shape, letter in enumerate(SHAPES):
            yield f"place {letter} {post}", base + c.PLACE + shape
            yield f"displace {letter} {post}", base + c.DISPLACE + shape
            yield f"put {letter} {post}", base + c.PUT + shape
        yield f"lift {post}", base + c.LIFT
        yield f"take {post}", base + c.TAKE_POST
    for route in places.routes:
        yield from _route_texts(places, route)


def _plain() -> Iterator[tuple[str, int]]:
    yield "done", c.DONE
    yield "end", c.END
    for shape, letter in enumerate(SHAPES):
        yield f"pay {letter}", c.PAY + shape
        yield f"take {letter}", c.TAKE + shape
    for t in range(c.MAX_TRADERS + 1):
        for m in range(c.MAX_MERCHANTS + 1):
            if t + m > 0:
                yield f"income {t} {m}", c.INCOME + 5 * t + m
    for province in range(1, c.PROVINCES + 1):
        yield f"pawn {province}", c.PAWN + province - 1
        yield f"walk {province}", c.WALK + province - 1
    for k, tile in enumerate(FAVOURS):
        yield f"favour {tile}", c.FAVOUR + k
    for k, marker in enumerate(MARKERS):
        yield f"spend {marker}", c.SPEND + k
        yield f"fee {marker}", c.FEE + k
    for k, skill in enumerate(SKILLS):
        yield f"use skill {skill}", c.USE_SKILL + k
    for name, number in _USES.items():
        yield f"use {name}", number
    for p, player in enumerate(PLAYERS):
        for k, marker in enumerate(MARKERS):
            yield f"use exchange {player} {marker}", c.USE_EXCHANGE + c.MARKERS * p + k


def _route_texts(places: Slots, route: str) -> Iterator[tuple[str, int]]:
    base = c.AT_ROUTE + c.ROUTE_OPS * places.routes[route]
    yield f"establish {route} none", base + c.EST_NONE
    for end, city in enumerate(places.ends[route]):
        yield f"establish {route} office {city}", base + c.EST_OFFICE + end
        for shape, letter in enumerate(SHAPES):
            yield f"establish {route} extra {city} {letter}", base + c.EST_EXTRA + 2 * end + shape
        yield f"neutral {route} {city}", base + c.NEUTRAL_CITY + end
    for k, skill in enumerate(SKILLS):
        yield f"establish {route} skill {skill}", base + c.EST_SKILL + k
    for k, value in enumerate(PRESTIGE_SPACES):
        yield f"establish {route} prestige {value}", base + c.EST_PRESTIGE + k
    yield f"use tribute {route}", base + c.LAY_TRIBUTE
    yield f"use block {route}", base + c.LAY_BLOCK
    for k, marker in enumerate(MARKERS):
        yield f"lay {marker} {route}", base + c.LAY + k


_USES = {
    "plus3": c.USE_PLUS3,
    "plus4": c.USE_PLUS4,
    "remove3": c.USE_REMOVE3,
    "replace3": c.USE_REPLACE3,
    "move3": c.USE_MOVE3,
}


# Reading: is a text that is in no list at least a decision somewhere?


class _Wrong(Exception):
    """What is wrong with a text."""


def _count(words: list[str], *wanted: str) -> None:
    if len(words) != len(wanted):
        raise _Wrong("expected " + (" ".join(wanted) or "no further word"))


def _name(word: str, names: tuple[str, ...] | frozenset[str], what: str) -> None:
    if word not in names:
        listed = f": one of {', '.join(names)}" if isinstance(names, tuple) else ""
        raise _Wrong(f"{word} is no {what}{listed}")


def _number(word: str) -> None:
    if not _NUMBER.fullmatch(word):
        raise _Wrong(f"{word} is no number")


@cache
def _places(what: str) -> frozenset[str]:
    boards = [load(board_id) for board_id in BOARD_IDS]
    if what == "city":
        return frozenset(city.id for board in boards for city in board.cities)
    if what == "route":
        return frozenset(route.id for board in boards for route in board.routes)
    return frozenset(post.id for board in boards for r in board.routes for post in r.posts)


def _place(word: str, what: str) -> None:
    _name(word, _places(what), f"{what} of any board")


def _read_nothing(words: list[str]) -> None:
    _count(words)


def _read_shape(words: list[str]) -> None:
    _count(words, "t|m")
    _name(words[0], SHAPES, "shape")


def _read_income(words: list[str]) -> None:
    _count(words, "T", "M")
    for word in words:
        _number(word)


def _read_province(words: list[str]) -> None:
    _count(words, "PROVINCE")
    _number(words[0])
    raise _Wrong(f"{words[0]} is no province: one of 1 to {c.PROVINCES}")


def _read_shape_post(words: list[str]) -> None:
    _count(words, "t|m", "POST")
    _name(words[0], SHAPES, "shape")
    _place(words[1], "post")


def _read_post(words: list[str]) -> None:
    _count(words, "POST")
    _place(words[0], "post")


def _read_marker(words: list[str]) -> None:
    _count(words, "MARKER")
    _name(words[0], MARKERS, "marker")


def _read_tile(words: list[str]) -> None:
    _count(words, "TILE")
    _name(words[0], FAVOURS, "tile")


def _read_green(words: list[str]) -> None:
    _count(words, "CITY", "t|m")
    _place(words[0], "city")
    _name(words[1], SHAPES, "shape")


def _read_neutral(words: list[str]) -> None:
    _count(words, "ROUTE", "CITY")
    _place(words[0], "route")
    _place(words[1], "city")


def _read_lay(words: list[str]) -> None:
    _count(words, "MARKER", "ROUTE")
    _name(words[0], MARKERS, "marker")
    _place(words[1], "route")


def _read_establish(words: list[str]) -> None:
    if len(words) < 2:
        raise _Wrong("expected ROUTE none|office|extra|skill|prestige …")
    _place(words[0], "route")
    _name(words[1], ("none", "office", "extra", "skill", "prestige"), "alternative")
    rest = words[2:]
    if words[1] == "none":
        _count(rest)
    elif words[1] == "office":
        _count(rest, "CITY")
        _place(rest[0], "city")
    elif words[1] == "extra":
        _read_green(rest)
    elif words[1] == "skill":
        _count(rest, "SKILL")
        _name(rest[0], SKILLS, "skill")
    else:
        _count(rest, "N")
        _number(rest[0])


def _read_use(words: list[str]) -> None:
    if not words:
        raise _Wrong("expected a marker")
    rest = words[1:]
    if words[0] in _USES:
        _count(rest)
    elif words[0] == "skill":
        _count(rest, "SKILL")
        _name(rest[0], SKILLS, "skill")
    elif words[0] == "swap":
        _count(rest, "CITY", "K")
        _place(rest[0], "city")
        _number(rest[1])
    elif words[0] == "exchange":
        _count(rest, "PLAYER", "MARKER")
        _name(rest[0], PLAYERS, "player")
        _name(rest[1], MARKERS, "marker")
    elif words[0] in ("tribute", "block"):
        _count(rest, "ROUTE")
        _place(rest[0], "route")
    else:
        raise _Wrong(f"{words[0]} is no marker that is used so")


def _read_take(words: list[str]) -> None:
    _count(words, "t|m|POST")
    if words[0] not in SHAPES:
        _place(words[0], "post")


_READERS: dict[str, Callable[[list[str]], None]] = {
    "done": _read_nothing,
    "end": _read_nothing,
    "pay": _read_shape,
    "take": _read_take,
    "income": _read_income,
    "pawn": _read_province,
    "walk": _read_province,
    "favour": _read_tile,
    "spend": _read_marker,
    "fee": _read_marker,
    "use": _read_use,
    "green": _read_green,
    "place": _read_shape_post,
    "displace": _read_shape_post,
    "put": _read_shape_post,
    "lift": _read_post,
    "establish": _read_establish,
    "neutral": _read_neutral,
    "lay": _read_lay,
}
