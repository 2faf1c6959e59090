"""Worker processes: as many as the host allows, started when needed, ended when they hang."""

from __future__ import annotations

import asyncio
import contextlib
import os
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import msgspec
import structlog

from hansa.errors import HansaError
from hansa.server.queues import Queue

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["WorkerFailed", "WorkerRefused", "Workers"]

_log = structlog.get_logger()
#: What a worker may know of the server's environment besides the system's own.
_SHARED = {"HANSA_BOTS", "HANSA_CACHE", "HANSA_EXTENSIONS", "HANSA_JIT"}
#: Bytes of what a worker prints that are logged at a time: a traceback, say.
_SAID = 4000
#: Processes that may die under one request before it is the request's fault.
_TRIES = 3


class WorkerFailed(Exception):
    """The work broke, hung, or its process died."""


class WorkerRefused(HansaError):
    """The work cannot be done: the message says what is wrong with it."""


class _Worker:
    """One process, used by one thread."""

    def __init__(self) -> None:
        environment = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith("HANSA_") or name in _SHARED
        }
        self.process = subprocess.Popen(
            # -P: whatever lies in the folder where the server was started is none of its modules.
            [sys.executable, "-P", "-m", "hansa.server.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment,
        )
        threading.Thread(target=_log_all, args=(self.process,), daemon=True).start()
        self.late = False

    def ask(self, request: bytes, seconds: float) -> bytes:
        """The answer's line; nothing if the process died or was too slow."""
        assert self.process.stdin is not None  # noqa: S101 - pipes were asked for
        assert self.process.stdout is not None  # noqa: S101 - as above
        too_slow = threading.Timer(seconds, self._give_up)
        too_slow.daemon = True
        too_slow.start()
        try:
            self.process.stdin.write(request + b"\n")
            self.process.stdin.flush()
            return self.process.stdout.readline()
        except (OSError, ValueError):
            return b""
        finally:
            too_slow.cancel()

    def _give_up(self) -> None:
        self.late = True
        self.process.kill()

    def end(self) -> None:
        """Stop it, whatever it does."""
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()


def _log_all(process: subprocess.Popen[bytes]) -> None:
    """Whatever is printed there, by bots or by Python itself, has the form of all else in the log."""
    assert process.stderr is not None  # noqa: S101 - pipes were asked for
    with process.stderr as said:
        while text := os.read(said.fileno(), _SAID):
            _log.info("said by a worker", text=text.decode(errors="replace").strip())


class Workers:
    """A bounded number of worker processes and a queue before them, with a line for each who asks."""

    def __init__(self, count: int, name: str, each: int | None = None) -> None:
        self.count = count
        #: Requests that wait or are worked on.
        self.busy = 0
        self.queue = Queue(count, each)
        self._threads = ThreadPoolExecutor(count, thread_name_prefix=name)
        self._mine = threading.local()
        self._all: set[_Worker] = set()
        self._closed = threading.Event()

    @property
    def closed(self) -> bool:
        """Whether nothing more is done here."""
        return self._closed.is_set()

    async def ask(
        self,
        task: str,
        seconds: float,
        *,
        whose: str = "",
        pay: Callable[[float], None] | None = None,
        **given: Any,
    ) -> Any:
        """Let a worker do `task` for `whose`; `seconds` is how long it may take at most, and `pay` is
        told how long it took, without the time spent waiting for others.

        Raises:
            WorkerRefused: what was given is wrong.
            WorkerFailed: the work broke or did not end in time.
        """
        request = msgspec.json.encode({"task": task, "given": given})
        self.busy += 1
        try:
            async with self.queue.turn(whose):
                began = time.monotonic()
                loop = asyncio.get_running_loop()
                try:
                    answer = await loop.run_in_executor(self._threads, self._ask, request, seconds)
                finally:
                    if pay is not None:
                        pay(time.monotonic() - began)
        except RuntimeError as error:
            raise WorkerFailed("the server is stopping") from error
        finally:
            self.busy -= 1
        if "refused" in answer:
            raise WorkerRefused(answer["refused"])
        if "failed" in answer:
            raise WorkerFailed(answer["failed"])
        return answer["result"]

    def _ask(self, request: bytes, seconds: float) -> dict[str, Any]:
        ended = None
        for _ in range(_TRIES):
            if self._closed.is_set():
                raise WorkerFailed("the server is stopping")
            worker = self._worker()
            if line := worker.ask(request, seconds):
                answer: dict[str, Any] = msgspec.json.decode(line)
                return answer
            self._drop(worker)
            ended = worker.process.returncode
            if worker.late:
                break
            # It had gone to rest, or was ended from outside, for want of memory perhaps: that is
            # not the fault of whoever asks.
        raise WorkerFailed(f"its process ended with {ended}")

    def _worker(self) -> _Worker:
        """Whichever serves this thread, a new one if none does."""
        worker: _Worker | None = getattr(self._mine, "worker", None)
        if worker is None:
            worker = self._mine.worker = _Worker()
            self._all.add(worker)
            if self._closed.is_set():
                worker.process.kill()
        return worker

    def _drop(self, worker: _Worker) -> None:
        worker.end()
        self._all.discard(worker)
        self._mine.worker = None

    def close(self) -> None:
        """End all of them, at work or not."""
        self._closed.set()
        self._threads.shutdown(wait=False, cancel_futures=True)
        for worker in list(self._all):
            worker.process.kill()
        self._threads.shutdown(wait=True)
        while self._all:
            self._all.pop().end()
