"""The policy: rate every legal decision, choose the best."""

from __future__ import annotations

from hansa.bots.judge.inside import rate_inside
from hansa.bots.judge.plans import plan_all
from hansa.bots.judge.survey import Survey
from hansa.bots.judge.turns import rate_turn
from hansa.bots.judge.weights import Weights
from hansa.rules.capacity import MAX_POSTS
from hansa.rules.establish import EST_EXTRA, EST_OFFICE
from hansa.rules.income import INCOME
from hansa.rules.move import LIFT
from hansa.rules.pay import IN_PAY
from hansa.rules.pieces import is_mine
from hansa.rules.reaction import IN_REACTION
from hansa.rules.state import State
from hansa.rules.tables import Tables

PRIME = 2147483647
STEP = 48271
FEW_PIECES = 5
"""Who has no more left outside offices could soon fill no route at all."""


def rate_all(b: Tables, s: State, w: Weights, v: Survey, buf: list[int], n: int) -> None:
    """Write how good each of the n legal decisions in `buf` is into the survey's scores."""
    if needs_plan(s):
        plan_all(b, s, w, v, s.player)
    for k in range(n):
        if s.depth == 0:
            v.scores[k] = rate_turn(b, s, w, v, buf[k])
        else:
            v.scores[k] = rate_inside(b, s, w, v, buf[k])


def needs_plan(s: State) -> bool:
    """Paying and reacting need no look at the board."""
    if s.depth == 0:
        return True
    kind = s.frame_kind[s.depth - 1]
    return kind != IN_PAY and kind != IN_REACTION


def choose(b: Tables, s: State, w: Weights, v: Survey, buf: list[int], n: int, seed: int) -> int:
    """The place in `buf` of the best decision; the seed decides among equals."""
    if n == 1:
        return 0
    rate_all(b, s, w, v, buf, n)
    best = 0
    most = -1000000000
    noise = seed % PRIME + 1
    for k in range(n):
        noise = noise * STEP % PRIME
        score = 8 * v.scores[k] + noise % 8
        if score > most:
            most = score
            best = k
    return best


def with_pieces_left(b: Tables, s: State, buf: list[int], n: int) -> int:
    """With few pieces: no office that would leave too few to go on, and Income before a Move.

    Takes the others out of the n decisions in `buf`; gives how many are left.
    """
    if s.depth != 0 or s.over != 0:
        return n
    player = s.player
    supply = s.supply[2 * player] + s.supply[2 * player + 1]
    pieces = supply + s.stock[2 * player] + s.stock[2 * player + 1]
    if pieces > FEW_PIECES:
        return n
    for post in range(MAX_POSTS):
        if is_mine(s.post[post], player):
            pieces += 1
    if pieces > FEW_PIECES:
        return n
    waits = False
    for k in range(n):
        if supply == 0 and b.id_verb[buf[k]] == INCOME:
            waits = True
    kept = 0
    for k in range(n):
        verb = b.id_verb[buf[k]]
        if verb == EST_OFFICE or verb == EST_EXTRA or (waits and verb == LIFT):
            continue
        buf[kept] = buf[k]
        kept += 1
    return kept
