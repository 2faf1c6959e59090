"""How a game would go on: the decisions a search expects, written as records write them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from hansa.game import Game

from .greedy import Greedy

__all__ = ["principal", "whole_turn"]

MOST = 60
"""Decisions after which a turn is given up: none is that long in play."""


def principal(game: Game, ids: Iterable[int]) -> tuple[str, ...]:
    """What is expected from here, as far as it can be played: `p1> place t groningen-emden/1`."""
    return tuple(_played(game.copy(), ids))


def whole_turn(game: Game, ids: Iterable[int]) -> tuple[str, ...]:
    """The same to the end of this turn; where nothing is expected any more, judgement decides."""
    after, turn = game.copy(), game.turn
    found = list(_played(after, ids, turn))
    judge = Greedy()
    while not after.over and after.turn == turn and len(found) < MOST:
        choice = judge.choose(after.view(after.player), after.legal_actions())
        found += _played(after, [choice.id])
    return tuple(found)


def _played(game: Game, ids: Iterable[int], turn: int | None = None) -> Iterator[str]:
    """Carry out what can be; what is hidden may come otherwise than the search thought."""
    for number in ids:
        if not game.is_legal(number) or turn not in (None, game.turn):
            return
        player = game.player
        game.play(number)
        yield f"{player}> {game.history[-1]}"
