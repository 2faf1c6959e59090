"""Why a decision is not legal now: the rule it would break, in words a player understands."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from hansa.action import Action
from hansa.game import Game
from hansa.names import PLAYERS
from hansa.reasons import others, posts, routes
from hansa.reasons.case import Case, Reason
from hansa.rules.catalogue import DECISIONS
from hansa.rules.declare import ACTION

__all__ = ["Reason", "why_not"]


def _never(case: Case) -> Reason | None:  # noqa: ARG001  # as all readers
    """Nothing is in its way but that it is not asked for now."""
    return None


READERS: Mapping[str, Callable[[Case], Reason | None]] = {
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
    **dict.fromkeys(("done", "end", "pay", "spend", "neutral"), _never),
}
"""Who knows the reasons of each verb; a test asks for every one there is."""
_VERBS = {decision: decision.text.partition(" ")[0] for decision in DECISIONS}
ACTIONS = frozenset(verb for decision, verb in _VERBS.items() if decision.costs == ACTION)
"""Verbs that cost an action."""
INSIDE = frozenset(verb for decision, verb in _VERBS.items() if decision.legal is None)
"""Verbs that are also said inside something."""
OF_THE_TURN = frozenset(verb for decision, verb in _VERBS.items() if decision.legal is not None)


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
    case = Case(game, action)
    if not _is_here(case):
        return Reason("elsewhere", "GEO-1", "That place is not on this board.")
    found = _too_soon(case) or _spent(case) or READERS[action.verb](case)
    return found or Reason("other", "TURN-7", "That is not possible now.")


def _is_here(case: Case) -> bool:
    """Whether every place named lies on this board, every player sits at this table."""
    action, setup = case.action, case.game.setup
    named = (
        (action.post, setup.post_numbers),
        (action.route, setup.route_numbers),
        (action.city, setup.city_numbers),
        (action.player, PLAYERS[: setup.players]),
    )
    return all(name is None or name in known for name, known in named)


def _too_soon(case: Case) -> Reason | None:
    """Inside something nothing else is possible (TURN-5, TURN-9)."""
    if case.s.depth == 0 or case.action.verb not in OF_THE_TURN - INSIDE - {"lift", "pawn"}:
        return None
    return Reason("inside", "TURN-5", "First finish what is asked now.")


def _spent(case: Case) -> Reason | None:
    """No action left, and why (TURN-3, FAVOUR-3, DUEL-PAWN-5)."""
    s = case.s
    if s.depth > 0 or case.action.verb not in ACTIONS or s.actions_left > 0:
        return None
    if s.bought:
        return Reason("bought", "FAVOUR-3", "You gave up this turn's actions for a favour.")
    if s.closed:
        return Reason("closed", "DUEL-PAWN-5", "No more actions after the pawn's walk.")
    return Reason("no-actions", "TURN-3", "No action is left this turn.")
