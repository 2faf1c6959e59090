"""The compiled twin of encoder and kernels: made ready once for a version, kept in the cache.

Compiling takes a minute or two. So an environment of one game does not ask for it: it runs
compiled where that is ready, and interpreted, with the same results, where it is not. A batch,
whose point is speed, compiles.
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from hansa import compiled
from hansa.rules.capacity import MAX_LEGAL
from hansa.rules.numbering import ACTION_IDS
from hansa.setup import Setup

from . import kernels as interpreted
from .complete import row_size
from .layout import where

__all__ = ["is_ready", "kernels", "prepare"]

_HERE = Path(__file__).parent
_SOURCES = (_HERE / "encoder.py", _HERE / "complete.py", _HERE / "kernels.py")


@lru_cache(maxsize=1)
def _mark() -> Path | None:
    """The file that says everything is compiled; None where nothing can be kept."""
    directory = compiled.cache_directory()
    if directory is None:
        return None
    digest = hashlib.sha256(b"".join(source.read_bytes() for source in _SOURCES)).hexdigest()
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
    if is_ready():
        return True
    if not compiled.warm_up(progress):
        return False
    if progress is not None:
        progress("compiling the environments, once for this version …")
    done = subprocess.run([sys.executable, "-m", "hansa.envs.preparing"], check=False)
    return done.returncode == 0 and is_ready()


def compile_all() -> None:
    """Run every kernel once, which compiles it, and say that it is done."""
    setup = Setup()
    board, states = (
        compiled.board_record(setup.board_id),
        compiled.state_records([setup.new_state()]),
    )
    run, places = _twin(), where(setup)
    buf, rows, players = (np.zeros(n, np.int64) for n in (MAX_LEGAL, 1, 1))
    seen, masks = np.zeros(row_size(places), np.int8), np.zeros(ACTION_IDS, np.int8)
    rewards, ended = np.zeros(setup.players, np.float32), np.zeros((2, 1), np.int8)
    run.look(board, states, 0, 0, places, seen, 0)
    run.mark(board, states, 0, buf, masks, 0)
    ids, counts = np.zeros(MAX_LEGAL, np.int16), np.zeros(1, np.int64)
    run.look_many(board, states, rows, 0, 1, buf, places, seen, masks, ids, counts, players)
    actions, seeds, ages = np.zeros(1, np.int64), np.ones(1, np.int64), np.zeros(1, np.int64)
    run.sample_many(board, states, 0, 1, buf, 1, ids, counts, seeds, actions)
    run.play(board, states, 0, int(actions[0]), 0, rewards, 0)
    run.sample_many(board, states, 0, 1, buf, 0, ids, counts, seeds, actions)
    run.step_many(
        board, states, 0, 1, actions, buf, places, 0, 9, setup.players, ages, seen, masks,
        ids, counts, players, rewards, ended[0], ended[1],
    )  # fmt: skip
    mark = _mark()
    if mark is not None:
        mark.touch()


if __name__ == "__main__":
    from hansa.envs.preparing import compile_all as run_all

    run_all()
