"""A tournament from its plan to its results."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

from hansa.bots import Bot, create
from hansa.bots.match import Result
from hansa.bots.registry import is_search
from hansa.bots.standings import standings
from hansa.setup import Setup

from .cluster import play_on_ray
from .folder import Folder
from .pairing import Pairing, pairings
from .processes import play_here
from .protocol import ArenaError, Progress, Results, Tell

__all__ = ["run"]


def run(
    bots: Sequence[str | Bot],
    *,
    players: int | None = None,
    games: int = 100,
    seed: int = 0,
    workers: int | None = None,
    ray: str | None = None,
    directory: Path | None = None,
    progress: Progress | None = None,
    tell: Tell | None = None,
    **options: Any,
) -> dict[str, Any]:
    """Hold a tournament and give its results, as the file of `hansa arena --json` has them.

    `bots` are texts, or bots: objects go to the processes that play as they are, pickled, and
    to no cluster.     `players` is the number of seats (as many as bots, unless said otherwise; with fewer bots than
    seats the list is repeated). `workers` games run at a time, one a core unless said otherwise;
    `ray` names a Ray cluster that plays them instead, or `"local"` for one that is started on
    this machine. `directory` keeps a record of every game and lets a tournament that was
    interrupted go on. Further options are those of the set-up. Raises ArenaError, UnknownBot or
    InvalidSetup.
    """
    seats = players if players is not None else min(max(len(bots), 2), 5)
    if not bots:
        raise ArenaError("an arena needs at least one bot, such as: greedy random")
    if games < 1:
        raise ArenaError(f"games must be at least 1, not {games}")
    named, given = _named(bots)
    if given and ray is not None:
        raise ArenaError("bots that are objects cannot play on a cluster: name them by texts")
    setup = Setup(players=seats, seed=seed, **options)
    planned = pairings(named, setup, games)
    folder = Folder(directory, named, setup) if directory is not None else None
    if any(map(is_search, named)):
        _prepare_search(tell)
    count = workers or os.cpu_count() or 1
    results = _play_all(planned, folder, progress, partial(_results, given, count, ray))
    ordered = [results[pairing.number] for pairing in planned]
    return {
        "board": setup.board,
        "players": setup.players,
        "edition": setup.edition,
        "seed": seed,
        "games": len(ordered),
        "setup": setup.to_dict(),
        **standings(ordered),
    }


def _named(bots: Sequence[str | Bot]) -> tuple[list[str], dict[str, Bot]]:
    """The names of the bots, and those that are objects by their names; all can be made."""
    given: dict[str, Bot] = {}
    for bot in bots:
        if isinstance(bot, str):
            create(bot, trusted=True)
        elif not isinstance(bot, Bot):
            raise ArenaError(
                f"a bot is a text such as 'greedy', or has `name` and `choose`: {bot!r}"
            )
        elif given.setdefault(bot.name, bot) is not bot:
            raise ArenaError(f"two bots are called {bot.name!r}: give them different names")
    if both := [bot for bot in bots if isinstance(bot, str) and bot in given]:
        raise ArenaError(f"a bot is called {both[0]!r}, as a text is: give it another name")
    return [bot if isinstance(bot, str) else bot.name for bot in bots], given


def _prepare_search(tell: Tell | None) -> None:
    """Compile before the clocks of the bots run."""
    from hansa.bots import compiling  # noqa: PLC0415  # pulls in what only the search needs

    compiling.prepare(tell)


def _play_all(
    planned: Sequence[Pairing],
    folder: Folder | None,
    progress: Progress | None,
    play: Callable[[Sequence[Pairing]], Results],
) -> dict[int, Result]:
    done = folder.kept(planned) if folder is not None else {}
    left = [pairing for pairing in planned if pairing.number not in done]
    if progress is not None:
        progress(len(done), len(planned))
    # Closed at once when something goes wrong here, so that nobody plays on for nothing.
    with closing(play(left)) as results:
        for pairing, result in results:
            done[pairing.number] = result
            if folder is not None:
                folder.keep(pairing, result)
            if progress is not None:
                progress(len(done), len(planned))
    return done


def _results(
    given: Mapping[str, Bot], workers: int, ray: str | None, left: Sequence[Pairing]
) -> Results:
    if ray is None or not left:
        return play_here(left, workers, given)
    return play_on_ray(left, ray, workers)
