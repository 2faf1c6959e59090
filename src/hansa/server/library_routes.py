"""HTTP: what can be played and with what: set-ups, bots, boards, the protocol's schemas."""

import asyncio
from functools import cache
from typing import Any, get_args, get_type_hints

import msgspec
from litestar import Controller, Request, Response, get, post
from litestar.params import FromPath, JSONBody
from litestar.status_codes import HTTP_200_OK

import hansa
from hansa.boards import BOARD_IDS, FAMILIES
from hansa.bots import compiling
from hansa.names import DUELS, EDITIONS
from hansa.server import PROTOCOL, clocks, players, referee
from hansa.server.blobs import Blob
from hansa.server.border import TheHub
from hansa.server.errors import TableError
from hansa.server.openapi import kept
from hansa.server.wire import shapes
from hansa.server.wire.answers import Protocol
from hansa.server.wire.boards import BoardAnswer
from hansa.server.wire.house import House, house
from hansa.server.wire.setups import (
    SWITCHES,
    BoardNames,
    Bots,
    ClockLimits,
    DuelGate,
    Gate,
    Limits,
    Preparing,
    SetupChoice,
    Setups,
    SetupVerdict,
    SetupWish,
)
from hansa.server.wire.table import Clock
from hansa.setup import PROMOS, Setup

__all__ = ["LibraryRoutes"]

_PLAYERS = (2, 3, 4, 5)
#: As people choose them: what a set-up has by itself comes first.
_EDITIONS = sorted(EDITIONS, key=lambda edition: edition != Setup.edition)
#: For each option that can be switched on, a set-up's value for that.
_ON: dict[str, Any] = {name: PROMOS[:1] if name == "promos" else True for name in SWITCHES}


def _gate(**setup: Any) -> Gate:
    """The engine's own answer: this page of rules exists once."""
    try:
        Setup(**setup)
    except hansa.InvalidSetup as error:
        return Gate(allowed=False, reason=str(error))
    return Gate(allowed=True, reason=None)


def _choice(board: str, count: int) -> SetupChoice:
    base: dict[str, Any] = {"board": board, "players": count}
    gate, usual = _gate(**base), Setup(**base)
    duels = [(duel, _gate(**base, duel=duel)) for duel in DUELS if duel and count == 2]
    return SetupChoice(
        board=board,
        players=count,
        file=usual.board_id,
        allowed=gate.allowed,
        reason=gate.reason,
        duels=[
            DuelGate(value=duel, allowed=gate.allowed, reason=gate.reason) for duel, gate in duels
        ],
        default_duel=usual.duel,
        editions={
            edition: {
                name: _gate(**base, edition=edition, **{name: on}) for name, on in _ON.items()
            }
            for edition in _EDITIONS
        },
    )


@cache
def _setups(least_bank: float) -> Blob:
    shown = Setups(
        protocol=PROTOCOL,
        boards=list(FAMILIES),
        players=list(_PLAYERS),
        editions=_EDITIONS,
        promos=list(PROMOS),
        max_promos=_most_promos(),
        clock=ClockLimits(
            bank=Limits(least=least_bank, most=clocks.MOST_BANK),
            increment=Limits(least=0, most=clocks.MOST_INCREMENT),
            consequences=list(get_args(get_type_hints(Clock)["consequence"])),
        ),
        choices=[_choice(board, count) for board in FAMILIES for count in _PLAYERS],
    )
    return Blob.of_json(shown)


def _most_promos() -> int:
    """How many promo markers the engine takes, all kinds together."""
    most = 0
    while most < 20 and _gate(promos=(PROMOS * 7)[: most + 1]).allowed:
        most += 1
    return most


@cache
def _house() -> Blob:
    return Blob.of_json(house())


@cache
def _schemas() -> Blob:
    return Blob.of_json(
        Protocol(
            protocol=PROTOCOL,
            client=shapes.published("ClientMessage", "client"),
            server=shapes.published("ServerMessage", "server"),
        )
    )


class LibraryRoutes(Controller):
    """Things that do not change while the server runs."""

    path = "/api"
    tags = ("library",)

    @get("/setups", responses=kept(Setups))
    async def setups(self, hub: TheHub, request: Request[Any, Any, Any]) -> Response[bytes]:
        """Every choice of set-up, with the reason where it is closed."""
        return _setups(hub.config.clock_least).answer(request)

    @post("/setups/check", status_code=HTTP_200_OK)
    async def check(self, data: JSONBody[SetupWish]) -> SetupVerdict:
        """Whether the engine takes this set-up."""
        try:
            setup = referee.check_setup(msgspec.structs.asdict(data))
        except TableError as error:
            return SetupVerdict(ok=False, error=error.message, setup=None)
        return SetupVerdict(ok=True, error=None, setup={**setup, "seed": data.seed})

    @get("/bots")
    async def bots(self, hub: TheHub) -> Bots:
        """The bots that can take a seat."""
        return Bots(bots=players.catalogue(), default=hub.config.default_bot)

    @get("/preparing")
    async def preparing(self) -> Preparing:
        """How far the bots that think ahead are compiled."""
        return Preparing(share=await asyncio.to_thread(compiling.progress))

    @get("/boards")
    async def boards(self) -> BoardNames:
        """The boards' ids."""
        return BoardNames(boards=list(BOARD_IDS))

    @get("/boards/{board_id:str}", responses=kept(BoardAnswer))
    async def board(
        self, hub: TheHub, request: Request[Any, Any, Any], board_id: FromPath[str]
    ) -> Response[bytes]:
        """A board's data and how to draw it; kept by its `ETag`."""
        if board_id not in BOARD_IDS:
            raise TableError("not_found", f"Boards are {', '.join(BOARD_IDS)}.")
        return (await hub.study.board(board_id)).answer(request)

    @get("/house", responses=kept(House))
    async def house(self, request: Request[Any, Any, Any]) -> Response[bytes]:
        """Decisions and markers by name; words and icons of extensions."""
        return _house().answer(request)

    @get("/protocol", responses=kept(Protocol))
    async def protocol(self, request: Request[Any, Any, Any]) -> Response[bytes]:
        """JSON schemas of every WebSocket message."""
        return _schemas().answer(request)
