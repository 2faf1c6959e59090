"""Web Push: what a browser told us, made into an encrypted message for its own push service.

The library encrypts (RFC 8291) and signs (VAPID); the door sends.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import sqlalchemy as sa
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    PublicFormat,
    load_pem_private_key,
)
from webpush import WebPush, WebPushSubscription
from webpush.vapid import VAPID

from hansa.server.errors import TableError
from hansa.server.outward import Target, parse
from hansa.server.schema import settings

if TYPE_CHECKING:
    from hansa.server.config import Config
    from hansa.server.store import Store
    from hansa.server.wire.calls import PushWish

__all__ = ["Pushing"]

#: Seconds for which a push service keeps a message for a device that is off.
_KEPT = 86_400


class Pushing:
    """The server's key, and messages made with it."""

    def __init__(self, store: Store, config: Config) -> None:
        self._store, self._config = store, config
        self._push: WebPush | None = None
        #: What browsers must know of the key.
        self.key: str | None = None

    async def start(self) -> None:
        """Read the key, or make it at the very first start."""
        try:
            private = await self._store.write(_vapid_key)
        except sa.exc.IntegrityError:
            # Another process made one in the same moment: that one counts.
            private = await self._store.write(_vapid_key)
        public = load_pem_private_key(private, None).public_key()
        readable = public.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
        host = urlsplit(self._config.public_url).hostname or "localhost"
        contact = self._config.mail_from or f"hansa@{host}"
        self._push = WebPush(private, readable, subscriber=contact, ttl=_KEPT)
        self.key = VAPID.get_application_server_key(public)

    def target(self, endpoint: str) -> Target:
        """Where a browser wants its messages: at one of the known push services.

        Raises:
            TableError: `not_allowed` or `bad_request`.
        """
        target = parse(endpoint, private=self._config.notify_private)
        known = self._config.push_services
        if not any(target.host == host or target.host.endswith(f".{host}") for host in known):
            raise TableError("not_allowed", f"{target.host} is no push service known here.")
        return target

    def message(self, wish: PushWish, text: bytes) -> tuple[bytes, dict[str, str]]:
        """Body and headers that only that browser can read.

        Raises:
            TableError: `bad_request` if its keys are none.
        """
        if self._push is None:
            raise TableError("busy", "The server is still starting; try again in a moment.")
        try:
            made = self._push.get(
                text,
                WebPushSubscription.model_validate(
                    {"endpoint": wish.endpoint, "keys": {"p256dh": wish.p256dh, "auth": wish.auth}}
                ),
            )
        except (ValueError, UnsupportedAlgorithm) as error:
            raise TableError("bad_request", "These are no keys of a push subscription.") from error
        return made.encrypted, {**made.headers, "Urgency": "high"}


def _vapid_key(connection: sa.Connection) -> bytes:
    query = sa.select(settings.c.value).where(settings.c.name == "vapid_key")
    key = connection.execute(query).scalar()
    if key is None:
        key = VAPID.generate_keys()[0].decode()
        connection.execute(settings.insert(), {"name": "vapid_key", "value": key})
    return str(key).encode()
