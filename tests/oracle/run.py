"""The long comparison: `python -m tests.oracle.run --games 200 --seed 1`."""

import argparse
import random
import sys
import time
from collections import Counter

from tests.oracle.lockstep import Difference, open_game, play_on
from tests.oracle.rich import rich
from tests.oracle.setups import Setup, name, spread
from tests.oracle.twin import compiled_differs

import hansa


def one_game(
    setup: Setup, seed: int, *, from_rich: bool, compiled: bool = False
) -> tuple[int, Difference | None]:
    """A whole game from the opening, or forty wild decisions from a rich position."""
    rng = random.Random(seed)
    twin = compiled_differs if compiled else None
    if not from_rich:
        return play_on(open_game(setup, seed), 3000, rng, wild=False, twin=twin)
    pos = rich(setup, rng)
    game = hansa.Game.from_dict(pos)
    if game.to_dict() != pos:
        return 0, Difference("from_dict", game.to_dict(), pos, pos)
    return play_on(game, 40, rng, wild=rng.random() < 0.7, twin=twin)


def main() -> int:
    """Play, print the first difference in full and what was compared."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=100, help="games to play")
    parser.add_argument("--seed", type=int, default=1, help="the first seed")
    parser.add_argument("--whole", type=float, default=0.1, help="share of whole games")
    parser.add_argument("--only", default="", help="set-ups whose name contains this")
    parser.add_argument("--go-on", action="store_true", help="go on after a difference")
    parser.add_argument("--compiled", action="store_true", help="ask the compiled rules too")
    options = parser.parse_args()
    setups = [setup for setup in spread() if options.only in name(setup)]
    compared, failed, began = Counter[str](), 0, time.monotonic()
    for number in range(options.games):
        setup = setups[number % len(setups)]
        seed = options.seed * 1_000_000 + number
        whole = random.Random(seed).random() < options.whole
        count, difference = one_game(setup, seed, from_rich=not whole, compiled=options.compiled)
        compared[name(setup)] += count
        if difference is not None:
            failed += 1
            sys.stdout.write(f"{name(setup)}, seed {seed}\n{difference}\n\n")
            if not options.go_on:
                break
    for setup_name, count in sorted(compared.items()):
        sys.stdout.write(f"{count:8} {setup_name}\n")
    seconds = time.monotonic() - began
    sys.stdout.write(
        f"{compared.total():8} decisions compared in {seconds:.0f} s, {failed} differences\n"
    )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
