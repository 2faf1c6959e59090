"""Whom one follows, whom one does not want to meet, and who invites one."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from hansa.server.wire.ratings import PersonName
from hansa.server.wire.words import Millis

__all__ = ["Circle", "Friend", "InvitationWish", "Invited", "TieWish"]

#: What somebody is to one.
TieKind = Literal["follow", "block"]


class TieWish(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """Follow somebody, or block: whoever is blocked does not sit down with one, nor is heard."""

    kind: TieKind


class InvitationWish(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """Whom to ask to a table."""

    person: Annotated[str, Meta(max_length=24)]


class Friend(msgspec.Struct, kw_only=True):
    """Somebody one follows."""

    person: PersonName
    here: Annotated[bool, Meta(description="the page was open within the last two minutes")]
    game: Annotated[str | None, Meta(description="a listed game that this person plays now")]


class Invited(msgspec.Struct, kw_only=True):
    """Somebody asks one to a table that waits for players."""

    game: str
    by: PersonName
    at: Millis


class Circle(msgspec.Struct, kw_only=True):
    """The people around somebody."""

    follows: Annotated[list[Friend], Meta(description="those who are here first")]
    blocks: list[PersonName]
    invitations: Annotated[list[Invited], Meta(description="the newest first")]
