"""HTTP: studies (protocol, section 5)."""

from typing import Annotated, Any

import msgspec
from litestar import Controller, MediaType, Response, delete, get, post, put
from litestar.params import JSONBody, PathParameter
from litestar.status_codes import HTTP_200_OK, HTTP_201_CREATED

from hansa.server import replay, studies, text
from hansa.server.border import Caller, TheCaller, TheHub, checked_id
from hansa.server.errors import TableError
from hansa.server.hub import Hub
from hansa.server.model import Meta, Person
from hansa.server.stored import ENTRY
from hansa.server.table_routes import opened
from hansa.server.wire.answers import Deleted
from hansa.server.wire.asking import RecordUpload
from hansa.server.wire.studies import Studies, StudyFace, StudyNode, StudyWish

__all__ = ["StudyRoutes"]

StudyId = Annotated[str, PathParameter(description="A study's id")]


async def _source(hub: Hub, caller: Caller, game: str, number: int) -> Meta:
    """The finished game that a study came from; whoever looks at the study must be able to see it."""
    table = await opened(hub, caller, game)
    if table.meta.status != "over":
        raise TableError("not_over", "A game is studied when it is over.")
    if number > table.number:
        raise TableError("bad_request", f"The game has {table.number} decisions.")
    return table.meta


async def _found(hub: Hub, caller: Caller, study: str) -> StudyFace:
    wanted, person = checked_id(study), caller.person.id if caller.person else None
    found, size = await caller.read(lambda connection: studies.find(connection, wanted, person))
    caller.pay_bytes(size)
    await _source(hub, caller, found.game, found.number)
    return found


async def _checked(hub: Hub, caller: Caller, wish: StudyWish) -> StudyWish:
    meta = await _source(hub, caller, wish.game, wish.number)

    def work(connection: Any) -> list[StudyNode]:
        studies.checked(replay.at_number(connection, meta, wish.number), wish.nodes)
        return [msgspec.structs.replace(n, comment=text.clean(n.comment)) for n in wish.nodes]

    nodes = await caller.read(work)
    return msgspec.structs.replace(
        wish, name=text.name(wish.name, 120), comment=text.clean(wish.comment), nodes=nodes
    )


async def _kept(
    hub: Hub, caller: Caller, person: Person, wish: StudyWish, study: str | None = None
) -> StudyFace:
    """Write a new study, or another tree in the place of one's own."""
    hub.stored.check(caller.address, person)
    await hub.stored.check_room(person)
    nodes = studies.as_text(wish.nodes)

    def work(connection: Any) -> str:
        if study is None:
            return studies.add(connection, person.id, wish, nodes)
        studies.change(connection, study, wish, nodes)
        return study

    made = await hub.store.write(work)
    hub.stored.pay(caller.address, person, len(nodes) + len(wish.comment))
    return await _found(hub, caller, made)


class StudyRoutes(Controller):
    """Variations as a tree with comments."""

    path = "/api"
    tags = ("studies",)

    @get("/studies")
    async def studies(self, caller: TheCaller) -> Studies:
        """One's own studies."""
        person = caller.person
        if person is None:
            return Studies(studies=[])
        return Studies(
            studies=await caller.read(lambda connection: studies.listed(connection, person.id))
        )

    @post("/studies", status_code=HTTP_201_CREATED)
    async def add(self, hub: TheHub, caller: TheCaller, data: JSONBody[StudyWish]) -> StudyFace:
        """Keep a study; every decision of it must be legal where it stands."""
        wish = await _checked(hub, caller, data)
        return await _kept(hub, caller, await caller.somebody(), wish)

    @get("/studies/{study_id:str}")
    async def study(self, hub: TheHub, caller: TheCaller, study_id: StudyId) -> StudyFace:
        """A study, for everybody who has its link."""
        return await _found(hub, caller, study_id)

    @put("/studies/{study_id:str}", status_code=HTTP_200_OK)
    async def change(
        self, hub: TheHub, caller: TheCaller, study_id: StudyId, data: JSONBody[StudyWish]
    ) -> StudyFace:
        """Keep another name and tree; only its owner may."""
        found = await _found(hub, caller, study_id)
        if not found.yours:
            raise TableError("not_allowed", "Only its owner may change a study; keep a copy.")
        source = msgspec.structs.replace(data, game=found.game, number=found.number)
        wish = await _checked(hub, caller, source)
        return await _kept(hub, caller, caller.known(), wish, study_id)

    @delete("/studies/{study_id:str}", status_code=HTTP_200_OK)
    async def remove(self, hub: TheHub, caller: TheCaller, study_id: StudyId) -> Deleted:
        """Forget a study; only its owner may."""
        if not (await _found(hub, caller, study_id)).yours:
            raise TableError("not_allowed", "Only its owner may delete a study.")
        await hub.store.write(lambda connection: studies.delete(connection, study_id))
        return Deleted()

    @get("/studies/{study_id:str}/record", media_type=MediaType.TEXT)
    async def record(self, hub: TheHub, caller: TheCaller, study_id: StudyId) -> Response[str]:
        """The record of the game with the study's variations and comments, as `text/plain`."""
        found = await _found(hub, caller, study_id)
        table = await opened(hub, caller, found.game)
        meta, number = table.meta, table.number

        def work(connection: Any) -> str:
            game = replay.whole(connection, meta, number)
            game.seats = {seat.seat: seat.name for seat in meta.seats}
            return studies.written(game, replay.at_number(connection, meta, found.number), found)

        name = f'attachment; filename="hansa-study-{found.id}.txt"'
        written = await caller.read(work)
        return Response(written, media_type=MediaType.TEXT, headers={"content-disposition": name})

    @post("/studies/records", status_code=HTTP_201_CREATED)
    async def read(self, hub: TheHub, caller: TheCaller, data: JSONBody[RecordUpload]) -> StudyFace:
        """A study from a record with variations, and a finished table that it came from."""
        hub.uploads.check(caller.address)
        person = await caller.somebody()
        await hub.check_new_table(person, caller.address, over=True)
        hub.stored.check(caller.address, person)
        name, comment, nodes = await caller.read(lambda _: studies.read(data.record))
        async with hub.studies.of(caller.address):
            table = await hub.again.upload(person, data.record, data.name)
        hub.stored.pay(caller.address, person, ENTRY * table.revision)
        wish = StudyWish(
            name=text.clean(data.name or name)[:120] or table.meta.name,
            game=table.id,
            number=0,
            comment=comment[:2000],
            nodes=nodes,
        )
        return await _kept(hub, caller, person, await _checked(hub, caller, wish))
