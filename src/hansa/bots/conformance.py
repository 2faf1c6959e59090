"""Whether a program speaks the line protocol of docs/bots.md: what `hansa bot-check` runs."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from hansa.game import Game

from .external import GRACE, PROTOCOL, Program
from .protocol import BotError
from .registry import create

__all__ = ["Check", "check"]

PATIENCE = 5.0
"""Seconds more than its time that a program gets for its first answer."""
PROMPT = 2.0
"""Seconds in which a program has to answer to `stop` and to end after `quit`."""
LONG = 60.0
"""Seconds offered for the decision that is then stopped."""
GAMES = (
    {"board": "hansa", "players": 3, "missions": True, "favours": True},
    {"board": "hansa", "players": 2, "duel": "pawn"},
    {"board": "hansa", "players": 5, "edition": "classic"},
    {"board": "east", "players": 4},
    {"board": "britannia", "players": 2, "border_fee": True},
)
DEPTH = 120
"""Decisions into a game that positions are taken from."""


@dataclass(frozen=True)
class Check:
    """One thing a program must do, and whether it did."""

    what: str
    ok: bool
    message: str = ""

    def __str__(self) -> str:
        return f"{'ok' if self.ok else 'FAILED':<8}{self.what}" + (
            f": {self.message}" if self.message else ""
        )


@dataclass(frozen=True)
class _Talk:
    """A program that has been greeted, and the time it gets for a decision."""

    program: Program
    name: str
    seconds: float


def check(command: Sequence[str], seconds: float = 1.0) -> Iterator[Check]:
    """Every check in turn, each with a program of its own; `seconds` is the time for a decision.

    Who does not even greet is not asked for more.
    """
    for what, run in _CHECKS:
        try:
            yield Check(what, ok=True, message=_with_program(command, seconds, run))
        except BotError as error:
            yield Check(what, ok=False, message=str(error))
            if run is _greets:
                return


def _with_program(command: Sequence[str], seconds: float, run: Callable[[_Talk], str]) -> str:
    program = Program(command)
    try:
        name = program.ask(f"hansa {PROTOCOL}", "ready", seconds + PATIENCE)
        return run(_Talk(program, name, seconds))
    finally:
        program.close()


def _decide(talk: _Talk, game: Game) -> str:
    """Ask for a decision and see that it is legal and in time; raises BotError."""
    begun = time.monotonic()
    answer = talk.program.ask(_question(game, talk.seconds), "decision", talk.seconds)
    _see_that_legal(answer, game)
    if time.monotonic() - begun > talk.seconds + GRACE:
        raise BotError(f"took longer than {talk.seconds:g} seconds in phase {game.phase}")
    return answer


def _see_that_legal(answer: str, game: Game) -> None:
    if answer not in [action.text for action in game.legal_actions()]:
        where = f"phase {game.phase} of {game.setup.board} with {len(game.players)} players"
        raise BotError(f"{answer[:80]!r} is not legal in {where}")


def _question(game: Game, seconds: float) -> str:
    legal = [action.text for action in game.legal_actions()]
    request = {"view": game.view(game.player), "legal": legal, "time": seconds, "clock": None}
    return f"decide {json.dumps(request)}"


def _positions() -> Iterator[Game]:
    """One position for every phase of some very different games."""
    greedy = create("greedy")
    for options in GAMES:
        game, phases = Game.new(seed=1, **options), set()  # type: ignore[arg-type]  # plain data
        for _ in range(DEPTH):
            if game.over:
                break
            if game.phase not in phases:
                phases.add(game.phase)
                yield game
            game.play(greedy.choose(game.view(game.player), game.legal_actions()))


# The checks.


def _greets(talk: _Talk) -> str:
    if not talk.name:
        raise BotError("`ready` must be followed by a name")
    return f"it is called {talk.name}"


def _decides(talk: _Talk) -> str:
    """All in one process, from several games, because a bot keeps nothing of a game."""
    seen = 0
    for game in _positions():
        _decide(talk, game)
        seen += 1
    return f"{seen} positions of {len(GAMES)} games"


def _takes_the_only_choice(talk: _Talk) -> str:
    view = Game.new(seed=1).view("p1")
    request = {"view": view, "legal": ["end"], "time": talk.seconds, "clock": 3.5}
    answer = talk.program.ask(f"decide {json.dumps(request)}", "decision", talk.seconds)
    if answer != "end":
        raise BotError(f"answered {answer[:80]!r} where only 'end' was offered")
    return ""


def _ignores_the_unknown(talk: _Talk) -> str:
    talk.program.send("weather fine, wind from the west")
    talk.program.send("")
    _decide(talk, Game.new(seed=2))
    return ""


def _stops(talk: _Talk) -> str:
    game = Game.new(seed=3)
    talk.program.send(_question(game, LONG))
    time.sleep(0.2)
    talk.program.send("stop")
    _see_that_legal(talk.program.hear("decision", PROMPT), game)
    return ""


def _repeats_itself(talk: _Talk) -> str:
    """Chance drawn from the clock makes faults hard to find, but is allowed."""
    game = Game.new(seed=4)
    answers = {_decide(talk, game) for _ in range(2)}
    return "" if len(answers) == 1 else "allowed, but it answers differently to the same question"


def _quits(talk: _Talk) -> str:
    if not talk.program.leave(PROMPT):
        raise BotError(f"still runs {PROMPT:g} s after `quit`")
    return ""


_CHECKS: tuple[tuple[str, Callable[[_Talk], str]], ...] = (
    (f"answers `hansa {PROTOCOL}` with `ready NAME`", _greets),
    ("decides legally in every kind of phase, within its time", _decides),
    ("takes the only decision that is offered, with a clock running", _takes_the_only_choice),
    ("ignores lines it does not know", _ignores_the_unknown),
    ("answers at once after `stop`", _stops),
    ("decides the same when asked the same", _repeats_itself),
    ("ends after `quit`", _quits),
)
