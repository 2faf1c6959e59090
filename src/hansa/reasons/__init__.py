"""Why a decision is not legal now: the rule it would break, in words a player understands."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache

from hansa.action import Action
from hansa.boards import BOARD_IDS, Board
from hansa.game import Game
from hansa.reasons import others, posts, routes
from hansa.reasons.case import Case, Reason

__all__ = ["Reason", "why_not"]

ACTIONS = frozenset({"income", "place", "displace", "lift", "establish", "pawn"})
READERS: Mapping[str, Callable[[Case, list[str]], Reason | None]] = {
    "place": posts.place,
    "displace": posts.displace,
    "lift": posts.lift,
    "put": posts.put,
    "take": posts.take,
    "establish": routes.establish,
    "lay": routes.lay,
    "income": others.income,
    "use": others.use,
    "favour": others.favour,
    "fee": others.fee,
    "pawn": others.pawn,
    "walk": others.walk,
    "green": others.green,
}


def why_not(game: Game, decision: Action | str) -> Reason | None:
    """The reason why `decision` is not legal now; None if it is. Raises MalformedAction.

    It looks only at what everybody may know, and at what the deciding player has himself.

    >>> game = hansa.Game.new(board="hansa", players=3, seed=7)
    >>> hansa.reasons.why_not(game, "establish groningen-emden none").message
    'On Groningen–Emden 0 of 3 posts are yours; all must be.'
    >>> hansa.reasons.why_not(game, "income 1 0") is None
    True
    """
    action = decision if isinstance(decision, Action) else Action(decision)
    if action in game.legal_actions():
        return None
    if game.over:
        return Reason("over", "END-1", "The game is over.")
    case = Case(game.board, game.to_dict(), game.player, game.stock(game.player))
    verb, *words = action.text.split()
    if not _is_known(case, words):
        return _elsewhere()
    early = _too_soon(case, verb) or _spent(case, verb)
    if early:
        return early
    found = READERS[verb](case, words) if verb in READERS else None
    return found or Reason("other", "TURN-7", "That is not possible now.")


def _elsewhere() -> Reason:
    return Reason("elsewhere", "GEO-1", "That place is not on this board.")


def _is_known(case: Case, words: list[str]) -> bool:
    """Whether every place named lies on this board, every player sits at this table."""
    here = {post for route in case.board.routes for post in _post_ids(route.id, len(route.posts))}
    cities = {city.id for city in case.board.cities}
    lanes = {route.id for route in case.board.routes}
    for word in words:
        if "/" in word and word not in here:
            return False
        if word in _all_places() and word not in cities | lanes:
            return False
        if word in {"p1", "p2", "p3", "p4", "p5"} and word not in case.position["players"]:
            return False
    return True


def _post_ids(route: str, count: int) -> list[str]:
    return [f"{route}/{k + 1}" for k in range(count)]


@cache
def _all_places() -> frozenset[str]:
    boards = [Board.load(name) for name in BOARD_IDS]
    cities = {city.id for board in boards for city in board.cities}
    return frozenset(cities | {route.id for board in boards for route in board.routes})


def _too_soon(case: Case, verb: str) -> Reason | None:
    """Inside something nothing else is possible (TURN-5, TURN-9)."""
    inside = case.position["phase"] != "turn"
    turned = verb in ACTIONS - {"lift", "pawn"} or verb in {"use", "favour", "fee", "walk", "end"}
    if inside and turned:
        return Reason("inside", "TURN-5", "First finish what is asked now.")
    return None


def _spent(case: Case, verb: str) -> Reason | None:
    """No action left, and why (TURN-3, FAVOUR-3, DUEL-PAWN-5)."""
    p = case.position
    if p["phase"] != "turn" or verb not in ACTIONS or p["actions_left"] > 0:
        return None
    if "bought" in p["flags"]:
        return Reason("bought", "FAVOUR-3", "You gave up this turn's actions for a favour.")
    if "closed" in p["flags"]:
        return Reason("closed", "DUEL-PAWN-5", "After the pawn's walk no action follows.")
    return Reason("no-actions", "TURN-3", "No action is left this turn.")
