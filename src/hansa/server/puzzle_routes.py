"""HTTP: puzzles (protocol, section 5)."""

from typing import Annotated

from litestar import Controller, get, post
from litestar.params import JSONBody, PathParameter
from litestar.status_codes import HTTP_200_OK

from hansa.server import puzzles
from hansa.server.border import Caller, TheCaller, TheHub
from hansa.server.errors import TableError
from hansa.server.hub import Hub
from hansa.server.puzzles import Posed
from hansa.server.table_routes import opened
from hansa.server.wire.puzzles import PuzzleLine, Puzzles, PuzzleSheet, PuzzleTry

__all__ = ["PuzzleRoutes"]

PuzzleId = Annotated[str, PathParameter(pattern=r"^[0-9A-Za-z-]{1,24}(\.[0-9]{1,7})?$")]


async def _posed(hub: Hub, caller: Caller, name: str) -> Posed:
    """A puzzle of the program, or a mistake of a game that the caller may see."""
    game, dot, number = name.partition(".")
    if not dot:
        return await caller.read(lambda _: puzzles.posed(name))
    meta = (await opened(hub, caller, game)).meta
    if meta.status != "over":
        raise TableError("not_over", "A game makes puzzles when it is over.")
    return await caller.read(lambda connection: puzzles.of_game(connection, meta, int(number)))


class PuzzleRoutes(Controller):
    """Find the best turn."""

    path = "/api"
    tags = ("puzzles",)

    @get("/puzzles")
    async def puzzles(self, caller: TheCaller) -> Puzzles:
        """The puzzles of the program, and one's own mistakes in games that were reviewed."""
        # Both are paid for: taking the program's own apart costs a tenth of a second, until it is done.
        return await caller.read(lambda connection: puzzles.offered(connection, caller.person))

    @get("/puzzles/{puzzle_id:str}")
    async def puzzle(self, hub: TheHub, caller: TheCaller, puzzle_id: PuzzleId) -> PuzzleSheet:
        """What is needed to begin."""
        return (await _posed(hub, caller, puzzle_id)).sheet()

    @post("/puzzles/{puzzle_id:str}/line", status_code=HTTP_200_OK)
    async def line(
        self, hub: TheHub, caller: TheCaller, puzzle_id: PuzzleId, data: JSONBody[PuzzleTry]
    ) -> PuzzleLine:
        """Where the decisions lead and, once the turn is whole, whether it is the best one."""
        posed = await _posed(hub, caller, puzzle_id)
        return await caller.read(lambda _: posed.tried(data))
