"""What somebody has played: counts by board, players and seat, and the games one by one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import sqlalchemy as sa

from hansa.server import archive, ladder
from hansa.server.ratings import ranks
from hansa.server.schema import games, people, seats
from hansa.server.wire.ratings import Change, Opponent, PersonName, Played, PlayedGame, Stats, Tally

if TYPE_CHECKING:
    from hansa.server.model import Meta, Person

__all__ = ["played", "statistics"]

#: Games that are counted, the newest.
_MOST = 1000


def _metas(
    connection: sa.Connection,
    person: Person,
    viewer: Person | None,
    *,
    board: str | None = None,
    players: int | None = None,
    before: str | None = None,
    limit: int,
) -> list[Meta]:
    """Finished games at which somebody had one seat, as far as `viewer` may know of them."""
    alone = (
        sa.select(seats.c.game)
        .where(seats.c.person == person.id)
        .group_by(seats.c.game)
        # A hot seat with oneself is neither won nor lost.
        .having(sa.func.count() == 1)
    )
    query = sa.select(games).where(
        games.c.status == "over", games.c.result.is_not(None), games.c.id.in_(alone)
    )
    if viewer is None or viewer.id != person.id:
        # What was played among friends is theirs; what was rated stands on the ladder.
        rated = games.c.options["rated"].as_boolean()
        query = query.where(sa.or_(games.c.visibility == "open", rated.is_(True)))
    if board is not None:
        query = query.where(games.c.setup["board"].as_string() == board)
    if players is not None:
        query = query.where(games.c.setup["players"].as_integer() == players)
    rows = connection.execute(archive.newest(query, before).limit(limit)).all()
    return archive.metas_of(connection, rows)


def played(
    connection: sa.Connection,
    person: Person,
    viewer: Person | None,
    *,
    board: str | None,
    players: int | None,
    before: str | None,
    limit: int,
) -> Played:
    """A page of somebody's games, the newest first."""
    found = _metas(
        connection, person, viewer, board=board, players=players, before=before, limit=limit
    )
    changes = ladder.changes(connection, [meta.id for meta in found])
    return Played(
        games=[_game(meta, person, changes.get(meta.id, [])) for meta in found],
        next=archive.place_of(found[-1]) if len(found) == limit else None,
    )


def _game(meta: Meta, person: Person, changes: list[Change]) -> PlayedGame:
    result, places = meta.result or {}, ranks(meta)
    changed = {change.seat: change for change in changes}
    points = {seat: parts["total"] or 0 for seat, parts in result["scores"].items()}
    (mine,) = meta.seats_of(person)
    return PlayedGame(
        id=meta.id,
        ended=meta.ended or meta.created,
        board=meta.setup["board"],
        players=len(meta.seats),
        rated=meta.options.rated,
        seat=mine,
        rank=places[mine],
        points=points[mine],
        reason=result["reason"],
        left=mine in (result.get("left") or result["conceded"]),
        gain=changed[mine].gain if mine in changed else None,
        opponents=[
            Opponent(
                seat=seat.seat,
                name=seat.name,
                person=seat.person,
                bot=seat.bot,
                rating=changed[seat.seat].rating if seat.seat in changed else None,
                rank=places[seat.seat],
                points=points[seat.seat],
            )
            for seat in meta.seats
            if seat.seat != mine
        ],
    )


def statistics(connection: sa.Connection, person: Person, viewer: Person | None) -> Stats:
    """All that somebody's games come to."""
    since = connection.execute(sa.select(people.c.created).where(people.c.id == person.id))
    found = _metas(connection, person, viewer, limit=_MOST)
    boards: dict[str, Tally] = {}
    players: dict[str, Tally] = {}
    by_seat: dict[str, Tally] = {}
    totals: list[int] = []
    wins = 0
    for meta in found:
        result = meta.result or {}
        (seat,) = meta.seats_of(person)
        won = seat in result["winners"]
        wins += won
        totals.append(result["scores"][seat]["total"] or 0)
        number = str(len(meta.seats))
        for tally, key in ((boards, meta.setup["board"]), (players, number), (by_seat, seat)):
            counted = tally.setdefault(key, Tally())
            counted.games += 1
            counted.wins += won
    return Stats(
        person=PersonName(id=person.id, name=person.name),
        guest=person.account is None,
        since=since.scalar_one(),
        games=len(found),
        wins=wins,
        mean_score=round(sum(totals) / len(totals), 2) if totals else None,
        boards=boards,
        players=dict(sorted(players.items())),
        seats=dict(sorted(by_seat.items())),
        ratings=ladder.histories(connection, person.id),
    )
