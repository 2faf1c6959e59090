"""Python's garbage collector, kept from holding up everybody, and watched.

A full collection looks at every object there is: with a thousand games in play that took a third of
a second, in which nobody was answered. So whatever has lived for a while is put aside (`gc.freeze`)
and not looked at again until so much has gone that there must be something to collect.

Python itself counts how many more objects were made than freed. In play these are as many: a young
collection then comes after minutes, and looks through all that was made since, a tenth of a second long.
So the keeper looks more often the more is going on.
"""

from __future__ import annotations

import gc
import time

from hansa.server.metrics import GC_SECONDS

__all__ = ["Keeper"]

#: Objects made until a young collection, young ones until a middle one, middle ones until a full one.
_RARER = (10_000, 20, 20)
#: Connections that may go without anything being thawed, beyond as many as are open.
_GONE = 1000
#: Seconds that a look should take, and between two looks.
_LOOK = 0.004
_SOONEST, _LATEST = 0.1, 20.0
_LONGER = 1.5
#: How many times as much must have been put aside for all of it to be looked through.
_GROWN = 1.25


class Keeper:
    """Decides when what was put aside is looked through; does nothing until `begin`."""

    def __init__(self) -> None:
        self._begun = False
        self._since = 0.0
        #: Connections that ended since the last look.
        self.ended = 0
        #: Objects that were put aside when all was last looked through.
        self._kept = 0
        #: Seconds until the next look.
        self.pause = _LATEST

    def begin(self) -> None:
        """Everything that stays for ever is loaded: never look at it again."""
        self._begun = True
        gc.set_threshold(*_RARER)
        gc.callbacks.append(self._watch)
        self.thaw()

    def end(self) -> None:
        """As Python has it."""
        if self._begun:
            self._begun = False
            gc.callbacks.remove(self._watch)
            gc.unfreeze()

    def tidy(self, connections: int) -> None:
        """Now and then: put aside what lives, or look through all where much has gone."""
        if not self._begun:
            return
        if self.ended > connections + _GONE:
            self.thaw()
        else:
            began = time.perf_counter()
            gc.collect(1)
            gc.freeze()
            self._set_pause(time.perf_counter() - began)

    def _set_pause(self, took: float) -> None:
        """As long as a look after it takes as long as it should; longer only by and by."""
        pause = self.pause * min(_LONGER, _LOOK / took)
        self.pause = min(_LATEST, max(_SOONEST, pause))

    def reconsider(self) -> None:
        """Once in a long while: look through all where more has been put aside than was thought.

        With a thousand games in play that holds up everybody for the better part of a second.
        """
        if gc.get_freeze_count() > _GROWN * self._kept:
            self.thaw()

    def thaw(self) -> None:
        """Look through everything once."""
        if not self._begun:
            return
        self.ended = 0
        gc.unfreeze()
        gc.collect()
        gc.freeze()
        self._kept = gc.get_freeze_count()

    def _watch(self, phase: str, info: dict[str, int]) -> None:
        if phase == "start":
            self._since = time.perf_counter()
        else:
            took = time.perf_counter() - self._since
            GC_SECONDS.labels(info["generation"]).observe(took)
