"""Play and undo beside python-chess's push and pop, before and after a change, in one run:

python benchmarks/undo.py REF [--rounds N]

Everything is measured in turns, so that what else the machine does meets all alike; the best round
of each counts. A round takes every legal decision of positions along a game and takes it back.
`Game.play` checks that a decision is legal and tells what happened; `Board.push` does neither.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Callable
from typing import Any

from compare import ROOT, checked_out, told_by

DEPTH, EVERY = 200, 10


def timed(positions: list[tuple[Any, list[Any]]], step: Callable[[Any, Any], None]) -> float:
    """Decisions taken and taken back a second, over all of these positions."""
    count = sum(len(choices) for _, choices in positions)
    begin = time.perf_counter()
    for place, choices in positions:
        for choice in choices:
            step(place, choice)
    return count / (time.perf_counter() - begin)


def hansa_rate() -> float:
    """The package that Python finds."""
    import hansa  # noqa: PLC0415  # that of another checkout

    game, chance, positions = hansa.Game.new(players=4, seed=3), random.Random(1), []
    for number in range(DEPTH):
        if number % EVERY == 0:
            positions.append((game.copy(), game.legal_actions()))
        game.play(chance.choice(game.legal_actions()))

    def step(place: hansa.Game, choice: hansa.Action) -> None:
        place.play(choice)
        place.undo()

    timed(positions[:1], step)
    return timed(positions, step)


def chess_rate() -> float:
    """python-chess, from positions along a game of chance too."""
    import chess  # noqa: PLC0415  # it is not needed in the other checkout

    board, chance, positions = chess.Board(), random.Random(1), []
    for number in range(DEPTH):
        if board.is_game_over():
            break
        if number % EVERY == 0:
            positions.append((board.copy(), list(board.legal_moves)))
        board.push(chance.choice(list(board.legal_moves)))

    def step(place: chess.Board, choice: chess.Move) -> None:
        place.push(choice)
        place.pop()

    return timed(positions, step)


def main() -> None:
    """Measure the checkout of a commit, this one, and python-chess."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("ref", nargs="?", help="the commit to compare with")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--one", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        print(hansa_rate())
        return
    if options.ref is None:
        parser.error("name the commit to compare with")
    before, after, chess = [], [], []
    with checked_out(options.ref) as old:
        for number in range(options.rounds):
            print(f"round {number + 1} of {options.rounds}", file=sys.stderr)
            before.append(float(told_by(old, __file__, "--one")))
            after.append(float(told_by(ROOT, __file__, "--one")))
            chess.append(chess_rate())
    slow, quick, push = max(before), max(after), max(chess)
    print(f"python-chess push + pop  {push:10,.0f} a second")
    print(f"play + undo before       {slow:10,.0f} a second, python-chess {push / slow:6.1f} times")
    print(
        f"play + undo after        {quick:10,.0f} a second, python-chess {push / quick:6.1f} times"
    )
    print(f"after / before           {quick / slow:10.1f}")


if __name__ == "__main__":
    main()
