"""HTTP: tables are made, filled, started, played (protocol, sections 4 and 5)."""

import time
from typing import Annotated, Any

from litestar import Controller, delete, get, post, put
from litestar.params import FromPath, FromQuery, JSONBody, PathParameter, QueryParameter
from litestar.status_codes import HTTP_200_OK, HTTP_201_CREATED

from hansa.server import archive, ladder, ties, views, votes
from hansa.server.border import Caller, TheCaller, TheHub, checked_id
from hansa.server.errors import TableError
from hansa.server.faces import Live, row
from hansa.server.hub import Hub
from hansa.server.model import Meta, Person
from hansa.server.ratings import pool_of
from hansa.server.rows import live_rows
from hansa.server.stored import ENTRY
from hansa.server.table import Table
from hansa.server.wire.answers import Acted, Deleted, Found, Games, Invitation, Shelved, State
from hansa.server.wire.asking import (
    ActWish,
    ColourWish,
    ForkWish,
    Move,
    NewTable,
    RoomWish,
    SeatWish,
    Shelving,
    Sitting,
    UndoWish,
)
from hansa.server.wire.table import TableFace
from hansa.server.wire.words import TableStatus

__all__ = ["TableRoutes", "opened"]

GameId = Annotated[str, PathParameter(description="A table's id")]
Number = Annotated[int | None, QueryParameter(ge=0, le=10_000_000)]


async def opened(hub: Hub, caller: Caller, game_id: str) -> Table:
    """A table the caller may see."""
    table = await hub.opened(checked_id(game_id))
    if not table.may_watch(caller.person):
        raise TableError("not_found", "There is no such table.")
    return table


async def _invited(hub: Hub, caller: Caller, token: str) -> tuple[Table, str]:
    """Table and seat of an invite link."""
    game_id, seat = await hub.lobby.by_invite(checked_id(token))
    table = await hub.opened(game_id)
    place = table.meta.seat(seat)
    if place is not None and place.kind != "open" and not table.may_watch(caller.person):
        # Used, by somebody else: it opens nothing that its holder may not see anyway.
        raise TableError("not_found", "This invite link has been used.")
    return table, seat


class TableRoutes(Controller):
    """Tables."""

    path = "/api"
    tags = ("tables",)

    @get("/games")
    async def games(
        self,
        hub: TheHub,
        caller: TheCaller,
        status: FromQuery[TableStatus | None] = None,
        mine: FromQuery[bool] = False,
        archived: FromQuery[bool] = False,
        limit: Annotated[int, QueryParameter(ge=1, le=100)] = 50,
        before: Annotated[
            str | None, QueryParameter(pattern="^[0-9]{1,15}-[0-9A-Za-z]{1,24}$")
        ] = None,
    ) -> Games:
        """The lobby (visibility `open`) or, with `mine=true`, one's own tables: those that one
        has not archived or, with `archived=true`, those.

        Newest first, at most `limit`; `before` is the `next` of the page before.
        """
        person = caller.known().id if mine else None
        hidden: set[str] = set()

        def work(connection: Any) -> tuple[list[Meta], dict[str, Live]]:
            metas = archive.list_games(
                connection,
                status=status,
                person=person,
                before=before,
                limit=limit,
                shelved=archived if person is not None else None,
            )
            rows = live_rows(connection, metas)
            if caller.person is not None and not mine:
                hosts = ties.shunned(connection, caller.person.id)
                hidden.update(meta.id for meta in metas if meta.host in hosts)
            _rate(connection, metas, rows)
            return metas, rows

        found, rows = await caller.read(work)
        moved = hub.hall.pauses.moved
        for meta in found:
            if (at := rows[meta.id].clock_at) is not None:
                rows[meta.id].clock_at = moved(at)
            rows[meta.id].proposals = votes.put_off(meta, moved)
            held = hub.hall.live.get(meta.id)
            if held is not None:
                rows[meta.id].watching, rows[meta.id].present = held.watching(), held.present()
        return Games(
            games=[row(m, caller.person, rows[m.id]) for m in found if m.id not in hidden],
            next=archive.place_of(found[-1]) if len(found) == limit else None,
        )

    @post("/games", status_code=HTTP_201_CREATED)
    async def create(self, hub: TheHub, caller: TheCaller, data: JSONBody[NewTable]) -> TableFace:
        """A new table."""
        person = await caller.somebody()
        async with hub.founding.of(caller.address):
            await hub.check_new_table(person, caller.address)
            table = await hub.lobby.create(person, data)
        return table.face(person)

    @get("/games/{game_id:str}")
    async def game(self, hub: TheHub, caller: TheCaller, game_id: GameId) -> TableFace:
        """One table."""
        return (await opened(hub, caller, game_id)).face(caller.person)

    @delete("/games/{game_id:str}", status_code=HTTP_200_OK)
    async def remove(self, hub: TheHub, caller: TheCaller, game_id: GameId) -> Deleted:
        """The host removes a table that has not started."""
        table = await opened(hub, caller, game_id)
        await hub.lobby.remove(table, caller.known())
        return Deleted()

    @put("/games/{game_id:str}/archived")
    async def shelve(
        self, hub: TheHub, caller: TheCaller, game_id: GameId, data: JSONBody[Shelving]
    ) -> Shelved:
        """Take a table out of one's own list, or put it back; nobody else notices."""
        table = await opened(hub, caller, game_id)
        person = caller.known()
        if not table.meta.seats_of(person) and table.meta.host != person.id:
            raise TableError("not_your_seat", "This table is not in your list.")
        await hub.store.write(
            lambda connection: archive.archive_for(
                connection, table.id, person.id, on=data.archived
            )
        )
        return Shelved(archived=data.archived)

    @get("/invites/{token:str}")
    async def invite(self, hub: TheHub, caller: TheCaller, token: FromPath[str]) -> Invitation:
        """What an invite link is for."""
        table, seat = await _invited(hub, caller, token)
        return Invitation(game=table.face(caller.person), seat=seat)

    @post("/invites/{token:str}", status_code=HTTP_200_OK)
    async def accept(
        self, hub: TheHub, caller: TheCaller, token: FromPath[str], data: JSONBody[Sitting]
    ) -> TableFace:
        """Take the seat of an invite link; the same person again is fine."""
        table, seat = await _invited(hub, caller, token)
        person = await caller.somebody(data.name)
        table.neighbours.came(table.meta, person, caller.address)
        await hub.lobby.join(table, person, seat, data.name)
        return table.face(person)

    @post("/games/{game_id:str}/join", status_code=HTTP_200_OK)
    async def join(
        self, hub: TheHub, caller: TheCaller, game_id: GameId, data: JSONBody[Sitting]
    ) -> TableFace:
        """Take an open seat: whoever has the table's address or code may.

        Who sits there already changes to the seat named.
        """
        table = await opened(hub, caller, game_id)
        person = await caller.somebody(data.name)
        table.neighbours.came(table.meta, person, caller.address)
        await hub.lobby.join(table, person, data.seat, data.name)
        return table.face(person)

    @post("/games/{game_id:str}/leave", status_code=HTTP_200_OK)
    async def leave(
        self, hub: TheHub, caller: TheCaller, game_id: GameId, data: JSONBody[Sitting]
    ) -> TableFace:
        """Get up before the start: from one seat, or from all of one's own."""
        table = await opened(hub, caller, game_id)
        await hub.lobby.leave(table, caller.known(), data.seat)
        return table.face(caller.person)

    @post("/games/{game_id:str}/start", status_code=HTTP_200_OK)
    async def start(self, hub: TheHub, caller: TheCaller, game_id: GameId) -> TableFace:
        """The host starts the game; every seat must be filled."""
        table = await opened(hub, caller, game_id)
        await hub.lobby.start(table, caller.known())
        return table.face(caller.person)

    @get("/codes/{code:str}")
    async def code(self, hub: TheHub, caller: TheCaller, code: FromPath[str]) -> Found:
        """The table whose code somebody was told; how it is written does not matter."""
        hub.codes.check(caller.address)
        hub.wrong_codes.check(caller.address)
        try:
            return Found(game=await hub.lobby.by_code(code[:40]))
        except TableError as error:
            if error.code == "not_found":
                hub.wrong_codes.charge(caller.address, 1)
            raise

    @put("/games/{game_id:str}/room")
    async def arrange(
        self, hub: TheHub, caller: TheCaller, game_id: GameId, data: JSONBody[RoomWish]
    ) -> TableFace:
        """Before the start the host changes how the game begins."""
        table = await opened(hub, caller, game_id)
        await hub.lobby.arrange(table, caller.known(), auto_start=data.auto_start)
        return table.face(caller.person)

    @post("/games/{game_id:str}/seats/{seat:str}/move", status_code=HTTP_200_OK)
    async def move(
        self,
        hub: TheHub,
        caller: TheCaller,
        game_id: GameId,
        seat: FromPath[str],
        data: JSONBody[Move],
    ) -> TableFace:
        """Before the start the host lets two seats change places."""
        table = await opened(hub, caller, game_id)
        await hub.lobby.move(table, caller.known(), seat, data.to)
        return table.face(caller.person)

    @put("/games/{game_id:str}/seats/{seat:str}/colour")
    async def dress(
        self,
        hub: TheHub,
        caller: TheCaller,
        game_id: GameId,
        seat: FromPath[str],
        data: JSONBody[ColourWish],
    ) -> TableFace:
        """Before the start one chooses the colour of one's seat, the host that of machines."""
        table = await opened(hub, caller, game_id)
        await hub.lobby.dress(table, caller.known(), seat, data.colour)
        return table.face(caller.person)

    @put("/games/{game_id:str}/seats/{seat:str}")
    async def set_seat(
        self,
        hub: TheHub,
        caller: TheCaller,
        game_id: GameId,
        seat: FromPath[str],
        data: JSONBody[SeatWish],
    ) -> TableFace:
        """Before the start the host fills, frees or takes a seat.

        Freeing makes a new invite link.
        """
        table = await opened(hub, caller, game_id)
        await hub.lobby.set_seat(table, caller.known(), seat, data)
        return table.face(caller.person)

    @post("/games/{game_id:str}/rematch", status_code=HTTP_200_OK)
    async def rematch(self, hub: TheHub, caller: TheCaller, game_id: GameId) -> TableFace:
        """When over, for somebody who sat here: propose a rematch, or agree to it.

        When all people have agreed it is the same set-up, people and bots with a new seed; the
        starting seat moves on by one, and the old table's `rematch` names the new id. The answer is
        the new table, or this one while somebody has still to agree.
        """
        table = await opened(hub, caller, game_id)
        person = caller.known()
        if table.meta.rematch is None:
            await hub.check_new_table(person, caller.address)
        return (await hub.voting.play_again(table, person)).face(person)

    @post("/games/{game_id:str}/fork", status_code=HTTP_201_CREATED)
    async def fork(
        self, hub: TheHub, caller: TheCaller, game_id: GameId, data: JSONBody[ForkWish]
    ) -> TableFace:
        """When over: a new table starting from that position."""
        table = await opened(hub, caller, game_id)
        person = await caller.somebody()
        await hub.check_new_table(person, caller.address)
        made = await hub.again.fork(table, person, data.number, data, data.seats)
        return made.face(person)

    @post("/games/{game_id:str}/act", status_code=HTTP_200_OK)
    async def act(
        self, hub: TheHub, caller: TheCaller, game_id: GameId, data: JSONBody[ActWish]
    ) -> Acted:
        """Decide."""
        table = await opened(hub, caller, game_id)
        hub.stored.check(caller.address, caller.person)
        entries = await hub.decisions.act(
            table,
            caller.known(),
            data.decision,
            data.number,
            revision=data.revision,
            seat=data.seat,
        )
        hub.stored.pay(caller.address, caller.person, ENTRY * len(entries))
        return Acted(
            revision=entries[-1].revision,
            number=entries[-1].number,
            entries=[entry.face() for entry in entries],
        )

    @post("/games/{game_id:str}/undo", status_code=HTTP_200_OK)
    async def undo(
        self, hub: TheHub, caller: TheCaller, game_id: GameId, data: JSONBody[UndoWish]
    ) -> Acted:
        """Take back, or with `ask` propose it to the others where that is needed."""
        table = await opened(hub, caller, game_id)
        person = caller.known()
        hub.stored.check(caller.address, person)
        entries = await hub.undo(table, person, data.number, data.to, ask=data.ask)
        hub.stored.pay(caller.address, person, ENTRY * len(entries))
        return Acted(
            revision=table.revision,
            number=table.number,
            entries=[entry.face() for entry in entries],
        )

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
    ) -> State:
        """Table, position and log as `seat` sees them: one's own, `auto`, or `none` (a watcher).

        With `after` it waits up to `wait` seconds (at most 30) until the revision is above
        that or, with `version`, the table has another one (a start, somebody new): long
        polling.
        """
        table = await opened(hub, caller, game_id)
        if seat.startswith("p") and seat not in table.meta.seats_of(caller.person):
            raise TableError("not_your_seat", "You may look from your own seats only.")
        with hub.absence.asking(table, caller.person, caller.address):
            if after is not None:
                await _news(hub, table, caller, after, version, time.monotonic() + wait)
                # His session, or the token he came with, may have ended meanwhile.
                await caller.find()
        if not table.may_watch(caller.person):
            raise TableError("not_found", "There is no such table.")
        return await state_of(hub, table, caller.person, None if seat == "none" else seat)


async def _news(
    hub: Hub, table: Table, caller: Caller, after: int, version: int | None, until: float
) -> None:
    """Wait for something newer than that revision and version; a server that stops waits no more."""

    def is_due() -> bool:
        # What was missed between two polls shows in the version: a start has no revision.
        other = version is not None and table.meta.version != version
        return table.revision > after or other or hub.hall.closing or time.monotonic() >= until

    if is_due():
        return
    async with hub.polls.of(f"{table.id} {caller.address}"):
        while not is_due():
            await table.wait(until - time.monotonic())


def _rate(connection: Any, metas: list[Meta], rows: dict[str, Live]) -> None:
    """Whoever looks for a table wants to know how good those are who wait there."""
    waiting = [meta for meta in metas if meta.status == "open"]
    for pool in ladder.POOLS:
        here = [meta for meta in waiting if pool_of(len(meta.seats)) == pool]
        people = {seat.person for meta in here for seat in meta.seats if seat.person}
        if people:
            found = ladder.now_of(connection, pool, people)
            for meta in here:
                rows[meta.id].ratings = found


async def state_of(hub: Hub, table: Table, person: Person | None, look: str | None) -> State:
    """The table as somebody sees it: face, position and log of one moment."""
    number, face = table.number, table.face(person)
    position = views.position(table, table.view_seat(person, look))
    log = await hub.told(table, max(1, number - 99), number)
    return State(
        table=face,
        position=position,
        log=[entry.face() for entry in log],
        log_from=max(0, number - 100),
    )
