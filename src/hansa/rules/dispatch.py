"""Which function lists, carries out or settles what. Written by hansa/generate.py: do not edit."""

from __future__ import annotations

from .border import legal_fee, pay_border_fee
from .codes import AT_MARKERS, BITS
from .displace import (
    apply_displaced,
    apply_neutral_put,
    legal_displaced,
    legal_neutral_put,
    settle_displaced,
    settle_neutral_put,
)
from .duel import apply_setup, legal_pawn, legal_setup, move_pawn, settle_setup, walk
from .establish import (
    establish_extra,
    establish_none,
    establish_office,
    establish_prestige,
    establish_skill,
    legal_routes,
    settle_gain,
    use_block,
    use_tribute,
)
from .exchange import exchange, legal_exchanges
from .favour import apply_spend, buy, legal_favour, legal_spend, settle_spend
from .finish import settle_finish
from .income import income, legal_income
from .move import apply_move, begin_move, legal_move, legal_move3, settle_move, use_move3
from .neutral import apply_neutral, legal_neutral
from .pay import apply_pay, legal_pay, settle_pay
from .permanent import (
    apply_abroad,
    apply_green,
    apply_place2,
    begin_abroad,
    begin_green,
    begin_move2,
    begin_place2,
    begin_privilege,
    legal_abroad,
    legal_green,
    legal_place2,
    settle_abroad,
    settle_green,
    settle_place2,
)
from .place import displace, legal_posts, place
from .plate import apply_plate, end_turn, legal_end, legal_plate, settle_plate
from .plus import legal_plus3, legal_plus4, use_plus3, use_plus4
from .pool import kinds
from .reaction import apply_reaction, legal_reaction, settle_reaction
from .removing import apply_remove3, legal_remove3, legal_removing, settle_remove3, use_remove3
from .replacing import (
    apply_replace3,
    legal_replace3,
    legal_replacing,
    settle_replace3,
    use_replace3,
)
from .skills import legal_skills, use_skill
from .stack import pop
from .state import State
from .swap import legal_swaps, swap
from .tables import Tables
from .turn import begin_action, begin_effect


def legal_turn(b: Tables, s: State, buf: list[int]) -> int:
    """TURN-3, -8, -10: actions while some are left, markers at any time, and `end`."""
    n = 0
    held = kinds(s, AT_MARKERS + 3 * s.active)
    n = legal_end(b, s, buf, n)
    if s.actions_left > 0:
        n = legal_income(b, s, buf, n)
    n = legal_pawn(b, s, buf, n)
    n = legal_favour(b, s, buf, n)
    n = legal_fee(b, s, buf, n)
    if held & BITS[4] != 0:
        n = legal_plus3(b, s, buf, n)
    if held & BITS[5] != 0:
        n = legal_plus4(b, s, buf, n)
    if held & BITS[3] != 0:
        n = legal_skills(b, s, buf, n)
    if held & BITS[6] != 0:
        n = legal_removing(b, s, buf, n)
    if held & BITS[7] != 0:
        n = legal_replacing(b, s, buf, n)
    if held & BITS[8] != 0:
        n = legal_move3(b, s, buf, n)
    if held & BITS[2] != 0:
        n = legal_swaps(b, s, buf, n)
    if held & BITS[9] != 0:
        n = legal_exchanges(b, s, buf, n)
    if s.actions_left > 0:
        n = legal_posts(b, s, buf, n)
    if s.actions_left > 0 or held & (BITS[10] | BITS[11]) != 0:
        n = legal_routes(b, s, buf, n)
    return n


def begin(b: Tables, s: State, action: int) -> None:
    """Carry out a decision of the turn; what it leads to waits on the stack."""
    verb = b.id_verb[action]
    if verb == 1:  # end
        end_turn(b, s)
        return
    if verb == 6:  # income {traders} {merchants}
        begin_action(s)
        income(b, s, b.id_traders[action], b.id_merchants[action])
        return
    if verb == 146:  # pawn {province}
        begin_action(s)
        move_pawn(b, s, b.id_province[action])
        return
    if verb == 162:  # walk {province}
        walk(b, s, b.id_province[action])
        return
    if verb == 178:  # favour {tile}
        buy(b, s, b.id_tile[action])
        return
    if verb == 195:  # fee {marker}
        pay_border_fee(b, s, b.id_marker[action])
        return
    if verb == 206:  # use plus3
        begin_effect(s)
        use_plus3(b, s)
        return
    if verb == 207:  # use plus4
        begin_effect(s)
        use_plus4(b, s)
        return
    if verb == 208:  # use skill {skill}
        begin_effect(s)
        use_skill(b, s, b.id_skill[action])
        return
    if verb == 213:  # use remove3
        begin_effect(s)
        use_remove3(b, s)
        return
    if verb == 214:  # use replace3
        begin_effect(s)
        use_replace3(b, s)
        return
    if verb == 215:  # use move3
        begin_effect(s)
        use_move3(b, s)
        return
    if verb == 216:  # use swap {house}
        begin_effect(s)
        swap(b, s, b.id_house[action])
        return
    if verb == 320:  # use exchange {player} {marker}
        begin_effect(s)
        exchange(b, s, b.id_player[action], b.id_marker[action])
        return
    if verb == 381:  # place {shape} {post}
        begin_action(s)
        place(b, s, b.id_shape[action], b.id_post[action])
        return
    if verb == 383:  # displace {shape} {post}
        begin_action(s)
        displace(b, s, b.id_shape[action], b.id_post[action])
        return
    if verb == 385:  # lift {post}
        begin_action(s)
        begin_move(b, s, b.id_post[action])
        return
    if verb == 1405:  # establish {route} none
        begin_action(s)
        establish_none(b, s, b.id_route[action])
        return
    if verb == 1406:  # establish {route} office {end}
        begin_action(s)
        establish_office(b, s, b.id_route[action], b.id_end[action])
        return
    if verb == 1408:  # establish {route} extra {end} {shape}
        begin_action(s)
        establish_extra(b, s, b.id_route[action], b.id_end[action], b.id_shape[action])
        return
    if verb == 1412:  # establish {route} skill {skill}
        begin_action(s)
        establish_skill(b, s, b.id_route[action], b.id_skill[action])
        return
    if verb == 1417:  # establish {route} prestige {space}
        begin_action(s)
        establish_prestige(b, s, b.id_route[action], b.id_space[action])
        return
    if verb == 1421:  # use tribute {route}
        begin_effect(s)
        use_tribute(b, s, b.id_route[action])
        return
    if verb == 1422:  # use block {route}
        begin_effect(s)
        use_block(b, s, b.id_route[action])
        return
    raise ValueError("no such decision in the turn")


def legal_pending(b: Tables, s: State, buf: list[int]) -> int:
    """What may be decided about the top frame."""
    kind = s.frame_kind[s.depth - 1]
    if kind == 1:  # setup
        return legal_setup(b, s, buf)
    if kind == 2:  # pay
        return legal_pay(b, s, buf)
    if kind == 3:  # displaced
        return legal_displaced(b, s, buf)
    if kind == 4:  # neutral-put
        return legal_neutral_put(b, s, buf)
    if kind == 5:  # move
        return legal_move(b, s, buf)
    if kind == 6:  # remove3
        return legal_remove3(b, s, buf)
    if kind == 7:  # replace3
        return legal_replace3(b, s, buf)
    if kind == 8:  # perm-green
        return legal_green(b, s, buf)
    if kind == 9:  # perm-place2-route
        return legal_place2(b, s, buf)
    if kind == 10:  # perm-place2-abroad
        return legal_abroad(b, s, buf)
    if kind == 11:  # reaction
        return legal_reaction(b, s, buf)
    if kind == 12:  # spend
        return legal_spend(b, s, buf)
    if kind == 13:  # finish
        return legal_neutral(b, s, buf)
    if kind == 15:  # plate
        return legal_plate(b, s, buf)
    raise ValueError("no such pending decision")


def apply_pending(b: Tables, s: State, action: int) -> None:
    """Carry out a decision about the top frame."""
    kind = s.frame_kind[s.depth - 1]
    if kind == 1:  # setup
        apply_setup(b, s, action)
        return
    if kind == 2:  # pay
        apply_pay(b, s, action)
        return
    if kind == 3:  # displaced
        apply_displaced(b, s, action)
        return
    if kind == 4:  # neutral-put
        apply_neutral_put(b, s, action)
        return
    if kind == 5:  # move
        apply_move(b, s, action)
        return
    if kind == 6:  # remove3
        apply_remove3(b, s, action)
        return
    if kind == 7:  # replace3
        apply_replace3(b, s, action)
        return
    if kind == 8:  # perm-green
        apply_green(b, s, action)
        return
    if kind == 9:  # perm-place2-route
        apply_place2(b, s, action)
        return
    if kind == 10:  # perm-place2-abroad
        apply_abroad(b, s, action)
        return
    if kind == 11:  # reaction
        apply_reaction(b, s, action)
        return
    if kind == 12:  # spend
        apply_spend(b, s, action)
        return
    if kind == 13:  # finish
        apply_neutral(b, s, action)
        return
    if kind == 15:  # plate
        apply_plate(b, s, action)
        return
    raise ValueError("no such pending decision")


def settle_pending(b: Tables, s: State) -> bool:
    """Whether the top frame has something to ask; if not, it is done."""
    kind = s.frame_kind[s.depth - 1]
    if kind == 1:  # setup
        return settle_setup(b, s)
    if kind == 2:  # pay
        return settle_pay(b, s)
    if kind == 3:  # displaced
        return settle_displaced(b, s)
    if kind == 4:  # neutral-put
        return settle_neutral_put(b, s)
    if kind == 5:  # move
        return settle_move(b, s)
    if kind == 6:  # remove3
        return settle_remove3(b, s)
    if kind == 7:  # replace3
        return settle_replace3(b, s)
    if kind == 8:  # perm-green
        return settle_green(b, s)
    if kind == 9:  # perm-place2-route
        return settle_place2(b, s)
    if kind == 10:  # perm-place2-abroad
        return settle_abroad(b, s)
    if kind == 11:  # reaction
        return settle_reaction(b, s)
    if kind == 12:  # spend
        return settle_spend(b, s)
    if kind == 13:  # finish
        return settle_finish(b, s)
    if kind == 14:  # permanent
        return begin_permanent(b, s)
    if kind == 15:  # plate
        return settle_plate(b, s)
    if kind == 16:  # gain
        return settle_gain(b, s)
    raise ValueError("no such pending decision")


def begin_permanent(b: Tables, s: State) -> bool:
    """RULING-39: the permanent marker on top of the stack: use it now or lose it."""
    marker = s.frame_marker[s.depth - 1]
    pop(s)
    if marker == 1:  # perm-move2
        begin_move2(b, s)
        return False
    if marker == 2:  # perm-privilege
        begin_privilege(b, s)
        return False
    if marker == 3:  # perm-green
        begin_green(b, s)
        return False
    if marker == 4:  # perm-place2-route
        begin_place2(b, s)
        return False
    if marker == 5:  # perm-place2-abroad
        begin_abroad(b, s)
        return False
    raise ValueError("no such permanent marker")
