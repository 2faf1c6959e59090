"""Finds puzzles: turns of which a deep search says that one is clearly best.

    python scripts/puzzles.py --out found.jsonl --wanted 12 --seed 1

plays games of the judgement against itself on every board. Where two actions of a turn are left a
short search looks whether the rest of the turn that it would play beats the next best one; only
then a deep search, by other samples too, has the last word. What is found is
appended, so that a run may be stopped and gone on with under another seed; `--number` gives
every puzzle of the files named its id and writes src/hansa/bots/puzzles.jsonl.

    python scripts/puzzles.py --check hansa-45-1 east-1

searches puzzles of the package anew, all of them where none is named, and fails where another turn
is as good.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hansa.bots import compiling, create
from hansa.bots.puzzles import FILE, Puzzle, load, puzzle, themes_of
from hansa.bots.turns import chances, essence, play_turn
from hansa.game import Game
from hansa.setup import Setup

BOARDS: tuple[dict[str, Any], ...] = (
    {"board": "hansa", "players": 3},
    {"board": "hansa", "players": 4},
    {"board": "east", "players": 3},
    {"board": "britannia", "players": 3},
    {"board": "britannia", "players": 4},
    {"board": "hansa", "players": 5},
    {"board": "east", "players": 4},
)
"""Every side of every board; two of them with more players too."""
SHORT = "champion:simulations=70"
DEEP = ("champion:simulations=1500", "champion:simulations=1500,seed=5")
PROMISING = 0.03
CLEAR = 0.03
"""A share of the win by which the best turn leads, in the short and in every deep search."""
TRIED = 5
"""Decisions to begin the turn with that the short search looks at."""
FINALISTS = 3
FIRST_TURN = 7
ACTIONS = 2
"""With more of them there is nearly always one that hardly matters, and so no clearly best turn."""
EVERY = 2
"""Of so many turns one is looked at."""
PUZZLES_A_GAME = 2


def played(setup: dict[str, Any], seed: int) -> Iterator[Game]:
    """The positions of a game with so many actions left in a turn, one of each turn."""
    game = Game.new(**setup, seed=seed)
    bots = [create(f"greedy:seed={seed + k},care=92") for k in range(setup["players"])]
    turn = 0
    while not game.over:
        if game.turn != turn and game.phase == "turn" and game.actions_left == ACTIONS:
            turn = game.turn
            yield Game.from_dict(game.to_dict())
        bot = bots[game.players.index(game.player)]
        game.play(bot.choose(game.view(game.player), game.legal_actions()))


def candidates(game: Game) -> list[Game]:
    """Turns that may be good: a search goes on after every good beginning."""
    thought = create(SHORT).think(game.view(game.player), game.legal_actions())  # type: ignore[attr-defined]  # a search
    found = []
    for option in thought.options[:TRIED]:
        begun = game.copy()
        begun.play(option.action)
        whole = begun.over or begun.turn != game.turn
        found.append(begun if whole else play_turn(begun, create(SHORT)))
    return found


def unlike(turns: list[Game]) -> list[Game]:
    """Of turns that lead to the same position one."""
    return list({essence(after): after for after in turns}.values())


def ranked(turns: list[Game], player: str, bot: str) -> list[tuple[float, Game]]:
    """Turns by what they leave to the player, the best first."""
    weighed = [(chances(after, bot)[player], k) for k, after in enumerate(turns)]
    return [(share, turns[k]) for share, k in sorted(weighed, key=lambda one: -one[0])]


def is_settled(after: Game, start: Game) -> bool:
    """Whether all of the turn is its player's own and nothing is drawn that he could not foresee."""
    texts = [str(action) for action in after.history[len(start.history) :]]
    return not any(text.startswith("lay ") for text in texts)


def leads(best: Game, turns: list[Game], player: str) -> list[tuple[float, float]] | None:
    """What the best turn leaves and by how much it leads, in every deep search; None where it does not."""
    found = []
    for bot in DEEP:
        deep = ranked(turns, player, bot)
        if deep[0][1] is not best:
            return None
        found.append((deep[0][0], deep[0][0] - deep[1][0]))
    return found


def puzzle_of(game: Game) -> dict[str, Any] | None:
    """What the position is as a puzzle, if its best turn is clear."""
    player = game.player
    looked = play_turn(game, create(SHORT))
    if not is_settled(looked, game):
        return None
    obvious = play_turn(game, create("greedy"))
    short = ranked(unlike([looked, obvious, *candidates(game)]), player, SHORT)
    if len(short) < FINALISTS:
        return None  # nothing to choose from
    best = short[0][1]
    if short[0][0] - short[1][0] < PROMISING or not is_settled(best, game):
        return None
    # A deep search of its own must find the same turn, and weigh the finalists alike.
    if essence(play_turn(game, create(DEEP[0]))) != essence(best):
        return None
    finalists = [after for _, after in short[:FINALISTS]]
    deep = leads(best, finalists, player)
    if deep is None:
        return None
    shares, margins = zip(*deep, strict=True)
    # Why pieces lie better here than there is seen only where it matters much.
    quiet = themes_of(game, best) == ("prepare",)
    if min(margins) < (2 * CLEAR if quiet else CLEAR):
        return None
    return _written(game, best, sum(shares) / len(DEEP), sum(margins) / len(DEEP))


def _written(game: Game, best: Game, share: float, margin: float) -> dict[str, Any]:
    at, turn = game.copy(), []
    for action in best.history[len(game.history) :]:
        turn.append(f"{at.player}> {action}")
        at.play(action)
    return {
        "position": game.to_line(),
        "turn": turn,
        "chance": round(share, 3),
        "next": round(share - margin, 3),
        "themes": list(themes_of(game, best)),
    }


def tell(text: str) -> None:
    """Say how far it is."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def find(out: Path, wanted: int, seed: int) -> None:
    """Append puzzles until every board has so many."""
    chance = random.Random(seed)
    have = [0] * len(BOARDS)
    looked, begun = 0, time.monotonic()
    while min(have) < wanted:
        which = min(range(len(BOARDS)), key=lambda k: (have[k], k))
        of_this_game = 0
        for game in played(BOARDS[which], chance.randrange(2**31)):
            if game.turn < FIRST_TURN or chance.randrange(EVERY):
                continue
            looked += 1
            if looked % 50 == 0:
                tell(f"{time.monotonic() - begun:6.0f} s  {looked} looked at  {have}")
            found = puzzle_of(game)
            if found is None:
                continue
            with out.open("a", encoding="utf-8") as file:
                file.write(json.dumps(found) + "\n")
            have[which] += 1
            of_this_game += 1
            tell(
                f"{time.monotonic() - begun:6.0f} s  {looked} looked at  {have}  {found['themes']}"
            )
            if of_this_game == PUZZLES_A_GAME:
                break


def number(files: list[Path]) -> None:
    """Write what was found as the puzzles of the package, board by board."""
    found = [json.loads(line) for file in files for line in file.read_text().splitlines()]
    lines = []
    for board in dict.fromkeys(Setup(**setup).board_id for setup in BOARDS):
        of_board = [one for one in found if Game.from_line(one["position"]).board.id == board]
        lines += [json.dumps({"id": f"{board}-{k}", **one}) for k, one in enumerate(of_board, 1)]
        tell(f"{board}: {len(of_board)}")
    FILE.write_text("\n".join(lines) + "\n", encoding="utf-8")


def check(asked: list[Puzzle]) -> bool:
    """Whether the best turn of every puzzle still beats what else a short search proposes."""
    wrong = 0
    for one in asked:
        game, best = one.game(), one.solved()
        rivals = unlike([best, play_turn(game, create("greedy")), *candidates(game)])
        others = [after for after in rivals if essence(after) != essence(best)]
        top = [after for _, after in ranked(others, game.player, SHORT)[: FINALISTS - 1]]
        found = leads(best, [best, *top], game.player)
        wrong += found is None
        margins = " and ".join(f"{margin:.3f}" for _, margin in found or ())
        tell(f"{one.id}: " + (f"leads by {margins}" if found else "another turn is as good"))
    tell(f"{len(asked) - wrong} of {len(asked)} have one best turn")
    return wrong == 0


def main() -> None:
    """Find, number what was found, or check what is shipped."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--out", type=Path, default=Path("found.jsonl"))
    parser.add_argument("--wanted", type=int, default=12, help="puzzles for each kind of table")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--number", type=Path, nargs="+", help="files of found puzzles")
    parser.add_argument("--check", nargs="*", metavar="ID", help="search shipped puzzles anew")
    given = parser.parse_args()
    if given.number:
        number(given.number)
        return
    compiling.prepare(tell)
    compiling.simulate()
    if given.check is not None:
        asked = [puzzle(name) for name in given.check] or list(load().values())
        sys.exit(0 if check(asked) else 1)
    find(given.out, given.wanted, given.seed)


if __name__ == "__main__":
    main()
