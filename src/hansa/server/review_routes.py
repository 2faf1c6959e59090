"""HTTP: what people learn from finished games: reviews, and lines tried (protocol, section 5)."""

from typing import Any

from litestar import Controller, get, post
from litestar.params import JSONBody
from litestar.status_codes import HTTP_200_OK

from hansa.server import exploring, replay
from hansa.server.border import TheCaller, TheHub
from hansa.server.errors import TableError
from hansa.server.table_routes import GameId, opened
from hansa.server.wire.reviews import Line, LineWish, ReviewState

__all__ = ["ReviewRoutes"]


class ReviewRoutes(Controller):
    """Finished games looked at again."""

    path = "/api"
    tags = ("reviews",)

    @get("/games/{game_id:str}/review")
    async def review(self, hub: TheHub, caller: TheCaller, game_id: GameId) -> ReviewState:
        """The review of a finished game, or how far it is."""
        return await hub.reviews.look(await opened(hub, caller, game_id), caller.read)

    @post("/games/{game_id:str}/review", status_code=HTTP_200_OK)
    async def begin(self, hub: TheHub, caller: TheCaller, game_id: GameId) -> ReviewState:
        """Have a finished game reviewed in the background; asked twice, it is done once."""
        table = await opened(hub, caller, game_id)
        person = caller.person.id if caller.person else None
        return await hub.reviews.begin(table, caller.address, person)

    @post("/games/{game_id:str}/line", status_code=HTTP_200_OK)
    async def line(
        self, hub: TheHub, caller: TheCaller, game_id: GameId, data: JSONBody[LineWish]
    ) -> Line:
        """Where decisions lead that might have been taken in a finished game.

        Whoever asks decides for everybody; the position is shown as the one who decides sees it.
        """
        table = await opened(hub, caller, game_id)
        meta, number = table.meta, data.number
        if meta.status != "over":
            raise TableError("not_over", "Lines are tried when the game is over.")
        if number > table.number:
            raise TableError("bad_request", f"The game has {table.number} decisions.")

        def work(connection: Any) -> Line:
            start = replay.at_number(connection, meta, number)
            return exploring.explored(start, number, data.decisions)

        return await caller.read(work)
