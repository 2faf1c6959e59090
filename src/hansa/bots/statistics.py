"""What a corpus of recorded games tells: openings, routes, ends, seats, lengths."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from hansa.errors import InvalidRecord
from hansa.records import Record, parse_records

from .standings import interval

__all__ = ["NONE", "gather", "of_records", "report"]

WIDTH = 30
"""Characters of a full bar."""
SHOWN_ROUTES = 12
SHOWN_OTHERS = 3
NONE = "none"


def gather(directory: Path) -> dict[str, Any]:
    """The statistics of all finished games under a directory; raises InvalidRecord if none is.

    What is no record is left out: `skipped` says which files, and why.
    """
    games: list[Record] = []
    skipped: dict[str, str] = {}
    for path in sorted(directory.rglob("*.txt")):
        try:
            games += parse_records(path.read_text(encoding="utf-8"))
        except UnicodeDecodeError:
            skipped[str(path.relative_to(directory))] = "not a text file in UTF-8"
        except InvalidRecord as error:
            skipped[str(path.relative_to(directory))] = str(error)
    if not any(record.result for record in games):
        others = "".join(
            f"; {name} is none: {why}" for name, why in [*skipped.items()][:SHOWN_OTHERS]
        )
        raise InvalidRecord(
            f"{directory}: no record of a finished game; keep some with hansa arena --records{others}"
        )
    return {**of_records(games), "skipped": skipped}


def of_records(games: Iterable[Record]) -> dict[str, Any]:
    """Counts over finished games: each opening and how often it won."""
    finished = unfinished = 0
    setups, ends, routes, rounds = (Counter[str]() for _ in range(4))
    seats, skills, first_routes = _Shares(), _Shares(), _Shares()
    for record in games:
        if not record.result:
            unfinished += 1
            continue
        finished += 1
        totals, winners = record.result.get("totals", {}), record.result.get("winners", [])
        setups[f"{record.setup.get('board')}, {len(totals)} players"] += 1
        ends[str(record.result.get("end_reason"))] += 1
        if record.turns is not None and totals:
            rounds[str(-(-record.turns // len(totals)))] += 1
        routes.update(route for _, route in _established(record))
        first_skill, first_route = _first_skills(record), _first_routes(record)
        for seat in totals:
            won = 1 / len(winners) if seat in winners else 0.0
            seats.add(seat, won, len(totals))
            skills.add(first_skill.get(seat, NONE), won, len(totals))
            first_routes.add(first_route.get(seat, NONE), won, len(totals))
    return {
        "games": finished,
        "unfinished": unfinished,
        "setups": dict(setups.most_common()),
        "end_reasons": dict(ends.most_common()),
        "rounds": dict(sorted(rounds.items(), key=lambda item: int(item[0]))),
        "mean_rounds": _mean(rounds),
        "seats": dict(sorted(seats.shares().items())),
        "first_skills": skills.shares(),
        "first_routes": first_routes.shares(),
        "routes": {route: round(n / max(finished, 1), 3) for route, n in routes.most_common()},
    }


class _Shares:
    """Wins by some circumstance, and what would have been fair."""

    def __init__(self) -> None:
        self._seen: dict[str, list[tuple[float, float]]] = {}

    def add(self, name: str, won: float, players: int) -> None:
        self._seen.setdefault(name, []).append((won, 1 / players))

    def shares(self) -> dict[str, dict[str, float]]:
        """The commonest first."""
        common = sorted(self._seen.items(), key=lambda item: (-len(item[1]), item[0]))
        return {name: _share(seen) for name, seen in common}


def _share(seen: list[tuple[float, float]]) -> dict[str, float]:
    number = len(seen)
    share = sum(won for won, _ in seen) / number
    low, high = interval(share, number)
    return {
        "number": number,
        "win_share": round(share, 4),
        "low": round(low, 4),
        "high": round(high, 4),
        "fair": round(sum(fair for _, fair in seen) / number, 4),
    }


def _mean(rounds: Counter[str]) -> float | None:
    if not rounds:
        return None
    return round(sum(int(n) * often for n, often in rounds.items()) / rounds.total(), 2)


def _established(record: Record) -> list[tuple[str, str]]:
    """Who established which route, in order."""
    return [
        (player, text.split()[1])
        for player, text in record.decisions
        if text.startswith("establish ")
    ]


def _first_routes(record: Record) -> dict[str, str]:
    """The route each player established first."""
    first: dict[str, str] = {}
    for player, route in _established(record):
        first.setdefault(player, route)
    return first


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
    lines = [f"{games} finished games: {_counted(statistics['setups'])}"]
    if statistics["unfinished"]:
        lines.append(f"{statistics['unfinished']} unfinished ones are left out")
    if statistics["mean_rounds"] is not None:
        lines.append(f"{statistics['mean_rounds']:.1f} rounds on average")
    lines += ["", "How they ended"]
    for reason, number in statistics["end_reasons"].items():
        lines.append(f"  {reason:<24} {number / games:6.1%} {_bar(number / games)}")
    for title, key in (
        ("Wins by seat", "seats"),
        ("Wins by first skill", "first_skills"),
        ("Wins by first route", "first_routes"),
    ):
        lines += ["", title]
        for name, one in list(statistics[key].items())[:SHOWN_ROUTES]:
            spread = f"{one['low']:.1%} to {one['high']:.1%}, {one['number']} times"
            lines.append(f"  {name:<24} {one['win_share']:6.1%} {_bar(one['win_share'])} {spread}")
    lines += ["", "Routes established most, times a game"]
    shown = list(statistics["routes"].items())[:SHOWN_ROUTES]
    most = max((often for _, often in shown), default=1)
    for route, often in shown:
        lines.append(f"  {route:<24} {often:6.2f} {_bar(often / most)}")
    return "\n".join(line.rstrip() for line in lines)


def _counted(counts: dict[str, int]) -> str:
    return "; ".join(f"{number} × {name}" for name, number in counts.items())


def _bar(share: float) -> str:
    return ("█" * round(WIDTH * share)).ljust(WIDTH)
