"""Ratings in the store: noted with the end of a game, reckoned in the order in which games ended.

The numbers depend on the stored games alone. A game's lines are written in the transaction of its end;
reckoning begins at the first line that has no numbers and goes through everything that ended later, so
that it does not matter when, how often, or by which process it is done.
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from hansa.server import archive, logbook
from hansa.server.ratings import (
    FRESH,
    PROVISIONAL,
    Sitter,
    Skill,
    face,
    machines,
    pool_of,
    ranks,
    rate,
    shown_gain,
)
from hansa.server.schema import games, people, ratings
from hansa.server.wire.ratings import (
    Change,
    Ladder,
    LadderRow,
    PersonName,
    Pool,
    PoolRating,
    Rating,
    RatingPoint,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from hansa.server.model import Entry, Meta

__all__ = [
    "changes",
    "forget",
    "histories",
    "is_behind",
    "ladder",
    "note",
    "now_of",
    "recompute",
    "settle",
    "settle_if_free",
]

POOLS: tuple[Pool, ...] = ("duel", "table")
#: Ends by which nobody is better or worse: all agreed that it shall not count, or admins closed it.
_UNRATED = {"agreed", "closed", "unfinished"}
#: One process at a time reckons; the key means nothing else.
_LOCK = 4242424243
_HISTORY = 300
_LADDER = 200
_CHUNK = 200


def note(connection: sa.Connection, meta: Meta, last: Sequence[Entry] = ()) -> None:
    """Write down the result of a rated game, with its end; twice is as good as once.

    `last` are the lines of the log that are stored together with it.
    """
    if not meta.options.rated or meta.result is None or meta.result["reason"] in _UNRATED:
        return
    places = ranks(meta)
    connection.execute(ratings.delete().where(ratings.c.game == meta.id))
    counted = [s for s in meta.seats if s.seat not in _never_there(connection, meta, last)]
    if len(counted) < 2:
        return
    connection.execute(
        ratings.insert(),
        [
            {
                "game": meta.id,
                "seat": seat.seat,
                "person": seat.person,
                "bot": seat.bot,
                "pool": pool_of(len(meta.seats)),
                "ended": meta.ended,
                "rank": places[seat.seat],
            }
            for seat in counted
        ],
    )


def _never_there(connection: sa.Connection, meta: Meta, last: Sequence[Entry]) -> set[str]:
    """Seats of people who left without a single word: the game began, and they had gone."""
    left: set[str] = set((meta.result or {}).get("left", ()))
    return left - logbook.spoken_for(connection, meta.id, last) if left else left


def forget(connection: sa.Connection, game: str) -> None:
    """A game is no longer over, or no longer there: what came after it has to be reckoned anew."""
    _take_turns(connection)
    row = connection.execute(
        sa.select(ratings.c.pool, ratings.c.ended).where(ratings.c.game == game).limit(1)
    ).first()
    if row is None:
        return
    connection.execute(ratings.delete().where(ratings.c.game == game))
    later = (ratings.c.pool == row.pool, _from(row.ended, game))
    connection.execute(ratings.update().where(*later).values(mu=None, sigma=None, gain=None))


def _from(ended: int, game: str) -> sa.ColumnElement[bool]:
    """Of games that ended in one millisecond the id decides."""
    same = sa.and_(ratings.c.ended == ended, ratings.c.game >= game)
    return sa.or_(ratings.c.ended > ended, same)


def _first_open(connection: sa.Connection, pool: Pool) -> Any:
    return connection.execute(
        sa.select(ratings.c.ended, ratings.c.game)
        .where(ratings.c.pool == pool, ratings.c.person.is_not(None), ratings.c.mu.is_(None))
        .order_by(ratings.c.ended, ratings.c.game)
        .limit(1)
    ).first()


def is_behind(connection: sa.Connection) -> bool:
    """Whether some game has not been reckoned."""
    return any(_first_open(connection, pool) is not None for pool in POOLS)


def _take_turns(connection: sa.Connection) -> None:
    """Wait until no other process reckons. SQLite has one writer anyway."""
    if connection.dialect.name == "postgresql":
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_LOCK)))


def settle_if_free(connection: sa.Connection) -> bool:
    """Reckon what is open; False where another process is just at it.

    A batch of commits may hold what that process waits for, so nobody waits here.
    """
    if connection.dialect.name == "postgresql" and not connection.scalar(
        sa.select(sa.func.pg_try_advisory_xact_lock(_LOCK))
    ):
        return False
    settle(connection)
    return True


def settle(connection: sa.Connection) -> None:
    """Reckon what is open, as the only one who does."""
    for pool in POOLS:
        first = _first_open(connection, pool)
        if first is not None:
            _reckon(connection, pool, first.ended, first.game)


def _reckon(connection: sa.Connection, pool: Pool, ended: int, game: str) -> None:
    rows = connection.execute(
        sa.select(ratings)
        .where(ratings.c.pool == pool, _from(ended, game))
        .order_by(ratings.c.ended, ratings.c.game, ratings.c.seat)
    ).all()
    somebody = {row.person for row in rows if row.person is not None}
    known = {
        person: skill
        for person in somebody
        if (skill := _before(connection, person, pool, ended, game)) is not None
    }
    changed: list[dict[str, Any]] = []
    for _, lines in groupby(rows, key=lambda row: row.game):
        changed += _one_game(pool, list(lines), known)
    connection.execute(
        ratings.update().where(
            ratings.c.game == sa.bindparam("of_game"), ratings.c.seat == sa.bindparam("of_seat")
        ),
        changed,
    )


def _one_game(pool: Pool, lines: list[Any], known: dict[str, Skill]) -> Iterator[dict[str, Any]]:
    sitters = [Sitter(line.seat, line.person, line.bot, line.rank) for line in lines]
    after = rate(pool, sitters, known)
    for line in lines:
        if line.person is not None:
            new = after[line.person]
            old = known.get(line.person)
            yield {
                "of_game": line.game,
                "of_seat": line.seat,
                "mu": new.mu,
                "sigma": new.sigma,
                "gain": new.mu - (old.mu if old is not None else FRESH.mu),
            }
    known.update(after)


def _before(
    connection: sa.Connection, person: str, pool: Pool, ended: int, game: str
) -> Skill | None:
    row = connection.execute(
        sa.select(ratings.c.mu, ratings.c.sigma)
        .where(
            ratings.c.person == person,
            ratings.c.pool == pool,
            # A line committed a moment ago: whoever reckons next begins there.
            ratings.c.mu.is_not(None),
            ~_from(ended, game),
        )
        .order_by(ratings.c.ended.desc(), ratings.c.game.desc())
        .limit(1)
    ).first()
    return Skill(row.mu, row.sigma) if row is not None else None


def recompute(connection: sa.Connection) -> int:
    """Make everything anew from the stored games; gives how many were rated."""
    _take_turns(connection)
    connection.execute(ratings.delete())
    over = sa.select(games.c.id).where(games.c.status == "over").order_by(games.c.id)
    ids = list(connection.execute(over).scalars())
    for first in range(0, len(ids), _CHUNK):
        some = sa.select(games).where(games.c.id.in_(ids[first : first + _CHUNK]))
        for meta in archive.metas_of(connection, connection.execute(some).all()):
            note(connection, meta)
    settle(connection)
    count = sa.select(sa.func.count(sa.distinct(ratings.c.game)))
    return connection.execute(count).scalar_one()


# What people see


def _latest(pool: Pool, *among: sa.ColumnElement[bool]) -> sa.Subquery:
    """The last line of everybody, or of those `among` whom it is looked for, with how many there are."""
    newest = (ratings.c.ended.desc(), ratings.c.game.desc())
    return (
        sa.select(
            ratings.c.person,
            ratings.c.mu,
            ratings.c.sigma,
            ratings.c.ended,
            sa.func.row_number().over(partition_by=ratings.c.person, order_by=newest).label("age"),
            sa.func.count().over(partition_by=ratings.c.person).label("games"),
        )
        .where(ratings.c.pool == pool, ratings.c.mu.is_not(None), *among)
        .subquery()
    )


def ladder(connection: sa.Connection, pool: Pool) -> Ladder:
    """Everybody with an account who has played a rated game of this kind."""
    latest = _latest(pool)
    rows = connection.execute(
        sa.select(latest, people.c.name)
        .join(people, people.c.id == latest.c.person)
        .where(latest.c.age == 1, people.c.account.is_not(None))
        .order_by(latest.c.sigma > PROVISIONAL, latest.c.mu.desc(), latest.c.ended, latest.c.person)
        .limit(_LADDER)
    )
    listed = []
    for place, row in enumerate(rows, start=1):
        rating = face(Skill(row.mu, row.sigma))
        listed.append(
            LadderRow(
                place=None if rating.provisional else place,
                person=PersonName(id=row.person, name=row.name),
                rating=rating,
                games=row.games,
                last=row.ended,
            )
        )
    return Ladder(pool=pool, rows=listed, machines=machines(pool))


def now_of(
    connection: sa.Connection, pool: Pool, wanted: Collection[str]
) -> dict[str | None, Rating]:
    """The present ratings of these people, of those who have one."""
    latest = _latest(pool, ratings.c.person.in_(list(wanted)))
    rows = connection.execute(sa.select(latest).where(latest.c.age == 1))
    return {row.person: face(Skill(row.mu, row.sigma)) for row in rows}


def histories(connection: sa.Connection, person: str) -> list[PoolRating]:
    """Somebody's ratings over time."""
    return [found for pool in POOLS if (found := _history(connection, person, pool)) is not None]


def _history(connection: sa.Connection, person: str, pool: Pool) -> PoolRating | None:
    mine = (ratings.c.person == person, ratings.c.pool == pool, ratings.c.mu.is_not(None))
    rows = connection.execute(
        sa.select(ratings)
        .where(*mine)
        .order_by(ratings.c.ended.desc(), ratings.c.game.desc())
        .limit(_HISTORY)
    ).all()
    if not rows:
        return None
    count = connection.execute(sa.select(sa.func.count()).select_from(ratings).where(*mine))
    return PoolRating(
        pool=pool,
        rating=face(Skill(rows[0].mu, rows[0].sigma)),
        games=count.scalar_one(),
        history=[_point(row) for row in reversed(rows)],
    )


def _point(row: Any) -> RatingPoint:
    seen = face(Skill(row.mu, row.sigma))
    return RatingPoint(at=row.ended, game=row.game, value=seen.value, uncertainty=seen.uncertainty)


def changes(connection: sa.Connection, wanted: Collection[str]) -> dict[str, list[Change]]:
    """What each of these games did to the ratings of its people."""
    query = sa.select(ratings).where(ratings.c.game.in_(list(wanted)), ratings.c.mu.is_not(None))
    found: dict[str, list[Change]] = {}
    for row in connection.execute(query.order_by(ratings.c.game, ratings.c.seat)):
        skill = Skill(row.mu, row.sigma)
        change = Change(
            seat=row.seat, person=row.person, rating=face(skill), gain=shown_gain(skill, row.gain)
        )
        found.setdefault(row.game, []).append(change)
    return found
