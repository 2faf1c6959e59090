"""What lets somebody be a person: the signed cookie of a browser, the token of a program.

Of each only a hash is stored.
"""

from __future__ import annotations

import hashlib
import secrets
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa
from itsdangerous import BadSignature, Signer

from hansa.server import text
from hansa.server.errors import TableError
from hansa.server.model import Person, new_id, now_ms
from hansa.server.schema import people, sessions, settings, tokens
from hansa.server.wire.people import NewToken, Session, Token

if TYPE_CHECKING:
    from hansa.server.store import Store

__all__ = [
    "Keys",
    "add_session",
    "check_same",
    "digest",
    "end_all",
    "load_person",
    "person_of",
    "still_good",
]

_DAY = 86_400_000
_SESSION_DAYS = 400
_MOST_TOKENS = 20
#: Sessions of one person; whoever signs in once more ends the oldest.
_MOST_SESSIONS = 50
#: A query takes so many names at once.
_SOME = 500


def digest(secret: str) -> str:
    """What is stored instead of a random secret."""
    return hashlib.sha256(secret.encode()).hexdigest()


def person_of(row: Any) -> Person:
    """Somebody as the store has him."""
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
    return person_of(row) if row else None


def check_same(connection: sa.Connection, person: Person, *, hold: bool = True) -> None:
    """Whether a guest who asked for something is one still, and with `hold` until it is done.

    His cookie may have been planted: whoever knows it says no password, and has nothing done to the
    account that was made of the guest meanwhile.

    Raises:
        TableError: `who_are_you`.
    """
    query = sa.select(people.c.account).where(people.c.id == person.id)
    if hold:
        query = query.with_for_update(key_share=True)
    if connection.execute(query).scalar() != person.account:
        raise TableError("who_are_you", "This guest has an account now: sign in.")


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


def end_all(connection: sa.Connection, person: str) -> None:
    """Nothing but the password makes anybody this person from now on.

    The sessions first: a token is made while its session is held (`Keys.add_token`).
    """
    for table in (sessions, tokens):
        connection.execute(table.delete().where(table.c.person == person))


def add_session(connection: sa.Connection, person: str, session: str, agent: str) -> None:
    """A further session of somebody; the oldest of too many ends."""
    row = {"key": digest(session), "person": person, "created": now_ms()}
    said = text.clean(agent)[:200]
    connection.execute(sessions.insert(), row | {"id": new_id(), "agent": said})
    newest = sa.select(sessions.c.key).where(sessions.c.person == person)
    newest = newest.order_by(sessions.c.created.desc(), sessions.c.id).limit(_MOST_SESSIONS)
    connection.execute(
        sessions.delete().where(sessions.c.person == person, sessions.c.key.not_in(newest))
    )


class Keys:
    """Who is asking; sessions and tokens, made, shown and ended."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._signer: Signer | None = None

    async def start(self) -> str:
        """Read the signing key, or make it on the very first start; gives it."""
        try:
            key = await self._store.write(_signing_key)
        except sa.exc.IntegrityError:
            # Another process made one in the same moment: that one counts.
            key = await self._store.write(_signing_key)
        self._signer = Signer(key, salt="hansa.session")
        return key

    def sign(self, session: str) -> str:
        """The cookie of a session."""
        if self._signer is None:
            raise TableError("busy", "The server is still starting; try again in a moment.")
        return self._signer.sign(session.encode()).decode()

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
            return person_of(row) if row else None

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
            return person_of(row) if row else None

        person = await self._store.read(find)
        if person is None:
            raise TableError("bad_token", "This API token does not exist or was deleted.")
        return person

    async def new_session(self, person: str, agent: str, password: str | None = None) -> str:
        """The cookie of a session that nobody has ever seen; `password` is the stored one that let him in.

        Raises:
            TableError: `wrong_password` where that is another one by now: who signs in while it is
                changed would have a session that outlives it.
        """
        session = secrets.token_urlsafe(32)
        same = sa.select(people.c.id).where(people.c.id == person, people.c.password == password)

        def add(connection: sa.Connection) -> None:
            # Beside whoever only names him, as every change of a table where he sits does.
            held = same.with_for_update(key_share=True)
            if password and connection.execute(held).first() is None:
                raise TableError("wrong_password", "The password was changed just now.")
            add_session(connection, person, session, agent)

        await self._store.write(add)
        return self.sign(session)

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

    async def tokens(self, person: Person) -> list[Token]:
        """The person's API tokens without their secrets."""
        query = (
            sa.select(tokens.c.id, tokens.c.name, tokens.c.created)
            .where(tokens.c.person == person.id)
            .order_by(tokens.c.created)
        )
        rows = await self._store.read(lambda connection: connection.execute(query).all())
        return [Token(id=row.id, name=row.name, created=row.created) for row in rows]

    async def add_token(self, person: Person, session: str | None, name: str) -> NewToken:
        """A new API token; its secret is in the answer and nowhere else.

        `session` is the key of who asks: where it was ended meanwhile, by a new password perhaps, he is
        nobody any more.
        """
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
        owner = sa.select(people.c.id).where(people.c.id == person.id)
        here = sa.select(sessions.c.id).where(sessions.c.key == session)

        def add(connection: sa.Connection) -> None:
            # In the order in which a registration and a new password take them.
            connection.execute(owner.with_for_update(key_share=True))
            if connection.execute(here.with_for_update()).first() is None:
                raise TableError("who_are_you", "This session has been ended: sign in again.")
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


def _signing_key(connection: sa.Connection) -> str:
    query = sa.select(settings.c.value).where(settings.c.name == "signing_key")
    key = connection.execute(query).scalar()
    if key is None:
        key = secrets.token_urlsafe(48)
        connection.execute(settings.insert(), {"name": "signing_key", "value": key})
    return str(key)
