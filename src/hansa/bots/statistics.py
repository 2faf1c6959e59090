"""What a corpus of recorded games tells: openings, routes, ends, seats."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from hansa.errors import InvalidRecord
from hansa.records import Record, parse_record

from .standings import interval

__all__ = ["gather", "of_records", "report"]

WIDTH = 30
"""Characters of a full bar."""
SHOWN_ROUTES = 12
NONE = "none"


def gather(directory: Path) -> dict[str, Any]:
    """The statistics of all finished games under a directory; raises InvalidRecord."""
    records = []
    for path in sorted(directory.rglob("*.txt")):
        try:
            record = parse_record(path.read_text(encoding="utf-8"))
        except UnicodeDecodeError:
            raise InvalidRecord(f"{path}: not a text file in UTF-8") from None
        except InvalidRecord as error:
            raise InvalidRecord(f"{path}: {error}") from None
        if record.result is not None:
            records.append(record)
    if not records:
        raise InvalidRecord(
            f"{directory}: no record of a finished game; keep some with hansa arena --records"
        )
    return of_records(records)


def of_records(records: Iterable[Record]) -> dict[str, Any]:
    """Counts over finished games: each opening with how often it won."""
    games = 0
    ends: Counter[str] = Counter()
    routes: Counter[str] = Counter()
    seats: dict[str, list[float]] = {}
    skills: dict[str, list[float]] = {}
    for record in records:
        result = record.result or {}
        winners = result.get("winners", [])
        games += 1
        ends[str(result.get("end_reason"))] += 1
        routes.update(_routes(record))
        first = _first_skills(record)
        for seat in result.get("totals", {}):
            won = 1 / len(winners) if seat in winners else 0.0
            seats.setdefault(seat, []).append(won)
            skills.setdefault(first.get(seat, NONE), []).append(won)
    return {
        "games": games,
        "end_reasons": dict(ends.most_common()),
        "seats": {seat: _share(won) for seat, won in sorted(seats.items())},
        "first_skills": {
            skill: _share(won)
            for skill, won in sorted(skills.items(), key=lambda item: -len(item[1]))
        },
        "routes": {route: round(n / games, 3) for route, n in routes.most_common()},
    }


def _share(won: list[float]) -> dict[str, float]:
    share = sum(won) / len(won)
    low, high = interval(share, len(won))
    return {
        "number": len(won),
        "win_share": round(share, 4),
        "low": round(low, 4),
        "high": round(high, 4),
    }


def _routes(record: Record) -> list[str]:
    return [text.split()[1] for _, text in record.decisions if text.startswith("establish ")]


def _first_skills(record: Record) -> dict[str, str]:
    """The skill each player developed first."""
    first: dict[str, str] = {}
    for player, text in record.decisions:
        words = text.split()
        by_route = words[0] == "establish" and words[2] == "skill"
        if by_route or words[:2] == ["use", "skill"]:
            first.setdefault(player, words[-1])
    return first


def report(statistics: dict[str, Any]) -> str:
    """The statistics as text, with bars."""
    games = statistics["games"]
    lines = [f"{games} finished games", "", "How they ended"]
    for reason, number in statistics["end_reasons"].items():
        lines.append(f"  {reason:<24} {number / games:6.1%} {_bar(number / games)}")
    for title, key in (("Wins by seat", "seats"), ("Wins by first skill", "first_skills")):
        lines += ["", title]
        for name, one in statistics[key].items():
            spread = f"{one['low']:.1%} to {one['high']:.1%}, {one['number']} times"
            lines.append(f"  {name:<24} {one['win_share']:6.1%} {_bar(one['win_share'])} {spread}")
    lines += ["", "Routes established most, times a game"]
    shown = list(statistics["routes"].items())[:SHOWN_ROUTES]
    most = max((often for _, often in shown), default=1)
    for route, often in shown:
        lines.append(f"  {route:<24} {often:6.2f} {_bar(often / most)}")
    return "\n".join(line.rstrip() for line in lines)


def _bar(share: float) -> str:
    return ("█" * round(WIDTH * share)).ljust(WIDTH)
