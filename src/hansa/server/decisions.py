"""Decisions and their undoing: seat, number, legality, and then the log.

This is the one place that plays: whatever a person or a bot decides comes through here, and
`Hall.commit` stores it before anybody is told.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import msgspec

from hansa.information import shows_hidden
from hansa.server import clocks, logbook, referee, votes
from hansa.server.errors import TableError
from hansa.server.hall import check_number, check_running, ended
from hansa.server.loading import read_at
from hansa.server.metrics import ACT_SECONDS, DECISIONS, REFUSALS
from hansa.server.model import CANCELLED, Entry, Meta, Person, now_ms
from hansa.server.wire.log import By

if TYPE_CHECKING:
    import hansa
    from hansa.server.hall import Hall
    from hansa.server.table import Table

__all__ = ["Decisions", "undo_target"]


class Decisions:
    """What is decided at the tables, and what is taken back."""

    def __init__(self, hall: Hall) -> None:
        self.hall = hall

    async def act(
        self,
        table: Table,
        person: Person | None,
        decision: str,
        number: int,
        *,
        revision: int | None = None,
        seat: str | None = None,
    ) -> list[Entry]:
        """Carry out a person's decision.

        Raises:
            TableError: what is wrong with it; then nothing has changed.
        """
        began = time.perf_counter()
        try:
            entries = await self.hall.guard(
                self._act_person(table, person, decision, number, revision, seat)
            )
        except TableError as error:
            REFUSALS.labels(error.code).inc()
            raise
        ACT_SECONDS.observe(time.perf_counter() - began)
        return entries

    async def _act_person(
        self,
        table: Table,
        person: Person | None,
        decision: str,
        number: int,
        revision: int | None,
        seat: str | None,
    ) -> list[Entry]:
        async with table.lock:
            await self.hall.settle(table)
            check_running(table)
            seats = table.owned(person)
            if not seats or (seat is not None and seat not in seats):
                raise TableError("not_your_seat", "You do not decide for this seat.")
            check_number(table, number, revision)
            if table.decider not in seats or (seat is not None and seat != table.decider):
                raise TableError(
                    "not_your_decision", f"It is {table.decider}'s decision.", player=table.decider
                )
            return await self.apply(table, decision, "person")

    async def act_bot(self, table: Table, decision: str, revision: int, by: By) -> None:
        """Carry out what a bot chose at that revision; if the table went on, nothing happens."""

        async def work() -> None:
            async with table.lock:
                await self.hall.settle(table)
                if table.revision == revision and table.meta.status == "running":
                    await self.apply(table, decision, by)

        await self.hall.guard(work())

    async def apply(self, table: Table, decision: str, by: By) -> list[Entry]:
        """Legality, log, result. The caller holds the lock and has checked who asks."""
        game = table.game
        assert game is not None  # noqa: S101 - a running table has one
        action = referee.parse(decision)
        before = game.player
        following, events = referee.played(game, action)
        at = now_ms()
        entry = Entry(
            revision=table.revision + 1,
            number=table.number + 1,
            kind="decision",
            player=before,
            text=str(action),
            turn=referee.turn(game),
            at=at,
            by=by,
            events=events,
            clocks=self._clocks_after(table, at, before, following.player),
            points=referee.points_after(referee.turn(game), following),
            next_player=following.player,
            next_turn=referee.turn(following),
            shown=shows_hidden(action, game.state),
        )
        meta = None
        if following.over:
            meta = ended(table.meta, following, str(following.end_reason), at)
        elif len(lasting := votes.outlasting(table.meta.proposals)) < len(table.meta.proposals):
            meta = msgspec.convert(msgspec.to_builtins(table.meta), Meta)
            meta.proposals = lasting
        try:
            await self.hall.commit(table, [entry], meta, following)
        except TableError as error:
            if error.code != "stale_number" or table.revision != entry.revision - 1:
                raise
            # Another process noted that somebody came or went; the position is the same.
            return await self.apply(table, decision, by)
        DECISIONS.labels(by).inc()
        return [entry]

    def _clocks_after(
        self, table: Table, at: int, before: str, after: str
    ) -> dict[str, int] | None:
        clock = table.meta.options.clock
        if clock is None or table.clocks is None:
            return None
        return clocks.spent(clock, table.clocks, at - table.clock_at, before, after)

    def _clocks_back(
        self, table: Table, at: int, undone: list[Entry], *, agreed: bool
    ) -> dict[str, int] | None:
        clock, decider = table.meta.options.clock, table.decider
        if clock is None or table.clocks is None or decider is None:
            return None
        passed_on = [e.player for e in undone if e.player and e.next_player not in {e.player, None}]
        least = clocks.breath(clock)
        left = clocks.taken_back(
            clock,
            table.clocks,
            at - table.clock_at,
            decider,
            passed_on,
            # Whoever agreed to go back far shall not lose on time for it.
            least=least if agreed else 0,
        )
        first = undone[0]
        if agreed or first.clocks is None or first.player is None:
            return left
        return clocks.given_back(left, first.clocks, first.player, least=least)

    async def undo(
        self, table: Table, person: Person | None, number: int, to: int | None
    ) -> list[Entry]:
        """Take back one's own decisions of this turn.

        Raises:
            TableError: `undo_needs_consent` where others must agree, and whatever else forbids it.
        """
        return await self.hall.guard(self._undo_person(table, person, number, to))

    async def _undo_person(
        self, table: Table, person: Person | None, number: int, to: int | None
    ) -> list[Entry]:
        async with table.lock:
            await self.hall.settle(table)
            check_running(table)
            seats = table.owned(person)
            if not seats:
                raise TableError("not_your_seat", "Only somebody at the table may take back.")
            check_number(table, number, None)
            target = undo_target(table, to)
            limit, reason = table.undo_limit(seats)
            if target < limit:
                if reason == "off":
                    raise TableError("undo_off", "At this table taking back needs asking.")
                raise TableError(
                    "undo_needs_consent",
                    "That goes further back than your own decisions of this turn: ask the others.",
                    reason=reason,
                )
            return await self.undo_to(table, target, seats[0])

    async def undo_to(self, table: Table, to: int, by: str, *, agreed: bool = False) -> list[Entry]:
        """Go back, `agreed` by everybody; the caller holds the lock and has checked who asks."""
        meta = table.meta
        game, undone = await self.hall.store.read(
            lambda connection: (
                read_at(connection, meta, to)[0],
                logbook.standing(connection, meta.id, to + 1, table.number),
            )
        )
        at = now_ms()
        changed = msgspec.convert(msgspec.to_builtins(meta), Meta)
        changed.proposals = votes.outlasting(changed.proposals)
        entry = Entry(
            revision=table.revision + 1,
            number=to,
            kind="undo",
            player=by,
            text=f"{table.number - to}{CANCELLED if _half_done(game, undone, by) else ''}",
            turn=referee.turn(game),
            at=at,
            by="person",
            clocks=self._clocks_back(table, at, undone, agreed=agreed),
            next_player=game.player,
            next_turn=referee.turn(game),
        )
        await self.hall.commit(table, [entry], changed, game)
        return [entry]


def _half_done(game: hansa.Game, undone: list[Entry], by: str) -> bool:
    """Whether these decisions, played from there, are an action that its player had not finished."""
    at = game.copy()
    for entry in undone:
        if entry.player != by:
            return False
        at.play(entry.text)
        if at.phase == "turn":
            return False
    return True


def undo_target(table: Table, to: int | None) -> int:
    """The number to go back to, checked."""
    if table.number == 0:
        raise TableError("nothing_to_undo", "Nothing has been decided yet.")
    target = table.number - 1 if to is None else to
    if not 0 <= target < table.number:
        raise TableError(
            "bad_request", f"`to` must lie between 0 and {table.number - 1}, not be {target}."
        )
    if target < table.shown_up_to():
        raise TableError(
            "undo_shown",
            "Something hidden has been shown since, or it lies too far back: this stands.",
        )
    return target
