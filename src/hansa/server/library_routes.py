"""HTTP: what can be played and with what: set-ups, bots, boards, the protocol's schemas."""

from functools import cache
from typing import Any, get_args, get_type_hints

import msgspec
from litestar import Controller, Request, Response, get, post
from litestar.params import FromPath, JSONBody
from litestar.status_codes import HTTP_200_OK

import hansa
from hansa.boards import BOARD_IDS
from hansa.names import PROMOS
from hansa.server import PROTOCOL, clocks, players, referee
from hansa.server import requests as ask
from hansa.server.blobs import Blob
from hansa.server.border import TheHub
from hansa.server.errors import TableError
from hansa.server.messages import ServerMessage
from hansa.server.model import Clock

__all__ = ["LibraryRoutes"]

_BOARDS = ("hansa", "east", "britannia")
_EDITIONS = ("bigbox", "classic")
_PLAYERS = (2, 3, 4, 5)
_EXTRAS: dict[str, dict[str, Any]] = {
    "missions": {"missions": True},
    "favours": {"favours": True},
    "promos": {"promos": PROMOS[:1]},
    "border_fee": {"border_fee": True},
}


def _verdict(**setup: Any) -> dict[str, Any]:
    """The engine's own answer: this page of rules exists once."""
    try:
        hansa.Game.new(seed=0, **setup)
    except hansa.InvalidSetup as error:
        return {"allowed": False, "reason": str(error)}
    return {"allowed": True, "reason": None}


def _choice(board: str, count: int) -> dict[str, Any]:
    base: dict[str, Any] = {"board": board, "players": count}
    duels = []
    default = None
    if count == 2:
        duels = [{"value": duel, **_verdict(**base, duel=duel)} for duel in ("pawn", "neutral")]
        default = hansa.Game.new(seed=0, **base).to_dict()["game"]["duel"]
    editions = {
        edition: {
            name: _verdict(**base, edition=edition, **extra) for name, extra in _EXTRAS.items()
        }
        for edition in _EDITIONS
    }
    return {
        **base,
        "file": referee.board_file(base),
        **_verdict(**base),
        "duels": duels,
        "default_duel": default,
        "editions": editions,
    }


@cache
def _setups(least_bank: float) -> Blob:
    shown = {
        "protocol": PROTOCOL,
        "boards": _BOARDS,
        "players": _PLAYERS,
        "editions": _EDITIONS,
        "promos": PROMOS,
        "max_promos": _most_promos(),
        "clock": {
            "bank": {"least": least_bank, "most": clocks.MOST_BANK},
            "increment": {"least": 0, "most": clocks.MOST_INCREMENT},
            "consequences": get_args(get_type_hints(Clock)["consequence"]),
        },
        "choices": [_choice(board, count) for board in _BOARDS for count in _PLAYERS],
    }
    return Blob.of_json(shown)


def _most_promos() -> int:
    """How many promo markers the engine takes, all kinds together."""
    most = 0
    while most < 20 and _verdict(promos=(PROMOS * 7)[: most + 1])["allowed"]:
        most += 1
    return most


@cache
def _schemas() -> Blob:
    client, client_parts = msgspec.json.schema_components(
        [ask.ClientMessage], ref_template="#/client/$defs/{name}"
    )
    server, server_parts = msgspec.json.schema_components(
        [ServerMessage], ref_template="#/server/$defs/{name}"
    )
    return Blob.of_json(
        {
            "protocol": PROTOCOL,
            "client": {**client[0], "$defs": client_parts},
            "server": {**server[0], "$defs": server_parts},
        }
    )


class LibraryRoutes(Controller):
    """Things that do not change while the server runs."""

    path = "/api"
    tags = ("library",)

    @get("/setups")
    async def setups(self, hub: TheHub, request: Request[Any, Any, Any]) -> Response[bytes]:
        """Every choice of set-up, with the reason where it is closed."""
        return _setups(hub.config.clock_least).answer(request)

    @post("/setups/check", status_code=HTTP_200_OK)
    async def check(self, data: JSONBody[ask.Setup]) -> dict[str, Any]:
        """Whether the engine takes this set-up."""
        wish = {field: getattr(data, field) for field in data.__struct_fields__}
        try:
            setup = referee.check_setup(wish)
        except TableError as error:
            return {"ok": False, "error": error.message, "setup": None}
        return {"ok": True, "error": None, "setup": {**setup, "seed": data.seed}}

    @get("/bots")
    async def bots(self, hub: TheHub) -> dict[str, Any]:
        """The bots that can take a seat."""
        return {"bots": players.catalogue(), "default": hub.config.default_bot}

    @get("/boards")
    async def boards(self) -> dict[str, Any]:
        """The boards' ids."""
        return {"boards": list(BOARD_IDS)}

    @get("/boards/{board_id:str}")
    async def board(
        self, hub: TheHub, request: Request[Any, Any, Any], board_id: FromPath[str]
    ) -> Response[bytes]:
        """A board's data and how to draw it."""
        if board_id not in BOARD_IDS:
            raise TableError("not_found", f"Boards are {', '.join(BOARD_IDS)}.")
        return (await hub.study.board(board_id)).answer(request)

    @get("/protocol")
    async def protocol(self, request: Request[Any, Any, Any]) -> Response[bytes]:
        """JSON schemas of every WebSocket message."""
        return _schemas().answer(request)
