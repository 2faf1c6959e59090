"""Asking the others: a vote is proposed, answered, carried out, refused, or lapses.

What each may do stands in `hansa.server.votes`; here it is only asked and counted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from hansa.server import votes
from hansa.server.decisions import undo_target
from hansa.server.errors import TableError
from hansa.server.hall import check_running
from hansa.server.manners import lend, noted
from hansa.server.model import Meta, Person, now_ms
from hansa.server.wire.table import Proposal, ProposalKind

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from hansa.server.again import Again
    from hansa.server.decisions import Decisions
    from hansa.server.manners import Manners
    from hansa.server.table import Table

__all__ = ["Voting"]

#: How often a vote is tried again where several processes change one table at the same time.
_TRIES = 5
#: What may be otherwise in a moment.
_FOR_A_WHILE = {"busy", "stale_number", "shutting_down"}


class Voting:
    """The votes of all tables."""

    def __init__(self, decisions: Decisions, manners: Manners, again: Again) -> None:
        self._decisions, self._manners, self._again = decisions, manners, again
        self._hall = decisions.hall

    async def propose(
        self,
        table: Table,
        person: Person | None,
        kind: ProposalKind,
        *,
        to: int | None = None,
        seat: str | None = None,
    ) -> None:
        """Ask everybody whom this vote concerns; with nobody to ask it happens at once.

        Raises:
            TableError: what forbids it; then nobody is asked.
        """
        if person is None:
            raise TableError("not_your_seat", "Only somebody at the table may propose.")

        async def work() -> None:
            proposal = self._proposed(table, person, kind, to, seat)
            if kind != "rematch" or table.meta.rematch is None:
                await self._weigh(table, proposal)

        await self._hall.guard(self._carry_out(table, work))

    async def _carry_out(self, table: Table, work: Callable[[], Awaitable[None]]) -> None:
        """Do it under the table's lock; again where another process changed the table meanwhile."""
        for _ in range(_TRIES):
            try:
                async with table.lock:
                    await self._hall.settle(table)
                    await work()
            except TableError as error:
                if error.code != "stale_number":
                    raise
            else:
                await self._play_again(table)
                return
        raise TableError("busy", "Too many people change this table at once; try again.")

    def _proposed(
        self,
        table: Table,
        person: Person,
        kind: ProposalKind,
        to: int | None,
        seat: str | None,
    ) -> Proposal:
        meta = table.meta
        if kind == "rematch":
            seats = meta.seats_of(person)
            if meta.status != "over":
                raise TableError("not_over", "The game is not over yet.")
        else:
            seats = table.owned(person)
            check_running(table)
        if not seats:
            raise TableError("not_your_seat", "Only somebody at the table may propose.")
        if any(p.by in seats or p.kind == kind == "rematch" for p in meta.proposals):
            raise TableError("proposal_open", "The last proposal is not decided yet.")
        if kind == "standin":
            place = meta.seat(seat or "")
            votes.check_away(meta, place, table.deadline(seat or ""), now_ms())
        waiting = votes.asked(meta, kind, person.id, seat)
        if votes.lacks_company(meta, kind, waiting):
            raise TableError(
                "not_allowed",
                "In a rated game nobody is left whom you could ask for that: play on, or give up.",
            )
        return Proposal(
            # The version grows with every vote: a yes to one never counts for the next.
            id=1 + max([meta.version, *(p.id for p in meta.proposals)]),
            kind=kind,
            by=seats[0],
            number=table.number,
            to=undo_target(table, to) if kind == "undo" else None,
            seat=seat if kind == "standin" else None,
            # Not for whoever gains by a weak one to choose.
            bot=self._hall.config.default_bot if kind == "standin" else None,
            yes=seats,
            waiting=waiting,
            until=now_ms() + round(meta.absence() * 1000),
        )

    async def play_again(self, table: Table, person: Person) -> Table:
        """Propose a rematch or agree to the one proposed; the new table once all have agreed."""
        asked = next((p for p in table.meta.proposals if p.kind == "rematch"), None)
        mine = table.meta.seats_of(person)
        if table.meta.rematch is None and asked is None:
            await self.propose(table, person, "rematch")
        elif asked is not None and any(seat in mine for seat in asked.waiting):
            await self.answer(table, person, asked.id, yes=True)
        elif not mine:
            raise TableError("not_your_seat", "Only those who sat here may play again.")
        return table if table.meta.rematch is None else await self._hall.open(table.meta.rematch)

    async def answer(
        self, table: Table, person: Person | None, proposal: int, *, yes: bool
    ) -> None:
        """Answer a proposal; one no ends it, and who asked or agreed may think better of it."""

        async def work() -> None:
            await self._answer(table, person, proposal, yes=yes)

        await self._hall.guard(self._carry_out(table, work))

    async def _answer(self, table: Table, person: Person | None, number: int, *, yes: bool) -> None:
        found = next((p for p in table.meta.proposals if p.id == number), None)
        if found is None:
            raise TableError("no_such_proposal", "This proposal is no longer open.")
        seats = table.meta.seats_of(person)
        mine = [seat for seat in found.waiting if seat in seats]
        if not mine and not yes and found.by in seats:
            await self._hall.commit(table, [], _without(table.meta, found))
            return
        agreed = [seat for seat in found.yes if seat in seats]
        if not mine and (yes or not agreed):
            raise TableError("not_allowed", "You are not asked, or have answered.")
        if not yes:
            # Also whoever had agreed: the game went on meanwhile.
            said_no = noted(table, "refused", (mine or agreed)[0], found.kind, "person")
            await self._hall.commit(table, [said_no], _without(table.meta, found))
            return
        waiting = [seat for seat in found.waiting if seat not in mine]
        answered = msgspec.structs.replace(found, waiting=waiting, yes=[*found.yes, *mine])
        if not waiting and person is not None:
            here = table.present() | {person.id}
            answered = votes.asked_again(table.meta, answered, here)
        await self._weigh(table, answered)

    async def look(self, table: Table) -> None:
        """See whether the time of an open vote is up."""

        async def work() -> None:
            for proposal in list(table.meta.proposals):
                due = _is_moot(table, proposal) or _verdict(table, proposal) != "open"
                # What one of them led to may have ended the next.
                if due and proposal in table.meta.proposals:
                    again = _asked_again(table, proposal)
                    # A rematch that was not made is agreed to as it stands.
                    if proposal.waiting or again != proposal:
                        await self._weigh(table, again)

        await self._hall.guard(self._carry_out(table, work))

    async def _weigh(self, table: Table, proposal: Proposal) -> None:
        """Store a vote as it stands now, or what it has led to. The caller holds the lock."""
        meta = _without(table.meta, proposal)
        if _is_moot(table, proposal):
            await self._hall.commit(table, [], meta)
            return
        verdict = _verdict(table, proposal)
        if verdict == "lapsed":
            lapsed = noted(table, "lapsed", proposal.by, proposal.kind, "clock")
            await self._hall.commit(table, [lapsed], meta)
        elif verdict == "open" or proposal.kind == "rematch":
            # Everybody's yes to a rematch is stored before the new table is made.
            meta.proposals.append(proposal)
            await self._hall.commit(table, [], meta)
        elif proposal.kind == "undo" and proposal.to is not None:
            await self._decisions.undo_to(table, proposal.to, proposal.by, agreed=True)
        elif proposal.kind == "standin":
            lent = lend(table, meta, proposal.seat or "", proposal.bot or "", "person")
            await self._hall.commit(table, [lent], meta)
        else:
            await self._manners.end(table, meta, "agreed", [])

    async def _play_again(self, table: Table) -> None:
        """A rematch that everybody wants: its table is another one, so this one is let go first."""
        agreed = next((p for p in table.meta.proposals if p.kind == "rematch"), None)
        if agreed is None or agreed.waiting:
            return
        try:
            await self._again.rematch(table, agreed.by)
        except TableError as error:
            if error.code not in _FOR_A_WHILE:
                # It never can be made, of a board that is no more perhaps: nobody tries it for ever.
                await self._hall.change(table, _drop_rematch)
            raise


def _verdict(table: Table, proposal: Proposal) -> votes.Verdict:
    paused = table.paused(votes.asked_at(table.meta, proposal))
    return votes.verdict(table.meta, proposal, table.present(), now_ms(), paused=paused)


def _asked_again(table: Table, proposal: Proposal) -> Proposal:
    """A rematch that all wanted and that was not made asks whoever has left since once more."""
    if proposal.waiting:
        return proposal
    return votes.asked_again(table.meta, proposal, table.present())


def _drop_rematch(meta: Meta) -> None:
    meta.proposals = [p for p in meta.proposals if p.kind != "rematch"]


def _is_moot(table: Table, proposal: Proposal) -> bool:
    return votes.is_moot(proposal, table.number, table.deadline(proposal.seat or ""), now_ms())


def _without(meta: Meta, proposal: Proposal) -> Meta:
    """A copy of the table's description without that vote."""
    copy = msgspec.convert(msgspec.to_builtins(meta), Meta)
    copy.proposals = [p for p in copy.proposals if p.id != proposal.id]
    return copy
