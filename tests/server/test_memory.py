"""The garbage collector looks at what is young, and at the rest only when much has gone."""

from __future__ import annotations

import gc
import weakref

from hansa.server.memory import _GONE, Keeper


class Knot:
    """Refers to itself: only the collector frees it."""

    def __init__(self) -> None:
        self.me = self


def test_what_lives_is_put_aside_and_looked_through_when_much_has_gone():
    before = gc.get_threshold()
    keeper = Keeper()
    keeper.tidy(0)
    assert gc.get_freeze_count() == 0, "nothing happens before it begins"
    keeper.begin()
    try:
        knot = Knot()
        gone = weakref.ref(knot)
        keeper.tidy(10)
        aside = gc.get_freeze_count()
        assert aside > 0
        del knot
        gc.collect()
        assert gone() is not None, "it was put aside: no collection looks at it"
        keeper.ended = _GONE + 10
        keeper.tidy(10)
        assert gone() is not None, "as many as are open, and more, must have gone"
        keeper.ended = _GONE + 11
        keeper.tidy(10)
        assert gone() is None
        assert keeper.ended == 0
        assert gc.get_freeze_count() > 0
    finally:
        keeper.end()
        gc.set_threshold(*before)
    assert gc.get_freeze_count() == 0
