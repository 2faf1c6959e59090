"""What a search thinks of a position, and the turning points of a finished game."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from hansa.action import Action
from hansa.game import Game

from .protocol import UnknownBot
from .registry import create
from .search import Search
from .tree.nodes import likeness

__all__ = ["Analysis", "Moment", "Verdict", "analyse", "review"]

DEFAULT = "search:time=1"
TURNING_POINT = 0.06
"""A share of the win: decisions that gave away more are turning points."""
MOST_MOMENTS = 12


@dataclass(frozen=True)
class Verdict:
    """One decision and what comes of it."""

    decision: str
    visits: int
    value: float
    """The share of the win the deciding player may expect."""
    shares: dict[str, float]
    """The same for everybody."""


@dataclass(frozen=True)
class Analysis:
    """A position as a search sees it from the deciding player's seat."""

    player: str
    bot: str
    simulations: int
    options: tuple[Verdict, ...]
    """The best first."""

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        return asdict(self)


@dataclass(frozen=True)
class Moment:
    """A decision of a finished game that gave something away."""

    number: int
    """How many decisions came before it."""
    turn: int
    player: str
    played: str
    better: str
    lost: float
    """The share of the win given away."""


def analyse(game: Game, bot: str = DEFAULT) -> Analysis:
    """The best decisions of whoever decides, knowing only what he may know; raises UnknownBot.

    >>> game = hansa.Game.new(players=3)
    >>> best = analyse(game, "search:simulations=5").options[0]
    >>> best.decision in [str(action) for action in game.legal_actions()]
    True
    """
    if game.over:
        return Analysis(game.player, bot, 0, ())
    thought = _searcher(bot).think(game.view(game.player), game.legal_actions())
    seat = game.players.index(game.player)
    options = tuple(
        Verdict(
            option.action.text,
            option.visits,
            round(option.shares[seat], 4),
            {
                name: round(share, 4)
                for name, share in zip(game.players, option.shares, strict=True)
            },
        )
        for option in thought.options
        if option.visits > 0
    )
    return Analysis(game.player, bot, thought.simulations, options)


def _searcher(spec: str) -> Search:
    made = create(spec)
    if not isinstance(made, Search):
        raise UnknownBot(f"{spec!r}: only search can analyse, such as {DEFAULT}")
    return made


def review(
    game: Game,
    bot: str = "search:time=0.1",
    progress: Callable[[int, int], None] | None = None,
) -> list[Moment]:
    """The turning points of a game: where somebody gave most of his prospects away.

    Decisions with one legal answer are passed over, and so are those that the search did not
    look at closely enough to judge.
    """
    searcher = _searcher(bot)
    replayed = _start_of(game)
    history = game.history
    moments = []
    for number, action in enumerate(history):
        legal = replayed.legal_actions()
        if len(legal) > 1:
            moment = _judge(searcher, replayed, number, action)
            if moment is not None and moment.lost >= TURNING_POINT:
                moments.append(moment)
        if progress is not None:
            progress(number + 1, len(history))
        replayed.play(action)
    moments.sort(key=lambda moment: -moment.lost)
    return sorted(moments[:MOST_MOMENTS], key=lambda moment: moment.number)


def _start_of(game: Game) -> Game:
    start = game.copy()
    for _ in game.history:
        start.undo()
    return start


def _judge(searcher: Search, game: Game, number: int, played: Action) -> Moment | None:
    thought = searcher.think(game.view(game.player), game.legal_actions())
    seat = game.players.index(game.player)
    enough = max(2, thought.simulations // 50)
    judged = [option for option in thought.options if option.visits >= enough]
    # Of several like posts a search looks at one: what was played there is that one.
    kind = _kind(game, played.id)
    same = [option for option in judged if _kind(game, option.action.id) == kind]
    if not same:
        return None
    better = max(judged, key=lambda option: option.shares[seat])
    lost = round(better.shares[seat] - same[0].shares[seat], 4)
    return Moment(number, game.turn, game.player, played.text, better.action.text, lost)


def _kind(game: Game, number: int) -> int:
    return likeness(game.setup.tables, game._state, number)  # noqa: SLF001  # judged by the state
