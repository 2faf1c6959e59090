"""A whole game as text: set-up, seats, decisions, result; writer and reader side by side.

    Hansa record 1
    Setup: {"board": "hansa", "players": 3, …}
    Seats: {"p1": "Ada"}
    Result: {"end_reason": "prestige", "winners": ["p1"], "totals": {"p1": 61, …}}

    # turn 1
    p1> place t groningen-emden/1

`Position:` appears when the game did not start from its fresh set-up, `Rules:` when games of the
set-up were decided by other rules before. Lines with # are comments.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from hansa.errors import InvalidRecord
from hansa.names import PLAYERS

__all__ = ["Record", "parse_record"]

FIRST_LINE = "Hansa record 1"
HEADERS = ("Setup", "Rules", "Seats", "Position", "Result")


@dataclass
class Record:
    """The parts of a record, as plain data."""

    setup: dict[str, Any]
    decisions: list[tuple[str, str]] = field(default_factory=list)
    """(player, text of the decision) in order."""
    seats: dict[str, str] = field(default_factory=dict)
    rules: int = 1
    """The version of the rules it was written under, as far as its set-up is concerned."""
    position: dict[str, Any] | None = None
    result: dict[str, Any] | None = None
    lines: list[int] = field(default_factory=list)
    """The line of the text each decision stood in."""

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
        parts.append("")
        last = 0
        for (player, text), turn in zip(self.decisions, turns, strict=True):
            if turn != last:
                parts.append(f"# turn {turn}")
                last = turn
            parts.append(f"{player}> {text}")
        return "\n".join(parts) + "\n"


def _json(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(", ", ": "))


def parse_record(text: str) -> Record:
    """The parts of a record; raises InvalidRecord naming the line."""
    if not isinstance(text, str):
        raise InvalidRecord("a record is a text")
    lines = text.splitlines()
    if not lines or lines[0].strip() != FIRST_LINE:
        raise InvalidRecord(f"line 1: a record begins with {FIRST_LINE!r}")
    headers: dict[str, Any] = {}
    record = Record(setup={})
    for number, raw in enumerate(lines[1:], 2):
        line = raw.strip()
        if not line or line.startswith("#"):
            continue
        name, colon, rest = line.partition(":")
        if colon and name in HEADERS and not record.decisions:
            if name in headers:
                raise InvalidRecord(f"line {number}: {name} occurs twice")
            headers[name] = _rules(rest, number) if name == "Rules" else _header(name, rest, number)
        else:
            record.decisions.append(_decision(line, number))
            record.lines.append(number)
    if "Setup" not in headers:
        raise InvalidRecord("a record needs a line 'Setup: {…}'")
    record.setup = headers["Setup"]
    record.rules = headers.get("Rules", 1)
    record.seats = _seats(headers.get("Seats", {}))
    record.position = headers.get("Position")
    record.result = headers.get("Result")
    return record


def _header(name: str, rest: str, number: int) -> dict[str, Any]:
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
