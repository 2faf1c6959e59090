"""The compiled twin of the rules: the same text, loaded a second time and jitted from outside.

Nothing here is needed to play; it makes batches and searching fast. `HANSA_JIT=0` switches it
off. The cache lies in a directory named after the sources, so it can never be stale
(`HANSA_CACHE` names another place).
"""

from __future__ import annotations

import ast
import hashlib
import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import os
import re
import subprocess
import sys
import threading
import types
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any

from hansa import boards, extensions, rules
from hansa.cache import open_directory
from hansa.rules.state import STATE_FIELDS, STATE_SIZE, State, pack
from hansa.rules.tables import table_fields, tables

__all__ = [
    "board_record",
    "cache_directory",
    "is_available",
    "is_warm",
    "jitted",
    "kernels",
    "ready",
    "record_dtype",
    "records",
    "remember",
    "size",
    "state_dtype",
    "state_records",
    "warm_up",
]

TWIN = "hansa._twin"
_SOURCES = {
    path.stem: path
    for folder in reversed(rules.__path__)  # the dispatch of an extension instead of the house's
    for path in sorted(Path(folder).glob("*.py"))
}
_SHARED = (
    *("capacity", "catalogue", "codes", "declare", "ids"),
    *("notes", "numbering", "setup", "state", "tables"),
)
"""Modules without a compiled function: the twin uses the very same."""
_lock = threading.RLock()


def is_available() -> bool:
    """Whether the rules can be compiled here: numba installed and not switched off."""
    if os.environ.get("HANSA_JIT", "1") == "0":
        return False
    return importlib.util.find_spec("numba") is not None


# Records.


_TABLES: dict[str, Callable[[], Any]] = {"State": lambda: STATE_FIELDS, "Tables": table_fields}
"""The rules keep the tables of their records beside the classes."""


def _fields(cls: Any) -> Any:
    """Name, numpy type (or class of an inner record) and length of the fields of a record."""
    return getattr(cls, "FIELDS", None) or _TABLES[cls.__name__]()


@cache
def record_dtype(cls: type) -> Any:
    """The numpy type of a class of records: of the rules, or with a table FIELDS of its own."""
    import numpy as np

    layout: list[tuple[Any, ...]] = []
    for name, kind, length in _fields(cls):
        inner = record_dtype(kind) if isinstance(kind, type) else kind
        layout.append((name, inner, (length,)) if length else (name, inner))
    return np.dtype(layout, align=True)


def records(objects: Sequence[Any]) -> Any:
    """Objects of one class of records as an array."""
    import numpy as np

    cls: Any = type(objects[0])
    return np.array([_values(one) for one in objects], record_dtype(cls))


def _values(one: Any) -> tuple[Any, ...]:
    return tuple(
        _values(getattr(one, name)) if isinstance(kind, type) else getattr(one, name)
        for name, kind, _ in _fields(type(one))
    )


@cache
def state_dtype() -> Any:
    """The numpy type of a state; its bytes are those of `hansa.rules.state.pack`."""
    dtype = record_dtype(State)
    if dtype.itemsize != STATE_SIZE:
        raise RuntimeError(f"the record has {dtype.itemsize} bytes, the state {STATE_SIZE}")
    return dtype


@cache
def board_record(board_id: str) -> Any:
    """The tables of a board as a one-element record array."""
    return records([tables(board_id)])


def state_records(states: Iterable[State]) -> Any:
    """States as a record array."""
    import numpy as np

    return np.frombuffer(b"".join(pack(s) for s in states), state_dtype()).copy()


# The cache.


@cache
def cache_directory() -> Path | None:
    """Where compiled code is kept: one directory for these very sources; None: nowhere."""
    # Asked without loading numba, which takes a second: a server wants to know, not to compile.
    digest = hashlib.sha256(f"{metadata.version('numba')} {sys.version}".encode())
    for source in compiled_from():
        digest.update(_identity(source))
    return open_directory(digest.hexdigest()[:20])


def compiled_from() -> list[Path]:
    """Every file that compiled code depends on: the rules, and the boards their constants come from."""
    own = Path(boards.__file__).parent
    return [
        Path(__file__),
        *_SOURCES.values(),
        *sorted([*own.glob("*.py"), *own.glob("*.json")]),
        *extensions.files("boards", "*.json"),
    ]


def _identity(source: Path) -> bytes:
    """Content, place and time of a file: numba's own cache asks for all three."""
    return f"{source} {source.stat().st_mtime_ns}".encode() + source.read_bytes()


# Jitting.


@cache
def _record_type(cls: type) -> Any:
    import numba

    return numba.from_dtype(record_dtype(cls))


def _numba_type(annotation: str, names: Mapping[str, Any]) -> Any:
    """The one type that an annotation of the rules stands for, so that each function is
    compiled once, whatever widths its arguments happen to have.
    """
    from numba.core import types as nt

    several = re.fullmatch(r"(?:list|Sequence)\[(\w+)\]", annotation)
    if several is not None:
        return nt.Array(_numba_type(several[1], names), 1, "C")
    numbers = {"int": nt.int64, "bool": nt.boolean, "float": nt.float64}
    return numbers.get(annotation) or _record_type(names[annotation])


def _arguments(function: Callable[..., Any]) -> tuple[Any, ...]:
    names = function.__code__.co_varnames[: function.__code__.co_argcount]
    types_of = function.__annotations__
    return tuple(_numba_type(types_of[name], function.__globals__) for name in names)


def _decorate(function: Callable[..., Any]) -> Any:
    """Wrap a function; the place of its cache is fixed at this moment."""
    import numba

    directory = cache_directory()
    config: Any = numba.config
    before = config.CACHE_DIR
    config.CACHE_DIR = str(directory) if directory else ""
    try:
        return numba.njit(nogil=True, cache=directory is not None, error_model="numpy")(function)
    finally:
        config.CACHE_DIR = before


def _called(dispatcher: Any, done: set[Any]) -> Iterator[Any]:
    """A function and all it calls, what is called first; each once."""
    if dispatcher in done:
        return
    done.add(dispatcher)
    function = dispatcher.py_func
    for name in function.__code__.co_names:
        callee = function.__globals__.get(name)
        if hasattr(callee, "py_func"):
            yield from _called(callee, done)
    yield dispatcher


def _compile(dispatcher: Any, tell: Callable[[], None] | None = None) -> None:
    """Compile a function for the types of its annotations, after all that it calls."""
    for one in _called(dispatcher, set()):
        if one.signatures:
            continue
        one.compile(_arguments(one.py_func))
        one.disable_compile()
        if tell is not None and one.stats.cache_misses:
            tell()


class _Silent(ast.NodeTransformer):
    """Takes the notes out: in the twin nobody listens."""

    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        call = node.value
        if isinstance(call, ast.Call) and getattr(call.func, "id", None) == "note":
            return ast.copy_location(ast.Pass(), node)
        return node


def _load(name: str, path: Path) -> types.ModuleType:
    """A module of the twin, in sys.modules before jitting, or the cache would not load."""
    module = types.ModuleType(name)
    module.__file__ = str(path)
    module.__package__ = name.rpartition(".")[0]
    sys.modules[name] = module
    tree = _Silent().visit(ast.parse(path.read_text("utf-8"), str(path)))
    exec(compile(tree, str(path), "exec"), vars(module))  # noqa: S102  # our own source, a second time
    return module


class _TwinFinder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Lets modules of the twin import each other."""

    def find_spec(
        self,
        fullname: str,
        path: Any,  # noqa: ARG002  # the protocol passes it
        target: Any = None,  # noqa: ARG002  # as path
    ) -> importlib.machinery.ModuleSpec | None:
        """A module of the twin, whichever asks for it."""
        if not fullname.startswith(f"{TWIN}."):
            return None
        return importlib.machinery.ModuleSpec(fullname, self)

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> types.ModuleType:
        return _load(spec.name, _SOURCES[spec.name.rpartition(".")[2]])

    def exec_module(self, module: types.ModuleType) -> None:
        """Already done, because jitting wants the module by its file."""


@cache
def _twin() -> dict[str, types.ModuleType]:
    """The second copy of the rules with every function wrapped."""
    finder = _TwinFinder()
    sys.meta_path.insert(0, finder)
    try:
        package = types.ModuleType(TWIN)
        package.__path__ = list(rules.__path__)
        sys.modules[TWIN] = package
        for name in _SHARED:
            sys.modules[f"{TWIN}.{name}"] = importlib.import_module(f"hansa.rules.{name}")
        names = [name for name in _SOURCES if name not in _SHARED and name != "__init__"]
        modules = {name: importlib.import_module(f"{TWIN}.{name}") for name in names}
    finally:
        sys.meta_path.remove(finder)
    _wrap(modules.values())
    return modules


def _wrap(modules: Iterable[types.ModuleType]) -> None:
    """Replace every function of the modules, wherever among them it has been imported."""
    modules = list(modules)
    wrapped: dict[Any, Any] = {}
    for module in modules:
        for value in vars(module).values():
            if isinstance(value, types.FunctionType) and value.__module__ == module.__name__:
                wrapped[value] = _decorate(value)
    for module in modules:
        for name, value in list(vars(module).items()):
            if isinstance(value, types.FunctionType) and value in wrapped:
                setattr(module, name, wrapped[value])


def jitted(module_name: str) -> types.ModuleType:
    """A second, jitted copy of a module written in the style of the rules.

    Functions it imports from `hansa.rules`, or from other such modules, are replaced by their
    compiled twins. Call `ready(module, *names)` before its functions are used.
    """
    with _lock:
        return _jitted(module_name)


@cache
def _jitted(module_name: str) -> types.ModuleType:
    twin = _twin()
    if module_name.startswith("hansa.rules."):
        return twin[module_name.rpartition(".")[2]]
    origin = importlib.util.find_spec(module_name)
    if origin is None or origin.origin is None:
        raise ImportError(f"no source of {module_name} to compile")
    module = _load(f"{TWIN}_{module_name.replace('.', '_')}", Path(origin.origin))
    for key, value in list(vars(module).items()):
        if not isinstance(value, types.FunctionType) or value.__module__ == module.__name__:
            continue
        if value.__module__.startswith("hansa.rules."):
            area = value.__module__.rpartition(".")[2]
            setattr(module, key, getattr(twin[area], value.__name__))
        elif value.__module__.startswith("hansa."):
            setattr(module, key, getattr(_jitted(value.__module__), value.__name__))
    _wrap([module])
    return module


def ready(module: types.ModuleType, *names: str, tell: Callable[[], None] | None = None) -> None:
    """Make functions of a jitted module ready to be called: from the cache, or compiled now.

    `tell` is called for each function that had to be compiled.
    """
    with _lock:
        for name in names:
            dispatcher = getattr(module, name)
            if not dispatcher.signatures and not _from_cache(dispatcher):
                _compile(dispatcher, tell)


def size(module: types.ModuleType, name: str) -> int:
    """How many functions a function of a jitted module consists of."""
    return sum(1 for _ in _called(getattr(module, name), set()))


def _from_cache(dispatcher: Any) -> bool:
    """Load a function alone if it was compiled before; what it calls is linked into it."""
    if cache_directory() is None or not _stamp(dispatcher).exists():
        return False
    arguments = _arguments(dispatcher.py_func)
    if dispatcher._cache.load_overload(arguments, dispatcher.targetctx) is None:  # noqa: SLF001
        return False  # somebody emptied the cache: compile what it calls first
    dispatcher.compile(arguments)
    dispatcher.disable_compile()
    return True


def remember(dispatcher: Any) -> None:
    """Say that a function with all it calls is in the cache, so that it is loaded alone."""
    if cache_directory() is not None:
        _stamp(dispatcher).touch()


def _stamp(dispatcher: Any) -> Path:
    """A file that says a function with all it calls is in the cache."""
    directory = cache_directory() or Path()
    function = dispatcher.py_func
    source = _identity(Path(function.__code__.co_filename))
    digest = hashlib.sha256(source + function.__qualname__.encode()).hexdigest()[:16]
    return directory / f"{function.__name__}-{digest}.ready"


@cache
def kernels() -> Any:
    """The compiled `hansa.rules.kernels`, ready to be called."""
    with _lock:
        module = _twin()["kernels"]
        ready(module, *KERNELS)
        return module


# Compiling ahead.

KERNELS = (
    "legal_many",
    "apply_many",
    "play_random",
    "play_many",
    "results_many",
    "trace",
)
# Two processes compile half of the rules each, then two compile what stands on both halves.
_HALVES = {"legal": ("engine", ("legal",)), "apply": ("engine", ("apply",))}
_WHOLE = {"playing": ("kernels", KERNELS[::2]), "batches": ("kernels", KERNELS[1::2])}


def is_warm() -> bool:
    """Whether everything is compiled already, so that `kernels` answers in a second."""
    if not is_available():
        return False
    directory = cache_directory()
    return directory is not None and all((directory / f"{part}.ready").exists() for part in _WHOLE)


def warm_up(progress: Callable[[str], None] | None = None) -> bool:
    """Compile everything into the cache, in processes of their own; False where that fails."""
    if not is_available():
        return False
    if is_warm():
        return True
    tell = progress or (lambda _: None)
    tell("compiling the rules, once for this version …")
    for parts in (_HALVES, _WHOLE):
        command = [sys.executable, "-m", "hansa.compiled"]
        running = [subprocess.Popen([*command, part]) for part in parts]
        for part, process in zip(parts, running, strict=True):
            if process.wait() != 0:
                tell(f"compiling failed: {part}")
                return False
            tell(f"compiled: {part}")
    return is_warm()


def compile_part(part: str) -> None:
    """Compile one part into the cache."""
    area, names = {**_HALVES, **_WHOLE}[part]
    for name in names:
        dispatcher = getattr(_twin()[area], name)
        _compile(dispatcher)
        remember(dispatcher)
    directory = cache_directory()
    if directory is not None:
        (directory / f"{part}.ready").touch()


if __name__ == "__main__":
    # Through the module's own name, so that the twin is loaded once.
    importlib.import_module("hansa.compiled").compile_part(sys.argv[1])
