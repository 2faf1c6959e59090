"""The game as the table uses it: made from a set-up, played on a copy, shown to one seat."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, cast

import msgspec

import hansa
from hansa import reasons
from hansa.boards import BOARD_IDS, files
from hansa.information import foreseen, scores_seen
from hansa.server.errors import TableError
from hansa.server.wire.answers import Preview, Why
from hansa.server.wire.positions import Pieces, Position, UndoFace, View
from hansa.setup import Setup

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hansa.events import Event
    from hansa.server.model import Entry, Meta
    from hansa.server.wire.events import GameEvent

__all__ = [
    "RULES",
    "Reckoning",
    "board_file",
    "check_setup",
    "first_position",
    "guessed",
    "legal",
    "new_seed",
    "parse",
    "played",
    "points_after",
    "position",
    "prepare",
    "preview",
    "replayed",
    "start",
    "told",
    "turn",
    "why",
]

#: The behaviour of the rules; stored with every game.
RULES = str(hansa.RULES_VERSION)

#: A seed that nobody finds by trying, and that a browser's numbers still hold exactly.
_SEEDS = 2**53


def new_seed() -> int:
    """The secret that decides all that is hidden."""
    return secrets.randbelow(_SEEDS)


def check_setup(setup: dict[str, Any]) -> dict[str, Any]:
    """The set-up with everything resolved and a seed.

    Raises:
        TableError: `invalid_setup` with the engine's own sentence.
    """
    seed = new_seed() if setup.get("seed") is None else setup["seed"]
    try:
        return {**Setup.from_dict({**setup, "seed": seed}).to_dict()}
    except hansa.InvalidSetup as error:
        raise TableError("invalid_setup", str(error)) from error


def first_position(meta: Meta) -> hansa.Game:
    """The game of a table before its first decision."""
    return start(meta.setup, meta.origin)


def start(setup: Mapping[str, Any], origin: Mapping[str, Any] | None) -> hansa.Game:
    """A game from its set-up, or from the position it was forked from."""
    if origin is not None:
        return hansa.Game.from_dict(origin)
    return hansa.Game.new(**setup)


def parse(text: str) -> hansa.Action:
    """A decision from its text.

    Raises:
        TableError: `malformed_decision`.
    """
    try:
        return hansa.Action.parse(text)
    except hansa.MalformedAction as error:
        raise TableError("malformed_decision", str(error)) from error


def played(game: hansa.Game, action: hansa.Action | str) -> tuple[hansa.Game, list[GameEvent]]:
    """The next game and its events; `game` itself stays.

    Raises:
        TableError: `illegal_decision`.
    """
    try:
        following, events = game.after(action)
    except hansa.IllegalAction as error:
        raise TableError("illegal_decision", str(error)) from error
    return following, told(events)


def told(events: Iterable[Event]) -> list[GameEvent]:
    """Events as they are stored and sent; everybody may see them all."""
    return [event.to_dict() for event in events]


def board_file(setup: dict[str, Any]) -> str:
    """The id of the board's file: the side follows from the number of players."""
    return Setup.from_dict(setup).board_id


def replayed(game: hansa.Game, entries: list[Entry]) -> hansa.Game:
    """`game` after the stored decisions among these entries; it is changed."""
    for entry in entries:
        if entry.kind == "decision":
            game.play(entry.text)
    return game


def turn(game: hansa.Game) -> int:
    """The number of the turn."""
    return int(game.turn)


@cache
def prepare() -> None:
    """Make all that the first decision at each board needs: whoever comes first would wait for it."""
    for board in BOARD_IDS:
        given = files.data(board)
        game = hansa.Game.new(board=given["family"], players=max(given["players"]), seed=1)
        played(game, parse(legal(game)[0]))


def legal(game: hansa.Game) -> list[str]:
    """The texts of what may be decided now, in the engine's order."""
    return [str(action) for action in game.legal_actions()]


class Reckoning:
    """Points and control of a position, worked out anew only where something of them changed.

    Most decisions move pieces on the routes, which score nothing.
    """

    __slots__ = ("_key", "control", "scores")

    def __init__(self) -> None:
        self._key = b""
        self.scores: dict[str, dict[str, int]] = {}
        self.control: dict[str, str | None] = {}

    def of(self, game: hansa.Game, view: Mapping[str, Any]) -> Reckoning:
        """Look at this position of the same game; `view` is any view of it."""
        key = _what_scores(view)
        if key != self._key:
            self._key = key
            self.scores = game.scores()
            self.control = {city: game.control(city) for city in view["cities"]}
        return self


def _what_scores(view: Mapping[str, Any]) -> bytes:
    """All that SCORE, MISSION, FAVOUR and BRIT-SCORE look at, in a few bytes."""
    parts = (
        view["cities"],
        view["prestige"],
        [
            (p["points"], p["skills"], p["markers"], p["used"], p["favours"])
            for p in view["players"].values()
        ],
        [route["laid"] for route in view["routes"].values() if route["laid"]],
        view["over"],
    )
    return hashlib.blake2b(msgspec.json.encode(parts), digest_size=16).digest()


def position(
    game: hansa.Game,
    seat: str | None,
    *,
    at: tuple[int, int],
    undo: UndoFace,
    show_seed: bool,
    reckoning: Reckoning | None = None,
) -> Position:
    """What `seat` may know of the position `at` that revision and number, with all that follows."""
    view = game.view(seat)
    reckoned = (reckoning or Reckoning()).of(game, view)
    if show_seed:
        view["game"]["seed"] = game.setup.seed
    deciding = not game.over and seat is not None and game.player == seat
    return Position(
        revision=at[0],
        number=at[1],
        seat=seat,
        view=cast("View", view),
        turn=view["turn"],
        active=game.active,
        player=game.player,
        phase=game.phase,
        actions_left=view["actions_left"],
        stock={player: _stock(game, player) for player in view["players"]},
        control=reckoned.control,
        completed=game.completed,
        scores=scores_seen(
            reckoned.scores, seat, missions=view["game"]["missions"], over=game.over
        ),
        legal=legal(game) if deciding else None,
        undo=undo,
        over=game.over,
        end_reason=game.end_reason,
        winners=list(game.winners),
    )


def _stock(game: hansa.Game, player: str) -> Pieces:
    return cast("Pieces", dict(game.stock(player)))


def guessed(game: hansa.Game, seat: str) -> hansa.Game:
    """A game made from the seat's own view, what is hidden filled in at random: to try things on.

    Nothing hidden can come out, not even where a decision would uncover it (INFO-3, INFO-6).
    """
    return hansa.Game.from_view(game.view(seat), seed=0)


def preview(guessed: hansa.Game, seat: str, decision: str, at: tuple[int, int]) -> Preview:
    """What a decision of `seat` would bring about, tried on what that seat can know beforehand.

    Raises:
        TableError: `malformed_decision` or `illegal_decision`.
    """
    following, events = played(guessed, parse(decision))
    undo = UndoFace(free=False, to=None, reason="preview")
    shown = position(following, seat, at=at, undo=undo, show_seed=False)
    shown.view["players"] = foreseen(shown.view, seat)["players"]
    missions = shown.view["game"]["missions"]
    shown.scores = scores_seen(following.scores(), seat, missions=missions, over=False)
    shown.legal = None
    return Preview(events=events, position=shown)


def why(game: hansa.Game, decision: str) -> Why:
    """Whether a decision is allowed; if not, its rule and a sentence."""
    try:
        found = reasons.why_not(game, parse(decision))
    except TableError as error:
        return Why(allowed=False, message=error.message)
    if found is None:
        return Why(allowed=True, message="")
    return Why(
        allowed=False,
        message=found.message,
        reason=found.code,
        rule=found.rule,
        values=dict(found.values),
    )


def points_after(before: int, after: hansa.Game) -> dict[str, int] | None:
    """Everybody's total where turn `before` ended, for the chart; without missions until the end."""
    if before == turn(after) and not after.over:
        return None
    return {
        player: parts["total"] - (0 if after.over else parts["missions"])
        for player, parts in after.scores().items()
    }
