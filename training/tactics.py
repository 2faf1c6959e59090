"""Tactical positions: one decision is clearly better than all others, and judgement does not see it.

Games of careless players in all styles are gone through. A short search looks where it would decide
otherwise than `greedy`; then deep searches have the word: one with networks, by two samples, and
one without any, so that no position hangs on what just these networks believe. All must find
the same decision, and weigh what comes of it clearly above what comes of any other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hansa.action import Action
from hansa.bots import create
from hansa.bots.judge.styles import STYLES
from hansa.bots.search import Option
from hansa.bots.turns import chances, essence
from hansa.game import Game

KINDS: dict[str, dict[str, Any]] = {
    **{f"{board} {n}": {"board": board, "players": n}
       for n in (3, 4, 5) for board in ("hansa", "east", "britannia")},
    "pawn duel": {"players": 2, "duel": "pawn"},
    "neutral duel": {"players": 2, "duel": "neutral"},
    "east 2": {"board": "east", "players": 2},
    "britannia 2": {"board": "britannia", "players": 2},
}  # fmt: skip
"""Every board with every number of players, and both duels."""
SHORT = "champion:simulations=120"
DEEP = (
    "champion:simulations=1500",
    "champion:simulations=1500,seed=5",
    "search:simulations=1500",
)
WEIGHED = ("champion:simulations=700", "search:simulations=700")
"""Searches that weigh what comes of each decision."""
PROMISING = 0.06
CLEAR = 0.07
"""A share of the win by which the best decision leads, in the short and in every deep search."""
LIKE = 0.025
"""So little less, and a decision is as good: often another order of the same turn."""
RIVALS = 3
"""Decisions that a deep search tried most are weighed beside the best, and greedy's own."""
FIRST_ROUND = 4
ACTIONS = 1
"""With more of them left, most decisions can as well be made later in the turn."""
EACH = 2
"""Positions of one game at most, from different turns."""


@dataclass(frozen=True)
class Task:
    """Look through one game."""

    kind: str
    seed: int


def tasks(games: int, first: int) -> list[Task]:
    """So many games of every kind, the kinds taking turns."""
    return [Task(kind, first + k) for k in range(games) for kind in KINDS]


def look_through(task: Task) -> list[dict[str, Any]]:
    """The tactical positions of a game."""
    chance = np.random.default_rng([task.seed, 23])
    found: list[dict[str, Any]] = []
    turn = 0
    for game in _positions(task, chance):
        if game.turn == turn:
            continue
        one = _tactic(game)
        if one is None:
            continue
        turn = game.turn
        found.append({"kind": task.kind, "seed": task.seed, **one})
        if len(found) == EACH:
            break
    return found


def _positions(task: Task, chance: np.random.Generator) -> Iterator[Game]:
    """Where somebody has a choice, once a game has taken shape."""
    game = Game.new(**KINDS[task.kind], seed=task.seed)
    bots = [
        create(f"greedy:seed={task.seed + k},care=90,style={chance.choice([*STYLES])}")
        for k in range(len(game.players))
    ]
    while not game.over:
        legal = game.legal_actions()
        if (
            len(legal) > 1
            and game.actions_left <= ACTIONS
            and game.turn > FIRST_ROUND * len(game.players)
        ):
            yield Game.from_dict(game.to_dict())
        bot = bots[game.players.index(game.player)]
        game.play(bot.choose(game.view(game.player), legal))


def _tactic(game: Game) -> dict[str, Any] | None:
    """What is written of the position, if it is one."""
    obvious = create("greedy").choose(game.view(game.player), game.legal_actions())
    options, wrong = _options(game, SHORT), outcome(game, obvious)
    best = outcome(game, options[0].action)
    if best == wrong:
        return None
    seen, seat = _by_outcome(game, options), game.players.index(game.player)
    rival = seen.get(wrong, options[0])
    if options[0].shares[seat] - rival.shares[seat] < PROMISING:
        return None
    tried = {wrong: obvious, best: options[0].action}
    if _weighed(game, list(tried.values())) is None:
        return None  # the deep searches would only tell the same
    for bot in DEEP:
        deep = _by_outcome(game, _options(game, bot)[: 2 + RIVALS])
        if next(iter(deep)) != best:
            return None
        tried |= {key: one.action for key, one in deep.items() if key not in tried}
    return _weighed(game, list(tried.values()))


def _options(game: Game, bot: str) -> list[Option]:
    """The decisions that a search tried, the most visited first."""
    thought = create(bot).think(game.view(game.player), game.legal_actions())  # type: ignore[attr-defined]  # a search
    return [option for option in thought.options if option.visits]


def _by_outcome(game: Game, options: Sequence[Option]) -> dict[str, Option]:
    """Of those that lead to the same the one visited most."""
    found: dict[str, Option] = {}
    for option in options:
        found.setdefault(outcome(game, option.action), option)
    return found


def outcome(game: Game, action: Action) -> str:
    """What comes of a decision; equal for decisions that only name other, like posts."""
    return essence(_after(game, action))


def _after(game: Game, action: Action) -> Game:
    after = game.copy()
    after.play(action)
    return after


def _weighed(game: Game, tried: list[Action]) -> dict[str, Any] | None:
    """The decisions as good as the best are right, if few are and all others clearly worse."""
    right = np.ones(len(tried), bool)
    wrong, total = right.copy(), np.zeros(len(tried))
    for bot in WEIGHED:
        shares = np.array([chances(_after(game, action), bot)[game.player] for action in tried])
        total += shares
        right &= shares >= shares.max() - LIKE
        wrong &= shares <= shares.max() - CLEAR
        if not (wrong[0] and (right | wrong).all() and 0 < right.sum() <= wrong.sum()):
            return None
    told = zip(tried, right, (total / len(WEIGHED)).round(3).tolist(), strict=True)
    weighed = [(action.text, ok, share) for action, ok, share in told]
    return {
        "position": game.to_line(),
        "right": {text: share for text, ok, share in weighed if ok},
        "wrong": {text: share for text, ok, share in weighed if not ok},
    }
