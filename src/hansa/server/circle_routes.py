"""HTTP: following, blocking, inviting (protocol, section 1)."""

from litestar import Controller, delete, get, post, put
from litestar.params import FromPath, JSONBody
from litestar.status_codes import HTTP_200_OK

from hansa.server import ties
from hansa.server.border import Caller, TheCaller, TheHub, checked_id
from hansa.server.errors import TableError
from hansa.server.hub import Hub
from hansa.server.keys import load_person
from hansa.server.table_routes import GameId, opened
from hansa.server.wire.circle import Circle, InvitationWish, TieWish

__all__ = ["CircleRoutes"]


async def _tie(hub: Hub, caller: Caller, person_id: str, kind: str | None) -> Circle:
    me, other = caller.known().id, checked_id(person_id)
    caller.check_work()
    if other == me:
        raise TableError("bad_request", "That is you.")
    if await hub.store.read(lambda connection: load_person(connection, other)) is None:
        raise TableError("not_found", "There is no such person.")
    await hub.store.write(lambda connection: ties.set_tie(connection, me, other, kind))
    # Whoever is blocked is not heard any more, at tables that are open just now too.
    await hub.standing.changed(me)
    return await caller.read(lambda connection: ties.circle(connection, me))


class CircleRoutes(Controller):
    """The people around one."""

    path = "/api"
    tags = ("people",)

    @get("/me/circle")
    async def circle(self, hub: TheHub, caller: TheCaller) -> Circle:
        """Whom one follows and who of them is here, whom one blocks, and who invites one."""
        person = caller.known().id
        await hub.store.write(lambda connection: ties.touch(connection, person))
        return await caller.read(lambda connection: ties.circle(connection, person))

    @put("/me/circle/{person_id:str}")
    async def tie(
        self, hub: TheHub, caller: TheCaller, person_id: FromPath[str], data: JSONBody[TieWish]
    ) -> Circle:
        """Follow or block somebody.

        Whoever is blocked cannot sit down at one's tables, is not seated with one in quick games, and
        is not heard in the chat.
        """
        return await _tie(hub, caller, person_id, data.kind)

    @delete("/me/circle/{person_id:str}", status_code=HTTP_200_OK)
    async def untie(self, hub: TheHub, caller: TheCaller, person_id: FromPath[str]) -> Circle:
        """Neither follow nor block somebody."""
        return await _tie(hub, caller, person_id, None)

    @post("/games/{game_id:str}/invitations", status_code=HTTP_200_OK)
    async def invite(
        self, hub: TheHub, caller: TheCaller, game_id: GameId, data: JSONBody[InvitationWish]
    ) -> Circle:
        """Ask somebody to a table that waits for players; for those who sit there, and the host."""
        table, person = await opened(hub, caller, game_id), caller.known()
        if not table.meta.seats_of(person) and person.id != table.meta.host:
            raise TableError("not_your_seat", "Only those at this table invite others.")
        if table.meta.status != "open":
            raise TableError("already_started", "The game has started.")
        caller.check_work()
        hub.invitations.check(caller.address, person.id)
        meta, wanted = table.meta, checked_id(data.person)
        follows = await hub.store.write(
            lambda connection: ties.invite(connection, meta, person.id, wanted)
        )
        if follows:
            # A stranger's invitation waits until the page is open: nobody is called by strangers.
            hub.notifier.invited(table, wanted)
        return await caller.read(lambda connection: ties.circle(connection, person.id))

    @delete("/games/{game_id:str}/invitations", status_code=HTTP_200_OK)
    async def decline(self, hub: TheHub, caller: TheCaller, game_id: GameId) -> Circle:
        """Do not be asked to a table any more."""
        person, game = caller.known().id, checked_id(game_id)
        caller.check_work()
        await hub.store.write(lambda connection: ties.decline(connection, game, person))
        return await caller.read(lambda connection: ties.circle(connection, person))
