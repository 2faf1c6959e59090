"""A new table from an old one: the rematch, the fork of a position, the record of a game."""

from __future__ import annotations

import base64
from functools import partial
from typing import TYPE_CHECKING, Any

import msgspec
import sqlalchemy as sa

import hansa
from hansa.information import dealt_anew
from hansa.server import archive, logbook, rating, referee, replay, text
from hansa.server.errors import TableError
from hansa.server.lobby import Lobby, rotate
from hansa.server.model import Meta, Options, Person, Seat, id_of, new_id, now_ms
from hansa.server.wire.table import ForkedFrom

if TYPE_CHECKING:
    from hansa.server.study import Study
    from hansa.server.table import Table
    from hansa.server.wire.asking import SeatWish, TableWish

__all__ = ["Again"]

#: Decisions of a record that are stored in one transaction: a few milliseconds, in which all wait.
_PART = 500


class Again:
    """What people make of a finished game."""

    def __init__(self, lobby: Lobby, study: Study) -> None:
        self.lobby, self.study = lobby, study
        self.hall = lobby.hall

    async def rematch(self, table: Table, by: str) -> Table:
        """The same people again, as all of them agreed; made twice, the same table.

        Its name follows from the old one's: where a try failed after it was made, or another process
        makes it at the same moment, there is no second game of the same people.
        """
        old = table.meta
        host = old.seat(by)
        if old.rematch is not None:
            return await self.hall.open(old.rematch)
        if host is None or host.person is None:
            raise TableError("not_your_seat", "Only those who sat here may ask for a rematch.")
        meta = Meta(
            id=id_of(f"rematch of {old.id}"),
            name=old.name,
            status="open",
            visibility=old.visibility,
            host=host.person,
            setup=referee.check_setup({**old.setup, "seed": None}),
            options=_again(old, host),
            rules=referee.RULES,
            created=now_ms(),
            seats=[_fresh(seat) for seat in old.seats],
        )
        rotate(meta, 1)

        def edit(previous: Meta) -> None:
            previous.proposals = [p for p in previous.proposals if p.kind != "rematch"]
            if previous.rematch is None:
                previous.rematch = meta.id

        # Started before anybody is led there: its clocks run from the last yes on.
        made = await self._made(meta)
        await self.hall.change(table, edit)
        return made

    async def _made(self, meta: Meta) -> Table:
        """The table, started; also where an earlier try, or another process, came as far as that."""
        try:
            made = await self.lobby.add(meta)
        except sa.exc.IntegrityError:
            made = await self.hall.open(meta.id)
        try:
            await self.lobby.start(made)
        except TableError as error:
            if error.code != "already_started":
                raise
        return made

    async def fork(
        self,
        table: Table,
        person: Person,
        number: int,
        wish: TableWish,
        wanted: list[SeatWish],
    ) -> Table:
        """A new table from a position of a finished game.

        What lies face down is shuffled anew: everybody could look the old order up.
        """
        if table.meta.status != "over":
            raise TableError("not_over", "A game can be forked when it is over.")
        if number > table.number:
            raise TableError("bad_request", f"The game has only {table.number} decisions.")
        old = table.meta
        position = await self.hall.store.read(
            lambda connection: replay.at_number(connection, old, number).to_dict()
        )
        if position["over"]:
            raise TableError("game_over", "Nothing can be played on from the last position.")
        try:
            position = hansa.Game.from_dict(dealt_anew(position, referee.new_seed())).to_dict()
        except hansa.HansaError as error:
            raise TableError("bad_request", f"This position cannot be forked: {error}") from error
        meta = self.lobby.describe(person, dict(position["game"]), wish, wanted, seeded=False)
        meta.origin = dict(position)
        rating.check(meta, person)
        meta.options.forked_from = ForkedFrom(game=old.id, number=number)
        return await self.lobby.add(meta, start=wish.start)

    async def upload(self, person: Person, record: str, name: str | None) -> Table:
        """A finished table from a record."""
        read = await self.study.record(record, self.hall.config.snapshot_every)
        meta = _uploaded(person, read, name)
        return await self.hall.guard(self._write_down(meta, read))

    async def _write_down(self, meta: Meta, read: dict[str, Any]) -> Table:
        """Store it. A long log takes several transactions: others' decisions go in between.

        Until it is whole it is a table that waits, so that what a crash leaves of it is swept away.
        """
        first, *rest = range(0, max(1, len(read["entries"])), _PART)
        begun = _waiting(meta) if rest else meta

        def begin(connection: sa.Connection) -> None:
            archive.add_game(connection, begun)
            logbook.add_whole(connection, *_part(meta, read, first))

        await self.hall.store.write(begin)
        meta.code = begun.code
        table = await self.hall.open(meta.id)
        if rest:
            try:
                async with table.lock:
                    await self._complete(table, meta, read, rest)
            except Exception:
                await self.lobby.unmake(table)
                raise
        return table

    async def _complete(
        self, table: Table, meta: Meta, read: dict[str, Any], parts: list[int]
    ) -> None:
        """The rest of its log, and with the last of it the table as it is; the lock is held."""
        *middle, last = [_part(meta, read, first) for first in parts]
        for part in middle:
            await self.hall.store.write(partial(_add_part, part))

        def end(connection: sa.Connection) -> None:
            _add_part(last, connection)
            archive.save_meta(connection, meta)
            self.hall.tell(connection, meta.id, len(read["entries"]))

        await self.hall.store.write(end)
        await self.hall.follow(table)


#: Rows of a log and of its snapshots.
_Part = tuple[list[dict[str, Any]], list[dict[str, Any]]]


def _part(meta: Meta, read: dict[str, Any], first: int) -> _Part:
    """What follows the first so many decisions, as far as one transaction takes it."""
    log = read["entries"][first : first + _PART]
    kept = [row for row in read["snapshots"] if first < row["number"] <= first + _PART]
    return (
        [{**entry, "game": meta.id, "at": meta.created} for entry in log],
        [
            {"game": meta.id, "number": row["number"], "data": base64.b64decode(row["data"])}
            for row in kept
        ],
    )


def _add_part(part: _Part, connection: sa.Connection) -> None:
    logbook.add_whole(connection, *part)


def _waiting(meta: Meta) -> Meta:
    """The same table before anybody sat down, which nobody can start."""
    seats = [Seat(seat=seat.seat, kind="open", name="") for seat in meta.seats]
    return msgspec.structs.replace(
        meta, status="open", seats=seats, started=None, ended=None, result=None
    )


def _uploaded(person: Person, read: dict[str, Any], name: str | None) -> Meta:
    at = now_ms()
    setup = read["setup"]
    options = Options(
        host_name=person.name, seeded=True, order="fixed", board=referee.board_file(setup)
    )
    names = read["seats"]
    return Meta(
        id=new_id(),
        name=text.name(name, 80) if name else "A record",
        status="over",
        visibility="unlisted",
        host=person.id,
        setup=setup,
        options=options,
        rules=referee.RULES,
        created=at,
        started=at,
        ended=at,
        origin=read["origin"],
        seats=[
            Seat(seat=seat, kind="human", name=names.get(seat) or seat)
            for seat in read["result"]["scores"]
        ],
        result=read["result"],
    )


def _fresh(seat: Seat) -> Seat:
    return Seat(
        seat=seat.seat,
        kind=seat.kind,
        name=seat.name,
        person=seat.person,
        bot=seat.bot,
        colour=seat.colour,
    )


def _again(old: Meta, host: Seat) -> Options:
    """All that the host chose, for another game by whoever asks for it.

    The webhook is the old host's own: nobody else may have it called, nor could he end it there.
    """
    hook = old.options.hook if host.person == old.host else None
    return msgspec.structs.replace(
        old.options, host_name=host.name, order="fixed", seeded=False, forked_from=None, hook=hook
    )
