"""The set-up of a game as it travels: read off `hansa.setup.Setup`, whose options stand there alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypedDict, get_type_hints

import msgspec
from msgspec import Meta

from hansa.setup import Setup

__all__ = [
    "SWITCHES",
    "BoardNames",
    "BotFace",
    "Bots",
    "ClockLimits",
    "DuelGate",
    "EditionGates",
    "GameSetup",
    "Gate",
    "Limits",
    "Preparing",
    "SetupChoice",
    "SetupVerdict",
    "SetupWish",
    "Setups",
]

_HINTS = get_type_hints(Setup)
_Word = Annotated[str, Meta(max_length=40)]
#: How an option of that kind is written by a client: as the engine takes it, within bounds.
_WISHED: dict[Any, Any] = {
    str: _Word,
    str | None: _Word | None,
    Sequence[str]: Annotated[list[_Word], Meta(max_length=20)],
}
#: Without a seed a secret one is drawn; a browser's numbers hold it exactly.
_SEED = Annotated[
    Annotated[int, Meta(ge=0, lt=2**53)] | None, Meta(description="null: a secret one is drawn")
]

#: The options that a form can switch on, each allowed or not.
SWITCHES = tuple(
    field.name for field in fields(Setup) if _HINTS[field.name] in {bool, Sequence[str]}
)

if TYPE_CHECKING:
    SetupWish = Any
    GameSetup = dict[str, Any]
    EditionGates = dict[str, "Gate"]
else:
    SetupWish = msgspec.defstruct(
        "SetupWish",
        [
            ("seed", _SEED, None)
            if field.name == "seed"
            else (field.name, _WISHED.get(_HINTS[field.name], _HINTS[field.name]), field.default)
            for field in fields(Setup)
        ],
        module=__name__,
        kw_only=True,
        forbid_unknown_fields=True,
    )
    SetupWish.__doc__ = "The contract's set-up; every option may be left out."
    GameSetup = TypedDict(
        "GameSetup",
        {
            name: list[str] if hint == Sequence[str] else hint
            for name, hint in _HINTS.items()
            if name != "seed"
        }
        | {"seed": int | Literal["?"] | None},
    )
    GameSetup.__doc__ = "The set-up with everything resolved; its seed is hidden until the end."


class Gate(msgspec.Struct, kw_only=True):
    """Whether a choice is open."""

    allowed: bool
    reason: Annotated[str | None, Meta(description="the engine's own sentence where it is closed")]


class DuelGate(Gate, kw_only=True):
    """A duel for two players."""

    value: str


if not TYPE_CHECKING:
    EditionGates = TypedDict("EditionGates", dict.fromkeys(SWITCHES, Gate))
    EditionGates.__doc__ = "What may be switched on in an edition."


class SetupChoice(Gate, kw_only=True):
    """A board for a number of players."""

    board: str
    players: int
    file: Annotated[str, Meta(description="the id of the board's side")]
    duels: list[DuelGate]
    default_duel: str | None
    editions: dict[str, EditionGates]


class Limits(msgspec.Struct, kw_only=True):
    """Bounds of a number."""

    least: float
    most: float


class ClockLimits(msgspec.Struct, kw_only=True):
    """What a table's clock may be, in seconds."""

    bank: Limits
    increment: Limits
    consequences: list[str]


class Setups(msgspec.Struct, kw_only=True):
    """Every choice of set-up, with the reason where it is closed."""

    protocol: int
    boards: list[str]
    players: list[int]
    editions: list[str]
    promos: list[str]
    max_promos: int
    clock: ClockLimits
    choices: Annotated[
        list[SetupChoice], Meta(description="one for each board and number of players")
    ]


class SetupVerdict(msgspec.Struct, kw_only=True):
    """Whether the engine takes a set-up."""

    ok: bool
    error: str | None
    setup: Annotated[GameSetup | None, Meta(description="with everything resolved")]


class BotFace(msgspec.Struct, kw_only=True):
    """A bot that can take a seat."""

    name: str
    spec: Annotated[str, Meta(description="what a seat takes; settings may follow a colon")]
    title: str
    text: str
    level: Annotated[
        int, Meta(description="0 for a bot of another package, else the stronger the higher")
    ]
    rated: Annotated[bool, Meta(description="has a rating: may sit at rated tables")]


class Bots(msgspec.Struct, kw_only=True):
    """The bots that can take a seat."""

    bots: list[BotFace]
    default: str


class Preparing(msgspec.Struct, kw_only=True):
    """How far the bots that think ahead are compiled, once for a version of the package."""

    share: Annotated[
        float | None,
        Meta(
            description="0 to 1 while it goes on, until then they think briefly; null: it does not"
        ),
    ]


class BoardNames(msgspec.Struct, kw_only=True):
    """The ids of the boards' sides."""

    boards: list[str]
