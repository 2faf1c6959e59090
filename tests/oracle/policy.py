"""A player for tests: random, but he finishes routes, uses markers and ends his turns."""

import random

from tests.oracle.boards import Pos, board_of, is_ship, split_post

WEIGHTS = {
    "income": 0.2,
    "place": 8.0,
    "displace": 0.6,
    "lift": 0.3,
    "put": 4.0,
    "establish": 100.0,
    "pawn": 0.3,
    "walk": 1.0,
    "use": 3.0,
    "favour": 8.0,
    "fee": 1.0,
    "take": 1.0,
    "green": 2.0,
    "spend": 1.0,
    "neutral": 1.0,
    "lay": 1.0,
    "pay": 1.0,
    "done": 1.0,
}


def promise(pos: Pos, route: str, player: str) -> float:
    """How near a route is to being all the player's own."""
    posts = pos["routes"][route]["posts"]
    own = sum(piece is not None and piece.startswith(player) for piece in posts)
    others = sum(piece is not None for piece in posts) - own
    wanted = 1 + 3 * (pos["routes"][route]["marker"] is not None)
    return float(wanted * (1 + own) ** 4 / (1 + 6 * others))


def weight(pos: Pos, text: str) -> float:
    """How likely a text is among those that begin with the same word."""
    match text.split():
        case ["establish", route, choice, *_]:
            permanent = "permanent" in board_of(pos)["routes"][route]
            return (20.0 if permanent else 1.0) * (0.05 if choice == "none" else 1.0)
        case ["displace", _, post]:
            route = split_post(post)[0]
            free = int(pos["routes"][route]["posts"].count(None))
            return promise(pos, route, pos["player"]) * (1 + 4 * free)
        case ["use", "skill", "actions"]:
            return 5.0
        case ["place" | "put", _, post]:
            return promise(pos, split_post(post)[0], pos["player"])
        case ["lift", post]:
            ship = is_ship(board_of(pos), post)
            return (8 if ship else 1) / promise(pos, split_post(post)[0], pos["player"])
        case ["income", t, m]:
            return float(int(t) + 2 * int(m)) ** 2
        case ["use", "tribute" | "block", _]:
            return 0.05
    return 1.0


def share(pos: Pos, verb: str) -> float:
    """How likely the player is to say this word."""
    supply = sum(pos["players"][pos["active"]]["supply"].values())
    if verb == "end":
        return 0.1 if pos["actions_left"] else 20.0
    if verb == "income" and supply < 3:
        return 12.0
    if verb == "lift" and supply < 2:
        return 2.0
    if verb == "pawn" and pos["pawn"] is not None:
        return 1.5 if supply else 0.2
    return WEIGHTS[verb]


def choose(pos: Pos, texts: set[str], rng: random.Random, *, wild: bool = False) -> str:
    """One of the texts: by the shares above, or wildly, each kind of decision as likely as others."""
    ordered = sorted(texts)
    if rng.random() < 0.04:
        return rng.choice(ordered)
    kinds: dict[str, list[str]] = {}
    for text in ordered:
        words = text.split()
        kind = " ".join(words[:2]) if wild and words[0] == "use" else words[0]
        kinds.setdefault(kind, []).append(text)
    shares = (
        [{"end": 0.1, "lift": 2.0}.get(kind, 1.0) for kind in kinds]
        if wild
        else [share(pos, kind) for kind in kinds]
    )
    group = kinds[rng.choices(list(kinds), weights=shares)[0]]
    return rng.choices(group, weights=[weight(pos, text) for text in group])[0]
