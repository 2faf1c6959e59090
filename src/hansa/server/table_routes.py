"""HTTP: tables are made, filled, started, played (protocol, sections 4 and 5)."""

import time
from typing import Annotated, Any, Literal

from litestar import Controller, delete, get, post, put
from litestar.params import FromPath, FromQuery, JSONBody, PathParameter, QueryParameter
from litestar.status_codes import HTTP_200_OK, HTTP_201_CREATED

from hansa.server import archive
from hansa.server.border import Caller, TheCaller, TheHub, checked_id
from hansa.server.errors import TableError
from hansa.server.faces import Live, face
from hansa.server.hub import Hub
from hansa.server.model import Meta
from hansa.server.requests import (
    ActRequest,
    AnySeat,
    Fork,
    NewTable,
    SeatChange,
    UndoRequest,
)
from hansa.server.rows import live_rows
from hansa.server.table import Table

__all__ = ["TableRoutes", "opened"]

GameId = Annotated[str, PathParameter(description="A table's id")]
Number = Annotated[int | None, QueryParameter(ge=0, le=10_000_000)]


async def opened(hub: Hub, caller: Caller, game_id: str) -> Table:
    """A table the caller may see."""
    table = await hub.opened(checked_id(game_id))
    if not table.may_watch(caller.person):
        raise TableError("not_found", "There is no such table.")
    return table


class TableRoutes(Controller):
    """Tables."""

    path = "/api"
    tags = ("tables",)

    @get("/games")
    async def games(
        self,
        hub: TheHub,
        caller: TheCaller,
        status: FromQuery[Literal["open", "running", "over"] | None] = None,
        mine: FromQuery[bool] = False,
        limit: Annotated[int, QueryParameter(ge=1, le=100)] = 50,
        before: Annotated[int | None, QueryParameter(ge=0, le=2**53)] = None,
    ) -> dict[str, Any]:
        """The lobby, or one's own tables."""
        person = caller.known().id if mine else None

        def work(connection: Any) -> tuple[list[Meta], dict[str, Live]]:
            metas = archive.list_games(
                connection, status=status, person=person, before=before, limit=limit
            )
            return metas, live_rows(connection, metas)

        found, rows = await hub.store.read(work)
        for meta in found:
            held = hub.hall.live.get(meta.id)
            if held is not None:
                rows[meta.id].watching, rows[meta.id].present = held.watching(), held.present()
        faces = [face(meta, caller.person, rows[meta.id], brief=True) for meta in found]
        more = found[-1].created if len(found) == limit else None
        return {"games": faces, "next": more}

    @post("/games", status_code=HTTP_201_CREATED)
    async def create(
        self, hub: TheHub, caller: TheCaller, data: JSONBody[NewTable]
    ) -> dict[str, Any]:
        """A new table."""
        person = await caller.somebody()
        hub.check_new_table(person, caller.address)
        table = await hub.lobby.create(person, data)
        return table.face(person)

    @get("/games/{game_id:str}")
    async def game(self, hub: TheHub, caller: TheCaller, game_id: GameId) -> dict[str, Any]:
        """One table."""
        return (await opened(hub, caller, game_id)).face(caller.person)

    @delete("/games/{game_id:str}", status_code=HTTP_200_OK)
    async def remove(self, hub: TheHub, caller: TheCaller, game_id: GameId) -> dict[str, Any]:
        """The host removes a table that never started."""
        table = await opened(hub, caller, game_id)
        await hub.lobby.remove(table, caller.known())
        return {"deleted": True}

    @get("/invites/{token:str}")
    async def invite(self, hub: TheHub, caller: TheCaller, token: FromPath[str]) -> dict[str, Any]:
        """What an invite link is for."""
        game_id, seat = await hub.lobby.by_invite(checked_id(token))
        table = await hub.opened(game_id)
        return {"game": table.face(caller.person), "seat": seat}

    @post("/invites/{token:str}", status_code=HTTP_200_OK)
    async def accept(
        self, hub: TheHub, caller: TheCaller, token: FromPath[str], data: JSONBody[AnySeat]
    ) -> dict[str, Any]:
        """Take the seat of an invite link."""
        game_id, seat = await hub.lobby.by_invite(checked_id(token))
        table = await hub.opened(game_id)
        person = await caller.somebody(data.name)
        await hub.lobby.join(table, person, seat, data.name)
        return table.face(person)

    @post("/games/{game_id:str}/join", status_code=HTTP_200_OK)
    async def join(
        self, hub: TheHub, caller: TheCaller, game_id: GameId, data: JSONBody[AnySeat]
    ) -> dict[str, Any]:
        """Take an open seat of a listed table."""
        table = await opened(hub, caller, game_id)
        is_host = caller.person is not None and caller.person.id == table.meta.host
        if table.meta.visibility != "open" and not is_host:
            raise TableError("not_allowed", "This table is not listed: ask for an invite link.")
        person = await caller.somebody(data.name)
        await hub.lobby.join(table, person, data.seat, data.name)
        return table.face(person)

    @post("/games/{game_id:str}/leave", status_code=HTTP_200_OK)
    async def leave(
        self, hub: TheHub, caller: TheCaller, game_id: GameId, data: JSONBody[AnySeat]
    ) -> dict[str, Any]:
        """Get up before the start."""
        table = await opened(hub, caller, game_id)
        await hub.lobby.leave(table, caller.known(), data.seat)
        return table.face(caller.person)

    @post("/games/{game_id:str}/start", status_code=HTTP_200_OK)
    async def start(self, hub: TheHub, caller: TheCaller, game_id: GameId) -> dict[str, Any]:
        """The host starts the game."""
        table = await opened(hub, caller, game_id)
        await hub.lobby.start(table, caller.known())
        return table.face(caller.person)

    @put("/games/{game_id:str}/seats/{seat:str}")
    async def set_seat(
        self,
        hub: TheHub,
        caller: TheCaller,
        game_id: GameId,
        seat: FromPath[str],
        data: JSONBody[SeatChange],
    ) -> dict[str, Any]:
        """The host fills, frees or takes a seat."""
        table = await opened(hub, caller, game_id)
        await hub.lobby.set_seat(table, caller.known(), seat, data)
        return table.face(caller.person)

    @post("/games/{game_id:str}/rematch", status_code=HTTP_200_OK)
    async def rematch(self, hub: TheHub, caller: TheCaller, game_id: GameId) -> dict[str, Any]:
        """The same people again."""
        table = await opened(hub, caller, game_id)
        hub.check_new_table(caller.known(), caller.address)
        return (await hub.again.rematch(table, caller.known())).face(caller.person)

    @post("/games/{game_id:str}/fork", status_code=HTTP_201_CREATED)
    async def fork(
        self, hub: TheHub, caller: TheCaller, game_id: GameId, data: JSONBody[Fork]
    ) -> dict[str, Any]:
        """A new table from a position of a finished game."""
        table = await opened(hub, caller, game_id)
        person = await caller.somebody()
        hub.check_new_table(person, caller.address)
        made = await hub.again.fork(table, person, data.number, data, data.seats)
        return made.face(person)

    @post("/games/{game_id:str}/act", status_code=HTTP_200_OK)
    async def act(
        self, hub: TheHub, caller: TheCaller, game_id: GameId, data: JSONBody[ActRequest]
    ) -> dict[str, Any]:
        """Decide."""
        table = await opened(hub, caller, game_id)
        entries = await hub.decisions.act(
            table,
            caller.known(),
            data.decision,
            data.number,
            revision=data.revision,
            seat=data.seat,
        )
        return {
            "revision": entries[-1].revision,
            "number": entries[-1].number,
            "entries": [entry.face(entry.player) for entry in entries],
        }

    @post("/games/{game_id:str}/undo", status_code=HTTP_200_OK)
    async def undo(
        self, hub: TheHub, caller: TheCaller, game_id: GameId, data: JSONBody[UndoRequest]
    ) -> dict[str, Any]:
        """Take back, or ask the others."""
        table = await opened(hub, caller, game_id)
        person = caller.known()
        entries = await hub.undo(table, person, data.number, data.to, ask=data.ask)
        return {
            "revision": table.revision,
            "number": table.number,
            "entries": [entry.face(entry.player) for entry in entries],
        }

    @get("/games/{game_id:str}/state")
    async def state(
        self,
        hub: TheHub,
        caller: TheCaller,
        game_id: GameId,
        seat: Annotated[str, QueryParameter(pattern="^(auto|none|p[1-5])$")] = "auto",
        after: Number = None,
        version: Number = None,
        wait: Annotated[float, QueryParameter(ge=0, le=30)] = 0,
    ) -> dict[str, Any]:
        """Table and position; with `after` (and `version`) and `wait` a long poll for the next."""
        table = await opened(hub, caller, game_id)
        if seat.startswith("p") and seat not in table.meta.seats_of(caller.person):
            raise TableError("not_your_seat", "You may look from your own seats only.")
        until = time.monotonic() + wait
        while after is not None and table.revision <= after and time.monotonic() < until:
            # What was missed between two polls shows in the version: a start has no revision.
            if version is not None and table.meta.version != version:
                break
            await table.wait(until - time.monotonic())
        if not table.may_watch(caller.person):
            raise TableError("not_found", "There is no such table.")
        viewer = table.view_seat(caller.person, None if seat == "none" else seat)
        number = table.number
        log = await hub.standing(table, max(1, number - 99), number)
        return {
            "table": table.face(caller.person),
            "position": table.position(viewer),
            "log": [entry.face(viewer) for entry in log],
            "log_from": max(0, number - 100),
        }
