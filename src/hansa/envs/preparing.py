"""The compiled twin of encoder and kernels: made ready once for a version, kept in the cache.

Compiling takes a minute or two. So an environment of one game does not ask for it: it runs
compiled where that is ready, and interpreted, with the same results, where it is not. A batch,
whose point is speed, compiles.
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
import threading
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from hansa import compiled
from hansa.bots import compiling
from hansa.bots.judge.fitted import weights_of
from hansa.bots.judge.survey import Survey
from hansa.rules.capacity import MAX_LEGAL
from hansa.rules.state import Slots, State
from hansa.setup import Setup

from . import kernels as interpreted

__all__ = ["Desk", "is_ready", "kernels", "prepare", "weights"]

_HERE = Path(__file__).parent
_MODULES = ("complete", "dealing", "encoder", "kernels", "renewing")
_SOURCES = tuple(_HERE / f"{name}.py" for name in _MODULES)
_begun = threading.Event()
"""This process is the one that compiles."""
JUDGEMENT = "hansa.bots.judge.policy"
"""What opponents inside a batch decide by; the bots share it, compiled once for both."""


@lru_cache(maxsize=1)
def _mark() -> Path | None:
    """The file that says everything is compiled; None where nothing can be kept."""
    directory = compiled.cache_directory()
    if directory is None:
        return None
    sources = b"".join(source.read_bytes() for source in _SOURCES)
    digest = hashlib.sha256(sources + compiling.digest().encode()).hexdigest()
    return directory / f"envs-{digest[:20]}.ready"


def is_ready() -> bool:
    """Whether the compiled kernels answer in a second or two."""
    if not compiled.is_available():
        return False
    mark = _mark()
    return mark is not None and mark.exists()


def _forget_stale() -> None:
    """A cached caller does not notice that what it calls has changed: start anew."""
    mark = _mark()
    if mark is None or mark.exists() or mark.with_suffix(".begun").exists():
        return
    for old in [*mark.parent.glob("envs-*"), *mark.parent.glob("envs_*/*.nb?")]:
        old.unlink(missing_ok=True)
    mark.with_suffix(".begun").touch()


@lru_cache(maxsize=1)
def _twin() -> Any:
    compiling.forget_stale()
    _forget_stale()
    return compiled.jitted("hansa.envs.kernels")


def kernels(*, jit: bool) -> Any:
    """The module of kernels, compiled or interpreted."""
    return _twin() if jit else interpreted


def prepare(progress: Callable[[str], None] | None = None) -> bool:
    """Compile into the cache and wait for it; False where it cannot be.

    In a process of its own, so that a memory full of compiler does not stay behind.
    """
    if not compiled.is_available() or _mark() is None:
        return False
    if is_ready() or _begun.is_set():
        return True
    if not compiled.warm_up(progress):
        return False
    if progress is not None:
        progress("compiling the environments, once for this version …")
    done = subprocess.run([sys.executable, "-m", "hansa.envs.preparing"], check=False)
    return done.returncode == 0 and is_ready()


@lru_cache(maxsize=2)
def weights(*, jit: bool) -> Any:
    """The weights that `greedy` judges by, shared and never changed."""
    found = [weights_of()]
    return compiled.records(found) if jit else found


class Desk:
    """Room to work in: a judgement, a state beside those of the games, and a list of ids.

    Every thread needs its own; what lies there from the work before is written over.
    """

    def __init__(self, *, jit: bool) -> None:
        self.surveys: Any = np.zeros(1, compiled.record_dtype(Survey)) if jit else [Survey()]
        self.room: Any = np.empty(1, compiled.state_dtype()) if jit else Slots([State()])
        self.ids: Any = np.zeros(MAX_LEGAL, np.int64) if jit else [0] * MAX_LEGAL


def compile_all() -> None:
    """Run every kernel once, which compiles it, and say that it is done."""
    from .batch import BatchEnv  # noqa: PLC0415  # it knows us
    from .single import SingleGame  # noqa: PLC0415  # as above

    _begun.set()
    _twin()
    compiled.ready(compiled.jitted(JUDGEMENT), "choose", "with_pieces_left")
    single = SingleGame(Setup(), jit=True)
    single.observe(0)
    single.play(int(np.flatnonzero(single.mask())[0]))
    with BatchEnv(1, threads=1, jit=True) as env:
        env.step(env.sample())
        env.sample("sensible")
        env.observe(0)
        env.scores()
    mark = _mark()
    if mark is not None:
        mark.touch()


if __name__ == "__main__":
    from hansa.envs.preparing import compile_all as run_all

    run_all()
