"""Hidden information (INFO-1 to -11): what is hidden from whom, what shows it, how to fill it in.

The one home of that knowledge for positions as data; `hansa.rules.information` is its other half,
for states. Views, previews, scores, undo, sampling and new deals ask here.
"""

from __future__ import annotations

import copy
import random
from collections import Counter
from collections.abc import Mapping
from typing import Any

from hansa.action import Action
from hansa.errors import InvalidPosition
from hansa.grammar import read
from hansa.rules.codes import AT_PLATE
from hansa.rules.pool import count
from hansa.rules.state import State
from hansa.setup import Setup, marker_mix, shuffled

__all__ = [
    "HIDDEN",
    "dealt_anew",
    "differs_by_viewer",
    "fill_in",
    "foreseen",
    "scores_seen",
    "shows_hidden",
    "view_of",
]

HIDDEN = "?"
"""What stands for a hidden entry, so that counts stay."""


# Hiding.


def view_of(position: Mapping[str, Any], viewer: str | None) -> dict[str, Any]:
    """The position without what the viewer (None: a watcher) may not know (INFO-1 to -11).

    The seed is hidden too: it decides the rest.
    """
    view = {**position, "game": {**position["game"], "seed": HIDDEN}}
    view["supply"] = [HIDDEN] * len(position["supply"])
    view["players"] = {}
    for name, player in position["players"].items():
        shown = dict(player)
        if not _sees_plate(position, viewer, name):
            shown["plate"] = [HIDDEN] * len(player["plate"])
        if player["mission"] is not None and not _sees_mission(position, viewer, name):
            shown["mission"] = [HIDDEN] * len(player["mission"])
        view["players"][name] = shown
    return view


def _sees_plate(position: Mapping[str, Any], viewer: str | None, owner: str) -> bool:
    """INFO-2, -3: its owner alone, and only while he lays its markers."""
    looks = position["phase"] == "plate" and position["player"] == owner
    return bool(looks and viewer == owner)


def _sees_mission(position: Mapping[str, Any], viewer: str | None, owner: str) -> bool:
    """INFO-6: one's own, and everybody's once the game is over."""
    return viewer == owner or bool(position["over"])


def foreseen(view: Mapping[str, Any], viewer: str | None) -> dict[str, Any]:
    """A view of what a decision would lead to, without what only carrying it out would show."""
    before = {**view, "over": False, "phase": ""}
    players = view_of({**before, "supply": []}, viewer)["players"]
    return {**view, "players": players}


def differs_by_viewer(view: Mapping[str, Any]) -> bool:
    """Whether some seat may know more than a watcher: a mission, or a plate it looks at."""
    return bool(view["game"]["missions"]) or any(p["plate"] for p in view["players"].values())


def scores_seen(
    scores: Mapping[str, Mapping[str, int]],
    viewer: str | None,
    *,
    missions: bool,
    over: bool,
) -> dict[str, dict[str, int | None]]:
    """Points as the viewer may know them: others' missions count only once all is over (INFO-6)."""
    seen: dict[str, dict[str, int | None]] = {}
    for player, parts in scores.items():
        shown: dict[str, int | None] = dict(parts)
        if missions and not over and player != viewer:
            shown["total"] = parts["total"] - parts["missions"]
            shown["missions"] = None
        seen[player] = shown
    return seen


# Showing.


def shows_hidden(action: Action | str, s: State | None = None) -> bool:
    """Whether a decision shows somebody what was hidden: a plate to its owner, its markers to all.

    With the state before it: whether it really does, since a plate may be empty.
    """
    form, _ = read(str(action))
    if not form.decision.shows_hidden:
        return False
    return s is None or count(s, AT_PLATE + 3 * s.active) > 0


# Filling in.


def dealt_anew(position: Mapping[str, Any], seed: int) -> dict[str, Any]:
    """The same position with everything hidden dealt anew: nobody can know anything of it."""
    hidden = view_of({**position, "phase": "", "over": False}, None)
    return fill_in({**hidden, "phase": position["phase"], "over": position["over"]}, seed)


def fill_in(view: Any, seed: int) -> dict[str, Any]:
    """A whole position that looks like this view to its viewer: what it hides is drawn at random.

    Raises InvalidPosition.
    """
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
