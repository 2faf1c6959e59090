"""Names of new accounts: a wish, and figures drawn by lot.

Accounts are named by people, and a form that says "this name is taken" tells who has one. So every
name gets figures, one wish serves many, and no answer depends on who is here already.
"""

from __future__ import annotations

import re
import secrets
import unicodedata

from itsdangerous import BadSignature, TimestampSigner

from hansa.server.errors import TableError
from hansa.server.wire.people import AccountOffer

__all__ = ["Naming", "drawn", "is_account"]

_ACCOUNT = re.compile(r"[a-z0-9_-]{3,32}")
#: Letters that figures leave room for.
_LONGEST = 26
#: Whose name has no letter of the Latin alphabet.
_NAMELESS = "hansa"
#: Seconds for which an offer holds.
_HOLDS = 3600


def is_account(text: str) -> bool:
    """Whether an account could have that name; those from before figures were drawn have none."""
    return _ACCOUNT.fullmatch(text) is not None


def drawn(wish: str) -> str:
    """The wish as an account's name, with figures.

    >>> drawn("Hinrik Castorp")[:15]
    'hinrik-castorp-'
    """
    letters = unicodedata.normalize("NFKD", wish).encode("ascii", "ignore").decode().lower()
    stem = re.sub(r"[^a-z0-9_]+", "-", letters)[:_LONGEST].strip("-_")
    return f"{stem or _NAMELESS}-{1000 + secrets.randbelow(9000)}"


class Naming:
    """Offers names, and knows its own offers again."""

    def __init__(self) -> None:
        self._seal: TimestampSigner | None = None

    def start(self, key: str) -> None:
        """Take the server's signing key."""
        self._seal = TimestampSigner(key, salt="hansa.account")

    def _sealing(self) -> TimestampSigner:
        if self._seal is None:
            raise TableError("busy", "The server is still starting; try again in a moment.")
        return self._seal

    def offer(self, wish: str) -> AccountOffer:
        """A name to register with: whoever sees it before can have his browser remember it."""
        account = drawn(wish)
        return AccountOffer(account=account, offer=self._sealing().sign(account).decode())

    def chosen(self, account: str, offer: str | None) -> str:
        """The name of a new account: the one offered, or what is drawn for the wish now.

        Raises:
            TableError: `bad_name`.
        """
        if not is_account(account):
            raise TableError(
                "bad_name", "An account name has 3 to 32 of the characters a-z, 0-9, _ and -."
            )
        try:
            offered = self._sealing().unsign(offer or "", max_age=_HOLDS).decode()
        except BadSignature:
            offered = ""
        return account if account == offered else drawn(account)
