"""How a table comes to be: made, filled, started."""

from __future__ import annotations

import contextlib
import secrets
from functools import partial
from typing import TYPE_CHECKING, Any

import msgspec

from hansa.server import archive, clocks, colours, players, rating, referee, text, ties
from hansa.server.codes import read_code
from hansa.server.errors import TableError
from hansa.server.model import Meta, Options, Person, Seat, new_id, now_ms
from hansa.server.wire.table import TableOptions

if TYPE_CHECKING:
    from collections.abc import Callable

    import sqlalchemy as sa

    from hansa.server.hall import Hall
    from hansa.server.hooks import Hook
    from hansa.server.table import Table
    from hansa.server.wire.asking import NewTable, SeatWish, TableWish

__all__ = ["Lobby", "rotate"]

#: More tables than anybody sits at.
_MANY = 1000
_BOT_NAMES = ("Bertram", "Katrijn", "Detmar", "Geseke", "Hinrik", "Alheyd", "Tideke", "Wobbeke")


class Lobby:
    """Everything before the first decision."""

    def __init__(self, hall: Hall) -> None:
        self.hall = hall

    async def create(self, person: Person, wish: NewTable) -> Table:
        """A new table."""
        return await self.add(self.planned(person, wish), start=wish.start)

    def planned(self, person: Person, wish: NewTable) -> Meta:
        """A new table that nobody has stored yet."""
        setup = referee.check_setup(msgspec.structs.asdict(wish.setup))
        seeded = wish.setup.seed is not None
        return self.describe(person, setup, wish, wish.seats, seeded=seeded)

    async def check_quota(self, person: Person) -> None:
        """Raise `too_many` where somebody hosts enough tables that wait or run."""
        most = self.hall.config.tables_at_once
        count = await self.hall.store.read(
            lambda connection: archive.count_hosted(connection, person.id)
        )
        if count >= most:
            raise TableError("too_many", f"You host {count} tables: finish or close one first.")

    def describe(
        self,
        person: Person,
        setup: dict[str, Any],
        wish: TableWish,
        wanted: list[SeatWish],
        *,
        seeded: bool,
    ) -> Meta:
        """The same with a set-up that has been looked at."""
        if len(wanted) != setup["players"]:
            raise TableError(
                "bad_request",
                f"{setup['players']} players need {setup['players']} seats, not {len(wanted)}.",
            )
        self._check_absence(wish.absence)
        clock = wish.clock
        least = self.hall.config.clock_least
        if clock is not None and not (
            least <= clock.bank <= clocks.MOST_BANK
            and 0 <= clock.increment <= clocks.MOST_INCREMENT
        ):
            raise TableError(
                "bad_request",
                f"A clock's bank is {least:g} seconds to 30 days, its increment 0 to 1 day.",
            )
        delay = self.hall.config.bot_delay if wish.bot_delay is None else wish.bot_delay
        options = Options(
            **{name: getattr(wish, name) for name in TableOptions.__struct_fields__},
            host_name=person.name,
            bot_delay=delay,
            seeded=seeded,
            board=referee.board_file(setup),
        )
        meta = Meta(
            id=new_id(),
            name=text.name(wish.name, 80) if wish.name else f"{person.name}'s table",
            status="open",
            visibility=wish.visibility,
            host=person.id,
            setup=setup,
            options=options,
            rules=referee.RULES,
            created=now_ms(),
            seats=[],
        )
        for index, seat in enumerate(wanted):
            meta.seats.append(_seated(f"p{index + 1}", seat, person, meta.seats))
        rating.check(meta, person)
        return meta

    def _check_absence(self, seconds: float | None) -> None:
        least = self.hall.config.absence_least
        if seconds is not None and not least <= seconds <= clocks.MOST_BANK:
            raise TableError(
                "bad_request", f"Whoever is away keeps the seat for {least:g} seconds to 30 days."
            )

    async def add(self, meta: Meta, *, start: bool = False) -> Table:
        """Store a new table and open it; `start` where no seat is open."""
        await self.hall.guard(
            self.hall.store.write(lambda connection: archive.add_game(connection, meta))
        )
        table = await self.hall.open(meta.id)
        if start and all(seat.kind != "open" for seat in meta.seats):
            await self.start(table)
        return table

    async def by_invite(self, token: str) -> tuple[str, str]:
        """The ids of table and seat of an invite link."""
        found = await self.hall.store.read(
            lambda connection: archive.find_invite(connection, token)
        )
        if found is None:
            raise TableError("not_found", "This invite link is not good any more.")
        return found

    async def join(self, table: Table, person: Person, seat: str | None, name: str | None) -> None:
        """Sit down on an open seat; whoever already sits there may say so again."""

        def edit(meta: Meta) -> None:
            before = meta.seats_of(person)
            if seat is None and before:
                return
            target = meta.seat(seat) if seat else _first_open(meta)
            if target is None:
                raise TableError("no_free_seat", "No seat of this table is free.")
            if target.person == person.id:
                return
            if target.kind != "open":
                raise TableError("seat_taken", f"{target.name} sits there already.")
            if person.id != meta.host:
                # Only the host may have a hot seat: whoever else takes a second seat leaves the first.
                for left in before:
                    _free(meta.seats[[s.seat for s in meta.seats].index(left)])
            target.kind, target.person = "human", person.id
            target.name = text.name(name) if name else person.name
            rating.check(meta, person)

        await self.hall.store.read(
            lambda connection: ties.check_welcome(connection, table.meta, person.id)
        )
        await self.hall.guard(self.hall.change(table, edit))
        await self._begin_if_full(table)

    async def _begin_if_full(self, table: Table) -> None:
        """Start where the host wants it so and nobody is missing."""
        full = all(seat.kind != "open" for seat in table.meta.seats)
        if table.meta.options.auto_start and table.meta.status == "open" and full:
            await self.start(table)

    async def by_code(self, code: str) -> str:
        """The id of the table whose code somebody typed."""
        letters = read_code(code)
        found = letters and await self.hall.store.read(
            lambda connection: archive.find_code(connection, letters)
        )
        if not found:
            raise TableError("not_found", "No table has this code: ask for it once more.")
        return found

    async def move(self, table: Table, person: Person, seat: str, to: str) -> None:
        """The host lets two seats change places, whoever sits there."""

        def edit(meta: Meta) -> None:
            _check_host(meta, person)
            _check_open(meta)
            names = [s.seat for s in meta.seats]
            if seat not in names or to not in names:
                raise TableError("not_found", f"There is no seat {seat} or {to} at this table.")
            here, there = names.index(seat), names.index(to)
            meta.seats[here], meta.seats[there] = meta.seats[there], meta.seats[here]
            for name, moved in zip(names, meta.seats, strict=True):
                moved.seat = name

        await self.hall.guard(self.hall.change(table, edit))

    async def dress(self, table: Table, person: Person, seat: str, colour: str | None) -> None:
        """Before the start people choose the colour of their own seat, the host that of machines."""

        def edit(meta: Meta) -> None:
            _check_open(meta)
            target = meta.seat(seat)
            if target is None or target.kind == "open":
                raise TableError("not_found", f"Nobody sits at {seat}.")
            hosts = target.kind == "bot" and person.id == meta.host
            if target.person != person.id and not hosts:
                raise TableError("not_your_seat", "Choose a colour for your own seat.")
            colours.choose(meta, seat, colour)

        await self.hall.guard(self.hall.change(table, edit))

    async def arrange(self, table: Table, person: Person, *, auto_start: bool) -> None:
        """The host changes how the game begins."""

        def edit(meta: Meta) -> None:
            _check_host(meta, person)
            _check_open(meta)
            meta.options.auto_start = auto_start

        await self.hall.guard(self.hall.change(table, edit))
        await self._begin_if_full(table)

    async def set_hook(self, table: Table, person: Person, hook: Hook | None) -> None:
        """The host has a webhook told what happens here, or no longer."""

        def edit(meta: Meta) -> None:
            _check_host(meta, person)
            meta.options.hook = hook

        await self.hall.guard(self.hall.change(table, edit))

    async def rename(self, table: Table, name: str) -> None:
        """Give the table another name; an admin asks."""
        shown = text.name(name, 80)

        def edit(meta: Meta) -> None:
            meta.name = shown

        await self.hall.guard(self.hall.change(table, edit))

    async def call(self, person: str, old: str, name: str) -> None:
        """Whoever an admin has renamed is called that at all his tables that are not over.

        Seats that he shares with others at one screen keep the names they were given.
        """
        shown = text.name(name)

        def edit(meta: Meta) -> None:
            for seat in meta.seats:
                if seat.person == person and seat.name == old:
                    seat.name = shown
            if meta.host == person:
                meta.options.host_name = shown

        for status in ("open", "running"):
            found = await self.hall.store.read(
                partial(archive.list_games, status=status, person=person, before=None, limit=_MANY)
            )
            for meta in found:
                # Removed by somebody in the meantime: nobody is called anything there.
                with contextlib.suppress(TableError):
                    table = await self.hall.open(meta.id)
                    await self.hall.guard(self.hall.change(table, edit))

    async def leave(self, table: Table, person: Person, seat: str | None) -> None:
        """Get up before the start."""

        def edit(meta: Meta) -> None:
            _check_open(meta)
            mine = [s for s in meta.seats if s.person == person.id and seat in {None, s.seat}]
            if not mine:
                raise TableError("not_your_seat", "You do not sit there.")
            for target in mine:
                _free(target)

        await self.hall.guard(self.hall.change(table, edit))

    async def set_seat(self, table: Table, person: Person, seat: str, wanted: SeatWish) -> None:
        """The host fills, frees or takes a seat."""

        def edit(meta: Meta) -> None:
            _check_host(meta, person)
            _check_open(meta)
            for index, old in enumerate(meta.seats):
                if old.seat == seat:
                    others = [s for s in meta.seats if s is not old]
                    meta.seats[index] = _seated(seat, wanted, person, others)
                    rating.check(meta, person)
                    return
            raise TableError("not_found", f"There is no seat {seat} at this table.")

        await self.hall.guard(self.hall.change(table, edit))
        await self._begin_if_full(table)

    async def start(self, table: Table, person: Person | None = None) -> None:
        """Begin; `person` must be the host where one is given."""

        def edit(meta: Meta) -> None:
            if person is not None:
                _check_host(meta, person)
            _check_open(meta)
            if any(seat.kind == "open" for seat in meta.seats):
                raise TableError("no_free_seat", "Some seats are still empty: fill them first.")
            if meta.options.order == "draw" and meta.origin is None:
                rotate(meta, secrets.randbelow(len(meta.seats)))
            meta.status, meta.started = "running", now_ms()

        await self.hall.guard(self.hall.change(table, edit, referee.first_position))

    async def remove(self, table: Table, person: Person) -> None:
        """The host removes a table that never started."""
        _check_host(table.meta, person)
        await self.discard(table)

    async def discard(self, table: Table) -> None:
        """Remove a table that never started.

        Raises:
            TableError: `already_started`, be it in another process a moment ago.
        """

        async def work() -> None:
            async with table.lock:
                _check_open(table.meta)
                if not await self._take_away(table, archive.delete_unstarted):
                    await self.hall.follow(table)
                    _check_open(table.meta)

        await self.hall.guard(work())

    async def unmake(self, table: Table) -> None:
        """Remove a table, started or not, that nobody has been told of."""
        async with table.lock:
            await self._take_away(table, archive.delete_game)

    async def _take_away(self, table: Table, delete: Callable[[sa.Connection, str], bool]) -> bool:
        def work(connection: sa.Connection) -> bool:
            gone = delete(connection, table.id)
            self.hall.tell(connection, table.id, table.revision)
            return gone

        gone = await self.hall.store.write(work)
        if gone:
            self.hall.forget(table)
            table.removed = True
            table.changed(face=True)
        return gone


def _check_host(meta: Meta, person: Person) -> None:
    if meta.host != person.id:
        raise TableError("not_host", "Only the host of this table may do that.")


def _check_open(meta: Meta) -> None:
    if meta.status != "open":
        raise TableError("already_started", "The game has started.")


def _first_open(meta: Meta) -> Seat | None:
    return next((seat for seat in meta.seats if seat.kind == "open"), None)


def _free(seat: Seat) -> None:
    """Make a seat open; the old invite link is worthless from now on."""
    seat.kind, seat.person, seat.bot, seat.colour = "open", None, None, None
    seat.name, seat.invite = "", new_id(20)


def _seated(seat: str, wanted: SeatWish, person: Person, others: list[Seat]) -> Seat:
    name = text.name(wanted.name) if wanted.name else None
    if wanted.kind == "me":
        return Seat(seat=seat, kind="human", person=person.id, name=name or person.name)
    if wanted.kind == "open":
        return Seat(seat=seat, kind="open", name=name or "", invite=new_id(20))
    if not wanted.bot:
        raise TableError("unknown_bot", "A bot's seat names its bot (GET /api/bots lists them).")
    taken = {other.name for other in others}
    name = name or next(n for n in _BOT_NAMES if n not in taken)
    return Seat(seat=seat, kind="bot", bot=players.checked(wanted.bot), name=name)


def rotate(meta: Meta, by: int) -> None:
    """Let the seat after `by` others start: people and bots move, the seats' names stay."""
    names = [seat.seat for seat in meta.seats]
    moved = meta.seats[by:] + meta.seats[:by]
    for name, seat in zip(names, moved, strict=True):
        seat.seat = name
    meta.seats = moved
