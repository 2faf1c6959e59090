"""A turn prepared while others decide: tried as if it began now, on what its player can know."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import hansa
from hansa.information import foreseen, scores_seen, shows_hidden
from hansa.rules.turn import begin_turn
from hansa.server import exploring, referee
from hansa.server.errors import TableError
from hansa.server.wire.answers import Why
from hansa.server.wire.prepared import Prepared

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = ["as_if_on_turn", "prepared"]


def as_if_on_turn(game: hansa.Game, seat: str) -> hansa.Game:
    """The position with the turn of `seat` beginning now; where it is on, as it stands.

    Made from that seat's view alone, so nothing hidden can come out (INFO-1 to -11). What another
    has begun and not finished is left out: lifted pieces stand where they stood.

    Raises:
        TableError: `not_allowed` before the first turn, or in the middle of one's own.
    """
    if game.phase == "turn" and game.active == seat:
        return referee.guessed(game, seat)
    view: dict[str, Any] = {**game.view(seat)}
    if view["phase"] == "setup" or game.active == seat:
        raise TableError("not_allowed", "A turn is prepared while others have theirs.")
    calm = {"active": seat, "player": seat, "phase": "turn", "pending": None}
    quiet = hansa.Game.from_view({**view, **calm, "routes": _put_back(view)}, seed=0)
    state = quiet.state.copy()
    begin_turn(state, state.active)
    return hansa.Game(quiet.setup, state)


def _put_back(view: Mapping[str, Any]) -> dict[str, Any]:
    """The routes as they were before a Move that is not finished."""
    routes = dict(view["routes"])
    for post, piece in (view["pending"] or {}).get("touched", ()):
        route, _, place = post.rpartition("/")
        posts = list(routes[route]["posts"])
        posts[int(place) - 1] = piece
        routes[route] = {**routes[route], "posts": posts}
    return routes


def prepared(game: hansa.Game, seat: str, first: int, decisions: Iterable[str]) -> Prepared:
    """How far a line of decisions of `seat` could be played, and what it would bring about.

    It ends where somebody else decides, the turn is over or something hidden is uncovered: what
    could follow depends on that.

    Raises:
        TableError: `malformed_decision` or `not_allowed`.
    """
    start = as_if_on_turn(game, seat)
    after, refused, done = start.copy(), None, False
    for text in decisions:
        action = referee.parse(text)
        refused = Why(allowed=False, message=_ENDS) if done else referee.why(after, text)
        if not refused.allowed:
            break
        uncovers = shows_hidden(action, after.state)
        after.play(action)
        done = uncovers or after.over or after.player != seat or after.turn != start.turn
        refused = None
    line = exploring.shown(start, after, first, seat)
    shown = line.position
    shown.view["players"] = foreseen(shown.view, seat)["players"]
    missions = shown.view["game"]["missions"]
    shown.scores = scores_seen(after.scores(), seat, missions=missions, over=False)
    if done:
        shown.legal = None
    return Prepared(position=shown, entries=line.entries, refused=refused)


_ENDS = "What follows depends on somebody else, or on what is hidden."
