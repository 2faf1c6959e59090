"""What each reason claims, looked up in the position as data: a second opinion on the rules."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import hansa
from hansa.reasons import Reason

COLOURS = ("white", "orange", "pink", "black")
TRACKS = {"keys": 4, "actions": 5, "privilege": 3, "book": 3, "bank": 3}
BANK = (3, 5, 7, 31)


@dataclass
class Claim:
    """A decision that is refused, where, and what was said about it."""

    game: hansa.Game
    action: hansa.Action
    reason: Reason

    def __post_init__(self) -> None:
        self.position: Any = self.game.to_dict()
        self.me: Any = self.position["players"][self.game.player]
        self.supply: Any = self.me["supply"]
        self.flags = self.position["flags"]

    @property
    def held(self) -> str | None:
        """The piece on the post that is named."""
        route, _, k = str(self.action.post).rpartition("/")
        found: str | None = self.position["routes"][route]["posts"][int(k) - 1]
        return found

    @property
    def own(self) -> bool:
        return bool(self.held and self.held.startswith(f"{self.game.player}:"))

    @property
    def route(self) -> dict[str, Any]:
        found: dict[str, Any] = self.position["routes"][self.action.route]
        return found

    @property
    def printed(self) -> Any:
        return self.game.board.route(str(self.action.route))

    @property
    def ship(self) -> bool:
        return bool(self.printed.posts[int(str(self.action.post).rpartition("/")[2]) - 1].ship)

    @property
    def shapes(self) -> set[str]:
        return {piece.split(":")[1] for piece in self.route["posts"] if piece}

    @property
    def offices(self) -> list[str | None]:
        found: list[str | None] = self.position["cities"][self.action.city]["offices"]
        return found

    @property
    def next_house(self) -> Any:
        taken = sum(piece is not None for piece in self.offices)
        return self.game.board.city(str(self.action.city)).houses[taken]

    @property
    def privilege(self) -> int:
        return int(self.me["skills"]["privilege"])

    def rightmost(self, city: str) -> str | None:
        entry = self.position["cities"][city]
        row = [p for p in entry["offices"] if p] or entry["extra"][-1:]
        return row[-1].split(":")[0] if row else None

    def permissions(self) -> list[str]:
        """Cities that would permit what is asked, if one had them."""
        region = self.printed.region
        return [city for city, regions in self.game.board.permissions if region in regions]

    def around_pawn(self) -> bool:
        here = [p for p in self.game.board.provinces if p.id == self.position["pawn"]]
        return not here or self.action.route in here[0].routes


def _values(claim: Claim, **wanted: Any) -> bool:
    return all(claim.reason.values[name] == value for name, value in wanted.items())


def _own_posts(claim: Claim) -> int:
    return sum(str(p).startswith(f"{claim.game.player}:") for p in claim.route["posts"])


def _price(claim: Claim) -> int:
    """What it takes to displace the piece there, one's own included."""
    return 3 if str(claim.held).endswith(":m") else 2


def _blocks(claim: Claim) -> int:
    return sum(laid.endswith(":block") for laid in claim.route["laid"])


def _mine_permits(claim: Claim) -> list[str]:
    return [c for c in claim.permissions() if claim.rightmost(c) == claim.game.player]


def _is_known(claim: Claim) -> bool:
    """Whether all that is named is here."""
    board, action = claim.game.board, claim.action
    posts = {post.id for route in board.routes for post in route.posts}
    routes, cities = {r.id for r in board.routes}, {c.id for c in board.cities}
    named = ((action.post, posts), (action.route, routes), (action.city, cities))
    return all(n is None or n in k for n, k in named) and (
        action.player is None or action.player in claim.position["players"]
    )


TRUTHS: dict[str, Callable[[Claim], bool]] = {
    "over": lambda c: c.position["over"],
    "other": lambda c: True,  # it claims nothing
    "elsewhere": lambda c: not _is_known(c),
    "inside": lambda c: c.position["phase"] != "turn",
    "no-actions": lambda c: c.position["actions_left"] == 0 and c.position["phase"] == "turn",
    "bought": lambda c: "bought" in c.flags and c.position["actions_left"] == 0,
    "closed": lambda c: bool({"closed", "bought"} & set(c.flags)),
    "own": lambda c: c.own,
    "taken": lambda c: c.held is not None and not c.own,
    "free": lambda c: c.held is None,
    "occupied": lambda c: c.held is not None,
    "empty": lambda c: c.held is None,
    "fee": lambda c: (
        _values(c, n=_price(c), m=sum(c.supply.values())) and sum(c.supply.values()) < _price(c)
    ),
    "no-supply": lambda c: sum(c.supply.values()) == 0,
    "no-shape": lambda c: c.supply[c.action.shape] == 0 and _values(c, shape=c.action.shape),
    "ship": lambda c: c.ship and c.supply["m"] == 0,
    "ship-shape": lambda c: c.ship and c.action.shape == "t",
    "block": lambda c: _values(c, n=1 + _blocks(c)) and sum(c.supply.values()) < 1 + _blocks(c),
    "pawn": lambda c: c.position["game"]["duel"] == "pawn" and not c.around_pawn(),
    "permission": lambda c: (
        c.printed.region in {"wales", "scotland"} and "fee" not in c.flags and not _mine_permits(c)
    ),
    "permission-used": lambda c: (
        bool(_mine_permits(c)) and set(_mine_permits(c)) <= set(c.position["permissions_used"])
    ),
    "not-own": lambda c: c.held is not None and not c.own,
    "own-piece": lambda c: c.own and c.position["phase"] in {"move3", "replace3"},
    "nowhere": lambda c: c.own and f"lift {c.action.post}" not in c.game.legal_actions(),
    "too-far": lambda c: c.held is None and c.position["phase"] == "displaced",
    "border": lambda c: c.printed.region in {"wales", "scotland"},
    "route": lambda c: (
        _values(c, n=_own_posts(c), m=len(c.route["posts"]))
        and _own_posts(c) < len(c.route["posts"])
    ),
    "green": lambda c: c.game.board.city(str(c.action.city)).green,
    "complete": lambda c: None not in c.offices,
    "privilege": lambda c: (
        COLOURS.index(c.next_house.privilege) > c.privilege
        and _values(c, colour=c.next_house.privilege, reach=COLOURS[c.privilege])
    ),
    "house-shape": lambda c: c.next_house.shape[0] not in c.shapes,
    "no-marker": lambda c: c.reason.values["marker"] not in c.me["markers"],
    "no-office": lambda c: not any(c.offices),
    "route-shape": lambda c: c.action.shape not in c.shapes,
    "no-skill": lambda c: all(
        c.action.skill not in c.game.board.city(end).skills for end in c.printed.cities
    ),
    "skill-full": lambda c: c.me["skills"][c.action.skill] == TRACKS[str(c.action.skill)],
    "no-prestige": lambda c: c.game.board.prestige_city not in c.printed.cities,
    "prestige-taken": lambda c: c.position["prestige"][str(c.action.prestige)] is not None,
    "prestige-shape": lambda c: "m" not in c.shapes,
    "prestige-privilege": lambda c: [7, 8, 9, 11].index(int(c.action.prestige or 0)) > c.privilege,
    "never": lambda c: bool(c.printed.permanent) or c.printed.region in {"wales", "scotland"},
    "has-marker": lambda c: c.route["marker"] is not None,
    "has-pieces": lambda c: any(c.route["posts"]),
    "no-house": lambda c: all(
        None not in c.position["cities"][end]["offices"] for end in c.printed.cities
    ),
    "no-stock": lambda c: sum(c.game.stock(c.game.player).values()) == 0,
    "small-stock": lambda c: (
        _values(c, **c.game.stock(c.game.player))
        and (
            int(c.action.traders or 0) > c.game.stock(c.game.player)["t"]
            or int(c.action.merchants or 0) > c.game.stock(c.game.player)["m"]
        )
    ),
    "bank": lambda c: int(c.action.amount or 0) > BANK[c.me["skills"]["bank"]],
    "swap": lambda c: "swap" in c.me["markers"],
    "exchange": lambda c: (
        c.action.takes == "exchange"
        or c.action.player == c.game.player
        or c.action.takes not in c.position["players"][c.action.player]["used"]
    ),
    "lay-trader": lambda c: c.supply["t"] == 0 and c.action.marker in c.me["markers"],
    "no-effect": lambda c: c.action.marker in c.me["markers"],
    "favour-gone": lambda c: c.action.tile not in c.position["favours"],
    "favour-late": lambda c: "touched" in c.flags,
    "favour-price": lambda c: len(c.me["markers"]) < 2,
    "no-fee": lambda c: not c.position["game"]["border_fee"],
    "fee-paid": lambda c: "fee" in c.flags,
    "no-pawn": lambda c: c.position["game"]["duel"] != "pawn",
    "pawn-here": lambda c: c.position["pawn"] == c.action.province,
    "walked": lambda c: "walked" in c.flags,
    "walk-far": lambda c: c.position["pawn"] is not None and _hops(c) > 2,
    "not-green": lambda c: not c.game.board.city(str(c.action.city)).green,
}


def _hops(claim: Claim) -> int:
    """Borders between the pawn and the province that is named."""
    near = {province.id: province.neighbours for province in claim.game.board.provinces}
    reached, hops = {claim.position["pawn"]}, 0
    while claim.action.province not in reached:
        reached |= {other for one in reached for other in near[one]}
        hops += 1
    return hops


def is_true(game: hansa.Game, action: hansa.Action, reason: Reason) -> bool:
    """Whether the position is as the reason says."""
    return bool(TRUTHS[reason.code](Claim(game, action, reason)))
