"""Charts of what a corpus of games tells, as SVG documents."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hansa.boards import BOARD_IDS, load
from hansa.svg import plots

from .statistics import NONE, SHOWN_ROUTES

__all__ = ["ENDS", "SEATS", "SKILLS", "charts", "route_names"]

SKILLS = {
    "keys": "Keys",
    "actions": "Actions",
    "privilege": "Privilege",
    "book": "Book",
    "bank": "Bank",
    NONE: "No skill at all",
}
ENDS = {
    "prestige": "20 points on the track",
    "markers": "No marker left to replace",
    "cities": "Completed cities",
}
SEATS = {f"p{k}": f"Seat {k}" for k in range(1, 6)}
MOST_COLUMNS = 24


def charts(statistics: dict[str, Any], *, theme: str = "light") -> dict[str, str]:
    """Name → document: first skills, routes, ends, seats, length.

    Takes what `statistics.gather` gives; raises ValueError for an unknown theme.
    """
    routes: dict[str, str] = {NONE: "No route at all", **route_names()}
    first_routes = dict(list(statistics["first_routes"].items())[:SHOWN_ROUTES])
    often: dict[str, float] = dict(list(statistics["routes"].items())[:SHOWN_ROUTES])
    games = statistics["games"]
    drawn: dict[str, tuple[str, list[plots.Panel]]] = {
        "first-skills": (
            "The first skill",
            [
                _choices("Players by the skill they develop first", statistics["first_skills"], SKILLS),
                _shares("Share of wins by the skill developed first", statistics["first_skills"], SKILLS),
            ],
        ),
        "routes": (
            "Routes",
            [
                plots.bars(
                    "Established most, times a game",
                    {routes.get(r, r): (n, f"{n:.2f}") for r, n in often.items()},
                    "cities",
                ),
                _shares("Share of wins by the first route of a player", first_routes, routes),
            ],
        ),
        "ends": (
            "How games end",
            [
                plots.bars(
                    "Games by what ended them",
                    {
                        ENDS.get(reason, reason): (n, f"{100 * n / games:.1f} %, {n} games")
                        for reason, n in statistics["end_reasons"].items()
                    },
                    "prestige",
                )
            ],
        ),
        "seats": (
            "The advantage of seats",
            [_shares("Share of wins by seat", statistics["seats"], SEATS)],
        ),
        "length": ("The length of games", [_length(statistics)]),
    }  # fmt: skip
    about = f"{games} finished games: " + "; ".join(
        f"{n} × {name}" for name, n in statistics["setups"].items()
    )
    return {
        name: plots.sheet(title, about, panels, theme=theme)
        for name, (title, panels) in drawn.items()
    }


def _choices(title: str, seen: Mapping[str, Any], names: Mapping[str, str]) -> plots.Panel:
    number = sum(one["number"] for one in seen.values())
    rows = {
        names.get(name, name): (one["number"], f"{100 * one['number'] / number:.1f} %")
        for name, one in seen.items()
    }
    return plots.bars(title, rows)


def _shares(title: str, seen: Mapping[str, Any], names: Mapping[str, str]) -> plots.Panel:
    """Against the fair share, where that is the same for all."""
    fair = {one["fair"] for one in seen.values()}
    rows = [
        plots.Share(
            names.get(name, name), one["win_share"], one["low"], one["high"],
            f"{one['number']} time{'s' if one['number'] != 1 else ''}",
        )
        for name, one in seen.items()
    ]  # fmt: skip
    return plots.shares(
        f"{title}, with 95 % intervals", rows, fair.pop() if len(fair) == 1 else None
    )


def _length(statistics: dict[str, Any]) -> plots.Panel:
    rounds = {int(n): count for n, count in statistics["rounds"].items()}
    if not rounds:
        return plots.columns("The records do not tell their turns", {}, "")
    least, most = min(rounds), max(rounds)
    width = -(-(most - least + 1) // MOST_COLUMNS)
    counts = {}
    for start in range(least, most + 1, width):
        label = str(start) if width == 1 else f"{start}–{start + width - 1}"
        counts[label] = sum(rounds.get(n, 0) for n in range(start, start + width))
    mean = f"rounds; {statistics['mean_rounds']:.1f} on average"
    return plots.columns("Games by their number of rounds", counts, mean)


def route_names() -> dict[str, str]:
    """Routes as people call them; a route has one name on every board that has it."""
    names: dict[str, str] = {}
    for board_id in BOARD_IDS:
        board = load(board_id)
        cities = {city.id: city.name for city in board.cities}
        for route in board.routes:
            names[route.id] = " – ".join(cities[city] for city in route.cities)
    return names
