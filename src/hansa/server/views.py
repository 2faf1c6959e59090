"""What each of them sees of a table in memory: positions, news, and what may be tried on them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from hansa.information import differs_by_viewer
from hansa.server import referee
from hansa.server.wire.positions import Position, UndoFace, packed
from hansa.server.wire.socket import Update

if TYPE_CHECKING:
    import hansa
    from hansa.server.model import Entry
    from hansa.server.table import Table

__all__ = ["Seen", "guessed", "news", "position"]


class Seen:
    """What was written of a table for those who look at it, as long as it is true."""

    __slots__ = ("guesses", "news", "own_views", "positions", "reckoning")

    def __init__(self) -> None:
        self.positions: dict[str | None, Position] = {}
        self.news: dict[tuple[int, str | None], Update] = {}
        self.guesses: dict[str, hansa.Game] = {}
        #: Somebody sees more than a watcher.
        self.own_views = False
        self.reckoning = referee.Reckoning()

    def forget(self) -> None:
        """Nothing of it; it can be made again."""
        self.positions.clear()
        self.news.clear()
        self.guesses.clear()


def position(table: Table, seat: str | None) -> Position | None:
    """The present position as that seat sees it."""
    if table.game is None:
        return None
    if None not in table.seen.positions:
        table.seen.positions[None] = _describe(table, table.game, None)
    if seat not in table.seen.positions:
        table.seen.positions[seat] = _describe_seat(table, table.game, seat)
    return table.seen.positions[seat]


def guessed(table: Table, seat: str) -> hansa.Game:
    """A game as that seat could imagine it, to try decisions on; made once a position."""
    assert table.game is not None  # noqa: S101 - who asks decides
    if seat not in table.seen.guesses:
        table.seen.guesses[seat] = referee.guessed(table.game, seat)
    return table.seen.guesses[seat]


def news(table: Table, since: int, seat: str | None, missed: list[Entry]) -> Update:
    """What changed after `since`, but for its time: the same for all who look from that seat.

    `missed` is the log above `since` as far as memory does not hold it.
    """
    known = table.seen.news.get((since, seat))
    if known is not None:
        return known
    log = {entry.revision: entry for entry in (*missed, *table.recent)}
    entries = [log[n].face() for n in sorted(log) if since < n <= table.revision]
    update = Update(
        now=0,
        since=since,
        revision=table.revision,
        number=table.number,
        entries=packed(entries),
        position=packed(position(table, seat)),
    )
    if len(table.listeners) > 1 and not missed:
        table.seen.news[since, seat] = update
    return update


def _describe(table: Table, game: hansa.Game, seat: str | None) -> Position:
    described = referee.position(
        game,
        seat,
        at=(table.revision, table.number),
        undo=_undo_face(table, seat),
        show_seed=table.meta.options.seeded or table.meta.status == "over",
        reckoning=table.seen.reckoning,
    )
    if table.meta.status == "over":
        described.over, described.legal = True, None
    if not _decides(table, seat):
        described.legal = None
    if seat is None:
        table.seen.own_views = differs_by_viewer(described.view)
    described.view = packed(described.view)
    described.stock = packed(described.stock)
    described.control = packed(described.control)
    described.scores = packed(described.scores)
    described.legal = packed(described.legal)
    return described


def _describe_seat(table: Table, game: hansa.Game, seat: str | None) -> Position:
    if table.seen.own_views:
        return _describe(table, game, seat)
    # Nobody knows more than a watcher just now: only the decider's choices are added.
    return msgspec.structs.replace(
        table.seen.positions[None],
        seat=seat,
        legal=packed(referee.legal(game) if _decides(table, seat) else None),
        undo=_undo_face(table, seat),
    )


def _decides(table: Table, seat: str | None) -> bool:
    """Whether the person of that seat is asked: nobody is while a bot plays for him."""
    place = table.meta.seat(seat) if seat is not None else None
    return place is not None and seat == table.decider and place.player_bot() is None


def _undo_face(table: Table, seat: str | None) -> UndoFace:
    owner = table.meta.seat(seat) if seat is not None else None
    if owner is None or owner.person is None:
        return UndoFace(free=False, to=None, reason="other_player")
    if owner.player_bot() is not None and table.meta.status == "running":
        return UndoFace(free=False, to=None, reason="standin")
    seats = [s.seat for s in table.meta.seats if s.person == owner.person and not s.standin]
    limit, reason = table.undo_limit(seats)
    if limit < table.number:
        return UndoFace(free=True, to=table.number - 1, reason=None)
    return UndoFace(free=False, to=None, reason=reason, ask=table.undo_by_asking(seats))
