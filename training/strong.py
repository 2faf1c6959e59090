"""How strong players play: a page of the documents, written from recorded games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hansa.bots import statistic_charts, statistics
from hansa.game import Game
from hansa.names import SKILLS
from hansa.setup import Setup
from hansa.svg import plots

PAGE = "strong-play.md"
PICTURES = {
    "first-skills": "The first skill",
    "routes": "Routes established most, and wins by the first route",
    "seats": "Wins by seat",
}
"""Of the charts those that the page shows, beside the points."""
SHOWN = 4
"""Routes that are named."""
SIDES = ("Winners", "Others")
CHANCE = {1: 3.84, 2: 5.99, 3: 7.81, 4: 9.49}
"""By degrees of freedom, the χ² that chance exceeds once in twenty times."""
INTRO = """# How strong players play

What champions do when only champions sit at the table: counted, not judged. All of this page, its pictures included, is written by a command from records, so that it can be written anew when the champion has learned more. Intervals are 95 % (Wilson); where one holds what would be fair, chance may be all there is.

"""
HOW = """## How this page is made

```sh
{arena}
python -m training strong --records {records} --out docs
```
"""


@dataclass(frozen=True)
class Table:
    """What the games of one kind of table tell."""

    name: str
    setup: Setup
    """Of the first game; the others differ in their seeds."""
    told: Mapping[str, Any]
    """As `hansa stats` gathers it."""
    points: Mapping[str, Mapping[str, float]]
    """Mean points by account, of winners and of others."""
    skills: Mapping[str, Mapping[str, float]]
    """Mean steps of each skill at the end, the same way."""

    @property
    def key(self) -> str:
        """The name as part of a file's."""
        return self.name.replace(" ", "-")


def gather(name: str, folder: Path) -> Table:
    """Read all games of a folder; raises InvalidRecord if there is none."""
    told = statistics.gather(folder)
    ends = [Game.from_record(path.read_text("utf-8")) for path in sorted(folder.glob("*.txt"))]
    finished = [game for game in ends if game.over]
    return Table(
        name,
        finished[0].setup,
        told,
        _means(finished, lambda game, player: game.scores()[player]),
        _means(finished, lambda game, player: game.to_dict()["players"][player]["skills"]),
    )


def _means(games: Iterable[Game], figures: Any) -> dict[str, dict[str, float]]:
    """The mean figures of winners and of others."""
    sums, seen = {side: Counter[str]() for side in SIDES}, Counter[str]()
    for game in games:
        for player in game.players:
            side = SIDES[player not in game.winners]
            seen[side] += 1
            for name, value in figures(game, player).items():
                sums[side][name] += value
    return {
        side: {name: total / max(seen[side], 1) for name, total in sums[side].items()}
        for side in SIDES
    }


def page(tables: Sequence[Table], bots: str) -> str:
    """The text of the page."""
    arena = "\n".join(
        f"hansa arena {bots} {_options(table)} --games {table.told['games']} --records {table.key}"
        for table in tables
    )
    told = " ".join(f"{table.key}={table.key}" for table in tables)
    return INTRO + "\n".join(map(_section, tables)) + "\n" + HOW.format(arena=arena, records=told)


def _options(table: Table) -> str:
    """The options of `hansa arena` for such a table."""
    setup = table.setup
    duel = f" --duel {setup.duel}" if setup.duel else ""
    return f"--board {setup.board} --players {setup.players}{duel} --seed {setup.seed}"


def _section(table: Table) -> str:
    told = table.told
    lines = [
        f"## {table.name[0].upper()}{table.name[1:]}: {told['games']} games",
        "",
        *(f"- **{title}**: {text}" for title, text in _findings(table)),
        "",
        *(
            f"![{title}, {table.name}](_static/strong-{table.key}-{picture}.svg)\n"
            for picture, title in {"points": "Mean points by account", **PICTURES}.items()
        ),
    ]
    return "\n".join(lines)


def _findings(table: Table) -> Iterator[tuple[str, str]]:
    told = table.told
    names = statistic_charts.route_names()
    yield "Ends", f"{_ends(told)}; {told['mean_rounds']:.1f} rounds on average."
    yield "Points", f"of winners, and of others: {_accounts(table.points)}."
    yield "First skill", f"{_first(told['first_skills'], statistic_charts.SKILLS)}."
    yield "Skills at the end", f"{_steps(table.skills)}."
    most = list(told["routes"].items())[:SHOWN]
    yield (
        "Routes",
        (
            "established most, times a game: "
            + ", ".join(f"{names.get(route, route)} ({often:.1f})" for route, often in most)
            + "."
        ),
    )
    yield "First route", f"{_first(told['first_routes'], names)}."
    yield "Seats", f"{_seats(told['seats'])}."


def _ends(told: Mapping[str, Any]) -> str:
    parts = [
        f"{statistic_charts.ENDS.get(reason, reason).lower()} in {_share(number / told['games'])}"
        for reason, number in told["end_reasons"].items()
    ]
    return ", ".join(parts)


def _accounts(points: Mapping[str, Mapping[str, float]]) -> str:
    """Points of each account; what makes the most difference first."""
    mine, theirs = (points[side] for side in SIDES)
    ahead = sorted(
        (name for name in plots.ACCOUNTS if mine.get(name) or theirs.get(name)),
        key=lambda name: theirs.get(name, 0) - mine.get(name, 0),
    )
    parts = [
        f"{plots.ACCOUNTS[name].lower()} {mine.get(name, 0):.1f} ({theirs.get(name, 0):.1f})"
        for name in ahead
    ]
    return ", ".join(parts)


def _first(seen: Mapping[str, Any], names: Mapping[str, str]) -> str:
    """How often each came first, and how many of those won."""
    number = sum(one["number"] for one in seen.values())
    parts = [
        f"{names.get(name, name)} {_share(one['number'] / number)} of players, of whom"
        f" {_share(one['win_share'])} won ({_interval(one)})"
        for name, one in list(seen.items())[:SHOWN]
    ]
    return ", ".join(parts)


def _steps(skills: Mapping[str, Mapping[str, float]]) -> str:
    """How far every skill was developed."""
    mine, theirs = (skills[side] for side in SIDES)
    parts = [f"{name} {mine.get(name, 0):.1f} ({theirs.get(name, 0):.1f})" for name in SKILLS]
    return f"steps of winners, and of others: {', '.join(parts)}"


def _seats(seats: Mapping[str, Any]) -> str:
    parts = ", ".join(
        f"{statistic_charts.SEATS[name].lower()}: {_share(one['win_share'])} ({_interval(one)})"
        for name, one in seats.items()
    )
    return f"{parts}; {fairness(list(seats.values()))}"


def fairness(seats: Sequence[Mapping[str, float]]) -> str:
    """Whether all seats together differ from fair: one look at all, since of many one stands out."""
    off = sum(one["number"] * (one["win_share"] - one["fair"]) ** 2 / one["fair"] for one in seats)
    free = len(seats) - 1
    verdict = "no more than chance may" if off <= CHANCE[free] else "by more than chance"
    degrees = "1 degree" if free == 1 else f"{free} degrees"
    return f"together they differ from fair {verdict} (χ² {off:.1f}, {degrees} of freedom)"


def _share(value: float) -> str:
    return f"{100 * value:.0f} %"


def _interval(one: Mapping[str, float]) -> str:
    return f"{100 * one['low']:.1f}–{100 * one['high']:.1f} %"


def pictures(table: Table) -> Iterator[tuple[str, str]]:
    """File name → document of everything the page shows of a table."""
    drawn = statistic_charts.charts(dict(table.told))
    for name in PICTURES:
        yield f"strong-{table.key}-{name}.svg", drawn[name]
    about = f"{table.told['games']} games of champions: {table.name}"
    rows = {side: dict(table.points[side]) for side in SIDES}
    panel = plots.stacks("Mean points by account", rows)
    yield f"strong-{table.key}-points.svg", plots.sheet("Points", about, [panel])
