"""Pending decisions as data: the `pending` part of a position, written and read side by side."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hansa.boards import Board
from hansa.checking import choice, keys, length, number, sequence
from hansa.errors import InvalidPosition
from hansa.names import OWNERS, PLAYERS, PRESTIGE_SPACES, SHAPES, SKILLS
from hansa.rules import codes as c
from hansa.rules.catalogue import FRAMES, PERMANENTS
from hansa.rules.declare import Frame
from hansa.rules.duel import IN_SETUP
from hansa.rules.reaction import AFTER_INCOME
from hansa.rules.state import CHANGED, HAND, STACK, State
from hansa.typed import PendingData

__all__ = ["frame_fields", "held", "phase", "read_pending", "write_pending"]

MODES = ("move", "move3", "perm-move2")
"""What pieces are lifted and put by (hansa.rules.move)."""
_KINDS = {frame.name: frame for frame in FRAMES}
_PERMANENT = tuple(marker.name for marker in PERMANENTS)


def frame_at(s: State, d: int) -> Frame:
    """What is pending at this place of the stack; raises LookupError for an unknown kind."""
    kind = s.frame_kind[d]
    if not 1 <= kind <= len(FRAMES):
        raise LookupError(f"unknown kind of pending decision: {kind}")
    return FRAMES[kind - 1]


def frame_fields(name: str) -> tuple[str, ...]:
    """What a pending decision of this name remembers, in order; raises InvalidPosition."""
    if name not in _KINDS:
        raise InvalidPosition(f"pending: unknown pending decision {name!r}")
    return tuple(_KINDS[name].fields)


def phase(s: State) -> str:
    """A short word for what is being decided."""
    if s.over:
        return "over"
    if s.depth == 0:
        return "turn"
    d = s.depth - 1
    frame = frame_at(s, d)
    if frame.phase == "{by}":
        return MODES[s.frame_by[d]]
    if frame.phase == "{to}":
        return "income" if s.frame_to[d] == AFTER_INCOME else "tribute"
    return frame.phase or frame.name


def held(s: State, p: int) -> list[int]:
    """Traders and merchants of a player that pending decisions hold: displaced, or for step 4."""
    pieces = [0, 0]
    for d in range(s.depth):
        if s.frame_player[d] != p:
            continue
        for name, meaning in frame_at(s, d).fields.items():
            value = getattr(s, f"frame_{name}")[d]
            if meaning == "waiting" and value:
                pieces[value - 1] += 1
            if meaning in _HELD:
                pieces[_HELD.index(meaning)] += value
    return pieces


_HELD = ("traders", "merchants")


def write_pending(board: Board, s: State) -> PendingData | None:
    """The stack, the hand and what a Move has touched; None in a quiet position."""
    if s.depth == 0 or s.frame_kind[0] == IN_SETUP:
        return None
    posts = [post.id for route in board.routes for post in route.posts]
    return {
        "stack": [_write_frame(board, s, d) for d in range(s.depth)],
        "hand": [[str(piece_text(s.hand[k])), posts[s.hand_post[k]]] for k in range(s.n_hand)],
        "touched": [
            [posts[s.changed_post[k]], piece_text(s.changed_piece[k])] for k in range(s.n_changed)
        ],
        "short": bool(s.short),
    }


def piece_text(code: int) -> str | None:
    """`p1:t` for the code of a piece, None for 0."""
    return f"{OWNERS[(code - 1) >> 1]}:{SHAPES[(code - 1) & 1]}" if code else None


def _write_frame(board: Board, s: State, d: int) -> dict[str, Any]:
    frame = frame_at(s, d)
    data: dict[str, Any] = {"what": frame.name, "player": PLAYERS[s.frame_player[d]]}
    for name, meaning in frame.fields.items():
        value = getattr(s, f"frame_{name}")[d]
        if meaning == "gain":
            data[name] = _gains(board, s.frame_route[d])[value]
        else:
            data[name] = _write_value(board, meaning, value)
    return data


def _write_value(board: Board, meaning: str, value: int) -> Any:
    if meaning == "waiting":
        return SHAPES[value - 1] if value else None
    if meaning == "route":
        return board.routes[value].id
    if meaning == "mode":
        return MODES[value]
    if meaning == "permanent":
        return _PERMANENT[value - 1]
    if meaning == "cause":
        return "income" if value == AFTER_INCOME else board.cities[value].id
    return value


def _gains(board: Board, route: int) -> tuple[str, ...]:
    """What Establish may gain at a route, by its number (hansa.rules.establish)."""
    ends = board.routes[route].cities
    return (
        "none",
        *(f"office {city}" for city in ends),
        *(f"extra {city} {shape}" for city in ends for shape in SHAPES),
        *(f"skill {skill}" for skill in SKILLS),
        *(f"prestige {value}" for value in PRESTIGE_SPACES),
    )


def _read_value(board: Board, meaning: str, value: Any, path: str) -> int:
    if meaning == "waiting":
        return 0 if value is None else 1 + choice(value, SHAPES, path)
    if meaning == "route":
        return choice(value, tuple(route.id for route in board.routes), path)
    if meaning == "mode":
        return choice(value, MODES, path)
    if meaning == "permanent":
        return 1 + choice(value, _PERMANENT, path)
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
    below = ""
    for k, frame in enumerate(frames):
        if below not in _KINDS[frame["what"]].on or k == STACK:
            raise InvalidPosition("pending.stack: these decisions cannot wait on each other")
        below = frame["what"]
        _read_frame(board, s, frame, f"pending.stack[{k}]")
    _read_posts(board, s, data)
    if not isinstance(data["short"], bool):
        raise InvalidPosition("pending.short must be true or false")
    s.short = int(data["short"])


def _read_frame(board: Board, s: State, data: dict[str, Any], path: str) -> None:
    frame = _KINDS[data["what"]]
    keys(data, ("what", "player", *frame.fields), path, complete=True)
    d = s.depth
    for name, meaning in frame.fields.items():
        where = f"{path}.{name}"
        if meaning == "gain":
            value = choice(data[name], _gains(board, s.frame_route[d]), where)
        else:
            value = _read_value(board, meaning, data[name], where)
        getattr(s, f"frame_{name}")[d] = value
    s.frame_kind[d] = frame.number
    s.frame_player[d] = choice(data["player"], PLAYERS[: s.players], f"{path}.player")
    s.depth = d + 1


def _read_posts(board: Board, s: State, data: dict[str, Any]) -> None:
    posts = tuple(post.id for route in board.routes for post in route.posts)
    hand = length(data["hand"], 0, HAND, "pending.hand")
    for k, entry in enumerate(hand):
        piece, post = length(entry, 2, 2, f"pending.hand[{k}]")
        s.hand[k] = read_piece(s, piece, f"pending.hand[{k}]")
        s.hand_post[k] = choice(post, posts, f"pending.hand[{k}]")
    s.n_hand = len(hand)
    touched = length(data["touched"], 0, CHANGED, "pending.touched")
    for k, entry in enumerate(touched):
        post, piece = length(entry, 2, 2, f"pending.touched[{k}]")
        s.changed_post[k] = choice(post, posts, f"pending.touched[{k}]")
        s.changed_piece[k] = 0 if piece is None else read_piece(s, piece, f"pending.touched[{k}]")
    s.n_changed = len(touched)


def read_piece(s: State, value: Any, path: str) -> int:
    """The code of `p1:t`; raises InvalidPosition for a piece of somebody not in this game."""
    owners = (*PLAYERS[: s.players], *(("n",) if s.duel == c.DUEL_NEUTRAL else ()))
    pieces = tuple(f"{owner}:{shape}" for owner in owners for shape in SHAPES if owner != "n")
    pieces += ("n:t",) if "n" in owners else ()
    if value not in pieces:
        raise InvalidPosition(f"{path}: {value!r} is no piece of this game, e.g. {pieces[0]}")
    owner, shape = value.split(":")
    return 2 * OWNERS.index(owner) + SHAPES.index(shape) + 1
