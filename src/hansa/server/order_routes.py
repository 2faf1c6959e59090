"""HTTP: reporting, what admins do, one's own data and its end (protocol, section 1)."""

from collections import deque
from collections.abc import AsyncIterator
from typing import Annotated

from litestar import Controller, MediaType, delete, get, post, put
from litestar.params import FromPath, JSONBody, QueryParameter
from litestar.response import Stream
from litestar.status_codes import HTTP_200_OK

from hansa.server import order
from hansa.server.border import Caller, TheCaller, TheHub, checked_id
from hansa.server.errors import TableError
from hansa.server.limits import too_many
from hansa.server.model import Person
from hansa.server.openapi import says
from hansa.server.own import my_data
from hansa.server.table_routes import opened
from hansa.server.wire.order import (
    Deeds,
    Done,
    Farewell,
    MyData,
    Reports,
    ReportWish,
    Residents,
    Sentence,
)
from hansa.server.wire.people import Me, NameWish

__all__ = ["OrderRoutes", "OwnRoutes"]


class OwnRoutes(Controller):
    """What anybody may do: report, take one's data along, leave."""

    path = "/api"
    tags = ("people",)

    @post("/reports", status_code=HTTP_200_OK)
    async def report(self, hub: TheHub, caller: TheCaller, data: JSONBody[ReportWish]) -> Done:
        """Tell the admins that something is wrong, at a table or with somebody."""
        person = caller.known()
        hub.reports.check(person.id)
        hub.reports.check(caller.address)
        about, game = data.person, data.game
        if game is not None:
            table = await opened(hub, caller, game)
            place = table.meta.seat(data.seat) if data.seat else None
            about = place.person if place is not None else about
        about = checked_id(about) if about else None
        await hub.store.write(
            lambda connection: order.add_report(connection, person.id, game, about, data.reason)
        )
        return Done()

    @get("/me/data", responses=says(MyData))
    async def data(self, hub: TheHub, caller: TheCaller) -> Stream:
        """Everything stored about whoever asks."""
        person = caller.owner()
        if person.id in hub.downloads:
            # Whoever does not read one may not have another: all of it waits in memory.
            raise too_many("downloads", "Your data are being sent to you already.", 1.0)
        pieces = hub.downloads[person.id] = deque[bytes]()
        pieces.extend(await caller.read(lambda connection: my_data(connection, person.id)))
        caller.pay_bytes(sum(map(len, pieces)))

        async def sent() -> AsyncIterator[bytes]:
            while pieces:
                yield pieces.popleft()  # gone with it, however slowly it is read

        return Stream(sent(), media_type=MediaType.JSON)

    @post("/me/farewell", status_code=HTTP_200_OK)
    async def leave(self, hub: TheHub, caller: TheCaller, data: JSONBody[Farewell]) -> Me:
        """Delete one's data for good: account, addresses, tokens, chat and names at tables.

        Running games are conceded, waiting tables left; what was decided in games stays, without a
        name.
        """
        person = caller.owner()
        # By address too: much is written for it, while decisions wait.
        hub.check_password(caller.address, person)
        await hub.farewell.leave(person, data.password)
        await hub.standing.changed(person.id)
        caller.set_cookie(None)
        return Me(person=None)


def _admin(caller: Caller) -> Person:
    person = caller.known()
    if caller.program or not person.admin or person.account is None:
        # Whoever is none need not know that there is anything, nor what has his token.
        raise TableError("not_found", "There is nothing at this address.")
    return person


class OrderRoutes(Controller):
    """For admins (`hansa admin appoint NAME`); to everybody else there is nothing here."""

    path = "/api/admin"
    tags = ("admins",)

    @get("/reports")
    async def reports(self, hub: TheHub, caller: TheCaller) -> Reports:
        """Reports that nobody has settled."""
        _admin(caller)
        return Reports(reports=await hub.store.read(order.open_reports))

    @post("/reports/{report_id:str}/settle", status_code=HTTP_200_OK)
    async def settle(self, hub: TheHub, caller: TheCaller, report_id: FromPath[str]) -> Done:
        """A report has been seen to."""
        by, wanted = str(_admin(caller).account), checked_id(report_id)
        await hub.store.write(lambda connection: order.settle(connection, by, wanted))
        return Done()

    @get("/people")
    async def people(
        self,
        hub: TheHub,
        caller: TheCaller,
        named: Annotated[str, QueryParameter(max_length=80)] = "",
    ) -> Residents:
        """People whose name or account contains `named`, or whose id it is."""
        _admin(caller)
        found = await hub.store.read(lambda connection: order.find_people(connection, named))
        return Residents(people=found)

    @put("/people/{person_id:str}/mute")
    async def mute(
        self, hub: TheHub, caller: TheCaller, person_id: FromPath[str], data: JSONBody[Sentence]
    ) -> Done:
        """Let somebody not chat."""
        by, wanted = str(_admin(caller).account), checked_id(person_id)
        await hub.store.write(lambda connection: order.mute(connection, by, wanted, data.hours))
        return Done()

    @put("/people/{person_id:str}/ban")
    async def ban(
        self, hub: TheHub, caller: TheCaller, person_id: FromPath[str], data: JSONBody[Sentence]
    ) -> Done:
        """Let somebody do nothing here; open connections end."""
        by, wanted = str(_admin(caller).account), checked_id(person_id)
        await hub.store.write(lambda connection: order.ban(connection, by, wanted, data.hours))
        await hub.standing.changed(wanted)
        return Done()

    @put("/people/{person_id:str}/name")
    async def rename(
        self, hub: TheHub, caller: TheCaller, person_id: FromPath[str], data: JSONBody[NameWish]
    ) -> Done:
        """Give somebody another name, at tables that are not over too."""
        by, wanted = str(_admin(caller).account), checked_id(person_id)
        old = await hub.store.write(
            lambda connection: order.rename(connection, by, wanted, data.name or "")
        )
        await hub.lobby.call(wanted, old, data.name or "")
        return Done()

    @put("/games/{game_id:str}/name")
    async def rename_table(
        self, hub: TheHub, caller: TheCaller, game_id: FromPath[str], data: JSONBody[NameWish]
    ) -> Done:
        """Give a table another name."""
        by = str(_admin(caller).account)
        table = await hub.opened(checked_id(game_id))
        old = table.meta.name
        await hub.lobby.rename(table, data.name or "")
        written = order.rename_game(by, table.id, old, table.meta.name)
        await hub.store.write(written)
        return Done()

    @delete("/games/{game_id:str}", status_code=HTTP_200_OK)
    async def close(self, hub: TheHub, caller: TheCaller, game_id: FromPath[str]) -> Done:
        """Close a table: one that waits is removed, one that runs is ended without a winner."""
        by = str(_admin(caller).account)
        table = await hub.opened(checked_id(game_id))
        name = table.meta.name
        if table.meta.status == "open":
            await hub.lobby.discard(table)
        elif table.meta.status == "running":
            await hub.manners.close(table, "closed")
        else:
            raise TableError("game_over", "This game is over already.")
        await hub.store.write(
            lambda connection: order.done(connection, by, "close", table.id, name)
        )
        return Done()

    @get("/deeds")
    async def deeds(self, hub: TheHub, caller: TheCaller) -> Deeds:
        """What admins did, the newest first."""
        _admin(caller)
        return Deeds(deeds=await hub.store.read(order.deeds_done))
