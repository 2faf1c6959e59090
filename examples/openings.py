"""Count how a bot opens: on which routes each seat places pieces in its first turn.

Run: python examples/openings.py --bot greedy:care=50 --games 40
"""

from __future__ import annotations

import argparse
from collections import Counter

import hansa
from hansa import bots


def opening(bot: bots.Bot, game: hansa.Game) -> dict[str, tuple[str, ...]]:
    """What each seat decides in its first turn, without the numbers of the posts."""
    first: dict[str, list[str]] = {player: [] for player in game.players}
    while game.turn <= len(game.players):
        action = bot.choose(game.view(game.player), game.legal_actions())
        if game.phase == "turn" and action.verb != "end":
            first[game.player].append(str(action).partition("/")[0])
        game.play(action)
    return {player: tuple(sorted(decisions)) for player, decisions in first.items()}


def main() -> None:
    """Play first rounds and print the commonest openings."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--bot", default="greedy:care=50", help="a bot, settings after a colon")
    parser.add_argument("--board", default="hansa", help="hansa, east or britannia")
    parser.add_argument("--players", type=int, default=3)
    parser.add_argument("--games", type=int, default=40)
    options = parser.parse_args()

    bot = bots.create(options.bot)
    found: dict[str, Counter[tuple[str, ...]]] = {}
    for seed in range(options.games):
        game = hansa.Game.new(board=options.board, players=options.players, seed=seed)
        for player, decisions in opening(bot, game).items():
            found.setdefault(player, Counter())[decisions] += 1
    for player, counted in found.items():
        print(f"{player} opens with")
        for decisions, times in counted.most_common(3):
            print(f"  {times / options.games:4.0%}  {', '.join(decisions)}")


if __name__ == "__main__":
    main()
