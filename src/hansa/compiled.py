"""The compiled twin of the rules: the same text, loaded a second time and jitted from outside.

Nothing here is needed to play; it makes batches and searching fast. `HANSA_JIT=0` switches it
off. The cache lies in a directory named after the sources, so it can never be stale
(`HANSA_CACHE` names another place).
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import os
import subprocess
import sys
import tempfile
import threading
import types
from collections.abc import Callable, Iterable
from functools import lru_cache
from pathlib import Path
from typing import Any

from hansa import rules
from hansa.rules.codes import MAX_LEGAL
from hansa.rules.state import STATE_FIELDS, STATE_SIZE, State, pack
from hansa.rules.tables import TABLE_FIELDS, tables

__all__ = [
    "board_record",
    "cache_directory",
    "is_available",
    "is_warm",
    "jitted",
    "kernels",
    "state_dtype",
    "state_records",
    "warm_up",
]

TWIN = "hansa._twin"
_RULES = Path(rules.__file__).parent
_SOURCES = sorted(_RULES.glob("*.py"))
_UNTOUCHED = {"codes", "state", "tables", "setup", "notes", "__init__"}
_lock = threading.RLock()


def is_available() -> bool:
    """Whether the rules can be compiled here: numba installed and not switched off."""
    if os.environ.get("HANSA_JIT", "1") == "0":
        return False
    return importlib.util.find_spec("numba") is not None


# Records.


@lru_cache(maxsize=None)
def state_dtype() -> Any:
    """The numpy type of a state; its bytes are those of `hansa.rules.state.pack`."""
    return _dtype(STATE_FIELDS, STATE_SIZE)


def _dtype(fields: Iterable[tuple[str, str, int]], size: int | None = None) -> Any:
    import numpy as np

    layout = [(name, kind, (length,)) if length else (name, kind) for name, kind, length in fields]
    dtype = np.dtype(layout, align=True)  # type: ignore[call-overload]  # a list built at run time
    if size is not None and dtype.itemsize != size:
        raise RuntimeError(f"the record has {dtype.itemsize} bytes, the state {size}")
    return dtype


@lru_cache(maxsize=None)
def board_record(board_id: str) -> Any:
    """The tables of a board as a one-element record array."""
    import numpy as np

    record = np.zeros(1, _dtype(TABLE_FIELDS))
    b = tables(board_id)
    for name, _, _ in TABLE_FIELDS:
        record[name][0] = getattr(b, name)
    record.flags.writeable = False
    return record


def state_records(states: Iterable[State]) -> Any:
    """States as a record array."""
    import numpy as np

    return np.frombuffer(b"".join(pack(s) for s in states), state_dtype()).copy()


# The cache.


@lru_cache(maxsize=None)
def cache_directory() -> Path | None:
    """Where compiled code is kept: one directory for these very sources; None: nowhere."""
    import numba

    digest = hashlib.sha256(f"{numba.__version__} {sys.version}".encode())
    for source in _SOURCES:
        digest.update(source.name.encode() + source.read_bytes())
    name = digest.hexdigest()[:20]
    home = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    places = [os.environ.get("HANSA_CACHE"), str(Path(home, "hansa")), tempfile.gettempdir()]
    for place in places:
        if place:
            directory = Path(place, f"engine-{name}")
            if _is_writable(directory):
                return directory
    return None


def _is_writable(directory: Path) -> bool:
    try:
        directory.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=directory):
            return True
    except OSError:
        return False


def is_warm() -> bool:
    """Whether everything is compiled already, so that `kernels` answers in a second."""
    if not is_available():
        return False
    directory = cache_directory()
    return directory is not None and all((directory / f"{part}.ready").exists() for part in _PARTS)


# Jitting.


def _decorate(function: Callable[..., Any]) -> Any:
    """Wrap a function; the place of its cache is fixed at this moment."""
    import numba

    directory = cache_directory()
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(directory) if directory else ""
    try:
        return numba.njit(nogil=True, cache=directory is not None, error_model="numpy")(function)
    finally:
        numba.config.CACHE_DIR = before


def _silent(s: Any, kind: int, a: int = 0, b: int = 0, c: int = 0, d: int = 0) -> None:
    """What `note` is in the twin: nobody listens."""


@lru_cache(maxsize=None)
def _twin() -> dict[str, types.ModuleType]:
    """The second copy of the rules with every function jitted."""
    spec = importlib.util.spec_from_file_location(
        TWIN, _RULES / "__init__.py", submodule_search_locations=[str(_RULES)]
    )
    assert spec is not None and spec.loader is not None
    package = importlib.util.module_from_spec(spec)
    sys.modules[TWIN] = package  # before jitting, or the cache would not load
    spec.loader.exec_module(package)
    names = [source.stem for source in _SOURCES if source.stem not in _UNTOUCHED]
    modules = {name: importlib.import_module(f"{TWIN}.{name}") for name in names}
    _jit_modules(modules.values(), f"{TWIN}.")
    return modules


def _jit_modules(modules: Iterable[types.ModuleType], home: str) -> None:
    """Replace every function of the modules, wherever it has been imported."""
    modules = list(modules)
    silent = _decorate(_silent)
    jitted: dict[Any, Any] = {}
    for module in modules:
        for value in vars(module).values():
            if isinstance(value, types.FunctionType) and value.__module__ == module.__name__:
                jitted[value] = _decorate(value)
    for module in modules:
        for name, value in list(vars(module).items()):
            if not isinstance(value, types.FunctionType):
                continue
            if value in jitted:
                setattr(module, name, jitted[value])
            elif value.__module__.startswith(home) and name == "note":
                setattr(module, name, silent)


def jitted(module_name: str) -> types.ModuleType:
    """A second, jitted copy of a module written in the style of the rules.

    Functions it imports from `hansa.rules` are replaced by their compiled twins.
    """
    with _lock:
        return _jitted(module_name)


@lru_cache(maxsize=None)
def _jitted(module_name: str) -> types.ModuleType:
    twin = _twin()
    origin = importlib.util.find_spec(module_name)
    assert origin is not None and origin.origin is not None
    name = f"{TWIN}_{module_name.replace('.', '_')}"
    spec = importlib.util.spec_from_file_location(name, origin.origin)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    for key, value in list(vars(module).items()):
        if isinstance(value, types.FunctionType) and value.__module__.startswith("hansa."):
            area = value.__module__.rpartition(".")[2]
            if value.__module__.startswith("hansa.rules."):
                setattr(module, key, getattr(twin[area], value.__name__))
            else:
                setattr(module, key, getattr(_jitted(value.__module__), value.__name__))
    _jit_modules([module], name)
    return module


def kernels() -> Any:
    """The compiled `hansa.rules.kernels`."""
    with _lock:
        return _twin()["kernels"]


# Compiling ahead.


def _samples() -> tuple[Any, Any, Any]:
    import numpy as np

    from hansa.setup import Setup

    setup = Setup()
    return (
        board_record(setup.board_id),
        state_records([setup.new_state()]),
        np.zeros(MAX_LEGAL, np.int64),
    )


def _compile_playing() -> None:
    import numpy as np

    boards, states, buf = _samples()
    k = kernels()
    seeds, played = np.ones(1, np.int64), np.zeros(1, np.int64)
    k.legal_one(boards, states, 0, buf)
    k.apply_one(boards, states, 0, 1)
    k.play_random(boards, states, 0, buf, 1, 1)
    k.play_many(boards, states, 0, 1, buf, seeds, 1, played)
    k.trace(boards, states, 0, buf, 1, 1, np.zeros(2, np.int64))


def _compile_batches() -> None:
    import numpy as np

    from hansa.rules.codes import ACTION_IDS

    boards, states, buf = _samples()
    k = kernels()
    seeds = np.ones(1, np.int64)
    k.legal_many(boards, states, 0, 1, buf, np.zeros(ACTION_IDS, np.bool_))
    k.apply_many(boards, states, 0, 1, seeds)
    k.results_many(boards, states, 0, 1, np.zeros(5, np.int64), np.zeros(5, np.int64))


_PARTS = {"playing": _compile_playing, "batches": _compile_batches}


def warm_up(progress: Callable[[str], None] | None = None) -> bool:
    """Compile everything into the cache, in processes of their own; False where that fails."""
    if not is_available():
        return False
    if is_warm():
        return True
    tell = progress or (lambda line: None)
    tell("compiling the rules, once for this version …")
    command = [sys.executable, "-m", "hansa.compiled"]
    running = {part: subprocess.Popen([*command, part]) for part in _PARTS}
    for part, process in running.items():
        process.wait()
        tell(f"compiled: {part}")
    return is_warm()


def _main(part: str) -> None:
    _PARTS[part]()
    directory = cache_directory()
    if directory is not None:
        (directory / f"{part}.ready").touch()


if __name__ == "__main__":
    from hansa.compiled import _main as run

    run(sys.argv[1])
