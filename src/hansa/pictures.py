"""What `hansa svg` draws: from a board's name, a position or a record to one SVG document."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import hansa
from hansa import svg
from hansa.boards import BOARD_IDS
from hansa.lines import is_line
from hansa.records import parse_records
from hansa.replay import Replay

__all__ = ["CHARTS", "THEMES", "Style", "draw", "prestige_by_turn", "read_game"]

THEMES = ("light", "dark", "print", "auto")
CHARTS = ("prestige", "score")


@dataclass(frozen=True)
class Style:
    """How a picture looks: theme, width in pixels, desks beside the board, letters on pieces."""

    theme: str = "light"
    size: float | None = None
    desks: bool = False
    letters: bool = False

    @property
    def plain(self) -> dict[str, Any]:
        """What every drawing takes."""
        return {"theme": self.theme, "size": self.size}


def read_game(text: str, number: int | None = None) -> hansa.Game:
    """A game from its record, or from a position: in one line, or as JSON (a patch will do).

    `number` says which of several games, from 1. Raises InvalidRecord, InvalidPosition or
    InvalidSetup.
    """
    if is_line(text):
        return hansa.Game.from_line(text)
    if not text.lstrip().startswith("{"):
        games = parse_records(text)
        if not 1 <= (number or len(games)) <= len(games) or (number is None and len(games) > 1):
            raise hansa.InvalidRecord(f"name the game, --game 1 to {len(games)}")
        return hansa.Game.from_record(games[(number or 1) - 1])
    try:
        position = json.loads(text)
    except (ValueError, RecursionError) as error:  # also numbers and depths past all sense
        raise hansa.InvalidPosition(f"not JSON: {error}") from None
    return hansa.Game.from_dict(position)


def draw(
    source: str,
    style: Style,
    *,
    after: int | None = None,
    chart: str | None = None,
    number: int | None = None,
) -> str:
    """An SVG document; `source` is the id of a board, a position, or a record.

    `after` draws a record as it was after that many decisions, `number` tells which of several;
    `chart` draws a chart of it. Raises HansaError, or ValueError for a style that is none.
    """
    if source.strip() in BOARD_IDS:
        return svg.board(source.strip(), **style.plain)
    replay = Replay(read_game(source, number))
    if after is not None:
        if after > len(replay.actions):
            raise hansa.InvalidRecord(f"the game has only {len(replay.actions)} decisions")
        replay.go(after)
    names = replay.game.seats or None
    if chart == "prestige":
        points = prestige_by_turn(replay)
        return svg.prestige_chart(points, names=names, letters=style.letters, **style.plain)
    if chart == "score":
        scores = replay.game.scores()
        return svg.score_chart(scores, names=names, letters=style.letters, **style.plain)
    return position(replay.game, style)


def position(game: hansa.Game, style: Style) -> str:
    """The position of a game as it stands."""
    data = game.to_dict()
    control = {city: game.control(city) for city in data["cities"]}
    return svg.position(
        data,
        desks=style.desks,
        letters=style.letters,
        names=game.seats or None,
        control=control,
        **style.plain,
    )


def prestige_by_turn(replay: Replay) -> dict[str, list[int]]:
    """Points on the track at the start and after every turn up to the place shown."""
    last = replay.at
    replay.go(0)
    desks = replay.game.to_dict()["players"]
    series = {player: [int(desk["points"])] for player, desk in desks.items()}
    turn = replay.game.turn
    for number in range(1, last + 1):
        replay.go(number)
        now = replay.game.to_dict()
        if now["turn"] != turn or number == last:
            turn = now["turn"]
            for player, points in series.items():
                points.append(now["players"][player]["points"])
    return series
