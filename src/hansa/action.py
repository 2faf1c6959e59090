"""A decision as an object: its text, its id, and what it names (CONTRACT section 3)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from typing import Any, Self

from hansa.boards import FAMILIES
from hansa.errors import IllegalAction, InvalidSetup
from hansa.grammar import NEVER, named, texts
from hansa.rules.numbering import ACTION_IDS

__all__ = ["ACTIONS", "Action", "actions_of"]

ACTIONS = ACTION_IDS
"""The size of the space of ids: ids are 0 … ACTIONS - 1 on every board."""


class Action:
    """A decision: its text, its id in one space for all boards, and what it names.

    Actions never change; one equals its text. A route, post or city has the same id on both sides
    of its board; different boards use the same ids for different places.

    >>> action = hansa.Action.parse("place t groningen-emden/1")
    >>> action.verb, action.shape, action.post, action.route, action.marker
    ('place', 't', 'groningen-emden/1', 'groningen-emden', None)
    >>> action == "place t groningen-emden/1", hansa.Action.from_id(action.id) == action
    (True, True)
    >>> hansa.Action.parse("place t nowhere/1")
    Traceback (most recent call last):
    hansa.errors.MalformedAction: 'place t nowhere/1': nowhere/1 is no post of any board
    """

    __slots__ = ("_named", "id", "text")

    id: int
    """Its number; -1 if no board could ever offer it."""
    text: str
    _named: Mapping[str, str] | None
    """What it names, looked up when somebody asks."""

    def __new__(cls, text: str) -> Self:
        """The decision of this text; raises MalformedAction."""
        given: Any = text  # it may be anything: `named` says what is wrong with it
        number = _all_ids().get(given) if isinstance(given, str) else None
        return cls._of(text, NEVER, named(given)) if number is None else cls._of(text, number, None)

    @classmethod
    def _of(cls, text: str, number: int, names: Mapping[str, str] | None) -> Self:
        action = object.__new__(cls)
        object.__setattr__(action, "text", text)
        object.__setattr__(action, "id", number)
        object.__setattr__(action, "_named", names)
        return action

    @classmethod
    def parse(cls, text: str) -> Action:
        """The decision of this text; raises MalformedAction."""
        return cls(text)

    @classmethod
    def from_id(cls, number: int, board: str = "hansa") -> Action:
        """The decision with this id on a board; raises IllegalAction where the board has none."""
        if board not in FAMILIES:
            raise InvalidSetup(f"unknown board {board!r}: one of {', '.join(FAMILIES)}")
        found = actions_of(board).get(int(number))
        if found is None:
            raise IllegalAction(f"id {number} means nothing on board {board}")
        return found

    @property
    def verb(self) -> str:
        """The first word."""
        return self.text.partition(" ")[0]

    @property
    def shape(self) -> str | None:
        """`t` or `m`: the piece that is placed, put, paid, taken, or becomes an office."""
        return self._text("shape")

    @property
    def post(self) -> str | None:
        """The post it names."""
        return self._text("post")

    @property
    def route(self) -> str | None:
        """The route it names, or that of its post."""
        return self._text("route")

    @property
    def city(self) -> str | None:
        """The city it names."""
        return self._text("city")

    @property
    def gain(self) -> str | None:
        """What `establish` gains: `none`, `office`, `extra`, `skill` or `prestige`."""
        return self._text("gain")

    @property
    def skill(self) -> str | None:
        """The skill it develops."""
        return self._text("skill")

    @property
    def marker(self) -> str | None:
        """The marker it uses, lays, spends or pays with."""
        return self._text("marker")

    @property
    def takes(self) -> str | None:
        """The used marker that `use exchange` takes."""
        return self._text("takes")

    @property
    def player(self) -> str | None:
        """The other player it names."""
        return self._text("player")

    @property
    def tile(self) -> str | None:
        """The tile of the Emperor's Favour."""
        return self._text("tile")

    @property
    def house(self) -> int | None:
        """The left one of two neighbouring houses, from 1."""
        return self._number("house")

    @property
    def province(self) -> int | None:
        """The province the pawn goes to."""
        return self._number("province")

    @property
    def prestige(self) -> int | None:
        """What the prestige space is worth."""
        return self._number("prestige")

    @property
    def traders(self) -> int | None:
        """Traders of an Income."""
        return self._number("traders")

    @property
    def merchants(self) -> int | None:
        """Merchants of an Income."""
        return self._number("merchants")

    @property
    def amount(self) -> int | None:
        """Pieces of an Income in all."""
        if self.traders is None or self.merchants is None:
            return None
        return self.traders + self.merchants

    def _text(self, name: str) -> str | None:
        if self._named is None:
            object.__setattr__(self, "_named", named(self.text))
        return None if self._named is None else self._named.get(name)

    def _number(self, name: str) -> int | None:
        value = self._text(name)
        return None if value is None else int(value)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"an action never changes: {name} cannot be set")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"an action never changes: {name} cannot be deleted")

    def _repr_svg_(self) -> str:
        """How a notebook shows the decision; by name, since pictures may know decisions."""
        return str(import_module("hansa.svg").card(self.text, theme="auto"))

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Action({self.text!r})"

    def __eq__(self, other: object) -> bool:
        return self.text == (other.text if isinstance(other, Action) else other)

    def __hash__(self) -> int:
        return hash(self.text)

    def __reduce__(self) -> tuple[Any, ...]:
        return (Action, (self.text,))

    def __copy__(self) -> Action:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Action:
        return self


@cache
def actions_of(family: str) -> Mapping[int, Action]:
    """Every decision of a board by its id."""
    return {
        number: Action._of(text, number, None)  # noqa: SLF001  # made here, for all to share
        for number, text in texts(family)
    }


@cache
def _all_ids() -> dict[str, int]:
    return {text: number for family in FAMILIES for number, text in texts(family)}
