"""How people who are away are told: e-mail, push, the webhook of a table."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from hansa.server.wire.words import Millis

__all__ = [
    "Calls",
    "Device",
    "HookService",
    "HookWish",
    "Lang",
    "MailWish",
    "PushWish",
    "TestWish",
    "Tested",
    "Ways",
]

Lang = Literal["en", "de", "ja"]
HookService = Literal["discord", "slack", "json"]


class MailWish(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """An e-mail address to write to, once the letter sent there has been answered."""

    address: Annotated[str, Meta(max_length=254)]
    lang: Lang = "en"
    password: Annotated[
        str, Meta(max_length=400, description="of one's account; guests have none")
    ] = ""


class PushWish(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """What a browser says of its push subscription."""

    endpoint: Annotated[str, Meta(max_length=1000)]
    p256dh: Annotated[str, Meta(max_length=120, pattern="^[A-Za-z0-9_-]{86,88}=*$")]
    auth: Annotated[str, Meta(max_length=40, pattern="^[A-Za-z0-9_-]{22}=*$")]
    lang: Lang = "en"


class TestWish(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """Which way to try."""

    way: Literal["mail", "push"]


class HookWish(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """The webhook of a table, as its service shows it; nobody is shown it again."""

    service: HookService
    address: Annotated[str, Meta(max_length=1000)]
    lang: Lang = "en"


class Ways(msgspec.Struct, kw_only=True):
    """How this server can tell people who are away; what its host has not set up is off."""

    mail: bool
    push: Annotated[
        str | None, Meta(description="the key a browser subscribes with; null: no push here")
    ]
    webhooks: list[HookService]


class Device(msgspec.Struct, kw_only=True):
    """A browser that is told by push."""

    id: str
    created: Millis


class Calls(msgspec.Struct, kw_only=True):
    """How one is told."""

    mail: Annotated[str | None, Meta(description="the address in use")]
    asked: Annotated[
        str | None, Meta(description="the address a letter has just gone to; it must be answered")
    ] = None
    devices: list[Device]


class Tested(msgspec.Struct, kw_only=True):
    """What came of a message sent to try."""

    outcome: Annotated[
        Literal["sent", "later", "never"],
        Meta(description="`later`: not taken now, tried again; `never`: refused for good"),
    ]
