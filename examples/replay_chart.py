"""Replay a recorded game, print its score and draw charts of it.

Run: python examples/replay_chart.py examples/games/duel.txt --out charts
"""

from __future__ import annotations

import argparse
from pathlib import Path

import hansa
from hansa import svg
from hansa.pictures import prestige_by_turn
from hansa.replay import Replay


def main() -> None:
    """Read the record, print the score, write two SVG files."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    default = Path(__file__).parent / "games" / "duel.txt"
    parser.add_argument("record", type=Path, nargs="?", default=default)
    parser.add_argument("--out", type=Path, default=Path())
    options = parser.parse_args()

    game = hansa.Game.from_record(options.record.read_text(encoding="utf-8"))
    scores = game.scores()
    print(f"{options.record.name}: {len(game.history)} decisions in {game.turn} turns")
    for player in sorted(scores, key=lambda player: -scores[player]["total"]):
        parts = ", ".join(f"{name} {n}" for name, n in scores[player].items() if n)
        print(f"{game.seats.get(player, player):>8}: {parts}")

    options.out.mkdir(parents=True, exist_ok=True)
    names = game.seats or None
    for name, chart in (
        ("prestige", svg.prestige_chart(prestige_by_turn(Replay(game)), names=names)),
        ("score", svg.score_chart(scores, names=names)),
    ):
        file = options.out / f"{options.record.stem}-{name}.svg"
        file.write_text(chart, encoding="utf-8")
        print(file)


if __name__ == "__main__":
    main()
