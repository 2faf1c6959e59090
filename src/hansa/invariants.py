"""INV-1 … INV-9: what holds after every decision, one named function each.

They read positions as data, not the engine's state, and are shared by the property tests, the
fuzzer and the debug mode (`HANSA_DEBUG=1` checks every decision of every Game).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from hansa.boards import Board, load, side
from hansa.events import Event, PieceMoved
from hansa.game import Game
from hansa.names import SKILLS

__all__ = ["Broken", "check", "check_step"]

STEPS = dict(zip(SKILLS, (4, 5, 3, 3, 3), strict=True))
Position = Mapping[str, Any]


class Broken(AssertionError):
    """An invariant does not hold."""


def _require(truth: bool, message: str) -> None:
    if not truth:
        raise Broken(message)


def _pieces(position: Position) -> Iterator[str]:
    """Every piece on posts, in cities and in hand."""
    for route in position["routes"].values():
        yield from (piece for piece in route["posts"] if piece)
    for city in position["cities"].values():
        yield from (piece for piece in (*city["offices"], *city["extra"]) if piece)
    pending = position["pending"] or {"stack": [], "hand": []}
    yield from (piece for piece, _ in pending["hand"])
    for frame in pending["stack"]:
        if frame["what"] == "displaced" and frame["waiting"]:
            yield f"{frame['player']}:{frame['waiting']}"
        if frame["what"] == "perm-place2-route":
            yield from (f"{frame['player']}:{s}" for s in "tm" for _ in range(frame[s]))


def inv_1_pieces(game: Game, position: Position) -> None:
    """INV-1: 27 traders and 4 merchants for each player."""
    placed = Counter(_pieces(position))
    laid = Counter(
        text.partition(":")[0] for route in position["routes"].values() for text in route["laid"]
    )
    prestige = Counter(position["prestige"].values())
    for name, player in position["players"].items():
        stock = game.stock(name)
        desk = {skill: STEPS[skill] - level for skill, level in player["skills"].items()}
        merchants = desk.pop("book") + prestige[name]
        traders = sum(desk.values()) + 1 + laid[name]
        for shape, other, total in (("t", traders, 27), ("m", merchants, 4)):
            number = other + stock[shape] + player["supply"][shape] + placed[f"{name}:{shape}"]
            _require(number == total, f"INV-1: {name} has {number} pieces of shape {shape}")
            _require(min(stock[shape], player["supply"][shape]) >= 0, f"INV-1: {name} owes {shape}")


def inv_2_leftmost(_: Game, position: Position) -> None:
    """INV-2: occupied houses are the leftmost ones."""
    for name, city in position["cities"].items():
        filled = sum(office is not None for office in city["offices"])
        _require(None not in city["offices"][:filled], f"INV-2: {name} has a gap")


def inv_3_counter(game: Game, position: Position) -> None:
    """INV-3: the counter counts full cities and green cities with an office."""
    board = game.board
    number = sum(
        bool(entry["offices"]) and None not in entry["offices"]
        for entry in (position["cities"][city.id] for city in board.cities)
    )
    _require(game.completed == number, f"INV-3: counter {game.completed}, cities {number}")


def inv_4_markers(game: Game, position: Position) -> None:
    """INV-4: 16 markers in `classic`, 15 in `bigbox`, wherever they are."""
    players = position["players"].values()
    number = len(position["supply"]) + len(position["discarded"])
    number += sum(len(player[key]) for player in players for key in ("markers", "used", "plate"))
    for route in position["routes"].values():
        number += len(route["laid"]) + (route["marker"] is not None)
    total = 16 if game.setup.edition == "classic" else 15
    _require(number == total, f"INV-4: {number} markers instead of {total}")


def inv_6_tracks(_: Game, position: Position) -> None:
    """INV-6: no track has more steps than fields."""
    for name, player in position["players"].items():
        for skill, level in player["skills"].items():
            _require(0 <= level <= STEPS[skill], f"INV-6: {name} {skill} at {level}")


def inv_7_links(_: Game, position: Position) -> None:
    """INV-7: each owner is rewarded for the link at most once."""
    linked = position["east_west"]
    _require(len(set(linked)) == len(linked), f"INV-7: {linked}")


def inv_8_shapes(game: Game, position: Position) -> None:
    """INV-8: no player's trader at sea; a wrong shape in a house needs a swap (or neutral)."""
    swapped = any(action.text.startswith("use swap") for action in game.history)
    for route in game.board.routes:
        for post, piece in zip(route.posts, position["routes"][route.id]["posts"], strict=True):
            at_sea = post.ship and piece is not None and piece.endswith(":t") and piece != "n:t"
            _require(not at_sea, f"INV-8: {piece} on {post.id}")
    for city in game.board.cities:
        for house, piece in zip(city.houses, position["cities"][city.id]["offices"], strict=False):
            if piece is not None and piece != "n:t" and not swapped:
                wanted = "m" if house.shape == "merchant" else "t"
                _require(piece.endswith(f":{wanted}"), f"INV-8: {piece} in {city.id}")


ALWAYS = (
    inv_1_pieces,
    inv_2_leftmost,
    inv_3_counter,
    inv_6_tracks,
    inv_7_links,
)
WHOLE_GAMES = (inv_4_markers, inv_8_shapes)
"""These hold for games from their set-up; a position given by hand may break them."""


def inv_5_never_down(before: Position, after: Position) -> None:
    """INV-5: prestige, offices, skill steps and completed cities never go down."""
    for name, player in after["players"].items():
        old = before["players"][name]
        _require(player["points"] >= old["points"], f"INV-5: points of {name}")
        for skill, level in player["skills"].items():
            _require(level >= old["skills"][skill], f"INV-5: {skill} of {name}")
    for name, city in after["cities"].items():
        offices = Counter(p.partition(":")[0] for p in (*city["offices"], *city["extra"]) if p)
        earlier = before["cities"][name]
        old_offices = Counter(
            p.partition(":")[0] for p in (*earlier["offices"], *earlier["extra"]) if p
        )
        _require(not old_offices - offices, f"INV-5: an office left {name}")


def inv_9_displaced(before: Position, after: Position, events: Sequence[Event]) -> None:
    """INV-9: a displaced piece ends on a post; in stock only when it fits nowhere (RULING-12)."""
    for event in events:
        if not isinstance(event, PieceMoved) or not event.source.startswith("hand:"):
            continue
        _require(not event.target.startswith("supply:"), f"INV-9: {event}")
        compensating = any(
            frame["what"] == "displaced"
            for position in (before, after)
            for frame in (position["pending"] or {"stack": []})["stack"]
        )
        if compensating and event.target.startswith("stock:"):
            board = load_board(after)
            room = any(
                after["routes"][route.id]["posts"][k] is None
                and (not post.ship or event.piece.endswith(":m"))
                and route.region in (None, "england")
                for route in board.routes
                for k, post in enumerate(route.posts)
            )
            _require(not room, f"INV-9: {event} although a post is free")


def load_board(position: Position) -> Board:
    """The board of a position."""
    return load(side(position["game"]["board"], position["game"]["players"]))


def check(game: Game, *, whole: bool = True) -> Position:
    """All invariants of a position; raises Broken. Returns the position for `check_step`."""
    position = game.to_dict()
    for invariant in (*ALWAYS, *(WHOLE_GAMES if whole else ())):
        invariant(game, position)
    return position


def check_step(before: Position, after: Position, events: Sequence[Event]) -> None:
    """The invariants of a step from one position to the next; raises Broken."""
    inv_5_never_down(before, after)
    inv_9_displaced(before, after, events)
