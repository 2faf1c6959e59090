"""Puzzles: positions in which one turn is clearly best, shipped with the program."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from hansa.errors import HansaError, IllegalAction
from hansa.game import Game

from .greedy import Greedy
from .turns import essence

__all__ = ["THEMES", "Puzzle", "Tried", "load", "puzzle", "themes_of", "tried"]

FILE = Path(__file__).with_name("puzzles.jsonl")
THEMES = (
    "office", "skill", "prestige", "double", "displace", "move", "marker", "prepare", "end",
)  # fmt: skip
"""What a solution is about, in the order people are told."""


@dataclass(frozen=True)
class Puzzle:
    """A position at the beginning of a turn, and the best turn."""

    id: str
    position: str
    """In one line (`Game.from_line`)."""
    turn: tuple[str, ...]
    """The best turn as a record writes it: `p1> place t groningen-emden/1`."""
    chance: float
    """The share of the win it leaves to whoever decides."""
    next: float
    """The same for the next best turn that was found."""
    themes: tuple[str, ...]

    def game(self) -> Game:
        """The position to start from."""
        return Game.from_line(self.position)

    def solved(self) -> Game:
        """The game after the best turn."""
        return _carried_out(self.game(), self.turn)

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        return asdict(self)


@dataclass(frozen=True)
class Tried:
    """Somebody's attempt at a puzzle: where it leads, and what it is worth once it is whole."""

    game: Game
    whole: bool
    """The turn is over."""
    right: bool
    """It leads where the best turn leads, whichever way it went."""


@lru_cache(maxsize=1)
def load() -> dict[str, Puzzle]:
    """All puzzles by id, in the order of the file.

    >>> puzzle("hansa-45-1").game().board.id
    'hansa-45'
    """
    lines = FILE.read_text(encoding="utf-8").splitlines()
    found = [_puzzle(json.loads(line)) for line in lines]
    return {one.id: one for one in found}


def _puzzle(data: dict[str, Any]) -> Puzzle:
    return Puzzle(**{**data, "turn": tuple(data["turn"]), "themes": tuple(data["themes"])})


def puzzle(name: str) -> Puzzle:
    """The puzzle of that id; raises HansaError where there is none."""
    found = load().get(name)
    if found is None:
        raise HansaError(f"there is no puzzle {name!r}; hansa.bots.puzzles.load() names them all")
    return found


def tried(start: Game, best: Game, decisions: Iterable[str]) -> Tried:
    """Carry out the decisions of the one who solves; others answer by judgement.

    Raises MalformedAction, or IllegalAction: also where the turn is over already.
    """
    game = start.copy()
    _answered(game, start)
    for text in decisions:
        if game.over or game.turn != start.turn:
            raise IllegalAction(f"{text!r} is not legal: the turn to be found is over")
        game.play(text)
        _answered(game, start)
    whole = game.over or game.turn != start.turn
    return Tried(game, whole, whole and essence(game) == essence(best))


def _answered(game: Game, start: Game) -> None:
    """Let the others decide what is theirs in this turn."""
    others = Greedy()
    while not game.over and game.turn == start.turn and game.player != start.player:
        game.play(others.choose(game.view(game.player), game.legal_actions()))


def _carried_out(game: Game, line: Iterable[str]) -> Game:
    for step in line:
        game.play(step.partition("> ")[2])
    return game


def themes_of(start: Game, best: Game) -> tuple[str, ...]:
    """What a turn is about, by what its player decides."""
    at, found, established = start.copy(), set[str](), 0
    for action in best.history[len(start.history) :]:
        words = action.text.split()
        if at.player == start.player:
            established += words[0] == "establish"
            found |= {_theme(words)} - {""}
        at.play(action)
    if established > 1:
        found.add("double")
    if not established:
        found.add("prepare")
    if best.over:
        found.add("end")
    return tuple(theme for theme in THEMES if theme in found)


def _theme(words: list[str]) -> str:
    if words[0] == "establish":
        gain = words[2] if len(words) > 2 else "none"
        return {
            "office": "office",
            "extra": "office",
            "skill": "skill",
            "prestige": "prestige",
        }.get(gain, "")
    return {"displace": "displace", "lift": "move", "use": "marker"}.get(words[0], "")
