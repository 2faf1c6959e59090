"""A bot of one's own in thirty lines, and how it does against others.

Run: python examples/own_bot.py --games 6 --against greedy

A package of yours can offer its bots by name: see "How to write a bot" in the documents.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Sequence

import hansa
from hansa import bots

WISHES = ("skill actions", "skill privilege", "office", "extra", "prestige", "skill", "none")
"""What to do with a full route, best first."""


class Steady:
    """Fills one route after the other and never displaces anybody."""

    name = "steady"

    def choose(
        self,
        view: bots.View,
        legal: Sequence[hansa.Action],
        clock: float | None = None,  # noqa: ARG002 - the protocol names it
    ) -> hansa.Action:
        """The decision that serves the plan best; chance decides between equals."""
        best = max(self.worth(view, action) for action in legal)
        chance = random.Random(view["turn"] * 10 + view["actions_left"])
        return chance.choice([one for one in legal if self.worth(view, one) == best])

    def worth(self, view: bots.View, action: hansa.Action) -> int:
        """How good a decision looks: a number, greater is better."""
        words = str(action).split()
        if action.verb == "establish":
            wish = " ".join(words[2:])
            return 1000 - next(k for k, kind in enumerate(WISHES) if wish.startswith(kind))
        if action.verb in {"place", "put"}:
            route = view["routes"][words[2].partition("/")[0]]
            posts = route["posts"]
            mine = sum(1 for post in posts if post and post.startswith(view["player"]))
            others = sum(1 for post in posts if post) - mine
            marker = 15 if route["marker"] else 0
            return 500 + 20 * mine - 100 * others + marker - len(posts) - 10 * (words[1] == "m")
        if action.verb == "income":
            return 100 + int(words[1]) + int(words[2])
        if action.verb == "use":
            return 90
        return 0 if action.verb in {"lift", "displace"} else 50


def play(seats: Sequence[bots.Bot], seed: int, most: int = 3000) -> hansa.Game:
    """A game between bots, one a seat."""
    game = hansa.Game.new(players=len(seats), seed=seed)
    game.seats = {player: bot.name for player, bot in zip(game.players, seats, strict=True)}
    while not game.over and len(game.history) < most:
        bot = seats[game.players.index(game.player)]
        game.play(bot.choose(game.view(game.player), game.legal_actions()))
    return game


def main() -> None:
    """Our bot against two others, in each seat in turn; count the wins."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--games", type=int, default=6)
    parser.add_argument("--against", default="greedy:care=25", help="a bot, settings after a colon")
    options = parser.parse_args()

    wins = 0.0
    for number in range(options.games):
        seats: list[bots.Bot] = [bots.create(options.against), bots.create(options.against)]
        seats.insert(number % 3, Steady())
        game = play(seats, seed=number // 3)
        ours = game.players[number % 3]
        if ours in game.winners:
            wins += 1 / len(game.winners)
        totals = ", ".join(f"{game.seats[p]} {own['total']}" for p, own in game.scores().items())
        print(f"game {number + 1}: {totals}; {game.end_reason or 'stopped'} in turn {game.turn}")
    print(f"steady won {wins:g} of {options.games}")


if __name__ == "__main__":
    main()
