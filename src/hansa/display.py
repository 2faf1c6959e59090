"""A position as text for the terminal: desks, routes, cities, and the decisions on offer.

It reads the contract's position data only, usually a view, so it shows what its watcher may know.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from io import StringIO
from typing import Any

from rich import box
from rich.columns import Columns
from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from hansa.game import Game
from hansa.svg.state import TRACKS

__all__ = ["decisions", "grouped", "position", "scores", "text"]

COLOURS = {"p1": "red", "p2": "blue", "p3": "yellow", "p4": "green", "p5": "magenta", "n": "white"}
SHOWN_PER_GROUP = 12


def piece(text: str | None) -> Text:
    """A piece on the board, `p2:m`, in its owner's colour; a middle dot where none stands."""
    if text is None:
        return Text("·", style="dim")
    return Text(text, style=f"bold {COLOURS.get(text.partition(':')[0], 'white')}")


def position(view: Mapping[str, Any], stock: Mapping[str, Mapping[str, int]]) -> RenderableType:
    """The whole position: whose decision, desks, routes, cities, and what else lies open."""
    parts = [_headline(view), _desks(view, stock), _routes(view), _cities(view)]
    parts += [Text(line) for line in _further(view)]
    return Group(*parts)


def text(game: Game) -> str:
    """The whole position of a game in plain letters, 100 to a line."""
    stock = {player: game.stock(player) for player in game.players}
    console = Console(file=StringIO(), width=100, color_system=None)
    with console.capture() as written:
        console.print(position(game.to_dict(), stock))
    return "\n".join(line.rstrip() for line in written.get().splitlines())


def _headline(view: Mapping[str, Any]) -> Text:
    line = Text.assemble(
        ("Turn ", "bold"), (str(view["turn"]), "bold"), " of ", piece(view["active"])
    )
    line.append(f", {_count(view['actions_left'], 'action')} left")
    if view["over"]:
        line.append(f"; the game is over ({view['end_reason']})")
    elif view["player"] != view["active"] or view["phase"] != "turn":
        line.append("; ")
        line.append_text(piece(view["player"]))
        line.append(f" decides: {view['phase']}")
    return line


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def _desks(view: Mapping[str, Any], stock: Mapping[str, Mapping[str, int]]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=0, show_edge=False)
    for heading in ("", "points", "supply", "stock", *TRACKS, "markers", "used", "plate"):
        table.add_column(heading, justify="left" if heading in ("", "markers") else "right")
    for player, desk in view["players"].items():
        table.add_row(
            piece(player),
            str(desk["points"]),
            _pieces(desk["supply"]),
            _pieces(stock[player]),
            *(fields[desk["skills"][skill]] for skill, fields in TRACKS.items()),
            " ".join(desk["markers"]) or "–",
            str(len(desk["used"])),
            str(len(desk["plate"])),
        )
    return table


def _pieces(pieces: Mapping[str, int]) -> str:
    return f"{pieces['t']}t {pieces['m']}m"


def _routes(view: Mapping[str, Any]) -> RenderableType:
    entries = []
    for name, route in view["routes"].items():
        line = Text(f"{name} ", style="" if any(route["posts"]) else "dim")
        line.append_text(Text(" ").join(piece(post) for post in route["posts"]))
        for marker in [route["marker"], *route["laid"]]:
            if marker is not None:
                line.append(f" [{marker}]", style="cyan")
        entries.append(line)
    return Group(Text("Routes", style="bold"), Columns(entries, padding=(0, 3)))


def _cities(view: Mapping[str, Any]) -> RenderableType:
    entries = []
    for name, city in view["cities"].items():
        if any(city["offices"]) or city["extra"]:
            line = Text(f"{name} ")
            extra = Text(" ").join(piece(office) for office in city["extra"])
            line.append_text(extra + Text(" | ") if city["extra"] else extra)
            line.append_text(Text(" ").join(piece(office) for office in city["offices"]))
            entries.append(line)
    if not entries:
        return Text("Cities: no office yet", style="dim")
    return Group(Text("Cities with offices", style="bold"), Columns(entries, padding=(0, 3)))


def _further(view: Mapping[str, Any]) -> Iterable[str]:
    prestige = [f"{worth}: {owner}" for worth, owner in view["prestige"].items() if owner]
    if prestige:
        yield "Prestige spaces: " + ", ".join(prestige)
    if view["east_west"]:
        yield "East–west connection: " + ", ".join(view["east_west"])
    if view["pawn"] is not None:
        yield f"The pawn stands in province {view['pawn']}"
    if view["neutral"] is not None:
        yield f"Neutral colour: {_count(view['neutral']['points'], 'point')}"
    if view["favours"]:
        yield "Favours on display: " + ", ".join(view["favours"])
    if view["permissions_used"]:
        yield "Permissions used this turn: " + ", ".join(view["permissions_used"])
    for player, desk in view["players"].items():
        if isinstance(desk["mission"], list) and "?" not in desk["mission"]:
            yield f"Mission of {player}: " + ", ".join(desk["mission"])
        if desk["favours"]:
            yield f"Favours of {player}: " + ", ".join(desk["favours"])
    yield f"Markers face down: {len(view['supply'])}"


def grouped(actions: Sequence[str]) -> dict[str, list[tuple[int, str]]]:
    """The decisions with their numbers from 1, gathered by their first word."""
    groups: dict[str, list[tuple[int, str]]] = {}
    for number, action in enumerate(actions, 1):
        groups.setdefault(action.partition(" ")[0], []).append((number, action))
    return groups


def decisions(actions: Sequence[str], *, chosen: Sequence[str] | None = None) -> RenderableType:
    """The decisions on offer, numbered; long groups are cut unless `chosen` asks for them."""
    parts: list[RenderableType] = []
    for verb, entries in grouped(actions).items():
        wanted = [(k, a) for k, a in entries if chosen is None or a in chosen]
        shown = wanted if chosen is not None else wanted[:SHOWN_PER_GROUP]
        if not shown:
            continue
        texts = [Text.assemble((f"{k} ", "bold cyan"), action) for k, action in shown]
        parts += [Text(verb, style="bold"), Columns(texts, padding=(0, 3))]
        if len(wanted) > len(shown):
            parts.append(
                Text(f"… {len(wanted) - len(shown)} more; type `{verb}` to see all", style="dim")
            )
    return Group(*parts)


def scores(table: Mapping[str, Mapping[str, int]], winners: Sequence[str]) -> Table:
    """Points by category, one row a player; winners are named."""
    result = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=0, show_edge=False)
    categories = list(next(iter(table.values())))
    for heading in ("", *categories, ""):
        result.add_column(heading, justify="right")
    for player, points in table.items():
        result.add_row(
            piece(player),
            *(str(points[category]) for category in categories),
            "winner" if player in winners else "",
        )
    return result
