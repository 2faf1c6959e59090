"""Income, markers, favours, the pawn: why not."""

from __future__ import annotations

from hansa.reasons.case import Case, Reason, from_supply, is_full

__all__ = ["favour", "fee", "green", "income", "pawn", "use", "walk"]


def income(case: Case, words: list[str]) -> Reason | None:
    """INCOME-1, -2."""
    if sum(case.stock.values()) == 0:
        return Reason("no-stock", "INCOME-2", "Your stock is empty.")
    if int(words[0]) > case.stock["t"] or int(words[1]) > case.stock["m"]:
        t, m = case.stock["t"], case.stock["m"]
        text = f"Your stock holds {t} traders and {m} merchants."
        return Reason("small-stock", "INCOME-2", text, {"t": t, "m": m})
    return Reason("bank", "INCOME-1", "Your bank does not allow so many pieces.")


def use(case: Case, words: list[str]) -> Reason | None:
    """MARKER-USE, and what the marker itself asks for."""
    marker, p = words[0], case.position
    if marker not in case.me["markers"]:
        return Reason(
            "no-marker", "MARKER-USE-1", "You have no such unused marker.", {"marker": marker}
        )
    if marker in {"plus3", "plus4"} and {"bought", "closed"} & set(p["flags"]):
        return Reason("closed", "DUEL-PAWN-5", "No action follows in this turn.")
    if marker == "skill":
        return is_full(case, words[1])
    if marker == "swap":
        return Reason(
            "swap",
            "MARKER-SWAP-4",
            "Two neighbouring houses must hold offices that may change places.",
        )
    if marker == "exchange":
        return Reason("exchange", "PROMO-EXCHANGE-1", "Nobody else has such a used marker.")
    if marker in {"tribute", "block"} and case.me["supply"]["t"] == 0:
        return Reason("lay-trader", "PROMO-TRIBUTE-1", "It takes a trader from your supply.")
    return Reason("no-effect", "MARKER-USE-6", "Its effect could not change anything now.")


def favour(case: Case, words: list[str]) -> Reason | None:
    """FAVOUR-1 to -3."""
    if words[0] not in case.position["favours"]:
        return Reason("favour-gone", "FAVOUR-1", "This tile is not on display.")
    if "touched" in case.position["flags"]:
        return Reason(
            "favour-late", "FAVOUR-2", "A favour is bought before anything else in the turn."
        )
    return Reason("favour-price", "FAVOUR-3", "A favour costs two unused markers.")


def fee(case: Case, words: list[str]) -> Reason | None:
    """BORDER-FEE-1."""
    if not case.position["game"]["border_fee"]:
        return Reason("no-fee", "BORDER-FEE-1", "There is no border fee in this game.")
    if "fee" in case.position["flags"]:
        return Reason("fee-paid", "BORDER-FEE-1", "The fee is paid for this turn.")
    return Reason(
        "no-marker", "BORDER-FEE-1", "You have no such unused marker.", {"marker": words[0]}
    )


def pawn(case: Case, words: list[str]) -> Reason | None:
    """DUEL-PAWN-6."""
    if case.position["game"]["duel"] != "pawn":
        return Reason("no-pawn", "DUEL-PAWN-1", "There is no pawn in this game.")
    if str(case.position["pawn"]) == words[0]:
        return Reason("pawn-here", "DUEL-PAWN-6", "The pawn stands there already.")
    return None


def walk(case: Case, words: list[str]) -> Reason | None:
    """DUEL-PAWN-5."""
    first = pawn(case, words)
    if first:
        return first
    if "walked" in case.position["flags"]:
        return Reason("walked", "DUEL-PAWN-5", "The pawn has walked this turn.")
    return Reason("walk-far", "DUEL-PAWN-5", "A free walk goes over one or two borders.")


def green(case: Case, words: list[str]) -> Reason | None:
    """EAST-17."""
    if not case.board.city(words[0]).green:
        return Reason("not-green", "EAST-17", "This is for green cities only.")
    return from_supply(case, words[1], ship=False)
