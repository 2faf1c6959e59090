"""Place, Displace, lifting and putting: why not on this post."""

from __future__ import annotations

from hansa.reasons.case import Case, Reason, from_supply, is_away

__all__ = ["displace", "lift", "place", "put", "take"]


def _on_post(post: str, case: Case) -> tuple[str, str | None, bool]:
    """Route, piece and whether it is a ship."""
    route, _, k = post.rpartition("/")
    index = int(k) - 1
    return route, case.posts(route)[index], case.board.route(route).posts[index].ship


def _ground(case: Case, route: str) -> Reason | None:
    """Pawn and countries say where Place and Displace are possible."""
    place, flags = case.board.route(route), case.position["flags"]
    away = is_away(case, route)
    if away:
        return away
    if place.region in {"wales", "scotland"} and "fee" not in flags:
        return _permission(case, place.region)
    return None


def _permission(case: Case, region: str) -> Reason | None:
    """BRIT-PERM-2 to -6."""
    used = case.position["permissions_used"]
    givers = [city for city, regions in case.board.permissions if region in regions]
    mine = [city for city in givers if _rightmost(case, city) == case.player]
    if any(city not in used for city in mine):
        return None
    names = [case.board.city(city).name for city in givers]
    values = {"region": region, "cities": ", ".join(names)}
    if mine:
        text = f"Your permission for {region.title()} is used up for this turn."
        return Reason("permission-used", "BRIT-PERM-2", text, values)
    text = f"{region.title()} needs a permission: the rightmost office of {' or '.join(names)}."
    return Reason("permission", "BRIT-PERM-6", text, values)


def _rightmost(case: Case, city: str) -> str | None:
    offices = [piece for piece in case.position["cities"][city]["offices"] if piece]
    extra = case.position["cities"][city]["extra"]
    last = (offices or extra[-1:])[-1:]
    return str(last[0]).split(":")[0] if last else None


def place(case: Case, words: list[str]) -> Reason | None:
    """PLACE-1, -3; PROMO-BLOCK-2."""
    shape, post = words
    route, held, ship = _on_post(post, case)
    if held and held.startswith(f"{case.player}:"):
        return Reason("own", "PLACE-1", "Your own piece stands there already.")
    if held:
        return Reason("taken", "DISPLACE-1", "Somebody stands there: choose Displace.")
    first = from_supply(case, shape, ship) or _ground(case, route)
    if first:
        return first
    blocks = sum(laid.endswith(":block") for laid in case.position["routes"][route]["laid"])
    need = 1 + blocks
    if sum(case.me["supply"].values()) < need:
        text = f"A block lies there: placing takes {need} pieces from your supply."
        return Reason("block", "PROMO-BLOCK-2", text, {"n": need})
    return None


def displace(case: Case, words: list[str]) -> Reason | None:
    """DISPLACE-1, -5."""
    shape, post = words
    route, held, ship = _on_post(post, case)
    if held is None:
        return Reason("free", "PLACE-1", "This post is free: choose Place.")
    if held.startswith(f"{case.player}:"):
        return Reason("own", "DISPLACE-1", "Your own piece stands there already.")
    supply, need = sum(case.me["supply"].values()), 3 if held.endswith(":m") else 2
    if supply < need:
        text = f"Displacing this piece takes {need} pieces from your supply; you have {supply}."
        return Reason("fee", "DISPLACE-5", text, {"n": need, "m": supply})
    return from_supply(case, shape, ship) or _ground(case, route)


def lift(case: Case, words: list[str]) -> Reason | None:
    """MOVE-1, -4, -7."""
    _, held, _ = _on_post(words[0], case)
    if held is None:
        return Reason("empty", "MOVE-1", "No piece stands there.")
    phase, own = case.position["phase"], held.startswith(f"{case.player}:")
    if phase in {"turn", "move"} and not own:
        return Reason("not-own", "MOVE-4", "Move lifts your own pieces only.")
    if phase in {"move3", "replace3"} and own:
        return Reason("own-piece", "MARKER-MOVE3-1", "This marker moves pieces of other players.")
    if phase == "turn":
        return Reason("nowhere", "MOVE-7", "There is no post this piece could go to.")
    return Reason("inside", "TURN-5", "First finish what is asked now.")


def put(case: Case, words: list[str]) -> Reason | None:
    """DISPLACE-11, MOVE-6, BRIT-MOVE-1."""
    shape, post = words
    route, held, ship = _on_post(post, case)
    if held is not None:
        return Reason("occupied", "MOVE-1", "The post is not free.")
    if ship and shape == "t" and case.position["phase"] != "neutral-put":
        return Reason("ship-shape", "PLACE-3", "A ship takes merchants only.")
    if case.position["phase"] in {"displaced", "neutral-put"}:
        return Reason(
            "too-far",
            "DISPLACE-11",
            "Displaced pieces go to the nearest routes with a fitting free post.",
        )
    if case.board.route(route).region is not None:
        return Reason("border", "BRIT-MOVE-1", "The piece cannot go there over the border.")
    return None


def take(case: Case, words: list[str]) -> Reason | None:
    """MARKER-REMOVE-1."""
    if "/" in words[0] and _on_post(words[0], case)[1] is None:
        return Reason("empty", "MARKER-REMOVE-1", "No piece stands there.")
    return None
