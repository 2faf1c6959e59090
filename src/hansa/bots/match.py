"""One game between bots, watched over: whatever a bot does, the game goes on."""

from __future__ import annotations

import random
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from hansa.action import Action
from hansa.errors import HansaError
from hansa.game import Game
from hansa.setup import Setup

from . import compiling
from .protocol import Bot
from .registry import create, is_search

__all__ = ["MOST_DECISIONS", "Result", "decide", "play_match"]

MOST_DECISIONS = 12_000
"""A game that random bots cannot end is stopped; it counts as it then stands."""


@dataclass
class Result:
    """What came of one game; lists are by seat."""

    bots: list[str]
    seed: int
    winners: list[int]
    totals: list[int]
    points: list[dict[str, int]]
    turns: int
    decisions: int
    end_reason: str | None
    seconds: list[float]
    faults: list[str] = field(default_factory=list)
    record: str = ""


def decide(bot: Bot, game: Game, clock: float | None = None) -> tuple[Action, str | None]:
    """The bot's decision; a fallback and what was wrong if it gives none that is legal."""
    legal = game.legal_actions()
    try:
        answer: Any = bot.choose(game.view(game.player), legal, clock)
        action = Action(answer) if isinstance(answer, str) else answer
        if action in legal:
            return action, None
        fault = f"{bot.name} answered {str(answer)[:80]!r}, which is not legal"
    except HansaError as error:
        fault = f"{bot.name}: {error}"
    except Exception as error:  # noqa: BLE001  # whatever a bot raises, the game goes on
        fault = f"{bot.name} failed: {type(error).__name__}: {error}"
    return _fallback(game), fault


def _fallback(game: Game) -> Action:
    """What stands in for a bot without an answer: chance, the same in every run."""
    legal = game.legal_actions()
    return random.Random(len(game.history)).choice(legal)


def play_match(bots: Sequence[str], setup: Setup, given: Mapping[str, Bot] | None = None) -> Result:
    """Play one game; every seat has a bot of its own, unless one of that name is given."""
    game = Game(setup, setup.new_state())
    known = given or {}
    made = [known[spec] if spec in known else create(spec, trusted=True) for spec in bots]
    if any(map(is_search, bots)) and compiling.is_ready():
        compiling.simulate()  # before the first bot's time runs
    game.seats = dict(zip(game.players, bots, strict=True))
    seconds = [0.0] * len(bots)
    faults: list[str] = []
    try:
        while not game.over and len(game.history) < MOST_DECISIONS:
            seat = game.players.index(game.player)
            begun = time.perf_counter()
            action, fault = decide(made[seat], game)
            seconds[seat] += time.perf_counter() - begun
            if fault is not None:
                faults.append(f"{game.player}: {fault}")
            game.play(action)
    finally:
        for bot in made:
            close = getattr(bot, "close", None)
            if close is not None and bot.name not in known:
                close()
    return _result(game, bots, seconds, faults)


def _result(game: Game, bots: Sequence[str], seconds: list[float], faults: list[str]) -> Result:
    scores = game.scores()
    totals = [scores[player]["total"] for player in game.players]
    if game.over:
        winners = [game.players.index(player) for player in game.winners]
    else:
        winners = [seat for seat, points in enumerate(totals) if points == max(totals)]
    points = [
        {name: value for name, value in scores[player].items() if name != "total"}
        for player in game.players
    ]
    return Result(
        list(bots), game.setup.seed, winners, totals, points, game.turn, len(game.history),
        game.end_reason, seconds, faults, game.record(),
    )  # fmt: skip
