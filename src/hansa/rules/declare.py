"""What a rule module declares beside its functions: decisions, what can be pending, markers.

These are plain literals. Everything that must know all of them is derived: ids and texts
(`hansa.action`), the engine's dispatch (`dispatch.py`, written by `hansa.generate`), positions
(`hansa.pending`), the mix of markers (`hansa.setup`), observations (`hansa.envs`). `catalogue.py`
collects them and refuses what does not fit together.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

__all__ = ["ACTION", "Decision", "Frame", "Marker", "Permanent"]

ACTION = "action"
"""What a decision of the turn costs: an action (TURN-3), the use of a marker by its number, or nothing."""

Function = Callable[..., Any]


@dataclass(frozen=True)
class Decision:
    """One kind of decision, e.g. `place {shape} {post}`.

    The words in braces are its fields. `id` is the id with all fields at their first value; every
    field adds its own step (see numbering.py). Ids are for ever: a new kind takes the next free one.
    """

    id: int
    text: str
    legal: Function | None = None
    """Lists it in the turn: `(b, s, buf, n) -> n`. Several kinds may share one; None: never there."""
    apply: Function | None = None
    """Carries it out in the turn: `(b, s, field, field, …)` in the order of the text."""
    costs: str | int | None = None
    shows_hidden: bool = False
    """INFO-3: whether it shows somebody what was hidden, so that it cannot simply be taken back."""
    without: tuple[int, ...] | None = None
    """Values of the fields that no game can offer."""


@dataclass(frozen=True)
class Frame:
    """Something pending: who must decide what before the turn goes on."""

    number: int
    name: str
    """As positions write it."""
    fields: Mapping[str, str]
    """What it must remember: names of the state's `frame_…` lists, and what the numbers mean."""
    settle: Function | None
    """`(b, s) -> bool`: goes on by itself as far as it can; True: it asks, False: it is done.
    None: it is done when the permanent marker it names begins."""
    legal: Function | None = None
    """`(b, s, buf) -> n`: what may be decided; None: it never asks."""
    apply: Function | None = None
    """`(b, s, action)`: carries out one of those."""
    on: tuple[str, ...] = ("finish",)
    """What it may wait on; an empty name is the turn itself."""
    phase: str = ""
    """The phase word; empty: the name. `{field}`: by what the field says."""


@dataclass(frozen=True)
class Marker:
    """A kind of marker."""

    number: int
    name: str
    rule: str
    """The rule that explains it."""
    copies: Mapping[str, int] = field(default_factory=dict)
    """COMP-2, COMP-3: how many an edition has."""
    starts: tuple[str, ...] = ()
    """SETUP-2: the editions in which one of them lies at a tavern."""
    promo: bool = False
    """PROMO-1: there only when asked for."""
    laid: bool = False
    """PROMO: it stays at a route for the rest of the game."""


@dataclass(frozen=True)
class Permanent:
    """A permanent marker, printed on a board."""

    number: int
    name: str
    rule: str
    begin: Function
    """`(b, s)`: what whoever established its route may do in step 4."""
