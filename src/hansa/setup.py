"""The set-up of a game: what the CFG rules allow, and what chance decides (SETUP, RANDOM)."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from itertools import product
from typing import Any

from hansa.boards import Board, load
from hansa.boards.slots import FAMILIES
from hansa.errors import InvalidSetup
from hansa.names import DUELS, EDITIONS, FAVOURS, MARKERS, PROMOS
from hansa.rules.setup import fresh
from hansa.rules.state import State
from hansa.rules.tables import Tables, tables

__all__ = ["MISSION_CARDS", "Setup", "all_setups", "marker_mix"]

MAX_SEED = 2**63 - 1
MAX_EACH_PROMO = 2
MISSION_CARDS = (
    ("osnabrueck", "stendal", "paderborn"),
    ("dortmund", "minden", "lueneburg"),
    ("minden", "perleberg", "goslar"),
    ("arnheim", "perleberg", "hannover"),
    ("dortmund", "stendal", "kampen"),
    ("arnheim", "osnabrueck", "hildesheim"),
    ("arnheim", "perleberg", "bremen"),
    ("minden", "osnabrueck", "magdeburg"),
    ("dortmund", "stendal", "muenster"),
)
# COMP-2, COMP-3: how many of each kind, the three start markers included.
MIX = {
    "classic": {"extra-office": 5, "swap": 2, "plus3": 2, "plus4": 2, "skill": 3, "remove3": 2},
    "bigbox": {"extra-office": 4, "swap": 3, "plus3": 2, "plus4": 2, "skill": 2, "move3": 2},
}


@dataclass(frozen=True)
class Setup:
    """One allowed set-up; raises InvalidSetup otherwise.

    >>> Setup(board="east", players=2).duel
    'neutral'
    >>> Setup(board="hansa", players=4).board_id
    'hansa-45'
    """

    board: str = "hansa"
    players: int = 4
    edition: str = "bigbox"
    seed: int = 0
    missions: bool = False
    favours: bool = False
    promos: tuple[str, ...] = ()
    duel: str | None = None
    border_fee: bool = False

    def __post_init__(self) -> None:
        _one_of("board", self.board, FAMILIES)
        _one_of("edition", self.edition, EDITIONS)
        _number("players", self.players, 2, 5)
        _number("seed", self.seed, 0, MAX_SEED)
        for name in ("missions", "favours", "border_fee"):
            if not isinstance(getattr(self, name), bool):
                raise InvalidSetup(f"{name} must be true or false, not {getattr(self, name)!r}")
        object.__setattr__(self, "duel", self._resolved_duel())
        object.__setattr__(self, "promos", self._checked_promos())
        if (self.missions or self.favours) and self.board != "hansa":
            raise InvalidSetup(f"missions and favours need board hansa, not {self.board} (CFG-6)")
        if self.border_fee and self.board != "britannia":
            raise InvalidSetup(f"border_fee needs board britannia, not {self.board} (CFG-8)")

    def _resolved_duel(self) -> str | None:
        if self.duel is not None:
            _one_of("duel", self.duel, ("pawn", "neutral"))
        if self.players > 2:
            if self.duel is not None:
                raise InvalidSetup(f"duel {self.duel!r} needs 2 players, not {self.players}")
            return None
        if self.duel == "pawn" and self.board != "hansa":
            raise InvalidSetup(f"duel 'pawn' needs board hansa, not {self.board} (CFG-4)")
        return self.duel or ("pawn" if self.board == "hansa" else "neutral")

    def _checked_promos(self) -> tuple[str, ...]:
        given: Any = self.promos
        if isinstance(given, str) or not isinstance(given, Sequence):
            raise InvalidSetup(f"promos must be a list of markers, not {given!r}")
        for promo in self.promos:
            _one_of("promo marker", promo, PROMOS)
            if self.promos.count(promo) > MAX_EACH_PROMO:
                raise InvalidSetup(f"promos: at most {MAX_EACH_PROMO} of {promo}")
        if self.promos and self.edition != "bigbox":
            raise InvalidSetup("promos need edition bigbox (CFG-7)")
        return tuple(self.promos)

    @classmethod
    def from_dict(cls, data: Any) -> Setup:
        """From the `game` part of a position; raises InvalidSetup."""
        if not isinstance(data, dict):
            raise InvalidSetup(f"game must be a mapping, not {data!r}")
        known = [field.name for field in fields(cls)]
        for key in data:
            if key not in known:
                raise InvalidSetup(f"game: unknown key {key!r}, one of {', '.join(known)}")
        return cls(**data)

    def to_dict(self) -> dict[str, Any]:
        """The `game` part of a position."""
        data = {field.name: getattr(self, field.name) for field in fields(self)}
        return {**data, "promos": list(self.promos)}

    def with_seed(self, seed: int) -> Setup:
        """The same set-up with another seed."""
        return replace(self, seed=seed)

    @property
    def board_id(self) -> str:
        """SETUP-1: the side for the number of players."""
        if self.board == "east":
            return "east"
        return f"{self.board}-{'23' if self.players < 4 else '45'}"

    @cached_property
    def board_data(self) -> Board:
        """The board as people see it."""
        return load(self.board_id)

    @cached_property
    def tables(self) -> Tables:
        """The board as the rules read it."""
        return tables(self.board_id)

    @cached_property
    def city_numbers(self) -> dict[str, int]:
        """The number the rules know each city by."""
        return {city.id: k for k, city in enumerate(self.board_data.cities)}

    @property
    def start_markers(self) -> tuple[str, ...]:
        """SETUP-2: what lies at the taverns."""
        return ("extra-office", "swap", _third(self))

    def new_state(self) -> State:
        """The position at the start; chance decides by the seed alone (RANDOM-2 to -6)."""
        chance = random.Random(self.seed)
        starts = shuffled(chance, self.start_markers)
        supply = _supply(chance, self)
        cards = shuffled(chance, MISSION_CARDS)[: self.players] if self.missions else []
        tiles = shuffled(chance, range(1, len(FAVOURS) + 1))[: self.players] if self.favours else []
        return fresh(
            self.tables,
            players=self.players,
            edition=EDITIONS.index(self.edition),
            duel=DUELS.index(self.duel),
            favours=self.favours,
            border_fee=self.border_fee,
            starts=[MARKERS.index(marker) + 1 for marker in starts],
            supply=[MARKERS.index(marker) + 1 for marker in supply],
            missions=[[self.city_numbers[city] + 1 for city in card] for card in cards],
            display=tiles,
        )


def shuffled(chance: random.Random, things: Any) -> list[Any]:
    """A random order by `random()` alone, whose stream never changes between Python versions."""
    left = list(things)
    order = []
    while left:
        order.append(left.pop(int(chance.random() * len(left))))
    return order


def _third(setup: Setup) -> str:
    if setup.edition == "bigbox":
        return "move3"
    return "replace3" if setup.board == "britannia" else "remove3"


def marker_mix(setup: Setup) -> Counter[str]:
    """COMP-2, COMP-3: all base markers of the edition, promos not yet exchanged for some."""
    mix = Counter(MIX[setup.edition])
    if _third(setup) == "replace3":
        mix["replace3"] = mix.pop("remove3")
    return mix


def _supply(chance: random.Random, setup: Setup) -> list[str]:
    """SETUP-4, PROMO-1: the other markers; each promo replaces one of them at random."""
    others = sorted((marker_mix(setup) - Counter(setup.start_markers)).elements())
    kept = shuffled(chance, others)[len(setup.promos) :]
    return shuffled(chance, [*kept, *setup.promos])


def _one_of(what: str, value: Any, allowed: Sequence[str]) -> None:
    if value not in allowed:
        raise InvalidSetup(f"unknown {what} {value!r}: one of {', '.join(allowed)}")


def _number(what: str, value: Any, least: int, most: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise InvalidSetup(f"{what} must be a whole number from {least} to {most}, not {value!r}")


def all_setups(promos: Sequence[tuple[str, ...]] = ((), PROMOS)) -> Iterator[Setup]:
    """Every set-up the CFG rules allow, with these choices of promo markers."""
    switches = product(
        FAMILIES, range(2, 6), EDITIONS, DUELS, (False, True), (False, True), promos, (False, True)
    )
    for board, players, edition, duel, missions, favours, promo, fee in switches:
        if players == 2 and duel is None:
            continue  # means the default duel, which is listed by its name
        try:
            yield Setup(board, players, edition, 0, missions, favours, promo, duel, fee)
        except InvalidSetup:
            continue
