"""Order in the house: reports, and what admins do about them. Queries over an open connection.

Everything an admin does is written down in the same transaction, whoever did it and wherever.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from hansa.server import archive, logbook, referee, replay, text
from hansa.server.errors import TableError
from hansa.server.hall import ended
from hansa.server.model import Entry, new_id, now_ms
from hansa.server.schema import deeds, games, people, reports
from hansa.server.store import changed_rows
from hansa.server.wire.order import Deed, DeedKind, Report, Resident

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = [
    "COMMAND_LINE",
    "FOR_EVER",
    "add_report",
    "appoint",
    "ban",
    "close_game",
    "deeds_done",
    "done",
    "find_people",
    "mute",
    "open_reports",
    "rename",
    "rename_game",
    "settle",
]

#: Who did it, where no account is known.
COMMAND_LINE = "command line"
FOR_EVER = 9_000_000_000_000_000
_HOUR = 3_600_000
#: One page of a list.
_MANY = 100


def done(connection: sa.Connection, by: str, what: DeedKind, subject: str, detail: str) -> None:
    """Write down what an admin did."""
    row = {"id": new_id(), "at": now_ms(), "by": by, "what": what}
    connection.execute(deeds.insert(), row | {"subject": subject, "detail": detail[:300]})


def deeds_done(connection: sa.Connection) -> list[Deed]:
    """The newest first."""
    query = sa.select(deeds).order_by(deeds.c.at.desc(), deeds.c.id).limit(_MANY)
    return [
        Deed(at=r.at, by=r.by, what=r.what, subject=r.subject, detail=r.detail)
        for r in connection.execute(query)
    ]


def _change(connection: sa.Connection, person: str, **values: Any) -> sa.Row[Any]:
    found = connection.execute(sa.select(people).where(people.c.id == person)).first()
    if found is None:
        raise TableError("not_found", "There is no such person.")
    connection.execute(people.update().where(people.c.id == person).values(**values))
    return found


def _until(hours: float | None) -> int | None:
    """Hours from now; 0: no longer; None: for ever."""
    if hours is None:
        return FOR_EVER
    return now_ms() + round(hours * _HOUR) if hours else None


def _said(hours: float | None) -> str:
    """Without a word of any language: pages and command lines of all of them show it."""
    return "∞" if hours is None else f"{hours:g} h"


def mute(connection: sa.Connection, by: str, person: str, hours: float | None) -> None:
    """Let somebody not chat; 0 hours ends it."""
    found = _change(connection, person, muted_until=_until(hours))
    done(connection, by, "mute", person, f"{found.name}: {_said(hours)}")


def ban(connection: sa.Connection, by: str, person: str, hours: float | None) -> None:
    """Let somebody do nothing here but look; 0 hours ends it."""
    found = _change(connection, person, banned_until=_until(hours))
    if found.admin and hours != 0:
        raise TableError("not_allowed", "Dismiss this admin first: hansa admin dismiss NAME.")
    done(connection, by, "ban", person, f"{found.name}: {_said(hours)}")


def rename(connection: sa.Connection, by: str, person: str, name: str) -> str:
    """Give somebody another name, and say the old one; `Lobby.call` uses it at tables."""
    shown = text.name(name)
    found = _change(connection, person, name=shown)
    done(connection, by, "rename", person, f"{found.name} → {shown}")
    return str(found.name)


def appoint(connection: sa.Connection, by: str, account: str, *, on: bool) -> bool:
    """Make an account an admin, or no longer; False where there is none."""
    query = sa.select(people.c.id).where(people.c.account == account)
    person = connection.execute(query).scalar()
    if person is None:
        return False
    connection.execute(people.update().where(people.c.id == person).values(admin=on))
    done(connection, by, "appoint" if on else "dismiss", person, account)
    return True


def find_people(connection: sa.Connection, part: str) -> list[Resident]:
    """Those whose name or account contains it, and whoever has that id."""
    part = text.clean(part)
    like = f"%{part.lower().replace('%', '').replace('_', '')}%"
    query = (
        sa.select(people)
        .where(
            sa.or_(
                sa.func.lower(people.c.name).like(like),
                people.c.account.like(like),
                people.c.id == part,
            )
        )
        .order_by(people.c.created.desc())
        .limit(_MANY)
    )
    return [resident(row) for row in connection.execute(query)]


def resident(row: sa.Row[Any]) -> Resident:
    """Somebody as admins see him: no mail address, no secret."""
    now = now_ms()
    return Resident(
        id=row.id,
        name=row.name,
        account=row.account,
        admin=bool(row.admin),
        muted=row.muted_until if (row.muted_until or 0) > now else None,
        banned=row.banned_until if (row.banned_until or 0) > now else None,
        created=row.created,
    )


def add_report(
    connection: sa.Connection, by: str, game: str | None, about: str | None, reason: str
) -> None:
    """Somebody says that something is wrong."""
    said = text.clean(reason)[:500]
    if not said:
        raise TableError("bad_request", "Say what is wrong.")
    row = {"id": new_id(), "at": now_ms(), "by": by, "game": game, "about": about, "reason": said}
    connection.execute(reports.insert(), row)


def open_reports(connection: sa.Connection) -> list[Report]:
    """Those nobody has settled, the oldest first."""
    reporter, accused = people.alias(), people.alias()
    query = (
        sa.select(
            reports,
            reporter.c.name.label("by_name"),
            accused.c.name.label("about_name"),
            games.c.name.label("table"),
        )
        .join(reporter, reporter.c.id == reports.c.by)
        .outerjoin(accused, accused.c.id == reports.c.about)
        .outerjoin(games, games.c.id == reports.c.game)
        .where(reports.c.settled.is_(None))
        .order_by(reports.c.at)
        .limit(_MANY)
    )
    return [
        Report(
            id=r.id,
            at=r.at,
            by=r.by,
            by_name=r.by_name,
            about=r.about,
            about_name=r.about_name,
            game=r.game,
            table=r.table,
            reason=r.reason,
        )
        for r in connection.execute(query)
    ]


def settle(connection: sa.Connection, by: str, report: str) -> None:
    """A report has been seen to."""
    change = reports.update().where(reports.c.id == report, reports.c.settled.is_(None))
    if not changed_rows(connection.execute(change.values(settled=now_ms()))):
        raise TableError("not_found", "This report is settled, or never was.")
    done(connection, by, "settle", report, "")


def rename_game(by: str, game: str, old: str, name: str) -> Callable[[sa.Connection], None]:
    """Written down with the change of a table's name."""
    return lambda connection: done(connection, by, "rename", game, f"{old} → {name}")


def close_game(connection: sa.Connection, by: str, game: str) -> str:
    """Remove a table that waits, end one that runs; gives what was done."""
    meta = archive.load_meta(connection, game)
    if meta is None:
        raise TableError("not_found", f"there is no game {game}")
    done(connection, by, "close", game, meta.name)
    if meta.status == "open":
        archive.delete_game(connection, game)
        return "removed"
    if meta.status == "over":
        raise TableError("game_over", "this game is over already")
    last = logbook.last_numbers(connection, game)
    position = replay.at_number(connection, meta, last.number if last else 0)
    at = now_ms()
    entry = Entry(
        revision=(last.revision if last else 0) + 1,
        number=last.number if last else 0,
        kind="over",
        player=None,
        text="closed",
        turn=referee.turn(position),
        at=at,
        by="host",
        clocks=last.clocks if last else None,
    )
    logbook.add_entries(connection, game, [entry])
    archive.save_meta(connection, ended(meta, position, "closed", at))
    return "ended"
