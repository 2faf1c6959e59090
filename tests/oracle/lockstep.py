"""The engine and the reference side by side, compared after every decision."""

import json
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tests.oracle import reference
from tests.oracle.boards import Pos
from tests.oracle.invariants import complaints
from tests.oracle.policy import choose
from tests.oracle.scoring import scores, winners
from tests.oracle.setups import Setup

import hansa


@dataclass
class Difference:
    """The first disagreement: where it began, what was played, both answers."""

    what: str
    engine: Any
    reference: Any
    start: Pos
    texts: list[str] = field(default_factory=list)
    before: Pos | None = None

    def __str__(self) -> str:
        lines = [f"difference: {self.what}"]
        if self.before is not None:
            lines.append(f"position before the last decision: {json.dumps(self.before)}")
        lines += [
            f"start: {json.dumps(self.start)}",
            f"played ({len(self.texts)}): {json.dumps(self.texts[-12:])}",
            f"engine:    {self.engine}",
            f"reference: {self.reference}",
        ]
        return "\n".join(lines)


def texts_of(game: hansa.Game) -> list[str]:
    return [str(action) for action in game.legal_actions()]


def open_game(setup: Setup, seed: int) -> hansa.Game:
    """The engine's own opening of a set-up."""
    return hansa.Game.new(**(setup | {"seed": seed, "promos": tuple(setup["promos"])}))


def differences(game: hansa.Game, pos: Pos, *, deep: bool) -> tuple[str, Any, Any] | None:
    """The first thing the two say differently about a position."""
    if game.player != pos["player"]:
        return "who decides", game.player, pos["player"]
    texts, expected = texts_of(game), reference.legal(pos)
    if set(texts) != expected:
        return "legal", sorted(set(texts) - expected), sorted(expected - set(texts))
    if len(texts) != len(set(texts)):
        return "legal decisions twice", sorted(texts), sorted(expected)
    data: dict[str, Any] = {**game.to_dict()}
    if list(data) != list(pos):
        return "keys", list(data), list(pos)
    for key, value in data.items():
        quiet = pos["phase"] in {"turn", "setup"} or data["phase"] in {"turn", "setup"}
        if key == "pending" or (key == "phase" and not quiet):
            continue
        if value != pos[key]:
            return key, *only_different(value, pos[key])
    if (data["pending"] is None) != (pos["pending"] is None):
        return "pending", data["pending"], pos["pending"]
    face = (game.active, game.over, game.end_reason)
    if face != (pos["active"], pos["over"], pos["end_reason"]):
        return "face", face, (pos["active"], pos["over"], pos["end_reason"])
    if deep and game.scores() != scores(pos):
        return "scores", *only_different(game.scores(), scores(pos))
    if list(game.winners) != winners(pos):
        return "winners", game.winners, winners(pos)
    return None


def only_different(mine: Any, theirs: Any) -> tuple[Any, Any]:
    """Of two mappings only what differs."""
    if not isinstance(mine, dict) or not isinstance(theirs, dict):
        return mine, theirs
    keys = [key for key in mine | theirs if mine.get(key) != theirs.get(key)]
    pairs = {key: only_different(mine.get(key), theirs.get(key)) for key in keys}
    return {k: pair[0] for k, pair in pairs.items()}, {k: pair[1] for k, pair in pairs.items()}


def play_on(
    game: hansa.Game,
    limit: int,
    rng: random.Random,
    *,
    wild: bool,
    twin: Callable[[hansa.Game, str], str | None] | None = None,
) -> tuple[int, Difference | None]:
    """Play up to `limit` decisions on both sides; the number compared, and a difference if any.

    `twin` may look at every decision before it is played, e.g. to ask the compiled rules.
    """
    start: dict[str, Any] = {**game.to_dict()}
    pos, texts, before = {**start}, list[str](), None
    for number in range(limit + 1):
        deep = number % 7 == 0 or pos["over"] or number == limit
        found = differences(game, pos, deep=deep)
        if found is not None:
            return number, Difference(*found, start, texts, before)
        wrong = complaints(pos)
        if wrong:
            return number, Difference("unsound", wrong, wrong, start, texts, before)
        if pos["over"] or number == limit:
            return number, None
        text = choose(pos, reference.legal(pos), rng, wild=wild)
        texts.append(text)
        try:
            if rng.random() < 0.05:
                game = taken_back_and_stored(game, text)
                refused(game, rng.choice(texts))
            complaint = twin(game, text) if twin else None
            if complaint:
                return number, Difference(complaint, None, None, start, texts, before)
            game.play(text)
        except Exception as error:  # noqa: BLE001 - any failure of the engine is a finding
            return number, Difference("play", repr(error), text, start, texts, before)
        before, pos = pos, reference.play(pos, text)
    raise AssertionError


def taken_back_and_stored(game: hansa.Game, text: str) -> hansa.Game:
    """A decision taken back leaves no trace, and a position in the middle can be stored."""
    untouched = game.copy()
    game.play(text)
    game.undo()
    if game.to_dict() != untouched.to_dict():
        raise AssertionError(f"undo of {text!r} leaves traces")
    stored = hansa.Game.from_dict(json.loads(json.dumps(game.to_dict())))
    if stored.to_dict() != game.to_dict() or texts_of(stored) != texts_of(game):
        raise AssertionError(f"the position before {text!r} does not round-trip")
    return stored


def refused(game: hansa.Game, text: str) -> None:
    """What is not legal is refused and changes nothing."""
    if text in texts_of(game):
        return
    untouched = game.to_dict()
    try:
        game.play(text)
    except hansa.IllegalAction:
        if game.to_dict() == untouched:
            return
    raise AssertionError(f"{text!r} is not refused")
