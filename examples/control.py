"""Who controls which city, and when that changed, from a recorded game.

Run: python examples/control.py examples/games/three-traders.txt
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path

import hansa
from hansa.replay import Replay


def control(game: hansa.Game) -> dict[str, str]:
    """City → who controls it, for those that somebody controls."""
    found = {city.id: game.control(city.id) for city in game.board.cities}
    return {city: player for city, player in found.items() if player is not None}


def changes(game: hansa.Game) -> list[tuple[int, str, str]]:
    """Every change of control in a game: turn, city, who has it now."""
    replay, found, before = Replay(game), [], dict[str, str]()
    turn = replay.game.turn
    for _ in replay.steps():
        now = control(replay.game)
        found += [(turn, city, now[city]) for city in now if now[city] != before.get(city)]
        before, turn = now, replay.game.turn
    return found


def main() -> None:
    """Print the changes, then how many cities each player holds at the end."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    default = Path(__file__).parent / "games" / "three-traders.txt"
    parser.add_argument("record", type=Path, nargs="?", default=default)
    options = parser.parse_args()

    game = hansa.Game.from_record(options.record.read_text(encoding="utf-8"))
    names = {player: game.seats.get(player, player) for player in game.players}
    for turn, city, player in changes(game):
        print(f"turn {turn:3}  {game.board.city(city).name:<12} {names.get(player, player)}")
    held = Counter(control(game).values())
    print(", ".join(f"{names.get(player, player)} {count}" for player, count in held.most_common()))


if __name__ == "__main__":
    main()
