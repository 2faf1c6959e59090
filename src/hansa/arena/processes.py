"""Games in processes of this machine, one a core."""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool

from hansa.bots import Bot
from hansa.bots.match import Result, play_match

from .pairing import Pairing
from .protocol import ArenaError, Results

__all__ = ["play_here"]


def play_here(left: Sequence[Pairing], workers: int, given: Mapping[str, Bot]) -> Results:
    """The results of all games, each as soon as it is there."""
    if workers == 1 or len(left) <= 1:
        for pairing in left:
            yield pairing, play_match(pairing.bots, pairing.setup, given)
        return
    count = min(workers, len(left))
    strangers = set(multiprocessing.active_children())
    # Never fork: compiled code keeps threads that a forked child would lose.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(count, mp_context=context, initializer=_quiet) as pool:
        try:
            yield from _flow(pool, left, 2 * count, given)
        except BrokenProcessPool:
            raise ArenaError(
                "a process that played games was ended from outside, perhaps for want of memory:"
                " try fewer --workers"
            ) from None
        except BaseException:
            for process in set(multiprocessing.active_children()) - strangers:
                process.terminate()  # whoever stops a tournament does not wait for its games
            raise


def _flow(
    pool: ProcessPoolExecutor, left: Sequence[Pairing], most: int, given: Mapping[str, Bot]
) -> Results:
    waiting: dict[Future[Result], Pairing] = {}
    for pairing in left:
        waiting[pool.submit(play_match, pairing.bots, pairing.setup, given)] = pairing
        if len(waiting) >= most:
            yield from _finished(waiting)
    while waiting:
        yield from _finished(waiting)


def _finished(waiting: dict[Future[Result], Pairing]) -> Results:
    finished, _ = wait(waiting, return_when=FIRST_COMPLETED)
    for future in finished:
        yield waiting.pop(future), future.result()


def _quiet() -> None:
    """Ctrl-C is for the process that holds the tournament."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
