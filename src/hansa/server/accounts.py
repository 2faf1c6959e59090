"""People: guests, accounts with a password, and how they change.

Of a reset code only a hash is stored, of a password an argon2 hash.
"""

from __future__ import annotations

import secrets
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING

import msgspec
import sqlalchemy as sa

from hansa.server import text
from hansa.server.errors import TableError
from hansa.server.keys import add_session, digest, end_all, person_of
from hansa.server.mailing import is_mail
from hansa.server.metrics import LOGINS
from hansa.server.model import Person, new_id, now_ms
from hansa.server.naming import Naming, drawn, is_account
from hansa.server.passwords import Passwords
from hansa.server.schema import people, pushes

if TYPE_CHECKING:
    from hansa.server.keys import Keys
    from hansa.server.store import Store

__all__ = ["Accounts", "banned", "set_reset_code"]

#: Draws in which figures nobody has are found: there are nine thousand for every wish.
_DRAWS = 20
#: Accounts of one mailbox that a letter about a forgotten password can be for.
_ACCOUNTS_OF_MAIL = 3
_DAY = 86_400_000
#: The end of the year 9999: a ban for ever is said to last until then.
_LAST = 253_402_300_799_000


def set_reset_code(connection: sa.Connection, account: str) -> str | None:
    """Make the one-time code with which a forgotten password is replaced; good for two days."""
    code = new_id(10)
    changed = connection.execute(
        people.update()
        .where(people.c.account == account)
        .values(reset_code=digest(code), reset_until=now_ms() + 2 * _DAY)
        .returning(people.c.id)
    ).first()
    return code if changed else None


def banned(until: int) -> TableError:
    """What somebody hears who may only look."""
    when = datetime.fromtimestamp(min(until, _LAST) / 1000, UTC).strftime("%Y-%m-%d %H:%M")
    return TableError("banned", f"You may only look here until {when} UTC.", until=until)


class Accounts:
    """Everything people change about themselves."""

    def __init__(self, store: Store, keys: Keys) -> None:
        self._store, self._keys = store, keys
        self.naming = Naming()
        self.passwords = Passwords()

    async def guest(self, name: str | None, agent: str = "") -> tuple[Person, str]:
        """A new guest and the cookie to set."""
        shown = text.name(name) if name else f"Guest {secrets.randbelow(9000) + 1000}"
        person = Person(id=new_id(), name=shown)
        session = secrets.token_urlsafe(32)

        def add(connection: sa.Connection) -> None:
            row = {"id": person.id, "name": person.name, "created": now_ms()}
            connection.execute(people.insert(), row)
            add_session(connection, person.id, session, agent)

        await self._store.write(add)
        return person, self._keys.sign(session)

    async def rename(self, person: Person, name: str) -> Person:
        """Change the name shown from now on."""
        shown = text.name(name)
        await self._store.write(
            lambda connection: connection.execute(
                people.update().where(people.c.id == person.id).values(name=shown)
            )
        )
        return msgspec.structs.replace(person, name=shown)

    async def register(
        self, person: Person, account: str, password: str, offer: str | None = None
    ) -> Person:
        """Turn a guest into an account that can sign in again from anywhere.

        Its name is the one offered, or the wish with figures; where somebody has just that, others
        are drawn, so that nothing is told of him.
        """
        has_one = TableError("has_account", "You have an account already.")
        if person.account is not None:
            raise has_one
        chosen = self.naming.chosen(account, offer)
        hashed = await self.passwords.hash(password)
        for _ in range(_DRAWS):
            try:
                claimed = await self._store.write(partial(_claim, person.id, chosen, hashed))
            except sa.exc.IntegrityError:
                chosen = drawn(account)
            else:
                if not claimed:
                    raise has_one
                return msgspec.structs.replace(person, account=chosen)
        raise TableError("busy", "No name could be drawn; try again, or wish for another one.")

    def close(self) -> None:
        """Check no more passwords."""
        self.passwords.close()

    async def sign_in(self, account: str, password: str, agent: str = "") -> tuple[Person, str]:
        """A new session of an account."""
        if not is_account(account):
            raise TableError("wrong_password", "Account and password do not fit together.")
        query = sa.select(people).where(people.c.account == account)
        row = await self._store.read(lambda connection: connection.execute(query).first())
        if not await self.passwords.fits(row.password if row else None, password) or row is None:
            LOGINS.labels("wrong").inc()
            raise TableError("wrong_password", "Account and password do not fit together.")
        if person_of(row).is_banned():
            raise banned(row.banned_until)
        cookie = await self._keys.new_session(row.id, agent, row.password)
        LOGINS.labels("good").inc()
        return person_of(row), cookie

    async def change_password(
        self, person: Person, password: str, new: str, agent: str = ""
    ) -> str:
        """Check the old one, set the new one, end all sessions and tokens; gives a new cookie."""
        await self.check_password(person, password)
        hashed = await self.passwords.hash(new)
        await self._set_password(people.c.id == person.id, hashed)
        return await self._keys.new_session(person.id, agent, hashed)

    async def check_password(self, person: Person, password: str) -> None:
        """Whether whoever asks knows the password of the account.

        Raises:
            TableError: `wrong_password`.
        """
        query = sa.select(people.c.password).where(people.c.id == person.id)
        old = await self._store.read(lambda connection: connection.execute(query).scalar())
        if not await self.passwords.fits(old, password):
            raise TableError("wrong_password", "That is not the present password.")

    async def reset_password(
        self, account: str, code: str, new: str, agent: str = ""
    ) -> tuple[Person, str]:
        """Set a new password with a one-time code, of the host's or of a letter."""
        if not is_account(account):
            raise TableError("wrong_password", "This code is wrong, used or too old.")
        # Looked at and used up by the same statement: of two who send it at once one is late.
        good = sa.and_(
            people.c.account == account,
            people.c.reset_code == digest(code),
            people.c.reset_until > now_ms(),
        )
        hashed = await self.passwords.hash(new)
        person = await self._set_password(good, hashed)
        if person is None:
            raise TableError("wrong_password", "This code is wrong, used or too old.")
        return person, await self._keys.new_session(person.id, agent, hashed)

    async def _set_password(self, whose: sa.ColumnElement[bool], hashed: str) -> Person | None:
        """End all that was made with the old one; None where there is nobody of that kind."""

        def change(connection: sa.Connection) -> Person | None:
            row = connection.execute(
                people.update()
                .where(whose)
                .values(password=hashed, reset_code=None, reset_until=None)
                .returning(people)
            ).first()
            if row is None:
                return None
            # Whoever knew the old one may have made a token too.
            end_all(connection, row.id)
            return person_of(row)

        return await self._store.write(change)

    async def reached(self, known: str) -> list[Person]:
        """Accounts with a confirmed e-mail address, by their name or by that address."""
        if is_mail(known):
            named = sa.func.lower(people.c.mail) == known.lower()
        elif is_account(known):
            named = people.c.account == known
        else:
            return []
        query = (
            sa.select(people)
            .where(named, people.c.account.is_not(None), people.c.mail.is_not(None))
            .order_by(people.c.created.desc())
            .limit(_ACCOUNTS_OF_MAIL)
        )
        rows = await self._store.read(lambda connection: connection.execute(query).all())
        return [person_of(row) for row in rows]

    async def reset_code(self, account: str) -> str | None:
        """A one-time code; the one before is worthless."""
        return await self._store.write(lambda connection: set_reset_code(connection, account))


def _claim(person: str, account: str, hashed: str, connection: sa.Connection) -> bool:
    """Whether this guest is that account now; not if he has become one meanwhile.

    What was the guest's to show or to be told (sessions, tokens, addresses) may have been planted by
    somebody.
    """
    change = (
        people.update()
        .where(people.c.id == person, people.c.account.is_(None))
        .values(account=account, password=hashed, mail=None)
    )
    if connection.execute(change.returning(people.c.id)).first() is None:
        return False
    end_all(connection, person)
    connection.execute(pushes.delete().where(pushes.c.person == person))
    return True
