"""Programs in any language as bots, over lines of text on their standard input and output.

docs/bots.md describes the protocol; `examples/line_bot.py` is a whole program that speaks it.
"""

from __future__ import annotations

import json
import os
import queue
import shlex
import signal
import subprocess
import threading
import time
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import ClassVar

from hansa.action import Action

from .protocol import BotError, View
from .settings import Setting

__all__ = ["GRACE", "PROTOCOL", "External", "Program", "split"]

PROTOCOL = 1
MOST_LINE = 65_536
"""Characters of a line; more is a flood."""
MOST_LINES = 2_000
"""Lines before an answer; more is a flood."""
GRACE = 0.5
"""Seconds over its time that a program gets to send its answer."""
MOST_STARTS = 3
"""A program that failed is started again, so many times in all."""
DEFAULT_TIME = 5.0


def split(text: str) -> list[str]:
    """The words of a command line; raises ValueError."""
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise ValueError(f"must be a command line ({error})") from None
    if not words:
        raise ValueError("must be a command line")
    return words


class External:
    """A program that is told the position and answers with a decision."""

    settings: ClassVar[Mapping[str, Setting]] = {
        "command": Setting(split, "the command line that starts the program"),
        "time": Setting.seconds(0.05, 600, "seconds for a decision, 5 by default"),
    }

    def __init__(self, command: Sequence[str] | None = None, time: float = DEFAULT_TIME) -> None:
        self._program: Program | None = None
        if not command:
            raise BotError("an external bot needs its command: external:command=python3 my_bot.py")
        self.name = f"external:command={shlex.join(command)}"
        self._command = list(command)
        self._time = time
        self._starts = 0

    def choose(self, view: View, legal: Sequence[Action], clock: float | None = None) -> Action:
        """What the program answers; raises BotError for whatever else it does."""
        seconds = self._time if clock is None else min(self._time, max(clock / 10, 0.05))
        program = self._running()
        texts = [action.text for action in legal]
        request = {"view": view, "legal": texts, "time": seconds, "clock": clock}
        try:
            answer = program.ask(f"decide {json.dumps(request)}", "decision", seconds)
        except BotError:
            self.close()
            raise
        if answer not in texts:
            raise BotError(f"answered {answer[:80]!r}, which is not legal")
        return legal[texts.index(answer)]

    def stop(self) -> None:
        """Tell the program to answer at once; may be called from another thread."""
        if self._program is not None:
            self._program.send("stop")

    def close(self) -> None:
        """End the program."""
        program, self._program = self._program, None
        if program is not None:
            program.close()

    def __del__(self) -> None:
        self.close()

    def _running(self) -> Program:
        if self._program is None:
            if self._starts >= MOST_STARTS:
                raise BotError(f"failed {MOST_STARTS} times and is not started again")
            self._starts += 1
            program = Program(self._command)
            try:
                program.ask(f"hansa {PROTOCOL}", "ready", self._time + 5.0)
            except BotError:
                program.close()
                raise
            self._program = program
        return self._program


class Program:
    """A running program: lines to it, and lines from it with a limit on everything."""

    def __init__(self, command: Sequence[str]) -> None:
        try:
            self._process = subprocess.Popen(  # noqa: S603  # who runs the arena names the program
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                encoding="utf-8",
                errors="replace",
                bufsize=1,
                start_new_session=True,  # what it starts itself ends with it
            )
        except OSError as error:
            raise BotError(f"cannot be started: {error}") from None
        self._lines: queue.Queue[str | None] = queue.Queue(MOST_LINES)
        self._complaints: deque[str] = deque(maxlen=3)
        self._flooded = False
        self._threads = [
            threading.Thread(target=target, daemon=True) for target in (self._read, self._listen)
        ]
        for thread in self._threads:
            thread.start()

    def _read(self) -> None:
        out = self._process.stdout
        while out is not None:
            line = out.readline(MOST_LINE)
            if not line:
                break
            if len(line) >= MOST_LINE or self._lines.full():
                self._flooded = True
                break
            self._lines.put(line.rstrip("\r\n"))
        self._lines.put(None) if not self._lines.full() else None

    def _listen(self) -> None:
        """Keep the last words on standard error, so that a crash can be explained."""
        err = self._process.stderr
        while err is not None:
            line = err.readline(MOST_LINE)
            if not line:
                return
            self._complaints.append(line.strip()[:200])

    def send(self, line: str) -> None:
        """One line to the program; what is wrong with it shows when it does not answer."""
        try:
            if self._process.stdin is not None:
                self._process.stdin.write(line + "\n")
                self._process.stdin.flush()
        except (OSError, ValueError):
            pass

    def ask(self, line: str, expected: str, seconds: float) -> str:
        """Send a line and wait for the answer that begins with the expected word."""
        has_ended = self._flooded
        while not self._lines.empty():  # late words about an earlier question
            has_ended |= self._lines.get_nowait() is None
        if has_ended:
            raise BotError(self._farewell())
        self.send(line)
        return self.hear(expected, seconds)

    def hear(self, expected: str, seconds: float) -> str:
        """Wait for an answer; when the time is over, say stop and wait a little longer."""
        deadline = time.monotonic() + seconds
        told = False
        for _ in range(MOST_LINES):
            left = deadline - time.monotonic()
            if left <= 0:
                if told:
                    raise BotError(f"gave no answer within {seconds:g} seconds")
                self.send("stop")
                deadline += GRACE
                told = True
                continue
            try:
                heard = self._lines.get(timeout=left)
            except queue.Empty:
                continue
            if heard is None:
                raise BotError(self._farewell())
            word, _, rest = heard.partition(" ")
            if word == expected:
                return rest.strip()
        raise BotError(f"sent {MOST_LINES} lines without an answer")

    def _farewell(self) -> str:
        if self._flooded:
            return f"flooded its output: a line over {MOST_LINE} characters, or too many lines"
        try:
            status = self._process.wait(timeout=1)
        except subprocess.TimeoutExpired:
            return "closed its output"
        self._threads[1].join(timeout=0.2)
        words = f": {' | '.join(self._complaints)}" if self._complaints else ""
        return f"ended with status {status}{words}"

    def leave(self, seconds: float) -> bool:
        """Ask it to end; whether it does so in time."""
        self.send("quit")
        try:
            self._process.wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            return False
        return True

    def close(self) -> None:
        """Ask it to leave, and see to it that it does."""
        self.leave(0.3)
        self._kill()
        self._process.wait()
        for thread in self._threads:
            thread.join(timeout=0.5)
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()

    def _kill(self) -> None:
        """It and all that it started: a shell's children would keep its output open."""
        with suppress(OSError):
            if hasattr(os, "killpg"):
                os.killpg(self._process.pid, signal.SIGKILL)
            else:
                self._process.kill()
