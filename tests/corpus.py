"""A corpus of finished games in tests/games, and what must occur in it.

python -m tests.corpus --tries 120     looks for games that together show everything, anew
"""

from __future__ import annotations

import argparse
import random
from pathlib import Path

from tests.playing import sensible

import hansa
from hansa.boards import BOARD_IDS
from hansa.events import FavourBought, MarkerExchanged, MarkerUsed, PromoLaid
from hansa.grammar import MARKER_NAMES as MARKERS
from hansa.names import DUELS, EDITIONS, END_REASONS, FAVOURS
from hansa.rules.catalogue import PERMANENTS
from hansa.setup import Setup

GAMES = Path(__file__).parent / "games"
PROMOS = ("exchange", "exchange", "tribute", "tribute", "block", "block")
SETUPS = (
    Setup("hansa", 2, duel="pawn", edition="classic"),
    Setup("hansa", 2, duel="neutral"),
    Setup("hansa", 3, favours=True, missions=True, promos=PROMOS),
    Setup("hansa", 4, favours=True, promos=PROMOS),
    Setup("hansa", 5, edition="classic", missions=True),
    Setup("east", 2),
    Setup("east", 3),
    Setup("east", 5, edition="classic"),
    Setup("britannia", 2, edition="classic"),
    Setup("britannia", 3, border_fee=True),
    Setup("britannia", 4, edition="classic"),
    Setup("britannia", 5, border_fee=True),
)


def required() -> set[str]:
    """Every end reason, marker, permanent marker, favour, board, player count, duel, edition."""
    return {
        *(f"end {reason}" for reason in END_REASONS if reason),
        *(f"marker {marker}" for marker in MARKERS),
        *(f"permanent {marker}" for marker in [marker.name for marker in PERMANENTS]),
        *(f"favour {tile}" for tile in FAVOURS),
        *(f"board {board_id}" for board_id in BOARD_IDS),
        *(f"players {number}" for number in range(2, 6)),
        *(f"duel {duel}" for duel in DUELS if duel),
        *(f"edition {edition}" for edition in EDITIONS),
    }


def shown(game: hansa.Game) -> set[str]:
    """What occurs in a finished game, by replaying it."""
    setup = game.setup
    found = {
        f"board {setup.board_id}",
        f"players {setup.players}",
        f"duel {setup.duel}",
        f"edition {setup.edition}",
        f"end {game.end_reason}",
    }
    replay = hansa.Game(setup, setup.new_state())
    for action in game.history:
        events = replay.play(action)
        for event in events:
            if isinstance(event, MarkerUsed | PromoLaid | MarkerExchanged):
                found.add(f"marker {event.marker}")
            if isinstance(event, FavourBought):
                found.add(f"favour {event.tile}")
        if action.verb == "establish":
            route = replay.board.route(action.text.split(" ")[1])
            if route.permanent and (replay.phase == route.permanent or _privileged(events)):
                found.add(f"permanent {route.permanent}")
    return found


def _privileged(events: list[hansa.Event]) -> bool:
    return any(e.to_dict().get("skill") == "privilege" for e in events)


def load_games() -> dict[str, hansa.Game]:
    """All games of the corpus, replayed."""
    return {
        path.name: hansa.Game.from_record(path.read_text("utf-8"))
        for path in sorted(GAMES.glob("*.hansa"))
    }


def _candidates(tries: int) -> list[hansa.Game]:
    games = []
    for k in range(tries):
        setup = SETUPS[k % len(SETUPS)].with_seed(100 + k)
        game, chance = hansa.Game(setup, setup.new_state()), random.Random(k)
        while not game.over and len(game.history) < 2500:
            game.play(sensible(game, chance))
        if game.over:
            games.append(game)
    return games


def main() -> None:
    """Choose few and short games that show everything required."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tries", type=int, default=60)
    games = dict(enumerate(_candidates(parser.parse_args().tries)))
    shows = {k: shown(game) for k, game in games.items()}
    missing = required()
    GAMES.mkdir(exist_ok=True)
    while missing:
        best = max(games, key=lambda k: len(shows[k] & missing) / len(games[k].history))
        if not shows[best] & missing:
            raise SystemExit(f"not found: {sorted(missing)}")
        missing -= shows[best]
        setup = games[best].setup
        name = f"{setup.board_id}-{setup.players}-{setup.edition}-{setup.seed}.hansa"
        (GAMES / name).write_text(games[best].record(), "utf-8")


if __name__ == "__main__":
    main()
