"""A whole game as text: set-up, seats, decisions, result; writer and reader side by side.

    Hansa record 1
    Setup: {"board": "hansa", "players": 3, …}
    Seats: {"p1": "Ada"}
    Result: {"end_reason": "prestige", "winners": ["p1"], "totals": {"p1": 61, …}}
    Event: Club evening

    # turn 1
    p1> place t groningen-emden/1
    # A comment on the decision above.
    (
      p1> income 2 0
    )

`Position:` appears when the game did not start from its fresh set-up, `Rules:` when games of the
set-up were decided by other rules before. Other headers are free; lines with # are comments; what
stands in brackets might have been decided instead of what stands above. A file may hold several
games, one after the other.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from hansa.errors import InvalidRecord
from hansa.names import PLAYERS

__all__ = ["Record", "Variation", "parse_record", "parse_records"]

FIRST_LINE = "Hansa record 1"
HEADERS = ("Setup", "Rules", "Seats", "Position", "Result")
BOM = "\ufeff"
"""What some editors write before a text in UTF-8."""
MOST_NESTED = 20
_NAME = re.compile(r"[A-Z][A-Za-z0-9_-]{0,39}")
_FREE = re.compile(rf"({_NAME.pattern}):(.*)")
_TURN = re.compile(r"# turn (\d+)")


@dataclass
class Variation:
    """Decisions in order, with what is said of them and what might have been decided instead."""

    decisions: list[tuple[str, str]] = field(default_factory=list)
    """(player, text of the decision) in order."""
    comments: dict[int, list[str]] = field(default_factory=dict)
    """What is said after so many of the decisions: of the last of them, or 0 of the beginning."""
    variations: dict[int, list[Variation]] = field(default_factory=dict)
    """Instead of the decision with that number, from 0, and of all that follows it."""
    lines: list[int] = field(default_factory=list)
    """The line of the text each decision stood in."""

    def _text(self, turns: Iterable[int] = (), margin: str = "") -> Iterator[str]:
        marks, last = iter(turns), 0
        yield from self._said(0, margin)
        for number, (player, text) in enumerate(self.decisions):
            turn = next(marks, last)
            if turn != last:
                yield f"# turn {turn}"
                last = turn
            yield f"{margin}{player}> {text}"
            yield from self._said(number + 1, margin)
            for other in self.variations.get(number, ()):
                yield f"{margin}("
                yield from other._text(margin=f"{margin}  ")  # noqa: SLF001  # one of us
                yield f"{margin})"

    def _said(self, number: int, margin: str) -> Iterator[str]:
        for comment in self.comments.get(number, ()):
            for line in comment.splitlines():
                yield f"{margin}# {line}".rstrip()


@dataclass(kw_only=True)
class Record(Variation):
    """The parts of a record, as plain data."""

    setup: dict[str, Any]
    seats: dict[str, str] = field(default_factory=dict)
    headers: dict[str, str] = field(default_factory=dict)
    """Free ones: event, place, date, whatever there is to say."""
    rules: int = 1
    """The version of the rules it was written under, as far as its set-up is concerned."""
    position: dict[str, Any] | None = None
    result: dict[str, Any] | None = None
    turns: int | None = None
    """How many turns it had, as its comments tell."""

    def to_text(self, turns: Iterable[int]) -> str:
        """The text; `turns` are the turn numbers in which the decisions were made."""
        parts = [FIRST_LINE, f"Setup: {_json(self.setup)}"]
        if self.rules > 1:
            parts.append(f"Rules: {self.rules}")
        if self.seats:
            parts.append(f"Seats: {_json(self.seats)}")
        if self.position is not None:
            parts.append(f"Position: {_json(self.position)}")
        if self.result is not None:
            parts.append(f"Result: {_json(self.result)}")
        for name, text in self.headers.items():
            parts.append(f"{_free_name(name)}: {' '.join(str(text).split())}".rstrip())
        return "\n".join([*parts, "", *self._text(turns)]) + "\n"


def _json(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(", ", ": "))


def _free_name(name: str) -> str:
    if name in HEADERS or not _NAME.fullmatch(name):
        raise InvalidRecord(
            f"{name!r} is no name for a header: one word that begins with a capital, and none of "
            f"{', '.join(HEADERS)}"
        )
    return name


def parse_record(text: str) -> Record:
    """The parts of a record; raises InvalidRecord naming the line."""
    found = parse_records(text)
    if len(found) > 1:
        raise InvalidRecord(f"there are {len(found)} games in it: see parse_records")
    return found[0]


def parse_records(text: str) -> list[Record]:
    """The parts of every record of a text; raises InvalidRecord naming the line.

    >>> from hansa.records import parse_records
    >>> both = hansa.Game.new(seed=1).record() + hansa.Game.new(seed=2).record()
    >>> [record.setup["seed"] for record in parse_records(both)]
    [1, 2]
    """
    if not isinstance(text, str):
        raise InvalidRecord("a record is a text")
    lines = [line.strip() for line in text.removeprefix(BOM).splitlines()]
    starts = [number for number, line in enumerate(lines) if line == FIRST_LINE]
    if not starts or any(lines[: starts[0]]):
        raise InvalidRecord(f"line 1: a record begins with {FIRST_LINE!r}")
    ends = [*starts[1:], len(lines)]
    return [
        _Reader(first + 1).read(lines[first + 1 : end])
        for first, end in zip(starts, ends, strict=True)
    ]


class _Reader:
    """Reads the lines of one record; `first` is the number of the line before them."""

    def __init__(self, first: int) -> None:
        self.number = first
        self.headers: dict[str, Any] = {}
        self.record = Record(setup={})
        self.open: list[Variation] = [self.record]

    def read(self, lines: Iterable[str]) -> Record:
        for line in lines:
            self.number += 1
            if line:
                self._line(line)
        record, headers = self.record, self.headers
        if len(self.open) > 1:
            raise InvalidRecord(f"line {self.number}: a variation is not closed by ')'")
        if "Setup" not in headers:
            raise InvalidRecord("a record needs a line 'Setup: {…}'")
        record.setup = headers["Setup"]
        record.rules = headers.get("Rules", 1)
        record.seats = _seats(headers.get("Seats", {}))
        record.position = headers.get("Position")
        record.result = headers.get("Result")
        return record

    def _line(self, line: str) -> None:
        name = _FREE.fullmatch(line)
        if line.startswith("#"):
            self._comment(line)
        elif name is not None and not self.record.decisions:
            self._header(name[1], name[2])
        elif line == "(":
            self._opened()
        elif line == ")":
            if len(self.open) == 1:
                raise InvalidRecord(f"line {self.number}: no variation is open here")
            self.open.pop()
        else:
            self.open[-1].decisions.append(_decision(line, self.number))
            self.open[-1].lines.append(self.number)

    def _comment(self, line: str) -> None:
        turn, here = _TURN.fullmatch(line), self.open[-1]
        if turn is None:
            here.comments.setdefault(len(here.decisions), []).append(line[1:].strip())
        elif here is self.record and len(turn[1]) < 10:
            self.record.turns = max(self.record.turns or 0, int(turn[1]))

    def _opened(self) -> None:
        here = self.open[-1]
        if not here.decisions:
            raise InvalidRecord(f"line {self.number}: no decision to vary stands above")
        if len(self.open) > MOST_NESTED:
            raise InvalidRecord(f"line {self.number}: variations are nested {MOST_NESTED} deep")
        other = Variation()
        here.variations.setdefault(len(here.decisions) - 1, []).append(other)
        self.open.append(other)

    def _header(self, name: str, rest: str) -> None:
        if name in self.headers or name in self.record.headers:
            raise InvalidRecord(f"line {self.number}: {name} occurs twice")
        if name not in HEADERS:
            self.record.headers[name] = rest.strip()
        elif name == "Rules":
            self.headers[name] = _rules(rest, self.number)
        else:
            self.headers[name] = _data(name, rest, self.number)


def _data(name: str, rest: str, number: int) -> dict[str, Any]:
    try:
        data = json.loads(rest)
    except (ValueError, RecursionError) as error:
        raise InvalidRecord(f"line {number}: {name} is no JSON: {error}") from None
    if not isinstance(data, dict):
        raise InvalidRecord(f"line {number}: {name} must be a mapping")
    return data


def _rules(rest: str, number: int) -> int:
    if not rest.strip().isdecimal() or len(rest.strip()) > len("999"):
        raise InvalidRecord(f"line {number}: Rules is a small whole number, not {rest.strip()!r}")
    return int(rest)


def _decision(line: str, number: int) -> tuple[str, str]:
    player, arrow, text = line.partition("> ")
    if not arrow or player not in PLAYERS:
        raise InvalidRecord(f"line {number}: expected 'p1> DECISION', not {line[:60]!r}")
    return player, text


def _seats(data: Mapping[str, Any]) -> dict[str, str]:
    for seat, name in data.items():
        if seat not in PLAYERS or not isinstance(name, str):
            raise InvalidRecord(f"Seats: {seat!r}: {name!r} is no seat with a name")
    return dict(data)
