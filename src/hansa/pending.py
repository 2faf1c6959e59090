"""Pending decisions as data: the `pending` part of a position, written and read side by side."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hansa.boards import Board
from hansa.boards.board import PERMANENT
from hansa.checking import choice, keys, length, number, sequence
from hansa.errors import InvalidPosition
from hansa.names import OWNERS, PLAYERS, SHAPES
from hansa.rules import codes as c
from hansa.rules.income import AFTER_INCOME
from hansa.rules.state import HAND, TOUCHED, State

__all__ = ["phase", "read_pending", "write_pending"]

MODES = ("move", "move3", "perm-move2")
_WORDS = {
    c.IN_PAY: "pay",
    c.IN_DISPLACED: "displaced",
    c.IN_NEUTRAL_PUT: "neutral-put",
    c.IN_MOVE: "move",
    c.IN_REMOVE3: "remove3",
    c.IN_REPLACE3: "replace3",
    c.IN_GREEN: "perm-green",
    c.IN_PLACE2: "perm-place2-route",
    c.IN_ABROAD: "perm-place2-abroad",
    c.IN_REACTION: "reaction",
    c.IN_SPEND: "spend",
    c.IN_FINISH: "finish",
    c.IN_PERMANENT: "permanent",
    c.IN_PLATE: "plate",
}
_KINDS = {word: kind for kind, word in _WORDS.items()}

# The three numbers of a frame: name and what it counts or names.
_FIELDS: dict[str, tuple[tuple[str, str], ...]] = {
    "pay": (("count", "count"),),
    "displaced": (("waiting", "shape"), ("added", "count"), ("route", "route")),
    "neutral-put": (("left", "count"), ("route", "route")),
    "move": (("by", "mode"), ("left", "count")),
    "remove3": (("left", "count"), ("made", "count")),
    "replace3": (("left", "count"), ("made", "count")),
    "perm-green": (),
    "perm-place2-route": (("t", "count"), ("m", "count"), ("left", "count")),
    "perm-place2-abroad": (("left", "count"),),
    "reaction": (("to", "cause"), ("asked", "count"), ("left", "count")),
    "spend": (("left", "count"),),
    "finish": (),
    "permanent": (("marker", "permanent"),),
    "plate": (),
}

# What can wait on what; the last one is what is being decided.
_ABOVE_FINISH = (
    ("pay",),
    ("displaced",),
    ("displaced", "pay"),
    ("neutral-put",),
    ("neutral-put", "pay"),
    ("move",),
    ("remove3",),
    ("replace3",),
    ("perm-green",),
    ("perm-place2-route",),
    ("perm-place2-route", "reaction"),
    ("perm-place2-abroad",),
    ("permanent", "reaction"),
    ("reaction",),
    (),
)
_STACKS = {("plate",), ("spend",), *(("finish", *above) for above in _ABOVE_FINISH)}


def phase(s: State) -> str:
    """A short word for what is being decided."""
    if s.over:
        return "over"
    if s.depth == 0:
        return "turn"
    kind, x = s.frame_kind[s.depth - 1], s.frame_x[s.depth - 1]
    if kind == c.IN_SETUP:
        return "setup"
    if kind == c.IN_MOVE:
        return MODES[x]
    if kind == c.IN_REACTION:
        return "income" if x == AFTER_INCOME else "tribute"
    special = {c.IN_FINISH: "neutral", c.IN_NEUTRAL_PUT: "displaced"}
    return special.get(kind, _WORDS[kind])


def write_pending(board: Board, s: State) -> dict[str, Any] | None:
    """The stack, the hand and what a Move has touched; None in a quiet position."""
    if s.depth == 0 or s.frame_kind[0] == c.IN_SETUP:
        return None
    posts = [post.id for route in board.routes for post in route.posts]
    return {
        "stack": [_write_frame(board, s, d) for d in range(s.depth)],
        "hand": [[piece_text(s.hand[k]), posts[s.hand_post[k]]] for k in range(s.n_hand)],
        "touched": [
            [posts[s.touched_post[k]], piece_text(s.touched_piece[k])] for k in range(s.n_touched)
        ],
        "short": bool(s.short),
    }


def piece_text(code: int) -> str | None:
    """`p1:t` for the code of a piece, None for 0."""
    return f"{OWNERS[(code - 1) >> 1]}:{SHAPES[(code - 1) & 1]}" if code else None


def _write_frame(board: Board, s: State, d: int) -> dict[str, Any]:
    word = _WORDS[s.frame_kind[d]]
    values = (s.frame_x[d], s.frame_y[d], s.frame_z[d])
    data: dict[str, Any] = {"what": word, "player": PLAYERS[s.frame_player[d]]}
    for (name, meaning), value in zip(_FIELDS[word], values, strict=False):
        data[name] = _write_value(board, meaning, value)
    return data


def _write_value(board: Board, meaning: str, value: int) -> Any:
    if meaning == "shape":
        return SHAPES[value - 1] if value else None
    if meaning == "route":
        return board.routes[value].id
    if meaning == "mode":
        return MODES[value]
    if meaning == "permanent":
        return PERMANENT[value - 1]
    if meaning == "cause":
        return "income" if value == AFTER_INCOME else board.cities[value].id
    return value


def _read_value(board: Board, meaning: str, value: Any, path: str) -> int:
    if meaning == "shape":
        return 0 if value is None else 1 + choice(value, SHAPES, path)
    if meaning == "route":
        return choice(value, tuple(route.id for route in board.routes), path)
    if meaning == "mode":
        return choice(value, MODES, path)
    if meaning == "permanent":
        return 1 + choice(value, PERMANENT, path)
    if meaning == "cause":
        causes = ("income", *(city.id for city in board.cities))
        return choice(value, causes, path) - 1
    return number(value, 0, c.MAX_TRADERS, path)


def read_pending(board: Board, s: State, data: Any) -> None:
    """Put the pending decisions of a position into the state; raises InvalidPosition."""
    if data is None:
        return
    keys(data, ("stack", "hand", "touched", "short"), "pending", complete=True)
    frames = sequence(data["stack"], "pending.stack")
    for k, frame in enumerate(frames):
        if not isinstance(frame, Mapping) or frame.get("what") not in _KINDS:
            raise InvalidPosition(f"pending.stack[{k}]: unknown pending decision {frame!r}")
    if tuple(frame["what"] for frame in frames) not in _STACKS:
        raise InvalidPosition("pending.stack: these decisions cannot wait on each other")
    for k, frame in enumerate(frames):
        _read_frame(board, s, frame, f"pending.stack[{k}]")
    _read_posts(board, s, data)
    if not isinstance(data["short"], bool):
        raise InvalidPosition("pending.short must be true or false")
    s.short = int(data["short"])


def _read_frame(board: Board, s: State, frame: dict[str, Any], path: str) -> None:
    fields = _FIELDS[frame["what"]]
    keys(frame, ("what", "player", *(name for name, _ in fields)), path, complete=True)
    d = s.depth
    values = [_read_value(board, what, frame[name], f"{path}.{name}") for name, what in fields]
    s.frame_kind[d] = _KINDS[frame["what"]]
    s.frame_player[d] = choice(frame["player"], PLAYERS[: s.players], f"{path}.player")
    s.frame_x[d], s.frame_y[d], s.frame_z[d] = (*values, 0, 0, 0)[:3]
    s.depth = d + 1


def _read_posts(board: Board, s: State, data: dict[str, Any]) -> None:
    posts = tuple(post.id for route in board.routes for post in route.posts)
    hand = length(data["hand"], 0, HAND, "pending.hand")
    for k, entry in enumerate(hand):
        piece, post = length(entry, 2, 2, f"pending.hand[{k}]")
        s.hand[k] = read_piece(s, piece, f"pending.hand[{k}]")
        s.hand_post[k] = choice(post, posts, f"pending.hand[{k}]")
    s.n_hand = len(hand)
    touched = length(data["touched"], 0, TOUCHED, "pending.touched")
    for k, entry in enumerate(touched):
        post, piece = length(entry, 2, 2, f"pending.touched[{k}]")
        s.touched_post[k] = choice(post, posts, f"pending.touched[{k}]")
        s.touched_piece[k] = 0 if piece is None else read_piece(s, piece, f"pending.touched[{k}]")
    s.n_touched = len(touched)


def read_piece(s: State, value: Any, path: str) -> int:
    """The code of `p1:t`; raises InvalidPosition for a piece of somebody not in this game."""
    owners = (*PLAYERS[: s.players], *(("n",) if s.duel == c.DUEL_NEUTRAL else ()))
    pieces = tuple(f"{owner}:{shape}" for owner in owners for shape in SHAPES if owner != "n")
    pieces += ("n:t",) if "n" in owners else ()
    if value not in pieces:
        raise InvalidPosition(f"{path}: {value!r} is no piece of this game, e.g. {pieces[0]}")
    owner, shape = value.split(":")
    return 2 * OWNERS.index(owner) + SHAPES.index(shape) + 1
