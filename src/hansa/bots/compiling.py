"""The compiled twin of judgement and search: loaded where numba is, made ready ahead of time.

Compiling takes minutes, once for a version. So nobody waits for it unasked: until it is ready
the interpreted text serves, and processes of their own compile into the cache, one a part.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

from hansa import compiled

__all__ = [
    "begin",
    "digest",
    "forget_stale",
    "is_ready",
    "keep_below",
    "load",
    "prepare",
    "progress",
    "simulate",
]

COMMAND = "from hansa.bots.compiling import compile_aside; compile_aside()"
PART = "from hansa.bots.compiling import compile_part; compile_part({!r})"
KERNEL = "hansa.bots.tree.kernel"
PARTS = {
    "apply": (("hansa.rules.engine", "apply"),),
    "judgement": (
        ("hansa.bots.judge.policy", "choose"),
        ("hansa.bots.judge.evaluation", "evaluate"),
    ),
    "legal": (("hansa.rules.engine", "legal"),),
    "networks": (
        ("hansa.bots.learned.network", "expect"),
        ("hansa.bots.learned.network", "promise_of"),
    ),
}
"""What the search stands on and can be compiled side by side; little of it is in two parts."""
_HERE = Path(__file__).parent
FOLDERS = ("judge", "learned", "tree")
"""Folders of what is compiled."""
DATA = {"fitted", "styles", "files"}
"""Modules among them that hold or read data: nothing in them is compiled."""
PATIENCE = 1800.0
"""Seconds after which a claim to compile is void."""
_lock = threading.Lock()
_loading, _loaded = threading.Event(), threading.Event()
_running: list[subprocess.Popen[bytes]] = []


@lru_cache(maxsize=1)
def digest() -> str:
    """Of all that is compiled; the fitted weights are data and not part of it."""
    digest = hashlib.sha256()
    for source in sorted(
        [_HERE / "record.py", *(one for folder in FOLDERS for one in _HERE.glob(f"{folder}/*.py"))]
    ):
        if source.stem not in DATA:
            digest.update(source.name.encode() + source.read_bytes())
    return digest.hexdigest()[:20]


def _mark() -> Path | None:
    """The file that says everything is compiled; None where nothing can be kept."""
    directory = compiled.cache_directory()
    return directory / f"bots-{digest()}.ready" if directory else None


def is_ready() -> bool:
    """Whether `simulate` answers in a second or two."""
    if not compiled.is_available():
        return False
    mark = _mark()
    return mark is not None and mark.exists()


def forget_stale() -> None:
    """A cached caller does not notice that what it calls has changed: start anew."""
    mark = _mark()
    if mark is None or mark.exists():
        return
    begun = mark.with_suffix(".begun")
    if begun.exists():
        return
    for old in (*mark.parent.glob("bots-*"), *mark.parent.glob("simulate-*.ready")):
        if not old.name.startswith(mark.stem):
            old.unlink(missing_ok=True)
    for folder in FOLDERS:
        for old in mark.parent.glob(f"{folder}_*/*.nb?"):
            old.unlink(missing_ok=True)
    begun.touch()


def load() -> bool:
    """Whether compiled simulations can begin at once; if not, they are fetched meanwhile."""
    if _loaded.is_set():
        return True
    if not _loading.is_set():
        _loading.set()
        threading.Thread(target=_fetch, daemon=True).start()
    return False


def _fetch() -> None:
    """In a thread, because even asking numba for its version takes a second."""
    if is_ready():
        simulate()
    else:
        begin()
        _loading.clear()


@lru_cache(maxsize=1)
def simulate() -> Callable[..., None]:
    """The compiled `hansa.bots.tree.kernel.simulate`; fetching it takes some seconds."""
    _loading.set()
    forget_stale()
    module = compiled.jitted(KERNEL)
    compiled.ready(module, "simulate", tell=_count)
    function: Callable[..., None] = module.simulate
    _loaded.set()
    return function


@lru_cache(maxsize=1)
def keep_below() -> Callable[..., None]:
    """The compiled `hansa.bots.tree.keeping.keep_below`."""
    module = compiled.jitted("hansa.bots.tree.keeping")
    compiled.ready(module, "keep_below")
    function: Callable[..., None] = module.keep_below
    return function


def _claim(mark: Path) -> bool:
    """Whether it is for this process to compile: of several that ask, one."""
    claim = mark.with_suffix(".claim")
    with suppress(OSError):
        if time.time() - claim.stat().st_mtime > PATIENCE:
            claim.unlink()  # whoever claimed it never came to an end
    try:
        claim.touch(exist_ok=False)
    except OSError:
        return False
    return True


def begin() -> None:
    """Start compiling in a process of its own, unless it is done or under way."""
    with _lock:
        mark = _mark() if compiled.is_available() else None
        if mark is None or mark.exists() or not _claim(mark):
            return
        # Nothing of the caller's stays open in it: who waits for the end of a pipe must not wait
        # for the compiler. What it has to say stands beside the mark.
        with mark.with_suffix(".log").open("wb") as log:
            process = subprocess.Popen(  # noqa: S603  # ourselves
                [sys.executable, "-P", "-c", COMMAND],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        _running[:] = [*(one for one in _running if one.poll() is None), process]


def prepare(progress: Callable[[str], None] | None = None) -> bool:
    """Compile and wait for it; False where it cannot be."""
    if not compiled.is_available() or _mark() is None:
        return False
    if is_ready():
        return True
    if progress is not None:
        progress("compiling the search, once for this version; this takes some minutes")
    begin()
    for process in tuple(_running):
        process.wait()
    mark = _mark()
    while mark is not None and mark.with_suffix(".claim").exists() and not is_ready():
        time.sleep(0.5)  # another process compiles
    return is_ready()


def compile_all() -> None:
    """Compile the parts, then by one simulation what stands on them, and say that it is done."""
    from hansa.bots.thinking import Tree  # noqa: PLC0415  # it knows us
    from hansa.game import Game  # noqa: PLC0415  # as above

    mark = _mark()
    try:
        if mark is not None:
            forget_stale()
            _open_count(mark)
            _compile_parts()
        Tree([Game.new(players=4)], seed=1, fast=True).run(1)
    finally:
        if mark is not None:
            mark.with_suffix(".claim").unlink(missing_ok=True)
    if mark is not None:
        # From now on it is loaded alone, with all it calls.
        compiled.remember(simulate())
        compiled.remember(keep_below())
        mark.touch()


def compile_aside() -> None:
    """The same as a process of its own: whoever plays meanwhile comes first."""
    if hasattr(os, "nice"):
        os.nice(5)
    compile_all()


def _compile_parts() -> None:
    """As many at a time as there are processors; what fails is compiled later with the rest."""
    processors = os.cpu_count() or 1
    if processors == 1:
        return  # side by side they would only compile twice what they share
    with ThreadPoolExecutor(processors) as pool:
        for part in PARTS:
            command = [sys.executable, "-P", "-c", PART.format(part)]
            pool.submit(subprocess.run, command, check=False, stdin=subprocess.DEVNULL)


def compile_part(part: str) -> None:
    """Compile the functions of a part with all they call into the cache."""
    for module, name in PARTS[part]:
        compiled.ready(compiled.jitted(module), name, tell=_count)


# How far it is: how many functions there are, then a dot for each that is compiled.


def _open_count(mark: Path) -> None:
    functions = compiled.size(compiled.jitted(KERNEL), "simulate")
    mark.with_suffix(".count").write_text(f"{functions}\n", encoding="ascii")


def _count() -> None:
    mark = _mark()
    if mark is not None and mark.with_suffix(".count").exists():
        with mark.with_suffix(".count").open("a", encoding="ascii") as file:
            file.write(".")


def progress() -> float | None:
    """The share that is compiled while somebody compiles; None before and after."""
    mark = _mark() if compiled.is_available() else None
    if mark is None or mark.exists() or not mark.with_suffix(".claim").exists():
        return None
    try:
        functions, _, dots = mark.with_suffix(".count").read_text(encoding="ascii").partition("\n")
    except OSError:
        return 0.0
    # What two parts share may be compiled by both, and is counted twice.
    return min(len(dots) / max(int(functions or 1), 1), 0.99)
