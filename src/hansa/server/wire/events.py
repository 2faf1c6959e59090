"""The engine's events as they travel: read off the dataclasses of `hansa.events`."""

from __future__ import annotations

from dataclasses import fields
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Any, get_type_hints

import msgspec

from hansa.events import Event

__all__ = ["EVENTS", "GameEvent"]


def _travelling(event: type[Event]) -> type[msgspec.Struct]:
    """The same fields, told apart by `type`: what `Event.to_dict` writes."""
    hints = get_type_hints(event)
    shape = msgspec.defstruct(
        event.__name__,
        [(field.name, hints[field.name]) for field in fields(event)],
        module=__name__,
        tag_field="type",
        tag=event.type,
        kw_only=True,
    )
    shape.__doc__ = event.__doc__
    return shape


#: By their name on the wire.
EVENTS = {
    event.type: _travelling(event)
    for event in sorted(Event.__subclasses__(), key=lambda event: event.type)
}

if TYPE_CHECKING:
    # The log keeps events as plain data and sends them as they were stored.
    GameEvent = dict[str, Any]
else:
    GameEvent = reduce(or_, EVENTS.values())
