"""Where everything is in an observation: one table for each family of boards.

An observation is a flat row of signed bytes. Both sides of a board have the same rows, because
posts, routes, cities and houses are numbered over both; what a side does not have stays 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from hansa.boards import FAMILIES, load, sides
from hansa.boards.slots import slots
from hansa.errors import InvalidSetup
from hansa.grammar import MARKER_NAMES as MARKERS
from hansa.names import END_REASONS, PRESTIGE_SPACES, SHAPES, SKILLS
from hansa.names import FAVOURS as TILES
from hansa.pending import MODES
from hansa.rules import codes, state
from hansa.rules.capacity import MAX_CITIES
from hansa.rules.catalogue import FRAMES
from hansa.rules.pieces import owner_of
from hansa.setup import Setup

from .complete import DIGITS, STACK_FIELDS
from .encoder import (
    CITY_SLOT,
    COLUMN,
    HOUSE_AT,
    HOUSE_SIZE,
    KINDS,
    MOST,
    MOST_ACTIONS,
    N_POSTS,
    PIECE_CODES,
    POST_AT,
    POST_SIZE,
    PROMOS,
    PROVINCES,
    ROUTE_AT,
    ROUTE_SIZE,
    WHERE_SIZE,
    relative,
)

__all__ = ["VERSIONS", "Block", "Feature", "Layout", "checked_version", "layout", "where"]

VERSIONS = (1, 2)


def _phases() -> tuple[str, ...]:
    """By the number of what is pending: its phase where that tells it apart, else its name."""
    frames = FRAMES[: KINDS - 1]  # what comes after these never asks
    words = [frame.phase or frame.name for frame in frames]
    return (
        "turn",
        *(
            frame.name if "{" in word or words.count(word) > 1 else word
            for frame, word in zip(frames, words, strict=True)
        ),
    )


PHASES = _phases()
SEATS = ("me", "next", "second", "third", "fourth")
OWNERS = (*SEATS, "neutral")
PIECES = codes.MAX_TRADERS + codes.MAX_MERCHANTS
MARKS = 16
"""COMP-2, COMP-3: there are no more markers in a game."""
EACH_PROMO = 2


@dataclass(frozen=True)
class Feature:
    """One number of a row: its name and the largest value it can have."""

    name: str
    most: int = 1


@dataclass(frozen=True)
class Block:
    """Rows of the same features, e.g. one row for each post."""

    name: str
    start: int
    rows: tuple[str, ...]
    features: tuple[Feature, ...]

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and features."""
        return len(self.rows), len(self.features)

    @property
    def size(self) -> int:
        """How many numbers."""
        return len(self.rows) * len(self.features)

    @property
    def stop(self) -> int:
        """Where the next block starts."""
        return self.start + self.size


@dataclass(frozen=True)
class Layout:
    """The blocks of an observation, in order.

    >>> from hansa.envs import layout
    >>> hansa_layout = layout("hansa")
    >>> [(block.name, block.shape) for block in hansa_layout.blocks][-1]
    ('posts', (107, 9))
    >>> hansa_layout.index("posts", "groningen-emden/1", "me")
    2326
    """

    family: str
    blocks: tuple[Block, ...]
    version: int = 1

    @cached_property
    def size(self) -> int:
        """How many numbers an observation has."""
        return self.blocks[-1].stop

    @cached_property
    def maxima(self) -> npt.NDArray[np.int8]:
        """The largest value of every number."""
        rows = [
            np.tile(np.array([f.most for f in block.features], np.int8), len(block.rows))
            for block in self.blocks
        ]
        return np.concatenate(rows)

    def split(self, observation: npt.NDArray[Any]) -> dict[str, npt.NDArray[Any]]:
        """The blocks of one or many observations as views with a row and a feature axis."""
        if observation.shape[-1] != self.size:
            raise ValueError(
                f"an observation of board {self.family} has {self.size} numbers, "
                f"not {observation.shape[-1]}"
            )
        return {
            block.name: observation[..., block.start : block.stop].reshape(
                (*observation.shape[:-1], *block.shape)
            )
            for block in self.blocks
        }

    def normalised(self, observation: npt.NDArray[np.int8]) -> npt.NDArray[np.float32]:
        """The same numbers between 0 and 1, as a network wants them."""
        return np.divide(observation, self.maxima, dtype=np.float32)

    def index(self, block: str, row: str, feature: str) -> int:
        """Where one number is; raises KeyError with what there is."""
        for one in self.blocks:
            if one.name == block:
                names = [f.name for f in one.features]
                if row not in one.rows or feature not in names:
                    raise KeyError(f"{block}: rows {one.rows}, features {names}")
                return one.start + one.rows.index(row) * len(names) + names.index(feature)
        raise KeyError(f"no block {block!r}: one of {[one.name for one in self.blocks]}")


def _each(names: tuple[str, ...], prefix: str = "", most: int = 1) -> list[Feature]:
    return [Feature(f"{prefix}{name}", most) for name in names]


def _game_features() -> list[Feature]:
    return [
        *_each(("2 players", "3 players", "4 players", "5 players")),
        *_each(("bigbox", "pawn duel", "neutral duel", "favours", "border fee", "missions")),
        Feature("turn", MOST),
        Feature("actions left", MOST_ACTIONS),
        *_each(("acted", "walked", "closed", "bought", "fee", "touched", "short")),
        Feature("completed cities", MAX_CITIES),
        Feature("markers in supply", MARKS),
        *_each(MARKERS, "discarded ", MARKS),
        *_each(TILES, "on display "),
        *_each(tuple(str(k) for k in range(1, PROVINCES + 1)), "pawn in "),
        Feature("neutral points", MOST),
        Feature("neutral link", 6),
        *_each(MARKERS, "own plate ", MARKS),
        *_each(PHASES, "phase "),
        Feature("over"),
        *_each(MODES, "by "),
        Feature("left", PIECES),
        Feature("waiting t", PIECES),
        Feature("waiting m", PIECES),
        Feature("made", 3),
        Feature("in hand", 5),
        *_each(OWNERS, "in hand first of "),
        Feature("in hand first a merchant"),
    ]


def _seat_features() -> list[Feature]:
    return [
        Feature("seat", 5),
        Feature("decides"),
        Feature("active"),
        Feature("points", MOST),
        *_each(SHAPES, "supply ", PIECES),
        *_each(SHAPES, "stock ", PIECES),
        *[
            Feature(f"level {skill}", steps)
            for skill, steps in zip(SKILLS, codes.SKILL_STEPS, strict=True)
        ],
        *_each(MARKERS, "unused ", MARKS),
        *_each(MARKERS, "used ", MARKS),
        Feature("plate", MARKS),
        *_each(TILES, "tile "),
        *_each(tuple(str(value) for value in PRESTIGE_SPACES), "prestige "),
        Feature("link", 6),
    ]


def _city_features() -> list[Feature]:
    return [
        *_each(OWNERS, "control "),
        *_each(OWNERS, "beside ", PIECES),
        *_each(("own mission", "permission used", "reaction")),
    ]


def _route_features() -> list[Feature]:
    return [
        *_each(MARKERS, "marker "),
        *_each(SEATS, "tribute ", EACH_PROMO),
        *_each(SEATS, "block ", EACH_PROMO),
        Feature("displaced from"),
    ]


_PIECE = [*_each(OWNERS), Feature("merchant")]


@cache
def _places(family: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Cities, and houses as `city/k`, over both sides."""
    houses: dict[str, int] = {}
    for board_id in sides(family):
        for city in load(board_id).cities:
            houses[city.id] = max(houses.get(city.id, 0), len(city.houses))
    cities = tuple(sorted(houses))
    return cities, tuple(f"{city}/{k}" for city in cities for k in range(1, houses[city] + 1))


def _more(cities: tuple[str, ...]) -> list[tuple[str, tuple[str, ...], list[Feature]]]:
    """What version 2 adds: blocks after those of version 1."""
    places = [Feature("post / 128", MOST), Feature("post % 128", MOST)]
    numbers = tuple(str(k + 1) for k in range(max(state.STACK, state.HAND, state.CHANGED)))
    return [
        (
            "more game",
            ("game",),
            [
                *_each(MARKERS, "promo ", EACH_PROMO),
                *_each(DIGITS, "turn ", MOST),
                Feature("actions left", MOST),
                *_each(DIGITS[1:], "neutral points ", MOST),
                *_each(tuple(str(reason) for reason in END_REASONS[1:]), "end by "),
            ],
        ),
        (
            "more seats",
            SEATS,
            [
                *_each(DIGITS[1:], "points ", MOST),
                *_each(("1", "2", "3"), "mission ", MAX_CITIES),
            ],
        ),
        (
            "more cities",
            cities,
            [*_each(OWNERS, "rank beside ", len(OWNERS)), *_each(OWNERS, "merchants beside ", 4)],
        ),
        (
            "stack",
            numbers[: state.STACK],
            [Feature("kind", len(FRAMES)), Feature("seat", 5), *_each(STACK_FIELDS, "", MOST)],
        ),
        ("hand", numbers[: state.HAND], [*_PIECE, *places]),
        ("changed", numbers[: state.CHANGED], [*_PIECE, *places]),
    ]


def checked_version(version: Any) -> int:
    """A version of observations; raises InvalidSetup."""
    if version not in VERSIONS or isinstance(version, bool):
        raise InvalidSetup(f"unknown version {version!r} of observations: 1 or 2")
    return int(version)


@cache
def layout(family: str, version: int = 1) -> Layout:
    """The layout of `hansa`, `east` or `britannia`; raises InvalidSetup for others.

    Version 2 has all of version 1 first, then what that leaves out.
    """
    checked_version(version)
    if family not in FAMILIES:
        raise InvalidSetup(f"unknown board {family!r}: one of {', '.join(FAMILIES)}")
    cities, houses = _places(family)
    parts: list[tuple[str, tuple[str, ...], list[Feature]]] = [
        ("game", ("game",), _game_features()),
        ("seats", SEATS, _seat_features()),
        ("cities", cities, _city_features()),
        ("houses", houses, _PIECE),
        ("routes", tuple(slots(family).routes), _route_features()),
        ("posts", tuple(slots(family).posts), [*_PIECE, Feature("touched"), Feature("lifted")]),
    ]
    if version > 1:
        parts += _more(cities)
    blocks: list[Block] = []
    for name, rows, features in parts:
        blocks.append(Block(name, blocks[-1].stop if blocks else 0, rows, tuple(features)))
    return Layout(family, tuple(blocks), version)


def where(setup: Setup, version: int = 1, *, jit: bool = False) -> Any:
    """What the encoder must know of a set-up: its places, the version, its promo markers.

    For the compiled one an array of numbers without a sign, for the interpreted one a list.
    """
    found = _where(setup.board_id, setup.players, checked_version(version), tuple(setup.promos))
    return np.array(found, np.uint16) if jit else found


@cache
def _where(board_id: str, players: int, version: int, promos: tuple[str, ...]) -> list[int]:
    board = load(board_id)
    cities, houses = _places(board.family)
    numbering = slots(board.family)
    numbers = [0] * WHERE_SIZE

    def put(at: int, values: list[int]) -> None:
        numbers[at : at + len(values)] = values

    put(N_POSTS, [len(numbering.posts), len(numbering.routes), len(cities), len(houses), version])
    put(PROMOS, [promos.count(marker) for marker in MARKERS])
    for viewer in range(players):
        put(COLUMN + PIECE_CODES * viewer, _columns(players, viewer))
    put(CITY_SLOT, [cities.index(city.id) for city in board.cities])
    built = [f"{city.id}/{k}" for city in board.cities for k in range(1, len(city.houses) + 1)]
    put(HOUSE_AT, [HOUSE_SIZE * houses.index(house) for house in built])
    put(ROUTE_AT, [ROUTE_SIZE * numbering.routes[route.id] for route in board.routes])
    posts = [post.id for route in board.routes for post in route.posts]
    put(POST_AT, [POST_SIZE * numbering.posts[post] for post in posts])
    return numbers


def _columns(players: int, viewer: int) -> list[int]:
    """The column of every piece in the viewer's eyes; see `encode_piece` for that of none."""
    owners = [owner_of(piece) for piece in range(1, PIECE_CODES)]
    absent = range(players, codes.NEUTRAL)
    seats = [0 if owner in absent else relative(players, owner, viewer) for owner in owners]
    return [len(OWNERS), *seats]
