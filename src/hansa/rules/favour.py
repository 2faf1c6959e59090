"""Emperor's Favour: buying tiles and what they are asked for elsewhere."""

from __future__ import annotations

from .codes import AT_MARKERS, AT_USED, BITS, TILES
from .declare import Decision, Frame
from .notes import BOUGHT, USED, note
from .pool import add as add_marker
from .pool import count, kinds, remove, transfer
from .stack import pop, push
from .state import State
from .tables import Tables

IN_SPEND = 12
FAVOUR, SPEND = 178, 184


def has_tile(s: State, player: int, tile: int) -> bool:
    """Whether the player owns the tile (FAVOUR-6)."""
    if s.favours == 0 or player >= s.players:
        return False
    for k in range(TILES * player, TILES * player + TILES):
        if s.tiles[k] == tile:
            return True
    return False


def legal_favour(b: Tables, s: State, buf: list[int], n: int) -> int:
    """FAVOUR-2, -3: the first decision of a turn, with two unused markers."""
    if s.favours == 0 or s.touched != 0 or count(s, AT_MARKERS + 3 * s.active) < 2:
        return n
    if s.tiles[TILES * s.active + TILES - 1] != 0:
        return n  # no room: only a position given by hand has a tile twice
    for tile in range(1, TILES + 1):
        for k in range(TILES):
            if s.display[k] == tile:
                buf[n] = FAVOUR + tile - 1
                n += 1
                break
    return n


def buy(b: Tables, s: State, tile: int) -> None:
    """FAVOUR-3, RULING-57: the tile, and no action from any source this turn."""
    found = 0
    while s.display[found] != tile:
        found += 1
    for k in range(found, TILES - 1):
        s.display[k] = s.display[k + 1]
    s.display[TILES - 1] = 0
    k = TILES * s.active
    while s.tiles[k] != 0:
        k += 1
    s.tiles[k] = tile
    s.bought = 1
    s.actions_left = 0
    note(s, BOUGHT, s.active, tile)
    d = push(s, IN_SPEND, s.active)
    s.frame_left[d] = 2


def settle_spend(b: Tables, s: State) -> bool:
    """Ask while there is a choice of kind; the rest is turned over by itself."""
    d = s.depth - 1
    own = AT_MARKERS + 3 * s.frame_player[d]
    while s.frame_left[d] > 0:
        held = kinds(s, own)
        if held & (held - 1) != 0 and count(s, own) > s.frame_left[d]:
            return True
        marker = remove(s, own, s.mark_start[own])
        add_marker(s, AT_USED + 3 * s.frame_player[d], marker)
        note(s, USED, s.frame_player[d], marker)
        s.frame_left[d] -= 1
    pop(s)
    return False


def legal_spend(b: Tables, s: State, buf: list[int]) -> int:
    """Any kind of unused marker."""
    n = 0
    held = kinds(s, AT_MARKERS + 3 * s.frame_player[s.depth - 1])
    for marker in range(1, b.n_markers + 1):
        if held & BITS[marker] != 0:
            buf[n] = b.spend_id[marker]
            n += 1
    return n


def apply_spend(b: Tables, s: State, action: int) -> None:
    """FAVOUR-3, -4: turned face down without effect; it still scores."""
    d = s.depth - 1
    player = s.frame_player[d]
    marker = b.id_marker[action]
    transfer(s, marker, AT_MARKERS + 3 * player, AT_USED + 3 * player)
    note(s, USED, player, marker)
    s.frame_left[d] -= 1


DECISIONS = (
    Decision(FAVOUR, "favour {tile}", legal_favour, buy),
    Decision(SPEND, "spend {marker}"),
)
FRAMES = (
    Frame(IN_SPEND, "spend", {"left": "count"}, settle_spend, legal_spend, apply_spend, on=("",)),
)
