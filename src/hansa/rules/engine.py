"""The engine's face: `legal` lists decisions, `apply` carries one out and goes on until the next.

`legal` writes ids in ascending order into a buffer the caller owns; `apply` trusts its caller.
"""

from __future__ import annotations

from .codes import (
    AT_POST,
    AT_ROUTE,
    IN_ABROAD,
    IN_DISPLACED,
    IN_FINISH,
    IN_GREEN,
    IN_MOVE,
    IN_NEUTRAL_PUT,
    IN_PAY,
    IN_PERMANENT,
    IN_PLACE2,
    IN_PLATE,
    IN_REACTION,
    IN_REMOVE3,
    IN_REPLACE3,
    IN_SETUP,
    IN_SPEND,
    LAY,
    NEUTRAL_CITY,
    PAWN,
    PAY,
    POST_OPS,
    ROUTE_OPS,
    SPEND,
)
from .displace import (
    apply_displaced,
    apply_neutral_put,
    legal_displaced,
    legal_neutral_put,
    settle_displaced,
    settle_neutral_put,
)
from .duel import legal_setup, move_pawn
from .favour import apply_spend, legal_spend, settle_spend
from .income import apply_reaction, legal_reaction, settle_reaction
from .markers import (
    apply_remove3,
    apply_replace3,
    legal_remove3,
    legal_replace3,
    settle_remove3,
    settle_replace3,
)
from .move import apply_move, legal_move, settle_move
from .neutral import establish_neutral, legal_neutral
from .pay import legal_pay, pay_one, settle_pay
from .permanent import (
    apply_abroad,
    apply_green,
    apply_place2,
    legal_abroad,
    legal_green,
    legal_place2,
    settle_abroad,
    settle_green,
    settle_permanent,
    settle_place2,
)
from .plate import apply_plate, legal_plate, settle_plate
from .stack import pop
from .state import State
from .tables import Tables
from .turn import apply_turn, legal_turn, settle_finish


def legal(b: Tables, s: State, buf: list[int]) -> int:
    """Write the ids of all legal decisions into the buffer and return their number."""
    if s.over != 0:
        return 0
    if s.depth == 0:
        return legal_turn(b, s, buf)
    kind = s.frame_kind[s.depth - 1]
    if kind == IN_MOVE:
        return legal_move(b, s, buf)
    if kind == IN_DISPLACED:
        return legal_displaced(b, s, buf)
    if kind == IN_PAY:
        return legal_pay(buf)
    if kind == IN_PLATE:
        return legal_plate(b, s, buf)
    if kind == IN_NEUTRAL_PUT:
        return legal_neutral_put(b, s, buf)
    if kind == IN_FINISH:
        return legal_neutral(b, s, buf)
    return legal_effect(b, s, kind, buf)


def legal_effect(b: Tables, s: State, kind: int, buf: list[int]) -> int:
    """Decisions inside marker effects and reactions."""
    if kind == IN_REMOVE3:
        return legal_remove3(b, s, buf)
    if kind == IN_REPLACE3:
        return legal_replace3(b, s, buf)
    if kind == IN_GREEN:
        return legal_green(b, s, buf)
    if kind == IN_PLACE2:
        return legal_place2(b, s, buf)
    if kind == IN_ABROAD:
        return legal_abroad(b, s, buf)
    if kind == IN_REACTION:
        return legal_reaction(s, buf)
    if kind == IN_SPEND:
        return legal_spend(s, buf)
    return legal_setup(buf)


def apply(b: Tables, s: State, action: int) -> None:
    """Carry out a legal decision, and everything after it that needs none."""
    if s.depth == 0:
        apply_turn(b, s, action)
    else:
        s.touched |= s.frame_kind[s.depth - 1] != IN_SETUP
        apply_frame(b, s, s.frame_kind[s.depth - 1], action)
    settle(b, s)


def apply_frame(b: Tables, s: State, kind: int, action: int) -> None:
    """A decision on the top frame."""
    post = 0
    op = 0
    if AT_POST <= action < AT_ROUTE:
        post = b.slot_post[(action - AT_POST) // POST_OPS]
        op = (action - AT_POST) % POST_OPS
    if kind == IN_MOVE:
        apply_move(s, action, post, op)
    elif kind == IN_DISPLACED:
        apply_displaced(b, s, action, post, op)
    elif kind == IN_PAY:
        pay_one(s, action - PAY)
    elif kind == IN_NEUTRAL_PUT:
        apply_neutral_put(s, post)
    elif kind == IN_PLATE or kind == IN_FINISH:
        route = b.slot_route[(action - AT_ROUTE) // ROUTE_OPS]
        chosen = (action - AT_ROUTE) % ROUTE_OPS
        if kind == IN_PLATE:
            apply_plate(b, s, route, chosen - LAY + 1)
        else:
            establish_neutral(b, s, route, b.route_city[2 * route + chosen - NEUTRAL_CITY])
    else:
        apply_effect(b, s, kind, action, post, op)


def apply_effect(b: Tables, s: State, kind: int, action: int, post: int, op: int) -> None:
    """A decision inside a marker effect or a reaction, or the placing of the pawn."""
    if kind == IN_REMOVE3:
        apply_remove3(s, action, post)
    elif kind == IN_REPLACE3:
        apply_replace3(s, action, post, op)
    elif kind == IN_GREEN:
        apply_green(b, s, action)
    elif kind == IN_PLACE2:
        apply_place2(s, action, post, op)
    elif kind == IN_ABROAD:
        apply_abroad(s, action, post, op)
    elif kind == IN_REACTION:
        apply_reaction(s, action)
    elif kind == IN_SPEND:
        apply_spend(s, action - SPEND + 1)
    else:
        move_pawn(s, action - PAWN + 1, 0)
        pop(s)


def settle(b: Tables, s: State) -> None:
    """Go on by itself until somebody has something to decide, and say who."""
    while s.depth > 0:
        kind = s.frame_kind[s.depth - 1]
        if kind == IN_FINISH:
            asks = settle_finish(b, s)
        elif kind == IN_MOVE:
            asks = settle_move(b, s)
        elif kind == IN_PAY:
            asks = settle_pay(s)
        elif kind == IN_DISPLACED:
            asks = settle_displaced(b, s)
        elif kind == IN_PLATE:
            asks = settle_plate(b, s)
        elif kind == IN_NEUTRAL_PUT:
            asks = settle_neutral_put(b, s)
        else:
            asks = settle_effect(b, s, kind)
        if asks:
            s.player = s.frame_player[s.depth - 1]
            return
    s.player = s.active


def settle_effect(b: Tables, s: State, kind: int) -> bool:
    """Whether a marker effect or reaction has something to ask."""
    if kind == IN_REACTION:
        return settle_reaction(b, s)
    if kind == IN_PERMANENT:
        return settle_permanent(s)
    if kind == IN_REMOVE3:
        return settle_remove3(b, s)
    if kind == IN_REPLACE3:
        return settle_replace3(b, s)
    if kind == IN_GREEN:
        return settle_green(s)
    if kind == IN_PLACE2:
        return settle_place2(b, s)
    if kind == IN_ABROAD:
        return settle_abroad(b, s)
    if kind == IN_SPEND:
        return settle_spend(s)
    return True
