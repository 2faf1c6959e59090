"""People: guests, accounts, tokens."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from hansa.server.wire.calls import Lang, Ways
from hansa.server.wire.words import Millis, Name

__all__ = [
    "AccountOffer",
    "AccountWish",
    "Credentials",
    "Me",
    "Myself",
    "NameWish",
    "NewPassword",
    "NewToken",
    "PasswordReset",
    "PersonFace",
    "Recovery",
    "Registration",
    "Session",
    "Sessions",
    "Token",
    "TokenWish",
    "Tokens",
]

Secret = Annotated[str, Meta(max_length=400)]


class NameWish(msgspec.Struct, forbid_unknown_fields=True):
    """A display name of 1 to 40 characters."""

    name: Name | None = None


class Credentials(msgspec.Struct, forbid_unknown_fields=True):
    """An account (3 to 32 of `a–z 0–9 _ -`) and its password (8 to 200 characters)."""

    account: Name
    password: Secret


class AccountWish(msgspec.Struct, forbid_unknown_fields=True):
    """What an account should be called, in whatever letters."""

    wish: Name


class AccountOffer(msgspec.Struct, kw_only=True):
    """A name for a new account: the wish and four figures drawn by lot."""

    account: str
    offer: Annotated[str, Meta(description="to be sent with the name within an hour")]


class Registration(Credentials, forbid_unknown_fields=True):
    """An account's name and its password; without an offer figures are put behind the name."""

    offer: Secret | None = None


class NewPassword(msgspec.Struct, forbid_unknown_fields=True):
    """The old password and the new one."""

    password: Secret
    new: Secret


class PasswordReset(msgspec.Struct, forbid_unknown_fields=True):
    """An account, the host's one-time code and the new password."""

    account: Name
    code: Name
    new: Secret


class Recovery(msgspec.Struct, forbid_unknown_fields=True):
    """Whose password is forgotten, and the language of the letter."""

    account: Annotated[Name, Meta(description="the account, or its confirmed e-mail address")]
    lang: Lang = "en"


class TokenWish(msgspec.Struct, forbid_unknown_fields=True):
    """What a token is for."""

    name: Name


class PersonFace(msgspec.Struct, kw_only=True):
    """Who one is."""

    id: str
    name: str
    account: str | None
    guest: bool
    admin: bool


class Me(msgspec.Struct, kw_only=True):
    """Who is asking; null: nobody yet."""

    person: PersonFace | None


class Myself(Me, kw_only=True):
    """Who is asking, and how this server can tell people who are away."""

    ways: Ways


class Token(msgspec.Struct, kw_only=True):
    """An API token without its secret."""

    id: str
    name: str
    created: Millis


class NewToken(Token, kw_only=True):
    """An API token with its secret, shown this once."""

    token: str


class Tokens(msgspec.Struct, kw_only=True):
    """One's API tokens."""

    tokens: list[Token]


class Session(msgspec.Struct, kw_only=True):
    """A browser that is signed in."""

    id: str
    created: Millis
    agent: Annotated[str, Meta(description="what the browser said of itself")]
    here: Annotated[bool, Meta(description="the one that asks")]


class Sessions(msgspec.Struct, kw_only=True):
    """Where one is signed in, the newest first."""

    sessions: list[Session]
