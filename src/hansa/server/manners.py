"""Table manners: conceding, coming back, clocks that run out, chat."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
import sqlalchemy as sa

from hansa.server import clocks, logbook, referee, text, votes
from hansa.server.errors import TableError
from hansa.server.hall import check_running, ended
from hansa.server.model import Entry, Meta, Person, Seat, now_ms
from hansa.server.schema import people
from hansa.server.table import clocks_now
from hansa.server.wire.log import By, ChatLine, EntryKind
from hansa.server.wire.table import EndReason
from hansa.server.writing import Conflict

if TYPE_CHECKING:
    from hansa.server.hall import Hall
    from hansa.server.table import Table

__all__ = ["Manners", "lend", "noted"]


class Manners:
    """What people at one table do to each other besides playing."""

    def __init__(self, hall: Hall) -> None:
        self.hall = hall

    # Leaving

    async def concede(self, table: Table, person: Person | None, seat: str | None) -> None:
        """Give up a seat: a bot plays on for it, or the game ends."""
        await self.hall.guard(self._concede(table, person, seat))

    async def _concede(self, table: Table, person: Person | None, seat: str | None) -> None:
        async with table.lock:
            await self.hall.settle(table)
            check_running(table)
            seats = table.meta.seats_of(person)
            chosen = seat or (seats[0] if len(seats) == 1 else None)
            if chosen is None or chosen not in seats:
                raise TableError("not_your_seat", "Say which of your own seats concedes.")
            await self._give_up(table, chosen, [noted(table, "concede", chosen, "", "person")])

    async def _give_up(self, table: Table, seat: str, entries: list[Entry]) -> None:
        meta = msgspec.convert(msgspec.to_builtins(table.meta), Meta)
        target = meta.seat(seat)
        if target is None or target.conceded:
            raise TableError("not_allowed", "This seat has conceded already.")
        target.conceded = True
        target.standin = target.standin or self.hall.config.default_bot
        meta.proposals = votes.surviving(meta.proposals, seat)
        playing = [s for s in meta.seats if not s.conceded]
        if len(playing) == 1 or not any(s.kind == "human" for s in playing):
            await self.end(table, meta, "conceded", entries)
        else:
            await self.hall.commit(table, entries, meta)

    async def end(self, table: Table, meta: Meta, reason: EndReason, entries: list[Entry]) -> None:
        """Store these entries and the end. The caller holds the table's lock."""
        if table.game is None:
            raise TableError("not_started", "The game has not started yet.")
        last = noted(table, "over", None, reason, "person")
        last.revision += len(entries)
        over = ended(meta, table.game, reason, last.at)
        await self.hall.commit(table, [*entries, last], over)

    async def close(self, table: Table, reason: EndReason) -> None:
        """End a game that nobody plays any more, or that the admins end."""

        async def work() -> None:
            async with table.lock:
                await self.hall.settle(table)
                if table.meta.status == "running":
                    await self.end(table, table.meta, reason, [])

        await self.hall.guard(work())

    async def come_back(self, table: Table, person: Person | None) -> None:
        """Take one's seats back from their stand-ins."""

        def edit(meta: Meta) -> list[Entry]:
            check_running(table)
            lent = [s for s in meta.seats if self._is_lent(s, person)]
            if not lent:
                raise TableError("not_allowed", "No stand-in plays for you.")
            if _ran_out(table) and any(s.seat == table.decider for s in lent):
                raise TableError(
                    "time_was_up",
                    "Your time was up: the machine finishes this turn, then the seat is yours.",
                )
            for seat in lent:
                seat.standin = None
            back = noted(table, "return", lent[0].seat, "", "person")
            back.clocks = _time_to_think(table, back.clocks, lent)
            return [back]

        await self.hall.guard(self.hall.change(table, edit))

    @staticmethod
    def _is_lent(seat: Seat, person: Person | None) -> bool:
        mine = person is not None and seat.person == person.id
        return mine and seat.standin is not None and not seat.conceded

    async def time_is_up(self, table: Table, seat: str) -> None:
        """The bank of `seat` is empty: the consequence chosen by the host."""

        async def work() -> None:
            async with table.lock:
                # A store that has only just begun to hang: whoever did nothing could do nothing.
                await self.hall.pauses.beat()
                await self.hall.settle(table)
                clock, left = table.meta.options.clock, clocks_now(table)
                if clock is None or left is None or table.decider != seat or left[seat] > 0:
                    return
                place = table.meta.seat(seat)
                if place is not None and place.player_bot() is not None:
                    return  # it was carried out already: several may have waited to do so
                up = noted(table, "timeout", seat, clock.consequence, "clock")
                if clock.consequence == "lose":
                    await self._give_up(table, seat, [up])
                elif clock.consequence == "bot":
                    meta = msgspec.convert(msgspec.to_builtins(table.meta), Meta)
                    lent = lend(table, meta, seat, self.hall.config.default_bot, "clock")
                    lent.revision += 1
                    await self.hall.commit(table, [up, lent], meta)

        await self.hall.guard(work())

    # Talking

    async def say(self, table: Table, person: Person | None, said: str) -> ChatLine:
        """Chat; the connection has counted how often."""
        if person is None:
            raise TableError("who_are_you", "Give yourself a name before you chat.")
        longest = self.hall.config.chat_length
        cleaned = text.clean(said)
        if not 1 <= len(cleaned) <= longest:
            raise TableError("bad_request", f"A chat message has 1 to {longest} characters.")
        seats = table.meta.seats_of(person)
        seat = table.meta.seat(seats[0]) if seats else None
        line = ChatLine(
            id=0,
            at=now_ms(),
            person=person.id,
            seat=seats[0] if seats else None,
            name=seat.name if seat else person.name,
            text=cleaned,
        )
        return await self.hall.guard(self._say(table, line))

    async def _say(self, table: Table, line: ChatLine) -> ChatLine:
        def work(connection: Any) -> ChatLine:
            muted = sa.select(people.c.muted_until).where(people.c.id == line.person)
            if (connection.execute(muted).scalar() or 0) > now_ms():
                raise TableError("muted", "The admins have silenced you for a while.")
            stored = logbook.add_chat(connection, table.id, line)
            self.hall.tell(connection, table.id, table.revision)
            return stored

        for _ in range(5):
            async with table.lock:
                table.told = table.revision
                try:
                    stored = await self.hall.store.write(work)
                except Conflict:
                    continue
                if stored.id == table.known().chat + 1:
                    table.chat.append(stored)
                else:
                    # Others talked elsewhere, and that is not here yet: nobody would look for it again.
                    await self.hall.follow(table)
            table.changed(face=False)
            return stored
        raise TableError("busy", "Too many people talk at once; try again.")


def _ran_out(table: Table) -> bool:
    """Whether a machine plays because the bank of the one who decides is empty.

    Who came back at once would have a minute more, and another one after that.
    """
    clock, left = table.meta.options.clock, clocks_now(table)
    if clock is None or clock.consequence != "bot" or left is None or table.decider is None:
        return False
    return left[table.decider] <= 0


def _time_to_think(
    table: Table, left: dict[str, int] | None, seats: list[Seat]
) -> dict[str, int] | None:
    """Who comes back with an empty bank would lose his seat again in the same moment."""
    clock = table.meta.options.clock
    if clock is None or left is None:
        return left
    least = clocks.breath(clock)
    return left | {seat.seat: max(left[seat.seat], least) for seat in seats}


def lend(table: Table, meta: Meta, seat: str, bot: str, by: By) -> Entry:
    """Let a bot decide for a seat; the line of the log that says so."""
    target = meta.seat(seat)
    if target is not None:
        target.standin = bot
    return noted(table, "standin", seat, bot, by)


def noted(table: Table, kind: EntryKind, player: str | None, said: str, by: By) -> Entry:
    """The next line of the log, about something that is no decision."""
    turn = referee.turn(table.game) if table.game is not None else 0
    return Entry(
        revision=table.revision + 1,
        number=table.number,
        kind=kind,
        player=player,
        text=said,
        turn=turn,
        at=now_ms(),
        by=by,
        clocks=clocks_now(table),
        next_player=table.decider,
        next_turn=turn,
    )
