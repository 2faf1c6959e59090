"""Whole turns: played out, weighed by a search, told apart by what comes of them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from hansa.action import Action
from hansa.game import Game

from .greedy import Greedy
from .lines import MOST
from .protocol import Bot, UnknownBot
from .registry import create
from .search import Search

__all__ = ["MISTAKE", "SLIP", "Judged", "chances", "essence", "judge", "play_turn", "turns_of"]

SLIP = 0.06
"""A share of the win: a turn that gave away as much was not the best."""
MISTAKE = 0.15
"""The same, for a turn that hurt."""
_UNORDERED = ("markers", "used", "plate", "favours")


@dataclass(frozen=True)
class Judged:
    """One turn of a game, weighed as a whole."""

    number: int
    """How many decisions came before it."""
    turn: int
    player: str
    shares: dict[str, float]
    """The share of the win that everybody may expect before it."""
    lost: float
    """What the turn gave away of it, beside the best one found; 0 where none was better."""
    mark: str
    """`slip`, `mistake`, or nothing."""
    better: tuple[str, ...]
    """A better turn as a record writes it, if the turn gave something away."""


def essence(game: Game) -> str:
    """What a position is, whichever way led to it and whichever of like posts its pieces lie on.

    >>> game, other = hansa.Game.new(players=3), hansa.Game.new(players=3)
    >>> for k in (1, 2):
    ...     _ = game.play(f"place t groningen-emden/{k}"), other.play(f"place t groningen-emden/{4 - k}")
    >>> game == other, essence(game) == essence(other)
    (False, True)
    """
    position: dict[str, Any] = {**game.to_dict()}
    position["routes"] = {
        route.id: _route(position["routes"][route.id], [post.ship for post in route.posts])
        for route in game.board.routes
    }
    position["players"] = {
        name: {key: sorted(value) if key in _UNORDERED else value for key, value in desk.items()}
        for name, desk in position["players"].items()
    }
    position["discarded"] = sorted(position["discarded"])
    return json.dumps(position, sort_keys=True)


def _route(route: dict[str, Any], ships: list[bool]) -> dict[str, Any]:
    posts = zip(ships, route["posts"], strict=True)
    like = sorted([ship, piece or ""] for ship, piece in posts)
    return {**route, "posts": like, "laid": sorted(route["laid"])}


def play_turn(game: Game, bot: Bot) -> Game:
    """The game after the rest of this turn by a bot, where others decide by judgement.

    Each knows only what he may know.
    """
    after, turn, player = game.copy(), game.turn, game.player
    others = Greedy()
    for _ in range(MOST):
        if after.over or after.turn != turn:
            break
        legal = after.legal_actions()
        decides = bot if after.player == player else others
        after.play(legal[0] if len(legal) == 1 else decides.choose(after.view(after.player), legal))
    return after


def chances(game: Game, bot: str) -> dict[str, float]:
    """The share of the win everybody may expect, as a search from the decider's seat sees it.

    Raises UnknownBot where the bot does not search.
    """
    if game.over:
        share = 1 / len(game.winners)
        return {player: share * (player in game.winners) for player in game.players}
    return dict(zip(game.players, _shares(game.to_line(), bot), strict=True))


@lru_cache(maxsize=64)
def _shares(line: str, bot: str) -> tuple[float, ...]:
    """Kept: the end of one turn is the beginning of the next."""
    game = Game.from_line(line)
    thought = _searcher(bot).think(game.view(game.player), game.legal_actions())
    return tuple(round(share, 4) for share in thought.options[0].shares)


def _searcher(spec: str) -> Search:
    made = create(spec)
    if not isinstance(made, Search):
        raise UnknownBot(f"{spec!r}: only a search can judge, such as champion:time=0.5")
    return made


def turns_of(game: Game) -> Iterator[tuple[Game, int, list[Action]]]:
    """Every turn of a game: the position it began from, decisions before it, its own decisions."""
    history = game.history
    at = game.copy()
    for _ in history:
        at.undo()
    start, number, played = at.copy(), 0, list[Action]()
    for count, action in enumerate(history):
        if at.turn != start.turn:
            yield start, number, played
            start, number, played = at.copy(), count, []
        played.append(action)
        at.play(action)
    if played:
        yield start, number, played


def judge(game: Game, played: Iterable[Action | str], bot: str, number: int = 0) -> Judged:
    """A turn from where it began: the best one that a search finds is weighed beside it."""
    after = game.copy()
    for action in played:
        after.play(action)
    shares = chances(game, bot)
    best = play_turn(game, _searcher(bot))
    lost = _lost(best, after, game.player, bot)
    mark = "mistake" if lost >= MISTAKE else "slip" if lost >= SLIP else ""
    better = tuple(_told(game, best)) if mark else ()
    return Judged(
        number, game.turn, game.player, shares, round(lost, 4) if mark else 0.0, mark, better
    )


def _lost(best: Game, after: Game, player: str, bot: str) -> float:
    if essence(best) == essence(after):
        return 0.0
    lost = _between(best, after, player, bot)
    if lost < SLIP:
        return 0.0
    # What is called a mistake is looked at once more, by other samples.
    return min(lost, (lost + _between(best, after, player, _other(bot))) / 2)


def _between(best: Game, after: Game, player: str, bot: str) -> float:
    return chances(best, bot)[player] - chances(after, bot)[player]


def _other(bot: str) -> str:
    return f"{bot}{',' if ':' in bot else ':'}seed=77" if "seed=" not in bot else bot


def _told(game: Game, after: Game) -> Iterator[str]:
    """What was decided between two positions of one game, as a record writes it."""
    at = game.copy()
    for action in after.history[len(game.history) :]:
        yield f"{at.player}> {action}"
        at.play(action)
