"""Links in e-mails that do something: each carries, signed, for whom and what."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
import sqlalchemy as sa
from itsdangerous import BadSignature, URLSafeTimedSerializer

from hansa.server.calls import set_mail
from hansa.server.errors import TableError
from hansa.server.keys import check_same, digest
from hansa.server.model import NOBODY
from hansa.server.schema import people
from hansa.server.wire.calls import Lang

if TYPE_CHECKING:
    from hansa.server.model import Person
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
    #: What the account was like when it was asked: the answer counts as long as it still is.
    mark: str = ""


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

    async def ask(self, person: Person, address: str, lang: Lang) -> Letter:
        """The question whether to write there."""

        def look(connection: sa.Connection) -> str | None:
            check_same(connection, person, hold=False)
            return _mark(connection, person.id)

        mark = await self._store.read(look)
        return Letter(person=person.id, address=address, on=True, lang=lang, mark=mark or "")

    def write(self, letter: Letter) -> str:
        """The secret part of the link."""
        return str(self._sealing().dumps(msgspec.structs.astuple(letter)))

    def open(self, token: str) -> Letter:
        """What a link is for.

        Raises:
            TableError: `not_found` for one that is forged or too old.
        """
        try:
            person, address, on, *rest = self._sealing().loads(token, max_age=_STOPPED)
            if on:
                self._sealing().loads(token, max_age=_ASKED)
        except BadSignature as error:
            raise TableError("not_found", "This link is wrong or too old.") from error
        # Those of former versions say less.
        more = dict(zip(("lang", "mark"), rest, strict=False))
        return Letter(person=person, address=address, on=on, **more)

    async def answer(self, letter: Letter) -> None:
        """Do what the link is for; an address that is no longer in use stays as it is.

        Raises:
            TableError: `not_found` where the password or the address is another one since it was
                asked, or the person is gone.
        """
        await self._store.write(lambda connection: _answer(connection, letter))


def _mark(connection: sa.Connection, person: str) -> str | None:
    """Another one after each new password and each new address; None for whoever left."""
    query = sa.select(people.c.name, people.c.password, people.c.mail).where(people.c.id == person)
    row = connection.execute(query).first()
    if row is None or row.name == NOBODY:
        return None
    return digest(f"{row.password}\n{row.mail}")[:16]


def _answer(connection: sa.Connection, letter: Letter) -> None:
    here, used = people.c.id == letter.person, people.c.mail == letter.address
    in_use = connection.execute(sa.select(people.c.id).where(here, used)).first() is not None
    if not letter.on:
        if in_use:
            set_mail(connection, letter.person, None)
        return
    if in_use:
        return  # pressed twice
    # Somebody who knew the old password may have asked for letters to an address of his own.
    if _mark(connection, letter.person) != letter.mark:
        raise TableError("not_found", "This link is wrong or too old.")
    set_mail(connection, letter.person, letter.address, letter.lang)
