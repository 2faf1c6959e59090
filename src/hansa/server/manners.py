"""Table manners: asking the others, conceding, stand-ins, clocks that run out, chat."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from hansa.server import archive, players, referee, text
from hansa.server.decisions import undo_target
from hansa.server.errors import TableError
from hansa.server.hall import check_running, ended
from hansa.server.model import Entry, Meta, Person, Seat, now_ms
from hansa.server.store import Conflict
from hansa.server.table import clocks_now
from hansa.server.wire.log import By, ChatLine, EntryKind
from hansa.server.wire.table import EndReason, Proposal, ProposalKind

if TYPE_CHECKING:
    from hansa.server.decisions import Decisions
    from hansa.server.table import Table

__all__ = ["Manners"]


class Manners:
    """What people at one table do to each other besides playing."""

    def __init__(self, decisions: Decisions) -> None:
        self.decisions = decisions
        self.hall = decisions.hall

    def _entry(self, table: Table, kind: EntryKind, player: str | None, said: str, by: By) -> Entry:
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

    # Asking

    async def propose(
        self,
        table: Table,
        person: Person | None,
        kind: ProposalKind,
        *,
        to: int | None = None,
        seat: str | None = None,
        bot: str | None = None,
    ) -> None:
        """Ask everybody else at the table; with nobody to ask it happens at once."""
        await self.hall.guard(self._propose(table, person, kind, to, seat, bot))

    async def _propose(
        self,
        table: Table,
        person: Person | None,
        kind: ProposalKind,
        to: int | None,
        seat: str | None,
        bot: str | None,
    ) -> None:
        async with table.lock:
            await self.hall.settle(table)
            check_running(table)
            seats = table.owned(person)
            if not seats or person is None:
                raise TableError("not_your_seat", "Only somebody at the table may propose.")
            if any(p.by in seats for p in table.meta.proposals):
                raise TableError("proposal_open", "Your last proposal is not decided yet.")
            if kind == "undo":
                to = undo_target(table, to)
            if kind == "standin":
                bot = players.checked(bot or self.hall.config.default_bot)
                self._check_absent(table, seat)
            proposal = Proposal(
                id=1 + max((p.id for p in table.meta.proposals), default=table.revision),
                kind=kind,
                by=seats[0],
                number=table.number,
                to=to if kind == "undo" else None,
                seat=seat if kind == "standin" else None,
                bot=bot if kind == "standin" else None,
                yes=seats,
                waiting=self._to_ask(table.meta, person.id, seat if kind == "standin" else None),
            )
            await self._store_or_do(table, proposal)

    def _check_absent(self, table: Table, seat: str | None) -> None:
        target = table.meta.seat(seat or "")
        if target is None or target.kind != "human" or target.standin or target.conceded:
            raise TableError("bad_request", "A stand-in is for a seat that a person decides for.")
        if target.person in table.present():
            raise TableError("person_present", f"{target.name} is at the table.")

    def _to_ask(self, meta: Meta, person: str, absent: str | None) -> list[str]:
        """Seats of other people who still play; a stand-in, like any bot, agrees."""
        return [
            s.seat
            for s in meta.seats
            if s.kind == "human"
            and s.person != person
            and not (s.conceded or s.standin or s.seat == absent)
        ]

    async def _store_or_do(self, table: Table, proposal: Proposal) -> None:
        meta = msgspec.convert(msgspec.to_builtins(table.meta), Meta)
        meta.proposals = [p for p in meta.proposals if p.id != proposal.id]
        if proposal.waiting:
            meta.proposals.append(proposal)
            await self.hall.commit(table, [], meta)
        elif proposal.kind == "undo" and proposal.to is not None:
            await self.decisions.undo_to(
                table, proposal.to, proposal.by, lambda m: _without(m, proposal.id)
            )
        elif proposal.kind == "standin":
            entry = self._lend(table, meta, proposal.seat or "", proposal.bot or "")
            await self.hall.commit(table, [entry], meta)
        else:
            await self._end(table, meta, "agreed", [])

    def _lend(self, table: Table, meta: Meta, seat: str, bot: str) -> Entry:
        target = meta.seat(seat)
        if target is not None:
            target.standin = bot
        return self._entry(table, "standin", seat, bot, "person")

    async def vote(self, table: Table, person: Person | None, proposal: int, *, yes: bool) -> None:
        """Answer a proposal; one no ends it."""
        await self.hall.guard(self._vote(table, person, proposal, yes=yes))

    async def _vote(self, table: Table, person: Person | None, number: int, *, yes: bool) -> None:
        async with table.lock:
            await self.hall.settle(table)
            check_running(table)
            seats = table.owned(person)
            found = next((p for p in table.meta.proposals if p.id == number), None)
            if found is None:
                raise TableError("no_such_proposal", "This proposal is no longer open.")
            mine = [seat for seat in found.waiting if seat in seats]
            if not mine:
                raise TableError("not_allowed", "You are not asked, or have answered.")
            if not yes:
                meta = msgspec.convert(msgspec.to_builtins(table.meta), Meta)
                _without(meta, number)
                await self.hall.commit(table, [], meta)
                return
            waiting = [seat for seat in found.waiting if seat not in mine]
            proposal = msgspec.structs.replace(found, waiting=waiting, yes=[*found.yes, *mine])
            await self._store_or_do(table, proposal)

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
            await self._give_up(
                table, chosen, [self._entry(table, "concede", chosen, "", "person")]
            )

    async def _give_up(self, table: Table, seat: str, entries: list[Entry]) -> None:
        meta = msgspec.convert(msgspec.to_builtins(table.meta), Meta)
        target = meta.seat(seat)
        if target is None or target.conceded:
            raise TableError("not_allowed", "This seat has conceded already.")
        target.conceded = True
        target.standin = target.standin or self.hall.config.default_bot
        playing = [s for s in meta.seats if not s.conceded]
        if len(playing) == 1 or not any(s.kind == "human" for s in playing):
            await self._end(table, meta, "conceded", entries)
        else:
            await self.hall.commit(table, entries, meta)

    async def _end(self, table: Table, meta: Meta, reason: EndReason, entries: list[Entry]) -> None:
        if table.game is None:
            raise TableError("not_started", "The game has not started yet.")
        last = self._entry(table, "over", None, reason, "person")
        last.revision += len(entries)
        over = ended(meta, table.game, reason, last.at)
        await self.hall.commit(table, [*entries, last], over)

    async def abandon(self, table: Table) -> None:
        """End a game that nobody plays any more."""

        async def work() -> None:
            async with table.lock:
                await self.hall.settle(table)
                if table.meta.status == "running":
                    await self._end(table, table.meta, "abandoned", [])

        await self.hall.guard(work())

    async def come_back(self, table: Table, person: Person | None) -> None:
        """Take one's seats back from their stand-ins."""

        def edit(meta: Meta) -> list[Entry]:
            check_running(table)
            lent = [s for s in meta.seats if self._is_lent(s, person)]
            if not lent:
                raise TableError("not_allowed", "No stand-in plays for you.")
            for seat in lent:
                seat.standin = None
            return [self._entry(table, "return", lent[0].seat, "", "person")]

        await self.hall.guard(self.hall.change(table, edit))

    @staticmethod
    def _is_lent(seat: Seat, person: Person | None) -> bool:
        mine = person is not None and seat.person == person.id
        return mine and seat.standin is not None and not seat.conceded

    async def time_is_up(self, table: Table, seat: str) -> None:
        """The bank of `seat` is empty: the consequence chosen by the host."""

        async def work() -> None:
            async with table.lock:
                await self.hall.settle(table)
                clock, left = table.meta.options.clock, clocks_now(table)
                if clock is None or left is None or table.decider != seat or left[seat] > 0:
                    return
                entry = self._entry(table, "timeout", seat, clock.consequence, "clock")
                if clock.consequence == "lose":
                    await self._give_up(table, seat, [entry])
                elif clock.consequence == "bot":
                    meta = msgspec.convert(msgspec.to_builtins(table.meta), Meta)
                    lent = self._lend(table, meta, seat, self.hall.config.default_bot)
                    lent.revision += 1
                    await self.hall.commit(table, [entry, lent], meta)

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
            seat=seats[0] if seats else None,
            name=seat.name if seat else person.name,
            text=cleaned,
        )
        return await self.hall.guard(self._say(table, person.id, line))

    async def _say(self, table: Table, person: str, line: ChatLine) -> ChatLine:
        def work(connection: Any) -> ChatLine:
            stored = archive.add_chat(connection, table.id, person, line)
            self.hall.tell(connection, table.id, table.revision)
            return stored

        for _ in range(5):
            async with table.lock:
                try:
                    stored = await self.hall.store.write(work)
                except Conflict:
                    continue
                table.chat.append(stored)
            table.changed(face=False)
            return stored
        raise TableError("busy", "Too many people talk at once; try again.")


def _without(meta: Meta, proposal: int) -> None:
    meta.proposals = [p for p in meta.proposals if p.id != proposal]
