"""Links in e-mails that do something: each carries, signed, for whom and what."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from itsdangerous import BadSignature, URLSafeTimedSerializer

from hansa.server.errors import TableError
from hansa.server.schema import people
from hansa.server.wire.calls import Lang

if TYPE_CHECKING:
    from hansa.server.store import Store

__all__ = ["Letter", "Letters"]

_DAY = 86_400
#: How long a question waits, and how long letters can be ended by the link in one of them.
_ASKED, _STOPPED = 2 * _DAY, 400 * _DAY


class Letter(msgspec.Struct, kw_only=True, frozen=True):
    """Use that address for that person from now on, or no longer."""

    person: str
    address: str
    on: bool
    lang: Lang = "en"


class Letters:
    """Nothing is stored until somebody answers."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._seal: URLSafeTimedSerializer | None = None

    def start(self, key: str) -> None:
        """Take the server's signing key."""
        self._seal = URLSafeTimedSerializer(key, salt="hansa.letter")

    def _sealing(self) -> URLSafeTimedSerializer:
        if self._seal is None:
            raise TableError("busy", "The server is still starting; try again in a moment.")
        return self._seal

    def write(self, letter: Letter) -> str:
        """The secret part of the link."""
        return str(self._sealing().dumps(msgspec.structs.astuple(letter)))

    def open(self, token: str) -> Letter:
        """What a link is for.

        Raises:
            TableError: `not_found` for one that is forged or too old.
        """
        try:
            person, address, on, *lang = self._sealing().loads(token, max_age=_STOPPED)
            if on:
                self._sealing().loads(token, max_age=_ASKED)
        except BadSignature as error:
            raise TableError("not_found", "This link is wrong or too old.") from error
        return Letter(person=person, address=address, on=on, lang=lang[0] if lang else "en")

    async def answer(self, letter: Letter) -> None:
        """Do what the link is for; an address that is no longer in use stays as it is."""
        change = (
            people.update()
            .where(people.c.id == letter.person)
            .values(mail=letter.address, lang=letter.lang)
        )
        if not letter.on:
            change = (
                people.update()
                .where(people.c.id == letter.person, people.c.mail == letter.address)
                .values(mail=None)
            )
        await self._store.write(lambda connection: connection.execute(change))
