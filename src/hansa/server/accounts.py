"""People: guests by a signed cookie, accounts by a password, programs by a token.

Of every secret (session, token, reset code) only a hash is stored, of passwords an argon2 hash.
"""

from __future__ import annotations

import hashlib
import secrets
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Any

import msgspec
import sqlalchemy as sa
from itsdangerous import BadSignature, Signer

from hansa.server import text
from hansa.server.errors import TableError
from hansa.server.mailing import is_mail
from hansa.server.metrics import LOGINS
from hansa.server.model import Person, new_id, now_ms
from hansa.server.naming import Naming, drawn, is_account
from hansa.server.passwords import Passwords
from hansa.server.schema import people, sessions, settings, tokens
from hansa.server.wire.people import NewToken, Session, Token

if TYPE_CHECKING:
    from hansa.server.store import Store

__all__ = ["Accounts", "banned", "digest", "still_good"]

#: Draws in which figures nobody has are found: there are nine thousand for every wish.
_DRAWS = 20
#: Accounts of one mailbox that a letter about a forgotten password can be for.
_ACCOUNTS_OF_MAIL = 3
_DAY = 86_400_000
_SESSION_DAYS = 400
_MOST_TOKENS = 20
#: Sessions of one person; whoever signs in once more ends the oldest.
_MOST_SESSIONS = 50
#: A query takes so many names at once.
_SOME = 500
#: The end of the year 9999: a ban for ever is said to last until then.
_LAST = 253_402_300_799_000


def digest(secret: str) -> str:
    """What is stored instead of a random secret."""
    return hashlib.sha256(secret.encode()).hexdigest()


def _person(row: Any) -> Person:
    return Person(
        id=row.id,
        name=row.name,
        account=row.account,
        mail=row.mail,
        admin=bool(row.admin),
        banned=row.banned_until,
    )


def load_person(connection: sa.Connection, person: str) -> Person | None:
    """The person of that id."""
    row = connection.execute(sa.select(people).where(people.c.id == person)).first()
    return _person(row) if row else None


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


def still_good(connection: sa.Connection, keys: set[str]) -> set[str]:
    """Which of these stored names of sessions and tokens have not been ended, nor their people
    banned.
    """
    listed, good = sorted(keys), set[str]()
    for some in range(0, len(listed), _SOME):
        part = listed[some : some + _SOME]
        for table in (sessions, tokens):
            query = (
                sa.select(table.c.key)
                .join(people, people.c.id == table.c.person)
                .where(
                    table.c.key.in_(part), sa.func.coalesce(people.c.banned_until, 0) <= now_ms()
                )
            )
            good |= set(connection.execute(query).scalars())
    return good


class Accounts:
    """Who is asking, and everything people change about themselves."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._signer: Signer | None = None
        self.naming = Naming()
        self.passwords = Passwords()

    async def start(self) -> str:
        """Read the signing key, or make it on the very first start; gives it."""
        try:
            key = await self._store.write(_signing_key)
        except sa.exc.IntegrityError:
            # Another process made one in the same moment: that one counts.
            key = await self._store.write(_signing_key)
        self._signer = Signer(key, salt="hansa.session")
        self.naming.start(key)
        return key

    def _unsign(self, cookie: str) -> str | None:
        if self._signer is None:
            return None
        try:
            return self._signer.unsign(cookie).decode()
        except (BadSignature, UnicodeDecodeError):
            return None

    def session_key(self, cookie: str | None) -> str | None:
        """The stored name of the cookie's session; None for a forged one."""
        session = self._unsign(cookie) if cookie else None
        return digest(session) if session else None

    async def by_cookie(self, cookie: str | None) -> Person | None:
        """The person of a session that has not been ended."""
        key = self.session_key(cookie)
        if key is None:
            return None
        oldest = now_ms() - _SESSION_DAYS * _DAY

        def find(connection: sa.Connection) -> Person | None:
            query = (
                sa.select(people)
                .join(sessions, sessions.c.person == people.c.id)
                .where(sessions.c.key == key, sessions.c.created > oldest)
            )
            row = connection.execute(query).first()
            return _person(row) if row else None

        return await self._store.read(find)

    async def by_token(self, token: str) -> Person:
        """The person of an API token.

        Raises:
            TableError: `bad_token`.
        """

        def find(connection: sa.Connection) -> Person | None:
            query = (
                sa.select(people)
                .join(tokens, tokens.c.person == people.c.id)
                .where(tokens.c.key == digest(token))
            )
            row = connection.execute(query).first()
            return _person(row) if row else None

        person = await self._store.read(find)
        if person is None:
            raise TableError("bad_token", "This API token does not exist or was deleted.")
        return person

    async def guest(self, name: str | None, agent: str = "") -> tuple[Person, str]:
        """A new guest and the cookie to set."""
        shown = text.name(name) if name else f"Guest {secrets.randbelow(9000) + 1000}"
        person = Person(id=new_id(), name=shown)
        session = secrets.token_urlsafe(32)

        def add(connection: sa.Connection) -> None:
            row = {"id": person.id, "name": person.name, "created": now_ms()}
            connection.execute(people.insert(), row)
            _add_session(connection, person.id, session, agent)

        await self._store.write(add)
        return person, self._sign(session)

    def _sign(self, session: str) -> str:
        if self._signer is None:
            raise TableError("busy", "The server is still starting; try again in a moment.")
        return self._signer.sign(session.encode()).decode()

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
        if _person(row).is_banned():
            raise banned(row.banned_until)
        LOGINS.labels("good").inc()
        return _person(row), await self.new_session(row.id, agent)

    async def new_session(self, person: str, agent: str) -> str:
        """The cookie of a session that nobody has ever seen."""
        session = secrets.token_urlsafe(32)
        await self._store.write(lambda connection: _add_session(connection, person, session, agent))
        return self._sign(session)

    async def sessions(self, person: Person, here: str | None) -> list[Session]:
        """Where this person is signed in, the newest first; `here` is the key of who asks."""
        query = sa.select(sessions).where(sessions.c.person == person.id)
        ordered = query.order_by(sessions.c.created.desc(), sessions.c.id)
        rows = await self._store.read(lambda connection: connection.execute(ordered).all())
        return [
            Session(id=r.id, created=r.created, agent=r.agent or "", here=r.key == here)
            for r in rows
        ]

    async def end_session(self, person: Person, session: str) -> None:
        """Make one session worthless."""
        mine = sa.and_(sessions.c.id == session, sessions.c.person == person.id)
        await self._store.write(
            lambda connection: connection.execute(sessions.delete().where(mine))
        )

    async def end_others(self, person: Person, here: str | None) -> None:
        """Make everything worthless that lets somebody be this person, but for `here`."""
        others = sa.and_(sessions.c.person == person.id, sessions.c.key != (here or ""))

        def end(connection: sa.Connection) -> None:
            connection.execute(sessions.delete().where(others))
            connection.execute(tokens.delete().where(tokens.c.person == person.id))

        await self._store.write(end)

    async def sign_out(self, cookie: str | None) -> None:
        """End the cookie's session."""
        key = self.session_key(cookie)
        if key is not None:
            await self._store.write(
                lambda connection: connection.execute(
                    sessions.delete().where(sessions.c.key == key)
                )
            )

    async def change_password(
        self, person: Person, password: str, new: str, agent: str = ""
    ) -> str:
        """Check the old one, set the new one, end all sessions and tokens; gives a new cookie."""
        await self.check_password(person, password)
        await self._set_password(people.c.id == person.id, await self.passwords.hash(new))
        return await self.new_session(person.id, agent)

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
        person = await self._set_password(good, await self.passwords.hash(new))
        if person is None:
            raise TableError("wrong_password", "This code is wrong, used or too old.")
        return person, await self.new_session(person.id, agent)

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
            _end_all(connection, row.id)
            return _person(row)

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
        return [_person(row) for row in rows]

    async def reset_code(self, account: str) -> str | None:
        """A one-time code; the one before is worthless."""
        return await self._store.write(lambda connection: set_reset_code(connection, account))

    async def tokens(self, person: Person) -> list[Token]:
        """The person's API tokens without their secrets."""
        query = (
            sa.select(tokens.c.id, tokens.c.name, tokens.c.created)
            .where(tokens.c.person == person.id)
            .order_by(tokens.c.created)
        )
        rows = await self._store.read(lambda connection: connection.execute(query).all())
        return [Token(id=row.id, name=row.name, created=row.created) for row in rows]

    async def add_token(self, person: Person, name: str) -> NewToken:
        """A new API token; its secret is in the answer and nowhere else."""
        secret = f"hansa_{secrets.token_urlsafe(32)}"
        made = NewToken(id=new_id(), name=text.name(name), created=now_ms(), token=secret)
        row = {
            "id": made.id,
            "key": digest(secret),
            "person": person.id,
            "name": made.name,
            "created": made.created,
        }
        count = sa.select(sa.func.count()).select_from(tokens).where(tokens.c.person == person.id)

        def add(connection: sa.Connection) -> None:
            if connection.execute(count).scalar_one() >= _MOST_TOKENS:
                raise TableError("too_many", f"{_MOST_TOKENS} tokens are enough; delete one first.")
            connection.execute(tokens.insert(), row)

        await self._store.write(add)
        return made

    async def delete_token(self, person: Person, token: str) -> None:
        """Make a token worthless."""
        await self._store.write(
            lambda connection: connection.execute(
                tokens.delete().where(tokens.c.id == token, tokens.c.person == person.id)
            )
        )


def _claim(person: str, account: str, hashed: str, connection: sa.Connection) -> bool:
    """Whether this guest is that account now; not if he has become one meanwhile.

    What was the guest's to show (sessions, tokens, an address) may have been planted by somebody.
    """
    change = (
        people.update()
        .where(people.c.id == person, people.c.account.is_(None))
        .values(account=account, password=hashed, mail=None)
    )
    if connection.execute(change.returning(people.c.id)).first() is None:
        return False
    _end_all(connection, person)
    return True


def _end_all(connection: sa.Connection, person: str) -> None:
    """Nothing but the password makes anybody this person from now on."""
    for table in (sessions, tokens):
        connection.execute(table.delete().where(table.c.person == person))


def _signing_key(connection: sa.Connection) -> str:
    query = sa.select(settings.c.value).where(settings.c.name == "signing_key")
    key = connection.execute(query).scalar()
    if key is None:
        key = secrets.token_urlsafe(48)
        connection.execute(settings.insert(), {"name": "signing_key", "value": key})
    return str(key)


def _add_session(connection: sa.Connection, person: str, session: str, agent: str) -> None:
    row = {"key": digest(session), "person": person, "created": now_ms()}
    said = text.clean(agent)[:200]
    connection.execute(sessions.insert(), row | {"id": new_id(), "agent": said})
    newest = sa.select(sessions.c.key).where(sessions.c.person == person)
    newest = newest.order_by(sessions.c.created.desc(), sessions.c.id).limit(_MOST_SESSIONS)
    connection.execute(
        sessions.delete().where(sessions.c.person == person, sessions.c.key.not_in(newest))
    )
