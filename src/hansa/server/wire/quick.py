"""Quick games: whoever wants the same is seated together."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from hansa.server.wire.table import Clock
from hansa.server.wire.words import BotName, Millis

__all__ = ["Quick", "QuickKind", "QuickWish", "Seekers", "Seeking"]


class QuickKind(msgspec.Struct, kw_only=True, frozen=True, forbid_unknown_fields=True):
    """What those who play together have to agree on."""

    players: Annotated[int, Meta(ge=2, le=5)]
    clock: Clock | None = None
    rated: bool = False


class QuickWish(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """A game soon: sent again every few seconds, for whoever falls silent is not seated."""

    kind: QuickKind
    machines_after: Annotated[
        Annotated[float, Meta(ge=0, le=3600)] | None,
        Meta(
            description="seconds of waiting after which machines take the free seats; null: never"
        ),
    ] = None
    bot: Annotated[BotName | None, Meta(description="which machines; null: the usual ones")] = None


class Quick(msgspec.Struct, kw_only=True):
    """How far the search is."""

    game: Annotated[str | None, Meta(description="the table that was found")]
    waiting: Annotated[int, Meta(description="how many wait for the same, oneself included")]
    until: Annotated[Millis | None, Meta(description="when machines take the free seats")]


class Seeking(msgspec.Struct, kw_only=True):
    """People who wait for the same."""

    players: int
    clock: Clock | None
    rated: bool
    waiting: int


class Seekers(msgspec.Struct, kw_only=True):
    """Who waits for a quick game just now."""

    seekers: list[Seeking]
