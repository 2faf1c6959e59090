"""HTTP: what people have played, how good they are (protocol, section 1)."""

from typing import Annotated

from litestar import Controller, get
from litestar.params import FromPath, FromQuery, QueryParameter

from hansa.server import careers, ladder
from hansa.server.border import Caller, TheCaller, TheHub, checked_id
from hansa.server.errors import TableError
from hansa.server.hub import Hub
from hansa.server.keys import load_person
from hansa.server.model import Person
from hansa.server.table_routes import GameId, opened
from hansa.server.wire.ratings import GameRatings, Ladder, Played, Pool, Stats

__all__ = ["CareerRoutes"]


async def _person(hub: Hub, caller: Caller, person_id: str) -> Person:
    if person_id == "me":
        return caller.known()
    wanted = checked_id(person_id)
    found = await hub.store.read(lambda connection: load_person(connection, wanted))
    if found is None:
        raise TableError("not_found", "There is no such person.")
    return found


class CareerRoutes(Controller):
    """What people have played."""

    path = "/api"
    tags = ("people",)

    @get("/people/{person_id:str}/stats")
    async def stats(self, hub: TheHub, caller: TheCaller, person_id: FromPath[str]) -> Stats:
        """Finished games of a person, counted, and the rating over time; `me` is oneself.

        Others see open tables and rated games alone.
        """
        person, viewer = await _person(hub, caller, person_id), caller.person
        await hub.raters.settle()
        return await caller.read(lambda connection: careers.statistics(connection, person, viewer))

    @get("/people/{person_id:str}/games")
    async def games(
        self,
        hub: TheHub,
        caller: TheCaller,
        person_id: FromPath[str],
        board: Annotated[str | None, QueryParameter(pattern="^[a-z0-9-]{1,40}$")] = None,
        players: Annotated[int | None, QueryParameter(ge=2, le=5)] = None,
        limit: Annotated[int, QueryParameter(ge=1, le=100)] = 20,
        before: Annotated[
            str | None, QueryParameter(pattern="^[0-9]{1,15}-[0-9A-Za-z]{1,24}$")
        ] = None,
    ) -> Played:
        """The same games one by one, the newest first; `before` is the `next` of the page before."""
        person, viewer = await _person(hub, caller, person_id), caller.person
        await hub.raters.settle()
        return await caller.read(
            lambda connection: careers.played(
                connection,
                person,
                viewer,
                board=board,
                players=players,
                before=before,
                limit=limit,
            )
        )

    @get("/ladder")
    async def ladder(
        self, hub: TheHub, caller: TheCaller, pool: FromQuery[Pool] = "duel"
    ) -> Ladder:
        """Who is how good, in duels or at tables of three to five, with the machines."""
        await hub.raters.settle()
        return await caller.read(lambda connection: ladder.ladder(connection, pool))

    @get("/games/{game_id:str}/ratings")
    async def ratings(self, hub: TheHub, caller: TheCaller, game_id: GameId) -> GameRatings:
        """What a finished game did to the ratings of those who played it."""
        table = await opened(hub, caller, game_id)
        if table.meta.options.rated and table.meta.status == "over":
            await hub.raters.settle()
        found = await hub.store.read(lambda connection: ladder.changes(connection, [table.id]))
        return GameRatings(changes=found.get(table.id, []))
