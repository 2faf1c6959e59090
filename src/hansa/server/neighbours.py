"""Who at a table came from the same address, and may be one and the same.

A guest costs nothing, so a stranger can come as several. Friends behind one connection look just
like that: nobody is refused, those who play with them are told.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hansa.server.config import is_near

if TYPE_CHECKING:
    from hansa.server.model import Meta, Person

__all__ = ["Neighbours"]


class Neighbours:
    """Of one table; in memory alone, and no longer than the table is."""

    __slots__ = ("_whence",)

    def __init__(self) -> None:
        #: From where people came last.
        self._whence: dict[str, str] = {}

    def came(self, meta: Meta, person: Person | None, address: str) -> None:
        """Note from where somebody came who sits there, or is about to."""
        if person is None or is_near(address):
            # From this machine itself: several at one screen, or a proxy that nobody named.
            return
        seated = {seat.person for seat in meta.seats}
        kept = {who: whence for who, whence in self._whence.items() if who in seated}
        self._whence = kept | {person.id: address}

    def of(self, meta: Meta) -> dict[str, list[str]]:
        """For each seat those of other people who came from the same address."""
        whence = self._whence
        if len(set(whence.values())) == len(whence):
            return {}
        seats = [(s.seat, s.person, whence[s.person]) for s in meta.seats if s.person in whence]
        return {
            seat: [other for other, who, there in seats if there == here and who != person]
            for seat, person, here in seats
        }
