"""What a search thinks of a position, and the turning points of a finished game."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from hansa.action import Action
from hansa.game import Game

from . import lines
from .protocol import UnknownBot
from .registry import create
from .search import Option, Search
from .tree.nodes import likeness

__all__ = ["Analysis", "Moment", "Verdict", "analyse", "review"]

DEFAULT = "search:time=1"
TURNING_POINT = 0.06
"""A share of the win: decisions that gave away more are turning points."""
CLOSE = 0.02
"""A share of the win: what seems worse by less is not looked into."""
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
    line: tuple[str, ...]
    """It and what the search expects to follow, as a record writes it: `p1> income 2 0`."""


@dataclass(frozen=True)
class Analysis:
    """A position as a search sees it from the deciding player's seat."""

    player: str
    bot: str
    simulations: int
    options: tuple[Verdict, ...]
    """The best first."""
    turn: tuple[str, ...] = ()
    """The best decision and the rest of this turn, everybody's decisions in it."""

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
    line: tuple[str, ...]
    """The better decision and the rest of that turn."""


def analyse(game: Game, bot: str = DEFAULT) -> Analysis:
    """The best decisions of whoever decides, knowing only what he may know; raises UnknownBot.

    >>> game = hansa.Game.new(players=3)
    >>> best = analyse(game, "search:simulations=5").options[0]
    >>> best.decision in game.legal_actions(), best.line[0] == f"p1> {best.decision}"
    (True, True)
    """
    if game.over:
        return Analysis(game.player, bot, 0, ())
    view = game.view(game.player)
    thought = _searcher(bot).think(view, game.legal_actions())
    # What is expected must not depend on what the deciding player cannot know.
    sample = Game.from_view(view, 0)
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
            lines.principal(sample, _ids(option)),
        )
        for option in thought.options
        if option.visits > 0
    )
    turn = lines.whole_turn(sample, _ids(thought.options[0]))
    return Analysis(game.player, bot, thought.simulations, options, turn)


def _ids(option: Option) -> tuple[int, ...]:
    return (option.action.id, *option.expected)


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

    Where a search would have decided otherwise, both decisions are tried and what follows is
    searched alike. Of a player's turn only the worst decision is named.
    """
    searcher = _searcher(bot)
    replayed = _start_of(game)
    history = game.history
    worst: dict[int, Moment] = {}
    for number, action in enumerate(history):
        moment = _judge(searcher, replayed, number, action)
        if moment is not None and moment.lost >= TURNING_POINT:
            known = worst.get(moment.turn)
            if known is None or known.lost < moment.lost:
                worst[moment.turn] = moment
        if progress is not None:
            progress(number + 1, len(history))
        replayed.play(action)
    moments = sorted(worst.values(), key=lambda moment: -moment.lost)[:MOST_MOMENTS]
    return sorted(moments, key=lambda moment: moment.number)


def _start_of(game: Game) -> Game:
    start = game.copy()
    for _ in game.history:
        start.undo()
    return start


def _judge(searcher: Search, game: Game, number: int, played: Action) -> Moment | None:
    legal = game.legal_actions()
    if len(legal) == 1:
        return None
    view = game.view(game.player)
    thought = searcher.think(view, legal)
    seat = game.players.index(game.player)
    best = thought.options[0]
    # Of several like posts a search looks at one: what was played there is that one.
    kind = _kind(game, played.id)
    if kind == _kind(game, best.action.id):
        return None
    same = [option for option in thought.options if _kind(game, option.action.id) == kind]
    enough = max(2, thought.simulations // 20)
    if same and same[0].visits >= enough and same[0].shares[seat] > best.shares[seat] - CLOSE:
        return None
    lost = _prospect(searcher, game, best.action, seat) - _prospect(searcher, game, played, seat)
    better = lines.whole_turn(Game.from_view(view, 0), _ids(best))
    return Moment(
        number, game.turn, game.player, played.text, best.action.text, round(lost, 4), better
    )


def _prospect(searcher: Search, game: Game, action: Action, seat: int) -> float:
    """The share of the win that a player may expect after a decision."""
    after = game.copy()
    after.play(action)
    while not after.over and len(after.legal_actions()) == 1:
        after.play(after.legal_actions()[0])
    if after.over:
        name = after.players[seat]
        return 1 / len(after.winners) if name in after.winners else 0.0
    return searcher.think(after.view(after.player), after.legal_actions()).options[0].shares[seat]


def _kind(game: Game, number: int) -> int:
    return likeness(game.setup.tables, game.state, number)
