"""Who follows or blocks whom, who was here lately, and who is asked to which table."""

from __future__ import annotations

from typing import TYPE_CHECKING

import sqlalchemy as sa

from hansa.server.errors import TableError
from hansa.server.model import now_ms
from hansa.server.schema import games, invitations, people, seats, ties
from hansa.server.wire.circle import Circle, Friend, Invited
from hansa.server.wire.ratings import PersonName

if TYPE_CHECKING:
    from collections.abc import Collection

    from hansa.server.model import Meta

__all__ = [
    "apart",
    "blocked_by",
    "blocks_of",
    "check_welcome",
    "circle",
    "decline",
    "invite",
    "is_apart",
    "set_tie",
    "shunned",
    "touch",
]

#: Milliseconds since somebody's page asked for news, within which he counts as here.
_HERE = 120_000
#: A note of that is renewed after so many.
_NOTED = 30_000
#: More people than anybody follows or blocks.
_MOST = 500


def set_tie(connection: sa.Connection, person: str, other: str, kind: str | None) -> None:
    """Follow or block somebody, or neither."""
    mine = ties.c.person == person
    connection.execute(ties.delete().where(mine, ties.c.other == other))
    if kind is None:
        return
    count = sa.select(sa.func.count()).select_from(ties).where(mine)
    if connection.execute(count).scalar_one() >= _MOST:
        raise TableError("too_many", f"More than {_MOST} people are too many; let somebody go.")
    row = {"person": person, "other": other, "kind": kind, "created": now_ms()}
    connection.execute(ties.insert(), row)
    if kind == "block":
        theirs = (invitations.c.person == person, invitations.c.sender == other)
        connection.execute(invitations.delete().where(*theirs))


def blocked_by(connection: sa.Connection, person: str) -> set[str]:
    """Whom this person does not want to hear."""
    return blocks_of(connection, {person}).get(person, set())


def blocks_of(connection: sa.Connection, among: Collection[str]) -> dict[str, set[str]]:
    """Whom these people do not want to hear; who hears everybody is left out."""
    query = sa.select(ties.c.person, ties.c.other).where(
        ties.c.kind == "block", ties.c.person.in_(among)
    )
    found: dict[str, set[str]] = {}
    for row in connection.execute(query):
        found.setdefault(row.person, set()).add(row.other)
    return found


def shunned(connection: sa.Connection, person: str) -> set[str]:
    """Everybody between whom and this person there is a block, whoever set it."""
    others = sa.select(ties.c.person).where(ties.c.other == person, ties.c.kind == "block")
    return blocked_by(connection, person) | set(connection.execute(others).scalars())


def apart(connection: sa.Connection, among: Collection[str]) -> dict[str, set[str]]:
    """Who of these people does not play with whom; who plays with all of them is left out."""
    if len(among) < 2:
        return {}
    query = sa.select(ties.c.person, ties.c.other).where(
        ties.c.kind == "block", ties.c.person.in_(among), ties.c.other.in_(among)
    )
    found: dict[str, set[str]] = {}
    for row in connection.execute(query):
        found.setdefault(row.person, set()).add(row.other)
        found.setdefault(row.other, set()).add(row.person)
    return found


def is_apart(person: str, other: sa.Column[str]) -> sa.ColumnElement[bool]:
    """Whether this person does not play with another one, or that one not with him."""
    block = ties.c.kind == "block"
    his = sa.exists().where(block, ties.c.person == person, ties.c.other == other)
    theirs = sa.exists().where(block, ties.c.person == other, ties.c.other == person)
    return sa.or_(his, theirs)


def check_welcome(connection: sa.Connection, meta: Meta, person: str) -> None:
    """Whether those who sit at a table let this person sit down.

    Raises:
        TableError: `blocked`.
    """
    sitting = {seat.person for seat in meta.seats if seat.person} | {meta.host}
    query = sa.select(ties.c.person).where(
        ties.c.kind == "block", ties.c.other == person, ties.c.person.in_(sitting)
    )
    if connection.execute(query).first() is not None:
        raise TableError(
            "blocked", "Somebody at this table does not play with you: choose another one."
        )


def touch(connection: sa.Connection, person: str) -> None:
    """Note that somebody's page is open."""
    now = now_ms()
    stale = sa.or_(people.c.seen.is_(None), people.c.seen < now - _NOTED)
    connection.execute(people.update().where(people.c.id == person, stale).values(seen=now))


def invite(connection: sa.Connection, meta: Meta, sender: str, person: str) -> bool:
    """Ask somebody to a table that waits for players; whether he follows who asks."""
    if connection.scalar(sa.select(people.c.id).where(people.c.id == person)) is None:
        raise TableError("not_found", "There is no such person.")
    check_welcome(connection, meta, person)
    if sender in blocked_by(connection, person):
        raise TableError("blocked", "This person does not play with you.")
    decline(connection, meta.id, person)
    row = {"game": meta.id, "person": person, "sender": sender, "at": now_ms()}
    connection.execute(invitations.insert(), row)
    theirs = sa.select(ties.c.kind).where(ties.c.person == person, ties.c.other == sender)
    return connection.execute(theirs).scalar() == "follow"


def decline(connection: sa.Connection, game: str, person: str) -> None:
    """Somebody does not come to a table to which he was asked."""
    here = (invitations.c.game == game, invitations.c.person == person)
    connection.execute(invitations.delete().where(*here))


def circle(connection: sa.Connection, person: str) -> Circle:
    """Everybody around somebody."""
    query = (
        sa.select(ties.c.other, ties.c.kind, people.c.name, people.c.seen)
        .join(people, people.c.id == ties.c.other)
        .where(ties.c.person == person)
        .order_by(people.c.name, people.c.id)
    )
    rows = connection.execute(query).all()
    followed = [row for row in rows if row.kind == "follow"]
    playing = _playing(connection, [row.other for row in followed])
    since = now_ms() - _HERE
    friends = [
        Friend(
            person=PersonName(id=row.other, name=row.name),
            here=(row.seen or 0) > since,
            game=playing.get(row.other),
        )
        for row in followed
    ]
    return Circle(
        follows=sorted(friends, key=lambda friend: not friend.here),
        blocks=[PersonName(id=r.other, name=r.name) for r in rows if r.kind == "block"],
        invitations=_invitations(connection, person),
    )


def _playing(connection: sa.Connection, wanted: list[str]) -> dict[str | None, str]:
    query = (
        sa.select(seats.c.person, games.c.id)
        .join(games, games.c.id == seats.c.game)
        .where(
            seats.c.person.in_(wanted), games.c.status == "running", games.c.visibility == "open"
        )
        .order_by(games.c.started)
    )
    return {row.person: row.id for row in connection.execute(query)}


def _invitations(connection: sa.Connection, person: str) -> list[Invited]:
    sits = sa.select(seats.c.game).where(seats.c.person == person)
    query = (
        sa.select(invitations, people.c.name)
        .join(games, games.c.id == invitations.c.game)
        .join(people, people.c.id == invitations.c.sender)
        .where(invitations.c.person == person, games.c.status == "open", games.c.id.not_in(sits))
        .order_by(invitations.c.at.desc(), invitations.c.game)
        .limit(20)
    )
    return [
        Invited(game=row.game, by=PersonName(id=row.sender, name=row.name), at=row.at)
        for row in connection.execute(query)
    ]
