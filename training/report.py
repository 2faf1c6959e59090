"""What every step needs: a log of what happens, and workers that have everything compiled."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.pool import Pool
from pathlib import Path

from hansa.bots import compiling
from training import seeing, tables


class Log:
    """What happens, on the terminal and in a file."""

    def __init__(self, out: Path) -> None:
        out.mkdir(parents=True, exist_ok=True)
        self._path = out / "report.txt"
        self._begun = time.time()

    @property
    def seconds(self) -> float:
        """Since the beginning."""
        return time.time() - self._begun

    def __call__(self, text: str) -> None:
        """Tell something."""
        line = f"{self.seconds:6.1f} s  {text}"
        print(line, flush=True)
        with self._path.open("a", encoding="utf-8") as file:
            file.write(line + "\n")


@contextmanager
def workers_of(number: int, log: Log, *, bots: bool = False) -> Iterator[Pool]:
    """Workers, forked after everything is compiled: it is compiled for them too.

    If all they do is to let `bots` play, they need nothing but the search.
    """
    compiling.prepare(log)
    compiling.simulate()
    compiling.keep_below()
    if not bots:
        tables.kernels()
        seeing.warm()
    log("compiled")
    with get_context("fork").Pool(number) as pool:
        yield pool
