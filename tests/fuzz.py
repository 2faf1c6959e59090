"""Play every allowed set-up and look for crashes, dead ends, endless games, and broken promises.

    python -m tests.fuzz --games 200 --seed 1                every game to its end
    python -m tests.fuzz --games 896 --most 40 --every 8     the beginning of one of each set-up

A few games run in the normal tests (test_engine_fuzz.py); this is the long way.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Iterator
from itertools import combinations_with_replacement

from tests.playing import mixed

import hansa
from hansa import invariants
from hansa.setup import PROMOS, Setup, all_setups

MOST = 15_000
"""More is an endless game: of 1,792 playouts over all set-ups the longest, a pawn duel, took 6,266."""


def setups() -> list[Setup]:
    """Every allowed set-up, with every choice of promo markers."""
    choices = [
        promos
        for number in range(7)
        for promos in combinations_with_replacement(PROMOS, number)
        if all(promos.count(promo) <= 2 for promo in promos)
    ]
    return list(all_setups(choices))


def fuzz_game(setup: Setup, seed: int, most: int = MOST, every: int = 1) -> tuple[int, bool]:
    """Play one game with all checks, round trips at every `every`-th decision; (decisions, ended)."""
    chance = random.Random(seed)
    game = hansa.Game(setup, setup.new_state())
    before = invariants.check(game)
    for number in range(most):
        if game.over:
            _check_end(game)
            return number, True
        assert game.legal_ids(), f"dead end: {game!r}"
        bytes_before = game.pack()
        events = game.play(mixed(game, chance))
        after = invariants.check(game)
        invariants.check_step(before, after, events)
        if number % every == 0:
            _check_round_trips(game, bytes_before)
        before = after
    return most, game.over


def _check_round_trips(game: hansa.Game, bytes_before: bytes) -> None:
    data = json.loads(json.dumps(game.to_dict()))
    assert hansa.Game.from_dict(data) == game, "from_dict(to_dict()) differs"
    twin = game.copy()
    twin.undo()
    assert twin.pack() == bytes_before, "undo did not restore every byte"
    check_views(game)


def check_views(game: hansa.Game) -> None:
    """A view tells nothing hidden, and what is filled in looks the same to its viewer."""
    position = game.to_dict()
    for viewer in (None, *game.players):
        view = game.view(viewer)
        assert view["game"]["seed"] == "?"
        assert set(view["supply"]) <= {"?"}
        for name, player in view["players"].items():
            looks = viewer == name == game.player and game.phase == "plate"
            assert looks or set(player["plate"]) <= {"?"}
            if name != viewer and not game.over and player["mission"]:
                assert player["mission"] == ["?"] * 3
        filled = hansa.Game.from_view(view, 5)
        assert filled.view(viewer) == view
        assert len(filled.to_dict()["supply"]) == len(position["supply"])


def _check_end(game: hansa.Game) -> None:
    assert game.legal_actions() == []
    assert game.winners
    assert game.end_reason in ("prestige", "markers", "cities")
    assert hansa.Game.from_record(game.record()) == game


def long_run(games: int, seed: int, most: int, every: int) -> Iterator[tuple[Setup, int, bool]]:
    """Games over all set-ups in turn, each with its own seed."""
    allowed = setups()
    for k in range(games):
        setup = allowed[(seed + k * 37) % len(allowed)].with_seed(seed + k)
        decisions, ended = fuzz_game(setup, seed + k, most, every)
        yield setup, decisions, ended


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--most", type=int, default=MOST, help="decisions of a game")
    parser.add_argument(
        "--every", type=int, default=1, help="round trips at every so many decisions"
    )
    options = parser.parse_args()
    total = endless = 0
    out = sys.stdout.write
    out(f"{len(setups())} set-ups\n")
    run = long_run(options.games, options.seed, options.most, options.every)
    for k, (setup, decisions, ended) in enumerate(run, 1):
        total += decisions
        endless += not ended
        out(f"{k}/{options.games}: {decisions} decisions, {setup}\n")
        sys.stdout.flush()
    out(f"{options.games} games, {total} decisions, {endless} without an end\n")
    if endless and options.most == MOST:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
