"""HTTP: quick games (protocol, section 4)."""

from litestar import Controller, delete, get, post
from litestar.params import JSONBody
from litestar.status_codes import HTTP_200_OK

from hansa.server import quick
from hansa.server.border import TheCaller, TheHub
from hansa.server.wire.answers import Deleted
from hansa.server.wire.quick import Quick, QuickWish, Seekers

__all__ = ["QuickRoutes"]


class QuickRoutes(Controller):
    """Games with whoever else wants one."""

    path = "/api"
    tags = ("tables",)

    @get("/quick")
    async def seekers(self, hub: TheHub) -> Seekers:
        """Who waits for a quick game."""
        return Seekers(seekers=await hub.store.read(quick.waiting))

    @post("/quick", status_code=HTTP_200_OK)
    async def seek(self, hub: TheHub, caller: TheCaller, data: JSONBody[QuickWish]) -> Quick:
        """Wait for a game with others who want the same, or say that one still does.

        Ask again every few seconds: `game` names the table as soon as there is one, and it has
        begun.
        """
        person = await caller.somebody()
        hub.seekers.check(caller.address, person.id)
        if not await hub.store.read(lambda connection: quick.is_seeking(connection, person.id)):
            await hub.check_new_table(person, caller.address)
        found = await hub.quick.seek(person, data)
        if found.game is not None:
            hub.seekers.leave(caller.address, person.id)
        return found

    @delete("/quick", status_code=HTTP_200_OK)
    async def stop(self, hub: TheHub, caller: TheCaller) -> Deleted:
        """Wait no longer."""
        person = caller.known()
        await hub.store.write(lambda connection: quick.stop(connection, person.id))
        hub.seekers.leave(caller.address, person.id)
        return Deleted()
