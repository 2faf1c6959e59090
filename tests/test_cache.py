"""Compiled code of other versions goes when nobody has used it for long, and only then."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from hansa import cache

LONG_AGO = time.time() - cache.UNUSED - 3600


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.setenv("HANSA_CACHE", str(tmp_path))
    return tmp_path


def version(place: Path, letter: str, used: float | None, changed: float | None = None) -> Path:
    entry = place / f"engine-{letter * 20}"
    (entry / "rules").mkdir(parents=True)
    (entry / "rules" / "engine.nbc").touch()
    if used is not None:
        (entry / cache.USED).touch()
        os.utime(entry / cache.USED, (used, used))
    if changed is not None:
        os.utime(entry, (changed, changed))
    return entry


def test_a_new_version_sweeps_what_nobody_used_for_long(place):
    unused = version(place, "a", used=LONG_AGO)
    used = version(place, "b", used=time.time(), changed=LONG_AGO)
    older = version(place, "c", used=None, changed=LONG_AGO)
    recent = version(place, "d", used=None)
    half_swept = version(place, "e", used=LONG_AGO)
    half_swept.rename(half_swept.with_name(f"{half_swept.name}.swept-7"))
    others = place / "engine-notes"
    others.mkdir()
    os.utime(others, (LONG_AGO, LONG_AGO))

    opened = cache.open_directory("f" * 20)

    assert opened == place / ("engine-" + "f" * 20)
    assert sorted(place.iterdir()) == sorted([opened, used, recent, others])
    assert not unused.exists()
    assert not older.exists()


def test_a_version_that_is_there_sweeps_nothing(place):
    cache.open_directory("f" * 20)
    unused = version(place, "a", used=LONG_AGO)
    cache.open_directory("f" * 20)
    assert unused.exists()


def test_using_a_version_keeps_it(place):
    old = version(place, "a", used=LONG_AGO)
    assert cache.open_directory("a" * 20) == old
    cache.open_directory("b" * 20)
    assert (old / "rules" / "engine.nbc").exists()


def test_what_another_process_begins_to_use_meanwhile_is_put_back(place, monkeypatch):
    entry = version(place, "a", used=LONG_AGO)
    rename = Path.rename

    def used_just_before(self, target):
        (self / cache.USED).touch()
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", used_just_before)
    cache.sweep(place)
    assert (entry / "rules" / "engine.nbc").exists()
    assert list(place.iterdir()) == [entry]


def test_what_another_process_sweeps_first_is_left_to_it(place, monkeypatch):
    version(place, "a", used=LONG_AGO)

    def gone(self, target):
        raise FileNotFoundError(str(self))

    monkeypatch.setattr(Path, "rename", gone)
    cache.sweep(place)


def test_a_place_that_is_not_there_is_no_trouble(tmp_path):
    cache.sweep(tmp_path / "nowhere")
