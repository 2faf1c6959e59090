"""Set-ups to play, and their opening positions laid out by the rules (SETUP)."""

import random
from collections.abc import Iterator
from typing import Any

from tests.oracle.boards import Pos, board_of, ends, first_ordinary_post, special_cities
from tests.oracle.pieces import TRACKS

Setup = dict[str, Any]

FAVOURS = ["anywhere", "action", "income", "double", "city", "skill"]
PROMOS = ["exchange", "exchange", "tribute", "tribute", "block", "block"]
MIX = {
    "classic": {"extra-office": 5, "swap": 2, "plus3": 2, "plus4": 2, "skill": 3, "remove3": 2},
    "bigbox": {"extra-office": 4, "swap": 3, "plus3": 2, "plus4": 2, "skill": 2, "move3": 2},
}
MISSIONS = [
    ["osnabrueck", "stendal", "paderborn"],
    ["dortmund", "minden", "lueneburg"],
    ["minden", "perleberg", "goslar"],
    ["arnheim", "perleberg", "hannover"],
    ["dortmund", "stendal", "kampen"],
    ["arnheim", "osnabrueck", "hildesheim"],
    ["arnheim", "perleberg", "bremen"],
    ["minden", "osnabrueck", "magdeburg"],
    ["dortmund", "stendal", "muenster"],
]


def setup(board: str, players: int, edition: str, **modules: Any) -> Setup:
    """A set-up with the values the public face gives to what is left out."""
    duel = None if players > 2 else "pawn" if board == "hansa" else "neutral"
    return {
        "board": board,
        "players": players,
        "edition": edition,
        "seed": 0,
        "missions": False,
        "favours": False,
        "promos": [],
        "duel": duel,
        "border_fee": False,
    } | modules


def spread() -> Iterator[Setup]:
    """Every board, number of players and edition, each with a choice of the modules it allows."""
    for board in ("hansa", "east", "britannia"):
        for players in (2, 3, 4, 5):
            for edition in ("classic", "bigbox"):
                promos = list(PROMOS) if edition == "bigbox" else []
                yield setup(board, players, edition)
                if board == "hansa":
                    yield setup(board, players, edition, missions=True, favours=True, promos=promos)
                elif board == "britannia":
                    yield setup(board, players, edition, border_fee=True, promos=promos)
                elif promos:
                    yield setup(board, players, edition, promos=promos)
                if board == "hansa" and players == 2:
                    yield setup(
                        board, players, edition, duel="neutral", favours=True, promos=promos
                    )


def name(game: Setup) -> str:
    """A short name for tests and reports."""
    extras = [key for key in ("missions", "favours", "promos", "border_fee") if game[key]]
    return "-".join(
        [
            game["board"],
            str(game["players"]),
            game["edition"],
            *extras,
            *([game["duel"]] if game["duel"] else []),
        ]
    )


def marker_names(game: Setup) -> list[str]:
    """COMP-2 and -3; on Britannia `remove3` is used, and called, `replace3`."""
    mix = [kind for kind, count in MIX[game["edition"]].items() for _ in range(count)]
    return [third_marker(game) if kind in {"remove3", "move3"} else kind for kind in mix]


def third_marker(game: Setup) -> str:
    if game["edition"] == "bigbox":
        return "move3"
    return "replace3" if game["board"] == "britannia" else "remove3"


def fresh(game: Setup, rng: random.Random) -> Pos:
    """The opening position, drawn with `rng`."""
    players = [f"p{seat}" for seat in range(1, game["players"] + 1)]
    pos: Pos = {
        "game": dict(game),
        "turn": 1,
        "active": "p1",
        "player": "p2" if game["duel"] == "pawn" else "p1",
        "phase": "setup" if game["duel"] == "pawn" else "turn",
        "actions_left": 2,
        "acted": False,
        "flags": [],
        "permissions_used": [],
        "players": {player: fresh_player(seat) for seat, player in enumerate(players)},
        "neutral": {"points": 0} if game["duel"] == "neutral" else None,
        "routes": {},
        "cities": {},
        "prestige": {"7": None, "8": None, "9": None, "11": None},
        "east_west": [],
        "pawn": None,
        "favours": rng.sample(FAVOURS, len(players)) if game["favours"] else [],
        "supply": [],
        "discarded": [],
        "over": False,
        "end_reason": None,
        "pending": None,
    }
    lay_out(pos, rng)
    if game["missions"]:
        for player, card in zip(players, rng.sample(MISSIONS, len(players)), strict=True):
            pos["players"][player]["mission"] = list(card)
    return pos


def fresh_player(seat: int) -> Pos:
    """SETUP-7 to -10."""
    return {
        "points": 0,
        "supply": {"t": 5 + seat, "m": 1},
        "skills": dict.fromkeys(TRACKS, 0),
        "markers": [],
        "used": [],
        "plate": [],
        "favours": [],
        "mission": None,
    }


def lay_out(pos: Pos, rng: random.Random) -> None:
    """SETUP-2 to -5, PROMO-1, NEUTRAL-1 and -2."""
    board, game = board_of(pos), pos["game"]
    start = ["extra-office", "swap", third_marker(game)]
    pos["supply"] = marker_names(game)
    for marker in start:
        pos["supply"].remove(marker)
    rng.shuffle(pos["supply"])
    for place, promo in zip(
        rng.sample(range(len(pos["supply"])), len(game["promos"])), game["promos"], strict=True
    ):
        pos["supply"][place] = promo
    rng.shuffle(start)
    for route, data in board["routes"].items():
        tavern = data.get("tavern", False)
        pos["routes"][route] = {
            "posts": [None] * len(data["posts"]),
            "marker": start.pop() if tavern else None,
            "laid": [],
        }
        special = bool(special_cities(board) & set(ends(board, route)))
        if game["duel"] == "neutral" and (tavern or special):
            index = int(first_ordinary_post(board, route).rsplit("/", 1)[1]) - 1
            pos["routes"][route]["posts"][index] = "n:t"
    for city, data in board["cities"].items():
        pos["cities"][city] = {"offices": [None] * len(data["houses"]), "extra": []}
