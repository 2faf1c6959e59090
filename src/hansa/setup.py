"""The set-up of a game: what the CFG rules allow, and what chance decides (SETUP, RANDOM)."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from itertools import product
from typing import Any, TypedDict, cast

from hansa.boards import FAMILIES, Board, load, side, sides
from hansa.errors import InvalidSetup
from hansa.names import DUELS, EDITIONS, FAVOURS
from hansa.rules.catalogue import MARKERS
from hansa.rules.catalogue import PROMOS as PROMO_MARKERS
from hansa.rules.setup import fresh
from hansa.rules.state import State
from hansa.rules.tables import Tables, tables
from hansa.typed import SetupData

__all__ = ["PROMOS", "RULES_VERSION", "Options", "Setup", "all_setups", "marker_mix"]

RULES_VERSION = 2
"""Goes up when the same set-up, seed and decisions would lead to another game than before.

2: `classic` on boards with countries: permanent markers act in step 2 (BRIT-MARK-7 to -10).
"""
MAX_SEED = 2**63 - 1
MAX_EACH_PROMO = 2
PROMOS = tuple(marker.name for marker in PROMO_MARKERS)
_NUMBERS = {marker.name: marker.number for marker in MARKERS}
MODULES = {"missions": "CFG-6", "favours": "CFG-6", "border_fee": "CFG-8"}
"""Options that only some boards offer, and the rule that says so."""


def _option(default: Any, help: str) -> Any:  # noqa: A002  # as the command line calls it
    return field(default=default, metadata={"help": help})


@dataclass(frozen=True)
class Setup:
    """One allowed set-up; raises InvalidSetup otherwise.

    Its fields are the options of a game, wherever one is set up: `Game.new`, environments, arena,
    server and command take these, with these defaults.

    >>> Setup(board="east", players=2).duel
    'neutral'
    >>> Setup(board="hansa", players=4).board_id
    'hansa-45'
    """

    board: str = _option("hansa", f"One of {', '.join(FAMILIES)}.")
    players: int = _option(4, "2 to 5.")
    edition: str = _option("bigbox", "bigbox or classic.")
    seed: int = _option(0, "Decides what chance decides.")
    missions: bool = _option(default=False, help="With missions.")
    favours: bool = _option(default=False, help="With Emperor's Favour.")
    promos: Sequence[str] = _option((), "A promo marker; may be repeated.")
    duel: str | None = _option(None, "Two players: pawn or neutral.")
    border_fee: bool = _option(default=False, help="Britannia's optional rule.")

    def __post_init__(self) -> None:
        _one_of("board", self.board, FAMILIES)
        _one_of("edition", self.edition, EDITIONS)
        _number("players", self.players, 2, 5)
        _number("seed", self.seed, 0, MAX_SEED)
        object.__setattr__(self, "duel", self._resolved_duel())
        object.__setattr__(self, "promos", self._checked_promos())
        for name, rule in MODULES.items():
            chosen = getattr(self, name)
            if not isinstance(chosen, bool):
                raise InvalidSetup(f"{name} must be true or false, not {chosen!r}")
            if chosen and name not in self.board_data.modules:
                boards = " or ".join(_boards_with("modules", name))
                wrong = f"option {name} needs board {boards}, not {self.board} ({rule})"
                raise InvalidSetup(wrong)

    def _resolved_duel(self) -> str | None:
        if self.duel is not None:
            _one_of("duel", self.duel, tuple(str(duel) for duel in DUELS if duel))
        if self.players > 2:
            if self.duel is not None:
                raise InvalidSetup(f"duel {self.duel!r} needs 2 players, not {self.players}")
            return None
        offered = self.board_data.duels
        if self.duel is not None and self.duel not in offered:
            boards = " or ".join(_boards_with("duels", self.duel))
            raise InvalidSetup(f"duel {self.duel!r} needs board {boards}, not {self.board} (CFG-4)")
        return self.duel or offered[0]

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
        known = [option.name for option in fields(cls)]
        for key in data:
            if key not in known:
                raise InvalidSetup(f"game: unknown key {key!r}, one of {', '.join(known)}")
        return cls(**data)

    def to_dict(self) -> SetupData:
        """The `game` part of a position."""
        data = {option.name: getattr(self, option.name) for option in fields(self)}
        return cast("SetupData", {**data, "promos": list(self.promos)})

    def with_seed(self, seed: int) -> Setup:
        """The same set-up with another seed."""
        return replace(self, seed=seed)

    @property
    def board_id(self) -> str:
        """SETUP-1: the side for the number of players."""
        return side(self.board, self.players)

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

    @cached_property
    def route_numbers(self) -> dict[str, int]:
        """The number the rules know each route by."""
        return {route.id: r for r, route in enumerate(self.board_data.routes)}

    @cached_property
    def post_numbers(self) -> dict[str, int]:
        """The number the rules know each post by."""
        posts = (post.id for route in self.board_data.routes for post in route.posts)
        return {post: k for k, post in enumerate(posts)}

    @property
    def start_markers(self) -> tuple[str, ...]:
        """SETUP-2: what lies at the taverns."""
        starts = [marker.name for marker in MARKERS if self.edition in marker.starts]
        return tuple(self.board_data.instead.get(name, name) for name in starts)

    @property
    def rules_version(self) -> int:
        """The version of the rules that decided games of this set-up last (see RULES_VERSION)."""
        return RULES_VERSION if self.board_data.regions and self.edition == "classic" else 1

    def new_state(self) -> State:
        """The position at the start; chance decides by the seed alone (RANDOM-2 to -6)."""
        chance = random.Random(self.seed)
        starts = shuffled(chance, self.start_markers)
        supply = _supply(chance, self)
        deck = self.board_data.missions if self.missions else ()
        cards = shuffled(chance, deck)[: self.players]
        tiles = shuffled(chance, range(1, len(FAVOURS) + 1))[: self.players] if self.favours else []
        return fresh(
            self.tables,
            players=self.players,
            edition=EDITIONS.index(self.edition),
            duel=DUELS.index(self.duel),
            favours=self.favours,
            border_fee=self.border_fee,
            starts=[_NUMBERS[marker] for marker in starts],
            supply=[_NUMBERS[marker] for marker in supply],
            missions=[[self.city_numbers[city] + 1 for city in card] for card in cards],
            display=tiles,
        )


class Options(TypedDict, total=False):
    """The fields of `Setup` but the seed, for functions that hand them on; a test compares both."""

    board: str
    players: int
    edition: str
    missions: bool
    favours: bool
    promos: Sequence[str]
    duel: str | None
    border_fee: bool


def shuffled(chance: random.Random, things: Any) -> list[Any]:
    """A random order by `random()` alone, whose stream never changes between Python versions."""
    left = list(things)
    order = []
    while left:
        order.append(left.pop(int(chance.random() * len(left))))
    return order


def _boards_with(what: str, name: str) -> list[str]:
    """The boards of which some side offers this duel or module."""
    return [
        family for family in FAMILIES if any(name in getattr(load(b), what) for b in sides(family))
    ]


def marker_mix(setup: Setup) -> Counter[str]:
    """COMP-2, COMP-3: all base markers of the edition, promos not yet exchanged for some."""
    instead = setup.board_data.instead
    return Counter(
        {
            instead.get(m.name, m.name): m.copies[setup.edition]
            for m in MARKERS
            if m.copies.get(setup.edition)
        }
    )


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
