"""How strong the bots are, as in docs/bots.md. Run: python benchmarks/strength.py --records DIR

Plays all tournaments of the tables, a quarter of each after the other, and prints the tables in
Markdown after every quarter. What is in the folder is not played again: an interrupted run goes
on. Budgets are counted in simulations, not in seconds, so that a busy machine plays the same
games as a quiet one. `--only` plays some of the tables.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from math import ceil
from pathlib import Path
from typing import Any

from hansa import arena

BUDGET = 300
"""Simulations: a third to a quarter of what 0.2 s allow on the machine the tables are from."""
WHOLE = 1000
"""About what 0.2 s allow there."""
DOUBLINGS = (16, 32, 64, 128, 256)
SEED = 1000
PARTS = 4


@dataclass(frozen=True)
class Tournament:
    """One row of a table: a bot against as many of another one as there are other seats."""

    bot: str
    other: str
    games: int
    board: str = "hansa"
    players: int = 4
    duel: str | None = None

    @property
    def place(self) -> str:
        """Where it is played, in words."""
        return f"{self.board} ({self.duel})" if self.duel else self.board

    def play(self, records: Path, part: int, workers: int) -> dict[str, Any]:
        """Play the first part of it, or take it from the records."""
        name = f"{self.bot}-{self.other}-{self.place}-{self.players}"
        return arena.run(
            [self.bot, *[self.other] * (self.players - 1)],
            board=self.board, players=self.players, duel=self.duel, seed=SEED,
            games=ceil(self.games * part / PARTS), workers=workers,
            directory=records / "".join(c if c.isalnum() else "-" for c in name),
        )  # fmt: skip


def tables() -> dict[str, tuple[str, list[Tournament]]]:
    """The tables by name: what stands above each, and its rows."""
    boards = ("hansa", "east", "britannia")
    duels = (("hansa", "pawn"), ("hansa", "neutral"), ("east", "neutral"), ("britannia", "neutral"))
    search = f"search:simulations={BUDGET}"
    return {
        "greedy": (
            "One against three; 25 % is fair",
            [
                *(Tournament(search, "greedy", 60, board) for board in boards),
                Tournament(f"search:simulations={WHOLE}", "greedy", 60, "britannia"),
            ],
        ),
        "duels": (
            "Duels; 50 % is fair",
            [Tournament(search, "greedy", 40, board, 2, duel) for board, duel in duels],
        ),
        "doublings": (
            "Pawn duels of a search against one with half its simulations; 50 % is fair",
            [
                Tournament(
                    f"search:simulations={2 * n}", f"search:simulations={n}", 60, "hansa", 2, "pawn"
                )
                for n in DOUBLINGS[:-1]
            ],
        ),
        "random": (
            "One against three; 25 % is fair",
            [Tournament("greedy", "random", 100, board) for board in boards],
        ),
    }


def row(tournament: Tournament, results: dict[str, Any]) -> str:
    """A line of a table: the bot's wins with their interval, and everybody's points."""
    named = {bot["name"]: bot for bot in results["bots"]}
    bot, other = named[tournament.bot], named[tournament.other]
    low, high = 100 * bot["win_share_low"], 100 * bot["win_share_high"]
    return (
        f"| {tournament.place} | `{bot['name']}` | `{other['name']}` | {results['games']} "
        f"| {100 * bot['win_share']:.1f} % | {low:.1f}–{high:.1f} % "
        f"| {bot['mean_score']:.1f} | {other['mean_score']:.1f} |"
    )


def show(records: Path, part: int, workers: int, only: list[str]) -> None:
    """Play this part of every chosen tournament and print the tables."""
    for name, (title, tournaments) in tables().items():
        if name not in only:
            continue
        print(
            f"\n{title}:\n\n| board | bot | against | games | wins | interval | points | theirs |"
        )
        print("|---|---|---|---|---|---|---|---|", flush=True)
        for tournament in tournaments:
            print(row(tournament, tournament.play(records, part, workers)), flush=True)


def main() -> None:
    """Play and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--records", type=Path, required=True, help="folder to go on from")
    parser.add_argument("--workers", type=int, default=1, help="games at a time")
    parser.add_argument("--part", type=int, default=PARTS, help="how many quarters to play")
    parser.add_argument("--only", nargs="+", choices=tables())
    chosen = parser.parse_args()
    only = chosen.only or list(tables())
    for part in range(1, chosen.part + 1):
        show(chosen.records, part, chosen.workers, only)


if __name__ == "__main__":
    main()
