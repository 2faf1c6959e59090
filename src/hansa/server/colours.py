"""Who plays in which colour: chosen by people, dealt to the rest."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hansa.names import PLAYERS
from hansa.server.errors import TableError

if TYPE_CHECKING:
    from hansa.server.model import Meta

__all__ = ["choose", "worn"]


def worn(meta: Meta) -> dict[str, str | None]:
    """The colour of each seat; None while the order is still to be drawn and nobody chose."""
    taken = {seat.colour for seat in meta.seats if seat.colour}
    free = [colour for colour in PLAYERS if colour not in taken]
    drawn = meta.status == "open" and meta.options.order == "draw" and meta.origin is None
    found: dict[str, str | None] = {}
    for seat in meta.seats:
        colour = seat.colour
        if colour is None and not drawn:
            colour = seat.seat if seat.seat in free else free[0]
            free.remove(colour)
        found[seat.seat] = colour
    return found


def choose(meta: Meta, name: str, colour: str | None) -> None:
    """Let a seat have a colour that nobody else has chosen.

    Raises:
        TableError: `colour_taken`.
    """
    for seat in meta.seats:
        if seat.seat != name and colour is not None and seat.colour == colour:
            raise TableError("colour_taken", f"{seat.name} has chosen this colour already.")
    seat = next(s for s in meta.seats if s.seat == name)
    seat.colour = colour
