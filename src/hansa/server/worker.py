"""A process that thinks: bots, analyses, records and boards, far from the tables.

    python -m hansa.server.worker

reads one JSON object a line from stdin and answers each with one line. It knows no database and
no secret: a bot of another package sees the view it is given, and nothing else. It ends with its
server, or when nothing was asked for a while, to give its memory back.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
from dataclasses import asdict
from functools import lru_cache
from typing import IO, TYPE_CHECKING, Any

import msgspec

import hansa
from hansa import bots
from hansa.bots import compiling, lines
from hansa.bots.analysis import analyse as look_ahead
from hansa.bots.registry import is_search
from hansa.bots.turns import judge as weigh
from hansa.errors import HansaError
from hansa.server import drawing, reading

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["main"]

_IDLE = 600.0
#: Seconds for one thought, whatever its other settings.
_MOST_SECONDS = 10.0
#: Bots that are kept ready. One that searches holds its trees, some megabytes each, and of its settings
#: there are more than any memory takes.
_READY = 8


@lru_cache(maxsize=_READY)
def _bot(spec: str) -> bots.Bot:
    return bots.create(bounded(spec))


def bounded(spec: str) -> str:
    """The same bot with a time limit where it counts simulations only: those may take any time."""
    _, _, settings = spec.partition(":")
    counts = any(setting.startswith("simulations=") for setting in settings.split(","))
    timed = any(setting.startswith("time=") for setting in settings.split(","))
    return f"{spec},time={_MOST_SECONDS:g}" if is_search(spec) and counts and not timed else spec


def warm(spec: str) -> None:
    """Make a bot ready before it has to decide."""
    if is_search(spec):
        compiling.load()


def choose(spec: str, view: dict[str, Any], legal: list[str], clock: float | None) -> str:
    """What a bot decides, knowing its seat's view."""
    chosen = str(_bot(spec).choose(view, [hansa.Action.parse(text) for text in legal], clock))
    if chosen not in legal:
        raise bots.BotError(f"{spec} chose {chosen!r}, which is not legal")
    return chosen


def analyse(spec: str, view: dict[str, Any], legal: list[str]) -> dict[str, Any]:
    """What a bot would do and, where it can tell, how it values the choices."""
    game = hansa.Game.from_view(view, seed=0)
    try:
        found = look_ahead(game, bounded(spec))
    except bots.UnknownBot:
        # Only a search weighs all choices; any other bot names its own.
        decision = hansa.Action.parse(choose(spec, view, legal, None))
        return {
            "decision": decision.text,
            "options": [],
            "turn": lines.whole_turn(game, [decision.id]),
        }
    options = [
        {key: value for key, value in asdict(option).items() if key != "line"}
        for option in found.options
    ]
    return {"decision": options[0]["decision"], "options": options, "turn": found.turn}


def judge(spec: str, position: dict[str, Any], number: int, played: list[str]) -> dict[str, Any]:
    """A turn of a game, weighed as a whole."""
    return asdict(weigh(hansa.Game.from_dict(position), played, bounded(spec), number))


TASKS: dict[str, Callable[..., Any]] = {
    "warm": warm,
    "choose": choose,
    "analyse": analyse,
    "judge": judge,
    "board": drawing.board,
    "record": reading.packed,
}


def _answer(line: bytes) -> dict[str, Any]:
    request = msgspec.json.decode(line)
    try:
        return {"result": TASKS[request["task"]](**request["given"])}
    except HansaError as error:
        return {"refused": str(error)}
    except Exception as error:  # noqa: BLE001 - bots come from other packages too
        return {"failed": f"{type(error).__name__}: {error}"}


def _serve(asked: IO[bytes], answers: IO[bytes]) -> None:
    while True:
        # A daemon: ending the process is all it does.
        idle = threading.Timer(_IDLE, os._exit, (0,))
        idle.daemon = True
        idle.start()
        line = asked.readline()
        idle.cancel()
        if not line:
            return
        answers.write(msgspec.json.encode(_answer(line)) + b"\n")
        answers.flush()


def main() -> None:
    """Answer until the server closes our stdin."""
    # They are meant for the server, which finishes its decisions and then ends us.
    for stop in (signal.SIGINT, signal.SIGTERM):
        signal.signal(stop, signal.SIG_IGN)
    if hasattr(os, "nice"):
        # People at the tables come first wherever processors are scarce.
        os.nice(5)
    # Whatever a bot prints belongs to the log, not among the answers.
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    with contextlib.suppress(BrokenPipeError):
        _serve(sys.stdin.buffer, answers)
    # Threads of bots may still be at work: nobody waits for them.
    os._exit(0)


if __name__ == "__main__":
    main()
