"""Try every decision, look at the score, take it back: what is worth most at once?

Run: python examples/what_if.py examples/games/duel.txt --after 146
"""

from __future__ import annotations

import argparse
from pathlib import Path

import hansa


def gains(game: hansa.Game) -> dict[hansa.Action, int]:
    """What each legal decision changes in the mover's lead over the best of the others."""
    mover, before = game.player, _lead(game, game.player)
    found = {}
    for action in game.legal_actions():
        game.play(action)
        found[action] = _lead(game, mover) - before
        game.undo()
    return found


def _lead(game: hansa.Game, player: str) -> int:
    totals = {name: points["total"] for name, points in game.scores().items()}
    return totals.pop(player) - max(totals.values())


def main() -> None:
    """Go to a place in a record and rank the decisions there."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    default = Path(__file__).parent / "games" / "duel.txt"
    parser.add_argument("record", type=Path, nargs="?", default=default)
    parser.add_argument("--after", type=int, default=146, help="decisions played before")
    options = parser.parse_args()

    game = hansa.Game.from_record(options.record.read_text(encoding="utf-8"))
    while len(game.history) > options.after:
        game.undo()
    print(game)
    ranked = sorted(gains(game).items(), key=lambda item: -item[1])
    for action, gain in ranked[:8]:
        print(f"{gain:+4}  {action}")


if __name__ == "__main__":
    main()
