"""The turn: what may be decided in it, how an action ends, and the end of the turn (TURN, END)."""

from __future__ import annotations

from .codes import (
    ACTIONS,
    ACTIONS_VALUE,
    AT_MARKERS,
    AT_POST,
    AT_ROUTE,
    BLOCK,
    DISPLACE,
    DUEL_NEUTRAL,
    END,
    END_CITIES,
    END_MARKERS,
    END_PRESTIGE,
    FAVOUR,
    FEE,
    IN_FINISH,
    IN_PLATE,
    INCOME,
    LAY_BLOCK,
    LAY_TRIBUTE,
    LIFT,
    NEUTRAL,
    PAWN,
    POST_OPS,
    PRESTIGE_TO_END,
    ROUTE_OPS,
    SPEND,
    TILE_ACTION,
    TRIBUTE,
    WALK,
)
from .duel import legal_pawn, move_pawn, walk
from .establish import can_establish, establish, legal_establish
from .favour import buy, has_tile, legal_favour
from .income import income, legal_income
from .markers import (
    apply_use,
    can_lay,
    holds_promo,
    legal_fee,
    legal_uses,
    pay_border_fee,
    use_promo,
)
from .move import begin_move
from .neutral import resolve_full
from .notes import ENDED, TURN_BEGAN, TURN_ENDED, note
from .place import displace, legal_posts, place
from .pool import discard_plates, kinds
from .stack import pop, push
from .state import State
from .tables import Tables


def legal_turn(b: Tables, s: State, buf: list[int]) -> int:
    """TURN-3, -8, -10: actions while some are left, markers at any time, and `end`."""
    buf[0] = END
    n = 1
    if s.actions_left > 0:
        n = legal_income(s, s.active, buf, n)
    n = legal_pawn(b, s, buf, n)
    n = legal_favour(s, buf, n)
    own = AT_MARKERS + 3 * s.active
    held = 0
    if s.mark_start[own + 1] > s.mark_start[own]:
        held = kinds(s, own)
        n = legal_fee(s, buf, n)
        n = legal_uses(b, s, held, buf, n)
    if s.actions_left > 0:
        n = legal_posts(b, s, buf, n)
    if s.actions_left > 0 or holds_promo(held):
        n = legal_routes(b, s, held, buf, n)
    return n


def legal_routes(b: Tables, s: State, held: int, buf: list[int], n: int) -> int:
    """Establish, and promo markers that are laid at a route."""
    tribute = can_lay(s, held, TRIBUTE)
    block = can_lay(s, held, BLOCK)
    acts = s.actions_left > 0
    mine = 2 * s.active + 1
    for route in range(b.n_routes):
        first = s.post[b.route_first[route]]
        if acts and (first == mine or first == mine + 1) and can_establish(b, s, route):
            n = legal_establish(b, s, route, buf, n)
        if tribute:
            buf[n] = b.route_id[route] + LAY_TRIBUTE
            n += 1
        if block:
            buf[n] = b.route_id[route] + LAY_BLOCK
            n += 1
    return n


def apply_turn(b: Tables, s: State, action: int) -> None:
    """One decision of the turn; what it leads to waits on the stack."""
    if action == END:
        push(s, IN_PLATE, s.active, 0, 0, 0)
        return
    s.touched = 1
    if action >= AT_POST:
        apply_at(b, s, action)
    elif action < PAWN:
        begin_action(s)
        income(s, (action - INCOME) // 5, (action - INCOME) % 5)
    elif action < WALK:
        begin_action(s)
        move_pawn(s, action - PAWN + 1, 0)
    elif action < FAVOUR:
        walk(s, action - WALK + 1)
    elif action < SPEND:
        buy(s, action - FAVOUR + 1)
    elif action < FEE + 11:
        pay_border_fee(s, action - FEE + 1)
    else:
        push(s, IN_FINISH, s.active, 0, 0, 0)
        apply_use(b, s, action)


def begin_action(s: State) -> None:
    """TURN-3: counted with its first decision; END-4 is judged when all of it is done."""
    s.actions_left -= 1
    s.acted = 1
    push(s, IN_FINISH, s.active, 0, 0, 0)


def apply_at(b: Tables, s: State, action: int) -> None:
    """A decision that names a post or a route."""
    if action < AT_ROUTE:
        begin_action(s)
        post = b.slot_post[(action - AT_POST) // POST_OPS]
        op = (action - AT_POST) % POST_OPS
        if op < DISPLACE:
            place(b, s, op, post)
        elif op < LIFT:
            displace(b, s, op - DISPLACE, post)
        else:
            begin_move(s, post)
        return
    route = b.slot_route[(action - AT_ROUTE) // ROUTE_OPS]
    op = (action - AT_ROUTE) % ROUTE_OPS
    if op == LAY_TRIBUTE or op == LAY_BLOCK:
        push(s, IN_FINISH, s.active, 0, 0, 0)
        use_promo(s, TRIBUTE if op == LAY_TRIBUTE else BLOCK, route)
        return
    begin_action(s)
    establish(b, s, route, op)


def settle_finish(b: Tables, s: State) -> bool:
    """The action or effect is complete: neutral routes first, then the end is judged once."""
    if s.duel == DUEL_NEUTRAL:
        found = resolve_full(b, s)
        if found > 0:
            return found == 2
    pop(s)
    reason = end_reason(b, s)
    if reason > 0:
        end_game(s, reason)
    return False


def end_reason(b: Tables, s: State) -> int:
    """END-1, -2, -3, NEUTRAL-21; prestige before markers before cities."""
    for owner in range(NEUTRAL + 1):
        if s.points[owner] >= PRESTIGE_TO_END:
            return END_PRESTIGE
    if s.short != 0:
        return END_MARKERS
    if s.completed >= b.cities_to_end:
        return END_CITIES
    return 0


def end_game(s: State, reason: int) -> None:
    """END-5, END-7: what is left of the turn is lost, plates are discarded."""
    s.over = 1
    s.end_reason = reason
    s.short = 0
    s.actions_left = 0
    s.player = s.active
    discard_plates(s)
    note(s, ENDED, reason)


def begin_turn(s: State, player: int) -> None:
    """TURN-2: as many actions as the skill shows, one more with FAVOUR-ACTION-1."""
    s.active = player
    s.actions_left = ACTIONS_VALUE[s.skills[5 * player + ACTIONS]]
    if has_tile(s, player, TILE_ACTION):
        s.actions_left += 1
    s.acted = 0
    s.walked = 0
    s.closed = 0
    s.bought = 0
    s.fee = 0
    s.touched = 0
    for k in range(s.n_permissions_used):
        s.permissions_used[k] = 0
    s.n_permissions_used = 0
    note(s, TURN_BEGAN, player, s.actions_left)


def next_turn(s: State) -> None:
    """TURN-1: clockwise."""
    note(s, TURN_ENDED, s.active)
    s.turn += 1
    begin_turn(s, (s.active + 1) % s.players)
