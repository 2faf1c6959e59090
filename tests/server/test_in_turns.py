"""A crowd holds up nobody: requests, watchers, records and uploads go in parts, others in between."""

from __future__ import annotations

import asyncio
from functools import partial
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any
from unittest.mock import AsyncMock

import h11
import pytest
import sqlalchemy as sa
from tests.server.test_hub import in_hub, wish
from uvicorn.protocols.http.h11_impl import H11Protocol

import hansa
from hansa import bots
from hansa.server import again, logbook, patience, reading, referee, replay
from hansa.server.border import Caller
from hansa.server.config import Config
from hansa.server.door import Door
from hansa.server.errors import TableError
from hansa.server.heavy import Kept
from hansa.server.hub import _GALLERY
from hansa.server.model import now_ms
from hansa.server.patience import patient
from hansa.server.realtime import Connection
from hansa.server.schema import entries, games, snapshots

if TYPE_CHECKING:
    from collections.abc import Callable


async def _turns(count: int) -> None:
    """Of the event loop."""
    for _ in range(count):
        await asyncio.sleep(0)


def test_a_door_lets_a_few_in_each_turn():
    async def work() -> None:
        door, came = Door(2), list[int]()
        for n in range(5):
            assert door.enter(partial(came.append, n)) == (n < 2)
        seen = [len(came)]
        while len(came) < 5:
            await asyncio.sleep(0)
            seen.append(len(came))
        assert seen == [2, 2, 4, 5]
        assert came == list(range(5)), "nobody overtakes"
        await _turns(2)
        assert door.enter(lambda: came.append(5)), "nobody waits any more"

    asyncio.run(work())


def test_who_comes_alone_does_not_stand_behind_a_crowd():
    async def work() -> None:
        door, came = Door(1), list[str]()
        for n in range(4):
            door.enter(partial(came.append, f"crowd {n}"), "crowd")
        door.enter(partial(came.append, "alone"), "alone")
        door.enter(partial(came.append, "another"), "another")
        await _turns(12)
        assert came == ["crowd 0", "crowd 1", "alone", "another", "crowd 2", "crowd 3"]

    asyncio.run(work())


class _Wire:
    """A transport that notes what is asked of it."""

    def __init__(self) -> None:
        self.reads, self.closing = True, False

    def pause_reading(self) -> None:
        self.reads = False

    def resume_reading(self) -> None:
        self.reads = True

    def is_closing(self) -> bool:
        return self.closing

    def abort(self) -> None:
        self.closing = True


def _connections() -> Callable[..., Any]:
    """Makes connections that do nothing but take their turns; each may be of another address."""
    protocol: Any = patient(Config())

    def made(number: int, address: str = "") -> Any:
        one = protocol.__new__(protocol)
        one.number, one.transport, one._address = number, _Wire(), address
        one.flow = SimpleNamespace(read_paused=False)
        one.conn = SimpleNamespace(their_state=h11.DONE)
        return one

    return made


def test_what_comes_in_is_taken_apart_a_piece_in_each_turn(monkeypatch):
    """A body in chunks of one byte takes a second for each hundred kilobytes."""
    came: list[tuple[int, int]] = []
    monkeypatch.setattr(
        H11Protocol, "data_received", lambda self, data: came.append((self.number, len(data)))
    )
    made = _connections()

    async def work() -> None:
        greedy, another = made(1, "10.0.0.1"), made(2, "10.0.0.2")
        greedy.data_received(b"x" * (3 * patience._PIECE + 1))
        assert not greedy.transport.reads
        another.data_received(b"GET / HTTP/1.1")
        await _turns(10)
        piece = (1, patience._PIECE)
        assert came == [piece, piece, (2, 14), piece, (1, 1)]
        assert greedy.transport.reads
        greedy.flow.read_paused = True
        greedy.data_received(b"x")
        await _turns(3)
        greedy.transport.reads = False
        greedy._go_on()
        assert not greedy.transport.reads, "who does not want more is not given more"

    asyncio.run(work())


def test_requests_that_come_at_once_are_read_one_in_each_turn(monkeypatch):
    """Hundreds of new connections were read, all of them, before a decision went on."""
    came: list[tuple[int, bytes]] = []

    def taken(self: Any, data: bytes) -> None:
        came.append((self.number, data))
        if data == b"broken":
            raise RuntimeError("broken")

    monkeypatch.setattr(H11Protocol, "data_received", taken)
    made = _connections()

    async def work() -> None:
        broken = list[Any]()
        asyncio.get_running_loop().set_exception_handler(lambda _, about: broken.append(about))
        crowd = [made(number) for number in range(4)]
        for each in crowd:
            each.data_received(b"GET ")
        assert came == [(0, b"GET ")]
        assert [each.transport.reads for each in crowd] == [True, False, False, False]
        crowd[1].data_received(b"/")
        crowd[2].transport.closing = True
        await _turns(2)
        assert came[1:] == [(1, b"GET /")], "in order, and once"
        assert crowd[1].transport.reads
        await _turns(2)
        assert came[2:] == [(3, b"GET ")], "who has gone is passed over"
        crowd[0].data_received(b"fine")
        crowd[1].data_received(b"broken")
        await _turns(3)
        assert crowd[1].transport.closing
        assert len(broken) == 1

    asyncio.run(work())


def test_players_are_told_at_once_and_watchers_in_turns(tmp_path):
    """A decision told to three hundred watchers held up the decisions of all other tables."""

    async def work(hub, person):
        table = await hub.lobby.create(person, wish("me", "me", "me", start=True))

        def at_table(who: Any) -> Any:
            caller = Caller(hub, AsyncMock(cookies={}))
            caller.person = who
            connection = Connection(hub, AsyncMock(scope={}), table, caller)
            connection._task = asyncio.current_task()
            connection._greeted = True
            table.listeners.add(connection)
            return connection

        watching = [at_table(None) for _ in range(3 * _GALLERY)]
        player = at_table(person)
        table.changed(face=True)
        assert player._sender is not None
        begun = list[int]()
        while not begun or begun[-1] < len(watching):
            begun.append(sum(not each._waits for each in watching))
            await asyncio.sleep(0)
        assert sorted(set(begun)) == [_GALLERY, 2 * _GALLERY, 3 * _GALLERY]
        for each in (*watching, player):
            while each._sender is not None:
                await each._sender
            sent = [call.args[0] for call in each.socket.send_text.await_args_list]
            assert [text.startswith('{"type":"table"') for text in sent[:2]] == [True, False]
            assert each.cursor._stamp == table.stamp
            table.listeners.discard(each)

    in_hub(tmp_path, work, rounds=False)


def test_a_text_is_made_once_however_many_ask():
    async def work() -> None:
        kept, begun, gate = Kept(100), list[int](), asyncio.Event()

        async def make() -> str:
            begun.append(1)
            await gate.wait()
            if len(begun) == 1:
                raise TableError("too_many", "Not you.")
            return "text"

        asking = [asyncio.ensure_future(kept.made("one", make)) for _ in range(5)]
        await asyncio.sleep(0)
        assert len(begun) == 1
        gate.set()
        first, *others = await asyncio.gather(*asking, return_exceptions=True)
        assert isinstance(first, TableError), "who was refused"
        assert others == ["text"] * 4
        assert len(begun) == 2
        assert await kept.made("one", make) == "text"

    asyncio.run(work())


def _game(decisions: int) -> hansa.Game:
    game, bot = hansa.Game.new(board="hansa", players=3, seed=7), bots.create("greedy")
    while len(game.history) < decisions and not game.over:
        game.play(bot.choose(game.view(game.player), game.legal_actions(), None))
    return game


def test_a_record_is_written_without_playing_the_game_again(tmp_path, monkeypatch):
    played: list[int] = []
    replayed = referee.replayed

    def counted(game: Any, log: Any) -> Any:
        played.append(len(log))
        return replayed(game, log)

    async def work(hub, person):
        table = await hub.lobby.create(person, wish("me", "me", "me", start=True))

        async def act(text: str) -> None:
            await hub.decisions.act(table, person, text, table.number)

        await act("end")
        await act("place t groningen-emden/1")
        await hub.decisions.undo(table, person, 2, None)
        await act("place t groningen-emden/2")
        for _ in range(8):
            await act("end")
        for seat in ("p1", "p2"):
            await hub.manners.concede(table, person, seat)
        assert table.meta.status == "over"
        anew = wish("me", "me", "me", start=True)
        copied = await hub.again.fork(table, person, 5, anew, anew.seats)
        await hub.decisions.act(copied, person, "end", 0)
        for one in (table, copied):
            expected = referee.first_position(one.meta)
            log = await hub.store.read(
                lambda store, one=one: logbook.standing(store, one.id, 1, one.number)
            )
            replayed(expected, log)
            expected.seats = {seat.seat: seat.name for seat in one.meta.seats}
            played.clear()
            written = await hub.store.read(
                lambda store, one=one: replay.record(store, one.meta, one.number)
            )
            assert written == expected.record()
            assert sum(played) < 4

    monkeypatch.setattr(referee, "replayed", counted)
    in_hub(tmp_path, work, snapshot_every=4)


def test_a_finished_game_is_written_with_its_result(tmp_path):
    game = _game(10_000)
    assert game.over
    game.seats = {"p1": "Ada", "p2": "Ben", "p3": "Cosma"}

    async def work(hub, person):
        table = await _uploaded(hub, person, game)
        written = await hub.store.read(lambda at: replay.record(at, table.meta, table.number))
        assert written == game.record()

    in_hub(tmp_path, work)


def test_a_record_that_was_kept_forgets_who_deletes_his_data(sqlite_server):
    with sqlite_server.client("Alheyd") as one, sqlite_server.client("Bertram") as other:
        table = one.table("me", "me", "me")
        socket = one.socket(table["id"])
        socket.receive()
        for seat in ("p1", "p2"):
            socket.ask("concede", seat=seat)
        path = f"/api/games/{table['id']}/record"
        assert "Alheyd" in other.http.get(path).text
        one.post("/api/me/farewell", {})
        assert "Alheyd" not in other.http.get(path).text


# Uploads


async def _uploaded(hub: Any, person: Any, game: hansa.Game) -> Any:
    """Read here, not in a process of its own, which takes its time to start."""
    read = reading.packed(game.record(), hub.config.snapshot_every)
    hub.study.record = AsyncMock(return_value=read)
    return await hub.again.upload(person, "", "Mine")


def _rows(connection: sa.Connection, game: str) -> dict[str, int]:
    return {
        column.table.name: connection.execute(
            sa.select(sa.func.count()).where(column == game)
        ).scalar_one()
        for column in (games.c.id, entries.c.game)
    }


@pytest.mark.parametrize("store", ["sqlite", "postgresql"])
def test_a_long_record_is_stored_in_parts_and_decisions_go_between(
    store, tmp_path, monkeypatch, request
):
    postgresql = store == "postgresql"
    database = request.getfixturevalue("postgres").new_database() if postgresql else None
    monkeypatch.setattr(again, "_PART", 40)
    game, added = _game(130), list[str]()

    async def work(hub, person):
        playing = await hub.lobby.create(person, wish("me", "me", "me", start=True))
        write, add = hub.store.write, logbook.add_whole

        def part(connection: Any, log: Any, kept: Any) -> None:
            assert len(log) <= 40
            assert {row["number"] for row in kept} <= {row["number"] for row in log}
            added.append("part")
            add(connection, log, kept)

        async def writing(work: Any) -> Any:
            done = await write(work)
            if added and added[-1] == "part":
                hub.store.write = write
                await hub.decisions.act(playing, person, "end", playing.number)
                hub.store.write = writing
                added.append("decision")
            return done

        monkeypatch.setattr(logbook, "add_whole", part)
        hub.store.write = writing
        table = await _uploaded(hub, person, game)
        assert added == ["part", "decision"] * 4
        assert table.meta.status == "over"
        assert table.number == 130
        assert [seat.kind for seat in table.meta.seats] == ["human"] * 3
        hub.hall.forget(table)
        again_ = await hub.hall.open(table.id)
        assert again_.game.to_dict() == game.to_dict()
        assert again_.meta == table.meta
        kept = await hub.store.read(
            lambda at: at.scalars(
                sa.select(snapshots.c.number).where(snapshots.c.game == table.id)
            ).all()
        )
        assert sorted(kept) == list(range(32, 130, 32))

    in_hub(tmp_path, work, database=database)


def test_nobody_starts_or_sees_half_a_record(tmp_path, monkeypatch):
    monkeypatch.setattr(again, "_PART", 40)

    async def work(hub, person):
        asked: list[Any] = []
        write = hub.store.write

        async def writing(work: Any) -> Any:
            done = await write(work)
            if len(hub.hall.live) == 1 and not asked:
                (half,) = hub.hall.live.values()
                assert half.meta.status == "open"
                asked.append(asyncio.ensure_future(hub.lobby.start(half)))
                asked.append(asyncio.ensure_future(hub.lobby.join(half, person, "p1", None)))
                await asyncio.sleep(0)
            return done

        hub.store.write = writing
        table = await _uploaded(hub, person, _game(130))
        refused = await asyncio.gather(*asked, return_exceptions=True)
        assert [type(each) for each in refused] == [TableError] * 2
        assert table.meta.status == "over"
        assert table.meta.seats_of(person) == []

    in_hub(tmp_path, work)


def test_nothing_is_left_of_a_record_that_could_not_be_stored(tmp_path, monkeypatch):
    monkeypatch.setattr(again, "_PART", 40)

    async def work(hub, person):
        add = logbook.add_whole
        ids: list[str] = []

        def breaks(connection: Any, log: Any, kept: Any) -> None:
            ids.append(log[0]["game"])
            if log[0]["number"] > 80:
                raise TableError("busy", "The disk is full.")
            add(connection, log, kept)

        monkeypatch.setattr(logbook, "add_whole", breaks)
        with pytest.raises(TableError, match="full"):
            await _uploaded(hub, person, _game(130))
        found = await hub.store.read(lambda at: _rows(at, ids[0]))
        assert found == {"games": 0, "entries": 0}
        assert not hub.hall.live

    in_hub(tmp_path, work)


def test_what_a_crash_left_of_a_record_is_swept_away(tmp_path, monkeypatch):
    monkeypatch.setattr(again, "_PART", 40)

    async def work(hub, person):
        hub.again._complete = AsyncMock(side_effect=asyncio.CancelledError)
        with pytest.raises(asyncio.CancelledError):
            await _uploaded(hub, person, _game(130))
        (half,) = hub.hall.live
        waiting = await hub.lobby.create(person, wish("me", "open", "open"))
        await hub.housekeeping.sweep()
        assert await hub.store.read(lambda at: _rows(at, half)) == {"games": 1, "entries": 40}
        long_ago = games.update().values(created=now_ms() - 7_200_000)
        await hub.store.write(lambda at: at.execute(long_ago))
        await hub.housekeeping.sweep()
        assert await hub.store.read(lambda at: _rows(at, half)) == {"games": 0, "entries": 0}
        assert await hub.store.read(lambda at: _rows(at, waiting.id)) == {"games": 1, "entries": 0}

    in_hub(tmp_path, work, rounds=False)
