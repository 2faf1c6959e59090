"""HTTP: what has been played: scrubbing, log, records, charts, analysis (protocol, section 5)."""

from functools import partial
from typing import Annotated, Any, cast

import msgspec
from litestar import Controller, MediaType, Request, Response, get, post
from litestar.params import JSONBody, PathParameter, QueryParameter
from litestar.status_codes import HTTP_200_OK, HTTP_201_CREATED

import hansa
from hansa.information import scores_seen
from hansa.server import exploring, logbook, players, preparing, referee, replay, views
from hansa.server.border import Caller, TheCaller, TheHub
from hansa.server.errors import TableError
from hansa.server.hall import check_running
from hansa.server.model import Entry
from hansa.server.stored import ENTRY
from hansa.server.table import Table
from hansa.server.table_routes import GameId, opened
from hansa.server.wire.answers import Analysis, Chart, ChartPoint, Log, Preview, Why
from hansa.server.wire.asking import AnalysisWish, RecordUpload
from hansa.server.wire.positions import PastPosition, UndoFace, View
from hansa.server.wire.prepared import Prepared, PreparedWish
from hansa.server.wire.table import TableFace

__all__ = ["HistoryRoutes"]

PathCount = Annotated[int, PathParameter(ge=0, le=10_000_000)]
Count = Annotated[int, QueryParameter(ge=0, le=10_000_000)]
_MOST_RECORD = 500_000


def _check_reached(table: Table, number: int) -> None:
    """Raise where the game has not come so far."""
    if table.game is None:
        raise TableError("not_started", "The game has not started yet.")
    if number > table.number:
        raise TableError("bad_request", f"The game has {table.number} decisions so far.")


async def _at(caller: Caller, table: Table, number: int) -> tuple[hansa.Game, Entry | None]:
    _check_reached(table, number)
    meta = table.meta
    return await caller.read(lambda connection: replay.step_to(connection, meta, number))


class HistoryRoutes(Controller):
    """The past of a table."""

    path = "/api"
    tags = ("history",)

    @get("/games/{game_id:str}/positions/{number:int}")
    async def position(
        self,
        hub: TheHub,
        caller: TheCaller,
        game_id: GameId,
        number: PathCount,
        seat: Annotated[str | None, QueryParameter(pattern="^p[1-5]$")] = None,
        open_: Annotated[bool, QueryParameter(name="open")] = False,
    ) -> PastPosition:
        """The position after so many decisions; when over `open=true` shows everything."""
        table = await opened(hub, caller, game_id)
        if seat is not None and seat not in table.meta.seats_of(caller.person):
            raise TableError("not_your_seat", "You may look from your own seats only.")
        over = table.meta.status == "over"
        if open_ and not over:
            raise TableError("not_over", "Everything is shown when the game is over.")
        viewer = seat or table.view_seat(caller.person, "auto")
        game, entry = await _at(caller, table, number)
        show_seed = over or table.meta.options.seeded
        shown = referee.position(
            game,
            viewer,
            at=(entry.revision if entry else 0, number),
            undo=UndoFace(free=False, to=None, reason="history"),
            show_seed=show_seed,
        )
        shown.legal = None
        if open_:
            shown.view = cast("View", game.to_dict())
        return PastPosition(**msgspec.structs.asdict(shown), entry=entry.face() if entry else None)

    @get("/games/{game_id:str}/preview")
    async def preview(
        self,
        hub: TheHub,
        caller: TheCaller,
        game_id: GameId,
        number: Count,
        seat: Annotated[str, QueryParameter(pattern="^p[1-5]$")],
        decision: Annotated[str, QueryParameter(min_length=1, max_length=200)],
    ) -> Preview:
        """For the one who decides: what a decision would bring about, as far as he can know.

        What would be uncovered stays `?`, and nothing is played.
        """
        table = await opened(hub, caller, game_id)
        # A pointer that rested while the game went on, was taken back or stopped: no fault.
        if number != table.number or table.meta.status == "over":
            return Preview(late=True, events=[], position=None)
        _deciding(table, caller, seat)
        guessed = views.guessed(table, seat)
        return referee.preview(guessed, seat, decision, (table.revision + 1, number + 1))

    @get("/games/{game_id:str}/why")
    async def why(
        self,
        hub: TheHub,
        caller: TheCaller,
        game_id: GameId,
        seat: Annotated[str, QueryParameter(pattern="^p[1-5]$")],
        decision: Annotated[str, QueryParameter(min_length=1, max_length=200)],
    ) -> Why:
        """For the one who decides: why a decision is not allowed, with its rule and a sentence."""
        table = await opened(hub, caller, game_id)
        return referee.why(_deciding(table, caller, seat), decision)

    @post("/games/{game_id:str}/prepared", status_code=HTTP_200_OK)
    async def prepared(
        self, hub: TheHub, caller: TheCaller, game_id: GameId, data: JSONBody[PreparedWish]
    ) -> Prepared:
        """For a player, whoever decides: how far a line of his next turn could be played.

        Tried as if that turn began there, on his own view; nothing is played or stored.
        """
        table = await opened(hub, caller, game_id)
        if data.seat not in table.owned(caller.person):
            raise TableError("not_your_seat", "You do not decide for this seat.")
        check_running(table)
        game = table.game
        if game is None or data.number != table.number:
            game, _ = await _at(caller, table, data.number)
        tried = game.copy()  # the table's own stays where the table is
        return await caller.read(
            lambda _: preparing.prepared(tried, data.seat, data.number, data.decisions)
        )

    @get("/games/{game_id:str}/log")
    async def log(
        self,
        hub: TheHub,
        caller: TheCaller,
        game_id: GameId,
        first: Annotated[int, QueryParameter(name="from", ge=0, le=10_000_000)] = 0,
        last: Annotated[int | None, QueryParameter(name="to", ge=0, le=10_000_000)] = None,
    ) -> Log:
        """The decisions that stand, `from` exclusive, `to` inclusive, at most 1000.

        Among them what else happened: undos, votes, stand-ins.
        """
        table = await opened(hub, caller, game_id)
        number, revision = table.number, table.revision
        upto = min(number if last is None else last, first + 1000, number)
        if upto <= first > 0:
            return Log(log=[], since=first, number=number)

        def work(connection: Any) -> Log:
            entries = logbook.told(connection, table.id, first + 1, upto, number, revision=revision)
            return Log(log=[entry.face() for entry in entries], since=first, number=number)

        return await caller.read(work)

    @get("/games/{game_id:str}/chart")
    async def chart(self, hub: TheHub, caller: TheCaller, game_id: GameId) -> Chart:
        """Everybody's total at the end of every turn."""
        table = await opened(hub, caller, game_id)
        number = table.number
        points = await caller.read(lambda connection: logbook.chart(connection, table.id, number))
        seats = [seat.seat for seat in table.meta.seats]
        start = ChartPoint(number=0, turn=0, scores=dict.fromkeys(seats, 0))
        return Chart(points=[start, *points])

    @get("/games/{game_id:str}/record", media_type=MediaType.TEXT)
    async def record(self, hub: TheHub, caller: TheCaller, game_id: GameId) -> Response[str]:
        """The record of a finished game as `text/plain`; before the end `not_over`, since it
        holds the seed.
        """
        table = await opened(hub, caller, game_id)
        if table.meta.status != "over":
            raise TableError("not_over", "The record holds the seed: it is given at the end.")
        meta, number = table.meta, table.number

        caller.check_work()
        # With the version: names change when somebody deletes his data.
        text = await hub.records.made(
            f"{table.id} {meta.version}",
            lambda: caller.read(lambda store: replay.record(store, meta, number)),
        )
        caller.pay_bytes(len(text))
        name = f'attachment; filename="hansa-{table.id}.txt"'
        return Response(text, media_type=MediaType.TEXT, headers={"content-disposition": name})

    @post("/records", status_code=HTTP_201_CREATED)
    async def upload(
        self, hub: TheHub, caller: TheCaller, request: Request[Any, Any, Any]
    ) -> TableFace:
        """A finished, replayable table of one's own from a record: its text, or `RecordUpload`
        as JSON.

        At most 500 kB and 5,000 decisions; `invalid_record` says what is wrong.
        """
        body = await request.body()
        if request.headers.get("content-type", "").startswith("application/json"):
            try:
                wish = msgspec.json.decode(body, type=RecordUpload)
            except msgspec.DecodeError as error:
                raise TableError("bad_request", str(error)) from error
        else:
            wish = RecordUpload(record=_text(body))
        hub.uploads.check(caller.address)
        person = await caller.somebody()
        await hub.check_new_table(person, caller.address, over=True)
        hub.stored.check(caller.address, person)
        async with hub.studies.of(caller.address):
            table = await hub.again.upload(person, wish.record, wish.name)
        hub.stored.pay(caller.address, person, ENTRY * table.revision)
        return table.face(person)

    @post("/games/{game_id:str}/analysis", status_code=HTTP_200_OK)
    async def analysis(
        self,
        hub: TheHub,
        caller: TheCaller,
        game_id: GameId,
        data: JSONBody[AnalysisWish],
    ) -> Analysis:
        """What a bot would do there.

        When over for everybody who may see the table; while it runs only where all other
        seats are bots (a hint) and nothing is rated, and only from the decider's own view.
        """
        hub.analyses.check(caller.address)
        payer = caller.address, caller.person.id if caller.person else None
        hub.studied.check(*payer)
        table = await opened(hub, caller, game_id)
        if data.line and table.meta.status != "over":
            raise TableError("not_over", "Lines are tried when the game is over.")
        _check_reached(table, data.number)
        meta = table.meta

        def work(connection: Any) -> hansa.Game:
            return exploring.followed(
                replay.at_number(connection, meta, data.number), data.line or ()
            )

        game = await caller.read(work)
        if game.over or not game.legal_actions():
            raise TableError("game_over", "Nothing is decided in this position.")
        if table.meta.status != "over":
            _check_hint(table, caller, game)
        bot = players.checked(data.bot or hub.config.default_bot)
        player = game.player
        async with hub.studies.of(caller.address):
            found = await hub.study.analyse(bot, game, partial(hub.studied.charge, *payer))
        missions = game.setup.missions
        return Analysis(
            number=data.number,
            player=player,
            bot=bot,
            decision=found.decision,
            options=found.options,
            turn=found.turn,
            scores=scores_seen(game.scores(), player, missions=missions, over=False),
        )


def _deciding(table: Table, caller: Caller, seat: str) -> hansa.Game:
    """The game, for the one who decides: what is legal can tell what is hidden."""
    if seat not in table.owned(caller.person):
        raise TableError("not_your_seat", "You do not decide for this seat.")
    check_running(table)
    if table.game is None or table.decider != seat:
        raise TableError(
            "not_your_decision", f"It is {table.decider}'s decision.", player=table.decider
        )
    return table.game


def _text(body: bytes) -> str:
    if len(body) > _MOST_RECORD:
        raise TableError("too_large", f"A record has at most {_MOST_RECORD} bytes.")
    try:
        return body.decode()
    except UnicodeDecodeError as error:
        raise TableError("invalid_record", "A record is UTF-8 text.") from error


def _check_hint(table: Table, caller: Caller, game: hansa.Game) -> None:
    """A hint is for somebody alone among bots, from his own view."""
    mine = table.meta.seats_of(caller.person)
    others = [s for s in table.meta.seats if s.seat not in mine and s.kind != "bot"]
    if others or game.player not in mine or table.meta.options.rated:
        raise TableError("not_over", "While people play, analysis waits until the game is over.")
