"""Play a game with random choices and print its log in words.

Run: python examples/random_game.py --board east --players 3 --seed 4

Choices are random, but with a taste: pure chance hardly ever finishes a route, so a game of it
would take tens of thousands of decisions.
"""

from __future__ import annotations

import argparse
import random

import hansa
from hansa import events


def choose(game: hansa.Game, chance: random.Random) -> hansa.Action:
    """Establish if possible, else go on with a route begun, else anything that is no waste."""
    legal = game.legal_actions()
    begun = {
        route
        for route, now in game.to_dict()["routes"].items()
        if any(post and post.startswith(game.player) for post in now["posts"])
    }
    useful = [
        action for action in legal if action.verb == "establish" and "none" not in str(action)
    ]
    useful = useful or [action for action in legal if action.verb == "establish"]
    useful = useful or [
        action for action in legal if action.verb == "place" and _route(action) in begun
    ]
    useful = useful or [action for action in legal if action.verb in {"place", "income", "lay"}]
    return chance.choice(useful or legal)


def _route(action: hansa.Action) -> str:
    return str(action).rpartition(" ")[2].partition("/")[0]


def in_words(event: hansa.Event) -> str | None:
    """What an event means to somebody who reads the log; None for small steps."""
    match event:
        case events.RouteEstablished(player, route):
            return f"{player} establishes {route}"
        case events.OfficeFounded(player, city, piece, house):
            where = f"house {house} of {city}" if house else f"{city}, as an extra office"
            return f"{player} founds an office in {where} ({piece})"
        case events.SkillDeveloped(player, skill, level):
            return f"{player} develops {skill} to level {level}"
        case events.PointsGained(player, points, reason, city):
            return f"{player} gains {points} for {reason} in {city}"
        case events.MarkerTaken(player, marker, _):
            return f"{player} takes the marker {marker}"
        case events.CityCompleted(city, completed):
            return f"{city} is complete, the {completed}. city"
        case events.Linked(player, rank):
            return f"{player} has linked east and west, as number {rank}"
        case events.GameEnded(reason):
            return f"the game ends: {reason}"
        case _:
            return None


def main() -> None:
    """Play, and print every decision with what came of it."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--board", default="hansa", help="hansa, east or britannia")
    parser.add_argument("--players", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--most", type=int, default=5000, help="stop after so many decisions")
    options = parser.parse_args()

    chance = random.Random(options.seed)
    game = hansa.Game.new(board=options.board, players=options.players, seed=options.seed)
    while not game.over and len(game.history) < options.most:
        turn, player, action = game.turn, game.player, choose(game, chance)
        happened = [text for event in game.play(action) if (text := in_words(event))]
        print(f"turn {turn:3}  {player}: {action}" + "".join(f"\n{'':10}{t}" for t in happened))
    for player, points in game.scores().items():
        print(player, points["total"], "points", "(winner)" if player in game.winners else "")


if __name__ == "__main__":
    main()
