"""Place, Displace, lifting and putting: why not on this post."""

from __future__ import annotations

from hansa.reasons.case import Case, Reason, away, from_supply
from hansa.rules.codes import BITS, ENGLAND, TRADER
from hansa.rules.displace import IN_DISPLACED, IN_NEUTRAL_PUT
from hansa.rules.move import BY_BOOK, BY_MOVE3, IN_MOVE
from hansa.rules.offices import rightmost_owner
from hansa.rules.pieces import is_mine
from hansa.rules.place import fee_for
from hansa.rules.promo import blocks
from hansa.rules.regions import may_enter
from hansa.rules.replacing import IN_REPLACE3
from hansa.rules.tables import REGIONS

__all__ = ["displace", "lift", "place", "put", "take"]


def _ground(case: Case) -> Reason | None:
    """Pawn and countries say where Place and Displace are possible."""
    return away(case) or _permission(case)


def _permission(case: Case) -> Reason | None:
    """BRIT-PERM-2 to -6."""
    b, s = case.b, case.s
    if may_enter(b, s, case.player, case.route):
        return None
    number = b.route_region[case.route]
    region = REGIONS[number]
    givers = [k for k in range(b.n_permissions) if b.permission_regions[k] & BITS[number] != 0]
    cities = [case.board.cities[b.permission_city[k]] for k in givers]
    values = {"region": region, "cities": ", ".join(city.name for city in cities)}
    if any(rightmost_owner(b, s, b.permission_city[k]) == case.player for k in givers):
        text = f"Your permission for {region.title()} is used up for this turn."
        return Reason("permission-used", "BRIT-PERM-2", text, values)
    names = " or ".join(city.name for city in cities)
    text = f"{region.title()} needs a permission: the rightmost office of {names}."
    return Reason("permission", "BRIT-PERM-6", text, values)


def _in_supply(case: Case) -> int:
    return case.s.supply[2 * case.player] + case.s.supply[2 * case.player + 1]


def place(case: Case) -> Reason | None:
    """PLACE-1, -3; PROMO-BLOCK-2."""
    piece = case.s.post[case.post]
    if is_mine(piece, case.player):
        return Reason("own", "PLACE-1", "Your own piece stands there already.")
    if piece:
        return Reason("taken", "DISPLACE-1", "Somebody stands there: choose Displace.")
    first = from_supply(case, case.b.post_ship[case.post]) or _ground(case)
    if first:
        return first
    need = 1 + blocks(case.s, case.route)
    if _in_supply(case) < need:
        text = f"A block lies there: placing takes {need} pieces from your supply."
        return Reason("block", "PROMO-BLOCK-2", text, {"n": need})
    return None


def displace(case: Case) -> Reason | None:
    """DISPLACE-1, -5."""
    piece = case.s.post[case.post]
    if piece == 0:
        return Reason("free", "PLACE-1", "This post is free: choose Place.")
    if is_mine(piece, case.player):
        return Reason("own", "DISPLACE-1", "Your own piece stands there already.")
    supply, need = _in_supply(case), 1 + fee_for(piece)
    if supply < need:
        text = f"Displacing this piece takes {need} pieces from your supply; you have {supply}."
        return Reason("fee", "DISPLACE-5", text, {"n": need, "m": supply})
    return from_supply(case, case.b.post_ship[case.post]) or _ground(case)


def _inside() -> Reason:
    return Reason("inside", "TURN-5", "First finish what is asked now.")


def lift(case: Case) -> Reason | None:
    """MOVE-1, -4, -7."""
    s, piece = case.s, case.s.post[case.post]
    if piece == 0:
        return Reason("empty", "MOVE-1", "No piece stands there.")
    own = is_mine(piece, case.player)
    kind = s.frame_kind[s.depth - 1] if s.depth else 0
    mode = s.frame_by[s.depth - 1] if kind == IN_MOVE else None
    if (s.depth == 0 or mode == BY_BOOK) and not own:
        return Reason("not-own", "MOVE-4", "Move lifts your own pieces only.")
    if (mode == BY_MOVE3 or kind == IN_REPLACE3) and own:
        return Reason("own-piece", "MARKER-MOVE3-1", "This marker moves pieces of other players.")
    if s.depth == 0:
        return Reason("nowhere", "MOVE-7", "There is no post this piece could go to.")
    return _inside()


def put(case: Case) -> Reason | None:
    """DISPLACE-11, MOVE-6, BRIT-MOVE-1."""
    s = case.s
    if s.post[case.post] != 0:
        return Reason("occupied", "MOVE-1", "The post is not free.")
    kind = s.frame_kind[s.depth - 1] if s.depth else 0
    if case.b.post_ship[case.post] and case.shape == TRADER and kind != IN_NEUTRAL_PUT:
        return Reason("ship-shape", "PLACE-3", "A ship takes merchants only.")
    if kind in {IN_DISPLACED, IN_NEUTRAL_PUT}:
        text = "Displaced pieces go to the nearest routes with a fitting free post."
        return Reason("too-far", "DISPLACE-11", text)
    if s.n_hand and case.b.post_region[case.post] != ENGLAND:
        return Reason("border", "BRIT-MOVE-1", "The piece cannot go there over the border.")
    return None


def take(case: Case) -> Reason | None:
    """MARKER-REMOVE-1."""
    if case.action.post is not None and case.s.post[case.post] == 0:
        return Reason("empty", "MARKER-REMOVE-1", "No piece stands there.")
    return None
