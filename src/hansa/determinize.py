"""Fill in what a view hides, at random and consistently, so that a bot can think ahead."""

from __future__ import annotations

import copy
import random
from collections import Counter
from typing import Any

from hansa.errors import InvalidPosition
from hansa.setup import Setup, marker_mix, shuffled
from hansa.views import HIDDEN

__all__ = ["fill_in"]


def fill_in(view: Any, seed: int) -> dict[str, Any]:
    """A whole position that looks like this view to its viewer; raises InvalidPosition."""
    position = copy.deepcopy(view)
    if not isinstance(position, dict) or not isinstance(position.get("game"), dict):
        raise InvalidPosition("a view is a mapping with all keys of a position")
    position["game"]["seed"] = seed
    setup = Setup.from_dict(position["game"])
    chance = random.Random(seed)
    try:
        _fill_markers(setup, position, chance)
        _fill_missions(setup, position, chance)
    except (KeyError, TypeError, AttributeError) as error:
        raise InvalidPosition(f"a view has all keys of a position: {error!r}") from None
    return position


def _fill_markers(setup: Setup, position: dict[str, Any], chance: random.Random) -> None:
    lists = [position["supply"], *(player["plate"] for player in position["players"].values())]
    wanted = sum(entry == HIDDEN for entries in lists for entry in entries)
    if wanted == 0:
        return
    unseen = iter(_unseen(setup, position, wanted, chance))
    for entries in lists:
        entries[:] = [next(unseen) if entry == HIDDEN else entry for entry in entries]


def _unseen(
    setup: Setup, position: dict[str, Any], wanted: int, chance: random.Random
) -> list[str]:
    """INFO-1: the initial mix is open, so what is not seen is what may be hidden."""
    seen = Counter(_seen(position))
    promos = list((Counter(setup.promos) - seen).elements())
    base = shuffled(chance, (marker_mix(setup) - seen).elements())
    # PROMO-1: which base markers made room for promos is unknown; any of the unseen may have.
    hidden = [*promos, *base][:wanted]
    kinds = sorted(marker_mix(setup))
    while len(hidden) < wanted:  # a position given by hand may hold more than the mix
        hidden.append(kinds[int(chance.random() * len(kinds))])
    return shuffled(chance, hidden)


def _seen(position: dict[str, Any]) -> list[str]:
    seen = list(position["discarded"])
    for route in position["routes"].values():
        seen += [route["marker"]] if route["marker"] else []
        seen += [laid.partition(":")[2] for laid in route["laid"]]
    for player in position["players"].values():
        for key in ("markers", "used", "plate"):
            seen += [marker for marker in player[key] if marker != HIDDEN]
    seen += [marker for marker in position["supply"] if marker != HIDDEN]
    return seen


def _fill_missions(setup: Setup, position: dict[str, Any], chance: random.Random) -> None:
    players = position["players"].values()
    known = [sorted(p["mission"]) for p in players if p["mission"] and HIDDEN not in p["mission"]]
    cards = [card for card in setup.board_data.missions if sorted(card) not in known]
    cards = shuffled(chance, cards)
    for player in players:
        if player["mission"] and HIDDEN in player["mission"]:
            player["mission"] = list(cards.pop())
