"""Income, markers, favours, the pawn: why not."""

from __future__ import annotations

from hansa.grammar import MARKER_NAMES
from hansa.names import FAVOURS
from hansa.reasons.case import PIECES, Case, Reason, from_supply, full_skill
from hansa.rules.catalogue import MARKERS
from hansa.rules.codes import AT_MARKERS, DUEL_PAWN, MERCHANT, TRADER
from hansa.rules.income import bank_limit
from hansa.rules.plus import PLUS3, PLUS4, is_idle
from hansa.rules.pool import count, find

__all__ = ["favour", "fee", "green", "income", "pawn", "use", "walk"]


def income(case: Case) -> Reason | None:
    """INCOME-1, -2."""
    t, m = case.s.stock[2 * case.player : 2 * case.player + 2]
    if t + m == 0:
        return Reason("no-stock", "INCOME-2", "Your stock is empty.")
    if int(case.action.traders or 0) > t or int(case.action.merchants or 0) > m:
        text = f"Your stock holds {_counted(t, TRADER)} and {_counted(m, MERCHANT)}."
        return Reason("small-stock", "INCOME-2", text, {"t": t, "m": m})
    if int(case.action.amount or 0) > bank_limit(case.s, case.player):
        return Reason("bank", "INCOME-1", "Your bank does not allow that many pieces.")
    return None


def _counted(number: int, shape: int) -> str:
    """`1 trader`, `2 traders`."""
    return f"{number} {PIECES[shape]}{'' if number == 1 else 's'}"


def _holds(case: Case) -> int:
    """The number of the marker that is named, if it is held unused; else 0."""
    number = 1 + MARKER_NAMES.index(str(case.action.marker))
    return number if find(case.s, AT_MARKERS + 3 * case.player, number) >= 0 else 0


def use(case: Case) -> Reason | None:
    """MARKER-USE, and what the marker itself asks for."""
    name, number = str(case.action.marker), _holds(case)
    if number == 0:
        text = "You have no such unused marker."
        return Reason("no-marker", "MARKER-USE-1", text, {"marker": name})
    if number in {PLUS3, PLUS4} and is_idle(case.s):
        return Reason("closed", "DUEL-PAWN-5", "No more actions are possible this turn.")
    if name == "skill":
        return full_skill(case)
    if name == "swap":
        text = "Two neighbouring houses must hold offices that may change places."
        return Reason("swap", "MARKER-SWAP-4", text)
    if name == "exchange":
        return Reason("exchange", "PROMO-EXCHANGE-1", "Nobody else has such a used marker.")
    if MARKERS[number - 1].laid and case.s.supply[2 * case.player] == 0:
        return Reason("lay-trader", "PROMO-TRIBUTE-1", "It takes a trader from your supply.")
    return Reason("no-effect", "MARKER-USE-6", "Its effect could not change anything now.")


def favour(case: Case) -> Reason | None:
    """FAVOUR-1 to -3."""
    if 1 + FAVOURS.index(str(case.action.tile)) not in case.s.display:
        return Reason("favour-gone", "FAVOUR-1", "This tile is not on display.")
    if case.s.touched:
        text = "A favour is bought before anything else in the turn."
        return Reason("favour-late", "FAVOUR-2", text)
    if count(case.s, AT_MARKERS + 3 * case.player) >= PRICE:
        return None
    return Reason("favour-price", "FAVOUR-3", "A favour costs two unused markers.")


PRICE = 2


def fee(case: Case) -> Reason | None:
    """BORDER-FEE-1."""
    if not case.s.border_fee:
        return Reason("no-fee", "BORDER-FEE-1", "There is no border fee in this game.")
    if case.s.fee:
        return Reason("fee-paid", "BORDER-FEE-1", "The fee is already paid for this turn.")
    if _holds(case):
        return None
    text = "You have no such unused marker."
    return Reason("no-marker", "BORDER-FEE-1", text, {"marker": str(case.action.marker)})


def pawn(case: Case) -> Reason | None:
    """DUEL-PAWN-6."""
    if case.s.duel != DUEL_PAWN:
        return Reason("no-pawn", "DUEL-PAWN-1", "There is no pawn in this game.")
    if case.s.pawn == case.action.province:
        return Reason("pawn-here", "DUEL-PAWN-6", "The pawn stands there already.")
    return None


def walk(case: Case) -> Reason | None:
    """DUEL-PAWN-5."""
    first = pawn(case)
    if first:
        return first
    if case.s.walked:
        return Reason("walked", "DUEL-PAWN-5", "The pawn has already walked this turn.")
    return Reason("walk-far", "DUEL-PAWN-5", "A free walk goes over one or two borders.")


def green(case: Case) -> Reason | None:
    """EAST-17."""
    if not case.b.city_green[case.city]:
        return Reason("not-green", "EAST-17", "This is for green cities only.")
    return from_supply(case, ship=0)
