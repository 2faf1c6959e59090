"""The way back: from a row of numbers to the view it was made from."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
import numpy.typing as npt

from hansa.boards import FAMILIES
from hansa.errors import InvalidPosition
from hansa.grammar import MARKER_NAMES as MARKERS
from hansa.information import view_of
from hansa.names import DUELS, EDITIONS
from hansa.notation import write_position
from hansa.rules.catalogue import MARKERS as MARKER_TABLE
from hansa.rules.codes import AT_MARKERS, AT_PLATE, BIGBOX, MAX_PLAYERS, NEUTRAL, SEGMENTS, TILES
from hansa.rules.promo import TRIBUTE
from hansa.rules.state import State
from hansa.setup import Setup
from hansa.typed import PositionData

from .complete import STACK_FIELDS
from .encoder import CITY_SLOT, HOUSE_AT, HOUSE_SIZE, OWNERS
from .encoder import MARKERS as KINDS_OF_MARKERS
from .layout import Layout, layout, where

__all__ = ["decode"]

BLOCK = next(marker.number for marker in MARKER_TABLE if marker.laid and marker.number != TRIBUTE)


def decode(row: npt.NDArray[np.int8], board: str | None = None) -> PositionData:
    """The view of an observation of version 2 (None: the board whose rows are as long).

    What `Game.view` gave whoever saw it, hidden things as `?`; lists whose order means nothing
    (markers, favours, laid promo markers, permissions, offices beside the houses that do not decide
    control) come in an order of their own. `Game.from_view` makes a game of it. Raises
    InvalidPosition for numbers that are no observation.

    >>> import hansa.envs
    >>> game = hansa.Game.new(players=3, seed=7)
    >>> view = hansa.envs.decode(hansa.envs.encode(game, "p2", version=2))
    >>> view == game.view("p2")
    True
    """
    numbers = np.asarray(row)
    places = _places(numbers, board)
    try:
        return _Reader(places, numbers).view()
    except (IndexError, ValueError, LookupError) as error:
        raise InvalidPosition(f"no observation of board {places.family}: {error}") from None


def _places(row: npt.NDArray[Any], board: str | None) -> Layout:
    known = [layout(family, 2) for family in FAMILIES if board in {None, family}]
    found = [one for one in known if row.shape == (one.size,)]
    if not found:
        sizes = ", ".join(f"{one.family} {one.size}" for one in known) or f"no board {board!r}"
        raise InvalidPosition(
            f"an observation of version 2 is one row of numbers ({sizes}), not {row.shape}"
        )
    return found[0]


class _Reader:
    """A state filled from the blocks of a row, as whoever sees it may know it."""

    def __init__(self, places: Layout, row: npt.NDArray[Any]) -> None:
        self._places = places
        self._row = row.astype(np.int64)
        self._blocks = places.split(self._row)
        seats = self._blocks["seats"][:, 0]
        self._players = int(np.count_nonzero(seats))
        self._me = int(seats[0]) - 1
        self._setup = self._read_setup()
        self._b = self._setup.tables
        self._where = where(self._setup, 2)
        self._s = State()

    def _at(self, block: str, row: str, feature: str) -> int:
        return int(self._row[self._places.index(block, row, feature)])

    def _game(self, feature: str) -> int:
        return self._at("game", "game", feature)

    def _read_setup(self) -> Setup:
        duel = 1 if self._game("pawn duel") else 2 if self._game("neutral duel") else 0
        counts = self._blocks["more game"][0][:KINDS_OF_MARKERS]
        return Setup(
            board=self._places.family,
            players=self._players,
            edition=EDITIONS[BIGBOX if self._game("bigbox") else 0],
            missions=bool(self._game("missions")),
            favours=bool(self._game("favours")),
            promos=tuple(name for name, n in zip(MARKERS, counts, strict=True) for _ in range(n)),
            duel=DUELS[duel],
            border_fee=bool(self._game("border fee")),
        )

    def view(self) -> PositionData:
        """Everything read, then what the viewer may not know left out."""
        self._read_game()
        for k in range(self._players):
            self._read_seat(k)
        self._read_markers()
        self._read_board()
        self._read_cities()
        self._read_pending()
        position = write_position(self._setup, self._s)
        names = list(position["players"])
        return cast("PositionData", view_of(position, names[self._me]))

    def _owner(self, seat: int) -> int:
        """An owner counted from the viewer, as the rules count."""
        return NEUTRAL if seat == NEUTRAL else (self._me + seat) % self._players

    def _piece(self, row: npt.NDArray[Any]) -> int:
        """The piece of an owner one-hot and a shape; 0 for none."""
        owners = np.flatnonzero(row[:OWNERS])
        return 2 * self._owner(int(owners[0])) + int(row[OWNERS]) + 1 if len(owners) else 0

    @staticmethod
    def _number(digits: npt.NDArray[Any]) -> int:
        value = 0
        for digit in digits:
            value = 128 * value + int(digit)
        return value

    def _read_game(self) -> None:
        s, fresh, more = self._s, self._setup.new_state(), self._blocks["more game"][0]
        for name in ("players", "edition", "duel", "favours", "border_fee"):
            setattr(s, name, getattr(fresh, name))
        for name in ("acted", "walked", "closed", "bought", "fee", "touched", "short", "over"):
            setattr(s, name, self._game(name))
        at = KINDS_OF_MARKERS
        s.turn = self._number(more[at : at + 3])
        s.actions_left = int(more[at + 3])
        s.points[NEUTRAL] = self._number(more[at + 4 : at + 6])
        s.end_reason = int(more[at + 6 :] @ np.arange(1, len(more) - at - 5))
        s.completed = self._game("completed cities")
        start = self._places.index("game", "game", "pawn in 1")
        pawn = np.flatnonzero(self._row[start : start + self._b.n_provinces])
        s.pawn = int(pawn[0]) + 1 if len(pawn) else 0
        start = self._places.index("game", "game", "on display anywhere")
        tiles = 1 + np.flatnonzero(self._row[start : start + TILES])
        s.display[: len(tiles)] = tiles.tolist()
        ranks = {self._game("neutral link"): NEUTRAL + 1}
        for k in range(self._players):
            ranks[int(self._blocks["seats"][k][-1])] = self._owner(k) + 1
        ranks.pop(0, None)
        s.n_linked = len(ranks)
        s.linked[: len(ranks)] = [ranks[k] for k in sorted(ranks)]

    def _read_seat(self, k: int) -> None:
        s, p = self._s, self._owner(k)
        seat, more = self._blocks["seats"][k], self._blocks["more seats"][k]
        if seat[1]:
            s.player = p
        if seat[2]:
            s.active = p
        s.points[p] = self._number(more[:2])
        s.supply[2 * p : 2 * p + 2] = seat[4:6].tolist()
        s.stock[2 * p : 2 * p + 2] = seat[6:8].tolist()
        s.skills[5 * p : 5 * p + 5] = seat[8:13].tolist()
        rest = 13 + 2 * KINDS_OF_MARKERS + 1
        tiles = 1 + np.flatnonzero(seat[rest : rest + TILES])
        s.tiles[TILES * p : TILES * p + len(tiles)] = tiles.tolist()
        for space in np.flatnonzero(seat[rest + TILES : rest + TILES + 4]):
            s.prestige[space] = p + 1
        if self._setup.missions:
            slots = self._where[CITY_SLOT : CITY_SLOT + self._b.n_cities]
            card = [slots.index(slot - 1) + 1 if slot else 1 for slot in more[2:].tolist()]
            s.missions[3 * p : 3 * p + 3] = card

    def _read_markers(self) -> None:
        """The pool of markers; what is hidden gets any kind, and is hidden again at the end."""
        s, n = self._s, KINDS_OF_MARKERS
        segments: list[list[int]] = [[] for _ in range(SEGMENTS)]

        def kinds(counts: npt.NDArray[Any]) -> list[int]:
            return np.repeat(np.arange(1, n + 1), counts).tolist()

        segments[0] = [1] * self._game("markers in supply")
        start = self._places.index("game", "game", f"discarded {MARKERS[0]}")
        segments[1] = kinds(self._row[start : start + n])
        for k in range(self._players):
            seat, at = self._blocks["seats"][k], AT_MARKERS + 3 * self._owner(k)
            segments[at] = kinds(seat[13 : 13 + n])
            segments[at + 1] = kinds(seat[13 + n : 13 + 2 * n])
            segments[at + 2] = [1] * int(seat[13 + 2 * n])
        start = self._places.index("game", "game", f"own plate {MARKERS[0]}")
        plate = kinds(self._row[start : start + n])
        if plate:
            segments[AT_PLATE + 3 * self._me] = plate
        at = 0
        for k, segment in enumerate(segments):
            s.mark_start[k] = at
            s.mark[at : at + len(segment)] = segment
            at += len(segment)
        s.mark_start[SEGMENTS] = at

    def _read_board(self) -> None:
        s, b = self._s, self._b
        for slot, row in enumerate(self._blocks["routes"]):
            route = b.slot_route[slot]
            if route < 0:
                continue
            marker = np.flatnonzero(row[:KINDS_OF_MARKERS])
            s.route_marker[route] = int(marker[0]) + 1 if len(marker) else 0
            laid = row[KINDS_OF_MARKERS : KINDS_OF_MARKERS + 2 * MAX_PLAYERS]
            for k in np.repeat(np.arange(2 * MAX_PLAYERS), laid).tolist():
                s.laid_route[s.n_laid] = route
                s.laid_kind[s.n_laid] = TRIBUTE if k < MAX_PLAYERS else BLOCK
                s.laid_owner[s.n_laid] = self._owner(k % MAX_PLAYERS)
                s.n_laid += 1
        for slot, row in enumerate(self._blocks["posts"]):
            if b.slot_post[slot] >= 0:
                s.post[b.slot_post[slot]] = self._piece(row)

    def _read_cities(self) -> None:
        s, b = self._s, self._b
        used = {b.permission_city[k]: k + 1 for k in range(len(self._setup.board_data.permissions))}
        beside: list[int] = []
        for city in range(b.n_cities):
            for house in range(b.city_first[city], b.city_first[city + 1]):
                s.house[house] = self._piece(
                    self._blocks["houses"][self._where[HOUSE_AT + house] // HOUSE_SIZE]
                )
            slot = self._where[CITY_SLOT + city]
            row = self._blocks["cities"][slot]
            if row[2 * OWNERS + 1]:
                s.permissions_used[s.n_permissions_used] = used[city]
                s.n_permissions_used += 1
            s.annex_start[city] = len(beside)
            beside += self._beside(row[OWNERS : 2 * OWNERS], self._blocks["more cities"][slot])
        s.annex[: len(beside)] = beside
        for k in range(b.n_cities, len(s.annex_start)):
            s.annex_start[k] = len(beside)

    def _beside(self, counts: npt.NDArray[Any], more: npt.NDArray[Any]) -> list[int]:
        """Offices from the left: owners by rank, each's furthest right as it must be."""
        row: list[int] = []
        ranks, merchants = more[:OWNERS], more[OWNERS:]
        for seat in sorted(np.flatnonzero(ranks).tolist(), key=lambda k: -ranks[k]):
            owner, number = self._owner(seat), int(counts[seat])
            row += [2 * owner + 1] * (number - int(merchants[seat]))
            row += [2 * owner + 2] * int(merchants[seat])
        return row

    def _read_pending(self) -> None:
        s = self._s
        for frame in self._blocks["stack"]:
            if frame[0] == 0:
                break
            s.frame_kind[s.depth] = int(frame[0])
            s.frame_player[s.depth] = self._owner(int(frame[1]) - 1)
            for name, value in zip(STACK_FIELDS, frame[2:], strict=True):
                getattr(s, f"frame_{name}")[s.depth] = int(value) - 1
            s.depth += 1
        for row in self._blocks["hand"]:
            if post := self._number(row[OWNERS + 1 :]):
                s.hand[s.n_hand], s.hand_post[s.n_hand] = self._piece(row), post - 1
                s.n_hand += 1
        for row in self._blocks["changed"]:
            if post := self._number(row[OWNERS + 1 :]):
                s.changed_piece[s.n_changed] = self._piece(row)
                s.changed_post[s.n_changed] = post - 1
                s.n_changed += 1
