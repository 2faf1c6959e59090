"""HTTP: guests, accounts, tokens (protocol, section 1)."""

from litestar import Controller, delete, get, post
from litestar.params import FromPath, JSONBody
from litestar.status_codes import HTTP_200_OK, HTTP_201_CREATED

from hansa.server.border import Caller, TheCaller, TheHub, checked_id
from hansa.server.errors import TableError
from hansa.server.hub import Hub
from hansa.server.model import Person
from hansa.server.wire.answers import Deleted
from hansa.server.wire.order import Done
from hansa.server.wire.people import (
    AccountOffer,
    AccountWish,
    Credentials,
    Me,
    Myself,
    NameWish,
    NewPassword,
    NewToken,
    PasswordReset,
    PersonFace,
    Recovery,
    Registration,
    Sessions,
    Tokens,
    TokenWish,
)

__all__ = ["PeopleRoutes"]


def _face(person: Person) -> PersonFace:
    return PersonFace(
        id=person.id,
        name=person.name,
        account=person.account,
        guest=person.account is None,
        admin=person.admin,
    )


def _me(person: Person | None) -> Me:
    return Me(person=_face(person) if person is not None else None)


async def _end_session(hub: Hub, caller: Caller) -> None:
    """The session that somebody came with is over, and so is what is open of it.

    When he signs in, too: a cookie that was planted there is worth nothing.
    """
    await hub.keys.sign_out(caller.cookie())
    if caller.person is not None:
        await hub.standing.changed(caller.person.id)


class PeopleRoutes(Controller):
    """Who one is."""

    path = "/api"
    tags = ("people",)

    @get("/me")
    async def me(self, hub: TheHub, caller: TheCaller) -> Myself:
        """Who is asking, and how this server can tell people who are away."""
        return Myself(person=_me(caller.person).person, ways=hub.postman.ways)

    @post("/me", status_code=HTTP_200_OK)
    async def name_me(self, hub: TheHub, caller: TheCaller, data: JSONBody[NameWish]) -> Me:
        """Become a guest if one is nobody yet, and set the display name."""
        new = caller.person is None
        person = await caller.somebody(data.name)
        if data.name and not new:
            person = await hub.accounts.rename(person, data.name)
        return _me(person)

    @get("/me/tokens")
    async def tokens(self, hub: TheHub, caller: TheCaller) -> Tokens:
        """One's API tokens, without their secrets."""
        return Tokens(tokens=await hub.keys.tokens(caller.owner()))

    @get("/me/sessions")
    async def sessions(self, hub: TheHub, caller: TheCaller) -> Sessions:
        """Where one is signed in."""
        return Sessions(sessions=await hub.keys.sessions(caller.owner(), caller.session))

    @delete("/me/sessions/{session_id:str}", status_code=HTTP_200_OK)
    async def end_session(
        self, hub: TheHub, caller: TheCaller, session_id: FromPath[str]
    ) -> Sessions:
        """End one session; its open WebSockets are closed."""
        person = caller.owner()
        await hub.keys.end_session(person, checked_id(session_id))
        await hub.standing.changed(person.id)
        return Sessions(sessions=await hub.keys.sessions(person, caller.session))

    @delete("/me/sessions", status_code=HTTP_200_OK)
    async def end_others(self, hub: TheHub, caller: TheCaller) -> Sessions:
        """End every other session and every token."""
        person = caller.owner()
        await hub.keys.end_others(person, caller.session)
        await hub.standing.changed(person.id)
        return Sessions(sessions=await hub.keys.sessions(person, caller.session))

    @post("/me/tokens", status_code=HTTP_201_CREATED)
    async def add_token(
        self, hub: TheHub, caller: TheCaller, data: JSONBody[TokenWish]
    ) -> NewToken:
        """A new API token; its secret is shown this once."""
        return await hub.keys.add_token(caller.owner(), caller.session, data.name)

    @delete("/me/tokens/{token_id:str}", status_code=HTTP_200_OK)
    async def delete_token(
        self, hub: TheHub, caller: TheCaller, token_id: FromPath[str]
    ) -> Deleted:
        """Make a token worthless."""
        person = caller.owner()
        await hub.keys.delete_token(person, checked_id(token_id))
        await hub.standing.changed(person.id)
        return Deleted()

    @post("/account/name", status_code=HTTP_200_OK)
    async def offer_name(
        self, hub: TheHub, caller: TheCaller, data: JSONBody[AccountWish]
    ) -> AccountOffer:
        """A name for a new account, as wished and with figures; who has one is not looked at."""
        hub.check_offer(caller.address)
        return hub.accounts.naming.offer(data.wish)

    @post("/account", status_code=HTTP_200_OK)
    async def register(self, hub: TheHub, caller: TheCaller, data: JSONBody[Registration]) -> Me:
        """Turn the guest into an account; all sessions, tokens and the address of the guest end.

        The account is called as offered, or as wished and with figures: nobody is told that a name
        is taken. Counted by address, not by guest.
        """
        person = await caller.somebody()
        if caller.program:
            caller.owner()
        hub.check_registration(caller.address)
        person = await hub.accounts.register(person, data.account, data.password, data.offer)
        caller.set_cookie(await hub.keys.new_session(person.id, caller.agent))
        await hub.standing.changed(person.id)
        return _me(person)

    @post("/session", status_code=HTTP_200_OK)
    async def sign_in(self, hub: TheHub, caller: TheCaller, data: JSONBody[Credentials]) -> Me:
        """Sign in."""
        hub.check_login(caller.address, data.account)
        person, cookie = await hub.accounts.sign_in(data.account, data.password, caller.agent)
        await _end_session(hub, caller)
        caller.set_cookie(cookie)
        return _me(person)

    @delete("/session", status_code=HTTP_200_OK)
    async def sign_out(self, hub: TheHub, caller: TheCaller) -> Me:
        """Sign out: the cookie is worthless afterwards, also when replayed.

        Open WebSockets of this session are closed too.
        """
        await _end_session(hub, caller)
        caller.set_cookie(None)
        return _me(None)

    @post("/account/password", status_code=HTTP_200_OK)
    async def change_password(
        self, hub: TheHub, caller: TheCaller, data: JSONBody[NewPassword]
    ) -> Me:
        """Change the password; every other session and every token ends."""
        person = caller.owner()
        hub.check_password(caller.address, person)
        caller.set_cookie(
            await hub.accounts.change_password(person, data.password, data.new, caller.agent)
        )
        await hub.standing.changed(person.id)
        return _me(person)

    @post("/account/forgotten", status_code=HTTP_200_OK)
    async def forgotten(self, hub: TheHub, caller: TheCaller, data: JSONBody[Recovery]) -> Done:
        """Write a one-time code to the account's confirmed e-mail address.

        The answer is the same whether there is such an account, and an address, or not.
        """
        if not hub.config.sends_mail:
            raise TableError("not_allowed", "This server sends no e-mail: ask its host.")
        hub.check_recovery(caller.address, data.account)
        hub.spawn(hub.recover(data.account, data.lang))
        return Done()

    @post("/account/reset", status_code=HTTP_200_OK)
    async def reset_password(
        self, hub: TheHub, caller: TheCaller, data: JSONBody[PasswordReset]
    ) -> Me:
        """Set a new password with a one-time code, of a letter or of the host (`hansa admin
        reset-code NAME`); every session and token ends.
        """
        hub.check_login(caller.address, data.account)
        person, cookie = await hub.accounts.reset_password(
            data.account, data.code, data.new, caller.agent
        )
        await _end_session(hub, caller)
        await hub.standing.changed(person.id)
        caller.set_cookie(cookie)
        return _me(person)
