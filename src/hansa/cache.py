"""Where compiled code is kept: a directory for each version, and those long unused are swept."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
import time
from contextlib import suppress
from pathlib import Path

__all__ = ["open_directory", "sweep"]

UNUSED = 30 * 24 * 3600.0
"""Seconds after which a version that nobody used is swept."""
USED = "used"
"""The file in a version's directory that is touched by every process that uses it."""
_SWEPT = ".swept"
_ENTRY = re.compile(rf"engine-[0-9a-f]{{20}}({re.escape(_SWEPT)}-\d+)?")


def open_directory(version: str) -> Path | None:
    """The directory of a version in the first place that can be written to; None: nowhere.

    `HANSA_CACHE` names a place that is tried first. A new version sweeps old ones.
    """
    home = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    for place in (os.environ.get("HANSA_CACHE"), str(Path(home, "hansa")), tempfile.gettempdir()):
        if not place:
            continue
        directory = Path(place, f"engine-{version}")
        is_new = not directory.exists()
        if _is_writable(directory):
            if is_new:
                sweep(directory.parent)
            return directory
    return None


def _is_writable(directory: Path) -> bool:
    try:
        directory.mkdir(parents=True, exist_ok=True)
        (directory / USED).touch()
        with tempfile.TemporaryFile(dir=directory):
            return True
    except OSError:
        return False


def sweep(place: Path) -> None:
    """Remove the versions under a place that no process has used for long."""
    with suppress(OSError):
        for entry in list(place.iterdir()):
            if _ENTRY.fullmatch(entry.name) and entry.is_dir() and not entry.is_symlink():
                _remove_unused(entry)


def _remove_unused(entry: Path) -> None:
    """Out of everybody's way first, so that nobody finds half a version."""
    if not _is_unused(entry):
        return
    swept = entry
    if _SWEPT not in entry.name:
        swept = entry.with_name(f"{entry.name}{_SWEPT}-{os.getpid()}")
        try:
            entry.rename(swept)
        except OSError:
            return  # another process was quicker
        if not _is_unused(swept):
            with suppress(OSError):
                swept.rename(entry)  # somebody began to use it at this very moment
            return
    shutil.rmtree(swept, ignore_errors=True)


def _is_unused(entry: Path) -> bool:
    """A version from before uses were marked counts from its last change."""
    for seen in (entry / USED, entry):
        with suppress(OSError):
            return time.time() - seen.stat().st_mtime > UNUSED
    return False
